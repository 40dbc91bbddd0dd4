"""Worlds side by side, a column for each: what each source shows there, and who knows what.

All that the worth of a number depends on in a world is packed into one small integer, its
*state*: how many of its cards lie in the dark, how many at the ends of each other hand, and
whether one is out of reach inside a hand.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge import HandSight, Sight, showing

IN_DARK: Final = 0b11  # of a state: the cards in dark slots
BURIED: Final = 1 << 12  # one lies inside a hand
_DEEP: Final = COPIES  # cards that one attempt can take from an end, or from the dark slots


class World(Struct, frozen=True):
    hands: Mapping[str, Cards]  # at rest, of the others
    dark: Cards  # by slot, in the order of the sight


def at_ends(place: int) -> int:
    """Say by how many bits the count of the other hand in this place is moved up in a state."""
    return 2 + 2 * place


class Columns:
    """The worlds of one position at rest, as one seat can imagine it; each `turns` times.

    In every one of its columns, a world has its dark slots turned over from another one on.
    """

    def __init__(
        self,
        sight: Sight,
        seen_slots: Mapping[str, Number],
        order: Sequence[str],
        worlds: Sequence[World],
        turns: int,
    ) -> None:
        self.sight = sight
        self.order = order  # of the others, from this seat's left
        self._turns = max(1, min(turns, len(sight.dark_slots)))
        self.all = range(len(worlds) * self._turns)
        self.ends: dict[str, list[list[Number]]] = {}  # by end: the first, second, third card
        for letter, hand in sight.hands.items():
            mine = letter == sight.seat
            self._add_hand(letter, [hand.low if mine else world.hands[letter] for world in worlds])
        self.dark = self._dark(worlds)
        self.open_slots = {s: n for s, n in sight.known_slots.items() if s in seen_slots}
        self.mine = {number: len(showing(sight, number)) for number in sight.unlocated}
        self.states = {
            number: [state for state in states for _ in range(self._turns)]
            for number, states in self._states(worlds).items()
        }
        self.elsewhere = self._elsewhere()

    def known(self, place: int, number: Number, state: int) -> int:
        """Count the cards of a number that the other in this place knows, in such a world."""
        return (state >> at_ends(place) & 3) + self.elsewhere[self.order[place]][number]

    def _add_hand(self, letter: str, hands: Sequence[Cards]) -> None:
        for end, step in (("<", 1), (">", -1)):
            self.ends[letter.lower() + end] = [
                [number for hand in hands for number in (hand[::step][at],) * self._turns]
                for at in range(min(_DEEP, len(hands[0])))
            ]

    def _dark(self, worlds: Sequence[World]) -> list[list[Number]]:
        """Turn some dark slots over: they are alike, and a few stand for all."""
        slots = len(self.sight.dark_slots)
        starts = [at * slots // self._turns for at in range(self._turns)]
        return [
            [world.dark[(start + at) % slots] for world in worlds for start in starts]
            for at in range(min(_DEEP, slots))
        ]

    def _states(self, worlds: Sequence[World]) -> dict[Number, list[int]]:
        sight = self.sight
        own = dict.fromkeys(sight.unlocated, 0)
        for number in _profile(sight.hands[sight.seat].low)[1]:
            own[number] = BURIED
        states = {number: [state] * len(worlds) for number, state in own.items()}
        for at, world in enumerate(worlds):
            for number in world.dark:
                states[number][at] += 1
            for place, letter in enumerate(self.order):
                runs, buried = _profile(world.hands[letter])
                for number, count in runs:
                    states[number][at] += count << at_ends(place)
                for number in buried:
                    states[number][at] |= BURIED
        return states

    def _elsewhere(self) -> dict[str, dict[Number, int]]:
        """Count by seat the cards of each number that it has seen outside its own hand."""
        public = {letter: _outermost(hand) for letter, hand in self.sight.public.items()}
        total = Counter(self.open_slots.values())
        for shown in public.values():
            total += shown
        return {
            letter: {number: total[number] - public[letter][number] for number in self.mine}
            for letter in self.order
        }


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
