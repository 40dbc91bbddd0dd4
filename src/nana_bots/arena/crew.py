"""The rounds of a contest, shared out among processes.

A round comes out the same wherever it is played, and they are handed on in their order:
a contest gives the same results on any number of cores. When the contest is stopped, or
the process that asked for it is gone, so are these, with what they had begun.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from queue import SimpleQueue
from typing import Final

from nana_bots.arena.contest import Contest, Round, Spoilt, play_round

_AHEAD: Final = 8  # rounds given out for each process: nobody waits for a slow one
_MOMENT: Final = 0.5  # seconds
BEFORE_THE_END: Final[list[Callable[[], None]]] = []  # what a process of the crew still does
_playing = threading.Event()  # in such a process
_stops: Final[SimpleQueue[None]] = SimpleQueue()  # no lock: one signal may come within another
_ending = threading.Lock()


def rounds(contest: Contest, processes: int = 1) -> Iterator[Round]:
    """Play a contest, round by round; close the iterator to stop."""
    if processes == 1:
        for number in range(contest.deals):
            yield play_round(contest, number)
        return
    others = set(multiprocessing.active_children())
    # Started anew, not forked: whoever plays may have threads.
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _begin)
    try:
        yield from _in_order(pool, contest, processes * _AHEAD)
    except BrokenProcessPool as error:
        why = "the process in which it played has come to an end"
        raise Spoilt("A bot", "in a way that cannot be seen from outside", why, "") from error
    finally:
        for crew in set(multiprocessing.active_children()) - others:
            crew.terminate()  # does what _stop does
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, contest: Contest, ahead: int) -> Iterator[Round]:
    given: deque[Future[Round]] = deque()
    for number in range(contest.deals):
        given.append(pool.submit(_play, contest, number))
        if len(given) >= ahead:
            yield given.popleft().result()
    while given:
        yield given.popleft().result()


def _play(contest: Contest, number: int) -> Round:
    """Play a round in one of the crew."""
    _playing.set()
    try:
        if not _stops.empty():
            _end()
        return play_round(contest, number)
    finally:
        _playing.clear()


def _begin() -> None:
    """Leave what a terminal sends to all to the process that started this one."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):  # Windows has one of them
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    for watch in (_end_with_master, _end_soon):
        threading.Thread(target=watch, name="ending", daemon=True).start()


def _stop(*_: object) -> None:
    """End at once in the middle of a round; else the pool may be writing, and has a moment."""
    _stops.put(None)
    if _playing.is_set():
        _end()


def _end_soon() -> None:
    _stops.get()
    _stops.put(None)  # for whoever begins a round now
    time.sleep(_MOMENT)
    _end()


def _end_with_master() -> None:
    """Nobody is left to play for when the process has been killed that started this one."""
    if (master := multiprocessing.parent_process()) is not None:
        master.join()
        _end()


def _end() -> None:
    """End this process without a word to the pool, which takes it for what it is."""
    if _ending.acquire(blocking=False):  # else it is ending already
        for each in BEFORE_THE_END:
            each()
        os._exit(1)
