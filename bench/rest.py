"""Rooms at rest: how fast a server starts on them, what they weigh, and how fast one returns.

    python bench/rest.py [--rooms 10000] [--steps 120] [--wake 1000] [--folder DIR]

A real server plays one room for so many steps; its journal is then copied to as many
rooms, and the server started on it again. Nothing is asserted: the figures are printed.
"""

import argparse
import asyncio
import hashlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Final

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from nana_bots.mind import LEVELS, Player
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.codec import decode_outbound, encode
from nana_server.lobby import ALPHABET, CODE_LENGTH
from nana_server.room.events import (
    JOURNAL_FORMAT,
    Created,
    Entry,
    Joined,
    decode_entry,
    encode_entry,
)
from nana_server.sqlite.orders import Append
from nana_server.sqlite.store import Store

BATCH: Final = 200  # rooms in one commit
AT_ONCE: Final = 50  # clients that come back together


class Server:
    def __init__(self, folder: Path) -> None:
        self._began = time.perf_counter()
        command = [sys.executable, "-m", "nana_server", "--port", "0", "--data", str(folder)]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        if self._process.stdout is None:
            raise AssertionError
        line = self._process.stdout.readline()
        self.started = time.perf_counter() - self._began
        self.url = line.removeprefix("listening on ").strip().rstrip("/")

    def megabytes(self) -> float:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(timeout=20)


def token_of(room: int, seat: int) -> str:
    return hashlib.sha256(f"{room} {seat}".encode()).hexdigest()[:32]


def code_of(room: int) -> str:
    letters = [ALPHABET[room // 31**place % 31] for place in range(CODE_LENGTH)]
    return "".join(letters)


def key_of(room: int, seat: int) -> str:
    return hashlib.sha256(token_of(room, seat).encode()).hexdigest()


async def told(socket: ClientConnection) -> o.Outbound | None:
    return decode_outbound(await socket.recv(decode=False))


async def say(socket: ClientConnection, message: i.Inbound) -> None:
    await socket.send(encode(message), text=True)


async def play(url: str, steps: int) -> str:
    """Play a room for so many steps with two clients; return its code."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(connect(url, compression=None))
        options = i.OptionChanges(seats=2, pace=0, turn_time=0)
        await say(
            host,
            i.Create(protocol=1, token=token_of(0, 0), name="Ada", kind="bot", options=options),
        )
        while not isinstance(message := await told(host), o.Welcome):
            pass
        code = message.room
        friend = await stack.enter_async_context(connect(f"{url}/r/{code}", compression=None))
        await say(friend, i.Join(protocol=1, token=token_of(0, 1), name="Ben", kind="bot"))
        while not isinstance(await told(friend), o.Snapshot):
            pass
        await say(host, i.Start())
        await asyncio.gather(*(act(socket, n, steps) for n, socket in enumerate((host, friend))))
    return code


async def act(socket: ClientConnection, seat: int, steps: int) -> None:
    """Play one seat at random, until a step is shown."""
    player, asked, step = Player(LEVELS["random"](Random(seat))), -1, 0
    while step < steps:
        message = await told(socket)
        if isinstance(message, o.Snapshot):
            step, answer = message.step, player.receive(message)
            if answer is not None and step > asked:
                asked = step
                await say(socket, replace(answer, id=f"{seat}-{step:030}"))  # as long as usual


def copied(entries: tuple[bytes, ...], room: int) -> list[bytes]:
    """Return the entries as another room's, with members of its own."""
    keys = {key_of(0, seat): key_of(room, seat) for seat in range(2)}

    def renamed(entry: Entry) -> Entry:
        events = tuple(
            replace(event, code=code_of(room))
            if isinstance(event, Created)
            else replace(event, member=keys[event.member])
            if isinstance(event, Joined)
            else event
            for event in entry.events
        )
        return replace(entry, events=events, member=keys.get(entry.member or ""))

    return [encode_entry(renamed(decode_entry(entry))) for entry in entries]


def multiply(folder: Path, code: str, rooms: int) -> tuple[int, int]:
    """Make rooms 1 to `rooms`, and forget the first; return entries of each and bytes in all."""
    store = Store(folder, JOURNAL_FORMAT, lambda entry: decode_entry(entry).member or "")
    entries = store.read(code)
    if not isinstance(entries, tuple):
        raise TypeError
    for first in range(1, rooms + 1, BATCH):
        steps = [
            Append(code_of(room), store.epoch, seq, entry, lambda _: None)
            for room in range(first, min(first + BATCH, rooms + 1))
            for seq, entry in enumerate(copied(entries, room))
        ]
        if set(store.commit(steps, int(time.time()))) != {None}:
            raise AssertionError("a journal takes what follows")
        store.checkpoint()
    store.close()
    return len(entries), (folder / "journal.db").stat().st_size


async def come_back(url: str, room: int) -> float:
    """Resume in a room; return the milliseconds from asking to the table."""
    async with connect(f"{url}/r/{code_of(room)}", compression=None) as socket:
        await told(socket)
        began = time.perf_counter()
        await say(socket, i.Resume(protocol=1, token=token_of(room, 0)))
        while not isinstance(message := await told(socket), o.Snapshot):
            if isinstance(message, o.Error):
                raise TypeError(message.text)
        return (time.perf_counter() - began) * 1000


async def measure(folder: Path, rooms: int, steps: int, wake: int) -> None:
    server = Server(folder)
    empty = server.megabytes()
    code = await play(server.url, steps)
    server.stop()
    entries, size = multiply(folder, code, rooms)
    print(f"{rooms:,} rooms of {entries} entries, {size / 2**20:,.0f} MiB on disk")
    server = Server(folder)
    full = server.megabytes()
    print(f"started in {server.started * 1000:.0f} ms")
    print(f"memory {full:.1f} MiB, {full - empty:.1f} more than without rooms", end=", ")
    print(f"{(full - empty) * 1024 / rooms:.2f} KiB a room")
    chance = Random(1)
    chosen = chance.sample(range(1, rooms + 1), min(wake + 20, rooms))
    single = [await come_back(server.url, room) for room in chosen[:20]]
    print(f"one room returns in {statistics.median(single):.1f} ms, at most {max(single):.1f} ms")
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(room: int) -> None:
        async with gate:
            await come_back(server.url, room)

    began = time.perf_counter()
    await asyncio.gather(*(one(room) for room in chosen[20:]))
    seconds = time.perf_counter() - began
    print(f"{len(chosen) - 20:,} rooms return in {seconds:.2f} s, {AT_ONCE} at a time")
    awake = server.megabytes()
    print(f"memory {awake:.1f} MiB, {(awake - full) * 1024 / len(chosen):.1f} KiB an awake room")
    server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=120, help="played in each room")
    parser.add_argument("--wake", type=int, default=1000, help="how many rooms return at once")
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk in question")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        asyncio.run(measure(Path(folder), args.rooms, args.steps, args.wake))


if __name__ == "__main__":
    main()
