"""A thousand bot games over real sockets: `python bench/thousand.py [--games N]`.

Starts a server, seats bots from outside at twenty tables for two to five, and ends with
code 0 when there was not one error, refusal or leak: of cards, to a bot that may not see
them, or of what a server has (rooms, sockets, descriptors, memory).
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from guests import Table

TABLES: Final = 20  # as many rooms as one address may open at once
GROWTH: Final = 1.05  # of memory, after the first quarter of the games
SLACK: Final = 6 << 20  # bytes that a short run may grow by
NEVER: Final = frozenset({"nana_refusals_total", "nana_connections_cut_total"})
NO_MORE: Final = frozenset(
    {"nana_rooms", "nana_seats", "nana_members_connected", "nana_websockets"}
)
# A busy machine is not what is measured: nobody is cut for being slow.
PATIENT: Final = ("--stall-timeout", "60", "--pong-timeout", "60", "--log-level", "warning")
LOOK: Final = 0.2  # seconds
PATIENCE: Final = 10.0  # seconds for the last connection to be gone


class Server(NamedTuple):
    pid: int
    url: str
    log: Path


class Held(NamedTuple):
    """What the server holds at a moment."""

    memory: int  # bytes
    descriptors: int


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    log = folder / "server.log"
    command = (sys.executable, "-m", "nana_server", "--port", "0", *PATIENT)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NANA_")}
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=plain) as process,
    ):
        try:
            if process.stdout is None:
                raise AssertionError("its output was asked for")
            line = process.stdout.readline().decode()
            yield Server(process.pid, line.removeprefix("listening on ").strip(), log)
        finally:
            process.terminate()


def held(pid: int) -> Held:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return Held(pages * os.sysconf("SC_PAGESIZE"), len([*Path(f"/proc/{pid}/fd").iterdir()]))


def numbers(url: str) -> dict[str, float]:
    """Read what the server tells Prometheus."""
    address = url.replace("ws:", "http:") + "metrics"
    with urllib.request.urlopen(address) as page:  # noqa: S310 - our own server
        lines = page.read().decode().splitlines()
    told = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in told}


async def play(server: Server, tables: list[Table]) -> Held:
    """Play all games; return what the server held when a quarter of them were over."""
    wanted = sum(table.games for table in tables) // 4
    playing = asyncio.gather(*(table.run(server.url) for table in tables), return_exceptions=True)
    warm: Held | None = None
    while not playing.done():
        await asyncio.wait({playing}, timeout=LOOK)
        over = sum(len(table.games_over) for table in tables)
        if warm is None and over >= wanted:
            warm = held(server.pid)
        show(over, 4 * wanted)
    for broken in await playing:
        if broken is not None:
            print(f"a table broke down: {broken!r}")
    return warm or held(server.pid)


def show(over: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{over} of {of} games", end="", file=sys.stderr)


def wrongs(tables: list[Table], told: dict[str, float]) -> Iterator[str]:
    """Say what the bots, and what the server's own numbers, complain of."""
    for table in tables:
        yield from table.complaints
        if len(table.games_over) != table.games:
            yield f"{len(table.games_over)} games were played instead of {table.games}"
    for name, value in told.items():
        kind = name.partition("{")[0]
        if value and kind in NEVER:
            yield f"{name} is {value:.0f}"
        if value and kind in NO_MORE:
            yield f"{name} is still {value:.0f}"


def leaks(before: Held, warm: Held, after: Held) -> Iterator[str]:
    if after.descriptors > before.descriptors:
        yield f"{after.descriptors} descriptors are open, {before.descriptors} before"
    if after.memory > max(warm.memory * GROWTH, warm.memory + SLACK):
        yield f"memory grew from {warm.memory >> 20} to {after.memory >> 20} MiB"


def left(server: Server, before: Held) -> Held:
    """Return what the server holds when it has seen the last connection end, if it does."""
    until = time.monotonic() + PATIENCE
    while (now := held(server.pid)).descriptors > before.descriptors and time.monotonic() < until:
        time.sleep(LOOK)
    return now


def seated(games: int) -> list[Table]:
    """Share the games out among tables for two to five."""
    count = min(TABLES, games)
    return [
        Table(at, players=2 + at % 4, games=games // count + (at < games % count))
        for at in range(count)
    ]


async def measured(server: Server, games: int) -> list[str]:
    """Play, print what there was of it, and return what was wrong."""
    tables, before, began = seated(games), held(server.pid), time.monotonic()
    warm = await play(server, tables)
    seconds = time.monotonic() - began
    after = await asyncio.to_thread(left, server, before)
    told = await asyncio.to_thread(numbers, server.url)
    actions = sum(value for name, value in told.items() if name.startswith("nana_actions_total"))
    frames = sum(guest.frames for table in tables for guest in table.guests)
    print(
        f"{games} games at {len(tables)} tables: {actions:,.0f} messages carried out, "
        f"{frames:,} frames looked at, {seconds:.0f} s"
    )
    memory = ", ".join(f"{one.memory / (1 << 20):.1f}" for one in (before, warm, after))
    print(f"memory before, after a quarter, at the end (MiB): {memory}")
    log = server.log.read_text(encoding="utf-8").splitlines()
    return [*wrongs(tables, told), *log, *leaks(before, warm, after)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Play bot games over real sockets, and complain.")
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        found = asyncio.run(measured(server, max(1, given.games)))
    for wrong in found[:50]:
        print(f"WRONG: {wrong}")
    print(f"{len(found)} things were wrong" if found else "no error, no refusal, no leak")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
