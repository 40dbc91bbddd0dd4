"""Hints: what to press and what that does, side by side; each is a button, too."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from nana_client.deeds import DEEDS
from nana_client.keyboard import Keyboard
from nana_client.widgets.sheet import Item, Piece, Words

Hint = tuple[str, str]  # a deed by its name (or words to stand for a key), and what it does


def hint_items(
    hints: Sequence[Hint], keyboard: Keyboard, place: tuple[int, int, int], *, call: bool = False
) -> Iterator[Item]:
    """Lay out hints from x, y in a width; `call` sets off the first one."""
    x, y, left = place
    for at, hint in enumerate(hints):
        if at:
            yield Words(x, y, min(3, left), (Piece(" · ", "faint"),))
            x, left = x + 3, left - 3
        if left <= 0:
            return
        pieces = hint_pieces(hint, keyboard, call=call and not at)
        width = min(left, sum(cell_len(piece.text) for piece in pieces))
        yield Words(x, y, width, pieces, pressed(hint[0]))
        x, left = x + width, left - width


def hints_width(hints: Sequence[Hint], keyboard: Keyboard) -> int:
    """Return how many columns the hints take, side by side."""
    pieces = (piece for hint in hints for piece in hint_pieces(hint, keyboard))
    return sum(cell_len(piece.text) for piece in pieces) + 3 * max(0, len(hints) - 1)


def hint_pieces(hint: Hint, keyboard: Keyboard, *, call: bool = False) -> tuple[Piece, ...]:
    """Set off a key from what it does."""
    key, what = keyboard.label(hint[0]), Piece(hint[1], "dim")
    if call:
        return (Piece(f" {key} ", "accent", bold=True, fill=True), Piece(" "), what)
    return (Piece(f"{key} ", "text", bold=True), what) if key else (what,)


def pressed(name: str) -> str | None:
    """Return what a click on a hint means: its deed, or the last of several."""
    last = name.rpartition("|")[2].rpartition("/")[2]
    return last if last in DEEDS else None
