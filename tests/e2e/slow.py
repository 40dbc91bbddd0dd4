"""A slow line: a proxy that passes bytes on late, in both directions, in their order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from nana_client.address import Target, target_of


@asynccontextmanager
async def slow_line(to: Target, delay: float) -> AsyncIterator[Target]:
    """Yield a target that leads to another one, where every byte comes so many seconds late."""
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(to.host, to.port)
        ways = {
            asyncio.create_task(_carry(*way, delay)) for way in ((reader, back), (there, writer))
        }
        serving.update(ways)
        await asyncio.wait(ways)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        yield target_of("127.0.0.1", port, to.room)
    finally:
        server.close()
        for way in serving:
            way.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Pass on what comes, each piece when its time has come; a hang-up, too."""
    loop = asyncio.get_running_loop()
    try:
        with suppress(OSError):
            while data := await reader.read(65536):
                loop.call_later(delay, writer.write, data)
        await asyncio.sleep(delay)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
