"""A house with a real journal on a disk: virtual time, real commits, and restarts.

The journal's thread is waited for wherever the house settles, so a test reads as if
commits took no time. A restart stops as the server does and begins anew from the folder,
on another clock, as after a boot.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from msgspec.structs import replace

from nana_core.protocol import outbound as o
from nana_server.config import Config
from nana_server.desk import Desk
from nana_server.journal import DamagedRoom, Head
from nana_server.lobby import Lobby
from nana_server.room.events import JOURNAL_FORMAT, decode_entry
from nana_server.sqlite.journal import SqliteJournal
from server.house_fixture import Friend, HeldJournal, Home

if TYPE_CHECKING:
    from nana_server.sqlite.orders import Report

MONTH_MS: Final = 30 * 24 * 3_600_000
Loaded: TypeAlias = tuple[bytes, ...] | DamagedRoom | None


class DiskJournal(HeldJournal):
    """The SQLite journal, with a count of what it has not answered yet."""

    def __init__(self, folder: Path) -> None:
        super().__init__(lambda: 0)
        self.reports: list[Report] = []
        self._loop = asyncio.new_event_loop()
        self._owed = 0
        self._sqlite = SqliteJournal(
            folder,
            self._loop,
            entries_format=JOURNAL_FORMAT,
            creator_of=creator_of,
            report=self.reports.append,
            probe_seconds=0.01,
        )

    @property
    def epoch(self) -> int:
        return self._sqlite.epoch

    def heads(self) -> Sequence[Head]:
        return self._sqlite.heads()

    def append(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        self._owed += 1
        if self.works:
            self._sqlite.append(room, seq, entry, lambda ok: self._answer(lambda: done(ok)))
        else:
            self._loop.call_soon(self._answer, lambda: done(False))

    def begin_anew(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        self._owed += 1
        if self.works:
            self._sqlite.begin_anew(room, seq, entry, lambda ok: self._answer(lambda: done(ok)))
        else:
            self._loop.call_soon(self._answer, lambda: done(False))

    def load(self, room: str, found: Callable[[Loaded], None]) -> None:
        self._owed += 1
        self._sqlite.load(room, lambda what: self._answer(lambda: found(what)))

    def entries(self, room: str) -> Sequence[bytes]:
        return self._sqlite.entries(room)

    def forget(self, room: str) -> None:
        self._sqlite.forget(room)

    def settle(self) -> None:
        """Wait until everything that was asked is answered."""
        if self._owed:
            self._loop.run_forever()

    def turn(self) -> None:
        """Let the loop hear what the journal says by itself, if it has said anything."""
        self._loop.run_until_complete(asyncio.sleep(0))

    def close(self) -> None:
        self._loop.run_until_complete(self._sqlite.close())
        self._loop.close()

    def _answer(self, answer: Callable[[], None]) -> None:
        self._owed -= 1
        answer()
        if not self._owed:
            self._loop.stop()


class LastingHome(Home):
    """A house that can be stopped and begun again; closes with the test's `with`."""

    disk: DiskJournal

    def __init__(self, folder: Path, seed: object = 0, config: Config | None = None) -> None:
        super().__init__(seed, config)
        self.folder = folder
        self._config = config or Config()
        self.date = int(time.time())  # the wall clock, by which the journal dates entries, s
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.disk.close()

    def _begin(self) -> None:
        self.disk = self.journal = DiskJournal(self.folder)
        self.house = replace(self.house, journal=self.disk, epoch=self.disk.epoch)
        self.lobby = Lobby(self.house, self._config.rooms, self.disk)
        self.desk = Desk(self.lobby, self._config, lambda: self.now, self.pages, self.house.epoch)

    def settle(self) -> None:
        self.disk.settle()
        while lines := [line for line in self.closing if not line.lingers]:
            lines[0].hang_up()
            self.disk.settle()

    def restart(self, downtime: int = 3_600_000, clock: int | None = None) -> None:
        """Stop and begin anew; meanwhile the wall clock moves by `downtime` (ms)."""
        self.settle()
        for room in self.lobby:
            room.say_restart(2000)
        for line in self.lines:
            if line.open or line in self.closing:
                line.hang_up()
        self.disk.close()
        self.alarms.clear()
        self.date += downtime // 1000
        self.now = self.now + downtime if clock is None else clock
        self._begin()

    def sweep(self, idle_most: int = MONTH_MS) -> None:
        self.lobby.sweep(self.now, idle_most, self.date)
        self.settle()


def creator_of(entry: bytes) -> str:
    return decode_entry(entry).member or ""


def wake(friend: Friend) -> None:
    """Have a room read from the disk without letting anybody in."""
    stranger = Friend(friend.home, "Eve")
    stranger.arrive(friend.code)
    assert stranger.refused(_wrong(stranger)) == "no_such_room"


def _wrong(stranger: Friend) -> bytes:
    return b'{"type":"resume","protocol":1,"token":"%s"}' % stranger.token.encode()


def shots(friend: Friend) -> list[o.Snapshot]:
    """Return every snapshot that this friend was ever sent, on any connection, in order."""
    lines = [line for line in friend.home.lines if getattr(line.context, "key", "") == friend.key]
    return [shot for line in lines for shot in line.all_of(o.Snapshot)]
