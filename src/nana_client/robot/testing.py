"""Try a bot out: whole games in this process, any situation, and a real server of one's own.

What the fixtures of `nana_client.pytest_plugin` hand out; all of it works without pytest, too.
"""

import asyncio
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final, TypeAlias, Unpack

from msgspec import Struct

from nana_bots import mind
from nana_bots.arena import Chair, course, shuffled_deal, snapshot_for
from nana_bots.history import History
from nana_client.robot.bot import View, known_level
from nana_client.robot.running import play
from nana_client.robot.seat import Played
from nana_client.robot.wishes import Wishes, examine_bot
from nana_core import notation
from nana_core.deck import Deal
from nana_core.game import Result, Won, advance, apply, begin
from nana_core.game import Table as GameTable
from nana_core.notation import parse_action
from nana_core.protocol.inbound import Level
from nana_core.protocol.outbound import AttemptView
from nana_core.protocol.wire import CONTINUE, attempt_view

Other: TypeAlias = mind.Bot | Level
LISTENING: Final = "listening on "


class Score(Struct, frozen=True):
    """How a bot did over some games."""

    games: int
    won: int
    turns: int  # of all games together
    results: tuple[Result, ...]  # one for each game; the bot's seat moves on from game to game

    @property
    def share(self) -> float:
        return self.won / self.games


class Table:
    """Games without a server: the same seed deals the same cards."""

    def play(self, bot: mind.Bot, *others: Other, games: int = 1, seed: int = 1) -> Score:
        """Play whole games against others, bots or names of levels; one `memory` if none is named.

        Raises what the bot raises, IllegalChoice for a choice that is not legal, and BadWish
        for what is no bot.
        """
        for one in (bot, *(other for other in others if not isinstance(other, str))):
            examine_bot(one)
        results: list[Result] = []
        won = turns = 0
        for number in range(games):
            chance = Random(f"{seed} {number}")
            rivals = [_made(other, chance) for other in others or ("memory",)]
            deal = shuffled_deal(len(rivals) + 1, chance)
            seat = number % (len(rivals) + 1)
            end = _played(deal, [*rivals[:seat], bot, *rivals[seat:]])
            result = end.result
            if result is None:
                raise AssertionError("a game that was played out has a result")
            results.append(result)
            won += isinstance(result, Won) and result.seat == seat
            turns += end.turn
        return Score(games, won, turns, tuple(results))

    def situation(self, game: str) -> tuple[View, History]:
        """Show what the seat on turn has to choose from after this game so far.

        The game is a line of notation, `hands | center | first seat : actions`; what was
        revealed is missed or matched as the cards say. A shown attempt is cleared.
        """
        deal, actions = notation.parse_game(game)
        return _situation(deal, [notation.action_name(action) for action in actions])


def _situation(deal: Deal, actions: Sequence[str]) -> tuple[View, History]:
    game, ended = begin(deal), list[AttemptView]()
    for word in actions:
        game = apply(game, game.table.on_turn, parse_action(word))
        if game.table.shown:
            ended.append(attempt_view(game.table.attempt, game.table.turn))
    if game.table.shown and game.table.result is None:
        game = advance(game, CONTINUE)
    return snapshot_for(game, game.table.on_turn, len(actions)), History(ended, 1)


def _played(deal: Deal, bots: Sequence[mind.Bot]) -> GameTable:
    """Play a game out; every bot is asked as a server's snapshots would ask it."""
    return deque(course(deal, [Chair(bot) for bot in bots]), maxlen=1).pop().after.table


def _made(other: Other, chance: Random) -> mind.Bot:
    if isinstance(other, str):
        return mind.LEVELS[known_level(other)](Random(chance.random()))
    return other


class Server:
    """A real server with rooms in memory, and rooms of one's own in it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.said: list[str] = []  # what happened in the games, in lines

    def run(self, bot: mind.Bot, **wishes: Unpack[Wishes]) -> tuple[Played, ...]:
        """Let a bot play here as `nana_client.robot.run` does, without waiting for anybody.

        What goes wrong is raised: it is the test that fails, not the program that ends.
        """
        return asyncio.run(self.play(bot, **wishes))

    async def play(self, bot: mind.Bot, **wishes: Unpack[Wishes]) -> tuple[Played, ...]:
        """Do the same inside a running event loop."""
        return await play(bot, self.url, **self._with(wishes))

    def _with(self, wishes: Wishes) -> Wishes:
        usual: Wishes = {"thinking": 0.0, "say": self.said.append}
        return {**usual, **wishes}


@contextmanager
def server() -> Iterator[Server]:
    """Start a server on this machine, at any free port; it ends with the block."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "nana_server", "--port", "0", "--until-stdin-ends"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("NANA_")},
    )
    with process:
        if process.stdout is None or process.stdin is None:
            raise AssertionError("its ends were asked for")
        line = process.stdout.readline()
        if not line.startswith(LISTENING):
            raise AssertionError(f"nana-server did not start: {line!r}")
        try:
            yield Server(line.removeprefix(LISTENING).strip())
        finally:
            process.stdin.close()
            process.wait()
