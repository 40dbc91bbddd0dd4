"""Where a room's entries are kept before anybody is told of them.

`Journal` is the interface: append, and be called back once the entry is durable.
`MemoryJournal` keeps entries for the life of the process; its commits complete
later and in groups, as a disk's do, so that nothing above it can depend on an
answer within the call. `LastingJournal` is one that is still there after a restart;
`sqlite` has it.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct


class Journal(Protocol):
    """Entries of rooms, in order. `done(ok)` is called later, never within `append`."""

    def append(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        """Keep the entry as number `seq` of its room, or call `done(False)` and keep nothing."""
        ...

    def begin_anew(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        """`append`, and from here on keep this entry in place of all that came before it."""
        ...

    def entries(self, room: str) -> Sequence[bytes]:
        """Return what is kept of a room, in order."""
        ...

    def forget(self, room: str) -> None:
        """Drop a room that has ended."""
        ...


class Head(Struct, frozen=True):
    """A room in a journal, without its entries."""

    room: str
    entries: int
    creator: str  # as its first entry says
    at: int  # wall clock in seconds: when the last entry was kept
    damage: str | None = None  # why it cannot be loaded; its code is taken all the same
    version: int = 0  # of the last snapshot that this run of the server has shown of it


class DamagedRoom(Exception):  # noqa: N818 - what was found
    """What is kept of a room is not what was written; other rooms are none the worse."""

    def __init__(self, room: str, why: str) -> None:
        super().__init__(f"Room {room} is damaged: {why}.")
        self.room = room
        self.why = why


class LastingJournal(Journal, Protocol):
    """A journal that outlives the process."""

    @property
    def epoch(self) -> int:
        """Which run of the server this is; it rises each time the journal is opened."""
        ...

    def heads(self) -> Sequence[Head]:
        """Return the rooms that there were when the journal was opened."""
        ...

    def load(
        self, room: str, found: Callable[[tuple[bytes, ...] | DamagedRoom | None], None]
    ) -> None:
        """Read a room's entries and call back later; None means there is no such room."""
        ...


_Append: TypeAlias = tuple[str, int, bytes, Callable[[bool], None], bool]


class MemoryJournal:
    """A journal without a disk; `soon` runs a function after the current one has returned."""

    def __init__(self, soon: Callable[[Callable[[], None]], object]) -> None:
        self._soon = soon
        self._rooms: defaultdict[str, list[bytes]] = defaultdict(list)
        self._dropped: dict[str, int] = {}  # entries that a later one stands for
        self._queue: list[_Append] = []

    def append(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        if not self._queue:
            self._soon(self._commit)
        self._queue.append((room, seq, entry, done, False))

    def begin_anew(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        if not self._queue:
            self._soon(self._commit)
        self._queue.append((room, seq, entry, done, True))

    def entries(self, room: str) -> Sequence[bytes]:
        return tuple(self._rooms.get(room, ()))

    def forget(self, room: str) -> None:
        self._rooms.pop(room, None)
        self._dropped.pop(room, None)

    def _commit(self) -> None:
        batch, self._queue = self._queue, []
        rooms, dropped = self._rooms, self._dropped
        for room, seq, entry, _, anew in batch:
            kept = rooms[room]
            if seq != len(kept) + dropped.get(room, 0):
                raise AssertionError(f"entry {seq} of {room} does not follow")
            if anew:
                kept.clear()
                dropped[room] = seq
            kept.append(entry)
        for _, _, _, done, _ in batch:
            done(True)
