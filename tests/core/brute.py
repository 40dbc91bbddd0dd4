"""Every deal that fits what a seat saw of a game, found by trying them all.

The oracle of the knowledge tests, so it shares nothing with what it judges: it fills one
hand after the other in every way there is, and plays the attempts again on each of them. It
uses four plain facts to have fewer to try: the own hand, slots once seen, cards once seen in a
hand, and that what fits does so in every order of the slots that nobody ever saw.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import TypeAlias

from msgspec import Struct

from nana_core.deck import LETTERS, SIZES, Cards, Deal, full_deck
from nana_core.protocol.outbound import AttemptView

Counts: TypeAlias = tuple[int, ...]
"""Cards by number, or by place."""


class World(Struct, frozen=True):
    """Where every card lies now, but for the order of those in dark slots."""

    hands: tuple[Cards, ...]
    dark: Cards  # sorted
    shuffles: int  # that lead to it in some order, but for a factor that all worlds share


def tried(deal: Deal, attempts: Sequence[AttemptView], seat: int) -> int:
    """Count the worlds to try: hands in no order, then dark slots in every order."""
    spread = Spread.before(deal, attempts, seat)
    return _ways(tuple(spread.left.values()), spread.room)


def worlds(deal: Deal, attempts: Sequence[AttemptView], seat: int) -> list[World]:
    """Find what fits."""
    spread = Spread.before(deal, attempts, seat)
    return [spread.world(dealt, unseen) for dealt, unseen in spread.hands(0, spread.left)]


class Spread(Struct, frozen=True):
    """Fills the hands, from the first to the last; what is left over lies in the dark."""

    attempts: Sequence[AttemptView]
    seen: list[Counter[int]]  # by hand
    room: Counts  # by hand, for what nobody saw in it; last, dark slots
    left: Counter[int]  # cards that nobody saw
    played: dict[tuple[int, Cards], Cards | None] = {}  # of each hand by itself

    @classmethod
    def before(cls, deal: Deal, attempts: Sequence[AttemptView], seat: int) -> "Spread":
        """Lay out what a seat knows."""
        size = SIZES[len(deal.hands)]
        seen = [_seen_in(attempts, letter) for letter in LETTERS[: len(deal.hands)]]
        seen[seat] = Counter(deal.hands[seat])
        slots = seen_slots(attempts)
        left = Counter(full_deck(len(deal.hands)))
        left.subtract(slots.values())
        for hand in seen:
            left.subtract(hand)
        room = (*(size.hand - hand.total() for hand in seen), size.center - len(slots))
        return cls(attempts, seen, room, left)

    def hands(self, at: int, left: Counter[int]) -> Iterator[tuple[tuple[Cards, ...], Cards]]:
        """Fill this hand and those after it, as they were dealt."""
        if at == len(self.seen):
            yield (), tuple(sorted(left.elements()))
            return
        for share in _shares(left, self.room[at]):
            hand = tuple(sorted((*self.seen[at].elements(), *share)))
            if self.now(at, hand) is not None:
                for others, unseen in self.hands(at + 1, left - Counter(share)):
                    yield (hand, *others), unseen

    def now(self, at: int, hand: Cards) -> Cards | None:
        """Return a hand as the attempts leave it; None: it would have shown something else."""
        if (at, hand) not in self.played:
            self.played[at, hand] = _played(hand, LETTERS[at].lower(), self.attempts)
        return self.played[at, hand]

    def world(self, dealt: tuple[Cards, ...], unseen: Cards) -> World:
        now = tuple(self.now(at, hand) or () for at, hand in enumerate(dealt))
        return World(now, unseen, prod(map(_orders, dealt)) * _orders(unseen))


def seen_slots(attempts: Sequence[AttemptView]) -> dict[str, int]:
    return {c.source: c.number for a in attempts for c in a.cards if c.source[1] not in "<>"}


def _seen_in(attempts: Sequence[AttemptView], letter: str) -> Counter[int]:
    ends, seen = {letter.lower() + end for end in "<>"}, Counter[int]()
    for attempt in attempts:
        seen |= Counter(c.number for c in attempt.cards if c.source in ends)
    return seen


def _ways(left: Counts, room: Counts) -> int:
    """Count the ways to lay out so many cards of each number; in the last place in any order."""

    @cache
    def ways(at: int, room: Counts) -> int:
        if at == len(left):
            return int(not any(room))
        total = 0
        for way in combinations_with_replacement(range(len(room)), left[at]):
            here = [way.count(place) for place in range(len(room))]
            spare = tuple(r - h for r, h in zip(room, here, strict=True))
            if min(spare) >= 0:
                total += ways(at + 1, spare) * comb(room[-1], here[-1])
        return total

    return ways(0, room)


def _shares(left: Counter[int], cards: int) -> Iterator[Cards]:
    """Take so many of the cards, in every way."""
    numbers = [number for number, count in left.items() if count]

    def taken(at: int, cards: int) -> Iterator[Cards]:
        if not cards:
            yield ()
        elif at < len(numbers):
            for copies in range(min(cards, left[numbers[at]]) + 1):
                for others in taken(at + 1, cards - copies):
                    yield (numbers[at],) * copies + others

    return taken(0, cards)


def _orders(cards: Cards) -> int:
    """Count the orders of cards, of which those with the same number are alike."""
    return factorial(len(cards)) // prod(map(factorial, Counter(cards).values()))


def _played(hand: Cards, owner: str, attempts: Sequence[AttemptView]) -> Cards | None:
    now = list(hand)
    for attempt in attempts:
        after = now.copy()
        for card in attempt.cards:
            if card.source not in {owner + "<", owner + ">"}:
                continue
            if not after or after.pop(0 if card.source[1] == "<" else -1) != card.number:
                return None
        if attempt.outcome != "miss":
            now = after
    return tuple(now)
