"""The journal's file: commit a batch, read a room, delete what has ended, copy it all.

It belongs to one thread. It never retries: what SQLite raises goes to the writer.
Each room is tied by hashes from its head to its first entry; one that does not hold
is refused by name, and the others are none the worse.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain as joined
from pathlib import Path
from typing import Any, Final, TypeAlias

from nana_server.journal import DamagedRoom, Head
from nana_server.sqlite import copying
from nana_server.sqlite.batch import Batch
from nana_server.sqlite.chain import link, root, seal
from nana_server.sqlite.inspection import inspect
from nana_server.sqlite.opening import open_file, refusing
from nana_server.sqlite.orders import StaleOwner, Step
from nana_server.sqlite.receipt import Receipt, ReceiptBook
from nana_server.sqlite.refusals import JournalRefused
from nana_server.sqlite.schema import AFTER_PIECE, DELETE_PIECE, NO_ROW, READ, values

Row: TypeAlias = tuple[Any, ...]
_ROWS_MOST: Final = 64  # in one statement, of up to seven values
_PIECE: Final = 256  # entries deleted in one go
_BACKUP_PAGES: Final = 64  # copied in one go
_PROBE_BYTES: Final = 64 * 1024


class Store:
    def __init__(
        self, folder: Path, entries_format: int, creator_of: Callable[[bytes], str]
    ) -> None:
        """Open or make the journal in this folder; raises JournalRefused."""
        self._connection = open_file(folder, entries_format)
        self._receipts = ReceiptBook(folder)
        self._creator_of = creator_of
        self.written = 0  # about how many pages since the last checkpoint
        try:
            with refusing(folder):
                receipt = self._receipts.last()
                found = inspect(self._connection, folder, receipt)
                self.epoch = found.epoch + 1
                if receipt is None and found.last:
                    # A backup. Runs since it was made had these numbers, and clients have seen
                    # them: what they are shown now must count as newer.
                    self.epoch = max(self.epoch, int(time.time()))
                with self._transaction():
                    sql = "UPDATE meta SET epoch = ?, census = ?"
                    self._connection.execute(sql, (self.epoch, found.census))
        except JournalRefused:
            self.close()
            raise
        self._tips = found.tips
        self._damaged = found.damaged
        self._ended = found.ended
        self._last = found.last
        self._census = found.census

    def heads(self) -> tuple[Head, ...]:
        """Return all rooms, those that are damaged too: their codes are taken."""
        sound = (Head(room, tip.seq + 1, tip.creator, tip.at) for room, tip in self._tips.items())
        now = int(time.time())  # so that nobody takes a damaged room for one that rests for long
        return (*sound, *(Head(room, 0, "", now, why) for room, why in self._damaged.items()))

    # Keep.

    def commit(self, steps: Iterable[Step], at: int) -> list[StaleOwner | None]:
        """Keep all steps durably but those that do not follow, and answer each.

        `at` is the wall clock in seconds. When it raises, nothing is kept.
        """
        batch = Batch(self._tips, self._damaged, self._last, at, self._creator_of)
        answers = [batch.take(step) for step in steps]
        if not batch.tips:
            return answers
        with self._transaction():
            self._write(batch)
        self._keep(batch)
        return answers

    def _write(self, batch: Batch) -> None:
        changed = batch.tips
        heads = [
            (room, tip.epoch, tip.n, tip.seq, tip.at, seal(room, tip))
            for room, tip in changed.items()
            if tip is not None
        ]
        self._insert("INSERT INTO entries", batch.entries)
        self._insert("REPLACE INTO heads", heads)
        if batch.census or batch.ended:
            gone = [(room,) for room, tip in changed.items() if tip is None]
            self._connection.executemany("DELETE FROM heads WHERE room = ?", gone)
            self._connection.executemany("DELETE FROM creators WHERE room = ?", gone)
            fresh = [(it[1], changed[it[1]]) for it in batch.entries if not it[2]]
            creators = [(room, tip.creator) for room, tip in fresh if tip is not None]
            self._insert("REPLACE INTO creators", creators)
            self._insert("INSERT INTO ended", batch.ended)
            census = (self._census ^ batch.census,)
            self._connection.execute("UPDATE meta SET census = ?", census)

    def _insert(self, what: str, rows: Sequence[Row]) -> None:
        """Write rows, many with each statement, in sizes that SQLite has already parsed."""
        at = 0
        while at < len(rows):
            size = min(_ROWS_MOST, 1 << (len(rows) - at).bit_length() - 1)
            sql = values(what, len(rows[at]), size)
            self._connection.execute(sql, tuple(joined.from_iterable(rows[at : at + size])))
            at += size

    def _keep(self, batch: Batch) -> None:
        self._last = batch.last
        self._census ^= batch.census
        self._ended += batch.ended
        for room, tip in batch.tips.items():
            if tip is None:
                self._tips.pop(room, None)
            else:
                self._tips[room] = tip
        self.written += 2 + len(batch.tips) + len(batch.entries) // 8
        if batch.entries:
            newest = batch.entries[-1]
            with suppress(OSError):  # it is evidence, and the entry is kept without it
                self._receipts.write(Receipt(newest[0], newest[5]))

    # Read.

    def read(self, room: str) -> tuple[bytes, ...] | DamagedRoom | None:
        """Return a room's entries in order; None if there is no such room."""
        tip = self._tips.get(room)
        if tip is None:
            return self._damage(room) if room in self._damaged else None
        try:
            text, first = self._connection.execute(READ, (tip.n, tip.hash, tip.seq + 1)).fetchone()
            entries = tuple(_in_order(text or "", tip.seq, whole=first == NO_ROW))
        except (sqlite3.DatabaseError, ValueError) as error:
            return self._bar(room, f"its entries cannot be read ({error})")
        hashed = root(room)
        for entry in entries:
            hashed = link(hashed, entry)
        if hashed != tip.hash:
            return self._bar(room, "its entries are not those that were written")
        return entries

    def _bar(self, room: str, why: str) -> DamagedRoom:
        """Take nothing more for a room whose past is not certain."""
        self._damaged[room] = why
        del self._tips[room]
        return self._damage(room)

    def _damage(self, room: str) -> DamagedRoom:
        return DamagedRoom(room, self._damaged[room])

    # Keep house, between commits.

    @property
    def untidy(self) -> bool:
        """Whether rooms that ended, or were summed up, still have entries of before."""
        return bool(self._ended)

    def tidy(self) -> None:
        """Delete some entries of a chain that has ended."""
        end = self._ended[-1]
        with self._transaction():
            rest = self._connection.execute(AFTER_PIECE, (*end, _PIECE + 1, _PIECE)).fetchall()
            self._connection.execute(DELETE_PIECE, (*end, _PIECE))
            self._connection.execute("DELETE FROM ended WHERE n = ?", end[:1])
            self._insert("INSERT INTO ended", rest)
            # The highest row may be gone now, and its number must not be given again.
            self._connection.execute("UPDATE meta SET last = ?", (self._last,))
        self._ended[-1:] = rest
        self.written += _PIECE // 16

    def checkpoint(self) -> None:
        """Move what was committed from the log into the file, so that the log begins anew."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self.written = 0

    def probe(self) -> None:
        """Find out whether there is space again, by taking some and giving it back."""
        for value in (os.urandom(_PROBE_BYTES), None):
            with self._transaction():
                self._connection.execute("UPDATE meta SET probe = ?", (value,))

    def backup(self, path: Path, between: Callable[[], None]) -> Path:
        """Copy the journal, calling `between` often: what it commits is copied too.

        Return the file that `copying.finish` gives its name. Raises OSError and DatabaseError.
        """
        part = copying.begin(path, self._size())
        try:
            self._copy(part, between)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return part

    def _size(self) -> int:
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        (size,) = self._connection.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)

    def _copy(self, part: Path, between: Callable[[], None]) -> None:
        target = sqlite3.connect(part, isolation_level=None)
        try:
            target.execute("PRAGMA journal_mode = OFF")  # a copy that fails is deleted
            target.execute("PRAGMA synchronous = OFF")  # synced as a whole when it is whole
            self._connection.backup(
                target, pages=_BACKUP_PAGES, progress=lambda *_: between(), sleep=0
            )
        finally:
            target.close()

    def close(self) -> None:
        """Let go of the file; SQLite moves the log into it."""
        self._connection.close()
        self._receipts.close()

    def abandon(self) -> None:
        """Let go of what can be let go of without writing: the disk has failed."""
        self._receipts.close()

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._connection)


class _Transaction:
    """BEGIN and COMMIT; what raises in between, or at the COMMIT, has not happened."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def _in_order(text: str, last: int, *, whole: bool) -> Iterator[bytes]:
    """Read what `READ` returns, last entry first; raises ValueError if one is missing.

    A chain is whole down to its first entry, which need not be the room's: what it stands for
    is gone.
    """
    rows = {int(seq): entry for seq, _, entry in (it.partition(":") for it in text.split())}
    first = min(rows, default=0) if whole else 0
    if rows.keys() != set(range(first, last + 1)):
        raise ValueError(f"{len(rows)} of {last + 1 - first} found")
    return (bytes.fromhex(rows[seq]) for seq in range(first, last + 1))
