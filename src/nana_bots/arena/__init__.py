"""Games between bots in this process, to measure how strong and how fast they are.

`play` plays one game, `course` move by move; `Contest` says which games are to be played,
`rounds` plays them, on one core or on many, and `Tally` counts. Bots from outside play
elsewhere: they need a server.
"""

from nana_bots.arena.contest import Contest, Game, Round, Spoilt
from nana_bots.arena.course import Chair, Move, Told, course
from nana_bots.arena.crew import rounds
from nana_bots.arena.entrant import BadSpec, Entrant, UnknownBot, budget_in, entrant
from nana_bots.arena.faults import RAISED, authors_part, failure
from nana_bots.arena.forgiven import complained, forgiven
from nana_bots.arena.showing import snapshot_for
from nana_bots.arena.table import (
    BotFailed,
    Played,
    complaint_of,
    cut_short_of,
    faults_of,
    play,
    shuffled_deal,
)
from nana_bots.arena.tally import Report, Standing, Tally

__all__ = [
    "RAISED",
    "BadSpec",
    "BotFailed",
    "Chair",
    "Contest",
    "Entrant",
    "Game",
    "Move",
    "Played",
    "Report",
    "Round",
    "Spoilt",
    "Standing",
    "Tally",
    "Told",
    "UnknownBot",
    "authors_part",
    "budget_in",
    "complained",
    "complaint_of",
    "course",
    "cut_short_of",
    "entrant",
    "failure",
    "faults_of",
    "forgiven",
    "play",
    "rounds",
    "shuffled_deal",
    "snapshot_for",
]
