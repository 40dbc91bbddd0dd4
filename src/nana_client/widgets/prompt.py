"""The prompt: what is going on, in one line, and what to press, in the next."""

from collections.abc import Iterator

from rich.cells import cell_len

from nana_client.keyboard import USUAL, Keyboard
from nana_client.says import Prompt
from nana_client.widgets.hints import hint_items
from nana_client.widgets.sheet import Item, Piece, Words


def prompt_items(
    said: Prompt, width: int, keyboard: Keyboard = USUAL, *, left: str = "", hurry: bool = False
) -> Iterator[Item]:
    """Lay out the prompt; `left` is the time that is left, at the right edge; `hurry` warns."""
    bar = Piece("▌", said.tone, bold=True)
    head = Piece(f" {said.head} ", said.tone, bold=True, fill=True)
    clock = len(left) + 2 if left else 0
    room = width - cell_len(said.head) - 6 - clock
    if cell_len(said.text) <= room or width >= 60:
        yield Words(
            0, 0, width - clock, (bar, Piece(" "), head, Piece("  " + said.text, bold=True))
        )
    else:
        yield Words(0, 0, width - clock, (bar, head, Piece(" " + said.text)))
    yield Words(0, 1, width, (bar,))
    yield from hint_items(said.keys, keyboard, (2, 1, width - 2), call=said.call)
    if left:
        yield Words(
            width - clock, 0, clock, (Piece(f"{left} ", "bad" if hurry else said.tone, bold=True),)
        )
