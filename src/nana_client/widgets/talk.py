"""The talk panel: what was said and what happened, and a line to say something in.

While the line is empty a digit says one of the quick phrases, which stand above it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len, chop_cells
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from nana_client.layout import TALK_WIDTH, Rect
from nana_client.model import Line
from nana_client.phrases import PHRASES, phrase_of
from nana_client.theme import Tone
from nana_client.wardrobe import look_of
from nana_client.widgets.sheet import Item, Piece, Sheet, Words, printable, written
from nana_core.protocol.inbound import TEXT_LENGTH

_INDENT: Final = "  "
_ROOM: Final = 13  # rows of a panel that can spare some for the quick phrases
_SIGNS: Final = {"notice": "· ", "game": "◆ ", "server": "! "}
_TONES: Final[dict[str, Tone]] = {"notice": "dim", "game": "dim", "server": "warn"}


def line_pieces(line: Line) -> tuple[Piece, ...]:
    """Return one line of talk as pieces: who, and what."""
    if line.kind == "chat":
        seat = f"{line.seat} " if line.seat else ""
        return (Piece(f"{seat}{line.name or '?'}: ", "accent", bold=True), Piece(line.text))
    return (Piece(_SIGNS[line.kind] + line.text, _TONES[line.kind]),)


def wrapped(line: Line, width: int) -> Iterator[tuple[Piece, ...]]:
    """Break a line of talk into rows of a width, between words where it can be."""
    row: list[Piece] = []
    left = width
    for piece in line_pieces(line):
        for word in _words(printable(piece.text), width - len(_INDENT)):
            if cell_len(word.rstrip()) > left and row:
                yield tuple(row)
                row, left = [Piece(_INDENT)], width - len(_INDENT)
            row.append(Piece(word, piece.tone, piece.bold))
            left -= cell_len(word)
    if row:
        yield tuple(row)


def _words(text: str, most: int) -> Iterator[str]:
    """Split text behind its spaces, and words that are wider than a row into parts."""
    for word in text.split(" "):
        parts = chop_cells(word, max(2, most)) if cell_len(word) > most else [word]
        yield from parts[:-1]
        yield (parts[-1] if parts else "") + " "


class TalkLines(ScrollView):
    """The lines, newest last; it follows them unless somebody scrolled up."""

    can_focus = False
    DEFAULT_CSS = """
    TalkLines { height: 1fr; background: $panel; scrollbar-size-vertical: 1;
                scrollbar-background: $panel; scrollbar-color: $faint; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._rows: list[tuple[Piece, ...]] = []
        self._follows = True

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Note who scrolls away from the end, and back; rows that come or go are no scrolling."""
        super().watch_scroll_y(old_value, new_value)
        if self.size.height:
            self._follows = new_value >= self.max_scroll_y

    def say(self, lines: Sequence[Line]) -> None:
        if lines != self._lines:
            self._lines = tuple(lines)
            self._wrap()

    def on_resize(self) -> None:
        self._wrap()

    def _wrap(self) -> None:
        follow = self._follows
        width = max(8, self.size.width - 2)
        self._rows = [row for line in self._lines for row in wrapped(line, width)]
        self.virtual_size = Size(self.size.width, len(self._rows))
        self.refresh()
        if follow:
            self.scroll_end(animate=False)

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        pieces = self._rows[at] if 0 <= at < len(self._rows) else ()
        return talk_strip(self, pieces, self.size.width)


def talk_strip(widget: Widget, pieces: tuple[Piece, ...], width: int) -> Strip:
    """Draw a row of talk on a panel's ground, one column in."""
    look = look_of(widget)
    segments = written((Piece(" "), *pieces), width, look, look.raised)
    return Strip(segments, width)


class SayLine(Input):
    """The line to say something in; it posts `SayLine.Quick` for a digit that comes first."""

    class Quick(Message):
        """A quick phrase is to be said."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def on_key(self, event: events.Key) -> None:
        text = phrase_of(event.character) if not self.value else None
        if text is not None:
            event.stop()
            event.prevent_default()
            self.post_message(self.Quick(text))


class Talk(Widget):
    """The panel. It posts `Talk.Said`; who listens decides."""

    DEFAULT_CSS = """
    Talk { background: $panel; layout: vertical; }
    Talk #phrases { height: 6; display: none; }
    Talk Input { height: 3; border: round $faint; background: $panel; padding: 0 1; }
    Talk Input:focus { border: round $accent; background: $panel; }
    """

    class Said(Message):
        """Something is to be said; a quick phrase, with nothing to follow."""

        def __init__(self, text: str, *, quick: bool = False) -> None:
            super().__init__()
            self.text, self.quick = text, quick

    def __init__(self, key: str = "t", *, id: str | None = None) -> None:  # noqa: A002
        """Offer the line; `key` is what to press to come into it."""
        super().__init__(id=id)
        self.key = key

    def compose(self) -> ComposeResult:
        yield TalkLines()
        yield Sheet(id="phrases", ground="raised")
        yield SayLine(max_length=TEXT_LENGTH, id="say")

    def say(self, lines: Sequence[Line]) -> None:
        self.query_one(TalkLines).say(lines)

    def speak(self) -> None:
        """Put the cursor into the line."""
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        self._offer()

    def on_descendant_focus(self) -> None:
        self._offer()

    def on_descendant_blur(self) -> None:
        self._offer()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._offer()

    def _offer(self) -> None:
        """Show the quick phrases while one of them could be said, and where they have room."""
        line, sheet = self.query_one(Input), self.query_one("#phrases", Sheet)
        line.placeholder = "say something" if line.has_focus else f"{self.key} to talk"
        sheet.display = line.has_focus and not line.value and self.size.height >= _ROOM
        sheet.lay(_phrases(self.size.width))

    def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if text := phrase_of(event.what):
            self.post_message(self.Said(text, quick=True))

    def on_say_line_quick(self, event: SayLine.Quick) -> None:
        event.stop()
        self.post_message(self.Said(event.text, quick=True))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value
        event.input.clear()
        if text.strip():
            self.post_message(self.Said(text))


def _phrases(width: int) -> Iterator[Item]:
    """Lay the quick phrases out in two columns, each with its key."""
    column = max(4, (width - 2) // 2)
    rows = -(-len(PHRASES) // 2)
    yield Words(1, 0, width - 2, (Piece("quick, with one key", "dim"),))
    for at, text in enumerate(PHRASES):
        pieces = (Piece(f"{at + 1} ", "accent", bold=True), Piece(text))
        x, y = 1 + column * (at // rows), 1 + at % rows
        yield Words(x, y, min(column, width - x), pieces, str(at + 1))


def talk_over(width: int, bottom: int) -> Rect:
    """Return where talk lies over a screen that has no room beside: right, above the prompt."""
    across = min(width, TALK_WIDTH + 8)
    return Rect(width - across, 1, across, max(4, bottom - 1))
