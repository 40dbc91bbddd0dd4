"""A bot to whom nothing is held against: what it does wrong is counted, and drawn by lot instead.

So a contest goes on where it would end otherwise. How a program is treated that answers
nonsense, a class is, too.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from time import thread_time

from nana_bots.arena.course import Told
from nana_bots.arena.entrant import Entrant, Make
from nana_bots.arena.faults import RAISED, failure
from nana_bots.arena.table import Elsewhere, complaint_of, cut_short_of, faults_of
from nana_bots.history import History
from nana_bots.mind import Bot, checked
from nana_core.protocol.outbound import Snapshot


def forgiven(entrant: Entrant) -> Entrant:
    """Return the same bot, forgiven."""
    return Entrant(entrant.name, partial(_made, entrant.make))


def _made(make: Make, chance: Random) -> Bot:
    lots = Random()
    lots.setstate(chance.getstate())  # a copy: it plays as it would without
    return Forgiven(make(chance), lots)


class Forgiven:
    """A bot with somebody beside it who draws a card where it has no good one."""

    def __init__(self, bot: Bot, lots: Random) -> None:
        self._bot, self._lots = bot, lots
        self._faults, self._complaint = 0, ""

    @property
    def faults(self) -> int:
        return self._faults + faults_of(self._bot)

    @property
    def complaint(self) -> str:
        return self._complaint or complaint_of(self._bot)

    @property
    def cut_short(self) -> int:
        return cut_short_of(self._bot)

    @property
    def clock(self) -> Callable[[], float]:
        return self._bot.clock if isinstance(self._bot, Elsewhere) else thread_time

    def begin(self, view: Snapshot) -> None:
        if isinstance(self._bot, Told):
            try:
                self._bot.begin(view)
            except RAISED as error:  # a boundary: what a bot raises is its author's
                self._note(error, view)

    def choose(self, view: Snapshot, history: History) -> str:
        try:
            return checked(self._bot.choose(view, history), view)
        except RAISED as error:  # a boundary, too
            self._note(error, view)
            return self._lots.choice(view.legal)

    def end(self, view: Snapshot, history: History) -> None:
        if isinstance(self._bot, Told):
            try:
                self._bot.end(view, history)
            except RAISED as error:  # a boundary, too
                self._note(error, view)

    def _note(self, error: BaseException, view: Snapshot) -> None:
        self._faults += 1
        self._complaint = self._complaint or complained(view, failure(error)[0])


def complained(view: Snapshot, why: str) -> str:
    """Say where a fault was, and what; `why` is a sentence."""
    return f"in game {view.game}, turn {view.turn}, as {view.you.seat}: {why}"
