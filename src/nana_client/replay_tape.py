"""A recorded game as frames to step through, with notes of what was taken and why it was won. Pure.

A frame is a position in which something new is to be seen: the deal, each card that was
turned, the end. A record that breaks the rules is told as far as it goes.
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from nana_client.words import reason_words, sentence, source_caption
from nana_core.deck import LETTERS, Seat
from nana_core.game import Ended, Game, Won
from nana_core.notation import source_name
from nana_core.protocol.wire import result_view
from nana_core.record import Finding, Record, Unreadable, positions, verify
from nana_core.text import NAME_CELLS, cleaned, clipped

NoteKind: TypeAlias = Literal["set", "end", "wrong"]
_ENDINGS: Final = {
    "host": "The host ended the game; nobody wins.",
    "cap": "2,000 turns were played; nobody wins.",
}


class Note(Struct, frozen=True):
    """Something worth finding again: public, whoever looks."""

    frame: int
    turn: int
    kind: NoteKind
    text: str
    seat: Seat | None = None


class Tape:
    """A game that has been played. Raises Unreadable when there is not even a deal."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.names = tuple(clipped(cleaned(seat.name), NAME_CELLS) or "?" for seat in record.seats)
        self.findings: tuple[Finding, ...] = verify(record)
        self.flaw: str | None = None  # why it cannot go on
        self.frames: tuple[Game, ...] = tuple(self._frames())
        self.notes: tuple[Note, ...] = tuple(self._notes())
        self._stand_ins = frozenset(record.stand_ins)

    def _frames(self) -> Iterator[Game]:
        """Keep what shows something new; the table cleared between two turns does not."""
        games = positions(self.record)
        before = next(games)
        yield before
        try:
            for game in games:
                if game.table.attempt.cards or game.table.result is not None:
                    yield game
        except Unreadable as error:
            self.flaw = str(error)

    @property
    def last(self) -> int:
        return len(self.frames) - 1

    @property
    def turns(self) -> int:
        return self.frames[-1].table.turn

    @property
    def room(self) -> str:
        return clipped(cleaned(self.record.room), 16)

    def name(self, seat: Seat) -> str:
        """Name a seat with its letter."""
        return f"{LETTERS[seat]} {self.names[seat]}"

    def stood_in(self, at: int) -> bool:
        """Tell whether the turn of a frame was played, or finished, by a stand-in."""
        return self.frames[at].table.turn in self._stand_ins

    def turn_end(self, at: int, way: Literal[-1, 1]) -> int:
        """Return the frame in which the turn before, or this one or the next, has ended."""
        ends = [n for n in range(self.last + 1) if self._ends_turn(n)]
        if way < 0:
            return max((n for n in ends if n < at), default=0)
        return min((n for n in ends if n > at), default=self.last)

    def _ends_turn(self, at: int) -> bool:
        turn = self.frames[at].table.turn
        return at > 0 and (at == self.last or self.frames[at + 1].table.turn != turn)

    def note_at(self, at: int) -> Note | None:
        return next((note for note in self.notes if note.frame == at), None)

    def _notes(self) -> Iterator[Note]:
        for at, game in enumerate(self.frames):
            table = game.table
            again = at > 0 and self.frames[at - 1].table.attempt == table.attempt
            if table.attempt.outcome == "set" and not again:
                seat, number = table.attempt.seat, table.attempt.cards[0].number
                where = ", ".join(
                    source_caption(source_name(card.source)) for card in table.attempt.cards
                )
                text = f"{self.name(seat)} takes the {number}s ({where})."
                yield Note(at, table.turn, "set", text, seat)
            if table.result is not None:
                yield Note(at, table.turn, "end", self.ending(game))
        if self.flaw is not None:
            yield Note(self.last, self.turns, "wrong", self.flaw)
        elif self.frames[-1].table.result is None:
            text = "The record ends here, and the game does not."
            yield Note(self.last, self.turns, "wrong", text)

    def ending(self, game: Game) -> str:
        """Say how the game ended, with every reason."""
        match game.table.result:
            case Won(seat) as won:
                reasons = map(reason_words, result_view(won).wins)
                return sentence(f"{self.name(seat)} wins: {', and '.join(reasons)}")
            case Ended(why):
                return _ENDINGS[why]
            case None:
                return ""
