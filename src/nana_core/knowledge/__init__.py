"""What the public history, and an own hand, imply about every card.

`Facts` gathers what all have seen, `Sight` is the table as one seat (or a spectator)
knows it, `settled` adds what follows by counting, and `deducible` lists the sets that
could be taken for sure. `Posterior` counts the worlds that fit, and draws from them.
Nothing here sees a hidden card; everything is given to it.

For each seat at each turn of a game, when was a set knowable?

    facts = Facts()
    for game in positions(record):
        table = game.table
        if table.shown:
            facts.learn(attempt_view(table.attempt, table.turn))
        elif not table.attempt.cards:  # a turn begins
            for seat in range(table.players):
                sets = deducible(sight_at(table, seat, hand_for(game, seat), facts))

`sets` is a dict: the number of each set that the seat could take now, for sure, and the
three sources that show it, such as {5: ("a<", "c4", "c9")}. Nothing is said of a set
whose places are certain while one of its cards lies inside a hand, out of reach.
"""

from nana_core.knowledge.counting import settled
from nana_core.knowledge.deducible import deducible, showing
from nana_core.knowledge.facts import Facts, HandFacts, owner_of, revealed_of_hands
from nana_core.knowledge.posterior import Posterior
from nana_core.knowledge.sight import (
    HandSight,
    Sight,
    resting,
    seated,
    sight_at,
    sight_from,
    sight_of,
)

__all__ = [
    "Facts",
    "HandFacts",
    "HandSight",
    "Posterior",
    "Sight",
    "deducible",
    "owner_of",
    "resting",
    "revealed_of_hands",
    "seated",
    "settled",
    "showing",
    "sight_at",
    "sight_from",
    "sight_of",
]
