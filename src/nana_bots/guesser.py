"""The `random` level: any source, all alike."""

from random import Random

from nana_bots.history import History
from nana_core.protocol.outbound import Snapshot


class Guesser:
    """Turns over whatever comes to hand."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, view: Snapshot, history: History) -> str:  # noqa: ARG002 - Bot's shape
        return self._chance.choice(view.legal)
