"""What follows by counting: how many cards of a number a place must, and can, hold.

A world puts every unlocated card into a place: the middle of a hand, within its
bounds and its size, or the dark slots. The places are filled number by number; what
has been filled so far is one bit of a large integer, so that all fillings go on
together by one shift and one OR. Going back from the full places in the same way
leaves, for each number, exactly the ways to share it out that belong to some world.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from itertools import accumulate, product
from operator import mul, or_
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge.sight import HandSight, Sight

Sharing: TypeAlias = tuple[int, ...]  # cards of one number that go into each middle


class Places(Struct, frozen=True):
    """Where the unlocated cards lie, and the layout of the integers that stand for fillings.

    A filling is a digit for each middle, the first one lowest. Each digit has room for the
    three cards of a number too many, or too few: they stay its own, and are masked out.
    """

    letters: tuple[str, ...]  # of the hands that have a middle
    sizes: tuple[int, ...]  # of the middles
    strides: tuple[int, ...]  # what one card in each middle adds to a filling
    rest: int  # cards that go elsewhere: the dark slots
    ways: tuple[tuple[Number, tuple[Sharing, ...]], ...]  # by number, those that fit by itself

    def filling(self, way: Sharing) -> int:
        return sum(map(mul, self.strides, way))


def places_of(sight: Sight, letters: tuple[str, ...] | None = None) -> Places:
    """Lay out the middles of these hands, or of all; every other unlocated card is the rest."""
    if letters is None:
        letters = tuple(letter for letter, hand in sight.hands.items() if hand.unknown)
    middles = [sight.hands[letter] for letter in letters]
    sizes = tuple(hand.unknown for hand in middles)
    rest = sum(sight.unlocated.values()) - sum(sizes)
    ways = tuple(
        (number, _sharings(count, tuple(_room(hand, number) for hand in middles), rest))
        for number, count in sight.unlocated.items()
        if count
    )
    strides = accumulate((size + 1 + COPIES for size in sizes), mul, initial=1)
    return Places(letters, sizes, tuple(strides)[:-1], rest, ways)


def _room(hand: HandSight, number: Number) -> int:
    return hand.unknown if hand.floor <= number <= hand.ceiling else 0


@lru_cache(maxsize=512)
def _sharings(count: int, rooms: Sharing, rest: int) -> tuple[Sharing, ...]:
    each = [range(min(room, count) + 1) for room in rooms]
    return tuple(way for way in product(*each) if 0 <= count - sum(way) <= rest)


@lru_cache(maxsize=256)
def fields(sizes: Sharing, width: int = 1) -> int:
    """Mask the fillings in which no middle is too full, each `width` bits wide."""
    mask, span = (1 << width) - 1, width
    for size in sizes:
        mask = sum(mask << (at * span) for at in range(size + 1))
        span *= size + 1 + COPIES
    return mask


def possible(places: Places) -> Iterator[tuple[Number, tuple[Sharing, ...]]]:
    """Say of each unlocated number in which ways its cards lie in some world that fits."""
    fits = fields(places.sizes)
    moved = [[(way, places.filling(way)) for way in ways] for _, ways in places.ways]
    reached = [1]
    for options in moved:
        reached.append(_all(reached[-1] << shift for _, shift in options) & fits)
    wanted = 1 << places.filling(places.sizes)
    if not reached[-1] & wanted:
        raise AssertionError("no world fits what is known")
    for (number, _), options, before in reversed([*zip(places.ways, moved, reached, strict=False)]):
        yield number, tuple(way for way, shift in options if (before << shift) & wanted)
        wanted = _all(wanted >> shift for _, shift in options) & fits


def _all(fillings: Iterable[int]) -> int:
    return reduce(or_, fillings, 0)


def settled(sight: Sight) -> Sight:
    """Add what only follows by counting: each run goes on as far as all worlds agree."""
    if not any(sight.unlocated.values()):
        return sight
    places = places_of(sight)
    least: dict[Number, Sharing] = {}
    most: dict[Number, Sharing] = {}
    slots = dict.fromkeys(sight.unlocated, 0)
    for number, ways in possible(places):
        least[number] = tuple(map(min, zip(*ways, strict=True)))
        most[number] = tuple(map(max, zip(*ways, strict=True)))
        slots[number] = sight.unlocated[number] - max(map(sum, ways))
    hands = dict(sight.hands)
    for at, letter in enumerate(places.letters):
        bounds = [(n, least[n][at], most[n][at]) for n in sorted(least)]
        hands[letter] = _longer(hands[letter], _sure(bounds), _sure(reversed(bounds)))
    known = {
        slot: number
        for number, count in slots.items()
        if count and count == places.rest
        for slot in sight.dark_slots
    }
    return _with(sight, hands, known)


def _sure(inward: Iterable[tuple[Number, int, int]]) -> Cards:
    """Go inward from an end of a middle for as long as the next card is certain."""
    run: list[Number] = []
    for number, least, most in inward:
        run += [number] * least
        if least < most:
            break
    return tuple(run)


def _longer(hand: HandSight, low: Cards, high: Cards) -> HandSight:
    if len(low) == hand.unknown:
        whole = (*hand.low, *low, *hand.high[::-1])
        return replace(hand, low=whole, high=whole[::-1], unknown=0)
    unknown = hand.unknown - len(low) - len(high)
    return replace(hand, low=hand.low + low, high=hand.high + high, unknown=unknown)


def _with(sight: Sight, hands: dict[str, HandSight], slots: dict[str, Number]) -> Sight:
    """Return the sight with what was found, which then is unlocated no more."""
    left = dict(sight.unlocated)
    for number in slots.values():
        left[number] -= 1
    for letter, hand in hands.items():
        for number in (Counter(hand.located) - Counter(sight.hands[letter].located)).elements():
            left[number] -= 1
    return replace(
        sight,
        known_slots=sight.known_slots | slots,
        dark_slots=() if slots else sight.dark_slots,
        hands=hands,
        unlocated=left,
    )
