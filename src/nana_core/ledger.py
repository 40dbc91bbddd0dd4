"""The public memory of a game: what everyone has seen, and where it went back to.

Kept for tables that play with open memory, and by players who forget nothing.
A slot keeps its card, so a slot once seen stays known until it is collected. A
hand is sorted, so a card seen in it is known to be in it, not where: the ledger
counts, per hand, the most cards of a number that are surely there.
"""

from collections import Counter

from msgspec import Struct

from nana_core.actions import CenterSlot, HandEnd
from nana_core.deck import Cards, Deal
from nana_core.game import Attempt, put


class Ledger(Struct, frozen=True):
    """What was seen where; nothing in it is hidden from anyone."""

    center: tuple[int | None, ...]  # by slot: the number seen there, None where unseen or gone
    hands: tuple[Cards, ...]  # by seat: numbers surely in the hand, sorted


def blank(players: int, slots: int) -> Ledger:
    return Ledger(center=(None,) * slots, hands=((),) * players)


def blank_for(deal: Deal) -> Ledger:
    return blank(len(deal.hands), len(deal.center))


def remember(ledger: Ledger, attempt: Attempt) -> Ledger:
    """Add an ended attempt."""
    if attempt.outcome == "set":
        return _forget(ledger, attempt)
    center, hands = ledger.center, ledger.hands
    returned: dict[int, Counter[int]] = {}
    for card in attempt.cards:
        match card.source:
            case CenterSlot(slot):
                center = put(center, slot - 1, card.number)
            case HandEnd(owner, _):
                returned.setdefault(owner, Counter())[card.number] += 1
    for owner, seen in returned.items():
        known = Counter(hands[owner]) | seen  # the larger count of each number
        hands = put(hands, owner, tuple(sorted(known.elements())))
    return Ledger(center, hands)


def _forget(ledger: Ledger, attempt: Attempt) -> Ledger:
    """Drop a collected number: all three of its cards have left play."""
    number = attempt.cards[0].number
    return Ledger(
        center=tuple(None if seen == number else seen for seen in ledger.center),
        hands=tuple(tuple(seen for seen in hand if seen != number) for hand in ledger.hands),
    )
