"""Motion: what moves explains what happened, and never stands between a player and the truth."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from client.scenes import model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text
from nana_client import cli
from nana_client.app import NanaApp
from nana_client.model import Model
from nana_client.motion import LASTS_MS, SLOW_MS, Motion, motion_between
from nana_client.planning import plan
from nana_client.screens.table import TableScreen
from nana_client.settings import Settings
from nana_client.sight import Sight
from nana_client.start import OpenScreen
from nana_client.store import Folders, Store
from nana_client.widgets.board import Board, board_items
from nana_client.widgets.sheet import FLYING, Card, Item
from nana_core.protocol.outbound import Snapshot

START = snapshot_of(played(3))
ONE = replace(snapshot_of(played(3, "c1")), step=START.step + 1)
TWO = replace(snapshot_of(played(3, "c2 b<", first=2)), step=100)  # C missed; A is next
BACK = replace(snapshot_of(played(3, "c2 b< .", first=2)), step=101)
SIZES = pytest.mark.parametrize("size", [(44, 13), (60, 30), (80, 24), (100, 30), (140, 40)])


def laid(shot: Snapshot, size: tuple[int, int] = (80, 24)) -> tuple[Sight, tuple[Item, ...]]:
    sight = Sight(shot)
    found = plan(*size, 3, seated=sight.me is not None)
    assert found is not None
    return sight, tuple(board_items(sight, found))


def between(was: Snapshot, now: Snapshot, size: tuple[int, int] = (80, 24)) -> Motion | None:
    return motion_between(laid(was, size), laid(now, size))


def flying(items: tuple[Item, ...]) -> list[Card]:
    return [item for item in items if isinstance(item, Card) and item.name == FLYING]


def of(items: tuple[Item, ...], name: str) -> Card:
    return next(item for item in items if isinstance(item, Card) and item.name == name)


@SIZES
@pytest.mark.parametrize("source", ["c3", "b<", "b>", "a<", "a>", "c>"])
def test_a_card_comes_from_its_source(source: str, size: tuple[int, int]) -> None:
    """It sets out face down where it lay, and arrives face up at its place in the attempt."""
    now = replace(snapshot_of(played(3, source)), step=START.step + 1)
    motion = between(START, now, size)
    assert motion is not None
    before, after = laid(START, size)[1], laid(now, size)[1]
    (first,) = flying(tuple(motion.over(after, 0)))
    (last,) = flying(tuple(motion.over(after, LASTS_MS)))
    end = of(after, "place0")
    assert (last.face.kind, last.face.number) == ("up", end.face.number)
    assert end.region.contains_region(last.region)
    own = source[0] == "a"
    assert first.face.kind == ("up" if own else "back")
    names = {source, f"{source[0]}@0", f"{source[0]}@7"}
    homes = [item for item in before if isinstance(item, Card) and item.name in names]
    assert any(home.region.overlaps(first.region) for home in homes)


@SIZES
def test_missed_cards_go_back_face_down(size: tuple[int, int]) -> None:
    """Both set out face up from the attempt, and lie where they came from when they arrive."""
    motion = between(TWO, BACK, size)
    assert motion is not None
    after = laid(BACK, size)[1]
    first, last = (flying(tuple(motion.over(after, ms))) for ms in (0, LASTS_MS))
    assert [card.face.kind for card in first] == ["up", "up"]
    assert [card.face.kind for card in last] == ["back", "back"]
    assert last[0].region.overlaps(of(after, "c2").region)


def test_a_set_is_gathered_to_whoever_collected_it() -> None:
    """Three cards go to the sets of that seat."""
    game = played(3)
    numbers = [*game.secrets.center]
    assert numbers
    was = _with_set(TWO)
    motion = between(was, BACK)
    assert motion is not None
    after = laid(BACK)[1]
    last = flying(tuple(motion.over(after, LASTS_MS)))
    assert len(last) == 3
    sets = next(item for item in after if getattr(item, "name", "") == "setsC")
    assert all(sets.region.overlaps(card.region) for card in last)


def _with_set(shot: Snapshot) -> Snapshot:
    attempt = shot.attempt
    assert attempt is not None
    card = attempt.cards[0]
    return replace(shot, attempt=replace(attempt, cards=(card,) * 3, outcome="set"))


@pytest.mark.parametrize(
    ("was", "now"),
    [
        pytest.param(START, replace(ONE, step=START.step + 2), id="steps were missed"),
        pytest.param(START, replace(ONE, game=2), id="another game"),
        pytest.param(ONE, ONE, id="nothing happened"),
        pytest.param(BACK, TWO, id="backwards"),
    ],
)
def test_what_would_explain_nothing_does_not_move(was: Snapshot, now: Snapshot) -> None:
    """Where the boards do not follow each other, the newer one is simply there."""
    assert between(was, now) is None


@SIZES
def test_only_cards_that_move_differ_from_the_truth(size: tuple[int, int]) -> None:
    """At every moment all else on the board is what it is at the end."""
    for was, now, most in ((START, ONE, 2), (TWO, BACK, 2)):
        motion = between(was, now, size)
        assert motion is not None
        after = laid(now, size)[1]
        for ms in range(0, LASTS_MS, 20):
            over = tuple(motion.over(after, ms))
            assert len({*after} - {*over}) <= most, ms
            assert len(flying(over)) == len(motion.flights)


class Clock:
    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


class Moving:
    """A table on a stage, whose clock stands until it is set."""

    def __init__(self, pilot: Pilot[Any], screen: TableScreen, clock: Clock) -> None:
        self.pilot, self.screen, self.clock = pilot, screen, clock
        self.play = screen.play

    @property
    def board(self) -> Board:
        return self.screen.query_one("#board", Board)

    @property
    def moves(self) -> int:
        return len(flying(self.board.items))

    async def show(self, shown: Snapshot | Model) -> None:
        self.screen.show(shown if isinstance(shown, Model) else model_of(shown))
        await self.pilot.pause()

    async def pass_ms(self, ms: int) -> None:
        self.clock.ms += ms
        self.board.frame()
        await self.pilot.pause()


@asynccontextmanager
async def moving(shot: Snapshot, *, motion: bool = True) -> AsyncIterator[Moving]:
    clock = Clock()
    screen = TableScreen(Recorder(model_of(shot)), now=clock, moves=lambda: motion)
    async with Stage(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        yield Moving(pilot, screen, clock)


async def test_motion_ends_by_itself() -> None:
    """After its time the board is what it would have been without."""
    async with moving(START) as at:
        await at.show(ONE)
        assert at.moves == 1
        await at.pass_ms(LASTS_MS // 2)
        assert at.moves == 1
        await at.pass_ms(LASTS_MS)
        assert at.moves == 0
        assert at.board.items == laid(ONE)[1]


async def test_a_newer_snapshot_ends_it_at_once() -> None:
    """What is true now waits for nothing that was still on its way."""
    async with moving(TWO) as at:
        await at.show(BACK)
        assert at.moves == 2
        await at.show(replace(BACK, step=BACK.step + 3, version=BACK.version + 3))
        assert at.moves == 0


async def test_the_words_do_not_wait() -> None:
    """While the cards are still under way, the prompt says already what it will say."""
    async with moving(START) as at:
        await at.show(ONE)
        assert "Find another" in screen_text(at.pilot)


async def test_no_key_waits_for_motion() -> None:
    """A card is aimed at and revealed while others move, with the newest step."""
    async with moving(TWO) as at:
        await at.show(BACK)
        await at.pilot.press("4", "4")
        assert at.moves == 2
        assert isinstance(at.play, Recorder)
        assert at.play.deeds == [("reveal", "c4", BACK.step)]


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(model_of(ONE, latency_ms=SLOW_MS + 1), id="a slow line"),
        pytest.param(model_of(ONE, connection="waiting"), id="no line"),
    ],
)
async def test_nothing_moves_where_it_would_be_late(model: Model) -> None:
    """Over a slow line, or out of touch, cards are where they are at once."""
    async with moving(START) as at:
        await at.show(model)
        assert at.moves == 0


async def test_without_motion_nothing_moves() -> None:
    """Whoever wants none gets none."""
    async with moving(START, motion=False) as at:
        await at.show(ONE)
        assert at.moves == 0


async def test_another_size_ends_it() -> None:
    """A resize lays everything anew, where it belongs."""
    async with moving(START) as at:
        await at.show(ONE)
        await at.pilot.resize_terminal(100, 30)
        await at.pilot.pause()
        assert at.moves == 0


@pytest.mark.parametrize(
    ("wishes", "setting", "moves"),
    [
        pytest.param({}, True, True, id="by itself"),
        pytest.param({}, False, False, id="the setting"),
        pytest.param({"NO_MOTION": "1"}, True, False, id="NO_MOTION"),
        pytest.param({"NO_MOTION": ""}, True, True, id="NO_MOTION that is empty"),
    ],
)
def test_who_wants_no_motion(
    wishes: dict[str, str],
    setting: bool,
    moves: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """The setting and the environment are asked each time a table is shown."""
    monkeypatch.delenv("NO_MOTION", raising=False)
    for name, value in wishes.items():
        monkeypatch.setenv(name, value)
    store = Store(Folders(tmp_path, tmp_path, tmp_path))
    store.remember(Settings(motion=setting))
    app = NanaApp(OpenScreen(), store)
    app.animation_level = "full"
    assert app.tuner.moves() is moves
    app.animation_level = "none"
    assert not app.tuner.moves()


@pytest.mark.parametrize(
    ("args", "motion"),
    [
        pytest.param(["play"], True, id="by itself"),
        pytest.param(["--no-motion", "play"], False, id="before the command"),
        pytest.param(["play", "--no-motion"], False, id="behind it"),
    ],
)
def test_the_command_line_asks_for_none(
    args: list[str], motion: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the option stands, the app hears of it."""
    heard: list[bool] = []

    def run_app(_start: object, *, motion: bool, **_others: object) -> int:
        heard.append(motion)
        return 0

    monkeypatch.setattr("nana_client.running.run_app", run_app)
    monkeypatch.setattr(cli, "wants_plain", lambda *_: False)
    assert cli.run(args) == 0
    assert heard == [motion]
