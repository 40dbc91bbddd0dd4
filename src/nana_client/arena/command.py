"""What `nana arena` does: play the contest that the command line asks for, and report.

Ctrl+C ends it early; what was played until then is reported all the same.
"""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from msgspec.structs import replace

from nana_bots.arena import BadSpec, Contest, Entrant, Round, Spoilt, Tally, entrant, rounds
from nana_client.arena.program import PREFIX, program_entrant
from nana_client.arena.progress import progress
from nana_client.arena.sheet import as_json, as_text
from nana_client.arena.venue import Venue, absent
from nana_client.hosting import CannotHost
from nana_core.deck import MAX_PLAYERS, MIN_PLAYERS

REMOTE: Final = "remote"
INTERRUPTED: Final = 130


def run_arena(given: Namespace) -> int:
    """Play what the command line asks for; return the exit code."""
    sys.path.insert(0, "")  # a bot of one's own stands in the folder that one is in
    try:
        contest = contest_of(given)
        outside = sum(bot.name == REMOTE for bot in contest.bots)
        if outside or given.sockets:
            tally, ended = at_table(contest, outside, given.host)
        else:
            processes = min(given.processes or os.cpu_count() or 1, contest.deals)
            tally, ended = counted(contest, rounds(contest, processes))
    except BadSpec as error:
        return _failed(f"{error} See: nana arena --help", 2)
    except Spoilt as error:
        if not error.name.startswith(PREFIX):  # its author has no use for our lines
            print(error.trace, end="", file=sys.stderr)
        return _failed(error, 1)
    except CannotHost as error:
        return _failed(error, 1)
    if tally is not None and tally.rounds:
        report = tally.report()
        said = as_json if given.json else as_text
        print(said(report, ended=ended, own_chance=any(map(_is_foreign, contest.bots))))
    return 0 if ended else INTERRUPTED


def contest_of(given: Namespace) -> Contest:
    """Say what is to be played; raise BadSpec."""
    players = given.players or min(max(len(given.bots), MIN_PLAYERS), MAX_PLAYERS)
    bots = [_entrant(spec, given.budget) for spec in given.bots]
    if (given.sockets or REMOTE in given.bots) and len(bots) > players:
        raise BadSpec(f"At a table for {players} there is no place for {len(bots)} bots.")
    bots += bots[-1:] * (players - len(bots))
    bots.sort(key=lambda bot: bot.name == REMOTE)  # those from outside come when they come
    return Contest(tuple(bots), players, given.games, given.seed)


def counted(contest: Contest, coming: Iterator[Round]) -> tuple[Tally, bool]:
    """Count rounds until they end or Ctrl+C is pressed; say whether they ended."""
    tally = Tally(contest)
    try:
        with closing(coming), progress(contest.deals) as step:  # type: ignore[type-var]
            for played in coming:
                tally.add(played)
                step()
    except KeyboardInterrupt:
        return tally, False
    return tally, True


def at_table(contest: Contest, outside: int, host: str) -> tuple[Tally | None, bool]:
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
        except KeyboardInterrupt:
            return tally, False
    return tally, True


def _is_foreign(bot: Entrant) -> bool:
    return bot.name == REMOTE or bot.name.startswith(PREFIX)


def _entrant(spec: str, budget: float | None) -> Entrant:
    if spec == REMOTE:
        return Entrant(spec, absent)
    return program_entrant(spec) if spec.startswith(PREFIX) else entrant(spec, budget)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _failed(error: object, code: int) -> int:
    print(f"nana: {error}", file=sys.stderr)
    return code
