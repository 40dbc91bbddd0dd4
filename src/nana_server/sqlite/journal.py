"""The durable journal as the server holds it: all of it is called on the event loop.

Orders go to the writer's thread through a queue, answers come back once per group,
and `done` is called in the order of appends, after the COMMIT has returned.
"""

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from nana_server.journal import DamagedRoom, Head
from nana_server.sqlite.orders import (
    WELL,
    Append,
    Backup,
    Broken,
    Close,
    Entries,
    Forget,
    Full,
    Health,
    Load,
    Report,
    StaleOwner,
)
from nana_server.sqlite.store import Store
from nana_server.sqlite.writer import Answer, Writer
from nana_server.tally import Commits

PROBE_SECONDS: Final = 1.0

log = logging.getLogger("nana.journal")


class SqliteJournal:
    """The journal in a folder. Opening waits for the disk; nothing else does, but `entries`."""

    def __init__(
        self,
        folder: Path,
        loop: asyncio.AbstractEventLoop,
        *,
        entries_format: int,
        creator_of: Callable[[bytes], str],
        report: Callable[[Report], None] | None = None,
        probe_seconds: float = PROBE_SECONDS,
        commits: Commits | None = None,
    ) -> None:
        """Open or make it; raises JournalRefused.

        `creator_of` reads from a room's first entry whose room it is. `report` is told
        when `health` changes, and of appends that were refused as a stale owner's.
        `commits` is where commits are counted.
        """
        self.health: Health = WELL
        self._loop = loop
        self._report = report
        self._answers: deque[Answer] = deque()
        self._closing = False
        self._ended: asyncio.Future[None] = loop.create_future()
        self._writer = Writer(
            lambda: Store(folder, entries_format, creator_of),
            self._post,
            self._reported,
            self._ended.set_result,
            probe_seconds,
            tally=commits,
        )
        self._orders = self._writer.orders
        # A daemon: a process that must end does not wait for a disk that hangs.
        self._thread = threading.Thread(target=self._writer.run, name="nana-journal", daemon=True)
        self._thread.start()
        self.epoch, self._heads = self._writer.opened.result()

    def heads(self) -> Sequence[Head]:
        """Return the rooms that there were when the journal was opened."""
        return self._heads

    def append(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        if self._closing:
            raise AssertionError("a closed journal is given nothing more")
        self._orders.put(Append(room, self.epoch, seq, entry, done))

    def begin_anew(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        """`append`; what came before is deleted when there is time."""
        if self._closing:
            raise AssertionError("a closed journal is given nothing more")
        self._orders.put(Append(room, self.epoch, seq, entry, done, anew=True))

    def load(self, room: str, found: Callable[[Entries | DamagedRoom | None], None]) -> None:
        """Read a room's entries, check that they are what was written, and call back later."""
        self._orders.put(Load(room, lambda what: self._post([(found, what)])))

    def entries(self, room: str) -> Sequence[bytes]:
        """Read a room's entries now, after all that was asked for before; raises DamagedRoom.

        It waits for the disk: for tools and tests, not for a server that runs.
        """
        answer: Future[Entries | DamagedRoom | None] = Future()
        self._orders.put(Load(room, answer.set_result))
        found = answer.result()
        if isinstance(found, DamagedRoom):
            raise found
        return found or ()

    def forget(self, room: str) -> None:
        """Drop a room that has ended; its entries are deleted when there is time."""
        self._orders.put(Forget(room))

    def backup(self, path: Path, done: Callable[[str | None], None]) -> None:
        """Copy the journal while it is used; `done` gets None, or a sentence why there is none."""
        self._orders.put(Backup(path, done))

    async def close(self) -> None:
        """Commit what is queued, answer it, and let go of the file."""
        self._closing = True
        self._orders.put(Close())
        await self._ended
        self._thread.join()

    # On the writer's thread.

    def _post(self, answers: Sequence[Answer]) -> None:
        self._loop.call_soon_threadsafe(self._deliver, answers)

    # On the loop again.

    def _deliver(self, answers: Sequence[Answer]) -> None:
        self._answers.extend(answers)
        try:
            while self._answers:
                call, what = self._answers.popleft()
                call(what)
        finally:  # one that fails keeps the others waiting no longer than necessary
            if self._answers:
                self._loop.call_soon(self._deliver, ())

    def _reported(self, report: Report) -> None:
        if not isinstance(report, StaleOwner):
            self.health = report
        level = {Broken: logging.CRITICAL, Full: logging.ERROR, StaleOwner: logging.ERROR}
        log.log(level.get(type(report), logging.INFO), "%s", report.text)
        if self._report is not None:
            self._report(report)
