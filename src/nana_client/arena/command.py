"""What `nana arena` does: play the contest that the command line asks for, and report.

Ctrl+C ends it early; what was played until then is reported all the same.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing

from nana_bots.arena import BadSpec, Contest, Report, Round, Tally, entrant, rounds
from nana_client.arena.progress import progress
from nana_client.arena.sheet import as_json, as_text
from nana_core.deck import MAX_PLAYERS, MIN_PLAYERS

INTERRUPTED = 130


def run_arena(given: Namespace) -> int:
    """Play what the command line asks for; return the exit code."""
    sys.path.insert(0, "")  # a bot of one's own stands in the folder that one is in
    try:
        contest = contest_of(given)
    except BadSpec as error:
        print(f"nana: {error}", file=sys.stderr)
        return 2
    processes = min(given.processes or os.cpu_count() or 1, contest.deals)
    report, ended = played(contest, rounds(contest, processes))
    if report is not None:
        print(as_json(report, ended=ended) if given.json else as_text(report, ended=ended))
    return 0 if ended else INTERRUPTED


def contest_of(given: Namespace) -> Contest:
    """Say what is to be played; raise BadSpec."""
    players = given.players or min(max(len(given.bots), MIN_PLAYERS), MAX_PLAYERS)
    return Contest(
        entrants=tuple(entrant(spec, given.budget) for spec in given.bots),
        players=players,
        games=given.games,
        seed=given.seed,
    )


def played(contest: Contest, coming: Iterator[Round]) -> tuple[Report | None, bool]:
    """Count rounds until they end or Ctrl+C is pressed; say whether they ended."""
    tally = Tally(contest)
    ended = False
    try:
        with closing(coming), progress(contest.deals) as step:  # type: ignore[type-var]
            for done in coming:
                tally.add(done)
                step()
        ended = True
    except KeyboardInterrupt:
        pass
    return (tally.report() if tally.rounds else None), ended
