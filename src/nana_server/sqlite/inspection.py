"""What a journal holds when it is opened, and whether it is all that was written.

A room whose head does not hold is named and left alone. The journal as a whole is
refused when rooms or entries are missing and nobody can say which.
"""

import os
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from nana_server.sqlite.batch import EndRow
from nana_server.sqlite.chain import Tip, census_of, seal
from nana_server.sqlite.opening import NAME, RESTORE
from nana_server.sqlite.receipt import Receipt
from nana_server.sqlite.refusals import DamagedJournal
from nana_server.sqlite.schema import ALL_HEADS, VANISHED

Row: TypeAlias = tuple[Any, ...]


class Found(Struct):
    epoch: int  # of the last server that had it
    last: int  # highest row there ever was
    census: int
    tips: dict[str, Tip]
    damaged: dict[str, str]  # room: why
    ended: list[EndRow]


def inspect(connection: sqlite3.Connection, folder: Path, receipt: Receipt | None) -> Found:
    """Read all heads; raises DamagedJournal, and whatever SQLite raises."""
    match connection.execute("SELECT epoch, last, census FROM meta").fetchone():
        case int(epoch), int(last), int(census):
            (highest,) = connection.execute("SELECT max(n) FROM entries").fetchone()
        case _:
            raise DamagedJournal(f"{folder / NAME} is damaged in its own records. {RESTORE}")
    ended = connection.execute("SELECT n, hash FROM ended").fetchall()
    found = Found(epoch, max(last, highest or 0), census, {}, {}, ended)
    _check_receipt(connection, folder, found.last, receipt)
    for row in connection.execute(ALL_HEADS).fetchall():
        _take_head(connection, found, row)
    found.epoch = max(epoch, *(tip.epoch for tip in found.tips.values()), 0)
    _count(connection, found)
    return found


def _check_receipt(
    connection: sqlite3.Connection, folder: Path, last: int, receipt: Receipt | None
) -> None:
    if receipt is None:
        return
    row = connection.execute("SELECT hash FROM entries WHERE n = ?", (receipt.n,)).fetchone()
    if receipt.n > last:
        why = f"its newest {receipt.n - last} entries are missing"
    elif row is not None and row[0] != receipt.hash:
        why = "its newest entries are not those that were written"
    else:
        return
    _keep_aside(folder / f"{NAME}-wal")
    raise DamagedJournal(
        f"{folder / NAME} is damaged: {why}. {RESTORE} If it is a backup, or to go on "
        f"without what is lost, remove the file `receipt` beside it."
    )


def _keep_aside(log: Path) -> None:
    """Keep the log for whoever looks into it: closing the journal deletes it."""
    aside = log.with_name(f"{log.name}.damaged")
    if log.exists() and log.stat().st_size:
        aside.unlink(missing_ok=True)
        try:
            os.link(log, aside)
        except OSError:
            with suppress(OSError):
                shutil.copyfile(log, aside)


def _take_head(connection: sqlite3.Connection, found: Found, row: Row) -> None:
    room = str(row[0])
    try:
        found.tips[room] = _tip(connection, row)
    except (sqlite3.DatabaseError, ValueError) as error:
        found.damaged[room] = str(error)


def _tip(connection: sqlite3.Connection, row: Row) -> Tip:
    """Check a head against its last entry; raises ValueError where they part."""
    match row:
        case str(room), int(epoch), int(n), int(seq), int(at), str(creator), bytes(sealed):
            end = connection.execute("SELECT hash FROM entries WHERE n = ?", (n,)).fetchone()
        case _:
            raise ValueError("its place in the list of rooms is damaged")
    if end is None or not isinstance(end[0], bytes):
        raise ValueError("its last entry is missing")
    tip = Tip(epoch, n, seq, end[0], at, creator)
    if seal(room, tip) != sealed:
        raise ValueError("its last entry is not the one that was written")
    return tip


def _count(connection: sqlite3.Connection, found: Found) -> None:
    """See that every room is there that was made and not forgotten; name those that are not."""
    census = 0
    for room in (*found.tips, *found.damaged):
        census ^= census_of(room)
    if census == found.census:
        return
    vanished = [str(room) for (room,) in connection.execute(VANISHED)]
    for room in vanished:
        found.damaged[room] = "it is missing from the list of rooms"
    if not found.damaged:  # every room is there and sound: it is the census that is damaged
        found.census = census
