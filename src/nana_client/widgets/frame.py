"""A frame with a heading in its upper edge: what sets a box off from the table behind it."""

from collections.abc import Iterator

from rich.cells import cell_len

from nana_client.layout import Rect
from nana_client.theme import Tone
from nana_client.widgets.sheet import Item, Piece, Words

EDGE = 1  # rows and columns of the frame itself, on each side
_LEAST = 12  # columns without which there is no place for marks


def frame_items(
    rect: Rect, title: str, tone: Tone, more: tuple[bool, bool] = (False, False)
) -> Iterator[Item]:
    """Draw the frame along the inside of the rect.

    `more` says whether the list within goes on above, and below, what it shows.
    """
    above, below = (" ▴ ", " ▾ ") if rect.width > _LEAST else ("", "")
    head = Piece(f" {title} ", tone, bold=True)
    marked = Piece(above if more[0] else "", tone)
    yield _edge(rect, rect.y, "╭╮", tone, head, marked)
    for y in range(rect.y + EDGE, rect.bottom - EDGE):
        for x in (rect.x, rect.right - EDGE):
            yield Words(x, y, EDGE, (Piece("│", tone),))
    if rect.height > EDGE:
        yield _edge(rect, rect.bottom - EDGE, "╰╯", tone, Piece(below if more[1] else "", tone))


def _edge(rect: Rect, y: int, corners: str, tone: Tone, *set_in: Piece) -> Words:
    """Draw an upper or a lower edge with words set into its line."""
    line = rect.width - 2 * EDGE - 1 - sum(cell_len(piece.text) for piece in set_in)
    end = Piece("─" * line + corners[1:], tone)
    return Words(rect.x, y, rect.width, (Piece(f"{corners[:1]}─", tone), *set_in, end))
