"""A bot that is a program: started with the link behind its command line, and ended for sure."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from typing import Final

KEPT: Final = 4  # of its last lines


class Program:
    """One run of it; what it said last is kept for who looks for its faults."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said: deque[str] = deque(maxlen=KEPT)
        self._reading = asyncio.create_task(self._read())

    async def ended(self) -> None:
        await self._process.wait()
        await asyncio.wait({self._reading})

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        await self._reading

    async def _read(self) -> None:
        while self._process.stdout is not None and (line := await self._process.stdout.readline()):
            self.said.append(line.decode(errors="replace").rstrip())


async def start(argv: Sequence[str], url: str) -> Program:
    """Start it with the link, where `{}` stands in its command line, else at the end."""
    words = [word.replace("{}", url) for word in argv]
    words = words if words != list(argv) else [*words, url]
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=sys.platform != "win32",
    )
    return Program(process)
