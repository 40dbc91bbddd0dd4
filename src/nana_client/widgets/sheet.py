"""The one widget that draws: a sheet of cards and words, each at its place.

What lies on a sheet is data. A sheet that gets new items repaints only the regions
of those that differ; the rest of the screen is left alone. It knows nothing of the
game: pressing an item that can be pressed posts `Sheet.Pressed`, and that is all.

Foreign text ends up here: it is never markup, and what cannot be printed is left out.
"""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from nana_client.theme import Look, Tone, faded, grounded, style
from nana_client.wardrobe import look_of
from nana_client.widgets.card import Face, Row, Size, drawn


class Piece(Struct, frozen=True):
    """Words of one tone; filled, they stand in a bar of that tone."""

    text: str
    tone: Tone = "text"
    bold: bool = False
    fill: bool = False


class Words(Struct, frozen=True):
    """A line of pieces, cut or filled up to its width; `press` makes a button of it."""

    x: int
    y: int
    width: int
    pieces: tuple[Piece, ...]
    press: str | None = None
    ground: Tone | None = None  # None: the sheet's
    name: str = ""  # of its place on the table, for what moves there

    @property
    def region(self) -> Region:
        return Region(self.x, self.y, self.width, 1)


class Card(Struct, frozen=True):
    """A card; `press` is the source that pressing it means."""

    x: int
    y: int
    size: Size
    face: Face
    press: str | None = None
    ground: Tone | None = None  # what shows around and through it; None: the sheet's
    name: str = ""  # of its place on the table, for what moves there; FLYING while between two

    @property
    def region(self) -> Region:
        return Region(self.x, self.y, self.size.width, self.size.height)


class Patch(Struct, frozen=True):
    """A part of the sheet that has a ground of its own; it lies under everything else."""

    x: int
    y: int
    width: int
    height: int
    ground: Tone

    press: ClassVar[None] = None

    @property
    def region(self) -> Region:
        return Region(self.x, self.y, self.width, self.height)


Item: TypeAlias = Words | Card | Patch
FLYING: Final = "flying"


def shifted(items: Iterable[Item], x: int, y: int) -> Iterator[Item]:
    """Move items."""
    return (replace(item, x=item.x + x, y=item.y + y) for item in items)


class Sheet(Widget):
    """Draws its items in order: a later one lies on top of an earlier one."""

    class Pressed(Message):
        """An item was pressed; `what` is its `press`."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, *, id: str | None = None, ground: Tone = "table") -> None:  # noqa: A002
        super().__init__(id=id)
        self.items: tuple[Item, ...] = ()
        self.ground = ground
        self.faded = False

    def lay(self, items: Iterable[Item], *, ground: Tone | None = None, fade: bool = False) -> None:
        """Put these items on the sheet in place of the old ones."""
        new = tuple(items)
        whole = (ground or self.ground, fade) != (self.ground, self.faded)
        self.ground, self.faded = ground or self.ground, fade
        old, self.items = self.items, new
        before, after = {*old}, {*new}
        changed = {_shows(item, old, after) for item in before - after}
        changed |= {_shows(item, new, before) for item in after - before}
        changed |= {item.region for item in _reordered(old, new)}
        if whole or 2 * sum(region.area for region in changed) > self.size.area:
            self.refresh()
        elif changed:
            self.refresh(*changed)

    @property
    def look(self) -> Look:
        return faded(look_of(self)) if self.faded else look_of(self)

    def render_line(self, y: int) -> Strip:
        look, width = self.look, self.size.width
        ground = look.colour(self.ground)
        blank = Segment(" ", style(look.text, ground))
        line: list[Segment | None] = [blank] * width
        for item in self.items:
            if item.y <= y < item.region.bottom:
                _place(line, item.x, _segments(item, y - item.y, look, item.ground or self.ground))
        return Strip([segment for segment in line if segment is not None], width).simplify()

    def press_at(self, x: int, y: int) -> str | None:
        """Return what pressing the topmost item there means."""
        for item in reversed(self.items):
            if item.region.contains(x, y) and not (isinstance(item, Card) and item.name == FLYING):
                return item.press
        return None

    def on_click(self, event: events.Click) -> None:
        if what := self.press_at(event.x, event.y):
            event.stop()
            self.post_message(self.Pressed(what))


def _reordered(old: tuple[Item, ...], new: tuple[Item, ...]) -> Iterator[Item]:
    """Find what stays, but above or below something else than before: a fan that turns over."""
    both = {*old} & {*new}
    was, now = ([item for item in items if item in both] for items in (old, new))
    return (item for item, other in zip(was, now, strict=False) if item != other)


def _shows(item: Item, items: tuple[Item, ...], stays: set[Item]) -> Region:
    """Return where an item shows: of a card in a fan, what the next one, which stays, leaves."""
    x, y, width, height = item.region
    if isinstance(item, Card) and item.name:
        for over in items[items.index(item) + 1 :]:
            covers = isinstance(over, Card) and over in stays and over.size == item.size
            if covers and over.y == y and x < over.x < x + width:
                return Region(x, y, over.x - x, height)
    return Region(x, y, width, height)


def _segments(item: Item, row: int, look: Look, ground: Tone) -> list[Segment]:
    match item:
        case Card():
            cells: Row = drawn(item.face, item.size, grounded(look, ground))[row]
            return [Segment(char, cell) for char, cell in cells]
        case Words():
            return written(item.pieces, item.width, look, look.colour(ground))
        case Patch():
            blank = style(look.text, look.colour(ground))
            return [Segment(" ", blank)] * item.width


def written(pieces: Iterable[Piece], width: int, look: Look, ground: str) -> list[Segment]:
    """Draw pieces one behind the other in exactly this width."""
    segments: list[Segment] = []
    left = width
    for piece in pieces:
        text = printable(piece.text)
        if cell_len(text) > left:
            text = set_cell_size(text, max(0, left - 1)).rstrip() + "…" if left > 0 else ""
        if text:
            segments.append(Segment(text, _style_of(piece, look, ground)))
            left -= cell_len(text)
    if left > 0:
        segments.append(Segment(" " * left, style(look.text, ground)))
    return segments


def printable(text: str) -> str:
    """Return the text without anything that a terminal would obey instead of print."""
    return text if text.isprintable() else "".join(filter(str.isprintable, text))


def _style_of(piece: Piece, look: Look, ground: str) -> Style:
    colour = look.colour(piece.tone)
    if piece.fill:
        return style(look.ink_on(colour), colour, bold=piece.bold)
    return style(colour, ground, bold=piece.bold)


def _place(line: list[Segment | None], x: int, segments: list[Segment]) -> None:
    """Lay segments over a line of columns, one character a piece, so that they can be covered.

    The column that the second half of a wide character covers becomes None.
    """
    for text, ink, _ in segments:
        for char in text:
            width = 1 if char.isascii() else cell_len(char)
            if x < 0 or x + width > len(line):
                return
            line[x : x + width] = [Segment(char, ink), None][:width]
            x += width
