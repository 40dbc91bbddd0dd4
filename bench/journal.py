"""What durability costs: the SQLite journal against the one in memory, in the same run.

    python bench/journal.py [--rooms 250] [--appends 40000] [--folder DIR]

A room appends its next entry when the last one is kept, as rooms do. The folder should
be on the disk that is asked about: by default it is where this is run.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from nana_server.journal import Journal, MemoryJournal
from nana_server.sqlite.journal import SqliteJournal

ENTRY: Final = b"\x97" + bytes(range(95))  # as long as a reveal with its id and digest
SWITCH_SECONDS: Final = 0.0005
BURN_SECONDS: Final = 0.001  # how long one callback takes at most


class Load:
    """Rooms that append one entry after the other, `count` in all."""

    def __init__(self, journal: Journal, rooms: int, count: int) -> None:
        self._journal = journal
        self._rooms = [f"R{number:05}" for number in range(rooms)]
        self._seqs = [len(journal.entries(room)) for room in self._rooms]
        self._left = count
        self._in_flight = 0
        self._finished = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        for number in range(len(self._rooms)):
            self._next(number)
        await self._finished

    def _next(self, number: int) -> None:
        if self._left:
            self._left -= 1
            self._in_flight += 1
            self._journal.append(
                self._rooms[number], self._seqs[number], ENTRY, lambda ok: self._kept(number, ok)
            )

    def _kept(self, number: int, ok: bool) -> None:
        if not ok:
            raise AssertionError("the journal kept nothing")
        self._seqs[number] += 1
        self._in_flight -= 1
        self._next(number)
        if not self._in_flight:
            self._finished.set_result(None)


def open_journal(folder: Path) -> SqliteJournal:
    loop = asyncio.get_running_loop()
    return SqliteJournal(folder, loop, entries_format=1, creator_of=lambda _: "c" * 64)


async def cost(journal: Journal, rooms: int, count: int) -> tuple[float, float, float]:
    """Return CPU of the loop and of other threads, and time, in microseconds per append."""
    await Load(journal, rooms, rooms).run()
    load = Load(journal, rooms, count)
    began, loop, every = time.perf_counter(), time.thread_time(), time.process_time()
    await load.run()
    loop = time.thread_time() - loop
    every = time.process_time() - every
    took = time.perf_counter() - began
    return loop / count * 1e6, (every - loop) / count * 1e6, took / count * 1e6


async def latency(journal: Journal, per_second: int, busy: float) -> list[float]:
    """Append at a steady pace, the loop being busy for part of the time; return ms until kept."""
    loop, took = asyncio.get_running_loop(), list[float]()
    start, count = loop.time(), per_second * 3
    finished = loop.create_future()

    def begin(number: int) -> None:
        began = loop.time()

        def done(_: bool) -> None:
            took.append((loop.time() - began) * 1e3)
            if len(took) == count:
                finished.set_result(None)

        journal.append(f"PACED{number % 100}", number // 100, ENTRY, done)

    def burn() -> None:
        end = time.perf_counter() + busy * BURN_SECONDS
        while time.perf_counter() < end:
            pass
        if not finished.done():
            loop.call_later(BURN_SECONDS * (1 - busy), burn)

    if busy:
        burn()
    for number in range(count):
        loop.call_at(start + number / per_second, begin, number)
    await finished
    for number in range(100):
        journal.forget(f"PACED{number}")
    return sorted(took)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


async def costs(folder: Path, rooms: int, count: int) -> None:
    memory = MemoryJournal(asyncio.get_running_loop().call_soon)
    journal = open_journal(folder / "cost")
    print(f"µs per append, {rooms} rooms at once:      loop   other threads   elapsed")
    plain = await cost(memory, rooms, count)
    print("  in memory                       {:8.2f} {:12.2f} {:12.2f}".format(*plain))
    for in_flight in (rooms, 32, 8):
        lasting = await cost(journal, in_flight, count // max(1, rooms // in_flight))
        print(f"  SQLite, {in_flight:4} in flight          ", end="")
        print("{:8.2f} {:12.2f} {:12.2f}".format(*lasting), end="")
        print(f"   loop: {lasting[0] / plain[0]:.1f} times memory's")
    await journal.close()


async def latencies(folder: Path) -> None:
    print("ms until kept, 125 appends/s:              median      p99      most")
    journal = open_journal(folder / "latency")
    for switch in (sys.getswitchinterval(), SWITCH_SECONDS):
        sys.setswitchinterval(switch)
        for busy in (0.0, 0.5, 1.0):
            took = await latency(journal, 125, busy)
            p99 = took[int(len(took) * 0.99)]
            print(f"  loop {busy:4.0%} busy, switch interval {switch * 1e3:3.1f} ms", end="")
            print(f"{statistics.median(took):9.2f} {p99:9.2f} {took[-1]:9.2f}")
    await journal.close()


async def restarts(folder: Path) -> None:
    """Fill a journal with 300,000 rows of 10,000 rooms, and open it."""
    folder = folder / "restart"
    journal = open_journal(folder)
    await Load(journal, 10_000, 300_000).run()
    await journal.close()
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    began = time.perf_counter()
    journal = open_journal(folder)
    print(f"10,000 rooms, 300,000 entries ({size:.0f} MB):")
    print(f"  opened in                        {(time.perf_counter() - began) * 1e3:8.1f} ms")
    rooms = [head.room for head in journal.heads()]
    took = [timed(lambda room=room: journal.entries(room)) for room in rooms[::10]]  # type: ignore[misc]
    print(f"  one room of 30 entries loaded in {statistics.median(took):8.2f} ms")
    print(f"  1,000 rooms loaded in            {sum(took):8.1f} ms")
    for seq in range(6000):
        journal.append("LONG", seq, ENTRY, lambda _: None)
    journal.entries("LONG")
    print(f"  one of 6,000 entries loaded in   {timed(lambda: journal.entries('LONG')):8.2f} ms")
    done = asyncio.get_running_loop().create_future()
    began = time.perf_counter()
    journal.backup(folder / "copy.db", done.set_result)
    await done
    print(f"  copied in                        {(time.perf_counter() - began) * 1e3:8.1f} ms")
    await journal.close()


async def main(args: argparse.Namespace, folder: Path) -> None:
    await latencies(folder)
    sys.setswitchinterval(SWITCH_SECONDS)
    await costs(folder, args.rooms, args.appends)
    await restarts(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rooms", type=int, default=250)
    parser.add_argument("--appends", type=int, default=40_000)
    parser.add_argument("--folder", type=Path, default=Path())
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as made:
        asyncio.run(main(given, Path(made)))
