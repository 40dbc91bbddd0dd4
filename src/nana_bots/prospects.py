"""How likely a number can be completed in one turn, from what a seat can see.

A source gives cards of a number one after the other: a known slot one for certain,
a hand end as many as lie there in a row. Its *chain* is the chance that the first,
the first two, ... cards from it are of the number; all unseen slots make one chain.
A set is completed by going some way along some chains (`along`).
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from msgspec import Struct

from nana_bots.odds import CENTER, Odds, Share
from nana_core.deck import COPIES, Cards, Number
from nana_core.knowledge import HandSight, Sight

Chain: TypeAlias = tuple[float, ...]
Chances: TypeAlias = tuple[float, float, float]
"""To take one card, two, and three."""

_HIDDEN: Final = 0.15  # chance that others try an end of the own hand that they never saw
_NONE: Final = (0.0, 0.0, 0.0)
_SURE: Final = (1.0,)
_ROWS: Final = tuple((1.0,) * row for row in range(COPIES + 1))
_FAINT: Final = 0.03  # a chain that begins with less is not worth following


class _Hands(Struct, frozen=True):
    """Hands of the same kind, by the numbers that they may show at an end."""

    showing: dict[Number, list[tuple[str, HandSight]]]
    chains: dict[tuple[Number, int], list[list[Chain]]] = {}
    """By number, and how many copies are not located: of each hand, when none was revealed."""


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
        shared = along(self._center_chains(number, copies, after))
        shared = along(self._hand_chains(self._others, number, copies, after), shared)
        mine = along(self._hand_chains(self._own, number, copies, after), shared)
        theirs = along(self._hand_chains(self._own_in_public, number, copies, after), shared)
        return mine[need - 1], theirs[need - 1]

    def _by_number(self, hands: dict[str, HandSight]) -> "_Hands":
        """Find the hands that may show each number at an end."""
        found: dict[Number, list[tuple[str, HandSight]]] = {}
        for letter, hand in hands.items():
            owner = letter.lower()
            for number in self._shown_by(owner + "<", hand) | self._shown_by(owner + ">", hand):
                found.setdefault(number, []).append((owner, hand))
        return _Hands(found)

    def _shown_by(self, end: str, hand: HandSight) -> set[Number]:
        if run := _run(hand, end[1]):
            return {run[0]}
        if not hand.unknown:
            return set()
        if end in self._hidden:
            return {self._hidden[end]}
        return {number for number, chance in self._odds.ends[end].items() if chance > _FAINT}

    def _center_chains(self, number: Number, copies: int, after: str | None) -> list[Chain]:
        chains: list[Chain] = [_SURE for slot in self._slots.get(number, ()) if slot != after]
        slots = len(self._dark) - (after in self._dark)
        if slots and copies > 0:
            share = self._odds.shares[CENTER].get(number, 0.0)
            first = min(1.0, share * copies / slots)
            if copies == 1 or slots == 1:
                chains.append((first,))
            else:
                chains.append((first, first * min(1.0, share * (copies - 1) / (slots - 1))))
        return chains

    def _hand_chains(
        self, hands: "_Hands", number: Number, copies: int, after: str | None
    ) -> list[Chain]:
        """List the chains of the hands that may show the number; most are asked for again."""
        showing = hands.showing.get(number)
        if showing is None:
            return []
        untouched = hands.chains.get((number, copies))
        if untouched is None:
            untouched = hands.chains[number, copies] = [
                self._ends_chains(number, owner, hand, copies, None) for owner, hand in showing
            ]
        shown = "" if after is None or after[1] not in "<>" else after[0]
        found: list[Chain] = []
        for (owner, hand), chains in zip(showing, untouched, strict=True):
            if owner == shown:
                found += self._ends_chains(number, owner, hand, copies, after)
            else:
                found += chains
        return found

    def _ends_chains(
        self, number: Number, owner: str, hand: HandSight, copies: int, after: str | None
    ) -> list[Chain]:
        low = self._end_chain(number, owner + "<", hand, copies, after)
        high = self._end_chain(number, owner + ">", hand, copies, after)
        left = hand.cards - (after is not None)
        low = low[:left]
        high = high[: left - len(low)]  # the two must not take the same card
        return [chain for chain in (low, high) if chain]

    def _end_chain(
        self, number: Number, end: str, hand: HandSight, copies: int, after: str | None
    ) -> Chain:
        run = hand.low if end[1] == "<" else hand.high
        row = 0
        for card in run:
            if card != number:
                break
            row += 1
        shown = end == after
        chain = _ROWS[row - 1 if shown and row else row]
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
        if shown:
            return (1 - (1 - min(share, 1.0)) ** copies,)
        first = self._odds.ends[end].get(number, 0.0) * copies / self.sight.unlocated[number]
        if first <= _FAINT:
            return ()
        return (first, first * (1 - (1 - min(share, 1.0)) ** (copies - 1)))


def along(chains: Iterable[Chain], so_far: Chances = _NONE) -> Chances:
    """Return the best chances to take one, two and three cards, going on along more chains."""
    one, two, three = so_far
    for chain in chains:  # written out, for speed: each asks for the best before this chain
        first = chain[0]
        if (together := two * first) > three:
            three = together
        if len(chain) > 1:
            second = chain[1]
            if (together := one * second) > three:
                three = together
            if len(chain) > COPIES - 1 and chain[2] > three:
                three = chain[2]
            two = max(two, second)
        if (together := one * first) > two:
            two = together
        one = max(one, first)
    return one, two, three


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
