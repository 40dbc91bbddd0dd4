"""The `memory` level: never forgets a card, and weighs every reveal."""

from random import Random

from nana_bots.appraisal import Appraisal, Weights
from nana_bots.history import History
from nana_bots.odds import odds_of
from nana_bots.prospects import Prospects
from nana_core.deck import Number
from nana_core.knowledge import Facts, sight_of
from nana_core.protocol.outbound import Snapshot


class Rememberer:
    """Takes a set that is sure; otherwise reveals what is worth most."""

    def __init__(self, chance: Random, weights: Weights | None = None) -> None:
        self._chance = chance
        self._weights = Weights() if weights is None else weights
        self._game = -1
        self._facts = Facts()

    def choose(self, view: Snapshot, history: History) -> str:
        if self._game != view.game:
            self._game, self._facts = view.game, Facts()
        self._facts.catch_up(view, history.attempts)
        sight = sight_of(view, self._facts)
        prospects = Prospects(sight, odds_of(sight))
        appraisal = Appraisal(view, prospects, self._weights)
        if sure := appraisal.certain():
            return self._one_showing(sure[0], view, prospects)
        return self._best(view, appraisal, dark=sight.dark_slots)

    def _one_showing(self, number: Number, view: Snapshot, prospects: Prospects) -> str:
        """Any source that surely shows the number leads on to the rest of its set."""
        showing = [name for name in view.legal if prospects.chances(name).get(number) == 1.0]
        return self._chance.choice(showing)

    def _best(self, view: Snapshot, appraisal: Appraisal, dark: tuple[str, ...]) -> str:
        """Unseen slots are alike: one of them stands for all."""
        worth = {name: appraisal.worth(name) for name in view.legal if name not in dark[1:]}
        most = max(worth.values())
        best = self._chance.choice([name for name in worth if worth[name] == most])
        return self._chance.choice(dark) if best in dark else best
