"""Drawn worlds side by side: where a number shows in which of them, one bit for each world.

A mask is an integer with a bit for each world. What holds in several places at once is
then one AND, and how probable it is, one count of bits. Knowledge is told apart: what
lies at the ends of hands, what all have seen, and what a seat's own hand adds to that.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge import HandSight, Sight, showing
from nana_core.knowledge.posterior import Drawn

Mask: TypeAlias = int
Shows: TypeAlias = dict[Number, Mask]  # by number: the worlds in which it shows it

_DEEP: Final = COPIES  # cards that one attempt can take from an end, or from the dark slots
_NEVER: Final = (0,) * (COPIES + 1)


class Spread:
    """The worlds of one position at rest, as one seat can imagine it."""

    def __init__(
        self, sight: Sight, seen_slots: Mapping[str, Number], drawn: Sequence[Drawn]
    ) -> None:
        self.sight = sight
        self.full: Mask = (1 << len(drawn)) - 1
        self.buried: Shows = dict.fromkeys(sight.unlocated, 0)  # a card of it is out of reach
        self.ends: dict[str, list[Shows]] = {}  # by end: the first, second and third card
        self._own: dict[str, dict[Number, list[Mask]]] = {}  # by seat: 1, 2, 3 at its own ends
        for letter, hand in sight.hands.items():
            self._add_hand(letter, _groups(letter, hand, drawn, self.full))
        self.dark = _dark(len(sight.dark_slots), drawn)
        self.in_dark = _in_dark(sight, drawn)
        self._public = {letter: _outermost(hand) for letter, hand in sight.public.items()}
        self.open_slots = {s: n for s, n in sight.known_slots.items() if s in seen_slots}
        self._public_total = dict.fromkeys(sight.unlocated, 0)
        for shown in (*self._public.values(), Counter(self.open_slots.values())):
            for number, count in shown.items():
                self._public_total[number] += count
        self.mine = {number: len(showing(sight, number)) for number in sight.unlocated}

    def knows(self, letter: str, number: Number, cards: int, more: int = 0) -> Mask:
        """In which worlds a seat knows so many cards of the number within its reach.

        `more`: cards that will have become public elsewhere than in its own hand.
        """
        elsewhere = self._public_total[number] - self._public[letter][number] + more
        return self.holds(letter, number, cards - elsewhere)

    def holds(self, letter: str, number: Number, cards: int) -> Mask:
        """In which worlds so many cards of the number lie at the ends of a hand."""
        if cards <= 0:
            return self.full
        return 0 if cards > COPIES else self._own[letter].get(number, _NEVER)[cards]

    def _add_hand(self, letter: str, groups: Mapping[Cards, Mask]) -> None:
        low: list[Shows] = [{} for _ in range(_DEEP)]
        high: list[Shows] = [{} for _ in range(_DEEP)]
        own: dict[Number, list[Mask]] = {}
        for cards, mask in groups.items():
            runs, buried = _profile(cards)
            for shows, number in zip(low, cards, strict=False):
                shows[number] = shows.get(number, 0) | mask
            for shows, number in zip(high, reversed(cards), strict=False):
                shows[number] = shows.get(number, 0) | mask
            for number, count in runs:
                at_least = own.setdefault(number, [self.full, 0, 0, 0])
                for cards_there in range(1, count + 1):
                    at_least[cards_there] |= mask
            for number in buried:
                self.buried[number] |= mask
        self.ends[letter.lower() + "<"] = low
        self.ends[letter.lower() + ">"] = high
        self._own[letter] = own


def _groups(
    letter: str, hand: HandSight, drawn: Sequence[Drawn], full: Mask
) -> Mapping[Cards, Mask]:
    """Find the different hands that a seat may have, each with its worlds."""
    if not hand.unknown:
        return {hand.low: full}
    middles: dict[Cards, Mask] = {}
    for world, (hands, _) in enumerate(drawn):
        middle = hands[letter]
        middles[middle] = middles.get(middle, 0) | 1 << world
    high = hand.high[::-1]
    return {hand.low + middle + high: mask for middle, mask in middles.items()}


@lru_cache(maxsize=1 << 12)  # the same hands come up again all through a game
def _profile(cards: Cards) -> tuple[tuple[tuple[Number, int], ...], frozenset[Number]]:
    """Return what lies at the ends of a hand, as numbers in a row, and what lies inside."""
    if not cards:
        return (), frozenset()
    low = cards.count(cards[0])
    if low == len(cards):
        return ((cards[0], low),), frozenset()
    high = cards.count(cards[-1])
    return ((cards[0], low), (cards[-1], high)), frozenset(cards[low : len(cards) - high])


def _outermost(hand: HandSight) -> Counter[Number]:
    """Count of each number what is known to lie at an end of a hand, in a row."""
    if not hand.unknown:
        return Counter(dict(_profile(hand.low)[0]))
    found: Counter[Number] = Counter()
    for run in (hand.low, hand.high):
        if run:
            found[run[0]] += run.count(run[0])
    return found


def _dark(slots: int, drawn: Sequence[Drawn]) -> list[Shows]:
    """Turn some dark slots over in all worlds: they are alike, and a few stand for all."""
    found: list[Shows] = []
    for at in range(min(_DEEP, slots)):
        shows: Shows = {}
        for world, (_, dark) in enumerate(drawn):
            shows[dark[at]] = shows.get(dark[at], 0) | 1 << world
        found.append(shows)
    return found


def _in_dark(sight: Sight, drawn: Sequence[Drawn]) -> dict[Number, list[Mask]]:
    """Say in which worlds more than 0, 1, 2, 3 cards of a number lie in the dark slots."""
    found = {number: [0] * (COPIES + 1) for number in sight.unlocated}
    if sight.dark_slots:
        for world, (_, dark) in enumerate(drawn):
            bit = 1 << world
            for number in dark:
                more = found[number]
                at = 0
                while more[at] & bit:
                    at += 1
                more[at] |= bit
    return found
