"""What a layout of the table is: places, densities, and how wide talk beside it is.

`planning` makes one for a terminal's size; widgets draw into its places.
"""

from typing import Final

from msgspec import Struct

from nana_client.widgets.card import FAN, HUGE, LARGE, SMALL, TINY, Size

TALK_WIDTH: Final = 36
_TALK_WIDTH_MOST: Final = 46
BESIDE: Final = 82  # columns a table wants before talk may stand beside it
BESIDE_HEIGHT: Final = 20


class Rect(Struct, frozen=True):
    """A region of the screen, in cells."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height


class Density(Struct, frozen=True):
    """How large the cards of each region are. A seat without a size is told in one line."""

    name: str
    seat: Size | None
    center: Size
    attempt: Size
    hand: Size
    air: int = 0  # empty rows without which the next density is the better one
    log: int = 0  # rows that the log has at least
    rim: bool = True  # the middle lies inside a drawn table, between the seats and the hand
    stacked: bool = False  # the attempt stands under the center, not beside it


DENSITIES: Final = (
    Density("vast", HUGE, HUGE, HUGE, HUGE, air=4, log=2),
    Density("grand", LARGE, HUGE, HUGE, HUGE, air=3, log=2),
    Density("large", LARGE, HUGE, HUGE, LARGE, air=3, log=2),
    Density("broad", LARGE, LARGE, LARGE, LARGE, air=4, log=2),
    Density("wide", FAN, LARGE, LARGE, LARGE, air=2, log=1),
    Density("tower", FAN, LARGE, LARGE, LARGE, air=1, log=1, stacked=True),
    Density("roomy", FAN, SMALL, LARGE, LARGE, air=1, log=1),
    Density("normal", FAN, SMALL, LARGE, SMALL, air=1, log=1),
    Density("close", FAN, SMALL, LARGE, SMALL, air=1),
    Density("high", FAN, SMALL, LARGE, SMALL, air=1, log=1, stacked=True),
    Density("tall", None, SMALL, LARGE, SMALL, air=1, log=1, stacked=True),
    Density("snug", None, SMALL, SMALL, SMALL, air=1, log=1),
    Density("tight", None, TINY, TINY, SMALL, air=1, rim=False, stacked=True),
    Density("compact", None, TINY, TINY, TINY, rim=False, stacked=True),
)


class Plan(Struct, frozen=True, kw_only=True):
    """The places of one table. Cards of a seat and of the hand advance by their step."""

    density: Density
    title: Rect
    felt: Rect | None  # the table's rim and what it holds; seats and hand lie on its edges
    seats: tuple[Rect, ...]
    seat_card: Size | None
    seat_step: int
    center: Rect
    columns: int  # of the center's slots
    attempt: Rect
    hand: Rect | None
    hand_step: int
    prompt: Rect
    log: Rect | None
    footer: Rect
    talk: Rect | None  # beside the table, when there is room

    @property
    def board(self) -> Rect:
        """Everything between the title and the prompt."""
        return Rect(0, self.title.bottom, self.prompt.width, self.prompt.y - self.title.bottom)


def talk_width(width: int) -> int:
    """Return how wide talk beside the table is on a screen of this width."""
    return max(TALK_WIDTH, min(_TALK_WIDTH_MOST, width // 4))
