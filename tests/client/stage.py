"""A stage for screens: an app without network, and a player whose deeds are written down."""

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from nana_client.breath import SEEN_MS
from nana_client.looks import DEFAULT
from nana_client.model import Model
from nana_client.screens.room import RoomScreen
from nana_client.screens.table import TableScreen
from nana_client.store import SavedSeat
from nana_client.wardrobe import themes
from nana_client.words import stood_in
from nana_core.protocol import inbound


class Recorder:
    """Does nothing, and remembers what it was asked to do."""

    def __init__(self, model: Model, link: str | None = "ws://192.0.2.7:8765/r/KQ7MX") -> None:
        self.model, self.link = model, link
        self.deeds: list[tuple[Any, ...]] = []
        self.restorable: SavedSeat | None = None

    def _did(self, *deed: Any) -> bool:
        self.deeds.append(deed)
        return True

    def reveal(self, source: str, step: int | None = None) -> bool:
        return self._did("reveal", source, step)

    def proceed(self) -> bool:
        return self._did("proceed")

    def take_over(self) -> bool:
        shot = self.model.snapshot
        return shot is not None and stood_in(shot) and self._did("take_over")

    def chat(self, text: str) -> bool:
        return self._did("chat", text)

    def start(self) -> bool:
        return self._did("start")

    def set_options(self, options: inbound.OptionChanges) -> bool:
        return self._did("options", options)

    def add_bot(self, level: inbound.Level = "memory", seat: inbound.Letter | None = None) -> bool:
        return self._did("add_bot", level, seat)

    def remove(self, seat: inbound.Letter) -> bool:
        return self._did("remove", seat)

    def give_host(self, seat: inbound.Letter) -> bool:
        return self._did("give_host", seat)

    def rematch(self, *, ready: bool = True) -> bool:
        return self._did("rematch", ready)

    def sit(self, seat: inbound.Letter | None = None) -> bool:
        return self._did("sit", seat)

    def export(self, game: int | None = None) -> bool:
        return self._did("export", game)

    def recall(self) -> bool:
        return self._did("recall")

    def pause(self, *, on: bool = True) -> bool:
        return self._did("pause", on)

    def end_game(self) -> bool:
        return self._did("end_game")

    def close_room(self) -> bool:
        return self._did("close_room")

    def leave(self) -> None:
        self._did("leave")

    def close(self) -> None:
        self._did("close")

    def hurry(self) -> None:
        self._did("hurry")


class Stage(App[None]):
    """Shows one screen, and remembers what the screen asks of the app."""

    def __init__(self, screen: Screen[Any], theme: str = DEFAULT) -> None:
        super().__init__()
        for each in themes():
            self.register_theme(each)
        self.theme = theme
        self.first = screen
        self.wishes: list[str] = []
        self.posted: list[Any] = []
        self.answers: list[Any] = []  # what the first screen was dismissed with

    def on_mount(self) -> None:
        self.push_screen(self.first, self.answers.append)

    def on_room_screen_wished(self, event: RoomScreen.Wished) -> None:
        self.wishes.append(event.wish)

    def on_opening_screen_chosen(self, event: Any) -> None:
        self.posted.append(event)

    def on_opening_screen_asked(self, event: Any) -> None:
        self.posted.append(event)

    def on_join_screen_going(self, event: Any) -> None:
        self.posted.append(event)

    def on_join_screen_left(self, event: Any) -> None:
        self.posted.append("left")


def screen_text(pilot: Pilot[Any]) -> str:
    """Return what stands on the screen, line by line."""
    app = pilot.app
    width, height = app.size
    lines = app.screen._compositor.render_strips()
    assert len(lines) == height
    assert all(line.cell_length == width for line in lines), "a line is not as wide as the screen"
    return "\n".join(line.text for line in lines)


async def until(pilot: Pilot[Any], holds: Callable[[], bool]) -> None:
    """Let the app work until something holds; the test's own timeout bounds it."""
    while not holds():
        await pilot.pause()


async def rested(pilot: Pilot[Any]) -> None:
    """Let the moment pass in which the keys rest after a game, by the screen's own clock."""
    screen = pilot.app.screen
    assert isinstance(screen, TableScreen)
    await pilot.pause()
    begin = screen.now()
    for later in range(begin, begin + 3 * SEEN_MS, SEEN_MS // 2):
        screen.now = lambda later=later: later  # type: ignore[misc]
        screen.tick()
        await pilot.pause()


def stage_of(pilot: Pilot[Any]) -> Stage:
    assert isinstance(pilot.app, Stage)
    return pilot.app
