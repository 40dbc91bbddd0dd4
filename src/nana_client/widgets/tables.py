"""The open tables, one a row: what each column may take, and what yields where columns are few.

Whether a seat is free and whether the memory is open decide where one goes: these are never
cut. How many watch yields first, then that a table is between two games.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from rich.cells import cell_len

from nana_client.rooms import OpenRoom, told
from nana_client.widgets.sheet import Item, Piece, Words

Column: TypeAlias = tuple[str, ...]  # the words of one column, room by room
_HEAD: Final = 10  # columns of the pointer and the room
_GAP: Final = 2


def table_items(rooms: Sequence[OpenRoom], at: int, width: int, height: int) -> Iterator[Item]:
    """Lay the rooms out with a pointer at one of them, which is always in sight."""
    first = max(0, at - height + 1)
    rows = [*zip(rooms, *columns(rooms, width - _HEAD), strict=True)]
    for y, (room, state, *notes) in enumerate(rows[first : first + height]):
        on = room == rooms[at]
        pieces = (
            Piece(" ▸ " if on else "   ", "accent", bold=True),
            Piece(f" {room.room} ", "accent" if room.has_seat else "faint", bold=True, fill=True),
            Piece(state, "text" if room.has_seat or on else "dim", bold=on),
            Piece("".join(notes), "dim"),
        )
        yield Words(0, y, width, pieces, f"room {room.room}")


def columns(rooms: Sequence[OpenRoom], width: int) -> tuple[Column, ...]:
    """Return the columns that fit into a width, each as wide as its longest words."""
    memory = tuple("open memory" if room.memory == "open" else "" for room in rooms)
    watching = tuple(f"{room.watching} watching" if room.watching else "" for room in rooms)
    full, short = (tuple(told(room, short=brief) for room in rooms) for brief in (False, True))
    ways = ((full, memory, watching), (full, memory), (short, memory))
    fit = (way for way in map(_aligned, ways) if sum(cell_len(words[0]) for words in way) <= width)
    return next(fit, _aligned(ways[-1]))


def _aligned(way: tuple[Column, ...]) -> tuple[Column, ...]:
    return tuple(map(_column, way))


def _column(words: Column) -> Column:
    """Set a column off from the one before, unless there is nothing in it."""
    wide = max(map(cell_len, words))
    return tuple(" " * _GAP + word.ljust(wide) if wide else "" for word in words)
