"""The best reveal by looking to the end of the attempt, over worlds drawn beforehand.

A reveal splits the worlds by what it shows. While the numbers match, the best next source
is taken for the worlds that are left, since nothing tells these apart; at a miss the worth
is what the reveals have told everybody. Totals over worlds are summed up, so that nothing
has to be divided before the end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from nana_bots.spread import Mask, Shows, Spread
from nana_bots.stakes import Odds, Stakes
from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge import HandSight, owner_of
from nana_core.protocol.outbound import CardView

Term: TypeAlias = tuple[Mask, float]  # worlds, and what each of them is worth more

ANY_DARK: Final = "dark"  # a dark slot, whichever
_IDLE: Final = 0.05  # what it costs to tell nothing and learn nothing: others will do better
_OTHER: Final = {"<": ">", ">": "<"}


class Told(NamedTuple):
    """What a turn has told of a number."""

    owners: tuple[str | None, ...] = ()  # of its cards that have become public; None: the center
    new: int = 0  # how many of its cards this seat did not know

    def __add__(self, more: "Told") -> "Told":  # type: ignore[override]
        return Told(self.owners + more.owners, self.new + more.new)


_NOTHING: Final = Told()


class Open(NamedTuple):
    """The attempt as far as it has gone in thought; its cards match."""

    number: Number | None = None
    cards: int = 0
    ends: Mapping[str, int] = MappingProxyType({})  # cards taken from each end
    slots: frozenset[str] = frozenset()
    dark: int = 0  # dark slots turned over
    told: Told = _NOTHING

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
    shows: Shows
    ends: Mapping[str, int]
    slots: frozenset[str]
    dark: int
    told: Told
    within_reach: bool  # also for a number that does not match


class Lookahead:
    """Weighs the reveals of one position."""

    def __init__(self, spread: Spread, stakes: Stakes, order: Sequence[str]) -> None:
        self.nodes = 0  # misses and sets that were weighed
        self._spread = spread
        self._stakes = stakes
        self._order = order  # of the others, from this seat's left
        self._sight = spread.sight
        self._terms: dict[tuple[Number, Told], list[Term]] = {}
        self._changes: dict[tuple[Number, Told], list[Term]] = {}
        # What all numbers may bring and cost is taken to be alike in all worlds.
        hopes = sum(_total(self._promise(number), spread.full) for number in self._sight.unlocated)
        self._hopes = hopes / spread.full.bit_count()
        self._miss = stakes.fit.slope * stakes.now + self._hopes

    def worths(self, begun: Open, worlds: Mask) -> Iterator[tuple[str, float]]:
        """Weigh every source that may be revealed next, one of the dark slots for all of them."""
        for reveal in self._reveals(begun):
            yield reveal.source, self._worth(begun, reveal, worlds)

    def taken(self, number: Number, worlds: Mask) -> float:
        """Weigh a set of this seat: nobody can hope for it any more."""
        self.nodes += 1
        share, count = self._stakes.taken(number), worlds.bit_count()
        if share == 1.0:
            return count
        return (share + self._hopes) * count - _total(self._promise(number), worlds)

    def _reveals(self, begun: Open) -> Iterator[Reveal]:
        ends, slots, dark = begun.ends, begun.slots, begun.dark
        for end, cards in self._spread.ends.items():
            at = ends.get(end, 0)
            letter = end[0].upper()
            hand = self._sight.hands[letter]
            if cards[at] and at + ends.get(end[0] + _OTHER[end[1]], 0) < hand.cards:
                public = () if at < len(_run(self._sight.public[letter], end)) else (letter,)
                told = Told(public, int(at >= len(_run(hand, end))))
                yield Reveal(end, cards[at], {**ends, end: at + 1}, slots, dark, told, at == 0)
        if dark < len(self._spread.dark):
            told = Told((None,), 1)
            yield Reveal(ANY_DARK, self._spread.dark[dark], ends, slots, dark + 1, told, True)
        shown: set[Number] = set()
        for slot, number in self._sight.known_slots.items():
            if slot not in slots and number not in shown:
                shown.add(number)
                told = Told(() if slot in self._spread.open_slots else (None,))
                shows = {number: self._spread.full}
                yield Reveal(slot, shows, ends, slots | {slot}, dark, told, True)

    def _worth(self, begun: Open, reveal: Reveal, worlds: Mask) -> float:
        """Add up what a reveal is worth over the worlds, each number that it may show by itself."""
        total, missed = 0.0, 0
        for number, mask in reveal.shows.items():
            if not (here := worlds & mask):
                continue
            if begun.number not in {None, number}:
                missed |= here
                if reveal.within_reach:
                    total += self._change(number, reveal.told, here)
            elif begun.cards == COPIES - 1:
                total += self.taken(number, here)
            else:
                told = begun.told + reveal.told
                _, _, ends, slots, dark, _, _ = reveal
                total += self._best(Open(number, begun.cards + 1, ends, slots, dark, told), here)
        return total + self._missed(begun, missed, idle=reveal.told == _NOTHING)

    def _best(self, begun: Open, worlds: Mask) -> float:
        """Weigh the best way on: a source that may match, or a miss that tells nothing more."""
        best = self._missed(begun, worlds, idle=True)
        for reveal in self._reveals(begun):
            if reveal.shows.get(begun.number or 0, 0) & worlds:
                best = max(best, self._worth(begun, reveal, worlds))
        return best

    def _missed(self, begun: Open, worlds: Mask, *, idle: bool) -> float:
        """Weigh the end of a turn by what its matching cards have told."""
        if not worlds:
            return 0.0
        self.nodes += 1
        total = self._miss * worlds.bit_count()
        if begun.number is not None and begun.told != _NOTHING:
            return total + self._change(begun.number, begun.told, worlds)
        return total - _IDLE * worlds.bit_count() if idle else total

    def _change(self, number: Number, told: Told, worlds: Mask) -> float:
        """Weigh what is told of a number."""
        terms = self._changes.get((number, told))
        if terms is None:
            before = dict.fromkeys(self._promise(number))
            after = dict.fromkeys(self._promise(number, told))
            terms = [term for term in after if term not in before]
            terms += [(mask, -share) for mask, share in before if (mask, share) not in after]
            self._changes[number, told] = terms
        return _total(terms, worlds)

    def _promise(self, number: Number, told: Told = _NOTHING) -> list[Term]:
        """List what the number may still bring or cost, in which worlds, when the turn ends."""
        terms = self._terms.get((number, told))
        if terms is None:
            terms = [term for term in self._chances(number, told) if term[0] and term[1]]
            self._terms[number, told] = terms
        return terms

    def _chances(self, number: Number, told: Told) -> Iterator[Term]:
        spread, stakes, fit = self._spread, self._stakes, self._stakes.fit
        shown = told.owners.count(None)
        dark = spread.in_dark[number][shown]
        places = Places(
            at_ends=spread.full & ~spread.buried[number] & ~dark,
            in_dark=dark & ~spread.buried[number],
            slots=max(1, len(self._sight.dark_slots) - shown),
        )
        left = spread.full
        for letter, odds in zip(
            self._order, (fit.following, *(fit.others,) * COPIES), strict=False
        ):
            more = len(told.owners) - told.owners.count(letter)
            three, two, one = (spread.knows(letter, number, n, more) for n in (3, 2, 1))
            loss = stakes.after(letter, number) - stakes.now
            yield from _terms(odds, places, loss, (left & three, left & two, left & one))
            left &= ~three
        gain = stakes.after(self._sight.seat, number) - stakes.now
        mine = spread.mine[number] + told.new
        yield from _terms(fit.mine, places, gain, tuple(left * (mine >= n) for n in (3, 2, 1)))


class Places(NamedTuple):
    """Where all cards of a number that are not known yet lie within reach, in which worlds."""

    at_ends: Mask
    in_dark: Mask
    slots: int


def _terms(odds: Odds, places: Places, share: float, known: tuple[Mask, ...]) -> Iterator[Term]:
    three, two, one = known
    two &= ~three
    one &= ~two & ~three
    yield three, odds.three * share
    yield two & places.at_ends, odds.two_at_ends * share
    yield two & places.in_dark, odds.two_dark * share / places.slots
    yield one & places.at_ends, odds.one_at_ends * share
    yield one & places.in_dark, odds.one_dark * share / places.slots


def _total(terms: Iterable[Term], worlds: Mask) -> float:
    total = 0.0
    for mask, share in terms:
        total += share * (mask & worlds).bit_count()
    return total


def _run(hand: HandSight, end: str) -> Cards:
    return hand.low if end[1] == "<" else hand.high
