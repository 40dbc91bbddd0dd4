"""A short list to choose from: a heading, what there is to know, and one row for each answer."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual.geometry import Size

from nana_client.keyboard import USUAL, Keyboard
from nana_client.theme import Tone
from nana_client.widgets.hints import Hint, hint_items
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Item, Piece, Sheet, Words

_WIDTH = 58
_KEY = 5


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


def lay_choices(
    sheet: Sheet, choices: Choices, at: int, screen: Size, keyboard: Keyboard = USUAL
) -> None:
    """Draw the list on a sheet that is as large as it must be; the table shows around it."""
    width = min(_WIDTH, screen.width)
    rows = len(_notes(choices, width)) + len(choices.rows) + 5
    height = min(rows, screen.height)
    sheet.styles.width, sheet.styles.height = width, height
    sheet.lay(choices_items(choices, at, width, height, keyboard))


def choices_items(
    choices: Choices, at: int, width: int, height: int, keyboard: Keyboard = USUAL
) -> Iterator[Item]:
    """Lay the list out with a pointer at one row; where rows are few, notes give way first."""
    yield Words(2, 1, width - 4, (Piece(choices.title, choices.tone, bold=True),))
    hints = bool(choices.hints) and height >= len(choices.rows) + 5
    notes = _notes(choices, width)[: max(0, height - 4 - hints - len(choices.rows))]
    for y, note in enumerate(notes, start=2):
        yield Words(2, y, width - 4, (Piece(note, "dim"),))
    first = max(0, at - max(0, height - 4))  # the pointer stays in sight
    for y, row in enumerate(choices.rows[first:], start=3 + len(notes)):
        pieces = _row(row, keyboard.label(row.key), width - 4, on=choices.rows[at] is row)
        yield Words(2, y, width - 4, pieces, row.answer)
    if hints:
        yield from hint_items(choices.hints, keyboard, (4, height - 1, width - 6))


def _notes(choices: Choices, width: int) -> Sequence[str]:
    return [line for note in choices.notes for line in broken(note, width - 4)]


def _row(row: Row, key: str, width: int, *, on: bool) -> tuple[Piece, ...]:
    left = width - 2 - (_KEY if key else 0) - cell_len(row.words) - cell_len(row.state)
    return (
        Piece("▸ " if on else "  ", "accent", bold=True),
        Piece(key.ljust(_KEY) if key else "", "accent" if on else "text", bold=True),
        Piece(row.words, "text" if on else "dim", bold=on),
        Piece(" " * max(1, left)),
        Piece(row.state, "accent" if on else "dim"),
    )
