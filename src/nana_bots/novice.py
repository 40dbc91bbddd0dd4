"""The `novice` level: a casual player, who knows the own hand and forgets the rest soon."""

from collections import deque
from random import Random
from typing import Final

from nana_bots.history import History, goes_on
from nana_core.deck import Number
from nana_core.knowledge import owner_of
from nana_core.protocol.outbound import AttemptView, CardView, Snapshot

_SPAN: Final = 3  # attempts that are remembered
_SLIP: Final = 0.3  # chance that a card is not noticed, or forgotten at once
_END_FOR: Final = {1: "<", 2: "<", 3: "<", 10: ">", 11: ">", 12: ">"}
_REASON: Final = 0.4  # chance to think of that; it may lie in the center all the same
_OWN: Final = 0.3  # chance to begin with an end of the own hand


class Novice:
    """Uses a match when one comes to mind, and else tries something."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._turn = 0  # of the last attempt noticed
        self._mind: deque[tuple[CardView, ...]] = deque(maxlen=_SPAN)
        self._view: Snapshot | None = None  # the last one

    def choose(self, view: Snapshot, history: History) -> str:
        if not goes_on(self._view, view):
            self._turn = 0
            self._mind.clear()
        self._view = view
        self._notice(history.attempts)
        known = self._known(view)
        number = view.attempt.cards[0].number if view.attempt and view.attempt.cards else None
        if number is None:
            number = self._pair(known)
        matches = [name for name in view.legal if name in known and known[name] == number]
        if matches:
            return self._chance.choice(matches)
        return self._try(view, known, number)

    def _notice(self, attempts: list[AttemptView]) -> None:
        for attempt in attempts[-_SPAN:]:
            if attempt.turn > self._turn:
                self._turn = attempt.turn
                self._mind.append(
                    tuple(card for card in attempt.cards if self._chance.random() > _SLIP)
                )

    def _known(self, view: Snapshot) -> dict[str, Number]:
        """Call to mind what the sources are; of a hand, the card that was at its end."""
        known: dict[str, Number] = {}
        for cards in self._mind:
            for card in reversed(cards):
                known[card.source] = card.number
        if view.attempt is not None:
            for card in view.attempt.cards:
                known.pop(card.source, None)
        if view.you.seat is not None and view.you.hand:
            own = view.you.seat.lower()
            known[own + "<"], known[own + ">"] = view.you.hand[0], view.you.hand[-1]
        return known

    def _pair(self, known: dict[str, Number]) -> Number | None:
        """Find a number of which two places come to mind."""
        numbers = list(known.values())
        pairs = [number for number in known.values() if numbers.count(number) > 1]
        return self._chance.choice(pairs) if pairs else None

    def _try(self, view: Snapshot, known: dict[str, Number], number: Number | None) -> str:
        """Begin with an own card or anything new; go on where such a number is to be expected."""
        own = [name for name in view.legal if owner_of(name) == view.you.seat]
        if number is None and own and self._chance.random() < _OWN:
            return self._chance.choice(own)
        fresh = [name for name in view.legal if name not in known]
        likely = [name for name in fresh if name[1] == _END_FOR.get(number or 0)]
        if likely and self._chance.random() < _REASON:
            return self._chance.choice(likely)
        return self._chance.choice(fresh or view.legal)
