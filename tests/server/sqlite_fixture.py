"""A durable journal for tests, and what its entries are.

Run as a program it is a server that appends without end and prints what it was told is
kept, to be killed, traced, or locked out:

    python sqlite_fixture.py append FOLDER [ROOMS]
    python sqlite_fixture.py once FOLDER
    python sqlite_fixture.py fill FOLDER
"""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from nana_server.journal import DamagedRoom
from nana_server.sqlite.journal import SqliteJournal
from nana_server.sqlite.opening import NAME
from nana_server.sqlite.orders import Append, Broken, Full, Health, Report, Step
from nana_server.sqlite.refusals import JournalRefused
from nana_server.sqlite.store import Store

FORMAT: Final = 1
AT: Final = 1_700_000_000
FIXTURE: Final = Path(__file__)


def entry_of(room: str, seq: int) -> bytes:
    """Return the one entry that a room can have at this place; it begins with its creator."""
    return f"creator of {room}|{seq}|".encode() + bytes(range(seq % 90))


def creator_of(entry: bytes) -> str:
    return entry.split(b"|")[0].decode()


def entries_of(room: str, count: int) -> tuple[bytes, ...]:
    return tuple(entry_of(room, seq) for seq in range(count))


def open_journal(
    folder: Path,
    report: Callable[[Report], None] | None = None,
    *,
    entries_format: int = FORMAT,
    probe_seconds: float = 0.01,
) -> SqliteJournal:
    return SqliteJournal(
        folder,
        asyncio.get_running_loop(),
        entries_format=entries_format,
        creator_of=creator_of,
        report=report,
        probe_seconds=probe_seconds,
    )


def open_store(folder: Path, entries_format: int = FORMAT) -> Store:
    return Store(folder, entries_format, creator_of)


def append(room: str, seq: int, epoch: int = 1_000_000) -> Append:
    return Append(room, epoch, seq, entry_of(room, seq), lambda _: None)


def fill(store: Store, steps: Iterable[Step]) -> None:
    assert store.commit(steps, AT) == [None] * len(list(steps))


def make(folder: Path, rooms: int, entries: int, epoch: int = 1) -> list[str]:
    """Make a journal of rooms that took turns, and close it."""
    store = open_store(folder)
    names = [f"ROOM{number}" for number in range(rooms)]
    for seq in range(entries):
        fill(store, [append(room, seq, epoch) for room in names])
    store.close()
    return names


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def change(folder: Path, sql: str, *values: object) -> None:
    """Change a closed journal behind its back."""
    connection = sqlite3.connect(folder / NAME)
    with connection:
        assert connection.execute(sql, values).rowcount == 1
    connection.close()


def found(folder: Path) -> dict[str, tuple[bytes, ...] | DamagedRoom | None]:
    """Open a journal, load all its rooms, and close it; raises JournalRefused."""
    store = open_store(folder)
    try:
        return {head.room: store.read(head.room) for head in store.heads()}
    finally:
        store.close()


class Kept:
    """Appends and waits, on the loop of the test."""

    def __init__(self, journal: SqliteJournal) -> None:
        self.journal = journal

    async def append(self, room: str, seq: int) -> bool:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.journal.append(room, seq, entry_of(room, seq), done.set_result)
        return await done

    async def load(self, room: str) -> tuple[bytes, ...] | DamagedRoom | None:
        answer: asyncio.Future[tuple[bytes, ...] | DamagedRoom | None]
        answer = asyncio.get_running_loop().create_future()
        self.journal.load(room, answer.set_result)
        return await answer

    async def backup(self, path: Path) -> str | None:
        done: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self.journal.backup(path, done.set_result)
        return await done


# As a program.


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


async def _append_for_ever(folder: Path, rooms: int) -> None:
    ended = asyncio.get_running_loop().create_future()

    def reported(report: Report) -> None:
        match report:
            case Broken() | Full():
                _say(f"{type(report).__name__} {report.text}")
                if isinstance(report, Broken) and not ended.done():
                    ended.set_result(None)
            case _:
                pass

    journal = open_journal(folder, reported)
    _say("open")

    def begin(room: str, seq: int) -> None:
        def done(ok: bool) -> None:
            if ok:
                _say(f"kept {room} {seq}")
                begin(room, seq + 1)

        journal.append(room, seq, entry_of(room, seq), done)

    for number in range(rooms):
        begin(f"ROOM{number}", len(journal.entries(f"ROOM{number}")))
    await ended
    os._exit(3)  # as a server does whose disk has failed


async def _append_once(folder: Path) -> None:
    journal = open_journal(folder)
    _say(f"kept {await Kept(journal).append('ONCE', 0)}")
    await journal.close()


async def _fill_and_wait(folder: Path) -> None:
    """Append until there is no space; at a line from outside, make some."""
    healths: asyncio.Queue[Health] = asyncio.Queue()

    def reported(report: Report) -> None:
        assert isinstance(report, Health)
        healths.put_nowait(report)

    journal = open_journal(folder, reported)
    kept, seq = Kept(journal), 0
    while await kept.append("ROOM", seq):
        seq += 1
    _say(f"full {seq} {(await healths.get()).text}")
    assert not await kept.append("ROOM", seq)
    assert len(journal.entries("ROOM")) == seq
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    (folder.parent / "ballast").unlink()
    while isinstance(journal.health, Full):
        await healths.get()
    _say(f"well {await kept.append('ROOM', seq)}")
    await journal.close()
    _say(f"again {found(folder)['ROOM'] == entries_of('ROOM', seq + 1)}")


def _main() -> None:
    what, folder = sys.argv[1], Path(sys.argv[2])
    try:
        if what == "append":
            asyncio.run(_append_for_ever(folder, int(sys.argv[3])))
        elif what == "once":
            asyncio.run(_append_once(folder))
        else:
            asyncio.run(_fill_and_wait(folder))
    except JournalRefused as refusal:
        print(f"{type(refusal).__name__}: {refusal}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    _main()
