"""How probable each world is that fits what a seat knows: counted exactly, drawn evenly.

All shuffles of the deck are alike, so a world weighs as many as lead to it. The fillings
of `counting` are counted here: a field of a large integer for each, so that one shift and
one addition put a card into a middle of all fillings at once. Drawing goes back from the
full places, number by number, by those counts. A hand of which nothing is known is like
dark slots: what goes there is dealt out at the end.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import comb, factorial, lcm, prod
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge.counting import Places, Sharing, fields, places_of
from nana_core.knowledge.sight import Sight

_T = TypeVar("_T")

Drawn: TypeAlias = tuple[dict[str, Cards], Cards]  # the middle of each hand, the dark slots

_WORD: Final = 64  # bits


Choice: TypeAlias = tuple[list[int], list[tuple[int, tuple[Cards, ...]]]]
"""Running totals of the weights; the filling before, and the cards put to each place."""


class Chance(Protocol):
    """What draws: a random.Random will do."""

    def choices(
        self, population: Sequence[_T], *, cum_weights: Sequence[int], k: int
    ) -> list[_T]: ...

    def shuffle(self, x: list[Any]) -> None: ...


class Step(Struct, frozen=True):
    """One number: what each way to share it out adds to a filling, and its weight."""

    shares: tuple[tuple[Cards, ...], ...]  # the cards that each middle and the rest get
    moves: tuple[int, ...]
    weights: tuple[int, ...]
    counts: Sequence[int]  # by filling: in how many ways the numbers before give it


class Posterior:
    """All worlds that fit a sight."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._open = tuple(
            k for k, hand in sight.hands.items() if hand.unknown and _is_open(k, sight)
        )
        bound = tuple(k for k, hand in sight.hands.items() if hand.unknown and k not in self._open)
        self.places = places_of(sight, bound)
        self._full = self.places.filling(self.places.sizes)
        self._steps = tuple(_steps(sight, self.places))
        self._choices: dict[tuple[int, int], Choice] = {}

    def draw(self, worlds: int, chance: Chance) -> list[Drawn]:
        """Draw worlds, each by its weight and independently of the others."""
        if not self._steps:
            return [({}, ())] * worlds
        shares: list[list[tuple[Cards, ...]]] = [[] for _ in range(worlds)]
        at_filling = {self._full: list(range(worlds))}
        for at in range(len(self._steps) - 1, -1, -1):
            came_from: dict[int, list[int]] = {}
            for filling, members in at_filling.items():
                totals, options = self._choices.get((at, filling)) or self._choice(at, filling)
                picked = chance.choices(options, cum_weights=totals, k=len(members))
                for world, (before, share) in zip(members, picked, strict=True):
                    shares[world].append(share)
                    came_from.setdefault(before, []).append(world)
            at_filling = came_from
        return [self._laid_out(share, chance) for share in shares]

    def _laid_out(self, shares: list[tuple[Cards, ...]], chance: Chance) -> Drawn:
        """Put together what each number brought, the last one first; deal out the rest."""
        each = zip(*shares[::-1], strict=True)
        *middles, rest = [tuple(chain.from_iterable(there)) for there in each]
        left = list(rest)
        chance.shuffle(left)
        hands = dict(zip(self.places.letters, middles, strict=True))
        for letter in self._open:
            size = self._sight.hands[letter].unknown
            hands[letter] = tuple(sorted(left[:size]))
            del left[:size]
        return hands, tuple(left)

    def _choice(self, at: int, filling: int) -> Choice:
        """Weigh the ways to have come to a filling by this step's number."""
        step = self._steps[at]
        totals: list[int] = []
        options: list[tuple[int, tuple[Cards, ...]]] = []
        total = 0
        for share, move, weight in zip(step.shares, step.moves, step.weights, strict=True):
            before = filling - move
            if 0 <= before < len(step.counts) and (count := step.counts[before]):
                total += count * weight
                totals.append(total)
                options.append((before, share))
        self._choices[at, filling] = totals, options
        return totals, options


def _is_open(letter: str, sight: Sight) -> bool:
    """Say whether nothing is known of a hand's middle but its size."""
    numbers = [number for number, count in sight.unlocated.items() if count]
    hand = sight.hands[letter]
    if hand.floor > numbers[0] or hand.ceiling < numbers[-1]:
        return False
    return not set(numbers) & set(sight.held(letter))


def _steps(sight: Sight, places: Places) -> Iterator[Step]:
    held = [Counter(sight.held(letter)) for letter in places.letters]
    bits = _bits(sight, places)
    keep = fields(places.sizes, bits)
    counts = 1
    for number, ways in places.ways:
        copies = sight.unlocated[number]
        there = tuple(hand[number] for hand in held)
        moves = tuple(places.filling(way) for way in ways)
        weights = _weights(ways, copies, there)
        yield Step(_shares(number, ways, copies), moves, weights, _unpacked(counts, bits))
        if any(there) or copies == 1:
            counts = keep & sum(
                (counts << (move * bits)) * weight
                for move, weight in zip(moves, weights, strict=True)
            )
        else:
            room = [
                stride * bits
                for stride, cards in zip(places.strides, zip(*ways, strict=True), strict=True)
                if any(cards)
            ]
            for _ in range(copies):
                counts = keep & (counts + sum(counts << shift for shift in room))


def _bits(sight: Sight, places: Places) -> int:
    """Choose the width of a field: no count is more than all the shuffles of the cards."""
    kinds, cards = len(places.sizes) + 1, sum(sight.unlocated.values())
    each, more = divmod(cards, kinds)
    most = factorial(cards) // (factorial(each) ** kinds * (each + 1) ** more)
    scale = prod(lcm(*range(1, COPIES + 1)) for n in sight.unlocated if _is_held(sight, places, n))
    return _WORD if (most * scale).bit_length() <= _WORD else 2 * _WORD


def _is_held(sight: Sight, places: Places, number: Number) -> bool:
    return any(number in sight.held(letter) for letter in places.letters)


def _unpacked(counts: int, bits: int) -> Sequence[int]:
    """Lay the fields of a large integer side by side."""
    size = -(-counts.bit_length() // bits) * bits // 8
    words = memoryview(counts.to_bytes(size, "little")).cast("Q")
    if bits == _WORD:
        return words
    return tuple(low | high << _WORD for low, high in zip(words[::2], words[1::2], strict=True))


@lru_cache(maxsize=512)
def _shares(
    number: Number, ways: tuple[Sharing, ...], copies: int
) -> tuple[tuple[Cards, ...], ...]:
    return tuple(tuple((number,) * cards for cards in (*way, copies - sum(way))) for way in ways)


@lru_cache(maxsize=512)
def _weights(ways: tuple[Sharing, ...], copies: int, held: Sharing) -> tuple[int, ...]:
    """Count the cards that make each way of sharing, but for a factor that all have.

    Copies that lie in one hand are one world whichever they are; so a hand in which some
    are known to be has fewer worlds for more of them.
    """
    each = [
        (
            factorial(copies) // prod(map(factorial, (*way, copies - sum(way)))),
            prod(comb(have + more, more) for have, more in zip(held, way, strict=True)),
        )
        for way in ways
    ]
    common = lcm(*(less for _, less in each))
    return tuple(count * common // less for count, less in each)
