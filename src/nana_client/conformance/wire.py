"""Raw WebSockets for the conformance kit, both ends; beside `link`, the client's other importer.

A line hands over every frame as it came, in order, and says how it was closed. It
retries nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from nana_client.conformance.verdict import Broken

LARGEST: Final = 1 << 16  # what a client should accept, protocol.md § "Connection"
OPEN: Final = 5.0  # seconds


class Ended(Struct, frozen=True):
    """How a connection ended: the close code, None when it was cut."""

    code: int | None
    reason: str = ""


class Socket:
    """One connection, of either end."""

    def __init__(self, connection: ClientConnection | ServerConnection) -> None:
        self._connection = connection
        request = connection.request
        self.path = "" if request is None else request.path
        headers = {} if request is None else request.headers
        self.agent = headers.get("User-Agent", "")

    async def send(self, frame: str | bytes) -> None:
        """Send text as a text frame, bytes as a binary one; a closed connection takes nothing."""
        try:
            await self._connection.send(frame)
        except ConnectionClosed:
            return

    async def send_pieces(self, *pieces: str) -> None:
        """Send one text message in fragments."""
        await self._connection.send(pieces)

    async def send_broken_text(self, data: bytes) -> None:
        """Send a text frame that need not be UTF-8."""
        await self._connection.send(data, text=True)

    async def receive(self) -> bytes | Ended:
        try:
            return await self._connection.recv(decode=False)
        except ConnectionClosed as error:
            return Ended(error.rcvd.code, error.rcvd.reason) if error.rcvd else Ended(None)

    @property
    def extensions(self) -> str:
        """What was negotiated beyond plain WebSocket."""
        response = self._connection.response
        headers = {} if response is None else response.headers
        named = [headers.get("Sec-WebSocket-Extensions"), headers.get("Sec-WebSocket-Protocol")]
        return ", ".join(name for name in named if name)

    async def alive(self, within: float) -> bool:
        """Tell whether the other end answers a ping."""
        try:
            async with asyncio.timeout(within):
                await (await self._connection.ping())
        except (TimeoutError, ConnectionClosed):
            return False
        return True

    async def close(self) -> None:
        await self._connection.close()

    def cut(self) -> None:
        """Drop the connection as a lost network does."""
        self._connection.transport.abort()


async def dial(url: str, *, origin: str | None = None) -> Socket:
    """Connect, offering compression and a subprotocol; raise Broken, with the sentence."""
    try:
        connection = await connect(
            url,
            additional_headers={"Origin": origin} if origin else None,
            subprotocols=None,
            proxy=None,
            open_timeout=OPEN,
            ping_interval=None,
            close_timeout=1,
            max_size=LARGEST,
        )
    except InvalidStatus as error:
        raise Broken(f"it answered HTTP {error.response.status_code}") from None
    except (OSError, TimeoutError, InvalidHandshake) as error:
        raise Broken(f"no WebSocket came about: {type(error).__name__} {error}") from None
    return Socket(connection)


@asynccontextmanager
async def table(answer: Callable[[Socket], Awaitable[None]], port: int = 0) -> AsyncIterator[int]:
    """Serve on this machine alone; `answer` is called for each connection. Yields the port."""

    async def one(connection: ServerConnection) -> None:
        await answer(Socket(connection))

    async with serve(
        one, "127.0.0.1", port, compression=None, ping_interval=None, close_timeout=1
    ) as serving:
        bound: int = next(iter(serving.sockets)).getsockname()[1]
        yield bound
