"""Which sets a seat could take now, for sure, if it thought of everything it can know."""

from itertools import takewhile

from nana_core.deck import COPIES, Number
from nana_core.knowledge.counting import settled
from nana_core.knowledge.sight import HandSight, Sight


def deducible(sight: Sight) -> dict[Number, tuple[str, ...]]:
    """Find the sets that can surely be completed in this turn, and the sources that do it.

    In an attempt that has begun, only its number counts, and only what is still needed.
    The sources may be revealed in any order that keeps those of one hand end together.
    """
    sight = settled(sight)
    found: dict[Number, tuple[str, ...]] = {}
    for number in sight.unlocated if sight.number is None else (sight.number,):
        need = COPIES - sight.matched
        sources = showing(sight, number)
        if len(sources) >= need:
            found[number] = sources[:need]
    return found


def showing(sight: Sight, number: Number) -> tuple[str, ...]:
    """List the sources that surely show the number, a hand end once for each card in a row."""
    sources = [slot for slot, known in sight.known_slots.items() if known == number]
    for letter, hand in sight.hands.items():
        sources += _ends(letter.lower(), hand, number)
    return tuple(sources)


def _ends(owner: str, hand: HandSight, number: Number) -> list[str]:
    low = sum(1 for _ in takewhile(number.__eq__, hand.low))
    high = sum(1 for _ in takewhile(number.__eq__, hand.high))
    high = min(high, hand.cards - low)  # the two must not take the same card
    return [owner + "<"] * low + [owner + ">"] * high
