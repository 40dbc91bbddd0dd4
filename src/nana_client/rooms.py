"""The open tables of a server: asked for over plain HTTP, on the port of the game.

A server may be anything and send anything: what it may send is bounded in bytes and in
time, and read as strictly as a link. What cannot be read is a sentence, never a crash.
"""

import asyncio
import ssl
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from nana_client.address import Target
from nana_client.faults import not_nana, place, sentence

ANSWER_BYTES: Final = 256 * 1024
SECONDS: Final = 6.0  # for the whole of it
ROOMS_MOST: Final = 200
_LINE_BYTES: Final = 4096
_HEADERS_MOST: Final = 100

_Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class OpenRoom(Struct, frozen=True):
    """A room that whoever finds it may join or watch."""

    room: Annotated[str, Meta(pattern="^[A-Z0-9]{5}$", max_length=5)]
    phase: Annotated[str, Meta(max_length=16, pattern="^[a-z_]*$")]
    seats: Annotated[int, Meta(ge=0, le=99)]
    taken: Annotated[int, Meta(ge=0, le=99)]
    watching: _Count = 0
    memory: Annotated[str, Meta(max_length=16, pattern="^[a-z_]*$")] = "none"

    @property
    def has_seat(self) -> bool:
        """Tell whether somebody could sit down now: a game that runs is only watched."""
        return self.taken < self.seats and self.phase in {"lobby", "over"}


class NoRooms(Exception):  # noqa: N818 - what it says
    """No list came; the message is a sentence for who asked."""


async def rooms_of(server: Target, *, seconds: float = SECONDS) -> tuple[OpenRoom, ...]:
    """Ask a server for its open tables, those with free seats first. Raise NoRooms."""
    try:
        async with asyncio.timeout(seconds):
            return _rooms(await _fetch(server), server)
    except (OSError, UnicodeError) as error:
        raise NoRooms(sentence(error, server)) from None
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        raise NoRooms(not_nana(server)) from None


def _rooms(body: bytes, server: Target) -> tuple[OpenRoom, ...]:
    try:
        rooms = msgspec.json.decode(body, type=tuple[OpenRoom, ...])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise NoRooms(not_nana(server)) from None
    return tuple({room.room: room for room in rooms}.values())[:ROOMS_MOST]


async def _fetch(server: Target) -> bytes:
    """Return the body of the answer; raise NoRooms, OSError, or ValueError for what is no HTTP."""
    tls = ssl.create_default_context() if server.secure else None
    reader, writer = await asyncio.open_connection(
        server.host, server.port, ssl=tls, limit=_LINE_BYTES
    )
    try:
        path = server.server.partition("://")[2].partition("/")[2]
        request = f"GET /{path}rooms HTTP/1.1\r\nHost: {place(server)}\r\nConnection: close\r\n\r\n"
        writer.write(request.encode("ascii"))
        status, headers = await _head(reader)
        if status in {401, 403, 404}:
            raise NoRooms(f"{place(server)} shows no list of tables; join by a link instead.")
        if status != 200:
            raise NoRooms(f"{place(server)} cannot tell its tables now (HTTP {status}).")
        return await _body(reader, headers)
    finally:
        writer.transport.abort()


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    version, code, *_ = (await _line(reader)).split(" ", 2)
    if version not in {"HTTP/1.1", "HTTP/1.0"} or not (code.isascii() and code.isdigit()):
        raise ValueError(version)
    headers: dict[str, str] = {}
    for _ in range(_HEADERS_MOST):
        line = await _line(reader)
        if not line:
            return int(code[:3]), headers
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip().lower()
    raise ValueError("headers without end")


async def _line(reader: asyncio.StreamReader) -> str:
    return (await reader.readuntil(b"\n")).decode("latin-1").rstrip("\r\n")


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "chunked" in headers.get("transfer-encoding", ""):
        return await _chunks(reader)
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and len(length) < 10:
        return await reader.readexactly(_bounded(int(length)))
    return await _to_the_end(reader)


async def _to_the_end(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while piece := await reader.read(_LINE_BYTES):
        body += piece
        _bounded(len(body))
    return body


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    """Read a body in chunks, as proxies send it."""
    body = b""
    while size := int((await _line(reader)).partition(";")[0], 16):
        body += await reader.readexactly(_bounded(len(body) + abs(size)) - len(body))
        await _line(reader)
    return body


def _bounded(size: int) -> int:
    if size > ANSWER_BYTES:
        raise ValueError("an answer without end")
    return size


def told(room: OpenRoom, *, short: bool = False) -> str:
    """Say in a few words what goes on at a table; `short` says only what one chooses by."""
    free = room.seats - room.taken
    match room.phase:
        case "lobby" | "over" if free > 0:
            between = ", between games" if room.phase == "over" and not short else ""
            return f"{free} of {room.seats} seats free{between}"
        case "lobby" | "over":
            return "every seat is taken"
        case _:
            return f"a game of {room.taken} is on"


def lines(rooms: tuple[OpenRoom, ...], server: Target) -> list[str]:
    """Tell the tables in lines, each with the link that leads there."""
    if not rooms:
        return [f"No open table at {place(server)}. A host opens one by the option Listed."]
    return [f"{server.at(room.room).url}  {told(room)}{_also(room)}" for room in rooms]


def _also(room: OpenRoom) -> str:
    watching = f"; {room.watching} watching" if room.watching else ""
    return watching + ("; open memory" if room.memory == "open" else "")
