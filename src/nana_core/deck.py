"""The deck: which numbers are in play, how many cards go where, and a deal.

Owns the sizes of the rulebook's table. A deal here is given, never drawn: how
one is derived from seeds is `fair`'s business.
"""

from collections import Counter
from typing import Final, TypeAlias

from msgspec import Struct

Seat: TypeAlias = int  # 0 is seat A, 1 is seat B, ... clockwise
Number: TypeAlias = int  # what is printed on a card, 1-12
Cards: TypeAlias = tuple[Number, ...]

LETTERS: Final = "ABCDE"
COPIES: Final = 3
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 5


class Size(Struct, frozen=True):
    """What a number of players plays with."""

    top: Number  # numbers 1..top are in play
    hand: int  # cards dealt to each seat
    center: int  # slots in the center


SIZES: Final = {
    2: Size(top=10, hand=10, center=10),
    3: Size(top=11, hand=8, center=9),
    4: Size(top=12, hand=7, center=8),
    5: Size(top=12, hand=6, center=6),
}


class Deal(Struct, frozen=True):
    """Where every card lies at the start, and who begins."""

    hands: tuple[Cards, ...]  # by seat, each sorted from low to high
    center: Cards  # slot 1 first
    first: Seat


def full_deck(players: int) -> list[Number]:
    """Return the unshuffled deck: 1, 1, 1, 2, 2, 2, ..."""
    return [number for number in range(1, SIZES[players].top + 1) for _ in range(COPIES)]


def deal_out(deck: list[Number], players: int, first: Seat) -> Deal:
    """Deal a shuffled deck: the hands in seat order, then the center from slot 1."""
    hand = SIZES[players].hand
    dealt = players * hand
    hands = tuple(tuple(sorted(deck[at : at + hand])) for at in range(0, dealt, hand))
    return Deal(hands=hands, center=tuple(deck[dealt:]), first=first)


def flaw(deal: Deal) -> str | None:
    """Say what makes this deal impossible, or None when it is a deal of the game."""
    players = len(deal.hands)
    if players not in SIZES:
        return f"{players} hands; the game is for {MIN_PLAYERS}-{MAX_PLAYERS}"
    size = SIZES[players]
    if any(len(hand) != size.hand for hand in deal.hands):
        return f"a hand does not have {size.hand} cards"
    if any(tuple(sorted(hand)) != hand for hand in deal.hands):
        return "a hand is not sorted"
    if len(deal.center) != size.center:
        return f"the center does not have {size.center} cards"
    if not 0 <= deal.first < players:
        return "the first seat does not exist"
    cards = Counter(deal.center)
    for hand in deal.hands:
        cards.update(hand)
    if cards != Counter(full_deck(players)):
        return "the cards are not three of each number"
    return None
