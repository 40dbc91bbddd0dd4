"""What `nana arena` does: play the contest that the command line asks for, and report.

Ctrl+C ends it early, and so does a bot that fails; what was played until then is reported
all the same. Exit codes: 0, all was played; 1, a bot failed, or there is no table; 2, the
command line is wrong; 130, interrupted.
"""

import asyncio
import os
import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from nana_bots.arena import (
    BadSpec,
    Contest,
    Entrant,
    Round,
    Spoilt,
    Tally,
    UnknownBot,
    entrant,
    forgiven,
    rounds,
)
from nana_bots.mind import LEVELS
from nana_client.arena.program import PREFIX, close_programs, program_entrant
from nana_client.arena.progress import progress
from nana_client.arena.sheet import Chance, as_json, as_text
from nana_client.arena.venue import Venue, absent
from nana_client.hosting import CannotHost
from nana_client.stopping import INTERRUPTED
from nana_core.deck import MAX_PLAYERS, MIN_PLAYERS

REMOTE: Final = "remote"
OTHERS: Final = "Here it may also be exec:COMMAND, a program; or remote, which joins by a link."


class Outcome(NamedTuple):
    """What was counted, None before the first game at a table; and what has ended it early."""

    tally: Tally | None
    early: Spoilt | KeyboardInterrupt | None


def run_arena(given: Namespace) -> int:
    """Play what the command line asks for; return the exit code."""
    sys.path.insert(0, "")  # a bot of one's own stands in the folder that one is in
    try:
        contest = contest_of(given)
        outside = sum(bot.name == REMOTE for bot in contest.bots)
        if outside or given.sockets:
            outcome = at_table(contest, outside, given.host)
        else:
            processes = min(given.processes or os.cpu_count() or 1, contest.deals)
            outcome = counted(contest, rounds(contest, processes))
    except BadSpec as error:
        return _failed(f"{error} See: nana arena --help", 2)
    except CannotHost as error:
        return _failed(error, 1)
    finally:
        close_programs()
    tally, early = outcome
    if tally is not None and tally.rounds:
        said = as_json if given.json else as_text
        chance = chance_of(contest, sockets=given.sockets)
        print(said(tally.report(), ended=not early, chance=chance))
    return _ended(early)


def chance_of(contest: Contest, *, sockets: bool) -> Chance:
    """Say what decides the chance of the bots, as far as we can know it."""
    own = any(bot.name.partition(":")[0] not in LEVELS for bot in contest.bots)
    if any(bot.name == REMOTE or bot.name.startswith(PREFIX) for bot in contest.bots):
        return "theirs"
    if own:
        return "theirs" if sockets else "asked"
    return "seed"


def _ended(early: Spoilt | KeyboardInterrupt | None) -> int:
    """Say why it ended early; return the exit code."""
    if not isinstance(early, Spoilt):
        return INTERRUPTED if early else 0
    if not early.name.startswith(PREFIX):  # its author has no use for our lines
        print(early.trace, end="", file=sys.stderr)
    return _failed(early, 1)


def contest_of(given: Namespace) -> Contest:
    """Say what is to be played; raise BadSpec."""
    players = given.players or min(max(len(given.bots), MIN_PLAYERS), MAX_PLAYERS)
    bots = [_entrant(spec, given) for spec in given.bots]
    if (given.sockets or REMOTE in given.bots) and len(bots) > players:
        raise BadSpec(f"At a table for {players} there is no place for {len(bots)} bots.")
    bots += bots[-1:] * (players - len(bots))
    bots.sort(key=lambda bot: bot.name == REMOTE)  # those from outside come when they come
    return Contest(tuple(bots), players, given.games, given.seed)


def counted(contest: Contest, coming: Iterator[Round]) -> Outcome:
    """Count rounds until they end, a bot fails, or Ctrl+C is pressed."""
    tally = Tally(contest)
    try:
        with closing(coming), progress(contest.deals) as step:  # type: ignore[type-var]
            for played in coming:
                tally.add(played)
                step()
    except (Spoilt, KeyboardInterrupt) as early:
        return Outcome(tally, early)
    return Outcome(tally, None)


def at_table(contest: Contest, outside: int, host: str) -> Outcome:
    """Play at a table of a server of our own; count and say as `counted` does."""
    tally: Tally | None = None

    def take(played: Round) -> None:
        nonlocal tally
        if tally is None:  # now all are there, and their names are known
            tally = Tally(replace(contest, entrants=venue.entrants))
        tally.add(played)
        step()

    with progress(contest.deals) as step:
        venue = Venue(contest, outside, host=host, say=_say, hand_on=take)
        try:
            asyncio.run(venue.run())
        except (Spoilt, KeyboardInterrupt) as early:
            return Outcome(tally, early)
    return Outcome(tally, None)


def _entrant(spec: str, given: Namespace) -> Entrant:
    if spec == REMOTE:
        return Entrant(spec, absent)
    if spec.startswith(PREFIX):
        made = program_entrant(spec, within=given.within, forgive=given.forgive)
    else:
        try:
            made = entrant(spec, given.budget)
        except UnknownBot as error:
            raise BadSpec(f"{error} {OTHERS}{_meant(spec)}") from None
    return forgiven(made) if given.forgive else made


def _meant(spec: str) -> str:
    """Guess what somebody wants who names a bot as they would elsewhere; "" for no idea."""
    program, _, arguments = spec.strip().partition(" ")
    if "://" in spec:
        return f" The arena has tables of its own: with {REMOTE} it prints a link for your bot."
    if re.fullmatch(r"[^\W\d][\w.]*\.[A-Z]\w*", spec):
        return f" If that is a class, write {':'.join(spec.rsplit('.', 1))}."
    if program.endswith(".py") and not arguments:
        own = program.removesuffix(".py")
        return f" For a class in {spec} write {own}:CLASS, for a program 'exec:python {spec}'."
    if "/" in program or arguments or Path(program).is_file():
        return f" If that is a program, write '{PREFIX}{spec}'."
    return ""


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _failed(error: object, code: int) -> int:
    print(f"nana: {error}", file=sys.stderr)
    return code
