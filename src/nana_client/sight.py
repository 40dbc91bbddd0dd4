"""What one viewer sees of the table, in the terms in which it is drawn.

Between the snapshot and the widgets: which seats sit across, which way round, whose
turn it is, what may be pressed, and what each attempt's card is worth. No colours,
no places.
"""

from msgspec import Struct

from nana_client.aim import may_continue, sources
from nana_client.keyboard import USUAL, Keyboard
from nana_client.widgets.card import Mark
from nana_core.deck import SIZES
from nana_core.protocol.outbound import AttemptView, SeatView, Snapshot


class Sight(Struct, frozen=True):
    """A snapshot, the aim taken in it, and the keys that reveal."""

    snapshot: Snapshot
    aim: str | None = None
    keyboard: Keyboard = USUAL

    @property
    def players(self) -> tuple[SeatView, ...]:
        return tuple(seat for seat in self.snapshot.seats if seat.kind != "free" or seat.cards)

    @property
    def size(self) -> int:
        """How many the table is laid out for."""
        return min(max(len(self.players), min(SIZES)), max(SIZES))

    @property
    def me(self) -> SeatView | None:
        mine = self.snapshot.you.seat
        return next((seat for seat in self.players if seat.seat == mine), None)

    @property
    def others(self) -> tuple[SeatView, ...]:
        """The other seats, clockwise from the viewer's own; from A for a watcher."""
        players = self.players
        if self.me is None:
            return players
        at = players.index(self.me)
        return (*players[at + 1 :], *players[:at])

    @property
    def alone(self) -> bool:
        """Tell whether this host has bots to play with, and no other person to wait for."""
        staying = {seat.kind for seat in self.others if not seat.left} - {"free"}
        only = staying == {"bot"} and not self.snapshot.watching
        return only and self.me is not None and self.snapshot.you.host

    @property
    def live(self) -> frozenset[str]:
        return frozenset(sources(self.snapshot))

    @property
    def over(self) -> bool:
        return self.snapshot.phase == "over"

    def on_turn(self, seat: SeatView) -> bool:
        """Tell whether the seat is to be looked at: it acts next, or has won."""
        result = self.snapshot.result
        if self.over:
            return result is not None and result.seat == seat.seat
        return self.snapshot.phase == "playing" and self.snapshot.on_turn == seat.seat

    @property
    def yours(self) -> bool:
        return bool(self.live) or may_continue(self.snapshot)

    def open_hand(self, seat: SeatView) -> tuple[int, ...] | None:
        """Return the seat's cards if everyone may see them."""
        hands = self.snapshot.hands
        letters = [player.seat for player in self.players]
        at = letters.index(seat.seat)
        return hands[at] if hands is not None and at < len(hands) else None

    def known(self, seat: SeatView) -> tuple[int, ...]:
        """Return what open memory knows of the seat's hand."""
        ledger = self.snapshot.ledger
        at = [player.seat for player in self.players].index(seat.seat)
        return ledger.hands[at] if ledger is not None and at < len(ledger.hands) else ()

    def key_of(self, source: str) -> str:
        """Return what stands on the card of a source: the key that reveals it."""
        return self.keyboard.on_card(source)

    def mark_of(self, source: str) -> Mark:
        """Return the mark of the card from a source: aimed at, or how it fares in the attempt."""
        if source == self.aim:
            return "aim"
        attempt = self.snapshot.attempt
        for at, card in enumerate(attempt.cards if attempt else ()):
            if card.source == source and source[1:].isdigit():
                return mark_in(attempt, at)
        return ""


def mark_in(attempt: AttemptView | None, at: int) -> Mark:
    """Return the mark of the attempt's card at a place: the odd one out, or one that matches."""
    if attempt is None or at >= len(attempt.cards):
        return ""
    numbers = [card.number for card in attempt.cards]
    if numbers[at] != numbers[0]:
        return "odd"
    return "match" if len(numbers) > 1 and numbers[1] == numbers[0] else ""
