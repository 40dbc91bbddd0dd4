"""How likely a number can be completed in one turn, from what a seat can see.

A source gives cards of a number one after the other: a known slot one for certain,
a hand end as many as lie there in a row. Its *chain* is the chance that the first,
the first two, ... cards from it are of the number; all unseen slots make one chain.
A set is completed by going some way along some chains (`completed`).
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from nana_bots.odds import CENTER, Odds, Share
from nana_bots.sight import HandSight, Sight
from nana_core.deck import COPIES, Cards, Number

Chain: TypeAlias = tuple[float, ...]

_HIDDEN: Final = 0.15  # chance that others try an end of the own hand that they never saw


class Prospects:
    """The chances of one position. `after` names a source that has just shown the number."""

    def __init__(self, sight: Sight, odds: Odds) -> None:
        self.sight = sight
        self._odds = odds
        self._dark = frozenset(sight.dark_slots)
        self._slots = sorted(sight.known_slots.items())
        self._public = {**sight.hands, sight.seat: sight.own_in_public}
        self._hidden = _hidden_ends(sight)

    def chances(self, source: str) -> Share:
        """Say what the next card from a source may be."""
        if source in self._dark:
            share = self._odds.shares[CENTER]
            return {n: p * self.sight.unlocated[n] / len(self._dark) for n, p in share.items()}
        if source in self.sight.known_slots:
            return {self.sight.known_slots[source]: 1.0}
        run = _run(self.sight.hands[source[0].upper()], source[1])
        return {run[0]: 1.0} if run else self._odds.ends[source]

    def mine(self, number: Number, need: int, after: str | None = None) -> float:
        """Chance that this seat finds as many more cards of the number."""
        return completed(self._chains(number, self.sight.hands, after), need)

    def theirs(self, number: Number, need: int, after: str | None = None) -> float:
        """Chance that the others could, with what is public and what their hands may hold."""
        return completed(self._chains(number, self._public, after), need)

    def _chains(
        self, number: Number, hands: dict[str, HandSight], after: str | None
    ) -> Iterable[Chain]:
        copies = self.sight.unlocated.get(number, 0)
        if after is not None and self._is_unknown(after):
            copies -= 1
        for slot, seen in self._slots:
            if seen == number and slot != after:
                yield (1.0,)
        if copies > 0 and self._dark:
            yield self._dark_chain(number, copies, after)
        for letter, hand in hands.items():
            yield from self._hand_chains(number, letter.lower(), hand, copies, after)

    def _is_unknown(self, source: str) -> bool:
        return source in self._dark or (
            source not in self.sight.known_slots
            and not _run(self.sight.hands[source[0].upper()], source[1])
        )

    def _dark_chain(self, number: Number, copies: int, after: str | None) -> Chain:
        slots = len(self._dark) - (after in self._dark)
        share = self._odds.shares[CENTER].get(number, 0.0)
        chain: list[float] = []
        chance = 1.0
        for taken in range(min(copies, slots)):
            chance *= min(1.0, share * (copies - taken) / (slots - taken))
            chain.append(chance)
        return tuple(chain)

    def _hand_chains(
        self, number: Number, owner: str, hand: HandSight, copies: int, after: str | None
    ) -> Iterable[Chain]:
        cards = len(hand.low) + len(hand.high) + hand.unknown if hand.unknown else len(hand.low)
        low = self._end_chain(number, owner + "<", hand, copies, after)
        high = self._end_chain(number, owner + ">", hand, copies, after)
        if low:
            yield low
        if high := high[: cards - len(low)]:
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
        return chain + self._unseen(number, end, copies, shown=shown and not row)

    def _unseen(self, number: Number, end: str, copies: int, *, shown: bool) -> Chain:
        """Continue a chain past what is known of a hand; `shown`: the first has been seen."""
        if end in self._hidden:
            return (_HIDDEN,) if self._hidden[end] == number and not shown else ()
        if copies <= 0:
            return ()
        share = self._odds.shares[end[0].upper()].get(number, 0.0)
        again = 1 - (1 - min(share, 1.0)) ** (copies if shown else copies - 1)
        if shown:
            return (again,)
        first = self._odds.ends[end].get(number, 0.0) * copies / self.sight.unlocated[number]
        return (first, first * again)


def completed(chains: Iterable[Chain], need: int) -> float:
    """Return the best chance to take as many cards along the chains."""
    best = [1.0] + [0.0] * need
    for chain in chains:
        for total in range(need, 0, -1):
            for taken, chance in enumerate(chain[:total], start=1):
                best[total] = max(best[total], best[total - taken] * chance)
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
