"""Which games a contest is made of: line-ups, deals, and turns around the table.

Every deal is played by every line-up, and for each line-up once for every way to turn it
around the table: nobody is better off for the cards or the seat. All chance comes from
the seed, the number of the deal and the bot's place in the contest, so that it matters to
no game which games were played before it, or where.
"""

import random
from collections.abc import Iterator
from itertools import combinations
from random import Random

from msgspec import Struct

from nana_bots.arena.entrant import Entrant
from nana_bots.arena.faults import RAISED, failure
from nana_bots.arena.table import BotFailed, Played, play, shuffled_deal
from nana_bots.mind import Bot
from nana_core.deck import LETTERS, MAX_PLAYERS, MIN_PLAYERS
from nana_core.game import Won


class Game(Struct, frozen=True):
    """A game of a contest: who sat where (indexes of the contest's bots), and how it went."""

    seated: tuple[int, ...]
    winner: int | None  # index of a bot
    played: Played


class Round(Struct, frozen=True):
    """All games of one deal."""

    number: int
    games: tuple[Game, ...]


class Spoilt(Exception):  # noqa: N818 - what the contest is
    """A bot failed, so that there is nothing to measure; `trace` is for its author."""

    def __init__(self, name: str, where: str, why: str, trace: str) -> None:
        super().__init__(name, where, why, trace)
        self.name, self.trace = name, trace

    def __str__(self) -> str:
        name, where, why, _ = self.args
        return f"{name} failed {where}: {why}"


class Contest(Struct, frozen=True):
    """Bots who play for shares of wins at tables of one size.

    With fewer bots than seats the last one named fills the rest; with more, every choice
    of so many plays.
    """

    entrants: tuple[Entrant, ...]
    players: int
    games: int = 400  # at least so many
    seed: int = 1

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS or not self.entrants:
            raise AssertionError("a contest has bots, and tables for 2 to 5")

    @property
    def bots(self) -> tuple[Entrant, ...]:
        """Everybody who plays: the entrants and, where seats are left, more of the last."""
        rest = self.players - len(self.entrants)
        return self.entrants + self.entrants[-1:] * rest

    @property
    def lineups(self) -> tuple[tuple[int, ...], ...]:
        return tuple(combinations(range(len(self.bots)), self.players))

    @property
    def deals(self) -> int:
        """Number of the deals: as few as make the games asked for."""
        return max(1, -(-self.games // self.round_length))

    @property
    def round_length(self) -> int:
        """Number of the games of one deal."""
        return len(self.lineups) * self.players


def seatings(contest: Contest) -> Iterator[tuple[int, ...]]:
    """Say who sits where in the games of each deal, in their order."""
    for lineup in contest.lineups:
        for turned in range(contest.players):
            yield lineup[turned:] + lineup[:turned]


def play_round(contest: Contest, number: int) -> Round:
    """Play every game of one deal.

    Who draws from Python's own `random` gets the same again, too; for its caller that
    goes on as if nothing had been.
    """
    kept = random.getstate()
    random.seed(f"{contest.seed} {number} anybody")
    try:
        return _round(contest, number)
    finally:
        random.setstate(kept)


def _round(contest: Contest, number: int) -> Round:
    deal = shuffled_deal(contest.players, Random(f"{contest.seed} {number}"))
    games: list[Game] = []
    for at, seated in enumerate(seatings(contest), start=number * contest.round_length + 1):
        bots = [_made(contest, number, who, at) for who in seated]
        try:
            played = play(deal, bots, at)
        except BotFailed as error:
            name = contest.bots[seated[error.seat]].name
            where = f"{_where(contest, number, at)}, turn {error.turn}, as {LETTERS[error.seat]}"
            raise Spoilt(name, where, error.why, error.trace) from error
        winner = seated[played.result.seat] if isinstance(played.result, Won) else None
        games.append(Game(seated, winner, played))
    return Round(number, tuple(games))


def _made(contest: Contest, number: int, who: int, game: int) -> Bot:
    entrant = contest.bots[who]
    try:
        return entrant.make(Random(f"{contest.seed} {number} {who}"))
    except RAISED as error:  # a boundary: what a bot raises is for its author
        where = _where(contest, number, game)
        raise Spoilt(entrant.name, where, *failure(error)) from error


def _where(contest: Contest, number: int, game: int) -> str:
    return f"in game {game} (deal {number + 1} of seed {contest.seed})"
