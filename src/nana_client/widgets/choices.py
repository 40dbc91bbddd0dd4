"""A short list to choose from: a heading, what there is to know, and one row for each answer."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual.geometry import Size

from nana_client.keyboard import USUAL, Keyboard
from nana_client.layout import Rect
from nana_client.theme import Tone
from nana_client.widgets.frame import EDGE, frame_items
from nana_client.widgets.hints import Hint, hint_items, hints_width
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Item, Piece, Sheet, Words

_WIDTH = 60
_KEY = 5
_INSET = 2  # columns from the frame's outside to the words
_AIR = (2, 1)  # columns and rows around the frame


class Row(Struct, frozen=True):
    """One answer: the deed or the key that gives it, its words, and how it stands now."""

    key: str
    words: str
    answer: str
    state: str = ""


class Choices(Struct, frozen=True):
    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    tone: Tone = "accent"
    hints: tuple[Hint, ...] = (("back", "back"),)
    note_rows: int = 0  # kept for notes that change, so that the rows stay where they are


def lay_choices(
    sheet: Sheet, choices: Choices, at: int, screen: Size, keyboard: Keyboard = USUAL
) -> None:
    """Draw the list on a sheet that is as large as it must be; the table shows around it."""
    box = choices_box(choices, screen)
    sheet.styles.width, sheet.styles.height = box.width + 2 * box.x, box.height + 2 * box.y
    sheet.lay(choices_items(choices, at, box, keyboard))


def choices_box(choices: Choices, screen: Size) -> Rect:
    """Return where the frame lies on its sheet: with air around it, where there is room."""
    width = min(_WIDTH, screen.width)
    notes = len(_notes(choices, width))
    wanted = 2 * EDGE + len(choices.rows) + (notes + 3 if notes else 2)
    height = min(wanted, screen.height)
    x = min(_AIR[0], (screen.width - width) // 2)
    return Rect(x, min(_AIR[1], (screen.height - height) // 2), width, height)


def choices_items(
    choices: Choices, at: int, box: Rect, keyboard: Keyboard = USUAL
) -> Iterator[Item]:
    """Lay the list out in its frame, a pointer at one row; where rows are few, notes give way."""
    x, width, room = box.x + _INSET, box.width - 2 * _INSET, max(1, box.height - 2 * EDGE)
    spare = max(0, room - len(choices.rows))
    notes = _notes(choices, box.width)[: max(0, spare - 1)]
    spare -= len(notes) + bool(notes)
    first = max(0, at - room + 1)  # the pointer stays in sight
    shown = choices.rows[first : first + room]
    more = (first > 0, first + len(shown) < len(choices.rows))
    yield from frame_items(box, choices.title, choices.tone, more)
    top = box.y + EDGE + spare // 2
    for y, note in enumerate(notes, start=top):
        yield Words(x, y, width, (Piece(note, "dim"),))
    for y, row in enumerate(shown, start=top + len(notes) + bool(notes)):
        pieces = _row(row, keyboard.label(row.key), width, on=choices.rows[at] is row)
        yield Words(x, y, width, pieces, row.answer)
    yield from _foot(choices.hints, box, keyboard)


def _foot(hints: tuple[Hint, ...], box: Rect, keyboard: Keyboard) -> Iterator[Item]:
    """Say in the frame's lower edge what to press."""
    while hints and (wide := hints_width(hints, keyboard)) > box.width - 2 * _INSET - 3:
        hints = hints[1:]  # the last one is the way out
    if hints and box.height > EDGE:
        x, y = box.right - _INSET - wide - 1, box.bottom - EDGE
        yield Words(x - 1, y, wide + 2, ())
        yield from hint_items(hints, keyboard, (x, y, wide))


def _notes(choices: Choices, width: int) -> Sequence[str]:
    across = max(2, width - 2 * _INSET)
    lines = [line for note in choices.notes for line in broken(note, across)]
    return lines + [""] * (choices.note_rows - len(lines))


def _row(row: Row, key: str, width: int, *, on: bool) -> tuple[Piece, ...]:
    left = width - 2 - (_KEY if key else 0) - cell_len(row.words) - cell_len(row.state)
    return (
        Piece("▸ " if on else "  ", "accent", bold=True),
        Piece(key.ljust(_KEY) if key else "", "accent" if on else "text", bold=True),
        Piece(row.words, "text" if on else "dim", bold=on),
        Piece(" " * max(1, left)),
        Piece(row.state, "accent" if on else "dim"),
    )
