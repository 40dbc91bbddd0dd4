"""The table as one seat sees it now: what is known where, and what is not.

Joins the public facts with the own hand and with what the attempt in progress has
taken out. Still certainty only; `odds` guesses at the rest.
"""

from msgspec import Struct

from nana_bots.knowledge import HandFacts, Knowledge, owner_of, revealed_of_hands
from nana_core.deck import COPIES, Cards, Number
from nana_core.protocol.outbound import Snapshot


class HandSight(Struct, frozen=True):
    """A hand without the cards that lie open; each known run from its end inward."""

    low: Cards
    high: Cards
    unknown: int  # cards between the runs
    floor: Number
    ceiling: Number

    @property
    def cards(self) -> int:
        return len(self.low) + self.unknown + (len(self.high) if self.unknown else 0)


class Sight(Struct, frozen=True):
    """Everything that decides where to find a number."""

    seat: str
    known_slots: dict[str, Number]  # face down, seen before
    dark_slots: tuple[str, ...]  # face down, never seen
    hands: dict[str, HandSight]  # by letter; the own one exactly
    own_in_public: HandSight  # the own hand as the others know it
    unlocated: dict[Number, int]  # by number in play: cards that are in no known place
    number: Number | None  # of the attempt in progress
    matched: int  # cards that it has


def sight_of(view: Snapshot, knowledge: Knowledge) -> Sight:
    """See the table from the view's own seat, which is on turn."""
    seat = view.you.seat
    if seat is None:
        raise AssertionError("a spectator has nothing to decide")
    down = [name for name in view.legal if owner_of(name) is None]
    known_slots = {name: knowledge.slots[name] for name in down if name in knowledge.slots}
    taken = {} if view.attempt is None else revealed_of_hands(view.attempt)
    public = {
        other.seat: _hand(
            knowledge.hands[other.seat], other.cards, *taken.get(other.seat, ((), ()))
        )
        for other in view.seats
    }
    own = view.you.hand
    hands = {**public, seat: HandSight(own, own[::-1], 0, 0, 0)}
    open_cards = () if view.attempt is None else view.attempt.cards
    return Sight(
        seat=seat,
        known_slots=known_slots,
        dark_slots=tuple(name for name in down if name not in known_slots),
        hands=hands,
        own_in_public=public[seat],
        unlocated=_unlocated(view, known_slots, hands),
        number=open_cards[0].number if open_cards else None,
        matched=len(open_cards),
    )


def _hand(facts: HandFacts, cards: int, lows: Cards, highs: Cards) -> HandSight:
    """See a hand that has `cards` left beside those taken out by the attempt."""
    size = cards + len(lows) + len(highs)
    low, high = facts.low[:size], facts.high[:size]
    if len(low) + len(high) >= size:  # the runs meet: all of it is known
        low = (*low, *high[: size - len(low)][::-1])
        left = low[len(lows) : size - len(highs)]
        return HandSight(left, left[::-1], 0, facts.floor, facts.ceiling)
    return HandSight(
        low=low[len(lows) :],
        high=high[len(highs) :],
        unknown=size - len(low) - len(high),
        floor=facts.floor,
        ceiling=facts.ceiling,
    )


def _unlocated(
    view: Snapshot, known_slots: dict[str, Number], hands: dict[str, HandSight]
) -> dict[Number, int]:
    gone = {number for seat in view.seats for number in seat.sets}
    left = dict.fromkeys((n for n in range(1, _top(view) + 1) if n not in gone), COPIES)
    located = [*known_slots.values()]
    for hand in hands.values():
        located += hand.low
        if hand.unknown:
            located += hand.high
    if view.attempt is not None:
        located += [card.number for card in view.attempt.cards]
    for number in located:
        left[number] -= 1
    return left


def _top(view: Snapshot) -> Number:
    """Return the highest number of the game: every card lies somewhere or is in a set."""
    taken = () if view.attempt is None else view.attempt.cards
    cards = sum(seat.cards + COPIES * len(seat.sets) for seat in view.seats)
    cards += sum(slot != "gone" for slot in view.center)
    cards += sum(owner_of(card.source) is not None for card in taken)
    return cards // COPIES
