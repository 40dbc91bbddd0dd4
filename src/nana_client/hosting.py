"""The real nana-server as a child process, for `nana play` and `nana host`.

The child has a session of its own (Ctrl+Z stops the client, not the table), ends
when its standard input ends (so it dies with a killed parent), and logs to a file.
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from nana_client.address import BadAddress, Target, parse, target_of
from nana_client.link import first_frame
from nana_client.neighbourhood import links
from nana_client.store import Folders
from nana_core.protocol.codec import Malformed, decode_outbound
from nana_core.protocol.outbound import Hello

LISTENING: Final = b"listening on "
START_SECONDS: Final = 15.0
STOP_SECONDS: Final = 5.0
_EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - friends come from anywhere
LARGEST_LOG: Final = 1 << 20


class CannotHost(Exception):  # noqa: N818 - what it says
    """No server could be started; the message is a sentence for the person who wanted one."""


class Hosted:
    """A server to play on: one that was started here, or one that was there already."""

    def __init__(
        self,
        target: Target,
        *,
        shared: bool,
        process: asyncio.subprocess.Process | None = None,
        log: Path | None = None,
    ) -> None:
        self.target, self.shared, self.log = target, shared, log
        self._process = process
        self._drain = None if process is None else asyncio.create_task(_drained(process))

    @property
    def started(self) -> bool:
        """Whether it was started here and ends with us; else it was running already."""
        return self._process is not None

    def links(self, room: str | None) -> tuple[str, ...]:
        """Every link by which friends can reach a room here, the likeliest first."""
        host = None if self.shared else self.target.host
        return links(self.target.port, room, host)

    async def ended(self) -> str:
        """Wait until the child ends, which it should not do by itself, and say so."""
        if self._process is not None:
            await self._process.wait()
        if self._process is None:  # there was none, or it was stopped here
            await asyncio.Event().wait()
        return f"The server stopped by itself; its log is {self.log}."

    async def stop(self) -> None:
        """End the child, gently first; a server that was there already is left alone."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._drain is not None:
            await self._drain

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()


async def private(folders: Folders, environ: Mapping[str, str] = os.environ) -> Hosted:
    """Start a server for this person alone: on loopback, at any free port. Raise CannotHost."""
    log = folders.state / "play.log"
    process, target = await _start(["--host", "127.0.0.1", "--port", "0"], log, _open(environ))
    return Hosted(target, shared=False, process=process, log=log)


async def measuring(
    word: str, host: str, folders: Folders, environ: Mapping[str, str] = os.environ
) -> Hosted:
    """Start a server whose deals are fixed by a word, for the arena. Raise CannotHost."""
    log = folders.state / "arena.log"
    hosts = _EVERYWHERE if host == _EVERYWHERE[0] and _has_ipv6() else (host,)
    args = [said for one in hosts for said in ("--host", one)]
    args += ["--port", "0", "--fixed-deals", word]
    process, target = await _start(args, log, _open(environ))
    return Hosted(target, shared=False, process=process, log=log)


async def shared(port: int, folders: Folders, environ: Mapping[str, str] = os.environ) -> Hosted:
    """Serve friends on every address of this machine, or use the nana server that is there.

    Raise CannotHost, among others when another program has the port.
    """
    here = target_of("127.0.0.1", port)
    if port and await is_nana(here):
        return Hosted(here, shared=True)
    hosts = _EVERYWHERE if _has_ipv6() else _EVERYWHERE[:1]
    args = [word for host in hosts for word in ("--host", host)]
    args += ["--data", str(folders.data / "server")]  # the rooms are there again the next time
    log = folders.state / "host.log"
    try:
        process, said = await _start([*args, "--port", str(port)], log, environ)
    except CannotHost:
        if port and _is_taken(port):
            raise CannotHost(
                f"Port {port} is taken by another program; choose another one, "
                f"like: nana host --port {port + 1 if port < 65535 else port - 1}"
            ) from None
        raise
    return Hosted(target_of("127.0.0.1", said.port), shared=True, process=process, log=log)


async def is_nana(target: Target) -> bool:
    """Tell whether a nana server answers there."""
    frame = await first_frame(target)
    if frame is None:
        return False
    try:
        return isinstance(decode_outbound(frame), Hello)
    except Malformed:
        return False


async def _start(
    args: list[str], log: Path, environ: Mapping[str, str]
) -> tuple[asyncio.subprocess.Process, Target]:
    with _opened(log) as errors:
        began = errors.tell()
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "nana_server", *args, "--until-stdin-ends"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environ,
                start_new_session=sys.platform != "win32",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise CannotHost(f"The server could not be started: {error.strerror}.") from None
    try:
        return process, await asyncio.wait_for(_listening(process), START_SECONDS)
    except (TimeoutError, BadAddress):
        await _killed(process)
        raise CannotHost(f"The server did not start: {_last_words(log, began)}") from None
    except asyncio.CancelledError:
        await _killed(process)
        raise


async def _killed(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()


async def _listening(process: asyncio.subprocess.Process) -> Target:
    """Wait for the server's first line, which says where it listens."""
    if process.stdout is None:
        raise AssertionError("its output was asked for")
    line = await process.stdout.readline()
    return parse(line.removeprefix(LISTENING).decode(errors="replace"))


async def _drained(process: asyncio.subprocess.Process) -> None:
    """Read on: a full pipe would stop the server at its next line."""
    if process.stdout is not None:
        while await process.stdout.read(4096):
            pass


def _opened(log: Path) -> IO[bytes]:
    """Open a log to add to; one that has grown large is begun anew, the old one kept aside."""
    try:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".log.1"))
        return os.fdopen(os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab")
    except OSError:
        return Path(os.devnull).open("wb")  # without a log rather than without a game


def _last_words(log: Path, began: int) -> str:
    """Find what the server said of its end, behind what earlier ones wrote."""
    try:
        lines = log.read_bytes()[began:].decode(errors="replace").splitlines()
    except OSError:
        lines = []
    said = next((line for line in reversed(lines) if line.startswith("nana-server: ")), None)
    return said.removeprefix("nana-server: ") if said else f"its log is {log}."


def _open(environ: Mapping[str, str]) -> dict[str, str]:
    """Leave out what is set for a server for friends: it is not for a table of one's own."""
    return {name: value for name, value in environ.items() if not name.startswith("NANA_")}


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def _is_taken(port: int) -> bool:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("0.0.0.0", port))  # noqa: S104 - asked, and closed at once
    except OSError:
        return True
    return False
