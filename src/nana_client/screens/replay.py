"""A recorded game on the table: stepped through by keys, by the mouse, or by itself.

The same widgets draw it as a game that is being played. Whoever has more to say of a
frame gives the screen a margin: its sentences stand over the notes.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, Final, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer

from nana_client.layout import Plan, Rect
from nana_client.planning import plan
from nana_client.replay_says import PACES, eyes, next_eyes, said, seat_of
from nana_client.replay_tape import Tape
from nana_client.replay_view import face_up, shown
from nana_client.screens.pressing import deed_of, keyboard_of, press_in_app, typed
from nana_client.screens.room import now_ms
from nana_client.sight import Sight
from nana_client.widgets.bars import footer_items
from nana_client.widgets.board import Board, still
from nana_client.widgets.hint import with_hint
from nana_client.widgets.planned import Planned
from nana_client.widgets.prompt import prompt_items
from nana_client.widgets.prose import broken
from nana_client.widgets.scrub import note_items, scrub_items
from nana_client.widgets.sheet import Item, Piece, Sheet, Words
from nana_client.widgets.talk import talk_over
from nana_client.widgets.thrift import ThriftyCompositor
from nana_core.deck import LETTERS, Seat

Margin: TypeAlias = Callable[[Tape, int, Seat | None], Iterable[str]]
_SCRUB: Final = 1  # rows
_SHORT: Final = 60  # columns of a title that says less
_MARGIN_MOST: Final = 0.6  # of the notes' rows


class ReplayScreen(Screen[None]):
    """Steps through a tape; it posts `ReplayScreen.Closed` when one has seen enough."""

    AUTO_FOCUS: ClassVar[str | None] = ""

    class Closed(Message):
        """The replay is to go."""

    class Asked(Message):
        """The rules are to be shown."""

    def __init__(
        self,
        tape: Tape,
        seat: Seat | None = None,
        *,
        at: int = 0,
        margin: Margin | None = None,
        moves: Callable[[], bool] = still,
    ) -> None:
        """Begin at a frame; `moves` tells whether cards may be seen to move."""
        super().__init__()
        self._compositor = ThriftyCompositor()
        self._moves = moves
        self._drawn = at  # the frame that was drawn last
        self.tape, self.seat, self.at, self.margin = tape, seat, at, margin
        self._noting = False
        self._pace = 1
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        sheets = [Sheet(id=name) for name in ("log", "scrub")]
        bars = [Sheet(id=name, ground="raised") for name in ("title", "prompt", "footer", "notes")]
        yield Planned(Board(now_ms, self._moves), *sheets, *bars, id="felt")

    def on_mount(self) -> None:
        self.call_after_refresh(self.on_resize)

    def on_resize(self) -> None:
        if self in self.app.screen_stack and self.query("#notes"):
            self.draw()

    @property
    def playing(self) -> bool:
        return self._timer is not None

    # what is shown

    def draw(self) -> None:
        width, height = self.size
        if not width:
            return
        sight = Sight(shown(self.tape, self.at, self.seat))
        seated = sight.me is not None
        found = plan(width, height - _SCRUB, sight.size, seated=seated)
        if found is None:
            self._draw_small(width, height, sight)
            return
        if found.density.center.height == 1:
            sight = Sight(face_up(sight.snapshot))
        laid, scrub = with_hint(found, _SCRUB)
        rects = self._rects(laid) | {"board": found.board, "scrub": scrub}
        self.query_one("#felt", Planned).place(rects)
        self.query_one(Board).show(sight, laid, late=self.at != self._drawn + 1)
        self._drawn = self.at
        self._lay_bars(rects, sight)

    def _rects(self, plan: Plan) -> dict[str, Rect]:
        rects = {"title": plan.title, "board": plan.board}
        rects |= {"prompt": plan.prompt, "footer": plan.footer}
        if plan.talk is not None:
            rects["notes"] = plan.talk
        elif plan.log is not None:
            rects["log"] = plan.log
        if self._noting and plan.talk is None:
            rects["notes"] = talk_over(plan.title.width, plan.prompt.y - _SCRUB)
        return rects

    def _lay_bars(self, rects: dict[str, Rect], sight: Sight) -> None:
        width = rects["title"].width
        self._sheet("title").lay(self._title(width))
        if "scrub" in rects:
            self._sheet("scrub").lay(scrub_items(self.tape, self.at, rects["scrub"].width))
        told = said(self.tape, self.at, sight.snapshot, playing=self.playing)
        self._sheet("prompt").lay(prompt_items(told, rects["prompt"].width, keyboard_of(self)))
        self._sheet("footer").lay(
            footer_items(tuple(self._keys()), width, keyboard=keyboard_of(self))
        )
        if "log" in rects:
            log = rects["log"]
            self._sheet("log").lay(note_items(self.tape, self.at, log.width, log.height))
        if "notes" in rects:
            self._sheet("notes").lay(self._notes(rects["notes"]))

    def _keys(self) -> Iterator[tuple[str, str]]:
        letters = f"A-{LETTERS[len(self.tape.names) - 1]}"
        yield from (("first/last", "deal, end"), (letters, "that seat's eyes"))
        yield from (
            ("notes", "notes"),
            ("faster/slower", f"pace {PACES[self._pace]:g} s"),
            ("help", "help"),
        )

    def _title(self, width: int) -> Iterator[Item]:
        tape, short = self.tape, width < _SHORT
        seen = eyes(tape, self.seat, short=short)
        pieces = [Piece(" nana ", "accent", bold=True), Piece("▪ ", "faint")]
        pieces += [] if short else [Piece("replay ", "dim")]
        pieces += [Piece(tape.room, bold=True), Piece(f" · game {tape.record.game} ", "dim")]
        pieces.append(Piece(f" {seen} ", "accent", bold=True, fill=True))
        right = self._verdict(short=short)
        room = len(right.text)
        yield Words(0, 0, max(0, width - room), tuple(pieces))
        yield Words(max(0, width - room), 0, min(width, room), (right,))

    def _verdict(self, *, short: bool) -> Piece:
        findings = self.tape.findings
        if not all(finding.ok for finding in findings):
            return Piece("✗ WRONG " if short else "✗ RECORD IS WRONG ", "bad", bold=True)
        if not all(finding.proven for finding in findings):
            return Piece("? " if short else "? deal not proven ", "warn", bold=True)
        return Piece("✓ " if short else "✓ verified ", "good", bold=True)

    def _notes(self, rect: Rect) -> Iterator[Item]:
        """Lay out the margin, and below it the notes."""
        across = rect.width
        lines = [
            line
            for text in (self.margin(self.tape, self.at, self.seat) if self.margin else ())
            for line in broken(text, max(8, across - 2))
        ][: int(rect.height * _MARGIN_MOST)]
        yield Words(1, 0, across - 2, (Piece("NOTES", "dim", bold=True),))
        for y, line in enumerate(lines, start=1):
            yield Words(1, y, across - 2, (Piece(line),))
        top = 1 + len(lines) + bool(lines)
        for item in note_items(self.tape, self.at, across, max(0, rect.height - top)):
            yield Words(item.x, item.y + top, item.width, item.pieces, item.press)

    def _draw_small(self, width: int, height: int, sight: Sight) -> None:
        rects = {"board": Rect(0, 0, width, max(1, height - 2))}
        rects["prompt"] = Rect(0, max(1, height - 2), width, 2)
        self.query_one("#felt", Planned).place(rects)
        text = "The replay needs more room: 44 x 14 or 76 x 10 at least.".center(width)
        self._sheet("board").lay([Words(0, max(0, height // 2 - 1), width, (Piece(text, "warn"),))])
        told = said(self.tape, self.at, sight.snapshot, playing=self.playing)
        self._sheet("prompt").lay(prompt_items(told, width, keyboard_of(self)))

    def _sheet(self, name: str) -> Sheet:
        return self.query_one(f"#{name}", Sheet)

    # what is done

    def on_key(self, event: events.Key) -> None:
        char = typed(event)
        deed = deed_of(self, "replay", event) or (char if len(char) == 1 else "")
        if self._press(deed):
            event.stop()
            event.prevent_default()

    async def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        verb, _, frame = event.what.partition(" ")
        if verb == "to":
            self._halt()
            self._go(int(frame))
        elif not await press_in_app(self, event.what):
            self._press(event.what)

    def _press(self, what: str) -> bool:
        """Do a deed, or what a seat's letter means; tell whether it meant anything."""
        goal = self._goal(what)
        if goal is not None:
            self._halt()
            self._go(goal)
            return True
        match what:
            case "run":
                self._halt() if self.playing else self._play()
            case "faster" | "slower":
                self._set_pace(1 if what == "slower" else -1)
            case "eyes" | "eyes-back":
                self._look(next_eyes(self.tape, self.seat, 1 if what == "eyes" else -1))
            case "notes":
                self._noting = not self._noting
            case "help":
                self.post_message(self.Asked())
            case "back" | "q":
                self.post_message(self.Closed())
            case letter if (seat := seat_of(self.tape, letter)) is not None:
                self._look(None if seat == self.seat else seat)
            case _:
                return False
        self.draw()
        return True

    def _goal(self, what: str) -> int | None:
        """Return the frame that a deed leads to."""
        match what:
            case "right" | "confirm":
                return min(self.at + 1, self.tape.last)
            case "left":
                return max(self.at - 1, 0)
            case "turn-on" | "down":
                return self.tape.turn_end(self.at, 1)
            case "turn-back" | "up":
                return self.tape.turn_end(self.at, -1)
            case "first":
                return 0
            case "last":
                return self.tape.last
            case _:
                return None

    def _go(self, at: int) -> None:
        self.at = at
        self.draw()

    def _look(self, seat: Seat | None) -> None:
        self.seat = seat

    # by itself

    def _play(self) -> None:
        if self.at == self.tape.last:
            self.at = 0
        self._timer = self.set_interval(PACES[self._pace], self._step)

    def _step(self) -> None:
        if self.at < self.tape.last:
            self.at += 1
        if self.at == self.tape.last:
            self._halt()
        self.draw()

    def _halt(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _set_pace(self, way: int) -> None:
        self._pace = min(max(self._pace + way, 0), len(PACES) - 1)
        if self.playing:
            self._halt()
            self._play()
