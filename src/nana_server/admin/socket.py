"""The admin socket: a Unix socket in the data folder that only its owner can open.

A connection is one request and one answer. A peer is given a time for its line, a length,
and a time to take the answer; there are few at once. Where there can be no socket, the
server runs on without.
"""

import asyncio
import logging
import os
import socket
import stat
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from nana_server.admin.wire import LINE_MOST, Answer, Request, read_request, refused, written

CONNECTIONS_MOST: Final = 16
PATIENCE: Final = 10.0  # s, for a request to come, and for an answer to be taken
_GRACE: Final = 1.0  # s, for answers under way when the server stops

Do: TypeAlias = Callable[[Request], Coroutine[Any, Any, Answer]]

log = logging.getLogger("nana.admin")


class AdminSocket:
    """Belongs to whoever holds the journal: a socket that lies there already is a dead one's."""

    def __init__(self, path: Path, do: Do, *, patience: float = PATIENCE) -> None:
        self._path = path
        self._do = do
        self._patience = patience
        self._listening: asyncio.Server | None = None
        self._inode: int | None = None
        self._reading: set[asyncio.Task[None]] = set()
        self._answering: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen, or log why not."""
        if sys.platform == "win32":
            log.info("there is no admin socket: this system has none of that kind")
            return
        try:
            bound = _bind(self._path)
        except OSError as error:
            log.warning("there is no admin socket: %s", _why(self._path, error))
            return
        self._inode = self._path.lstat().st_ino
        self._listening = await asyncio.start_unix_server(self._meet, sock=bound, limit=LINE_MOST)

    def shut(self) -> None:
        """Take nothing more; what is under way is answered still."""
        if self._listening is not None:
            self._listening.close()
        for peer in self._reading:
            peer.cancel()
        with suppress(OSError):
            if self._inode is not None and self._path.lstat().st_ino == self._inode:
                self._path.unlink()
        self._inode = None

    async def close(self) -> None:
        """Let the last answers out, and go."""
        self.shut()
        peers = self._reading | self._answering
        if peers:
            _, late = await asyncio.wait(peers, timeout=_GRACE)
            for peer in late:
                peer.cancel()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            raise AssertionError("streams are served by tasks")
        full = len(self._reading) + len(self._answering) >= CONNECTIONS_MOST
        self._reading.add(task)
        writer.transport.set_write_buffer_limits(high=0)  # so that `drain` waits for all of it
        try:
            request = _BUSY if full else await self._read(reader)
            self._reading.discard(task)
            self._answering.add(task)
            answer = request if isinstance(request, Answer) else await self._do(request)
            writer.write(written(answer))
            async with asyncio.timeout(self._patience):
                await writer.drain()
        except (TimeoutError, EOFError, ConnectionError, asyncio.CancelledError):
            pass  # it went, or said nothing in time, or the server goes: nobody to tell
        finally:
            self._reading.discard(task)
            self._answering.discard(task)
            writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader) -> Request | Answer:
        """Return what is asked, or the answer to what cannot be understood."""
        async with asyncio.timeout(self._patience):
            try:
                return read_request(await reader.readuntil())
            except asyncio.LimitOverrunError:
                return refused("bad_request", f"A request has at most {LINE_MOST} bytes.")
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                return refused("bad_request", "That is no request: one line of JSON is.")


_BUSY: Final = refused("busy", "Too many ask at once. Try again.")


def _bind(path: Path) -> socket.socket:
    """Return a socket that listens, for our user alone. Raises OSError."""
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with suppress(FileNotFoundError):
            if stat.S_ISSOCK(path.lstat().st_mode):
                path.unlink()  # of a server that was killed: the journal is ours
        bound.bind(os.fspath(path))
        path.chmod(0o600)  # before it listens: until then nobody gets in
        bound.listen(CONNECTIONS_MOST)
    except BaseException:
        bound.close()
        raise
    return bound


def _why(path: Path, error: OSError) -> str:
    return f"{path}: {error.strerror or error}"  # Python's own about a long path has no strerror
