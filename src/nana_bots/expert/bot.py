"""The `expert` level as a bot: what it remembers of a game, and how long it may think.

How long it thinks is bounded by worlds, by choices of others that it thinks through, and
by what it weighs, so that the same seed plays the same. The budget, in milliseconds of
this thread's processor, is a safety cap on top: whoever needs a game to come out the same
must see that `cut_short` stays 0.
"""

from collections.abc import Mapping, Sequence
from random import Random
from time import thread_time
from typing import Final

from nana_bots.expert.columns import Columns, World
from nana_bots.expert.lookahead import ANY_DARK, Lookahead, Open
from nana_bots.expert.minds import Minds
from nana_bots.expert.shares import Shares, wins_with
from nana_bots.history import History, goes_on
from nana_core.deck import Cards
from nana_core.knowledge import Facts, Posterior, Sight, deducible, resting, settled, sight_of
from nana_core.protocol.outbound import Snapshot

_DRAWN: Final = {2: 300, 3: 300, 4: 150, 5: 100}  # worlds
_KEPT: Final = {2: 128, 3: 128, 4: 64, 5: 48}  # of them; the most likely several times
_TURNS: Final = {2: 4, 3: 3, 4: 2, 5: 1}  # times that each is used, with other dark slots first
_WEIGHED: Final = 400_000
_FOR_MINDS: Final = 0.7  # of the budget; what is left is for weighing
_CLOSE: Final = 1e-9


class Expert:
    """Weighs what a reveal may complete now against what it tells the others."""

    def __init__(self, chance: Random, budget: float = 50.0, worlds: int = 0) -> None:
        self.cut_short = 0  # choices that the budget ended
        self._seed = chance.getrandbits(64)
        self._budget = budget / 1000
        self._worlds = worlds  # 0: as many as befits the table
        self._view: Snapshot | None = None  # the last one
        self._facts = Facts()
        self._minds = Minds.dealt(2, "A")

    def choose(self, view: Snapshot, history: History) -> str:
        start = thread_time()
        self._catch_up(view, history)
        cards = () if view.attempt is None else view.attempt.cards
        sight = settled(resting(view, self._facts))
        sets = {seat.seat: seat.sets for seat in view.seats}
        sure = deducible(sight_of(view, self._facts))
        for number, sources in sure.items():
            if cards or wins_with(sets[sight.seat], number):
                return sources[0]
        chance = Random(f"{self._seed} {view.turn} {len(cards)}")
        order = _order(sight)
        before = self._minds.hurried
        worlds = self._imagine(sight, order, chance, start + self._budget * _FOR_MINDS)
        hurried = self._minds.hurried > before
        columns = Columns(sight, self._facts.slots, order, worlds, _TURNS[len(sets)])
        look = Lookahead(columns, Shares(columns, sets))
        worths = {sources[0]: look.taken(number) for number, sources in sure.items()}
        for source, worth in look.worths(Open.after(cards)):
            worths[source] = max(worth, worths.get(source, worth))
            if look.weighed > _WEIGHED:
                break
            if thread_time() - start > self._budget:
                hurried = True
                break
        self.cut_short += hurried
        return _best(worths, sight, chance)

    def _catch_up(self, view: Snapshot, history: History) -> None:
        if not goes_on(self._view, view):
            self._facts = Facts()
            self._minds = Minds.dealt(len(view.seats), view.you.seat)
        self._view = view
        news = [attempt for attempt in history.attempts if attempt.turn > self._facts.turn]
        if [attempt.turn for attempt in news] == [*range(self._facts.turn + 1, view.turn)]:
            for attempt in news:
                self._minds.see(attempt, self._facts)
        else:  # some of it was missed: guess about what follows
            self._minds = Minds.at_rest(view)
        self._facts.catch_up(view, history.attempts)
        self._facts.turn = view.turn - 1

    def _imagine(
        self, sight: Sight, order: Sequence[str], chance: Random, deadline: float
    ) -> list[World]:
        """Draw worlds that fit, and keep those that explain best what the others did."""
        if not any(sight.unlocated.values()):
            return [World({letter: sight.hands[letter].low for letter in order}, ())]
        players = len(sight.hands)
        kept = self._worlds or _KEPT[players]
        drawn = Posterior(sight).draw(max(kept, _DRAWN[players]), chance)
        worlds = [_whole(sight, order, hands, dark) for hands, dark in drawn]
        hands = [world.hands for world in worlds]
        return [worlds[at] for at in self._minds.choose(hands, kept, chance, deadline)]


def _whole(sight: Sight, order: Sequence[str], middles: Mapping[str, Cards], dark: Cards) -> World:
    """Put the drawn middles between the known ends of hands."""
    hands = {}
    for letter in order:
        hand = sight.hands[letter]
        hands[letter] = hand.low + middles[letter] + hand.high[::-1] if hand.unknown else hand.low
    return World(hands, dark)


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
