"""The board: everything between the title and the prompt, put together from its parts.

It may let cards move from what it showed to what is true now; see `motion`.
"""

from collections.abc import Callable, Iterator

from msgspec.structs import replace
from textual.timer import Timer

from nana_client.layout import Plan, Rect
from nana_client.motion import FRAME_MS, LASTS_MS, Motion, motion_between
from nana_client.sight import Sight
from nana_client.widgets.attempt import attempt_items
from nana_client.widgets.center import center_items
from nana_client.widgets.felt import felt_items
from nana_client.widgets.hand import hand_items
from nana_client.widgets.opponent import seat_items
from nana_client.widgets.sheet import Item, Patch, Sheet, shifted


def still() -> bool:
    """Let nothing move."""
    return False


class Board(Sheet):
    """Shows a table; what has changed since the last time may be seen to move."""

    def __init__(self, now: Callable[[], int], moves: Callable[[], bool] = still) -> None:
        """`now` is our monotonic clock, in milliseconds; `moves` tells whether anything may."""
        super().__init__(id="board")
        self._now, self._moves = now, moves
        self._shown: tuple[Sight, Plan] | None = None
        self._laid: tuple[Item, ...] = ()
        self._motion: Motion | None = None
        self._began = 0
        self._frames: Timer | None = None

    def show(
        self, sight: Sight, plan: Plan, *, fade: bool = False, late: bool = False
    ) -> tuple[Item, ...]:
        """Show what is true now, at once where that is late; return what was laid."""
        items = tuple(board_items(sight, plan))
        last, self._shown = self._shown, (sight, plan)
        if fade or late or not self._moves() or last is None or last[1] != plan:
            self._motion = None
        elif last[0].snapshot.step != sight.snapshot.step:
            self._motion = motion_between((last[0], self._laid), (sight, items))
            self._began = self._now()
        self._laid = items
        self._draw(fade=fade)
        return items

    def frame(self) -> None:
        """Show where what moves is by now."""
        self._draw()

    def _draw(self, *, fade: bool = False) -> None:
        passed = self._now() - self._began if self._motion is not None else 0
        if self._motion is None or passed >= LASTS_MS:
            self._motion = None
            self.lay(self._laid, fade=fade)
        else:
            self.lay(self._motion.over(self._laid, passed), fade=fade)
        self._tick()

    def _tick(self) -> None:
        """Ask for frames while something moves, and for none else."""
        if self._motion is not None and self._frames is None:
            self._frames = self.set_interval(FRAME_MS / 1000, self.frame)
        elif self._motion is None and self._frames is not None:
            self._frames.stop()
            self._frames = None


def board_items(sight: Sight, plan: Plan) -> Iterator[Item]:
    """Lay out the table of one viewer, in the places of the plan's board."""
    board = plan.board
    for rect, items in _parts(sight, plan):
        for item in shifted(items, rect.x - board.x, rect.y - board.y):
            yield _grounded(item, plan.felt, board)


def _grounded(item: Item, felt: Rect | None, board: Rect) -> Item:
    """Put what lies on the table on its ground."""
    if felt is None or isinstance(item, Patch) or item.ground is not None:
        return item
    on_it = felt.y <= item.y + board.y < felt.bottom
    return replace(item, ground="felt") if on_it else item


def _parts(sight: Sight, plan: Plan) -> Iterator[tuple[Rect, Iterator[Item]]]:
    """Return the parts from the lowest layer to the highest."""
    yield Rect(0, 0, 0, 0), felt_items(sight, plan)
    yield plan.center, center_items(sight, plan)
    yield plan.attempt, attempt_items(sight, plan)
    for seat, rect in zip(sight.others, plan.seats, strict=True):
        yield rect, seat_items(sight, seat, plan, rect)
    if plan.hand is not None:
        yield plan.hand, hand_items(sight, plan)
