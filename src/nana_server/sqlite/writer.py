"""The thread that writes: takes what is queued, commits it together, answers.

It owns what happens when the disk does not do as it should. No space: what is asked
for is refused until there is some again, which it finds out by itself. Anything else:
it never writes again, for nobody knows what a disk has kept whose fsync failed once.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeAlias

from nana_server.journal import DamagedRoom, Head
from nana_server.sqlite import copying
from nana_server.sqlite.opening import code_of
from nana_server.sqlite.orders import (
    WELL,
    Append,
    Backup,
    Broken,
    Close,
    Forget,
    Full,
    Health,
    Load,
    Order,
    Report,
    StaleOwner,
    Step,
    Well,
)
from nana_server.sqlite.refusals import JournalRefused
from nana_server.sqlite.store import Store
from nana_server.tally import Commits

ORDERS_MOST: Final = 1024  # taken at once
CHECKPOINT_PAGES: Final = 1000  # when there is nothing else to do
CHECKPOINT_OVERDUE: Final = 8000  # in any case
TIDY_EVERY: Final = 16  # commits, if there is always something else to do

Answer: TypeAlias = tuple[Callable[[Any], object], Any]  # what to call on the loop, and with what


class Writer:
    """Runs on its own thread; `post` hands answers over to where orders come from."""

    def __init__(
        self,
        open_store: Callable[[], Store],
        post: Callable[[Sequence[Answer]], None],
        report: Callable[[Report], None],
        ended: Callable[[None], None],
        probe_seconds: float,
        *,
        tally: Commits | None = None,
    ) -> None:
        self.orders: SimpleQueue[Order] = SimpleQueue()
        self.opened: Future[tuple[int, tuple[Head, ...]]] = Future()
        self._open_store = open_store
        self._post = post
        self._report = report
        self._ended = ended
        self._probe_seconds = probe_seconds
        self._tally = tally or Commits()
        self._health: Health = WELL
        self._probe_at = 0.0  # monotonic, s; while there is no space
        self._owed: list[Step] = []  # rooms to forget as soon as there is space
        self._later: deque[Backup | Close] = deque()
        self._finishing: list[Thread] = []  # which sync a backup
        self._commits = 0
        self._abandoned: Store | None = None

    def run(self) -> None:
        try:
            store = self._open_store()
        except JournalRefused as refusal:
            self.opened.set_exception(refusal)
            return
        self.opened.set_result((store.epoch, store.heads()))
        closed = False
        try:
            while not closed:
                self._turn(store)
                closed = self._do_later(store)
        finally:
            if not closed:
                self._abandon(store)
                self._say(Broken("The journal's thread has ended."))
            self._post([(self._ended, None)])

    def _turn(self, store: Store) -> None:
        orders = self._take(self._patience(store))
        if isinstance(self._health, Full) and time.monotonic() >= self._probe_at:
            self._write(lambda: self._probe(store))
        self._work(store, orders)
        if isinstance(self._health, Well):
            self._keep_house(store, busy=bool(orders))

    def _patience(self, store: Store) -> float | None:
        """How long to wait for an order, in seconds; None: for ever."""
        match self._health:
            case Full():
                return max(0.0, self._probe_at - time.monotonic())
            case Broken():
                return None
            case _:
                return 0.0 if store.untidy or store.written >= CHECKPOINT_PAGES else None

    def _take(self, patience: float | None) -> list[Order]:
        try:
            first = self.orders.get(block=patience != 0, timeout=patience)
        except Empty:
            return []
        more = min(self.orders.qsize(), ORDERS_MOST - 1)
        return [first, *(self.orders.get_nowait() for _ in range(more))]

    # Orders.

    def _work(self, store: Store, orders: Sequence[Order]) -> None:
        steps = [order for order in orders if isinstance(order, Append | Forget)]
        if steps or (self._owed and isinstance(self._health, Well)):
            self._commit(store, [*self._owed, *steps])
        for order in orders:
            match order:
                case Load():
                    order.found(self._read(store, order.room))
                case Backup() | Close():
                    self._later.append(order)
                case Append() | Forget():
                    pass

    def _commit(self, store: Store, steps: list[Step]) -> None:
        self._owed = []
        answers: list[StaleOwner | None] = []

        began = time.monotonic()

        def commit() -> None:
            answers.extend(store.commit(steps, int(time.time())))

        if isinstance(self._health, Well) and self._write(commit):
            self._commits += 1
            self._tally.add((time.monotonic() - began) * 1000, len(steps))
            self._answer(steps, answers)
        else:
            self._owed = [step for step in steps if isinstance(step, Forget)]
            self._post([(step.done, False) for step in steps if isinstance(step, Append)])

    def _answer(self, steps: Sequence[Step], answers: Sequence[StaleOwner | None]) -> None:
        post: list[Answer] = []
        for step, stale in zip(steps, answers, strict=True):
            if stale is not None:
                post.append((self._report, stale))
            if isinstance(step, Append):
                post.append((step.done, stale is None))
        self._post(post)

    def _read(self, store: Store, room: str) -> tuple[bytes, ...] | DamagedRoom | None:
        if isinstance(self._health, Broken):
            return DamagedRoom(room, self._health.text)
        return store.read(room)

    def _do_later(self, store: Store) -> bool:
        """Do what takes long or ends everything; return whether the journal is closed."""
        while self._later:
            order = self._later.popleft()
            if isinstance(order, Backup):
                self._back_up(store, order)
                continue
            if isinstance(self._health, Broken):
                self._abandon(store)
            else:
                for thread in self._finishing:
                    thread.join()
                store.close()
            return True
        return False

    def _back_up(self, store: Store, order: Backup) -> None:
        """Copy here, in pieces; syncing the copy, which may take long, is another thread's."""
        copied = self._copy(store, order)
        if isinstance(copied, str):
            self._post([(order.done, copied)])
            return
        finishing = Thread(target=self._finish, args=(copied, order), daemon=True)
        self._finishing = [it for it in self._finishing if it.is_alive()] + [finishing]
        finishing.start()

    def _copy(self, store: Store, order: Backup) -> Path | str:
        """Return the copy that is not synced yet, or why there is none."""

        def between() -> None:
            if orders := self._take(0.0):
                self._work(store, orders)
            if isinstance(self._health, Broken) or any(isinstance(it, Close) for it in self._later):
                raise InterruptedError(0, "the journal is being closed")

        try:
            if isinstance(self._health, Broken):
                return self._health.text
            return store.backup(order.path, between)
        except sqlite3.DatabaseError as error:
            return f"The backup failed: {error}."
        except OSError as error:
            return _failure(error)

    def _finish(self, part: Path, order: Backup) -> None:
        why = None
        try:
            copying.finish(part, order.path)
        except OSError as error:
            why = _failure(error)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._post([(order.done, why)])

    # The disk.

    def _probe(self, store: Store) -> None:
        store.probe()
        if store.written >= CHECKPOINT_PAGES:
            store.checkpoint()

    def _write(self, change: Callable[[], None]) -> bool:
        """Change the file and return whether that worked; if not, say what that means."""
        try:
            change()
        except sqlite3.DatabaseError as error:
            self._failed(error)
            return False
        if isinstance(self._health, Full):
            self._say(WELL)
        return True

    def _failed(self, error: sqlite3.DatabaseError) -> None:
        if code_of(error) == sqlite3.SQLITE_FULL:
            self._probe_at = time.monotonic() + self._probe_seconds
            if not isinstance(self._health, Full):
                self._say(Full("There is no space left to save games."))
        else:
            self._say(Broken(f"Games cannot be saved any more: {error}."))

    def _abandon(self, store: Store) -> None:
        """Leave the file as it is: a connection that goes away would write and sync."""
        store.abandon()
        self._abandoned = store

    def _say(self, health: Health) -> None:
        self._health = health
        self._post([(self._report, health)])

    def _keep_house(self, store: Store, *, busy: bool) -> None:
        """Do one thing that nobody waits for; if somebody does, only what is overdue."""
        if store.written >= (CHECKPOINT_OVERDUE if busy else CHECKPOINT_PAGES):
            self._write(store.checkpoint)
        elif store.untidy and (not busy or self._commits % TIDY_EVERY == 0):
            self._write(store.tidy)


def _failure(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"The backup failed: {place}{error.strerror}."
