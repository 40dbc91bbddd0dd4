"""The prompt: what is going on, in one line, and what to press, in the next."""

from collections.abc import Iterator

from rich.cells import cell_len

from nana_client.says import Keys, Prompt
from nana_client.widgets.sheet import Item, Piece, Words


def prompt_items(
    said: Prompt, width: int, *, left: str = "", hurry: bool = False
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
    yield Words(0, 1, width, (bar, Piece(" "), *key_pieces(said.keys, call=said.call)))
    if left:
        yield Words(
            width - clock, 0, clock, (Piece(f"{left} ", "bad" if hurry else said.tone, bold=True),)
        )


def key_pieces(keys: Keys, *, call: bool = False) -> Iterator[Piece]:
    """Set off each key from what it does."""
    for at, (key, what) in enumerate(keys):
        if at:
            yield Piece(" · ", "faint")
        if call and not at:
            yield Piece(f" {key} ", "accent", bold=True, fill=True)
            yield Piece(" ")
        elif key:
            yield Piece(f"{key} ", "text", bold=True)
        yield Piece(what, "dim")
