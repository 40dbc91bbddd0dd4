"""How the expert weighs: worlds side by side, chances, and a turn looked through to its end."""

from random import Random
from typing import Final

import pytest

from bots.patience import PATIENT
from bots.test_levels import NINES_AND_TENS, NO_THREES, missed
from nana_bots.arena import play, shuffled_deal, snapshot_for
from nana_bots.expert import Expert
from nana_bots.expert.columns import BURIED, IN_DARK, Columns, World, at_ends
from nana_bots.expert.lookahead import Lookahead, Open
from nana_bots.expert.shares import Shares, Told, stages
from nana_bots.history import History
from nana_bots.mind import LEVELS
from nana_core.deck import Cards
from nana_core.game import Won
from nana_core.knowledge import HandSight, Sight
from nana_core.notation import parse_position
from nana_core.protocol.outbound import CardView, Snapshot

SIGHT = Sight(
    viewer="A",
    known_slots={"c1": 3, "c2": 9},
    dark_slots=("c3", "c4"),
    hands={
        "A": HandSight((3, 8), (8, 3), 0, 0, 0),
        "B": HandSight((2,), (), 2, 2, 99),
    },
    public={
        "A": HandSight((), (), 2, 0, 99),
        "B": HandSight((2,), (), 2, 2, 99),
    },
    unlocated={2: 1, 3: 1, 8: 1, 9: 1},
    number=None,
    matched=0,
)
WORLDS = [
    World({"B": (2, 2, 3)}, (8, 9)),
    World({"B": (2, 8, 9)}, (2, 3)),
    World({"B": (2, 3, 9)}, (2, 8)),
]
NO_SETS: Final[dict[str, Cards]] = {"A": (), "B": ()}


def columns(turns: int = 1) -> Columns:
    return Columns(SIGHT, {"c1": 3}, "B", WORLDS, turns)


def shares(sets: dict[str, Cards] = NO_SETS) -> Shares:
    return Shares(columns(), sets)


def test_each_source_shows_a_card_in_each_world() -> None:
    """The second card of an end comes after the first; a hand ends where its cards do."""
    ends = columns().ends
    assert ends["b<"] == [[2, 2, 2], [2, 8, 3], [3, 9, 9]]
    assert ends["b>"][0] == [3, 9, 9]
    assert ends["a<"] == [[3] * 3, [8] * 3]
    assert columns().dark == [[8, 2, 2], [9, 3, 8]]


def test_a_world_may_have_its_dark_slots_turned_in_another_order() -> None:
    """Nobody can tell them apart, so each order is as good a draw."""
    both = columns(turns=2)
    assert list(both.all) == [0, 1, 2, 3, 4, 5]
    assert both.dark[0] == [8, 9, 2, 3, 2, 8]
    assert both.ends["b>"][0] == [3, 3, 9, 9, 9, 9]
    assert columns(turns=9).dark == both.dark


def test_a_state_says_where_the_cards_of_a_number_lie() -> None:
    """In the dark, at the ends of the other hand, or inside one and out of reach."""
    states = columns().states
    assert [state & IN_DARK for state in states[2]] == [0, 1, 1]
    assert [state >> at_ends(0) & 3 for state in states[2]] == [2, 1, 1]
    assert [bool(state & BURIED) for state in states[8]] == [False, True, False]
    assert [bool(state & BURIED) for state in states[3]] == [False, False, True]


def test_a_seat_knows_its_own_ends_and_what_all_have_seen() -> None:
    """Slot 1 lies open to B, slot 2 only A has worked out; the 2 at its own end is no news to B."""
    assert columns().elsewhere == {"B": {2: 0, 3: 1, 8: 0, 9: 0}}
    assert columns().mine == {2: 1, 3: 2, 8: 1, 9: 1}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_there_are_figures_for_every_stage(players: int) -> None:
    """For up to two sets of this seat, and of the best of the others."""
    assert [len(row) for row in stages(players)] == [3, 3, 3]


def test_chances_go_with_the_sets() -> None:
    """A set that wins is worth all, another one more than nothing, and another seat's costs."""
    everywhere = columns().all
    even = shares().missed(everywhere, None, None)
    assert 0 < shares({"A": (), "B": (5,)}).missed(everywhere, None, None) < even < 3
    assert even < shares().taken(9, everywhere) < 3
    assert shares({"A": (4,), "B": ()}).taken(3, everywhere) == 3


def test_it_costs_to_tell_others_of_a_number_that_wins_for_them() -> None:
    """With a set of 4, B needs a 3: the one in A's hand is news to it, one in its own is not."""
    mine = Shares(columns(), {"A": (), "B": (4,)})
    everywhere = columns().all
    before = mine.missed(everywhere, None, None)
    assert mine.missed(everywhere, (3, Told(("A",))), None) < before
    assert mine.missed(everywhere, None, (3, Told(("A",)))) < before
    assert mine.missed(everywhere, (3, Told(("B",))), None) == pytest.approx(before)
    parts = [mine.missed([at], (3, Told(("A",))), None) for at in everywhere]
    assert mine.missed(everywhere, (3, Told(("A",))), None) == pytest.approx(sum(parts))


def test_a_turn_is_looked_through_to_its_end() -> None:
    """With a 3 open and another in slot 1, the third lies at B's high end in one world of three."""
    sets = {"A": (4,), "B": ()}
    look = Lookahead(columns(), Shares(columns(), sets))
    begun = Open.after([CardView("a<", 3), CardView("c1", 3)])
    worths = dict(look.worths(begun))
    hit = [at for at in columns().all if columns().ends["b>"][0][at] == 3]
    assert len(hit) == 1
    assert worths["b>"] > 1.0 > worths["c2"] - worths["b>"]
    assert max(worths, key=worths.__getitem__) == "b>"
    assert "a<" in worths
    assert "c1" not in worths


def test_to_tell_nothing_is_worse_than_to_lose_nothing() -> None:
    """Who only turns over what all know lets the others go first, again and again."""
    look = Lookahead(columns(), shares())
    worths = dict(look.worths(Open()))
    idle = shares().missed(columns().all, None, None)
    assert worths["b<"] < idle + 1  # all know the 2 at the end of B's hand
    assert set(worths) == {"a<", "a>", "b<", "b>", "dark", "c1", "c2"}
    assert look.weighed > 0


@pytest.mark.parametrize("seed", range(4))
def test_a_set_that_wins_is_taken_at_once(seed: int) -> None:
    """With a set of 3 the 10s win, and the 9s, as sure, do not."""
    view = snapshot_for(parse_position(NO_THREES.format(sets="3,-")), 0)
    choice = Expert(Random(seed), PATIENT).choose(view, missed(*NINES_AND_TENS))
    assert choice in {"c9", "c10", "b>"}


class Forgetful:
    """An expert that was away now and then, and never hears of what happened meanwhile."""

    def __init__(self, chance: Random) -> None:
        self._bot = Expert(chance, PATIENT)
        self._chance = chance

    def choose(self, view: Snapshot, history: History) -> str:
        told = [attempt for attempt in history.attempts if self._chance.random() < 0.6]
        return self._bot.choose(view, History(told, game=view.game))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_a_past_with_gaps_leads_to_legal_choices(players: int, seed: int) -> None:
    """Sets, hands and slots that changed unseen contradict nothing that the expert goes by."""
    others = [LEVELS["memory"](Random(at)) for at in range(1, players)]
    played = play(shuffled_deal(players, Random(seed)), [Forgetful(Random(seed)), *others])
    assert isinstance(played.result, Won)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_expert_is_stopped_by_its_budget_and_says_so(players: int) -> None:
    """With no time at all every search is cut short, and the choice is legal all the same."""
    hurried, patient = Expert(Random(1), budget=0), Expert(Random(1), PATIENT)
    for bot in (hurried, patient):
        others = [LEVELS["memory"](Random(at)) for at in range(1, players)]
        play(shuffled_deal(players, Random(5)), [bot, *others])
    assert hurried.cut_short > 0
    assert patient.cut_short == 0
