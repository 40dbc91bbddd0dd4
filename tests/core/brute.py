"""Every deal that fits what a seat saw of a game, found by trying them all.

The oracle of the knowledge tests, so it shares nothing with what it judges: it takes
deals apart card by card and plays the attempts again on each of them. It uses three
plain facts to have fewer to try: the own hand, slots once seen, cards once seen in a hand.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import factorial, prod

from msgspec import Struct

from nana_core.deck import SIZES, Cards, Deal, full_deck
from nana_core.protocol.outbound import AttemptView


class World(Struct, frozen=True):
    """Where every card lies now."""

    hands: tuple[Cards, ...]
    center: Cards  # by slot, of collected ones as well
    shuffles: int  # that lead to it, but for a factor that all worlds share


def worlds(deal: Deal, attempts: Sequence[AttemptView], seat: int, most: int) -> list[World] | None:
    """Find each world that fits; None: there are more than `most` to try."""
    players = len(deal.hands)
    size = SIZES[players]
    hands = [_seen_in(attempts, "ABCDE"[at]) for at in range(players)]
    hands[seat] = Counter(deal.hands[seat])
    slots = {c.source: c.number for a in attempts for c in a.cards if c.source[1] not in "<>"}
    dark = [f"c{at}" for at in range(1, size.center + 1) if f"c{at}" not in slots]
    left = Counter(full_deck(players))
    left.subtract(slots.values())
    for hand in hands:
        left.subtract(hand)
    room = [size.hand - hand.total() for hand in hands]
    found: list[World] = []
    for tried, (shares, order) in enumerate(_candidates(sorted(left.items()), room, len(dark))):
        if tried == most:
            return None
        placed = slots | dict(zip(dark, order, strict=True))
        center = tuple(placed[f"c{at}"] for at in range(1, size.center + 1))
        whole = [
            sorted((hand + Counter(share)).elements())
            for hand, share in zip(hands, shares, strict=True)
        ]
        if (now := _played(whole, center, attempts)) is not None:
            found.append(World(now, center, _shuffles(whole, size.top)))
    return found


def _candidates(
    left: list[tuple[int, int]], room: list[int], dark: int
) -> Iterator[tuple[tuple[list[int], ...], Cards]]:
    for *shares, center in _shared(left, room, dark):
        for order in _orders(Counter(center)):
            yield tuple(shares), order


def _orders(cards: Counter[int]) -> Iterator[Cards]:
    if not cards.total():
        yield ()
    for card in [card for card, count in cards.items() if count]:
        for order in _orders(cards - Counter([card])):
            yield (card, *order)


def _seen_in(attempts: Sequence[AttemptView], letter: str) -> Counter[int]:
    ends, seen = {letter.lower() + end for end in "<>"}, Counter[int]()
    for attempt in attempts:
        seen |= Counter(c.number for c in attempt.cards if c.source in ends)
    return seen


def _shared(
    left: list[tuple[int, int]], room: list[int], dark: int
) -> Iterator[tuple[list[int], ...]]:
    """Share the cards out to the hands and, last, to the dark slots."""
    if not left:
        yield tuple([] for _ in (*room, dark))
        return
    (number, count), rest = left[0], left[1:]
    places = len(room) + 1
    for way in combinations_with_replacement(range(places), count):
        here = [way.count(at) for at in range(places)]
        spare = [r - h for r, h in zip((*room, dark), here, strict=True)]
        if min(spare) >= 0:
            for shares in _shared(rest, spare[:-1], spare[-1]):
                yield tuple([number] * h + share for h, share in zip(here, shares, strict=True))


def _played(
    hands: list[list[int]], center: Cards, attempts: Sequence[AttemptView]
) -> tuple[Cards, ...] | None:
    """Return the hands after these attempts; None: they would have shown something else."""
    now = hands
    for attempt in attempts:
        after = [list(hand) for hand in now]
        for card in attempt.cards:
            if card.source[1] not in "<>":
                shown = center[int(card.source[1:]) - 1]
            else:
                hand = after["abcde".index(card.source[0])]
                if not hand:
                    return None
                shown = hand.pop(0 if card.source[1] == "<" else -1)
            if shown != card.number:
                return None
        if attempt.outcome != "miss":
            now = after
    return tuple(tuple(hand) for hand in now)


def _shuffles(hands: list[list[int]], top: int) -> int:
    """Count the ways to take cards of three copies for these hands, the center being given."""
    copies = prod(factorial(hand.count(n)) for hand, n in product(hands, range(1, top + 1)))
    return int(factorial(3) ** top) // copies
