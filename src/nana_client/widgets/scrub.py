"""The scrub line of a replay: where one is in the game, and where the sets were taken."""

from collections.abc import Iterator
from typing import Final

from nana_client.replay_tape import Note, Tape
from nana_client.theme import Tone
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Item, Piece, Words

_SIGNS: Final[dict[str, tuple[str, Tone]]] = {
    "set": ("◆", "good"),
    "end": ("★", "accent"),
    "wrong": ("✗", "bad"),
}
_INDENT: Final = 2


def scrub_items(tape: Tape, at: int, width: int) -> Iterator[Item]:
    """Lay out the line, a press on each column of which leads to its frame."""
    here = f"turn {tape.frames[at].table.turn} of {tape.turns}"
    count = f"turn {tape.turns} of {tape.turns}"
    line = width - len(count) - 4
    yield Words(width - len(count) - 1, 0, len(count), (Piece(here.rjust(len(count)), "dim"),))
    if line < 2:
        return
    marks = {column_of(note.frame, tape.last, line): note for note in tape.notes}
    head = column_of(at, tape.last, line)
    for column in range(line):
        piece = _column(marks.get(column), past=column <= head, head=column == head)
        frame = frame_of(column, tape.last, line)
        note = marks.get(column)
        yield Words(1 + column, 0, 1, (piece,), f"to {note.frame if note else frame}")


def _column(note: Note | None, *, past: bool, head: bool) -> Piece:
    if head:
        return Piece("●", "accent", bold=True)
    if note is not None:
        sign, tone = _SIGNS[note.kind]
        return Piece(sign, tone, bold=past)
    return Piece("━" if past else "─", "accent" if past else "faint")


def column_of(frame: int, last: int, width: int) -> int:
    """Return the column in which a frame lies."""
    return round(frame * (width - 1) / last) if last else 0


def frame_of(column: int, last: int, width: int) -> int:
    return round(column * last / (width - 1))


def note_items(tape: Tape, at: int, width: int, height: int) -> Iterator[Words]:
    """Lay out the notes up to a frame, the newest last; a press leads to where it happened."""
    rows = [
        (note, line, n == 0)
        for note in tape.notes
        if note.frame <= at
        for n, line in enumerate(
            broken(f"turn {note.turn}: {note.text}", max(8, width - 3 - _INDENT))
        )
    ]
    for y, (note, line, first) in enumerate(rows[-height:]):
        sign, tone = _SIGNS[note.kind]
        lead = Piece(f"{sign} " if first else " " * _INDENT, tone, bold=True)
        words = Piece(line, "text" if note.frame == at else "dim")
        yield Words(1, y, width - 2, (lead, words), f"to {note.frame}")
