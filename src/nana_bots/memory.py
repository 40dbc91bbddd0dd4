"""The `memory` level: never forgets a card, and weighs every reveal."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from nana_bots.appraisal import Appraisal, Weights
from nana_bots.history import History, goes_on
from nana_bots.odds import odds_of
from nana_bots.prospects import Prospects
from nana_core.deck import Cards, Number
from nana_core.knowledge import Facts, Sight, sight_of
from nana_core.protocol.outbound import Snapshot

_USUAL: Final = Weights()


class Rememberer:
    """Takes a set that is sure; otherwise reveals what is worth most."""

    def __init__(self, chance: Random, weights: Weights = _USUAL) -> None:
        self._chance = chance
        self._weights = weights
        self._view: Snapshot | None = None  # the last one
        self._facts = Facts()

    def choose(self, view: Snapshot, history: History) -> str:
        if not goes_on(self._view, view):
            self._facts = Facts()
        self._view = view
        self._facts.catch_up(view, history.attempts)
        sight = sight_of(view, self._facts)
        sets = {seat.seat: seat.sets for seat in view.seats}
        source = self._chance.choice(favourites(sight, sets, view.legal, self._weights))
        return self._chance.choice(sight.dark_slots) if source in sight.dark_slots else source


def favourites(
    sight: Sight, sets: Mapping[str, Cards], legal: Sequence[str], weights: Weights = _USUAL
) -> list[str]:
    """List the sources, of the legal ones, that seem best to the seat, each as good as the others.

    Dark slots are alike: the first one stands for all.
    """
    prospects = Prospects(sight, odds_of(sight))
    appraisal = Appraisal(sets, prospects, weights)
    if sure := appraisal.certain():
        return _showing(sure[0], legal, prospects)
    others = sight.dark_slots[1:]
    worth = {name: appraisal.worth(name) for name in legal if name not in others}
    most = max(worth.values())
    return [name for name in worth if worth[name] == most]


def _showing(number: Number, legal: Sequence[str], prospects: Prospects) -> list[str]:
    """Any source that surely shows the number leads on to the rest of its set."""
    return [name for name in legal if prospects.chances(name).get(number) == 1.0]
