"""Lines from standard input, without ever making the event loop wait.

A daemon thread reads the bare descriptor: it works for terminals, pipes and files
alike, and holds no lock that an ending interpreter would wait for.
"""

import asyncio
import os
import threading
from collections.abc import Callable

LONGEST = 4096


def read_lines(
    on_line: Callable[[str], None], on_end: Callable[[], None], descriptor: int = 0
) -> None:
    """Call `on_line` on the running event loop for each line, then `on_end` once."""
    loop = asyncio.get_running_loop()
    thread = threading.Thread(
        target=_read, args=(loop, on_line, on_end, descriptor), name="typed lines", daemon=True
    )
    thread.start()


def _read(
    loop: asyncio.AbstractEventLoop,
    on_line: Callable[[str], None],
    on_end: Callable[[], None],
    descriptor: int,
) -> None:
    rest = b""
    try:
        while data := _some(descriptor):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(on_line, line.decode(errors="replace").rstrip("\r"))
            rest = rest[:LONGEST]
        if rest:
            loop.call_soon_threadsafe(on_line, rest.decode(errors="replace"))
        loop.call_soon_threadsafe(on_end)
    except RuntimeError:
        return  # the loop has ended; nobody listens any more


def _some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""  # closed, or a background job that lost its terminal
