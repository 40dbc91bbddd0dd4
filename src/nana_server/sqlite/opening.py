"""Whether a file may be used as a journal, and the one connection to it.

It refuses a file that another server has open, that a newer version wrote (without
touching it), or that is not ours; and a SQLite that does not do what was asked.
"""

import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from nana_server.sqlite.receipt import NAME as RECEIPT
from nana_server.sqlite.refusals import (
    DamagedJournal,
    JournalInUse,
    JournalRefused,
    NewerJournal,
    NoSpace,
)
from nana_server.sqlite.schema import APPLICATION, LAYOUT, TABLES

NAME: Final = "journal.db"
RESTORE: Final = "Restore a backup, or move the data folder away to begin anew."
_MAGIC: Final = b"SQLite format 3\0"
_HEADER: Final = struct.Struct(">60xI4xI")  # user_version, application_id


def open_file(folder: Path, entries_format: int) -> sqlite3.Connection:
    """Return a connection that nobody else can have; raises JournalRefused."""
    path = folder / NAME
    version = LAYOUT << 16 | entries_format
    with refusing(path):
        _make(folder, path)
        _look(path, version)
        connection = sqlite3.connect(path, timeout=0, isolation_level=None, cached_statements=256)
        try:
            _set_up(connection, path)
            _check_tables(connection, path, version)
        except BaseException:
            connection.close()
            raise
    return connection


def _make(folder: Path, path: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise JournalRefused(f"{folder} is a file, not a folder for the journal.") from None
    if not path.exists():
        _see_that_it_is_new(path, "gone")
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where a system can do that."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _look(path: Path, version: int) -> None:
    """Read the version without SQLite, which would write: a newer journal stays as it is.

    This precedes our own connection: closing a file drops the locks that this process has on it.
    """
    with path.open("rb") as file:
        head = file.read(72)
    if not head:
        _see_that_it_is_new(path, "empty")
        return
    if len(head) < _HEADER.size or not head.startswith(_MAGIC):
        raise DamagedJournal(f"{path} is not a journal, or its beginning is damaged. {RESTORE}")
    kept, application = _HEADER.unpack(head)
    if application not in {0, APPLICATION}:
        raise DamagedJournal(
            f"{path} belongs to another program, or its beginning is damaged. {RESTORE}"
        )
    _compare(path, kept, version)


def _see_that_it_is_new(path: Path, what: str) -> None:
    """Refuse to begin where there was a journal: its file is never empty once others are there."""
    log = path.with_name(f"{path.name}-wal")
    if path.with_name(RECEIPT).exists() or (log.exists() and log.stat().st_size):
        raise DamagedJournal(
            f"{path} is {what}, and what lies beside it is from a journal. {RESTORE}"
        )


def _compare(path: Path, kept: int, version: int) -> None:
    if kept >> 16 > version >> 16 or kept & 0xFFFF > version & 0xFFFF:
        raise NewerJournal(
            f"{path} was written by a newer version of nana. Install that version, or use "
            f"another data folder. Nothing was changed."
        )


def _set_up(connection: sqlite3.Connection, path: Path) -> None:
    # Exclusive before WAL: then there is no shared memory, and nobody else gets in.
    asked = {"locking_mode": "exclusive", "journal_mode": "wal", "synchronous": 2}
    for name, value in asked.items():
        connection.execute(f"PRAGMA {name} = {value}")
    for name, value in asked.items():
        (got,) = connection.execute(f"PRAGMA {name}").fetchone()
        if got != value:
            raise JournalRefused(f"{path}: SQLite has {name} {got} here, and games need {value}.")
    # A damaged name must not keep the sound ones from being read.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # the writer does it between commits
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA trusted_schema = OFF")


def _check_tables(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Make the tables of a new journal; see that those of an old one are what they should be."""
    connection.execute("BEGIN IMMEDIATE")
    (kept,) = connection.execute("PRAGMA user_version").fetchone()
    found = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master")} - {None}
    if not kept and not found:
        for sql in TABLES:
            connection.execute(sql)
        connection.execute("INSERT INTO meta VALUES (1, 0, 0, 0, NULL)")
    elif found != set(TABLES):
        raise DamagedJournal(f"{path} is damaged: its tables are not a journal's. {RESTORE}")
    _compare(path, kept, version)
    if kept != version:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("COMMIT")
    if kept != version:  # it must stand in the file itself, where an older version looks
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system raise into a sentence."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _refusal_of(error, path) from error
    except UnicodeDecodeError as error:  # SQLite quotes what it cannot make sense of
        raise DamagedJournal(
            f"{path} is damaged: no text where text should be. {RESTORE}"
        ) from error
    except OSError as error:
        raise JournalRefused(f"{path} cannot be opened: {error.strerror}.") from error


def _refusal_of(error: sqlite3.DatabaseError, path: Path) -> JournalRefused:
    match code_of(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalInUse(f"Another nana server is using {path}. Stop it first.")
        case sqlite3.SQLITE_FULL:
            return NoSpace(f"There is no space left to open {path}. Make some, and start again.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR:
            return DamagedJournal(f"{path} is damaged: {error}. {RESTORE}")
        case _:
            return JournalRefused(f"{path} cannot be opened: {error}.")


def code_of(error: sqlite3.DatabaseError) -> int | None:
    """Return SQLite's primary code, if SQLite has raised it."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
