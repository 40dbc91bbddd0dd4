"""`nana bot`: a level of this house, or any program, at a table; what happens, in lines.

Exit codes: 0, its games were played, or it was told to leave; 1, the table ended it, or
the program failed; 2, there is no such program.
"""

import asyncio
from collections.abc import Iterable
from random import Random
from typing import Final

from nana_bots import mind
from nana_client.robot.process import NoProgram
from nana_client.robot.program import Program
from nana_client.robot.running import at_table, seated
from nana_client.robot.saying import EXPECTED, aloud, complain
from nana_client.robot.seat import Played
from nana_client.robot.wishes import Wishes
from nana_core.protocol.inbound import Level

NAMES: Final[dict[Level, str]] = {
    "random": "Dice",
    "novice": "Goldfish",
    "memory": "Elephant",
    "expert": "Raven",
}


def run_level(url: str | None, level: Level, wishes: Wishes) -> int:
    """Let one of this house's bots play; return the exit code."""
    wishes["name"] = wishes.get("name") or NAMES[level]
    return asyncio.run(_run(mind.LEVELS[level](Random()), url, wishes))


def run_program(url: str | None, command: str, within: float, wishes: Wishes) -> int:
    """Let a program play, with `within` seconds for each card; return the exit code."""
    try:
        program = Program(command, within=within, say=lambda text: aloud(f"! {text}"))
    except NoProgram as error:
        complain(error)
        return 2
    try:
        return asyncio.run(_run(program, url, wishes))
    finally:
        program.close()


async def _run(bot: mind.Bot, url: str | None, wishes: Wishes) -> int:
    try:
        async with at_table(bot, url, **wishes) as robot:
            await seated(robot)
    except EXPECTED as error:
        return complain(error)
    _score(robot.played.values())
    return 0 if robot.leaving else 1


def _score(played: Iterable[Played]) -> None:
    games = list(played)
    if len(games) > 1:
        aloud(f"It won {sum(game.won for game in games)} of {len(games)} games.")
