"""A server with one fault: the real one, behind a proxy that alters what it says."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from nana_client.address import Target, target_of

Message: TypeAlias = dict[str, Any]
Alter: TypeAlias = Callable[[Message], list[Message]]


@asynccontextmanager
async def faulty(
    server: Target, *, out: Alter | None = None, inward: Alter | None = None
) -> AsyncIterator[Target]:
    """Serve as the server does, with its messages, or those to it, altered.

    Each alteration belongs to one connection: `out` and `inward` may be classes' instances made
    anew by `fresh`, if they have such a method.
    """

    async def one(near: ServerConnection) -> None:
        assert near.request is not None
        alter_out, alter_in = _fresh(out), _fresh(inward)
        async with connect(server.server.rstrip("/") + near.request.path, compression=None) as far:
            there = asyncio.create_task(_carried(near, far, alter_in))
            try:
                await _carried(far, near, alter_out)
            finally:
                there.cancel()
                await asyncio.gather(there, return_exceptions=True)

    async with serve(one, "127.0.0.1", 0, compression=None, max_size=None) as serving:
        yield target_of("127.0.0.1", next(iter(serving.sockets)).getsockname()[1])


def _fresh(alter: Alter | None) -> Alter | None:
    make = getattr(alter, "fresh", None)
    return make() if make is not None else alter


async def _carried(
    source: ClientConnection | ServerConnection,
    sink: ClientConnection | ServerConnection,
    alter: Alter | None,
) -> None:
    try:
        while True:
            frame = await source.recv()
            for each in _altered(frame, alter):
                await sink.send(each)
    except ConnectionClosed as error:
        code = error.rcvd.code if error.rcvd else 1011
        await sink.close(code if code not in {1005, 1006} else 1000)


def _altered(frame: str | bytes, alter: Alter | None) -> list[str | bytes]:
    if alter is None or isinstance(frame, bytes):
        return [frame]
    try:
        message = json.loads(frame)
    except ValueError:
        return [frame]
    if not isinstance(message, dict):
        return [frame]
    return [json.dumps(each, ensure_ascii=False) for each in alter(message)]
