"""One WebSocket connection kept alive: the only importer of websockets in the client.

A link connects, delivers frames in order, sends frames in order, notices a peer
that went silent, and connects again with growing, fully random pauses. It knows
nothing of what the frames say; whoever does gives it orders (`obey`).
"""

import asyncio
import ipaddress
import logging
import random
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

import websockets  # loads the client itself when it connects: the first screen does not wait

from nana_client.address import BadAddress, Target, parse
from nana_client.faults import not_nana, place, sentence
from nana_client.retry import Closed, Connecting, Open, Orders, State, Timing, Waiting, backoff
from nana_core import __version__

_T = TypeVar("_T")
Connection: TypeAlias = "websockets.ClientConnection"
Refusing: TypeAlias = "websockets.InvalidHandshake | websockets.InvalidProxy | ImportError"
LARGEST_FRAME: Final = 1 << 18
_BUSY: Final = frozenset({429, 502, 503, 504})

# Every failure reaches the person as a state; a second copy on stderr would tear the screen.
_quiet: Final = logging.getLogger("nana_client.link.websockets")
_quiet.addHandler(logging.NullHandler())
_quiet.propagate = False


class Link:
    """Callbacks run on the event loop, synchronously: `on_state`, and `on_frame` per frame."""

    def __init__(
        self,
        target: Target,
        on_state: Callable[[State], None],
        on_frame: Callable[[bytes], None],
        *,
        timing: Timing | None = None,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.target = target
        self._on_state, self._on_frame = on_state, on_frame
        self._timing = timing or Timing()
        self._clock, self._draw, self._sleep = clock, draw, sleep
        self._outbox: asyncio.Queue[bytes | None] | None = None
        self._orders: Orders | None = None
        self._greeted, self._silent = asyncio.Event(), False
        self._ever_open = False
        self._paused = 0.0  # seconds of pauses since it was open
        self._tries = 0
        self._closing, self._hurry = asyncio.Event(), asyncio.Event()

    async def run(self) -> Closed:
        """Keep the connection until it is closed for good; never open at all counts as that."""
        closed = await self._keep()
        self._on_state(closed)
        return closed

    def send(self, frame: bytes) -> bool:
        """Send after everything sent before; False when there is no connection to take it."""
        if self._outbox is None:
            return False
        self._outbox.put_nowait(frame)
        return True

    def obey(self, orders: Orders) -> None:
        """Close the connection that runs now, and then do as ordered."""
        self._orders = orders
        if self._outbox is not None:
            self._outbox.put_nowait(None)

    def hurry(self) -> None:
        """Cut a pause short, or look at once whether the other end is still there."""
        self._hurry.set()

    def close(self) -> None:
        """Send what was handed over, close, and end `run`."""
        self._closing.set()
        self._hurry.set()
        if self._outbox is not None:
            self._outbox.put_nowait(None)

    @property
    def asked_to_close(self) -> bool:
        """Whether `close` was called: the end is what somebody here wanted."""
        return self._closing.is_set()

    async def _keep(self) -> Closed:
        while True:
            self._on_state(Connecting())
            why = await self._once()
            if closed := self._end(why):
                return closed
            orders, self._orders = self._orders, None
            pause = backoff(self._tries, self._timing, self._draw)
            if orders is not None:
                pause += orders.after
                self._move(orders.url)
            self._tries += 1
            self._hurry.clear()
            self._paused += pause
            self._on_state(Waiting(pause, why))
            await self._unless(self._hurry, _waited(self._sleep, pause))
            if self._closing.is_set():
                return Closed(why)

    def _end(self, why: str) -> Closed | None:
        """Say that this was the last connection, or None when another is worth a try."""
        if self._closing.is_set():
            return Closed("You closed the connection.")
        if self._orders is not None:
            return Closed(self._orders.why) if self._orders.retry == "never" else None
        if not self._ever_open:
            return Closed(why)
        if self._paused > self._timing.patience:  # by the clock, a suspended laptop would give up
            return Closed(f"{why} We tried for a long time and gave up.")
        return None

    def _move(self, url: str | None) -> None:
        """Follow a room to where the server says it is; never from TLS to none."""
        with suppress(BadAddress):
            target = parse(url) if url else self.target
            if target.secure or not self.target.secure:
                self.target = target

    async def _once(self) -> str:
        """Connect and stay; return the sentence that says why it ended."""
        try:
            connection = await self._unless(self._closing, self._connect())
        except (OSError, UnicodeError) as error:
            return sentence(error, self.target)
        except (websockets.InvalidHandshake, websockets.InvalidProxy, ImportError) as error:
            return _refusal(error, self.target)
        if connection is None:
            return "You closed the connection."
        began = self._clock()
        self._outbox, self._silent = asyncio.Queue(), False
        self._greeted.clear()
        try:
            return await self._live(connection, self._outbox)
        finally:
            self._outbox = None
            connection.transport.abort()
            if self._clock() - began >= self._timing.steady:
                self._tries = 0

    async def _connect(self) -> Connection:
        return await websockets.connect(
            self.target.url,
            compression=None,
            proxy=None if _is_near(self.target.host) else True,
            open_timeout=self._timing.open,
            ping_interval=None,  # `_ping` does it, and measures
            close_timeout=2,
            max_size=LARGEST_FRAME,
            user_agent_header=f"nana/{__version__}",
            logger=_quiet,
            happy_eyeballs_delay=0.25,  # a host whose IPv6 leads nowhere costs no more than this
        )

    async def _live(self, connection: Connection, outbox: asyncio.Queue[bytes | None]) -> str:
        async with asyncio.TaskGroup() as group:
            reader = group.create_task(self._read(connection))
            writer = group.create_task(self._write(connection, outbox))
            pinger = group.create_task(self._ping(connection))
            await asyncio.wait({reader})
            writer.cancel()
            pinger.cancel()
        return reader.result()

    async def _read(self, connection: Connection) -> str:
        try:
            async with asyncio.timeout(self._timing.open):
                frame = await connection.recv(decode=False)
            self._ever_open, self._paused = True, 0.0
            self._on_state(Open())
            self._greeted.set()
            while True:
                self._on_frame(frame)
                frame = await connection.recv(decode=False)
        except TimeoutError:
            return not_nana(self.target)
        except websockets.ConnectionClosed as error:
            return self._farewell(error)

    async def _write(self, connection: Connection, outbox: asyncio.Queue[bytes | None]) -> None:
        """Send in order; a task of its own, because a key press must not wait for a slow net."""
        with suppress(websockets.ConnectionClosed):
            while (frame := await outbox.get()) is not None:
                await connection.send(frame, text=True)
            await connection.close()

    async def _ping(self, connection: Connection) -> None:
        await self._greeted.wait()
        with suppress(websockets.ConnectionClosed):
            while True:
                self._hurry.clear()
                try:
                    async with asyncio.timeout(self._timing.ping_timeout):
                        latency = await (await connection.ping())
                except TimeoutError:
                    self._silent = True
                    connection.transport.abort()
                    return
                self._on_state(Open(round(latency * 1000)))
                await self._unless(self._hurry, _waited(self._sleep, self._timing.ping_every))

    def _farewell(self, error: "websockets.ConnectionClosed") -> str:
        if self._orders is not None:
            return self._orders.why
        if self._silent:
            return f"{place(self.target)} went silent."
        if error.rcvd is None:
            return f"The connection to {place(self.target)} broke."
        return f"The server at {place(self.target)} closed the connection."

    async def _unless(self, event: asyncio.Event, work: Coroutine[None, None, _T]) -> _T | None:
        """Do the work unless the event comes first; then it is cancelled, and None."""
        doing, waiting = asyncio.create_task(work), asyncio.create_task(event.wait())
        try:
            await asyncio.wait({doing, waiting}, return_when=asyncio.FIRST_COMPLETED)
            return doing.result() if doing.done() else None
        finally:
            doing.cancel()
            waiting.cancel()
            await asyncio.gather(doing, waiting, return_exceptions=True)


async def _waited(sleep: Callable[[float], Awaitable[None]], seconds: float) -> None:
    await sleep(seconds)


async def first_frame(target: Target, *, timeout: float = 2.0) -> bytes | None:  # noqa: ASYNC109 - a bound on the whole look
    """Look who answers: the first frame that a server sends, None when there is none."""
    found: list[bytes] = []

    def keep(frame: bytes) -> None:
        found.append(frame)
        link.close()

    link = Link(target, lambda _: None, keep, timing=Timing(open=timeout))
    await link.run()
    return found[0] if found else None


def _refusal(error: Refusing, target: Target) -> str:
    match error:
        case websockets.InvalidStatus():
            status = error.response.status_code
            if status in _BUSY:
                return f"{place(target)} cannot take us now (HTTP {status}); try again later."
            return f"{not_nana(target)[:-1]} (HTTP {status})."
        case websockets.ProxyError() | websockets.InvalidProxy():
            return f"The proxy of this system does not lead to {place(target)}; see NO_PROXY."
        case ImportError():
            return (
                "The proxy of this system is a SOCKS proxy; install python-socks or set NO_PROXY."
            )
        case _ if not target.secure:
            return f"{not_nana(target)[:-1]}, or it wants wss:// instead of ws://."
        case _:
            return not_nana(target)


def _is_near(host: str) -> bool:
    """Tell whether a host is on this machine or its own network, where no proxy leads."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host.rstrip(".") or host.endswith((".local", ".lan", ".home.arpa"))
    return address.is_private or address.is_loopback or address.is_link_local
