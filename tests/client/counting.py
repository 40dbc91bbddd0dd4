"""A terminal that counts: what an app would write to a real one, without one."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec.structs import replace
from rich.color import ColorSystem
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from client.scenes import model_of
from client.stage import Recorder, Stage
from nana_client.motion import FRAME_MS, LASTS_MS
from nana_client.screens.table import TableScreen
from nana_client.widgets.board import Board
from nana_client.widgets.card import Face
from nana_client.widgets.sheet import Card
from nana_core.protocol.outbound import Snapshot


class CountingDriver(HeadlessDriver):
    """Takes all that is written, in true colours."""

    written = ""  # since it was last looked at
    everything = ""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.written += data
        self.everything += data


class Counted:
    """A table whose writing is counted; its clock stands until it is set."""

    def __init__(self, pilot: Pilot[None], screen: TableScreen, clock: list[int]) -> None:
        self.pilot, self.screen, self._clock = pilot, screen, clock

    @property
    def board(self) -> Board:
        return self.screen.query_one("#board", Board)

    @property
    def everything(self) -> str:
        """All that was ever written."""
        driver = self.pilot.app._driver
        assert isinstance(driver, CountingDriver)
        return driver.everything

    async def bytes_of(self, deed: Callable[[], object]) -> int:
        """Return how many bytes a deed makes the app write."""
        await self.pilot.pause()
        driver = self.pilot.app._driver
        assert isinstance(driver, CountingDriver)
        driver.written = ""
        deed()
        for _ in range(3):  # through the widget's queue, the screen's, and the app's
            await self.pilot.pause()
        self.screen._on_timer_update()  # the next frame, now
        return len(driver.written.encode())

    async def card(self, name: str, face: Face) -> int:
        """Return what it takes to show another face of one card, and nothing else."""
        board = self.board
        cards = [item for item in board.items if isinstance(item, Card) and item.name == name]
        assert len(cards) == 1, (name, cards)
        changed = [replace(i, face=face) if i is cards[0] else i for i in board.items]
        return await self.bytes_of(lambda: board.lay(changed))

    async def shown(self, snapshot: Snapshot) -> int:
        """Return what it takes to show another snapshot, with everything that it changes."""
        return await self.bytes_of(lambda: self.screen.show(model_of(snapshot)))

    async def frames(self) -> list[int]:
        """Return what each frame of the motion takes that has begun."""
        return [await self.frame() for _ in range(0, LASTS_MS, FRAME_MS)]

    async def frame(self) -> int:
        """Return what the next frame takes."""
        return await self.bytes_of(self._next_frame)

    def _next_frame(self) -> None:
        self._clock[0] += FRAME_MS
        self.board.frame()


@asynccontextmanager
async def counted(
    shot: Snapshot, size: tuple[int, int], *, motion: bool = False
) -> AsyncIterator[Counted]:
    """Show a table on a counting terminal."""
    clock = [0]
    screen = TableScreen(Recorder(model_of(shot)), now=lambda: clock[0], moves=lambda: motion)
    stage = Stage(screen)
    stage.driver_class = CountingDriver
    stage.console._color_system = ColorSystem.TRUECOLOR
    async with stage.run_test(headless=False, size=size) as pilot:
        await pilot.pause()
        yield Counted(pilot, screen, clock)
