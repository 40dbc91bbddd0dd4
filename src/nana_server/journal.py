"""Where a room's entries are kept before anybody is told of them.

`Journal` is the interface: append, and be called back once the entry is durable.
`MemoryJournal` keeps entries for the life of the process; its commits complete
later and in groups, as a disk's do, so that nothing above it can depend on an
answer within the call.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct


class Journal(Protocol):
    """Entries of rooms, in order. `done(ok)` is called later, never within `append`."""

    def append(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        """Keep the entry as number `seq` of its room, or call `done(False)` and keep nothing."""
        ...

    def entries(self, room: str) -> Sequence[bytes]:
        """Return what is kept of a room, in order."""
        ...

    def forget(self, room: str) -> None:
        """Drop a room that has ended."""
        ...


class _Append(Struct, frozen=True):
    room: str
    seq: int
    entry: bytes
    done: Callable[[bool], None]


class MemoryJournal:
    """A journal without a disk; `soon` runs a function after the current one has returned."""

    def __init__(self, soon: Callable[[Callable[[], None]], object]) -> None:
        self._soon = soon
        self._rooms: defaultdict[str, list[bytes]] = defaultdict(list)
        self._queue: list[_Append] = []

    def append(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        if not self._queue:
            self._soon(self._commit)
        self._queue.append(_Append(room, seq, entry, done))

    def entries(self, room: str) -> Sequence[bytes]:
        return tuple(self._rooms.get(room, ()))

    def forget(self, room: str) -> None:
        self._rooms.pop(room, None)

    def _commit(self) -> None:
        batch, self._queue = self._queue, []
        for append in batch:
            kept = self._rooms[append.room]
            if append.seq != len(kept):
                raise AssertionError(f"entry {append.seq} of {append.room} after {len(kept)}")
            kept.append(append.entry)
        for append in batch:
            append.done(True)
