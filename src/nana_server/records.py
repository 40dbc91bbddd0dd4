"""Records of finished games as files: `records/ROOM-GAME.json` in the server's data folder.

Files are written whole, by one small thread, never on the event loop, and only their
owner may read them. A disk that fails costs records, never games: it is logged, and
the room goes on. Without a folder nothing is kept.
"""

import contextlib
import logging
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from nana_core.record import RECORD_BYTES, pretty

WAITING_MOST: Final = 256  # records that wait to be written or read
LOOK_SECONDS: Final = 3600.0  # between two looks for records that are too old
CLOSE_SECONDS: Final = 5.0
DAY: Final = 86_400
# A room's code, made by the server, and a number: nothing that a stranger has typed.
_NAME: Final = re.compile(r"[A-Z0-9]{1,16}-[1-9][0-9]{0,15}\.json")
_UNFINISHED: Final = ".new"

Found: TypeAlias = Callable[[bytes | None], None]
Post: TypeAlias = Callable[[Callable[[], None]], object]  # such as loop.call_soon_threadsafe

log = logging.getLogger("nana.records")


class Records(Protocol):
    """Where rooms leave the records of their games. Nothing here waits or raises."""

    def keep(self, room: str, game: int, record: bytes, *, anew: bool) -> None:
        """Keep a record (one line of JSON); unless `anew`, one that is there stays."""
        ...

    def find(self, room: str, game: int, found: Found) -> None:
        """Call `found` with the record, or with None; it may be called at once."""
        ...


class NoRecords:
    """Keeps nothing."""

    def keep(self, room: str, game: int, record: bytes, *, anew: bool) -> None: ...

    def find(self, room: str, game: int, found: Found) -> None:  # noqa: ARG002 - the interface
        found(None)


NO_RECORDS: Final = NoRecords()


class _Keep(Struct, frozen=True):
    file: Path
    record: bytes
    anew: bool


class _Find(Struct, frozen=True):
    file: Path
    found: Found


class RecordFiles:
    """Records in a folder of the data folder `data`; with None, nothing is kept.

    `post` brings answers back to where `find` was called. Records older than `days`
    are deleted; None keeps them for ever.
    """

    def __init__(
        self,
        data: Path | None,
        post: Post,
        *,
        days: int | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = None if data is None else data / "records"
        self._post, self._days, self._clock = post, days, clock
        self._orders: Queue[_Keep | _Find | None] = Queue(WAITING_MOST)
        self._thread = threading.Thread(target=self._run, name="records", daemon=True)
        if self._folder is not None:
            self._thread.start()

    def keep(self, room: str, game: int, record: bytes, *, anew: bool) -> None:
        if self._folder is not None and not self._order(
            _Keep(self._folder / file_name(room, game), record, anew)
        ):
            log.warning("the record of room %s, game %d is not kept: too many wait", room, game)

    def find(self, room: str, game: int, found: Found) -> None:
        if self._folder is None or not self._order(
            _Find(self._folder / file_name(room, game), found)
        ):
            found(None)

    def close(self) -> None:
        """Write what waits, and end; a disk that hangs is not waited for."""
        if self._thread.is_alive():
            self._orders.put(None)
            self._thread.join(CLOSE_SECONDS)

    def _order(self, order: _Keep | _Find) -> bool:
        try:
            self._orders.put_nowait(order)
        except Full:
            return False
        return True

    # On the thread.

    def _run(self) -> None:
        looked = -LOOK_SECONDS
        while True:
            if time.monotonic() - looked >= LOOK_SECONDS:
                looked = time.monotonic()
                self._forget_old()
            try:
                order = self._orders.get(timeout=LOOK_SECONDS)
            except Empty:
                continue
            match order:
                case _Keep():
                    _keep(order)
                case _Find(file=file, found=found):
                    self._answer(found, _read(file))
                case None:
                    return

    def _answer(self, found: Found, record: bytes | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._post(lambda: found(record))

    def _forget_old(self) -> None:
        """Delete records that are too old, and what a crash left half written."""
        if self._folder is None or not self._folder.is_dir():
            return
        oldest = None if self._days is None else self._clock() - self._days * DAY
        try:
            for file in self._folder.iterdir():
                unfinished = file.name.endswith(_UNFINISHED)
                is_old = oldest is not None and file.stat().st_mtime < oldest
                if unfinished or (is_old and _NAME.fullmatch(file.name)):
                    file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("old records could not be deleted: %s", error.strerror)


def file_name(room: str, game: int) -> str:
    name = f"{room}-{game}.json"
    if _NAME.fullmatch(name) is None:
        raise AssertionError("rooms have codes of the server's own making")
    return name


def _keep(order: _Keep) -> None:
    """Write a record whole: after a crash it is there, or it is not."""
    file, fresh = order.file, order.file.with_suffix(_UNFINISHED)
    try:
        if not order.anew and file.exists():
            return
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        number = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(number, "wb") as opened:
            opened.write(pretty(order.record))
            opened.flush()
            os.fsync(number)
        fresh.replace(file)
        _sync(file.parent)
    except OSError as error:
        log.warning("the record %s could not be written: %s", file.name, error.strerror)


def _sync(folder: Path) -> None:
    """Make a new name in a folder durable, where the system can."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _read(file: Path) -> bytes | None:
    try:
        with file.open("rb") as opened:
            return msgspec.json.format(opened.read(RECORD_BYTES), indent=-1)
    except FileNotFoundError:
        return None
    except OSError as error:
        log.warning("the record %s could not be read: %s", file.name, error.strerror)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        log.warning("the record %s is damaged", file.name)
    return None
