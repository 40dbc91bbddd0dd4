"""What a reveal is worth: sets won now, against what it tells the others.

All worth is in shares of a game: 1 is to win it. A reveal either goes on matching,
and then the number may be completed in this turn, or it misses, and then its card
is public: others may use it first, and after them this seat.
"""

from typing import Final

from msgspec import Struct

from nana_bots.prospects import Prospects, needed
from nana_core.deck import Cards, Number
from nana_core.game import SETS_TO_WIN, wins_of
from nana_core.protocol.outbound import Snapshot

_NEGLIGIBLE: Final = 0.02


class Weights(Struct, frozen=True):
    """How a player judges; found by playing them against each other in the arena."""

    first_set: float = 0.25
    second_set: float = 0.4
    partner: float = 0.04  # for each number still to be had that would win with the set
    fear: float = 1.0  # of what the others can complete
    hope: float = 0.5  # for what is left to complete in the next turn
    curiosity: float = 0.03  # for a card that nobody has seen: who only waits cannot win


class Appraisal:
    """Judges the sources of one position."""

    def __init__(self, view: Snapshot, prospects: Prospects, weights: Weights) -> None:
        self._prospects = prospects
        self._sight = prospects.sight
        self._weights = weights
        sets = {seat.seat: seat.sets for seat in view.seats}
        own = sets.pop(self._sight.seat)
        numbers = self._sight.unlocated
        self._gain = {n: self._gain_of(own, n) for n in numbers}
        self._loss = {n: max(self._gain_of(theirs, n) for theirs in sets.values()) for n in numbers}
        self._standing = {n: self._promise(n, needed(self._sight, n)) for n in numbers}

    def certain(self) -> list[tuple[float, Number]]:
        """List the numbers that can surely be completed now, with their worth, best first."""
        open_number = self._sight.number
        numbers = self._gain if open_number is None else [open_number]
        return sorted(
            (
                (self._gain[n] - self._standing[n], n)
                for n in numbers
                if self._prospects.mine(n, needed(self._sight, n)) == 1.0
            ),
            reverse=True,
        )

    def worth(self, source: str) -> float:
        """Judge a source to be revealed next, against not changing anything."""
        unseen = self._weights.curiosity if self._is_unseen(source) else 0.0
        return unseen + sum(
            chance * self._worth_of(source, number)
            for number, chance in self._prospects.chances(source).items()
            if chance > _NEGLIGIBLE
        )

    def _worth_of(self, source: str, number: Number) -> float:
        """Judge a source in case that its card is this number."""
        need = needed(self._sight, number) - 1
        if need == 0:
            return self._gain[number] - self._standing[number]
        missed = self._promise(number, need, source) - self._standing[number]
        if self._sight.number not in {None, number}:
            return missed
        chance = self._prospects.mine(number, need, source)
        return chance * (self._gain[number] - self._standing[number]) + (1 - chance) * missed

    def _promise(self, number: Number, need: int, after: str | None = None) -> float:
        """Judge the chance to complete a number later, when the others come first."""
        theirs = self._prospects.theirs(number, need, after)
        mine = self._prospects.mine(number, need, after)
        return (
            self._weights.hope * (1 - theirs) * mine * self._gain[number]
            - self._weights.fear * theirs * self._loss[number]
        )

    def _is_unseen(self, source: str) -> bool:
        return source in self._sight.dark_slots or len(self._prospects.chances(source)) > 1

    def _gain_of(self, sets: Cards, number: Number) -> float:
        """Judge a set of this number for a seat that has these sets."""
        together = (*sets, number)
        if wins_of(together):
            return 1.0
        partners = sum(bool(wins_of((number, other))) for other in self._sight.unlocated)
        base = (
            self._weights.second_set
            if len(together) == SETS_TO_WIN - 1
            else self._weights.first_set
        )
        return base + self._weights.partner * partners
