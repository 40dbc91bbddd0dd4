"""One game between bots: the snapshots that a server would send, built here without a room.

Owns no contest and draws no cards by itself: the deal and the bots are handed in.
"""

from collections.abc import Sequence
from random import Random
from time import thread_time
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct

from nana_bots.mind import Bot, Player
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
from nana_core.views import view_for

_OPTIONS: Final = OptionsView(seats=5, memory="none", turn_time=0, pace=0, public=False, bots=True)
_DEAL: Final = DealView(seed_hash="0" * 64, nonce_hashes=(), to_open=())


@runtime_checkable
class Hurried(Protocol):
    """A bot that a time budget may stop: then the same seed need not play the same again."""

    cut_short: int  # choices so far that the budget ended


class Played(Struct, frozen=True):
    """How a game went; what belongs to a seat stands at its place."""

    result: Result
    turns: int
    seconds: tuple[tuple[float, ...], ...]  # of CPU that each choice of a source took
    cut_short: tuple[int, ...]  # choices that a time budget ended


def snapshot_for(
    game: Game, seat: Seat, step: int = 0, missed: tuple[AttemptView, ...] = ()
) -> Snapshot:
    """Show a game to a seat as a server would; all that is of the room is plain."""
    table, hand = view_for(game, seat).table, view_for(game, seat).hand
    return Snapshot(
        epoch=1,
        version=step,
        step=step,
        room="ARENA",
        game=1,
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
        center=table.center,
        attempt=attempt_view(table.attempt, table.turn),
        ledger=None,
        result=None if table.result is None else result_view(table.result),
        hands=None,
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


def play(deal: Deal, bots: Sequence[Bot]) -> Played:
    """Play a game to its end; every player sees it only when it is on turn."""
    game = begin(deal)
    players = [Player(bot) for bot in bots]
    ended: list[AttemptView] = []
    seen = [0] * len(players)  # how many of the ended attempts each player was shown
    seconds: list[list[float]] = [[] for _ in players]
    step = 0
    while game.table.result is None:
        seat = game.table.on_turn
        view = snapshot_for(game, seat, step, tuple(ended[seen[seat] :]))
        seen[seat] = len(ended)
        start = thread_time()
        answer = players[seat].receive(view)
        if not game.table.shown:
            seconds[seat].append(thread_time() - start)
        if answer is None:
            raise AssertionError("a player on turn has nothing to do")
        game = apply(game, seat, action_of(answer))
        step += 1
        if game.table.shown:
            ended.append(attempt_view(game.table.attempt, game.table.turn))
    return Played(
        game.table.result,
        game.table.turn,
        tuple(tuple(times) for times in seconds),
        tuple(bot.cut_short if isinstance(bot, Hurried) else 0 for bot in bots),
    )


def shuffled_deal(players: int, chance: Random) -> Deal:
    deck = full_deck(players)
    chance.shuffle(deck)
    return deal_out(deck, players, chance.randrange(players))
