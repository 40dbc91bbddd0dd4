"""The table as one seat sees it now: what is known where, and what is not.

Joins the public facts with the own hand and with what the attempt in progress has
taken out. Certainty only, card by card; `counting` adds what only follows from all.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from nana_core.deck import COPIES, LETTERS, SIZES, Cards, Number, Seat
from nana_core.game import Attempt, Slot, Table
from nana_core.knowledge.facts import Facts, HandFacts, owner_of, revealed_of_hands
from nana_core.protocol.outbound import AttemptView, Snapshot
from nana_core.protocol.wire import attempt_view


class HandSight(Struct, frozen=True):
    """A hand without the cards that lie open; each known run from its end inward."""

    low: Cards
    high: Cards
    unknown: int  # cards between the runs; at 0 both runs are the whole hand
    floor: Number
    ceiling: Number

    @property
    def cards(self) -> int:
        return len(self.low) + self.unknown + (len(self.high) if self.unknown else 0)

    @property
    def located(self) -> Cards:
        """Every card that is known to be in it."""
        return self.low + self.high if self.unknown else self.low


class Sight(Struct, frozen=True):
    """Everything that decides where to find a number."""

    viewer: str | None  # a seat's letter; None: a spectator
    known_slots: dict[str, Number]  # face down, its number certain
    dark_slots: tuple[str, ...]  # face down, anything that is unlocated
    hands: dict[str, HandSight]  # by letter; the own one exactly
    public: dict[str, HandSight]  # by letter: the hands as everyone knows them
    unlocated: dict[Number, int]  # by number in play: cards that are in no known place
    number: Number | None  # of the attempt in progress
    matched: int  # cards that it has
    lying_open: dict[str, Cards] = {}  # by letter: those of them that came from a hand

    def held(self, letter: str) -> Cards:
        """Every card that a hand is known to have brought to this turn, also those taken out."""
        return self.hands[letter].located + self.lying_open.get(letter, ())

    @property
    def seat(self) -> str:
        if self.viewer is None:
            raise AssertionError("a spectator has no seat")
        return self.viewer

    @property
    def own_in_public(self) -> HandSight:
        """The own hand as the others know it."""
        return self.public[self.seat]


def sight_of(view: Snapshot, facts: Facts) -> Sight:
    """See the table from the view's own seat, which is on turn."""
    if view.you.seat is None:
        raise AssertionError("a spectator has nothing to decide")
    return sight_from(
        facts,
        view.you.seat,
        view.you.hand,
        down=[name for name in view.legal if owner_of(name) is None],
        cards=[(seat.seat, seat.cards) for seat in view.seats],
        gone=chain.from_iterable(seat.sets for seat in view.seats),
        attempt=view.attempt,
    )


def resting(view: Snapshot, facts: Facts) -> Sight:
    """See the table from the view's own seat as if the attempt in progress had missed."""
    if view.you.seat is None:
        raise AssertionError("a spectator has nothing to decide")
    taken = {} if view.attempt is None else revealed_of_hands(view.attempt)
    lows, highs = taken.get(view.you.seat, ((), ()))
    return sight_from(
        facts,
        view.you.seat,
        tuple(sorted(view.you.hand + lows + highs)),
        down=[f"c{slot}" for slot, state in enumerate(view.center, 1) if state != "gone"],
        cards=[
            (seat.seat, seat.cards + sum(map(len, taken.get(seat.seat, ())))) for seat in view.seats
        ],
        gone=chain.from_iterable(seat.sets for seat in view.seats),
        attempt=None,
    )


def sight_at(table: Table, seat: Seat | None, hand: Cards, facts: Facts) -> Sight:
    """See a table from a seat that holds this hand, or with None and no hand as a spectator.

    `facts` must have learnt every attempt, also one that has not ended. While an ended
    one is shown, the table is seen as it will lie after the continue.
    """
    attempt = table.attempt
    down = [f"c{slot}" for slot, state in enumerate(table.center, 1) if _is_down(state, attempt)]
    cards = dict(zip(LETTERS, table.hand_sizes, strict=False))
    if attempt.outcome == "miss":
        for letter, (lows, highs) in revealed_of_hands(attempt_view(attempt, 0)).items():
            cards[letter] += len(lows) + len(highs)
            if seat is not None and letter == LETTERS[seat]:
                hand = tuple(sorted(hand + lows + highs))
    return sight_from(
        facts,
        None if seat is None else LETTERS[seat],
        hand,
        down=down,
        cards=list(cards.items()),
        gone=chain.from_iterable(table.sets),
        attempt=attempt_view(attempt, 0) if attempt.outcome is None else None,
    )


def _is_down(state: Slot, attempt: Attempt) -> bool:
    return state == "down" or (attempt.outcome == "miss" and state != "gone")


def sight_from(
    facts: Facts,
    seat: str | None,
    hand: Cards,
    *,
    down: Sequence[str],
    cards: Sequence[tuple[str, int]],
    gone: Iterable[Number],
    attempt: AttemptView | None,
) -> Sight:
    """See a table given in parts; for a spectator, `seat` None, with no hand.

    `down`: the slots with a card face down. `cards`: by letter, how many are in each hand.
    `gone`: the numbers of all sets. `attempt`: the one in progress, which `facts` has learnt.
    """
    known_slots = {name: facts.slots[name] for name in down if name in facts.slots}
    taken = {} if attempt is None else revealed_of_hands(attempt)
    public = {
        letter: _hand(facts.hands[letter], size, *taken.get(letter, ((), ())))
        for letter, size in cards
    }
    hands = public if seat is None else {**public, seat: HandSight(hand, hand[::-1], 0, 0, 0)}
    open_cards = () if attempt is None else tuple(card.number for card in attempt.cards)
    located = chain(known_slots.values(), open_cards, *(seen.located for seen in hands.values()))
    return Sight(
        viewer=seat,
        known_slots=known_slots,
        dark_slots=tuple(name for name in down if name not in known_slots),
        hands=hands,
        public=public,
        unlocated=_unlocated(SIZES[len(cards)].top, gone, located),
        number=open_cards[0] if open_cards else None,
        matched=len(open_cards),
        lying_open={letter: lows + highs for letter, (lows, highs) in taken.items()},
    )


def seated(sight: Sight, letter: str, hand: Cards) -> Sight:
    """See what a spectator sees from a seat that holds this hand, without the cards lying open."""
    left = dict(sight.unlocated)
    for number in sight.hands[letter].located:
        left[number] += 1
    for number in hand:
        left[number] -= 1
    hands = {**sight.hands, letter: HandSight(hand, hand[::-1], 0, 0, 0)}
    return replace(sight, viewer=letter, hands=hands, unlocated=left)


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


def _unlocated(top: Number, gone: Iterable[Number], located: Iterable[Number]) -> dict[Number, int]:
    left = dict.fromkeys(range(1, top + 1), COPIES)
    for number in gone:
        del left[number]
    for number in located:
        left[number] -= 1
    return left
