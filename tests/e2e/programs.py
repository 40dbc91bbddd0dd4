"""The project's programs as real processes, and who plays beside them over real sockets."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random

from nana_bots.mind import LEVELS, Player
from nana_client.address import Target, parse
from nana_client.entrance import Creating
from nana_client.model import Model
from nana_client.robot import Robot
from nana_client.session import Ending, Session
from nana_core.protocol.inbound import OptionChanges, Reveal
from nana_core.protocol.outbound import Outbound, Snapshot

LISTENING = "listening on "


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment of somebody's own, in which output is not kept back."""
    return {**os.environ, "NANA_HOME": str(home), "USER": "ann", "PYTHONUNBUFFERED": "1", **more}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def answers(port: int) -> bool:
    """Tell whether anything listens there."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
        return True
    return False


async def silent(port: int) -> None:
    """Wait until nothing listens there any more; the test's own timeout bounds it."""
    await asyncio.to_thread(_wait_until_silent, port)


def _wait_until_silent(port: int) -> None:
    while answers(port):
        pass


class Program:
    """A program on pipes: what it says, line by line, and what is typed to it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())

    async def until(self, *parts: str) -> str:
        """Read on to a line with one of these in it."""
        while True:
            line = await self._line()
            if any(part in line for part in parts):
                return line

    async def ends(self) -> int:
        """Read on to the end; return the exit code."""
        assert self.process.stdout is not None
        rest = (await self.process.stdout.read()).decode()
        self.lines += rest.splitlines()
        return await self.process.wait()

    async def interrupt(self) -> int:
        """Press Ctrl+C."""
        self.process.send_signal(signal.SIGINT)
        return await self.ends()

    async def _line(self) -> str:
        assert self.process.stdout is not None
        line = (await self.process.stdout.readline()).decode()
        assert line, f"it ended: {self.text}"
        self.lines.append(line.rstrip("\n"))
        return self.lines[-1]


@asynccontextmanager
async def program(*command: str, home: Path, **more: str) -> AsyncIterator[Program]:
    """Start a program; complaints stand among its lines. It is gone afterwards."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(home, **more),
    )
    try:
        yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def nana(home: Path, *args: str, **more: str) -> AsyncIterator[Program]:
    async with program(sys.executable, "-m", "nana_client", *args, home=home, **more) as started:
        yield started


@asynccontextmanager
async def serving(home: Path, *args: str, **more: str) -> AsyncIterator[tuple[Program, Target]]:
    """Start a server at any free port."""
    data = home / "server"
    command = (sys.executable, "-m", "nana_server", "--port", "0", *args)
    async with program(*command, home=data, **more) as started:
        line = await started.until(LISTENING)
        yield started, parse(line.partition(LISTENING)[2])


class Friend:
    """Somebody without a screen: opens a room without a pace, deals when it is full, plays.

    A bot by kind: bots hurry where nobody watches. Plays so many games, or only sits there.
    """

    def __init__(self, server: Target, seats: int, games: int = 1, name: str = "Host") -> None:
        way = Creating(name=name, kind="bot", options=OptionChanges(seats=seats, pace=0))
        self.session = Session(server, way, store=None, on_change=self._hear)
        self.last: Model | None = None  # of the newest game that is over
        self._seats, self._games = seats, games
        self._mind = Player(LEVELS["memory"](Random(seats)))
        self._done: set[object] = set()
        self._waiting: list[tuple[Callable[[Snapshot], bool], asyncio.Event]] = []

    async def until(self, holds: Callable[[Snapshot], bool]) -> Snapshot:
        """Wait for a snapshot in which something holds."""
        shot = self.session.model.snapshot
        if shot is None or not holds(shot):
            come = asyncio.Event()
            self._waiting.append((holds, come))
            await come.wait()
        shot = self.session.model.snapshot
        assert shot is not None
        return shot

    def _hear(self, model: Model, message: Outbound | None) -> None:
        shot = model.snapshot
        if shot is None or message is not shot:
            return
        action = self._mind.receive(shot)
        if action is not None and self._first(shot.game, shot.step):
            if isinstance(action, Reveal):
                self.session.reveal(action.source, action.step)
            else:
                self.session.proceed()
        if shot.phase == "over":
            self.last = model
            if shot.game < self._games and self._first("rematch", shot.game):
                self.session.rematch()
        full = [view.ready and view.online for view in shot.seats if view.kind != "free"]
        done = shot.game if shot.phase == "over" else shot.game - 1
        may = shot.phase in {"lobby", "over"} and done < self._games
        if (
            may
            and len(full) == self._seats
            and all(full)
            and self._first("start", shot.phase, shot.game)
        ):
            self.session.start()
        for holds, come in self._waiting:
            if holds(shot):
                come.set()

    def _first(self, *key: object) -> bool:
        fresh = key not in self._done
        self._done.add(key)
        return fresh


@asynccontextmanager
async def a_room(server: Target, seats: int, games: int = 1) -> AsyncIterator[Friend]:
    """Have a friend open a room."""
    friend = Friend(server, seats, games)
    running = asyncio.create_task(friend.session.run())
    try:
        await friend.until(lambda shot: shot.phase == "lobby")
        yield friend
    finally:
        friend.session.close()
        await running


@asynccontextmanager
async def bots(target: Target, count: int, games: int) -> AsyncIterator[list[list[str]]]:
    """Let bots join over sockets of their own; yields what each of them says."""
    said: list[list[str]] = [[] for _ in range(count)]
    async with AsyncExitStack() as stack:
        for n, lines in enumerate(said):
            mind = LEVELS["memory"](Random(n))
            robot = Robot(
                target, mind, name=f"Bot {n + 1}", games=games, say=lines.append, thinking=0.0
            )
            stack.push_async_callback(_ended, asyncio.create_task(robot.run()))
        yield said


async def _ended(task: asyncio.Task[Ending]) -> None:
    """Stop what may still run; whatever broke in it is raised."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
