"""Games between bots in this process, to measure how strong and how fast they are.

    python -m nana_bots.arena memory random --games 400 --players 2 --seed 1

Every deal is played once for each way to rotate the players around the table. The
players get the snapshots that a server would send, built here without a room.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from time import thread_time
from typing import Final, get_args

from msgspec import Struct

from nana_bots.mind import LEVELS, Bot, Player
from nana_core.deck import LETTERS, MAX_PLAYERS, MIN_PLAYERS, Deal, Seat, deal_out, full_deck
from nana_core.game import Game, Result, Won, apply, begin
from nana_core.protocol.inbound import Level
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

_SURE: Final = 1.96  # standard deviations of a 95% interval
_OPTIONS: Final = OptionsView(seats=5, memory="none", turn_time=0, pace=0, public=False, bots=True)
_DEAL: Final = DealView(seed_hash="0" * 64, nonce_hashes=(), to_open=())


class Played(Struct, frozen=True):
    """How a game went."""

    result: Result
    turns: int
    seconds: tuple[float, ...]  # of CPU that each choice of a source took


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
    seconds: list[float] = []
    step = 0
    while game.table.result is None:
        seat = game.table.on_turn
        view = snapshot_for(game, seat, step, tuple(ended[seen[seat] :]))
        seen[seat] = len(ended)
        start = thread_time()
        answer = players[seat].receive(view)
        if not game.table.shown:
            seconds.append(thread_time() - start)
        if answer is None:
            raise AssertionError("a player on turn has nothing to do")
        game = apply(game, seat, action_of(answer))
        step += 1
        if game.table.shown:
            ended.append(attempt_view(game.table.attempt, game.table.turn))
    return Played(game.table.result, game.table.turn, tuple(seconds))


def shuffled_deal(players: int, chance: Random) -> Deal:
    deck = full_deck(players)
    chance.shuffle(deck)
    return deal_out(deck, players, chance.randrange(players))


def series(levels: Sequence[Level], games: int, seed: int) -> Iterator[tuple[int, Played]]:
    """Play at least so many games; yield who won (an index of `levels`, -1: nobody) and how."""
    count = len(levels)
    for number in range(-(-games // count)):
        deal = shuffled_deal(count, Random(f"{seed} {number}"))
        for turned in range(count):
            order = [(seat + turned) % count for seat in range(count)]
            bots = [LEVELS[levels[who]](Random(f"{seed} {number} {who}")) for who in order]
            played = play(deal, bots)
            winner = played.result.seat if isinstance(played.result, Won) else None
            yield -1 if winner is None else order[winner], played


def interval(won: int, of: int) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson's)."""
    share, z2 = won / of, _SURE**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = _SURE / (1 + z2 / of) * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what the command line asks for, and print it."""
    levels, games, seed = _asked(arguments)
    wins: Counter[int] = Counter()
    turns: list[int] = []
    seconds: list[float] = []
    for winner, played in series(levels, games, seed):
        wins[winner] += 1
        turns.append(played.turns)
        seconds += played.seconds
    for who, level in enumerate(levels):
        low, high = interval(wins[who], len(turns))
        share = wins[who] / len(turns)
        print(f"{level:8} {share:6.1%}  ({low:.1%} to {high:.1%})")
    print(f"{len(turns)} games, {wins[-1]} without a winner, {_middle(turns)} turns in the middle")
    seconds.sort()
    print(
        f"a choice took (CPU) {_middle(seconds) * 1e3:.2f} ms in the middle, "
        f"{seconds[len(seconds) * 99 // 100] * 1e3:.2f} at p99, {seconds[-1] * 1e3:.2f} at most"
    )


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def _asked(arguments: Sequence[str] | None) -> tuple[list[Level], int, int]:
    parser = argparse.ArgumentParser(prog="nana_bots.arena", description="Measure bots.")
    parser.add_argument("levels", nargs="+", choices=get_args(Level), help="the last one repeats")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--players", type=int, default=MIN_PLAYERS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    if not MIN_PLAYERS <= asked.players <= MAX_PLAYERS or len(asked.levels) > asked.players:
        parser.error(f"{MIN_PLAYERS}-{MAX_PLAYERS} players, and no more levels than players")
    rest = asked.players - len(asked.levels)
    return asked.levels + asked.levels[-1:] * rest, max(asked.games, 1), asked.seed


if __name__ == "__main__":
    main()
