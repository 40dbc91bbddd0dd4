"""A recorded game told from its deal to its end: all hands open, or through one seat's eyes. Pure.

A page is what happens between two presses of Enter. Through a seat's eyes each page is
made of that seat's view and the public table, so nothing else can be in it until the
last one, on which every hand is open as it was at the table.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from nana_client.knowable import talk
from nana_client.story import source_words
from nana_client.words import reason_words, sentence
from nana_core.deck import LETTERS, Cards, Seat
from nana_core.game import Ended, Game, Slot, Won, advance
from nana_core.notation import source_name
from nana_core.protocol.wire import CONTINUE, result_view
from nana_core.record import Record, Unreadable, positions, verify
from nana_core.text import cleaned, clipped, width
from nana_core.views import hand_for, open_cards, view_for

LABEL: Final = 19  # cells for who it is, in each line
CARDS: Final = 32  # and for the cards of an attempt: three times `C high 12`
_HIDDEN: Final = "?"
_GONE: Final = "."


class Piece(Struct, frozen=True):
    """A bit of a line; the tone is for those who can draw one."""

    text: str
    tone: str = ""


Line: TypeAlias = tuple[Piece, ...]
Page: TypeAlias = tuple[Line, ...]
_EMPTY: Final[Line] = ()


class Replay:
    """One record, seen by one seat or (None) with all hands open."""

    def __init__(self, record: Record, seat: Seat | None = None) -> None:
        self._record, self._seat = record, seat
        self._names = tuple(cleaned(each.name) or "?" for each in record.seats)
        self._stand_ins = frozenset(record.stand_ins)

    def pages(self) -> Iterator[Page]:
        """Tell the game; raises Unreadable where the record cannot go on."""
        told, game = 0, None
        for game in positions(self._record):
            if not told:
                told = 1
                yield self._begin(game)
            table = game.table
            if table.attempt.outcome is not None and table.turn >= told:
                told = table.turn + 1
                yield self._turn(game)
        if game is not None:
            if game.table.turn >= told and game.table.attempt.cards:
                yield self._turn(game)
            yield self._end(game)

    def name(self, seat: Seat) -> str:
        """Name a seat in a sentence."""
        return f"{LETTERS[seat]} {self._names[seat]}"

    def _begin(self, game: Game) -> Page:
        record, first = self._record, game.table.on_turn
        told = f"Room {clipped(cleaned(record.room), 16)}, game {record.game}"
        seen = "all hands open" if self._seat is None else f"as {self.name(self._seat)} saw it"
        why = "its turn to, after the game before" if record.deal.rotated else "drawn with the deal"
        head: Line = (Piece(told, "bold"), Piece(f" - {seen}", "dim"))
        begins: Line = (Piece(f"{self.name(first)} begins"), Piece(f" ({why}).", "dim"))
        return (head, _EMPTY, *self._table(game), _EMPTY, begins, _EMPTY)

    def _turn(self, game: Game) -> Page:
        """Tell one attempt; the table again where it has changed."""
        attempt, turn = game.table.attempt, game.table.turn
        cards = ", ".join(
            f"{source_words(source_name(card.source))} {card.number}" for card in attempt.cards
        )
        number = attempt.cards[-1].number
        outcome = {
            "set": Piece(f"takes the {number}s", "good"),
            "miss": Piece("miss", "dim"),
            None: Piece("not finished", "dim"),
        }[attempt.outcome]
        line = (
            Piece(f"{turn:>4}  ", "dim"),
            Piece(_padded(self.name(attempt.seat), LABEL - 3), "bold"),
            Piece(_padded(cards, CARDS)),
            outcome,
            Piece(" (stand-in)" if turn in self._stand_ins else "", "dim"),
        )
        if attempt.outcome == "set" and game.table.result is None:
            return (line, _EMPTY, *self._table(advance(game, CONTINUE)), _EMPTY)
        return (line,)

    def _table(self, game: Game) -> Iterator[Line]:
        yield from self._hands([self._hand(game, at) for at in range(game.table.players)], game)
        slots = self._center(game)
        numbers = (f"{at:>3}" for at in range(1, len(slots) + 1))
        yield (
            Piece(_padded("      center slot", LABEL + 3), "dim"),
            Piece("".join(numbers), "dim"),
        )
        yield (Piece(" " * (LABEL + 3)), Piece("".join(f"{slot:>3}" for slot in slots)))

    def _hands(self, hands: list[str], game: Game) -> Iterator[Line]:
        for at, hand in enumerate(hands):
            sets = " ".join(f"{number}s" for number in game.table.sets[at])
            bot = ", bot" if self._record.seats[at].kind == "bot" else ""
            label = clipped(self.name(at), LABEL - 2 - len(bot)) + bot
            yield (
                Piece("      "),
                Piece(_padded(label, LABEL - 3), "bold" if at == self._seat else ""),
                Piece(hand or "  no cards"),
                Piece(f"   has the {sets}" if sets else "", "good"),
            )

    def _hand(self, game: Game, at: Seat) -> str:
        """Show a hand: as many question marks as cards where it is hidden from the seat."""
        if self._seat is None:
            return _row(hand_for(game, at))
        if at == self._seat:
            return _row(view_for(game, at).hand)
        return f"{_HIDDEN:>3}" * game.table.hand_sizes[at]

    def _center(self, game: Game) -> tuple[str, ...]:
        table = game.table
        if self._seat is not None:
            return tuple(map(_slot, view_for(game, self._seat).table.center))
        return tuple(
            _GONE if state == "gone" else str(number)
            for state, number in zip(table.center, game.secrets.center, strict=True)
        )

    def _end(self, game: Game) -> Page:
        """Tell how it ended, open every hand, and say whether the record agrees with itself."""
        if game.table.result is None:
            return (_EMPTY, (Piece("The record ends here, and the game does not.", "bad"),))
        opened = open_cards(game)
        cards = self._hands([_row(hand) for hand in opened.hands], game)
        return (
            _EMPTY,
            (Piece(self._result(game), "bold"),),
            _EMPTY,
            *cards,
            _EMPTY,
            *summary(self._record),
            *_talk(self._record),
        )

    def _result(self, game: Game) -> str:
        match game.table.result:
            case Won(seat) as won:
                reasons = map(reason_words, result_view(won).wins)
                return sentence(f"{self.name(seat)} wins: {', and '.join(reasons)}")
            case Ended("host"):
                return "The host ended the game; nobody wins."
            case _:
                return f"After {game.table.turn} turns the game ends; nobody wins."


def lines(record: Record) -> Iterator[str]:
    """Tell a game with all hands open in bare lines, as far as it goes."""
    try:
        for page in Replay(record).pages():
            yield from (plain(line) for line in page)
    except Unreadable as error:
        yield f"WRONG: {error}"


def plain(line: Line) -> str:
    return "".join(piece.text for piece in line).rstrip()


def summary(record: Record) -> Iterator[Line]:
    """Say in a few lines what verifying the record found."""
    findings = verify(record)
    wrong = [finding.text for finding in findings if not finding.ok]
    if wrong:
        for text in wrong:
            yield (Piece("WRONG  ", "bad"), Piece(text))
        return
    count = len(record.actions.split())
    yield (
        Piece("Verified: ", "good"),
        Piece(f"deal, {count} actions and result agree. `nana verify` says more."),
    )
    for finding in findings:
        if not finding.proven:
            yield (Piece("          "), Piece(finding.text, "dim"))


def _talk(record: Record) -> Iterator[Line]:
    """Say what was knowable when, behind an empty line."""
    for at, text in enumerate(talk(record)):
        if at == 0:
            yield _EMPTY
        yield (Piece(text, "bold" if at == 0 else ""),)


def _row(cards: Cards) -> str:
    return "".join(f"{number:>3}" for number in cards)


def _slot(state: Slot) -> str:
    return {"down": _HIDDEN, "gone": _GONE}.get(str(state), str(state))


def _padded(text: str, cells: int) -> str:
    text = clipped(text, cells - 1)
    return text + " " * (cells - width(text))
