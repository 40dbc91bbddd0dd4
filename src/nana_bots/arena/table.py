"""One game between bots: the snapshots that a server would send, built here without a room.

Owns no contest and draws no cards by itself: the deal and the bots are handed in. What
a bot raises comes out as BotFailed.
"""

import traceback
from collections.abc import Callable, Sequence
from random import Random
from time import thread_time
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct

from nana_bots.history import History
from nana_bots.mind import Bot, IllegalChoice, Player
from nana_core.actions import Action
from nana_core.deck import LETTERS, Deal, Seat, deal_out, full_deck
from nana_core.game import Game, Result, apply, begin
from nana_core.protocol.outbound import (
    AttemptView,
    DealView,
    OptionsView,
    SeatView,
    Snapshot,
    You,
)
from nana_core.protocol.wire import (
    action_of,
    attempt_view,
    legal_names,
    letter,
    result_view,
)
from nana_core.views import open_cards, view_for

_OPTIONS: Final = OptionsView(seats=5, memory="none", turn_time=0, pace=0, public=False, bots=True)
_DEAL: Final = DealView(seed_hash="0" * 64, nonce_hashes=(), to_open=())


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


@runtime_checkable
class Told(Protocol):
    """A bot that hears when a game begins, and how it ended."""

    def begin(self, view: Snapshot) -> None: ...

    def end(self, view: Snapshot, history: History) -> None: ...


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


def snapshot_for(
    game: Game,
    seat: Seat,
    step: int = 0,
    missed: tuple[AttemptView, ...] = (),
    number: int = 1,
) -> Snapshot:
    """Show a game to a seat as a server would; all that is of the room is plain."""
    table, hand = view_for(game, seat).table, view_for(game, seat).hand
    cards = None if table.result is None else open_cards(game)
    return Snapshot(
        epoch=1,
        version=step,
        step=step,
        room="ARENA",
        game=number,
        phase="playing" if table.result is None else "over",
        now=0,
        deadline=None,
        not_before=None,
        frozen=False,
        paused=False,
        host=None,
        options=_OPTIONS,
        seats=tuple(_seat_view(game, other) for other in range(table.players)),
        watching=(),
        turn=table.turn,
        on_turn=None if table.result else letter(table.on_turn),
        legal=legal_names(table),
        center=table.center if cards is None else cards.center,
        attempt=attempt_view(table.attempt, table.turn),
        ledger=None,
        result=None if table.result is None else result_view(table.result),
        hands=None if cards is None else cards.hands,
        deal=_DEAL,
        opened=None,
        next_seed_hash=None,
        missed=missed,
        you=You(seat=LETTERS[seat], name=LETTERS[seat], host=False, hand=hand),
    )


def _seat_view(game: Game, seat: Seat) -> SeatView:
    return SeatView(
        seat=LETTERS[seat],
        kind="bot",
        name=LETTERS[seat],
        level=None,
        online=True,
        left=False,
        stand_in=False,
        ready=True,
        cards=game.table.hand_sizes[seat],
        sets=game.table.sets[seat],
        won=0,
    )


def play(deal: Deal, bots: Sequence[Bot], number: int = 1) -> Played:
    """Play a game to its end; `number` is what the bots are told that it has.

    A player sees the game when it is on turn, and a bot that wants to when it begins and ends.
    """
    game = begin(deal)
    seats = [_Seat(bot, seat, number) for seat, bot in enumerate(bots)]
    ended: list[AttemptView] = []
    step = 0
    for one in seats:
        one.hear_of_the_beginning(game)
    while game.table.result is None:
        one = seats[game.table.on_turn]
        game = apply(game, one.seat, one.action(game, step, ended))
        step += 1
        if game.table.shown:
            ended.append(attempt_view(game.table.attempt, game.table.turn))
    for one in seats:
        one.hear_of_the_end(game, step, ended)
    return Played(
        game.table.result,
        game.table.turn,
        tuple(tuple(one.seconds) for one in seats),
        tuple(map(cut_short_of, bots)),
        tuple(map(faults_of, bots)),
        tuple(map(complaint_of, bots)),
    )


class _Seat:
    """A bot in its seat: what it was shown, and how long it took."""

    def __init__(self, bot: Bot, seat: Seat, number: int) -> None:
        self.seat = seat
        self.seconds: list[float] = []
        self._bot, self._player, self._number = bot, Player(bot), number
        self._clock = bot.clock if isinstance(bot, Elsewhere) else thread_time
        self._seen = 0  # how many of the ended attempts it was shown

    def action(self, game: Game, step: int, ended: list[AttemptView]) -> Action:
        view = self._view(game, step, ended)
        start = self._clock()
        try:
            answer = self._player.receive(view)
        except Exception as error:  # a boundary: what a bot raises is for its author
            raise self._failed(error, view) from error
        if not game.table.shown:
            self.seconds.append(self._clock() - start)
        if answer is None:
            raise AssertionError("a player on turn has nothing to do")
        return action_of(answer)

    def hear_of_the_beginning(self, game: Game) -> None:
        if isinstance(self._bot, Told):
            view = self._view(game, 0, [])
            try:
                self._bot.begin(view)
            except Exception as error:  # a boundary, too
                raise self._failed(error, view) from error

    def hear_of_the_end(self, game: Game, step: int, ended: list[AttemptView]) -> None:
        if isinstance(self._bot, Told):
            view = self._view(game, step, ended)
            self._player.history.see(view)
            try:
                self._bot.end(view, self._player.history)
            except Exception as error:  # a boundary, too
                raise self._failed(error, view) from error

    def _view(self, game: Game, step: int, ended: list[AttemptView]) -> Snapshot:
        missed = tuple(ended[self._seen :])
        self._seen = len(ended)
        return snapshot_for(game, self.seat, step, missed, self._number)

    def _failed(self, error: Exception, view: Snapshot) -> BotFailed:
        return BotFailed(self.seat, view.turn, *failure(error))


def failure(error: Exception) -> tuple[str, str]:
    """Say what a bot's failure was: in a sentence, and the trace if there is one to look at."""
    if isinstance(error, IllegalChoice):
        return str(error), ""
    name, why = type(error).__name__, str(error)
    if type(error).__module__ == "builtins":  # says little without its name
        why = f"{name}: {why}" if why else name
    return why or name, "".join(traceback.format_exception(error))


def shuffled_deal(players: int, chance: Random) -> Deal:
    deck = full_deck(players)
    chance.shuffle(deck)
    return deal_out(deck, players, chance.randrange(players))
