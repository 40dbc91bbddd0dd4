"""`nana bot`: a level of this house, a class, or any program at a table; what happens, in lines.

Exit codes: 0, its games were played, or it was told to leave; 1, the table ended it, or
the bot failed; 2, there is no such class or program.
"""

import asyncio
import sys
from collections.abc import Iterable
from random import Random
from typing import Final

from nana_bots import mind
from nana_bots.arena import BadSpec, Entrant, UnknownBot, entrant
from nana_client.robot.process import NoProgram
from nana_client.robot.program import Program
from nana_client.robot.running import at_table, seated
from nana_client.robot.saying import EXPECTED, aloud, complain, show
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


def run_class(url: str | None, spec: str, wishes: Wishes) -> int:
    """Let a class of one's own play, as `nana arena` names it; return the exit code."""
    sys.path.insert(0, "")  # it stands in the folder that one is in
    try:
        bot = _own(spec).make(Random())
        return asyncio.run(_run(bot, url, wishes))
    except BadSpec as error:
        print(f"nana: {error} See: nana bot --help", file=sys.stderr)
        return 2
    except Exception as error:  # noqa: BLE001 - a boundary: what a bot raises is for its author
        return show(error)


def _own(spec: str) -> Entrant:
    """Read MODULE:CLASS and its options; raise BadSpec, also for a level."""
    level = spec.partition(":")[0].partition(",")[0]
    if level in mind.LEVELS:
        raise BadSpec(f"{level} is a level of ours, no class: write --level {level}.")
    try:
        return entrant(spec)
    except UnknownBot:
        raise BadSpec(
            f"--class is MODULE:CLASS, like parrot:Parrot for the class Parrot in parrot.py, "
            f"not {spec!r}."
        ) from None


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
