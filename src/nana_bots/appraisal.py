"""What a reveal is worth: sets won now, against what it tells the others.

All worth is in shares of a game: 1 is to win it. A reveal either goes on matching,
and then the number may be completed in this turn, or it misses, and then its card
is public: others may use it first, and after them this seat.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from nana_bots.prospects import Prospects, needed
from nana_core.deck import SIZES, Cards, Number
from nana_core.game import SETS_TO_WIN, wins_of

_WON: Final = 1.0
_NEGLIGIBLE: Final = 0.04  # chance


class Weights(Struct, frozen=True):
    """How a player judges; found by playing them against each other in the arena."""

    first_set: float = 0.25
    second_set: float = 0.4
    partner: float = 0.04  # for each number still to be had that would win with the set
    fear: float = 1.0  # of what the others can complete; shared by all who lose by it
    hope: float = 0.5  # for what is left to complete in the next turn
    curiosity: float = 0.03  # for a card that was never seen: who only waits cannot win


class Appraisal:
    """Judges the sources of one position."""

    def __init__(self, sets: Mapping[str, Cards], prospects: Prospects, weights: Weights) -> None:
        self._prospects = prospects
        self._sight = prospects.sight
        self._weights = weights
        own = sets[self._sight.seat]
        others = {theirs for letter, theirs in sets.items() if letter != self._sight.seat}
        self._fear = weights.fear / (len(sets) - 1)
        numbers = tuple(self._sight.unlocated)
        self._gain = gains(own, numbers, weights)
        losses = [gains(theirs, numbers, weights) for theirs in others]
        self._loss = {n: max([loss[n] for loss in losses]) for n in numbers}
        chances = {n: prospects.both(n, needed(self._sight, n)) for n in numbers}
        self._mine_now = {n: mine for n, (mine, _) in chances.items()}
        self._standing = {n: self._promise(n, *both) for n, both in chances.items()}

    def certain(self) -> list[Number]:
        """List the numbers that can surely be completed now: to win first, then by worth."""
        numbers = self._gain if self._sight.number is None else (self._sight.number,)
        sure = [number for number in numbers if self._mine_now[number] == 1.0]
        return sorted(sure, key=self._rank, reverse=True)

    def _rank(self, number: Number) -> tuple[bool, float, Number]:
        return self._gain[number] == _WON, self._taken(number), number

    def worth(self, source: str) -> float:
        """Judge a source to be revealed next, against not changing anything."""
        unseen = self._weights.curiosity if self._prospects.is_unseen(source) else 0.0
        return unseen + sum(
            chance * self._worth_of(source, number)
            for number, chance in self._prospects.chances(source).items()
            if chance > _NEGLIGIBLE
        )

    def _worth_of(self, source: str, number: Number) -> float:
        """Judge a source in case that its card is this number."""
        need = needed(self._sight, number) - 1
        if need == 0:
            return self._taken(number)
        mine, theirs = self._prospects.both(number, need, source)
        missed = self._promise(number, mine, theirs) - self._standing[number]
        if self._sight.number not in {None, number}:
            return missed
        return mine * self._taken(number) + (1 - mine) * missed

    def _taken(self, number: Number) -> float:
        """Judge the set, which then is nobody's prospect any more."""
        return self._gain[number] - self._standing[number]

    def _promise(self, number: Number, mine: float, theirs: float) -> float:
        """Judge the chances to complete a number later, when the others come first."""
        return (
            self._weights.hope * (1 - theirs) * mine * self._gain[number]
            - self._fear * theirs * self._loss[number]
        )


@lru_cache(maxsize=1 << 10)  # the same all through a turn, whatever the hands are
def gains(sets: Cards, numbers: tuple[Number, ...], weights: Weights) -> Mapping[Number, float]:
    """Judge a set of each number still in play for a seat that has these sets."""
    return {number: _gain(sets, number, numbers, weights) for number in numbers}


def _gain(sets: Cards, number: Number, numbers: tuple[Number, ...], weights: Weights) -> float:
    together = (*sets, number)
    if wins_of(together):
        return _WON
    nearly = len(together) == SETS_TO_WIN - 1
    partners = len(_partners(number).intersection(numbers))
    return (weights.second_set if nearly else weights.first_set) + weights.partner * partners


@cache
def _partners(number: Number) -> frozenset[Number]:
    """Find the numbers whose sets win together with this one's."""
    most = max(size.top for size in SIZES.values())
    return frozenset(other for other in range(1, most + 1) if wins_of((number, other)))
