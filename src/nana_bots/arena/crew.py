"""The rounds of a contest, shared out among processes.

A round comes out the same wherever it is played, and they are handed on in their order:
a contest gives the same results on any number of cores.
"""

import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from nana_bots.arena.contest import Contest, Round, play_round

_AHEAD: Final = 8  # rounds given out for each process: nobody waits for a slow one


def rounds(contest: Contest, processes: int = 1) -> Iterator[Round]:
    """Play a contest, round by round; close the iterator to stop."""
    if processes == 1:
        for number in range(contest.deals):
            yield play_round(contest, number)
        return
    # Started anew, not forked: whoever plays may have threads.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _deaf)
    try:
        yield from _in_order(pool, contest, processes * _AHEAD)
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, contest: Contest, ahead: int) -> Iterator[Round]:
    given: deque[Future[Round]] = deque()
    for number in range(contest.deals):
        given.append(pool.submit(play_round, contest, number))
        if len(given) >= ahead:
            yield given.popleft().result()
    while given:
        yield given.popleft().result()


def _deaf() -> None:
    """Leave Ctrl+C, which a terminal sends to all, to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
