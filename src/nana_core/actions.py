"""What a seat can do, where a card can come from, and why an action is refused."""

from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct

from nana_core.deck import Seat

End: TypeAlias = Literal["low", "high"]


class CenterSlot(Struct, frozen=True, tag="slot"):
    """A face-down card of the center, by the number of its slot (from 1)."""

    slot: int


class HandEnd(Struct, frozen=True, tag="end"):
    """The lowest or the highest card still in a seat's hand."""

    owner: Seat
    end: End


Source: TypeAlias = CenterSlot | HandEnd


class Reveal(Struct, frozen=True):
    """Turn one card over."""

    source: Source


class Continue(Struct, frozen=True):
    """End the showing of the last attempt and begin one's own."""


Action: TypeAlias = Reveal | Continue


class Refusal(StrEnum):
    """Why an action is illegal now. Malformed and stale are not refusals of the rules."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    CONTINUE_FIRST = "continue_first"
    NOTHING_TO_CONTINUE = "nothing_to_continue"
    NO_SUCH_SLOT = "no_such_slot"
    SLOT_GONE = "slot_gone"
    SLOT_OPEN = "slot_open"
    NO_SUCH_SEAT = "no_such_seat"
    EMPTY_HAND = "empty_hand"


class Refused(Exception):  # noqa: N818 - the game's word for it
    """An action was refused; nothing changed."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.value)
        self.why = why
