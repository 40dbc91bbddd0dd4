"""How likely each number lies where nothing certain is known.

The unlocated cards are spread over the unknown places (the unseen slots together,
and the middle of each hand) so that every number and every place comes out right
and no card lies outside a hand's bounds: proportional fitting from an even start.
The ends of a hand then follow from its being sorted. An estimate, not the exact
posterior: it treats the cards of a hand as independent of each other.
"""

from typing import Final

from msgspec import Struct

from nana_core.deck import Number
from nana_core.knowledge import HandSight, Sight

CENTER: Final = "center"  # the place of all unseen slots
_ROUNDS: Final = 24
_CLOSE: Final = 0.02
_NOTHING: Final = 1e-9

Share = dict[Number, float]


class Odds(Struct, frozen=True):
    shares: dict[str, Share]  # by place, by number: chance that one unlocated card of it is there
    ends: dict[str, Share]  # by hand end such as "b<": chance that its unknown outermost card is it


def odds_of(sight: Sight) -> Odds:
    """Estimate the chances; hands that are known to the last card take no part."""
    middles = {
        letter: hand
        for letter, hand in sight.hands.items()
        if hand.unknown and letter != sight.seat
    }
    shares = _spread(sight, middles)
    ends: dict[str, Share] = {}
    for letter, hand in middles.items():
        numbers = sorted(number for number in shares[letter] if sight.unlocated[number])
        for end, inward in (("<", numbers), (">", numbers[::-1])):
            ends[letter.lower() + end] = _outermost(
                inward, hand.unknown, shares[letter], sight.unlocated
            )
    return Odds(shares, ends)


def _spread(sight: Sight, middles: dict[str, HandSight]) -> dict[str, Share]:
    """Return by place and number the chance that an unlocated card of the number is there."""
    sizes = {letter: hand.unknown for letter, hand in middles.items()}
    expected: dict[str, Share] = {
        letter: {
            number: float(count)
            for number, count in sight.unlocated.items()
            if count > 0 and hand.floor <= number <= hand.ceiling
        }
        for letter, hand in middles.items()
    }
    if sight.dark_slots:
        sizes[CENTER] = len(sight.dark_slots)
        expected[CENTER] = {n: float(count) for n, count in sight.unlocated.items() if count > 0}
    for _ in range(_ROUNDS):
        worst = max((_scale(there, sizes[place]) for place, there in expected.items()), default=0.0)
        _scale_numbers(expected, sight.unlocated)
        if worst < _CLOSE:
            break
    return {
        place: {number: cards / sight.unlocated[number] for number, cards in there.items()}
        for place, there in expected.items()
    }


def _scale(cards: Share, total: int) -> float:
    """Make a place hold its number of cards; return by which part it was wrong."""
    factor = total / (sum(cards.values()) or _NOTHING)
    for number in cards:
        cards[number] *= factor
    return abs(factor - 1)


def _scale_numbers(expected: dict[str, Share], unlocated: dict[Number, int]) -> None:
    totals: Share = dict.fromkeys(unlocated, 0.0)
    for cards in expected.values():
        for number, count in cards.items():
            totals[number] += count
    for cards in expected.values():
        for number in cards:
            cards[number] *= unlocated[number] / (totals[number] or _NOTHING)


def _outermost(
    inward: list[Number], cards: int, share: Share, unlocated: dict[Number, int]
) -> Share:
    """Chance of each number to be the first met, going inward from one end."""
    chances: Share = {}
    none_so_far = 1.0
    further_in = sum(unlocated[number] for number in inward)
    for number in inward:
        further_in -= unlocated[number]
        none_here = (1 - min(share[number], 1.0)) ** unlocated[number]
        if further_in < cards:  # the rest cannot fill the hand alone
            none_here = 0.0
        chances[number] = none_so_far * (1 - none_here)
        none_so_far *= none_here
    return chances
