"""Servers that kill themselves at a named point: the real program, changed from outside.

Run as a program it is a nursery that has loaded the server once and forks it whenever it
is asked to, so that a test can kill many in seconds. A line on standard input starts one:

    POINT NTH ARGUMENTS...

A server kills itself (SIGKILL) when it comes to POINT for the NTH time; `-` never does.
The nursery says `pid N`, then the server speaks for itself, then `ended CODE` is said.
"""

import asyncio
import os
import random
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from nana_server import house, program, records
from nana_server.gateway.connection import Connection, show_all
from nana_server.gateway.frames import frame
from nana_server.lobby import Lobby
from nana_server.room import events as e
from nana_server.room import room as rooms
from nana_server.room.room import Room
from nana_server.room.stage import Stage
from nana_server.room.state import RoomState
from nana_server.sqlite import writer
from nana_server.sqlite.journal import SqliteJournal
from nana_server.sqlite.orders import Forget
from nana_server.sqlite.store import Store, _Transaction

Strike: TypeAlias = Callable[[], None]
LATEST: Final = 0.003  # seconds into what is struck while it runs: a commit takes so long
NEVER: Final = "-"


# How a method is struck.


def before(owner: type, name: str, strike: Strike, when: Callable[..., bool] | None = None) -> None:
    original = getattr(owner, name)

    def struck(*args: Any, **more: Any) -> Any:
        if when is None or when(*args):
            strike()
        return original(*args, **more)

    setattr(owner, name, struck)


def after(owner: type, name: str, strike: Strike, when: Callable[..., bool] | None = None) -> None:
    original = getattr(owner, name)

    def struck(*args: Any, **more: Any) -> Any:
        answer = original(*args, **more)
        if when is None or when(*args):
            strike()
        return answer

    setattr(owner, name, struck)


def during(owner: type, name: str, strike: Strike) -> None:
    """Strike from another thread, sometime while the method runs or right after it."""
    original = getattr(owner, name)

    def struck(*args: Any, **more: Any) -> Any:
        timer = threading.Timer(random.uniform(0, LATEST), strike)
        timer.start()
        try:
            return original(*args, **more)
        finally:
            timer.join()

    setattr(owner, name, struck)


# What a method is about.


def forgets(_: Store, steps: Any, __: int) -> bool:
    return any(isinstance(step, Forget) for step in steps)


def tells(kind: type[e.Event]) -> Callable[..., bool]:
    def told(_: Room, entry: e.Entry, *__: Any) -> bool:
        return any(isinstance(event, kind) for event in entry.events)

    return told


def ends_a_game(room: Room, _: e.Entry, state: RoomState, *__: Any) -> bool:
    return state.phase == "over" and room.state.phase != "over"


def acknowledges(
    _: Stage, __: RoomState, ___: int, ____: int, actor: Any = None, ack: bytes | None = None
) -> bool:
    return actor is not None and ack is not None


# Points that need more than a wrapper.


def acknowledged(strike: Strike) -> None:
    """The ack is out, the snapshot is not."""
    original = Connection.show

    def show(self: Connection, shared: bytes, own: bytes, ahead: bytes | None = None) -> bool:
        if ahead is not None:
            self.send_frame(frame(ahead))
            strike()
        return original(self, shared, own)

    Connection.show = show  # type: ignore[method-assign]


def one_was_shown(strike: Strike) -> None:
    """One of several has the snapshot, the others do not."""

    def each(shared: bytes, onlookers: Iterable[Any]) -> list[Any]:
        first, *others = onlookers
        missed = show_all(shared, [first])
        if others:
            strike()
        return missed + show_all(shared, others)

    vars(house)["show_all"] = each


def over_was_shown(strike: Strike) -> None:
    """Everybody has the last snapshot of a game."""
    original = Room._apply

    def apply(self: Room, entry: e.Entry, state: RoomState, request: Any, encoded: bytes) -> None:
        over = ends_a_game(self, entry, state)
        original(self, entry, state, request, encoded)
        if over:
            strike()

    Room._apply = apply  # type: ignore[method-assign]


Install: TypeAlias = Callable[[Strike], None]
POINTS: Final[dict[str, Install]] = {
    # one entry
    "rows-written": lambda it: after(Store, "_write", it),
    "committing": lambda it: during(_Transaction, "__exit__", it),
    "committed": lambda it: before(Store, "_keep", it),
    "receipt-written": lambda it: after(Store, "_keep", it),
    "answers-under-way": lambda it: before(SqliteJournal, "_deliver", it),
    "applied": lambda it: before(Stage, "publish_play", it, acknowledges),
    "acknowledged": acknowledged,
    "one-was-shown": one_was_shown,
    # a room's life
    "created": lambda it: before(Room, "_apply", it, tells(e.Created)),
    "joined": lambda it: after(Room, "_attach", it),
    "started": lambda it: before(Room, "_apply", it, tells(e.Started)),
    "opened": lambda it: before(Room, "_apply", it, tells(e.Opened)),
    "dealt": lambda it: after(Room, "_apply", it, tells(e.Dealt)),
    "over": lambda it: before(Room, "_apply", it, ends_a_game),
    "over-was-shown": over_was_shown,
    "summing-up": lambda it: after(Room, "_sum_up", it),
    "summed-up": lambda it: before(Room, "_apply", it, tells(e.Summary)),
    "record-kept": lambda it: before(records.RecordFiles, "keep", it),
    "closed": lambda it: before(Lobby, "forget", it),
    "forgetting": lambda it: before(Store, "commit", it, forgets),
    "forgotten": lambda it: after(Store, "commit", it, forgets),
    # the file
    "tidying": lambda it: during(Store, "tidy", it),
    "tidied": lambda it: after(Store, "tidy", it),
    "checkpoint": lambda it: during(Store, "checkpoint", it),
    # the server
    "opening-the-file": lambda it: before(Store, "heads", it),
    "starting": lambda it: before(house.Server, "start", it),
    "room-read": lambda it: after(Lobby, "_wake", it),
    "stopping": lambda it: before(SqliteJournal, "close", it),
    "closing-the-file": lambda it: during(Store, "close", it),
}


DISK_FAILS: Final = "disk-fails"  # not a death: the server is to end by itself, with code 1


def arm(point: str, nth: int) -> None:
    """Have this process die at a point."""
    vars(writer)["CHECKPOINT_PAGES"] = 40  # often enough to be killed in it
    passed = [0]

    def strike() -> None:
        passed[0] += 1
        if passed[0] == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    def fail() -> None:
        passed[0] += 1
        if passed[0] >= nth:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error

    if point == DISK_FAILS:
        after(Store, "_write", fail)
    else:
        POINTS[point](strike)


# The nursery.


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def _be_a_server(point: str, nth: int, args: list[str], life: int) -> None:
    _say(f"pid {os.getpid()}")  # not by the nursery, which may come too late
    os.dup2(life, 0)  # it ends with the nursery
    vars(rooms)["SUMMED_AFTER"] = 40  # so that every table is summed up now and then
    if point != NEVER:
        vars(program)["_runner"] = lambda: asyncio.run  # what is written is out at once
        arm(point, nth)
    sys.exit(program.run([*args, "--until-stdin-ends"]))


def main() -> None:
    for line in sys.stdin:
        point, nth, *args = line.split()
        mine, life = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(life)
            _be_a_server(point, int(nth), args, mine)
        os.close(mine)
        _, status = os.waitpid(pid, 0)
        os.close(life)
        _say(f"ended {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
