"""How likely a number can be completed in one turn, from what a seat can see.

A source gives cards of a number one after the other: a known slot one for certain,
a hand end as many as lie there in a row. Its *chain* is the chance that the first,
the first two, ... cards from it are of the number; all unseen slots make one chain.
A set is completed by going some way along some chains (`completed`).
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from nana_bots.odds import CENTER, Odds, Share
from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge import HandSight, Sight, owner_of

Chain: TypeAlias = tuple[float, ...]

_HIDDEN: Final = 0.15  # chance that others try an end of the own hand that they never saw
_FAINT: Final = 0.03  # a chain that begins with less is not worth following


class Prospects:
    """The chances of one position. `after` names a source that has just shown the number."""

    def __init__(self, sight: Sight, odds: Odds) -> None:
        self.sight = sight
        self._odds = odds
        self._dark = frozenset(sight.dark_slots)
        self._slots: dict[Number, list[str]] = {}
        for slot, number in sight.known_slots.items():
            self._slots.setdefault(number, []).append(slot)
        own, public = sight.hands[sight.seat], sight.own_in_public
        self._hidden = _hidden_ends(sight)
        self._others = self._by_number({k: h for k, h in sight.hands.items() if k != sight.seat})
        self._own = self._by_number({sight.seat: own})
        self._own_in_public = self._by_number({sight.seat: public})

    def chances(self, source: str) -> Share:
        """Say what the next card from a source may be."""
        if source in self._dark:
            share = self._odds.shares[CENTER]
            return {n: p * self.sight.unlocated[n] / len(self._dark) for n, p in share.items()}
        if source in self.sight.known_slots:
            return {self.sight.known_slots[source]: 1.0}
        run = _run(self.sight.hands[source[0].upper()], source[1])
        return {run[0]: 1.0} if run else self._odds.ends[source]

    def is_unseen(self, source: str) -> bool:
        """Whether this seat cannot be sure what the source shows."""
        if source in self._dark:
            return True
        if source in self.sight.known_slots:
            return False
        return not _run(self.sight.hands[source[0].upper()], source[1])

    def both(self, number: Number, need: int, after: str | None = None) -> tuple[float, float]:
        """Chances to find as many more cards of the number: for this seat, for any other.

        The others know what is public then, and are taken to know what they may hold.
        """
        copies = self.sight.unlocated[number] - (after is not None and self.is_unseen(after))
        shared = [*self._center_chains(number, copies, after)]
        shared += self._hand_chains(self._others, number, copies, after)
        mine = [*shared, *self._hand_chains(self._own, number, copies, after)]
        theirs = [*shared, *self._hand_chains(self._own_in_public, number, copies, after)]
        return completed(mine, need), completed(theirs, need)

    def _by_number(self, hands: dict[str, HandSight]) -> dict[Number, list[tuple[str, HandSight]]]:
        """Find the hands that may show each number at an end."""
        found: dict[Number, list[tuple[str, HandSight]]] = {}
        for letter, hand in hands.items():
            owner = letter.lower()
            for number in self._shown_by(owner + "<", hand) | self._shown_by(owner + ">", hand):
                found.setdefault(number, []).append((owner, hand))
        return found

    def _shown_by(self, end: str, hand: HandSight) -> set[Number]:
        if run := _run(hand, end[1]):
            return {run[0]}
        if not hand.unknown:
            return set()
        if end in self._hidden:
            return {self._hidden[end]}
        return {number for number, chance in self._odds.ends[end].items() if chance > _FAINT}

    def _center_chains(self, number: Number, copies: int, after: str | None) -> Iterator[Chain]:
        for slot in self._slots.get(number, ()):
            if slot != after:
                yield (1.0,)
        slots = len(self._dark) - (after in self._dark)
        if slots and copies > 0:
            share = self._odds.shares[CENTER].get(number, 0.0)
            first = min(1.0, share * copies / slots)
            if copies == 1 or slots == 1:
                yield (first,)
            else:
                yield (first, first * min(1.0, share * (copies - 1) / (slots - 1)))

    def _hand_chains(
        self,
        hands: dict[Number, list[tuple[str, HandSight]]],
        number: Number,
        copies: int,
        after: str | None,
    ) -> Iterator[Chain]:
        for owner, hand in hands.get(number, ()):
            low = self._end_chain(number, owner + "<", hand, copies, after)
            high = self._end_chain(number, owner + ">", hand, copies, after)
            left = hand.cards - (after is not None and owner_of(after) == owner.upper())
            if low := low[:left]:
                yield low
            if high := high[: left - len(low)]:  # the two must not take the same card
                yield high

    def _end_chain(
        self, number: Number, end: str, hand: HandSight, copies: int, after: str | None
    ) -> Chain:
        run = _run(hand, end[1])
        row = 0
        while row < len(run) and run[row] == number:
            row += 1
        shown = end == after
        chain = (1.0,) * (row - 1 if shown and row else row)
        if row < len(run) or not hand.unknown:
            return chain
        if end in self._hidden:
            hidden = self._hidden[end] == number and not (shown and not row)
            return (*chain, _HIDDEN) if hidden else chain
        return chain + self._unseen(number, end, copies, shown=shown and not row)

    def _unseen(self, number: Number, end: str, copies: int, *, shown: bool) -> Chain:
        """Continue a chain past what is known of a hand; `shown`: the first has been seen."""
        if copies <= 0:
            return ()
        share = self._odds.shares[end[0].upper()].get(number, 0.0)
        again = 1 - (1 - min(share, 1.0)) ** (copies if shown else copies - 1)
        if shown:
            return (again,)
        first = self._odds.ends[end].get(number, 0.0) * copies / self.sight.unlocated[number]
        return (first, first * again) if first > _FAINT else ()


def completed(chains: Iterable[Chain], need: int) -> float:
    """Return the best chance to take as many cards along the chains."""
    best = [1.0, 0.0, 0.0, 0.0]
    for chain in chains:
        for total in range(need, 0, -1):
            for taken, chance in enumerate(chain[:total], start=1):
                if (together := best[total - taken] * chance) > best[total]:
                    best[total] = together
    return best[need]


def needed(sight: Sight, number: Number) -> int:
    """Cards of the number that do not lie open in the attempt in progress."""
    return COPIES - (sight.matched if number == sight.number else 0)


def _run(hand: HandSight, end: str) -> Cards:
    return hand.low if end == "<" else hand.high


def _hidden_ends(sight: Sight) -> dict[str, Number]:
    """Find the own cards that come next at each end after what is public of the hand."""
    public, cards = sight.own_in_public, sight.hands[sight.seat].low
    if not public.unknown:
        return {}
    owner = sight.seat.lower()
    return {
        owner + "<": cards[len(public.low)],
        owner + ">": cards[len(cards) - 1 - len(public.high)],
    }
