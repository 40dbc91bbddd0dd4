"""Render the documentation's pictures: the real screens, over a game at the real server.

    python docs/make_pictures.py [FOLDER]

The game is seeded, the clock and the terminal are fixed: the same code makes the same
pictures. `party` plays the game, `terminal_svg` draws.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"  # read when Textual is imported

from textual.app import App
from textual.screen import Screen

from nana_client.keyboard import USUAL
from nana_client.looks import DEFAULT
from nana_client.model import Model
from nana_client.played import About, Played
from nana_client.replay_tape import Tape
from nana_client.screens.games import GamesScreen
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.opening import Opening, OpeningScreen
from nana_client.screens.replay import ReplayScreen
from nana_client.screens.table import TableScreen
from nana_client.wardrobe import themes
from nana_core.protocol.inbound import AddBot, Chat, Start
from nana_core.record import Record
from party import Party
from terminal_svg import drawn

SEED: Final = 5  # a game that Ann wins on her fifth turn, by 3 and 4
EVENING: Final = datetime(2026, 11, 30, 22, 40).astimezone().timestamp()
GAMES: Final = 7
HOST, GUESTS, WATCHER = "Ann", ("Bo", "Cy"), "Wanda"
LATE: Final = 10  # from this turn on there are sets on the table


class Scene(Struct, frozen=True):
    """A moment as one person's client has it."""

    model: Model
    now: int  # ms
    key: str | None = None  # what that person presses next


class Picture(Struct, frozen=True):
    """A scene on a terminal; `press` says that the next key is pressed already."""

    name: str
    scene: str
    size: tuple[int, int]
    theme: str = DEFAULT
    press: bool = False


PICTURES: Final = (
    Picture("table", "two of three", (100, 30), press=True),
    Picture("lobby", "lobby", (80, 24)),
    Picture("over", "over", (80, 24)),
    Picture("table-small", "two of three", (44, 13), press=True),
    Picture("table-paper", "two of three", (80, 24), "paper", press=True),
    Picture("table-wide", "two of three", (140, 40), press=True),
    Picture("opening", "opening", (80, 24)),
    Picture("replay", "replay", (100, 30)),
    Picture("games", "opening", (80, 24)),
    Picture("replay-eyes", "replay", (80, 24), press=True),
)


class Onlooker:
    """Stands in for a session: a picture shows a room, it does not act in it."""

    def __init__(self, model: Model, link: str) -> None:
        self.model, self.link = model, link

    def __getattr__(self, deed: str) -> Callable[..., bool]:
        return lambda *_args, **_options: True


def evening() -> Iterator[tuple[str, Scene]]:
    """Play a whole game and yield its scenes by name."""
    party = Party(SEED)
    party.host(HOST, seats=len(GUESTS) + 2)
    for name in GUESTS:
        party.join(name)
    party.watch(WATCHER)
    party.does(GUESTS[0], Chat(text="good luck everybody!"))
    yield "opening", _scene(party)
    yield "lobby", _scene(party)
    party.does(HOST, AddBot())
    party.does(HOST, Start())
    for _ in party.play():
        if _has_two_of_three(party.guests[HOST].model):
            yield "two of three", _scene(party)
    yield "over", _scene(party)
    party.recalls(HOST)
    yield "replay", replace(_scene(party), key="a")


def _scene(party: Party) -> Scene:
    host = party.guests[HOST]
    source = getattr(host.answer, "source", None)
    return Scene(host.model, party.now, USUAL.on_card(source) if source else None)


def _has_two_of_three(model: Model) -> bool:
    """Whether it is one's own turn, two cards match, and some sets were collected."""
    shot = model.snapshot
    if shot is None or shot.attempt is None or not model.my_turn or shot.turn < LATE:
        return False
    return len(shot.attempt.cards) == 2 and shot.attempt.outcome is None


def scenes() -> dict[str, Scene]:
    """Return the first moment of each name."""
    found: dict[str, Scene] = {}
    for name, scene in evening():
        found.setdefault(name, scene)
    return found


class Cupboard:
    """Stands in for a folder of records: an evening of games, the last one just over."""

    def games(self) -> tuple[Played, ...]:
        return tuple(self._played())

    def delete(self, game: Played) -> str:
        raise AssertionError(f"a picture deletes nothing: {game.path}")

    def _played(self) -> Iterator[Played]:
        at = EVENING
        for game in range(GAMES, 0, -1):
            record = replace(_record(SEED + game), game=game, room="KQ7MX")
            about = About(at=int(at), server="wss://nana.example.org/", seat="A", saved=game == 2)
            path = Path(f"/home/ann/.local/share/nana/records/nana-{record.room}-{game}.json")
            yield Played(path, at, about, record)
            at -= 20 * record.actions.count(".") + 90


def _record(seed: int) -> Record:
    """Play a game, and return the record of it."""
    party = Party(seed)
    party.host(HOST, seats=len(GUESTS) + 2)
    for name in GUESTS[: 1 + seed % 2]:
        party.join(name)
    party.does(HOST, AddBot())
    party.does(HOST, Start())
    for _ in party.play():
        pass
    party.recalls(HOST)
    record = party.guests[HOST].model.record
    if record is None:
        raise AssertionError("a game that is over has a record")
    return record


def _screen(name: str, scene: Scene) -> Screen[Any]:
    """Put the scene on the screen that the app would choose."""
    shot, record = scene.model.snapshot, scene.model.record
    if name == "opening":
        return OpeningScreen(HOST, Opening())
    if record is not None:
        tape = Tape(record)
        return ReplayScreen(tape, at=tape.turn_end(tape.last, -1))
    if shot is None:
        raise AssertionError("a scene has a table")
    links = tuple(f"ws://{host}:8765/r/{shot.room}" for host in ("192.168.1.5", "[fd00::5]"))
    play: Any = Onlooker(scene.model, links[0])
    if shot.phase == "lobby":
        return LobbyScreen(play, links)
    return TableScreen(play, now=lambda: scene.now)


def _games() -> Screen[Any]:
    return GamesScreen(Cupboard(), kept=True, clock=lambda: EVENING)


async def rendered(picture: Picture, scene: Scene) -> str:
    """Return the picture as SVG."""
    app: App[None] = App()
    for theme in themes():
        app.register_theme(theme)
    app.theme, app.title = picture.theme, "nana"
    async with app.run_test(size=picture.size) as pilot:
        await app.push_screen(
            _games() if picture.name == "games" else _screen(picture.scene, scene)
        )
        await pilot.pause()
        if picture.press and scene.key is not None:
            await pilot.press(scene.key)
        await pilot.pause()
        return drawn(app.export_screenshot(simplify=True))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    moments = scenes()
    for picture in PICTURES:
        file = folder / f"{picture.name}.svg"
        file.write_text(asyncio.run(rendered(picture, moments[picture.scene])), encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
