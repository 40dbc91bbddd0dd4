"""The count of a contest: who won how often, how sure that is, and how long choices took."""

import hashlib
from array import array
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from nana_bots.arena.contest import Contest, Game, Round
from nana_bots.arena.rating import Ladder
from nana_bots.arena.statistics import interval

_Number = TypeVar("_Number", int, float)


class Standing(Struct, frozen=True):
    """How the bots of one name did."""

    name: str
    seats: int  # bots of that name in the contest
    games: int  # that at least one of them played
    wins: int
    share: float  # of those games
    low: float  # the 95% interval of the share, clustered by deal
    high: float
    even: float  # the share of somebody neither better nor worse than the rest
    rating: float
    rating_deviation: float
    cut_short: int  # choices that a time budget ended; with any, a seed may not repeat itself
    faults: int  # choices that were no good, and were made by lot
    first_fault: str  # in a sentence; "" if there was none, or nobody can say
    choices: int
    mean_ms: float
    p99_ms: float
    most_ms: float


class Report(Struct, frozen=True):
    """The outcome of a contest. Everything but the times follows from its seed."""

    players: int
    seed: int
    deals: int
    games: int
    capped: int  # games that nobody had won when the cap on turns ended them
    turns: int  # of the game in the middle
    results: str  # a mark of every result: equal marks, equal games
    standings: tuple[Standing, ...]


class Tally:
    """Counts rounds; they must come in their order."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._bots: dict[str, list[int]] = {}
        for who, bot in enumerate(contest.bots):
            self._bots.setdefault(bot.name, []).append(who)
        self._wins: dict[str, list[int]] = {name: [] for name in self._bots}  # by deal
        self._seconds = {name: array("d") for name in self._bots}
        self._cut_short = dict.fromkeys(self._bots, 0)
        self._faults = dict.fromkeys(self._bots, 0)
        self._complaints = dict.fromkeys(self._bots, "")
        self._turns: list[int] = []
        self._capped = 0
        self._ladder = Ladder(len(contest.bots))
        self._mark = hashlib.sha256()

    def add(self, played: Round) -> None:
        for wins in self._wins.values():
            wins.append(0)
        for game in played.games:
            self._count(game)

    @property
    def rounds(self) -> int:
        """How many were counted."""
        return len(next(iter(self._wins.values())))

    def report(self) -> Report:
        """Say how it stands; at least one round must have been played."""
        return Report(
            players=self._contest.players,
            seed=self._contest.seed,
            deals=self.rounds,
            games=len(self._turns),
            capped=self._capped,
            turns=_at(sorted(self._turns), 0.5),
            results=self._mark.hexdigest()[:12],
            standings=tuple(self._standing(name) for name in self._bots),
        )

    def _count(self, game: Game) -> None:
        names = [self._contest.bots[who].name for who in game.seated]
        for at, name in enumerate(names):
            self._seconds[name].extend(game.played.seconds[at])
            self._cut_short[name] += game.played.cut_short[at]
            self._faults[name] += game.played.faults[at]
            self._complaints[name] = self._complaints[name] or game.played.complaints[at]
        self._turns.append(game.played.turns)
        self._mark.update(f"{game.seated} {game.winner} {game.played.turns}\n".encode())
        if game.winner is None:
            self._capped += 1
            return
        self._wins[self._contest.bots[game.winner].name][-1] += 1
        self._ladder.add(game.seated, game.winner)

    def _standing(self, name: str) -> Standing:
        bots, wins = self._bots[name], self._wins[name]
        tables = [lineup for lineup in self._contest.lineups if set(lineup) & set(bots)]
        games = len(tables) * self._contest.players  # in a deal
        seats = sum(len(set(lineup) & set(bots)) for lineup in tables)
        low, high = interval(wins, games)
        rating, deviation = self._ladder.of(bots)
        times = sorted(self._seconds[name])
        return Standing(
            name=name,
            seats=len(bots),
            games=games * len(wins),
            wins=sum(wins),
            share=sum(wins) / (games * len(wins)),
            low=low,
            high=high,
            even=seats / (len(tables) * self._contest.players),
            rating=rating,
            rating_deviation=deviation,
            cut_short=self._cut_short[name],
            faults=self._faults[name],
            first_fault=self._complaints[name],
            choices=len(times),
            mean_ms=sum(times) / max(len(times), 1) * 1e3,
            p99_ms=_at(times, 0.99) * 1e3 if times else 0.0,
            most_ms=times[-1] * 1e3 if times else 0.0,
        )


def _at(ordered: Sequence[_Number], share: float) -> _Number:
    return ordered[int((len(ordered) - 1) * share)]
