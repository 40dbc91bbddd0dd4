"""kill -9 under load, again and again: the clients' own ledger is the oracle.

Real servers on a real folder, real sockets, three tables that play game after game while
a fourth client opens and closes rooms. Each server is killed, at a named point that it
must come to or whenever the clients have been told so much, and the next one goes on.
`NANA_KILLS=500` makes it the long form.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from nana_core.protocol import inbound as i
from server.crash_clients import Nursery, Passer, Seat, nursery
from server.crash_ledger import Ledger, check_journal
from server.crashing import DISK_FAILS, NEVER, POINTS

KILLS: Final = int(os.environ.get("NANA_KILLS", "20"))  # at random, beside the named ones
PATIENCE: Final = 300 + 4 * KILLS  # seconds; a machine that is busy with others takes most of it
FIRST: Final = 400  # what clients are told by the first server, so that all tables play
LIFE: Final = 30  # seconds of one server
OFTEN: Final = {
    "rows-written", "committed", "receipt-written", "answers-under-way", "applied",
    "acknowledged", "one-was-shown",
}  # fmt: skip
STOPPED: Final = {"stopping", "closing-the-file"}  # come when it is asked to stop
ONCE: Final = STOPPED | {"opening-the-file", "starting"}


class Told:
    """Counts what clients are told; whoever waits for so much more is woken."""

    def __init__(self) -> None:
        self._count = 0
        self._goal = 0
        self._reached = asyncio.Event()

    def heard(self) -> None:
        self._count += 1
        if self._count >= self._goal:
            self._reached.set()

    async def more(self, count: int) -> None:
        self._goal = self._count + count
        self._reached.clear()
        await self._reached.wait()


class Table:
    """A room, who sits there and who watches."""

    def __init__(self, server: Nursery, told: Told, seats: int, bots: int, chance: Random) -> None:
        self.ledger = Ledger(told.heard)
        names = ["Ada", "Ben", "Cleo", "Dora"][: seats - bots]
        self.seats = [Seat(server, self.ledger, name, chance) for name in names]
        self.fan = Seat(server, self.ledger, "Fay", chance)
        self.seats[0].bots = bots
        self._size = seats

    async def live(self) -> None:
        """Open the room, let the others in once it has a code, and play."""
        host, *guests = self.seats
        async with asyncio.TaskGroup() as group:
            group.create_task(host.live(self._create))
            await host.entered.wait()
            for guest in guests:
                group.create_task(guest.live(partial(self._join, guest)))
            group.create_task(self.fan.live(self._watch))

    def _create(self) -> i.Create:
        host = self.seats[0]
        options = i.OptionChanges(seats=self._size, pace=0, turn_time=0)
        return i.Create(
            protocol=1,
            token=host.token,
            name=host.name,
            kind="bot",
            nonce_hash=host.commitment(),
            options=options,
        )

    def _join(self, guest: Seat) -> i.Join:
        committed = guest.commitment()
        return i.Join(
            protocol=1, token=guest.token, name=guest.name, kind="bot", nonce_hash=committed
        )

    def _watch(self) -> i.Watch:
        return i.Watch(protocol=1, token=self.fan.token, name="Fay", kind="bot")

    @property
    def keys(self) -> list[str]:
        return [seat.key for seat in (*self.seats, self.fan)]


@asynccontextmanager
async def servers(folder: Path, log: Path) -> AsyncIterator[Nursery]:
    with log.open("wb") as file:
        own = await nursery(file, "--data", str(folder), "--create-burst", "1000000")
        try:
            yield own
        finally:
            await own.close()


def plan(chance: Random) -> list[tuple[str, int]]:
    """Say where each server is to die: at each named point, and at random, in any order."""
    named = [(point, chance.randrange(1, 100 if point in OFTEN else 3)) for point in POINTS]
    once = [(point, 1) if point in ONCE else (point, nth) for point, nth in named]
    rounds = [*once, (DISK_FAILS, 70), *[(NEVER, chance.randrange(1, 600)) for _ in range(KILLS)]]
    chance.shuffle(rounds)
    return [(NEVER, FIRST), *rounds]  # the tables are there before anything is named


@pytest.mark.timeout(PATIENCE + 20)
async def test_nothing_told_is_lost_to_kill_9(tmp_path: Path) -> None:
    """Acks and snapshots hold, no action is applied twice, and every game is played out."""
    chance = Random(f"kill -9/{os.environ.get('NANA_SEED', '1')}")
    told = Told()
    async with servers(tmp_path / "data", tmp_path / "log") as server, asyncio.timeout(PATIENCE):
        tables = [Table(server, told, *it, chance) for it in ((2, 0), (3, 0), (3, 1))]
        passer = Passer(server, told.heard)
        async with asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(table.live())
            group.create_task(passer.live())
            for point, nth in plan(chance):
                await _kill(server, told, point, nth)
            assert await server.start()
            passer.enough = True
            for table in tables:
                table.ledger.last = table.ledger.game + 1
        server.signal(signal.SIGTERM)
        assert await server.ended() == 0
    for table in tables:
        table.ledger.check(table.keys)
        assert len(table.ledger.proven) >= 2
    assert len(passer.gone) > KILLS
    check_journal(tmp_path / "data", [table.ledger for table in tables])
    text = (tmp_path / "log").read_text()
    assert "Traceback" not in text
    assert "set aside" not in text


async def _kill(server: Nursery, told: Told, point: str, nth: int) -> None:
    """Let one server live until it dies where it is to die."""
    try:
        async with asyncio.timeout(LIFE):
            if await server.start(point, nth):
                await _die(server, told, point, nth)
    except TimeoutError:
        pytest.fail(f"it never came to {point} for the {nth}th time")


async def _die(server: Nursery, told: Told, point: str, nth: int) -> None:
    if point == NEVER:
        await told.more(nth)
        server.signal(signal.SIGKILL)
    elif point in STOPPED:
        await told.more(20)
        server.signal(signal.SIGTERM)
    assert await server.ended() == (1 if point == DISK_FAILS else -signal.SIGKILL)
