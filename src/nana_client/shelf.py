"""Where a person's records of games lie: a file for each, whose name tells the game.

What a server sends is written as it came, once it can be read and is of the game asked
about. Nothing that a stranger chose becomes part of a path but a room's letters and digits.
"""

import contextlib
import os
import re
from pathlib import Path
from typing import Final

from msgspec import Struct

from nana_core.protocol.outbound import Recorded, Snapshot
from nana_core.record import Record, Unreadable, load, pretty

NAMES_MOST: Final = 100  # of different games that would have the same name
_CODE: Final = re.compile(r"[A-Za-z0-9]{1,16}")


class Kept(Struct, frozen=True):
    """Where a record was saved, and a sentence that says so; or why it was not."""

    path: Path | None
    text: str
    fresh: bool = False  # the file was not there before


def keep(folder: Path, recorded: Recorded, snapshot: Snapshot | None) -> Kept:
    """Save a record in a folder, compared with the finished table if there is one."""
    data = bytes(recorded.record)
    try:
        record = load(data)
    except Unreadable as error:
        return Kept(None, f"The record was not saved. {error}")
    if record.game != recorded.game or _CODE.fullmatch(record.room) is None:
        return Kept(None, "The record was not saved: the server sent that of another game.")
    try:
        path, fresh = _write(folder, f"nana-{record.room}-{record.game}", pretty(data))
    except OSError as error:
        return not_kept(folder, error)
    but = "" if is_of(record, snapshot) else " But it is not of the game that was shown here!"
    return Kept(path, f"Saved: {at_home(path)}{but}", fresh)


def not_kept(folder: Path, error: OSError) -> Kept:
    """Say what the disk had against it."""
    return Kept(None, f"The record could not be saved in {folder}: {error.strerror}.")


def at_home(path: Path) -> str:
    """Write a path shorter where it lies in the home folder."""
    with contextlib.suppress(RuntimeError, ValueError):  # no home, or elsewhere
        return f"~{os.sep}{path.relative_to(Path.home())}"
    return str(path)


def is_of(record: Record, snapshot: Snapshot | None) -> bool:
    """Tell whether a record fits what the table shows of the same game, if it does."""
    if snapshot is None or snapshot.opened is None or snapshot.game != record.game:
        return True
    opened, deal = snapshot.opened, record.deal
    shown = (snapshot.room, snapshot.deal.seed_hash, opened.hands, opened.center, opened.first)
    return shown == (record.room, deal.seed_hash, deal.hands, deal.center, deal.first)


def _write(folder: Path, name: str, data: bytes) -> tuple[Path, bool]:
    """Write a new file, or find one with the same content; say if it is new. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in _names(folder, name):
        try:
            number = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            if path.is_file() and path.read_bytes() == data:
                return path, False
            continue
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
        except OSError:
            path.unlink(missing_ok=True)  # no half of a record stays
            raise
        return path, True
    raise OSError(0, f"there are {NAMES_MOST} files called {name} already")


def _names(folder: Path, name: str) -> list[Path]:
    more = [f"{name}-{count}.json" for count in range(2, NAMES_MOST + 1)]
    return [folder / one for one in (f"{name}.json", *more)]
