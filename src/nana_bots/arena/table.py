"""One game of the arena: how it went, how long each choice took, and whose fault it was.

Owns no contest and draws no cards by itself: the deal and the bots are handed in. What
a bot raises comes out as BotFailed.
"""

from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from time import thread_time
from typing import Protocol, runtime_checkable

from msgspec import Struct

from nana_bots.arena.course import Chair, course
from nana_bots.arena.faults import RAISED, failure
from nana_bots.mind import Bot
from nana_core.deck import Deal, Seat, deal_out, full_deck
from nana_core.game import Result
from nana_core.protocol import inbound
from nana_core.protocol.outbound import Snapshot


@runtime_checkable
class Hurried(Protocol):
    """A bot that a time budget may stop: then the same seed need not play the same again."""

    cut_short: int  # choices so far that the budget ended


@runtime_checkable
class Faulty(Protocol):
    """A bot for which another answer may have to be found."""

    faults: int  # choices so far that were no good, and were made by lot
    complaint: str  # the first of them in a sentence, "" if there was none


@runtime_checkable
class Elsewhere(Protocol):
    """A bot that thinks outside this process: its time is not this thread's."""

    @property
    def clock(self) -> Callable[[], float]:
        """What its choices are timed by, in seconds."""
        ...


def cut_short_of(bot: object) -> int:
    return bot.cut_short if isinstance(bot, Hurried) else 0


def faults_of(bot: object) -> int:
    return bot.faults if isinstance(bot, Faulty) else 0


def complaint_of(bot: object) -> str:
    return bot.complaint if isinstance(bot, Faulty) else ""


class BotFailed(Exception):  # noqa: N818 - what has happened
    """A bot raised something, or chose what is not legal; `trace` is for its author.

    A choice that is not legal has no trace: nothing was raised where the bot stands.
    """

    def __init__(self, seat: Seat, turn: int, why: str, trace: str) -> None:
        super().__init__(seat, turn, why, trace)
        self.seat, self.turn, self.why, self.trace = seat, turn, why, trace


class Played(Struct, frozen=True):
    """How a game went; what belongs to a seat stands at its place."""

    result: Result
    turns: int
    seconds: tuple[tuple[float, ...], ...]  # of CPU, but Elsewhere, that each choice took
    cut_short: tuple[int, ...]  # choices that a time budget ended
    faults: tuple[int, ...]  # choices that were made by lot, the bot's own being no good
    complaints: tuple[str, ...]  # the first of those in a sentence, or ""


def play(deal: Deal, bots: Sequence[Bot], number: int = 1) -> Played:
    """Play a game to its end; `number` is what the bots are told that it has.

    A player sees the game when it is on turn, and a bot that wants to when it begins and ends.
    """
    seated = [_Clocked(bot, seat) for seat, bot in enumerate(bots)]
    last = deque(course(deal, seated, number), maxlen=1).pop().after.table
    if last.result is None:
        raise AssertionError("a game that was played out has a result")
    return Played(
        last.result,
        last.turn,
        tuple(tuple(one.seconds) for one in seated),
        tuple(map(cut_short_of, bots)),
        tuple(map(faults_of, bots)),
        tuple(map(complaint_of, bots)),
    )


class _Clocked:
    """A bot in its seat: how long it took, and what it raised, for its author."""

    def __init__(self, bot: Bot, seat: Seat) -> None:
        self.seconds: list[float] = []
        self._seat, self._chair = seat, Chair(bot)
        self.history, self.told = self._chair.history, self._chair.told
        self._clock = bot.clock if isinstance(bot, Elsewhere) else thread_time

    def receive(self, view: Snapshot) -> inbound.Reveal | inbound.Continue | None:
        start = self._clock()
        try:
            answer = self._chair.receive(view)
        except RAISED as error:  # a boundary: what a bot raises is for its author
            raise self._failed(error, view) from error
        if view.legal != ("continue",):
            self.seconds.append(self._clock() - start)
        return answer

    def begin(self, view: Snapshot) -> None:
        try:
            self._chair.begin(view)
        except RAISED as error:  # a boundary, too
            raise self._failed(error, view) from error

    def end(self, view: Snapshot) -> None:
        try:
            self._chair.end(view)
        except RAISED as error:  # a boundary, too
            raise self._failed(error, view) from error

    def _failed(self, error: BaseException, view: Snapshot) -> BotFailed:
        return BotFailed(self._seat, view.turn, *failure(error))


def shuffled_deal(players: int, chance: Random) -> Deal:
    deck = full_deck(players)
    chance.shuffle(deck)
    return deal_out(deck, players, chance.randrange(players))
