"""The prompt: what is going on, in one line, and what to press, in the next."""

from collections.abc import Iterator

from rich.cells import cell_len

from nana_client.keyboard import USUAL, Keyboard
from nana_client.says import Prompt
from nana_client.widgets.hints import hint_items, pressed
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Item, Piece, Words


def prompt_items(
    said: Prompt, width: int, keyboard: Keyboard = USUAL, *, left: str = "", hurry: bool = False
) -> Iterator[Item]:
    """Lay out the prompt; `left` is the time that is left, at the right edge; `hurry` warns.

    A sentence that is too long goes on in the second row, ahead of what to press.
    """
    bar = Piece("▌", said.tone, bold=True)
    head = Piece(f" {said.head} ", said.tone, bold=True, fill=True)
    button = pressed(said.keys[0][0]) if said.call else None
    clock = len(left) + 2 if left else 0
    room = width - cell_len(said.head) - 6 - clock
    if cell_len(said.text) <= room or width >= 60:
        text, rest = _broken(said.text, room)
        words: tuple[Piece, ...] = (bar, Piece(" "), head, Piece("  " + text, bold=True))
    else:
        text, rest = _broken(said.text, room + 2)
        words = (bar, head, Piece(" " + text))
    yield Words(0, 0, width - clock, words, button)
    yield Words(0, 1, width, (bar, Piece(f" {rest}", bold=True)))
    x = 2 + cell_len(rest)
    if rest:
        yield Words(x, 1, 3, (Piece(" · ", "faint"),))
        x += 3
    yield from hint_items(said.keys, keyboard, (x, 1, max(0, width - x)), call=said.call)
    if left:
        yield Words(
            width - clock, 0, clock, (Piece(f"{left} ", "bad" if hurry else said.tone, bold=True),)
        )


def _broken(text: str, room: int) -> tuple[str, str]:
    """Return what fits into the first row, and what goes on in the second."""
    if cell_len(text) <= room:
        return text, ""
    first, *rest = broken(text, max(2, room))
    return first, " ".join(rest)
