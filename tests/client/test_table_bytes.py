"""What goes to the terminal: a changed card writes itself, and not the screen."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from msgspec.structs import replace

from client.counting import CountingDriver, counted
from client.scenes import played, snapshot_of
from client.stage import Stage, screen_text
from core.test_record import GOOD
from nana_client.replay_tape import Tape
from nana_client.screens.replay import ReplayScreen
from nana_client.widgets.card import Face

LIMIT: Final = 1000
START: Final = snapshot_of(played(4))
MISSED: Final = replace(snapshot_of(played(4, "c2 b<", first=3)), step=100)
BACK: Final = replace(snapshot_of(played(4, "c2 b< .", first=3)), step=101)
SIZES: Final = pytest.mark.parametrize("size", [(44, 13), (80, 24), (100, 30), (140, 40)])


@SIZES
async def test_one_changed_card_writes_less_than_a_kilobyte(size: tuple[int, int]) -> None:
    """A slot, the end of another hand, of one's own, a card of the attempt: in true colours."""
    async with counted(START, size) as at:
        names = {item.name for item in at.board.items if item.press}
        low = "b@0" if "b@0" in names else "b<"
        for name in ("c1", low, "a@0", "place0"):
            for face in (Face("up", 12, mark="odd"), Face("back", key="5", live=True)):
                assert 0 < await at.card(name, face) < LIMIT, name


@SIZES
@pytest.mark.parametrize("source", ["c1", "b>", "a<"])
async def test_no_frame_of_motion_writes_more(source: str, size: tuple[int, int]) -> None:
    """Each frame costs less than a kilobyte for each card that moves: a slot turns, too."""
    now = replace(snapshot_of(played(4, source)), step=START.step + 1)
    async with counted(START, size, motion=True) as at:
        await at.shown(now)
        frames = await at.frames()
        assert any(frames)
        assert max(frames) < LIMIT * (2 if source == "c1" else 1)


async def test_cards_that_go_back_write_little_each() -> None:
    """Two cards on their way at once write less than twice as much as one may."""
    async with counted(MISSED, (80, 24), motion=True) as at:
        await at.shown(BACK)
        assert max(await at.frames()) < 2 * LIMIT


async def test_a_reveal_does_not_write_the_screen() -> None:
    """All that a reveal changes together is a small part of what the screen takes."""
    now = replace(snapshot_of(played(4, "c1")), step=START.step + 1)
    async with counted(START, (80, 24)) as at:
        whole = await at.bytes_of(at.screen.refresh)
        assert await at.shown(now) < whole / 4


ACTIONS: Final = ["c1", "b>", ".", "c2", "b<", ".", "c3", "c>", ".", "d<", "a>"]
ESCAPES: Final = re.compile(r"\x1b\[(?:(\d+);(\d+)H|[\d;?$]*[a-zA-Z])|(\n)|([^\x1b\n])")


def positions() -> Iterator[str]:
    """Yield a game, action by action."""
    for many in range(1, len(ACTIONS) + 1):
        yield " ".join(ACTIONS[:many])


def on_terminal(written: str, width: int, height: int) -> str:
    """Return what stands on a terminal after all that was written."""
    grid = [[" "] * width for _ in range(height)]
    x = y = 0
    for row, column, line, char in ESCAPES.findall(written):
        if row:
            y, x = int(row) - 1, int(column) - 1
        elif line:
            y, x = y + 1, 0
        elif char:
            grid[y][x] = char
            x += 1
    return "\n".join("".join(line) for line in grid)


@pytest.mark.parametrize("motion", [False, True])
@pytest.mark.parametrize("size", [(44, 13), (100, 30)])
async def test_what_was_written_is_what_is_to_be_seen(size: tuple[int, int], motion: bool) -> None:
    """Through a whole run of changes, nothing is left over and nothing is missing."""
    async with counted(START, size, motion=motion) as at:
        for step, actions in enumerate(positions(), start=START.step + 1):
            await at.shown(replace(snapshot_of(played(4, actions)), step=step, version=step))
            for _ in range(3 if motion else 1):
                assert on_terminal(at.everything, *size) == screen_text(at.pilot), actions
                await at.frame()


async def test_a_replay_writes_what_is_to_be_seen() -> None:
    """Stepped through, a recorded game writes what changes and leaves nothing over."""
    stage = Stage(ReplayScreen(Tape(GOOD)))
    stage.driver_class = CountingDriver
    async with stage.run_test(headless=False, size=(80, 24)) as pilot:
        await pilot.pause()
        for key in ("right", "right", "right", "end", "left", "home"):
            await pilot.press(key)
            for _ in range(3):
                await pilot.pause()
            stage.first._on_timer_update()
            driver = stage._driver
            assert isinstance(driver, CountingDriver)
            assert on_terminal(driver.everything, 80, 24) == screen_text(pilot), key


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_aiming_writes_what_is_to_be_seen(size: tuple[int, int]) -> None:
    """A fan that turns over to show its lowest, and back, leaves nothing of how it lay."""
    async with counted(START, size) as at:
        for key in ("b", "B", "b", "c", "b", "escape"):
            await at.pilot.press(key)
            await at.bytes_of(lambda: None)
            assert on_terminal(at.everything, *size) == screen_text(at.pilot), key
