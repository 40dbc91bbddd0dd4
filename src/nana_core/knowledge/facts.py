"""What the public reveals imply about where cards lie: certainty only, no guesses.

A hand is sorted and only its ends are ever revealed, so what is known of a hand is
a run of cards from its low end inward and another from its high end inward. A
missed card goes back to where it was; of a set, every card has left play.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from msgspec import Struct

from nana_core.deck import LETTERS, Cards, Number
from nana_core.protocol.outbound import AttemptView, Snapshot

_ABOVE_ALL: Final = 99
_END_OWNERS: Final = {f"{letter.lower()}{end}": letter for letter in LETTERS for end in "<>"}


def owner_of(source: str) -> str | None:
    """Return the letter of the hand that a source is an end of; None for a center slot."""
    return _END_OWNERS.get(source)


class HandFacts(Struct):
    """What everyone knows of a hand at rest; each run from its end inward."""

    low: Cards = ()
    high: Cards = ()
    floor: Number = 0  # no card further in is below; outlives the card that showed it
    ceiling: Number = _ABOVE_ALL

    def learn(self, lows: Cards, highs: Cards) -> None:
        """Take in what one attempt revealed at the two ends, in the order of its reveals.

        What contradicts it is out of date: a set was collected unseen.
        """
        if lows and lows != self.low[: len(lows)]:
            self.low, self.floor = lows, lows[-1]
        if highs and highs != self.high[: len(highs)]:
            self.high, self.ceiling = highs, highs[-1]

    def forget(self, number: Number) -> None:
        """Every card of this number has left play."""
        self.low = tuple(card for card in self.low if card != number)
        self.high = tuple(card for card in self.high if card != number)


class Facts:
    """The public facts of one game, for players that never forget.

    A gap in the history (a player who was away) costs knowledge, never truth: sets
    collected meanwhile are read from the seats.
    """

    def __init__(self) -> None:
        self.slots: dict[str, Number] = {}
        self.hands = {letter: HandFacts() for letter in LETTERS}
        self.turn = 0  # of the last ended attempt taken in

    def catch_up(self, view: Snapshot, attempts: Sequence[AttemptView]) -> None:
        """Take in what is new since the last view, the attempt in progress included."""
        for attempt in attempts[bisect_right(attempts, self.turn, key=attrgetter("turn")) :]:
            self.learn(attempt)
        if view.ledger is not None:
            self._read_slots(view.ledger.center)
        self.forget(number for seat in view.seats for number in seat.sets)
        if view.attempt is not None and view.attempt.outcome is None:
            self.learn(view.attempt)

    def learn(self, attempt: AttemptView) -> None:
        """Take in an attempt, in progress or ended, later than those taken in before."""
        for letter, (lows, highs) in revealed_of_hands(attempt).items():
            self.hands[letter].learn(lows, highs)
        for card in attempt.cards:
            if owner_of(card.source) is None:
                self.slots[card.source] = card.number
        if attempt.outcome is not None:
            self.turn = attempt.turn
        if attempt.outcome == "set":
            self.forget((attempt.cards[0].number,))

    def forget(self, numbers: Iterable[Number]) -> None:
        """Drop collected numbers everywhere."""
        for number in numbers:
            self.slots = {slot: seen for slot, seen in self.slots.items() if seen != number}
            for hand in self.hands.values():
                hand.forget(number)

    def _read_slots(self, center: tuple[int | None, ...]) -> None:
        for slot, number in enumerate(center, start=1):
            if number is not None:
                self.slots[f"c{slot}"] = number


def revealed_of_hands(attempt: AttemptView) -> dict[str, tuple[Cards, Cards]]:
    """Return, by letter, what an attempt took from the low and the high end of hands."""
    taken: dict[str, tuple[Cards, Cards]] = {}
    for card in attempt.cards:
        if (letter := owner_of(card.source)) is not None:
            lows, highs = taken.get(letter, ((), ()))
            if card.source[1] == "<":
                taken[letter] = ((*lows, card.number), highs)
            else:
                taken[letter] = (lows, (*highs, card.number))
    return taken
