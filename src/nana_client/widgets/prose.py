"""Sentences over several lines, broken between words."""

from collections.abc import Iterator

from rich.cells import cell_len, chop_cells

from nana_client.theme import Tone
from nana_client.widgets.sheet import Item, Piece, Words, printable


def broken(text: str, width: int) -> list[str]:
    """Break a text into lines of a width; a word that is wider is cut."""
    lines = [""]
    for word in printable(text).split():
        for part in chop_cells(word, width) if cell_len(word) > width else [word]:
            joined = f"{lines[-1]} {part}".strip()
            if cell_len(joined) <= width:
                lines[-1] = joined
            else:
                lines.append(part)
    return lines if lines[0] else lines[1:]


def prose_items(
    text: str, width: int, height: int, tone: Tone = "dim", y: int = 0
) -> Iterator[Item]:
    """Lay out a text, one column in, in as many rows as there are."""
    for at, line in enumerate(broken(text, max(2, width - 2))[:height]):
        yield Words(0, y + at, width, (Piece(f" {line}", tone),))
