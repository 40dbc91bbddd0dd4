"""The thread in which a bot thinks, so that the connection stays alive meanwhile.

Thoughts come one at a time, in the order in which they were asked for: a bot needs no
locks. The thread does not keep the program alive: a bot that never comes back from a
thought does not stop Ctrl+C.
"""

import asyncio
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import TypeVar

_T = TypeVar("_T")


class Thinking:
    """Starts with the first thought, ends with `close`."""

    def __init__(self) -> None:
        self._thoughts: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def of(self, thought: Callable[[], _T]) -> "asyncio.Future[_T]":
        """Ask for a thought; the future, of the running loop, has what comes of it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_T] = loop.create_future()
        self._thoughts.put(partial(_think, thought, future, loop))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="thinking", daemon=True)
            self._thread.start()
        return future

    def close(self) -> None:
        """End after what was asked for; waits for nothing."""
        self._thoughts.put(None)

    def _run(self) -> None:
        while (think := self._thoughts.get()) is not None:
            think()


def _think(
    thought: Callable[[], _T], future: "asyncio.Future[_T]", loop: asyncio.AbstractEventLoop
) -> None:
    settle: Callable[[], None]
    try:
        settle = partial(future.set_result, thought())
    except BaseException as error:  # noqa: BLE001 - a boundary: whatever ends a thought is told
        settle = partial(future.set_exception, _carried(error))
    with suppress(RuntimeError):  # the loop has ended: nobody waits any more
        loop.call_soon_threadsafe(_settle, future, settle)


def _carried(error: BaseException) -> Exception:
    """Return what was raised; a fault that says so, where it would end more than the bot.

    A loop takes what is no Exception for its own end, or for that of a task.
    """
    if isinstance(error, StopIteration):
        why = "StopIteration: next() found nothing, and was given nothing to return then"
    elif isinstance(error, SystemExit):
        why = "SystemExit: a bot leaves when its games are played; `games` says how many"
    elif isinstance(error, Exception):
        return error
    else:
        why = f"{''.join(traceback.format_exception_only(error)).strip()} (this is no Exception)"
    return RuntimeError(why).with_traceback(error.__traceback__)


def _settle(future: "asyncio.Future[_T]", settle: Callable[[], None]) -> None:
    if not future.cancelled():
        settle()
