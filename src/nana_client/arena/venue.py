"""Contests over sockets: a server with fixed deals, one table, our bots and those from outside.

Each deal comes once for every seat there, turned by one: whoever plays stays where they
sit, and one link is enough for a bot that joins by itself.
"""

import asyncio
import os
import time
from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from nana_bots import mind
from nana_bots.arena import (
    Contest,
    Entrant,
    Game,
    Round,
    Spoilt,
    Told,
    complaint_of,
    cut_short_of,
    failure,
    faults_of,
)
from nana_bots.history import History
from nana_client import hosting
from nana_client.address import Target
from nana_client.arena.umpire import Umpire
from nana_client.entrance import Creating, Watching
from nana_client.model import Model
from nana_client.robot import Bot, Robot, View
from nana_client.session import Session
from nana_client.store import folders
from nana_core.deck import LETTERS, MAX_PLAYERS
from nana_core.protocol.inbound import OptionChanges
from nana_core.protocol.outbound import Error, Outbound, Snapshot
from nana_core.text import NAME_CELLS, clipped

NAME: Final = "Umpire"
GOODBYE: Final = 3.0  # seconds that a bot has to leave by itself when the last game is over
AT_TABLE: Final = "at the table"


class Venue:
    """One contest at one table. `outside` bots join by the link; `say` tells it."""

    def __init__(
        self,
        contest: Contest,
        outside: int,
        *,
        host: str,
        say: Callable[[str], None],
        hand_on: Callable[[Round], None],
    ) -> None:
        """Prepare; the last `outside` of the contest's bots come from elsewhere."""
        self._contest, self._outside, self._host = contest, outside, host
        self._say = say
        self._hand_on = hand_on
        self._robots: list[tuple[Entrant, _EachGame, Robot]] = []
        self._over = False
        games = contest.deals * contest.players
        self._umpire = Umpire(contest.players, games, self._take, time.perf_counter)

    async def run(self) -> None:
        """Play it; raise Spoilt, CannotHost."""
        word = str(self._contest.seed)
        async with await hosting.measuring(word, self._host, folders(os.environ)) as hosted:
            target = await _opened(hosted.target, self._contest.players)
            watching = Watching(name=NAME, kind="bot")
            self._session = Session(target, watching, store=None, on_change=self._hear)
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._preside())
                    for who in range(self._contest.players - self._outside):
                        group.create_task(self._seat(who, target))
                    for _ in range(self._outside):
                        links = " or ".join(hosted.links(target.room))
                        self._say(f"A bot from outside joins: {links}")
            except* Spoilt as spoilt:
                raise spoilt.exceptions[0] from None

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who sits there, by seat: our own by their specs, the others by their names."""
        ours = {robot.session.model.seat: entrant for entrant, _, robot in self._robots}
        named = zip(LETTERS, self._umpire.names, strict=False)
        return tuple(ours.get(seat) or Entrant(name, absent) for seat, name in named)

    def _take(self, seen: Round) -> None:
        """Hand a round on, with what our own bots say of their choices."""
        first = seen.number * self._contest.players + 1
        games = (self._said(game, number) for number, game in enumerate(seen.games, start=first))
        self._hand_on(replace(seen, games=tuple(games)))

    def _said(self, game: Game, number: int) -> Game:
        ours = {robot.session.model.seat: bot.of_game(number) for _, bot, robot in self._robots}
        bots = [ours.get(seat) for seat in LETTERS[: self._contest.players]]
        stood_in = game.played.faults
        faults = tuple(map(sum, zip(map(faults_of, bots), stood_in, strict=True)))
        cut, told = tuple(map(cut_short_of, bots)), tuple(map(complaint_of, bots))
        played = replace(game.played, cut_short=cut, faults=faults, complaints=told)
        return replace(game, played=played)

    async def _preside(self) -> None:
        ending = await self._session.run()
        if not self._over:
            raise Spoilt(NAME, AT_TABLE, ending.text, "")

    async def _seat(self, who: int, target: Target) -> None:
        """Let one of our own bots play until the room is closed."""
        entrant = self._contest.bots[who]
        bot = _EachGame(entrant, f"{self._contest.seed} {who}")
        name = clipped(entrant.name, NAME_CELLS)
        robot = Robot(target, bot, name=name, thinking=0.0, say=_unsaid)
        self._robots.append((entrant, bot, robot))
        try:
            ending = await robot.run()
        except Exception as error:  # a boundary: what a bot raises is for its author
            raise Spoilt(entrant.name, _where(robot.session.model), *failure(error)) from error
        if not self._over:
            raise Spoilt(entrant.name, AT_TABLE, ending.text, "")

    def _hear(self, _: Model, message: Outbound | None) -> None:
        if isinstance(message, Error):
            self._umpire.refused()
        elif isinstance(message, Snapshot):
            order = self._umpire.see(message)
            if order == "start":
                self._session.start()
            elif order == "close":
                self._close()
            elif self._umpire.done and not self._over:
                self._over = True
                asyncio.get_running_loop().call_later(GOODBYE, self._close)

    def _close(self) -> None:
        self._over = True
        self._session.close_room()


class _EachGame(Bot):
    """A new bot for each game, as the arena has it without a table."""

    def __init__(self, entrant: Entrant, seed: str) -> None:
        self._entrant, self._seed = entrant, seed
        self._bots: dict[int, mind.Bot] = {}  # by game, as many as a round and the next may need

    def begin(self, view: View) -> None:
        bot = self._entrant.make(Random(f"{self._seed} {view.game}"))
        self._bots[view.game] = bot
        self._bots.pop(view.game - 2 * MAX_PLAYERS, None)
        if isinstance(bot, Told):
            bot.begin(view)

    def choose(self, view: View, history: History) -> str:
        return self._bots[view.game].choose(view, history)

    def end(self, view: View, history: History) -> None:
        bot = self._bots[view.game]
        if isinstance(bot, Told):
            bot.end(view, history)

    def of_game(self, game: int) -> mind.Bot:
        """Return the bot that played a game of the last round."""
        return self._bots[game]


def _where(model: Model) -> str:
    shot = model.snapshot
    if shot is None or not shot.turn:
        return AT_TABLE
    return f"{AT_TABLE}, in game {shot.game}, turn {shot.turn}, as {shot.you.seat}"


async def _opened(target: Target, seats: int) -> Target:
    """Open a room and leave it empty: whoever comes first then is its host."""

    def leave(_: Model, message: Outbound | None) -> None:
        if isinstance(message, Snapshot):
            session.leave()

    options = OptionChanges(seats=seats, pace=0)
    way = Creating(name=NAME, kind="bot", options=options)
    session = Session(target, way, store=None, on_change=leave)
    await session.run()
    return session.target


def absent(_: Random) -> mind.Bot:
    raise AssertionError("who plays elsewhere is not made here")


def _unsaid(_: str) -> None:
    """The report tells how it went."""
