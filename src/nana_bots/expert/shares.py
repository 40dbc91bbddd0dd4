"""What a position at rest is worth: this seat's chance to win, in each of many worlds.

The chance is a logistic sum: a base by who has how many sets, and for each number what
each seat knows of it, where the rest of it lies, and whether its set would win. The figures
were fitted to how games went on, an expert against `memory` players, for each number of
players and each stage of a game. All sums are whole numbers, of a 32nd of a logit each.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from nana_bots.expert.columns import BURIED, IN_DARK, Columns
from nana_core.deck import COPIES, Cards, Number
from nana_core.game import wins_of

Place: TypeAlias = Literal["at_ends", "in_dark", "buried"]
Pair: TypeAlias = tuple[float, float]  # of a number whose set would not win, and would win

_UNIT: Final = 32
_MOST: Final = 100  # logits
_CHANCES: Final = [
    1 / (1 + exp(-logit / _UNIT)) for logit in range(-_MOST * _UNIT, _MOST * _UNIT + 1)
]
_ZERO: Final = _MOST * _UNIT


class Told(NamedTuple):
    """What a turn has told of a number."""

    owners: tuple[str | None, ...] = ()  # of its cards that have become public; None: the center
    new: int = 0  # how many of its cards this seat did not know

    def __add__(self, more: "Told") -> "Told":  # type: ignore[override]
        return Told(self.owners + more.owners, self.new + more.new)


NOTHING: Final = Told()


class Known(Struct, frozen=True):
    """What it adds that a seat knows so many cards of a number within its reach."""

    three: Pair
    two_at_ends: Pair  # and the third lies at an end
    two_in_dark: Pair
    one_at_ends: Pair
    one_in_dark: Pair
    two_buried: Pair
    one_buried: Pair
    two_per_slot: Pair  # more where there are few dark slots: this divided by how many
    one_per_slot: Pair
    depth: tuple[float, ...]  # for a number that would win, by how many lie further out


class Stage(Struct, frozen=True):
    """The figures for one stage: how many sets this seat has, and the best of the others."""

    base: float
    next_sets: Pair  # the seat that comes next has one set, or two
    other_sets: Pair  # and each of the seats after it
    dark: float  # for ten dark slots
    mine: Known
    next: Known
    others: Known


@cache
def stages(players: int) -> tuple[tuple[Stage, ...], ...]:
    """Read the figures: by this seat's sets, and by the most of another's."""
    found = files("nana_bots.expert").joinpath("shares.json").read_bytes()
    figures = msgspec.json.decode(found, type=dict[int, tuple[tuple[Stage, ...], ...]])
    return figures[players]


class Shares:
    """The chances of one position, and of those that a turn can make of it."""

    def __init__(self, columns: Columns, sets: Mapping[str, Cards]) -> None:
        self._columns = columns
        self._sight = columns.sight
        self._sets = sets
        self._stages = stages(len(sets))
        self._stage, self._flags = self._stage_of(sets), self._flags_of(sets)
        self._tables = self._weighed(self._stage, self._flags)
        self._sums = self._summed(self._tables, self._base(self._stage, sets, self._flags))
        self._told: dict[tuple[Number, Told], list[int]] = {}
        self._after: dict[tuple[Number, Told], list[int]] = {}
        self._taken: dict[Number, list[float]] = {}

    def missed(
        self,
        columns: Sequence[int],
        matched: tuple[Number, Told] | None,
        last: tuple[Number, Told] | None,
    ) -> float:
        """Add up the chances when the turn ends and has told this of its numbers."""
        sums = self._sums if matched is None else self._sums_after(*matched)
        if last is None:
            return sum([_CHANCES[sums[at]] for at in columns])
        more = self._change(*last)
        return sum([_CHANCES[sums[at] + more[at]] for at in columns])

    def taken(self, number: Number, columns: Sequence[int]) -> float:
        """Add up the chances with one more set of this seat."""
        if wins_with(self._sets[self._sight.seat], number):
            return float(len(columns))
        chances = self._taken.get(number)
        if chances is None:
            chances = self._taken[number] = self._with_set(number)
        return sum([chances[at] for at in columns])

    def _with_set(self, number: Number) -> list[float]:
        seat = self._sight.seat
        sets = {**self._sets, seat: (*self._sets[seat], number)}
        stage, flags = self._stage_of(sets), self._flags_of(sets, number)
        base = self._base(stage, sets, flags)
        return [_CHANCES[at] for at in self._summed(self._weighed(stage, flags), base)]

    def _sums_after(self, number: Number, told: Told) -> list[int]:
        sums = self._after.get((number, told))
        if sums is None:
            more = self._change(number, told)
            sums = [base + change for base, change in zip(self._sums, more, strict=True)]
            self._after[number, told] = sums
        return sums

    def _change(self, number: Number, told: Told) -> list[int]:
        """What it changes, by column, when this is told of a number."""
        change = self._told.get((number, told))
        if change is None:
            states, before = self._columns.states[number], self._tables[number]
            wins = self._flags[number]
            table = {
                state: self._weigh(self._stage, wins, number, state, told) - weight
                for state, weight in before.items()
            }
            change = self._told[number, told] = [table[state] for state in states]
        return change

    def _weighed(self, stage: Stage, flags: "Flags") -> dict[Number, dict[int, int]]:
        """Weigh each number, by its states, as things are known now."""
        return {
            number: {
                state: self._weigh(stage, wins, number, state, NOTHING)
                for state in set(self._columns.states[number])
            }
            for number, wins in flags.items()
        }

    def _summed(self, tables: Mapping[Number, Mapping[int, int]], base: float) -> list[int]:
        each = [
            [table[state] for state in self._columns.states[number]]
            for number, table in tables.items()
        ]
        start = round(base * _UNIT) + _ZERO
        return [start + sum(column) for column in zip(*each, strict=True)]

    def _weigh(
        self, stage: Stage, wins: tuple[bool, ...], number: Number, state: int, told: Told
    ) -> int:
        """Weigh what is known of a number in worlds of this state."""
        columns, shown = self._columns, told.owners.count(None)
        slots = max(1, len(self._sight.dark_slots) - shown)
        place = place_of(state, shown)
        total = _worth(stage.mine, columns.mine[number] + told.new, place, slots, wins[0])
        for at, letter in enumerate(columns.order):
            known = columns.known(at, number, state)
            known += len(told.owners) - told.owners.count(letter)
            role = stage.others if at else stage.next
            total += _worth(role, known, place, slots, wins[at + 1])
        return round(total * _UNIT)

    def _stage_of(self, sets: Mapping[str, Cards]) -> Stage:
        most = max(len(sets[letter]) for letter in self._columns.order)
        return self._stages[len(sets[self._sight.seat])][most]

    def _flags_of(self, sets: Mapping[str, Cards], gone: Number | None = None) -> "Flags":
        seats = (self._sight.seat, *self._columns.order)
        return {
            number: tuple(wins_with(sets[letter], number) for letter in seats)
            for number in self._sight.unlocated
            if number != gone
        }

    def _base(self, stage: Stage, sets: Mapping[str, Cards], flags: "Flags") -> float:
        total = stage.base + stage.dark * len(self._sight.dark_slots) / 10
        for at, letter in enumerate(self._columns.order):
            if sets[letter]:
                total += (stage.other_sets if at else stage.next_sets)[len(sets[letter]) - 1]
        last = len(flags) - 1
        for at, (_, wins) in enumerate(sorted(flags.items())):
            depth = min(at, last - at, len(stage.mine.depth) - 1)
            for role, would_win in enumerate(wins):
                if would_win:
                    total += (stage.mine, stage.next, stage.others)[min(role, 2)].depth[depth]
        return total


Flags: TypeAlias = dict[Number, tuple[bool, ...]]
"""By number in play: for which seats its set would win, this one first, then in their order."""


def place_of(state: int, shown: int = 0) -> Place:
    """Say where the rest of a number lies, when so many of its cards were turned in the dark."""
    if state & BURIED:
        return "buried"
    return "in_dark" if state & IN_DARK > shown else "at_ends"


def figures_of(cards: int, place: Place) -> tuple[str, str]:
    """Name the figures for so many known cards: the one, and what is added per dark slot."""
    if cards >= COPIES:
        return "three", ""
    if not cards:
        return "", ""
    count = ("one", "two")[cards - 1]
    return f"{count}_{place}", f"{count}_per_slot" if place == "in_dark" else ""


def _worth(known: Known, cards: int, place: Place, slots: int, wins: bool) -> float:
    figure, per_slot = figures_of(cards, place)
    worth: float = getattr(known, figure)[wins] if figure else 0.0
    return worth + getattr(known, per_slot)[wins] / slots if per_slot else worth


@cache
def wins_with(sets: Cards, number: Number) -> bool:
    return bool(wins_of((*sets, number)))
