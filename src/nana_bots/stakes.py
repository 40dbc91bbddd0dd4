"""What sets are worth, and what it costs or brings when a number is better known.

All worth is this seat's share of the game, 1 being to win it. The figures were fitted to
the outcomes of games between `memory` players: first the share by what sets everybody
has, then, for each number and each seat in the order in which they come, what is left of
that share when the seat knows so many of its cards within reach.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from nana_core.deck import SIZES, Cards, Number
from nana_core.game import SEVEN, wins_of


class Odds(Struct, frozen=True):
    """Weight of a chance for a set, by what its taker knows. Each per dark slot if `dark`."""

    three: float
    two_at_ends: float
    two_dark: float
    one_at_ends: float
    one_dark: float


class Fit(Struct, frozen=True):
    """What was fitted for a number of players. A seat with no set has strength 1."""

    one_set: float
    partner: float  # more for each number that would win with the set
    two_sets: float
    mover: float  # factor for the seat that has just moved: it comes last
    slope: float  # from the share by strength to the share when nothing is known of any number
    following: Odds  # the seat that comes next
    others: Odds
    mine: Odds


FITS: Final[Mapping[int, Fit]] = {
    2: Fit(
        2.1, 0.25, 8.0, 0.85, 1.14,
        Odds(1.0, 0.8, 0.75, 0.75, 0.0),
        Odds(0.0, 0.0, 0.0, 0.0, 0.0),
        Odds(0.3, 0.3, 0.3, 0.2, 0.0),
    ),
    3: Fit(
        2.5, 0.25, 11.0, 0.7, 1.13,
        Odds(0.65, 0.42, 0.3, 0.29, 0.1),
        Odds(0.4, 0.33, 0.35, 0.1, 0.2),
        Odds(0.08, 0.06, 0.02, 0.02, 0.0),
    ),
    4: Fit(
        2.5, 0.7, 14.0, 0.7, 1.26,
        Odds(0.45, 0.25, 0.3, 0.08, 0.1),
        Odds(0.33, 0.22, 0.22, 0.13, 0.15),
        Odds(0.09, 0.02, 0.0, 0.0, 0.0),
    ),
    5: Fit(
        2.3, 0.7, 11.0, 0.7, 1.23,
        Odds(0.38, 0.2, 0.2, 0.15, 0.05),
        Odds(0.25, 0.18, 0.2, 0.08, 0.1),
        Odds(0.07, 0.01, 0.0, 0.0, 0.0),
    ),
}  # fmt: skip


class Stakes:
    """The shares of one position."""

    def __init__(self, seat: str, sets: Mapping[str, Cards], numbers: frozenset[Number]) -> None:
        self.fit = FITS[len(sets)]
        self._seat = seat
        self._sets = sets
        self._numbers = numbers  # in play
        self._strength = {letter: self._strength_of(theirs) for letter, theirs in sets.items()}
        self._shares: dict[tuple[str, Number], float] = {}
        self.now = self._share(self._strength)

    def wins(self, letter: str, number: Number) -> bool:
        return wins_with(self._sets[letter], number)

    def after(self, letter: str, number: Number) -> float:
        """This seat's share once a seat has taken a set of the number."""
        key = (letter, number)
        if key not in self._shares:
            self._shares[key] = self._after(letter, number)
        return self._shares[key]

    def taken(self, number: Number) -> float:
        """This seat's share once it has taken the set itself, by the slope as well."""
        share = self.after(self._seat, number)
        return share if share == 1.0 else self.fit.slope * share

    def _after(self, letter: str, number: Number) -> float:
        if self.wins(letter, number):
            return 1.0 if letter == self._seat else 0.0
        sets = {**self._sets, letter: (*self._sets[letter], number)}
        return self._share(
            {other: self._strength_of(theirs, number) for other, theirs in sets.items()}
        )

    def _share(self, strength: Mapping[str, float]) -> float:
        own = strength[self._seat] * self.fit.mover
        return own / (sum(strength.values()) - strength[self._seat] + own)

    def _strength_of(self, sets: Cards, gone: Number | None = None) -> float:
        match len(sets):
            case 0:
                return 1.0
            case 1:
                left = partners(sets[0]) & self._numbers - {gone}
                return self.fit.one_set + self.fit.partner * len(left)
            case _:
                return self.fit.two_sets


@cache
def wins_with(sets: Cards, number: Number) -> bool:
    return bool(wins_of((*sets, number)))


@cache
def partners(number: Number) -> frozenset[Number]:
    """Find the numbers whose sets win together with this one's, and not alone."""
    most = max(size.top for size in SIZES.values())
    return frozenset(n for n in range(1, most + 1) if n != SEVEN and wins_of((number, n)))
