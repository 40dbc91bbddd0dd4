"""The `expert` level: looks through its turn over worlds that fit all it has seen.

How long it looks is bounded by worlds and by what it weighs, so that the same seed plays
the same. The budget, in milliseconds of this thread's processor, is a safety cap on top:
whoever needs a game to come out the same must see that `cut_short` stays 0.
"""

from collections.abc import Mapping
from random import Random
from time import thread_time
from typing import Final

from nana_bots.history import History
from nana_bots.lookahead import ANY_DARK, Lookahead, Open
from nana_bots.reading import Reading
from nana_bots.spread import Mask, Spread
from nana_bots.stakes import Stakes
from nana_core.knowledge import Facts, Posterior, Sight, deducible, resting, settled, sight_of
from nana_core.knowledge.posterior import Drawn
from nana_core.protocol.outbound import Snapshot

_NODES: Final = 20_000  # ends of the turn that are weighed; it is seldom a twentieth of that
_WORLDS: Final = {2: 100, 3: 100, 4: 60, 5: 60}  # where more hands are hidden, each costs more
_TRUST: Final = 0.15  # the least part of the worlds that must be left to believe a reading
_TURNS: Final = 4  # times that each world is used, its dark slots in another order
_CLOSE: Final = 1e-9


class Expert:
    """Weighs what a reveal may complete now against what it tells the others."""

    def __init__(self, chance: Random, budget: float = 50.0, worlds: int = 0) -> None:
        self.cut_short = 0  # choices that the budget ended
        self._seed = chance.getrandbits(64)
        self._budget = budget / 1000
        self._worlds = worlds  # 0: as many as befits the table
        self._game = -1
        self._facts = Facts()
        self._reading = Reading()

    def choose(self, view: Snapshot, history: History) -> str:
        start = thread_time()
        self._catch_up(view, history)
        cards = () if view.attempt is None else view.attempt.cards
        sight = settled(resting(view, self._facts))
        stakes = _stakes(view, sight)
        sure = deducible(sight_of(view, self._facts))
        for number, sources in sure.items():
            if cards or stakes.wins(sight.seat, number):
                return sources[0]
        chance = Random(f"{self._seed} {view.turn} {len(cards)}")
        worlds = self._worlds or _WORLDS[len(view.seats)]
        spread = Spread(sight, self._facts.slots, _drawn(sight, worlds, chance))
        look, likely = Lookahead(spread, stakes, _order(sight)), self._likely(spread)
        worths = {sources[0]: look.taken(number, likely) for number, sources in sure.items()}
        for source, worth in look.worths(Open.after(cards), likely):
            worths[source] = max(worth, worths.get(source, worth))
            if look.nodes > _NODES:
                break
            if thread_time() - start > self._budget:
                self.cut_short += 1
                break
        return _best(worths, sight, chance)

    def _catch_up(self, view: Snapshot, history: History) -> None:
        if self._game != view.game:
            self._game, self._facts, self._reading = view.game, Facts(), Reading()
        for attempt in history.attempts:
            if attempt.turn > self._facts.turn:
                self._reading.see(attempt, self._facts)
                self._facts.learn(attempt)
        self._facts.catch_up(view, history.attempts)

    def _likely(self, spread: Spread) -> Mask:
        """Leave out the worlds in which another seat would have taken a set by now."""
        unlikely = 0
        for letter in _order(spread.sight):
            for number, most in self._reading.most[letter].items():
                unlikely |= spread.holds(letter, number, most + 1)
        likely = spread.full & ~unlikely
        few = likely.bit_count() < _TRUST * spread.full.bit_count()
        return spread.full if few else likely


def _drawn(sight: Sight, worlds: int, chance: Random) -> list[Drawn]:
    """Draw worlds; each comes several times, with other dark slots turned over first."""
    if not any(sight.unlocated.values()):
        return [({}, ())]
    slots = len(sight.dark_slots)
    turns = [at * slots // min(slots, _TURNS) for at in range(min(slots, _TURNS))] or [0]
    return [
        (hands, dark[turn:] + dark[:turn])
        for hands, dark in Posterior(sight).draw(worlds, chance)
        for turn in turns
    ]


def _stakes(view: Snapshot, sight: Sight) -> Stakes:
    sets = {seat.seat: seat.sets for seat in view.seats}
    return Stakes(sight.seat, sets, frozenset(sight.unlocated))


def _order(sight: Sight) -> list[str]:
    """List the others from the seat's left."""
    letters = sorted(sight.hands)
    at = letters.index(sight.seat)
    return letters[at + 1 :] + letters[:at]


def _best(worths: Mapping[str, float], sight: Sight, chance: Random) -> str:
    """Choose evenly among equals; all dark slots are."""
    most = max(worths.values())
    source = chance.choice([name for name, worth in worths.items() if worth > most - _CLOSE])
    return chance.choice(sight.dark_slots) if source == ANY_DARK else source
