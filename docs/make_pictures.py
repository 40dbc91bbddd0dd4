"""Render the pictures of the documentation: real screens, over a game that bots played.

    python docs/make_pictures.py [FOLDER]

The game is seeded and the terminal fixed, so the same code makes the same pictures.
"""

import asyncio
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace

os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"  # read when Textual is imported

from textual.app import App
from textual.screen import Screen

from nana_bots.arena import shuffled_deal, snapshot_for
from nana_bots.mind import LEVELS, Player
from nana_client.model import Line, Model, advance
from nana_client.play import Play
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.opening import Opening, OpeningScreen
from nana_client.screens.table import TableScreen
from nana_client.theme import DEFAULT, themes
from nana_core.deck import LETTERS
from nana_core.game import Game, apply, begin
from nana_core.protocol.outbound import AttemptView, SeatView, Snapshot
from nana_core.protocol.wire import action_of, attempt_view
from nana_core.views import open_cards

NAMES: Final = ("Ann", "Bo", "Cy", "Dee", "Evelyn")
ROOM: Final = "KQ7MX"
LINKS: Final = (f"ws://192.168.1.5:8765/r/{ROOM}", f"ws://[fd00::5]:8765/r/{ROOM}")
CHAT: Final = (
    Line("chat", "good luck everybody!", "Bo", "B"),
    Line("chat", "I had that 9 a minute ago …", "Cy", "C"),
)


class Scene(Struct, frozen=True):
    """One picture: its name, the terminal, the keys pressed before it is taken."""

    name: str
    size: tuple[int, int]
    screen: Callable[[], Screen[Any]]
    theme: str = DEFAULT
    keys: tuple[str, ...] = ()


class Onlooker:
    """Stands in for a session: a picture shows a room, it does not act in it."""

    def __init__(self, model: Model) -> None:
        self.model, self.link = model, LINKS[0]

    def __getattr__(self, deed: str) -> Callable[..., bool]:
        return lambda *_args, **_options: True


def onlooking(model: Model) -> Play:
    return cast("Play", Onlooker(model))


def positions(players: int, seed: int) -> Iterator[tuple[Game, Snapshot]]:
    """Play a game between bots that remember; yield every position as seat A sees it."""
    chance = Random(seed)
    game = begin(shuffled_deal(players, chance))
    bots = [Player(LEVELS["memory"](Random(seed + seat))) for seat in range(players)]
    ended: list[AttemptView] = []
    seen = [0] * players
    step = 0
    yield game, dressed(game, step)
    while game.table.result is None:
        seat = game.table.on_turn
        answer = bots[seat].receive(snapshot_for(game, seat, step, tuple(ended[seen[seat] :])))
        seen[seat] = len(ended)
        if answer is None:
            raise AssertionError("a bot on turn has nothing to do")
        game = apply(game, seat, action_of(answer))
        step += 1
        if game.table.shown:
            ended.append(attempt_view(game.table.attempt, game.table.turn))
        yield game, dressed(game, step)


def dressed(game: Game, step: int) -> Snapshot:
    """Show a position to seat A, with people's names, a clock and, at the end, open hands."""
    shot = snapshot_for(game, 0, step)
    seats = tuple(_named(seat) for seat in shot.seats)
    shot = replace(
        shot, room=ROOM, seats=seats, host="A", watching=("Wanda",),
        you=replace(shot.you, name=NAMES[0], host=True), deadline=42_000,
    )  # fmt: skip
    if shot.result is None:
        return shot
    opened = open_cards(game)
    return replace(shot, deadline=None, hands=opened.hands, center=opened.center)


def _named(seat: SeatView) -> SeatView:
    at = LETTERS.index(seat.seat)
    bot = at == 2
    return replace(
        seat, name=NAMES[at], kind="bot" if bot else "person", level="memory" if bot else None,
        ready=bot,
    )  # fmt: skip


def shown(players: int, seed: int, wanted: Callable[[Snapshot], bool]) -> Model:
    """Return the last moment of a game that is wanted, with the log that led there."""
    model, found = Model(connection="open", latency_ms=23), None
    for _, snapshot in positions(players, seed):
        model = advance(model, snapshot)
        if wanted(snapshot):
            found = model
    if found is None:
        raise AssertionError("the game has no such moment")
    lines = (*found.lines[:-1], *CHAT, *found.lines[-1:])
    return replace(found, lines=lines)


def your_turn(snapshot: Snapshot) -> bool:
    """Seat A has turned one card and looks for the next, with a set on the table already."""
    attempt = snapshot.attempt
    cards = attempt.cards if attempt is not None else ()
    any_set = any(seat.sets for seat in snapshot.seats)
    return (
        snapshot.on_turn == "A" and snapshot.legal != ("continue",) and len(cards) == 1 and any_set
    )


def missed(snapshot: Snapshot) -> bool:
    attempt = snapshot.attempt
    return attempt is not None and attempt.outcome == "miss" and len(attempt.cards) == 3


def over(snapshot: Snapshot) -> bool:
    return snapshot.phase == "over"


def lobby() -> Model:
    """Return a lobby with three seats taken."""
    _, first = next(positions(5, 1))
    free = replace(first.seats[4], kind="free", name=None, ready=False)
    seats = tuple(
        replace(seat, ready=True) if at < 3 else replace(free, seat=seat.seat)
        for at, seat in enumerate(first.seats)
    )
    shot = replace(
        first, phase="lobby", seats=seats, turn=0, on_turn=None, legal=(), center=(),
        attempt=None, deadline=None,
    )  # fmt: skip
    lines = (Line("notice", "Bo takes seat B."), CHAT[0])
    return Model(connection="open", latency_ms=23, snapshot=shot, lines=lines)


def table(model: Model) -> Callable[[], Screen[Any]]:
    return lambda: TableScreen(onlooking(model), now=lambda: 0)


def scenes() -> Iterator[Scene]:
    """Every picture that the documentation shows."""
    five, two = shown(5, 4, your_turn), shown(2, 3, your_turn)
    won = replace(
        shown(4, 7, over),
        proof="verified",
        proof_text="the deal follows from every player's secret: nobody chose it",
    )
    yield Scene("opening", (80, 24), lambda: OpeningScreen("Ann", Opening()))
    yield Scene("lobby", (100, 30), lambda: LobbyScreen(onlooking(lobby()), LINKS))
    yield Scene("table", (80, 24), table(five), keys=("B",))
    yield Scene("table-wide", (140, 40), table(five), keys=("5",))
    yield Scene("table-paper", (100, 30), table(two), "paper", ("b",))
    yield Scene("table-small", (44, 13), table(five), keys=("B",))
    yield Scene("miss", (80, 24), table(shown(4, 5, missed)))
    yield Scene("over", (100, 30), table(won))


async def render(scene: Scene) -> str:
    """Return the picture of a scene as SVG."""
    app: App[None] = App()
    for theme in themes():
        app.register_theme(theme)
    app.theme, app.title = scene.theme, "nana"
    async with app.run_test(size=scene.size) as pilot:
        await app.push_screen(scene.screen())
        await pilot.pause()
        await pilot.press(*scene.keys)
        await pilot.pause()
        return plain(app.export_screenshot(simplify=True))


def plain(svg: str) -> str:
    """Leave out what an SVG would fetch from elsewhere: a local monospace font will do."""
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for scene in scenes():
        (folder / f"{scene.name}.svg").write_text(asyncio.run(render(scene)))
        print(f"{folder / scene.name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
