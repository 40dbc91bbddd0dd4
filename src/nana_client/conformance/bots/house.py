"""Where bots are tried: one room on this machine, to which one bot after the other comes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Protocol, TypeAlias

from nana_client.conformance.bots import guest
from nana_client.conformance.bots.guest import Guest
from nana_client.conformance.bots.table import ROOM
from nana_client.conformance.findings import Findings
from nana_client.conformance.verdict import Broken
from nana_client.conformance.wire import Socket, table


class Running(Protocol):
    """A bot that was started, and can be ended."""

    @property
    def said(self) -> Sequence[str]: ...  # its last lines

    async def ended(self) -> None:
        """Wait until it has ended by itself."""

    async def end(self) -> None: ...


class NoBot(Exception):  # noqa: N818 - what there is
    """No bot has come at all; the message says for how long, and what the program said."""


Start: TypeAlias = Callable[[str], Awaitable[Running]]  # with the link
_COMING = 120.0  # seconds for a bot that somebody starts by hand


class House(Findings):
    """Takes connections in; scenes ask for guests."""

    def __init__(self, start: Start | None, say: Callable[[str], None] = print) -> None:
        """`start` starts the bot with the link; None waits for who comes by itself."""
        super().__init__()
        self._start, self._say = start, say
        self._coming: asyncio.Queue[Guest] = asyncio.Queue()
        self._running: Running | None = None
        self._guests: list[Guest] = []
        self.url = ""
        self.tokens: set[str] = set()  # that bots came with

    @asynccontextmanager
    async def open(self, port: int = 0) -> AsyncIterator[None]:
        async with table(self._take, port) as bound:
            self.url = f"ws://127.0.0.1:{bound}/r/{ROOM}"
            yield

    async def bot(self, scene: str) -> Guest:
        """Start the bot for a scene, and return its connection; raise Broken when none comes."""
        if self._start is not None:
            self._say(f"{scene} …")
            self._running = await self._start(self.url)
        else:
            self._say(f"{scene}: start your bot with {self.url}")
        try:
            return await self._first(self._running)
        except Broken as error:
            said = list(self._running.said) if self._running else []
            told = f"; it said: {said[-1]}" if said else ""
            if not self._guests:
                raise NoBot(f"{error}{told}") from None
            raise Broken(f"{error}{told}") from None

    async def _first(self, running: Running | None) -> Guest:
        """Wait for the connection of a bot that was started; one that has ended will not come."""
        if running is None:
            return await self.guest(_COMING)
        coming = asyncio.create_task(self.guest(guest.PATIENCE))
        ending = asyncio.create_task(running.ended())
        try:
            await asyncio.wait({coming, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done() and self._coming.empty():
                raise Broken(f"it ended without connecting to {self.url}")
            return await coming
        finally:
            coming.cancel()
            ending.cancel()

    async def guest(self, within: float) -> Guest:
        """Return the next connection."""
        try:
            async with asyncio.timeout(within):
                return await self._coming.get()
        except TimeoutError:
            raise Broken(f"for {within:g} s it did not connect to {self.url}") from None

    async def nobody(self, seconds: float, *, exactly: bool = False) -> bool:
        """Tell whether nobody connects for some time, or for just so long."""
        try:
            await self.guest(seconds if exactly else seconds * guest.SLOWNESS)
        except Broken:
            return True
        return False

    async def clear(self) -> None:
        """End what a scene has left over."""
        if self._running is not None:
            await self._running.end()
            self._running = None
        for each in self._guests:
            await each.close()
        while not self._coming.empty():
            self._coming.get_nowait()

    async def _take(self, socket: Socket) -> None:
        come = Guest(socket, self.broken)
        self._guests.append(come)
        self._coming.put_nowait(come)
        await come.over.wait()
