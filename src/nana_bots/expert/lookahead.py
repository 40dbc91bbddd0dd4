"""The best reveal by looking to the end of the attempt, over worlds drawn beforehand.

A reveal splits the worlds by what it shows. While the numbers match, the best next source
is taken for the worlds that are left, since nothing tells these apart; at a miss the worth
is what the position is worth in which the turn ends. Totals over worlds are summed up, so
that nothing has to be divided before the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from nana_bots.expert.columns import Columns
from nana_bots.expert.shares import NOTHING, Shares, Told
from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge import HandSight, owner_of
from nana_core.protocol.outbound import CardView

Places: TypeAlias = Sequence[int]  # of worlds, in the columns

ANY_DARK: Final = "dark"  # a dark slot, whichever
_IDLE: Final = 0.01  # what it costs to tell nothing and learn nothing: others will do better
_OTHER: Final = {"<": ">", ">": "<"}


class Open(NamedTuple):
    """The attempt as far as it has gone in thought; its cards match."""

    number: Number | None = None
    cards: int = 0
    ends: Mapping[str, int] = MappingProxyType({})  # cards taken from each end
    slots: frozenset[str] = frozenset()
    dark: int = 0  # dark slots turned over
    told: Told = NOTHING

    @classmethod
    def after(cls, cards: Sequence[CardView]) -> "Open":
        """Begin with what lies open; all know it already."""
        if not cards:
            return cls()
        ends: dict[str, int] = {}
        for card in cards:
            if owner_of(card.source) is not None:
                ends[card.source] = ends.get(card.source, 0) + 1
        slots = frozenset(card.source for card in cards if owner_of(card.source) is None)
        return cls(cards[0].number, len(cards), ends, slots)


class Reveal(NamedTuple):
    """A source to be revealed next."""

    source: str
    shows: Sequence[Number] | Number  # by world, or the same in all
    ends: Mapping[str, int]
    slots: frozenset[str]
    dark: int
    told: Told
    within_reach: bool  # also for a number that does not match

    def on_from(self, begun: Open, number: Number) -> Open:
        told = begun.told + self.told
        return Open(number, begun.cards + 1, self.ends, self.slots, self.dark, told)


class Lookahead:
    """Weighs the reveals of one position."""

    def __init__(self, columns: Columns, shares: Shares) -> None:
        self.weighed = 0  # ends of the turn, each in one world
        self._columns = columns
        self._shares = shares
        self._sight = columns.sight

    def worths(self, begun: Open) -> Iterator[tuple[str, float]]:
        """Weigh every source that may be revealed next, one of the dark slots for all of them."""
        for reveal in self._reveals(begun):
            yield reveal.source, self._worth(begun, reveal, self._columns.all)

    def taken(self, number: Number) -> float:
        """Weigh a set that is sure."""
        return self._shares.taken(number, self._columns.all)

    def _reveals(self, begun: Open) -> Iterator[Reveal]:
        ends, slots, dark = begun.ends, begun.slots, begun.dark
        for end, cards in self._columns.ends.items():
            at = ends.get(end, 0)
            letter = end[0].upper()
            hand = self._sight.hands[letter]
            if at < len(cards) and at + ends.get(end[0] + _OTHER[end[1]], 0) < hand.cards:
                public = () if at < len(_run(self._sight.public[letter], end)) else (letter,)
                told = Told(public, int(at >= len(_run(hand, end))))
                yield Reveal(end, cards[at], {**ends, end: at + 1}, slots, dark, told, at == 0)
        if dark < len(self._columns.dark):
            told = Told((None,), 1)
            yield Reveal(ANY_DARK, self._columns.dark[dark], ends, slots, dark + 1, told, True)
        shown: set[Number] = set()
        for slot, number in self._sight.known_slots.items():
            if slot not in slots and number not in shown:
                shown.add(number)
                told = Told(() if slot in self._columns.open_slots else (None,))
                yield Reveal(slot, number, ends, slots | {slot}, dark, told, True)

    def _worth(self, begun: Open, reveal: Reveal, worlds: Places) -> float:
        """Add up what a reveal is worth over the worlds, each number that it may show by itself."""
        total = 0.0
        for number, here in _split(reveal.shows, worlds):
            if begun.number not in {None, number}:
                total += self._missed(begun, reveal, number, here)
            elif begun.cards == COPIES - 1:
                self.weighed += len(here)
                total += self._shares.taken(number, here)
            else:
                total += self._best(reveal.on_from(begun, number), here)
        return total

    def _best(self, begun: Open, worlds: Places) -> float:
        """Weigh the best way on: a source that may match, or a miss that tells nothing more."""
        best = self._idle(begun, worlds)
        for reveal in self._reveals(begun):
            if _may_show(begun.number, reveal.shows, worlds):
                best = max(best, self._worth(begun, reveal, worlds))
        return best

    def _idle(self, begun: Open, worlds: Places) -> float:
        self.weighed += len(worlds)
        cost = _IDLE * len(worlds) if begun.told == NOTHING else 0.0
        return self._shares.missed(worlds, _matched(begun), None) - cost

    def _missed(self, begun: Open, reveal: Reveal, number: Number, worlds: Places) -> float:
        """Weigh a turn that ends with a card of another number."""
        if reveal.told == NOTHING:
            return self._idle(begun, worlds)
        self.weighed += len(worlds)
        last = (number, reveal.told) if reveal.within_reach else None
        return self._shares.missed(worlds, _matched(begun), last)


def _matched(begun: Open) -> tuple[Number, Told] | None:
    if begun.number is None or begun.told == NOTHING:
        return None
    return begun.number, begun.told


def _split(shows: Sequence[Number] | Number, worlds: Places) -> list[tuple[Number, Places]]:
    """Part the worlds by the number that a source shows."""
    if isinstance(shows, int):
        return [(shows, worlds)]
    parts: dict[Number, list[int]] = {}
    for world in worlds:
        number = shows[world]
        if number in parts:
            parts[number].append(world)
        else:
            parts[number] = [world]
    return list(parts.items())


def _may_show(number: Number | None, shows: Sequence[Number] | Number, worlds: Places) -> bool:
    if isinstance(shows, int):
        return shows == number
    return number in [shows[world] for world in worlds]


def _run(hand: HandSight, end: str) -> Cards:
    return hand.low if end[1] == "<" else hand.high
