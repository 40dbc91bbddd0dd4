"""Where bots that look ahead think: outside the event loop, a few at a time.

A thread, not a process: what a bot knows of its game would have to travel there and back.
The loop takes turns with it every half a millisecond (see `__main__`). Owns how many may
wait; whoever asks must do without an answer, and bound the time by itself.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Final

from nana_server.room.work import Answer

MOST: Final = 50  # questions at a time; 50 ms each, the last one comes just in time

log = logging.getLogger("nana.robots")


class Thinkers:
    """One thread that answers questions in their order."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pool = ThreadPoolExecutor(1, "thinker")
        self._open = 0

    def think(self, work: Callable[[], Answer], done: Callable[[Answer], None]) -> None:
        """Work out an answer and hand it on in the loop; None when that failed, or is too much."""
        if self._open == MOST:
            log.warning("too many bots think at once")
            self._loop.call_soon(done, None)
            return
        self._open += 1
        self._pool.submit(work).add_done_callback(partial(self._worked_out, done))

    def close(self) -> None:
        """Answer nothing more; wait for the one that is being worked out."""
        self._pool.shutdown(cancel_futures=True)

    def _worked_out(self, done: Callable[[Answer], None], answer: Future[Answer]) -> None:
        if not answer.cancelled():
            self._loop.call_soon_threadsafe(self._hand_on, done, answer)

    def _hand_on(self, done: Callable[[Answer], None], answer: Future[Answer]) -> None:
        self._open -= 1
        if (error := answer.exception()) is not None:
            log.error("a bot failed", exc_info=error)
            done(None)
        else:
            done(answer.result())
