"""The moment after a game: nobody who hammers a key starts the next one without seeing the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from client.scenes import finished, model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text, stage_of
from nana_client.breath import SEEN_MS, STILL_MS, Breath, between, pressed, seen
from nana_client.model import Model
from nana_client.screens.help import HelpScreen
from nana_client.screens.table import TableScreen
from nana_client.widgets.sheet import Sheet, Words
from nana_core.protocol.outbound import Snapshot

BOTS: Final[dict[str, dict[str, Any]]] = {
    "A": {"ready": False},
    "B": {"kind": "bot"},
}  # Enter deals at once
OVER: Final = replace(snapshot_of(finished(3), seats=BOTS, version=90), watching=())
PLAYING: Final = snapshot_of(played(3), seats=BOTS)
LOST: Final = snapshot_of(finished(3, 1), version=90)
WATCHED: Final = snapshot_of(finished(3), None, version=90)
AGAIN: Final = [("rematch", True), ("start",)]
LOOK: Final = "look how it ended"


class Ending:
    """A table on a stage, whose clock stands until it is set."""

    def __init__(self, pilot: Pilot[Any], screen: TableScreen, clock: list[int]) -> None:
        self.pilot, self.screen, self._clock = pilot, screen, clock

    @property
    def deeds(self) -> list[tuple[Any, ...]]:
        assert isinstance(self.screen.play, Recorder)
        return self.screen.play.deeds

    @property
    def wishes(self) -> list[str]:
        return stage_of(self.pilot).wishes

    @property
    def text(self) -> str:
        return screen_text(self.pilot)

    async def show(self, shown: Snapshot | Model) -> None:
        model = shown if isinstance(shown, Model) else model_of(shown)
        assert isinstance(self.screen.play, Recorder)
        self.screen.play.model = model
        self.screen.show(model)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def passes(self, ms: int) -> None:
        self._clock[0] += ms
        self.screen.tick()
        await self.pilot.pause()


@asynccontextmanager
async def table(
    first: Snapshot, *, breath: Breath | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Ending]:
    clock = [5_000]
    screen = TableScreen(Recorder(model_of(first)), now=lambda: clock[0], breath=breath)
    async with Stage(screen).run_test(size=size) as pilot:
        await pilot.pause()
        yield Ending(pilot, screen, clock)


@pytest.mark.parametrize("key", ["enter", "r", "o", "s", "left", "right", "escape"])
async def test_a_key_for_the_game_does_not_take_its_end_away(key: str) -> None:
    """Pressed as the last card turns it does nothing, and is said to be too early."""
    async with table(PLAYING) as at:
        await at.show(OVER)
        assert LOOK in at.text
        assert "play again" not in at.text
        await at.press(key)
        assert (at.deeds, at.wishes) == ([], [])
        assert "too early: look how it ended" in at.text
        assert "YOU WIN" in at.text


async def test_a_key_that_waited_for_the_same_moment_does_nothing() -> None:
    """The end is told and the key comes before anything of it could be drawn."""
    async with table(PLAYING) as at:
        model = model_of(OVER)
        assert isinstance(at.screen.play, Recorder)
        at.screen.play.model = model
        at.screen.show(model)
        at.screen.press("deal")
        await at.passes(10 * SEEN_MS)
        assert at.deeds == []


@pytest.mark.parametrize("shot", [OVER, LOST, WATCHED], ids=["won", "lost", "watched"])
@pytest.mark.parametrize("size", [(80, 24), (44, 13), (140, 40), (40, 10)])
async def test_the_keys_are_named_when_they_count(shot: Snapshot, size: tuple[int, int]) -> None:
    """For a moment the prompt says to look; then it names the keys, and they do what it says."""
    async with table(replace(PLAYING, you=shot.you), size=size) as at:
        await at.show(shot)
        for passed in (0, SEEN_MS - 1):
            await at.passes(passed)
            assert LOOK in at.text
        await at.passes(1)
        assert LOOK not in at.text
        key = "s" if shot is WATCHED else "r"
        await at.press(key)
        assert len(at.deeds) == 1


async def test_enter_plays_again_when_it_was_seen() -> None:
    """After the moment one Enter is enough, as the prompt says."""
    async with table(PLAYING) as at:
        await at.show(OVER)
        await at.passes(SEEN_MS)
        assert "r or Enter play again" in at.text
        await at.press("enter")
        assert at.deeds == AGAIN


async def test_a_key_that_is_held_down_never_deals() -> None:
    """As long as it repeats the keys rest; let go and pressed anew, it counts."""
    async with table(PLAYING) as at:
        await at.show(OVER)
        for _ in range(3 * SEEN_MS // 300):
            await at.press("enter")
            await at.passes(300)
        assert at.deeds == []
        await at.passes(STILL_MS)
        await at.press("enter")
        assert at.deeds == AGAIN


async def test_what_changes_afterwards_begins_no_new_moment() -> None:
    """Others who are ready, or a line that was gone, make nobody wait again."""
    async with table(PLAYING) as at:
        await at.show(OVER)
        await at.passes(SEEN_MS)
        await at.show(model_of(OVER, connection="waiting"))
        await at.show(replace(OVER, version=91, watching=("Wanda",)))
        await at.press("enter")
        assert at.deeds == [("rematch", True)]


async def test_an_end_that_something_lies_over_is_not_seen() -> None:
    """Who reads the rules meanwhile sees the end first; the time begins when they are closed."""
    async with table(PLAYING) as at:
        at.pilot.app.push_screen(HelpScreen())
        await at.pilot.pause()
        await at.show(OVER)
        await at.passes(10 * SEEN_MS)
        at.pilot.app.pop_screen()
        await at.pilot.pause()
        await at.press("enter")
        assert at.deeds == []
        await at.passes(SEEN_MS)
        await at.press("enter")
        assert at.deeds == AGAIN


async def test_who_comes_to_an_end_sees_it_first() -> None:
    """The Enter that led to a table is not the one that plays again there."""
    async with table(OVER, breath=Breath()) as at:
        await at.press("enter")
        assert at.deeds == []
        await at.passes(SEEN_MS)
        await at.press("enter")
        assert at.deeds == AGAIN


async def test_a_click_where_another_key_was_named_does_nothing() -> None:
    """Nothing in the prompt can be clicked while its keys rest."""
    async with table(PLAYING) as at:
        await at.show(OVER)
        words = [item for item in at.screen.query_one("#prompt", Sheet).items if item.y == 1]
        assert words
        assert all(isinstance(item, Words) and item.press is None for item in words)
        for what in ("again|deal", "again", "deal"):
            at.screen.press(what.partition("|")[0])
        assert at.deeds == []


async def test_the_next_game_needs_no_moment() -> None:
    """Keys that play count at once: nothing of the last game's end is left."""
    async with table(PLAYING) as at:
        await at.show(OVER)
        shot = replace(PLAYING, game=OVER.game + 1, version=95)
        await at.show(shot)
        await at.press("4", "4")
        assert at.deeds == [("reveal", "c4", shot.step)]


def test_a_breath_is_pure() -> None:
    """It begins when a game ends, lasts from when that is seen, and longer for who hammers."""
    assert between(None, PLAYING, PLAYING) is None
    assert between(None, OVER, OVER) is None
    for before in (None, PLAYING, replace(OVER, game=OVER.game - 1)):
        assert between(None, before, OVER) == Breath()
    assert between(Breath(7), OVER, PLAYING) is None
    assert not Breath().is_over(10**9)
    begun = seen(Breath(), 100)
    assert seen(begun, 900) == begun
    assert [begun.is_over(at) for at in (100 + SEEN_MS - 1, 100 + SEEN_MS)] == [False, True]
    assert pressed(begun, 100) == Breath(begun.until, early=True)
    assert pressed(begun, 100 + SEEN_MS - 1).until == 100 + SEEN_MS - 1 + STILL_MS
    assert pressed(Breath(), 100) == Breath(None, early=True)
