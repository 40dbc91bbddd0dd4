"""How the expert weighs: worlds side by side, stakes, and a turn looked through to its end."""

from random import Random

import pytest

from bots.test_levels import NINES_AND_TENS, NO_THREES, missed
from nana_bots.arena import play, shuffled_deal, snapshot_for
from nana_bots.expert import Expert
from nana_bots.mind import LEVELS
from nana_bots.reading import Reading
from nana_bots.spread import Spread
from nana_bots.stakes import Stakes, partners
from nana_core.knowledge import Facts, HandSight, Sight
from nana_core.knowledge.posterior import Drawn
from nana_core.notation import parse_position
from nana_core.protocol.outbound import AttemptView, CardView

PATIENT = 60_000.0  # ms: no test is about how busy the machine is
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
WORLDS: list[Drawn] = [({"B": (2, 3)}, (8, 9)), ({"B": (8, 9)}, (2, 3)), ({"B": (3, 9)}, (2, 8))]


@pytest.fixture
def spread() -> Spread:
    return Spread(SIGHT, {"c1": 3}, WORLDS)


def test_each_world_is_a_bit_in_what_a_source_shows(spread: Spread) -> None:
    """The first world is the lowest bit; a second card of an end comes after the first."""
    assert spread.ends["b<"][0] == {2: 0b111}
    assert spread.ends["b<"][1] == {2: 0b001, 8: 0b010, 3: 0b100}
    assert spread.ends["b>"][0] == {3: 0b001, 9: 0b110}
    assert spread.dark[0] == {8: 0b001, 2: 0b110}
    assert spread.in_dark[2][0] == 0b110


def test_a_card_inside_a_hand_is_out_of_reach(spread: Spread) -> None:
    """It lies behind other numbers at both ends."""
    assert (spread.buried[8], spread.buried[3], spread.buried[2]) == (0b010, 0b100, 0)


def test_a_seat_knows_its_own_ends_and_what_all_have_seen(spread: Spread) -> None:
    """B holds two 2s at its low end in one world, and sees the 3 in slot 1 in all."""
    assert spread.knows("B", 2, 2) == 0b001
    assert spread.knows("B", 3, 1) == 0b111
    assert spread.knows("B", 3, 2) == 0b001
    assert spread.knows("B", 9, 1) == 0b110  # slot 2 only A has worked out
    assert spread.knows("B", 9, 2, more=1) == 0b110


def test_stakes_are_shares_of_the_game() -> None:
    """A set that wins is worth all, another one more than nothing; the others' cost."""
    stakes = Stakes("A", {"A": (3,), "B": (), "C": (2,)}, frozenset(range(1, 12)) - {2, 3})
    assert (stakes.after("A", 4), stakes.after("A", 10), stakes.after("C", 9)) == (1.0, 1.0, 0.0)
    assert 0 < stakes.after("B", 1) < stakes.now < stakes.after("A", 1) < 1


@pytest.mark.parametrize(("number", "found"), [(2, {5, 9}), (1, {6, 8}), (5, {2, 12}), (10, {3})])
def test_partners_win_together(number: int, found: set[int]) -> None:
    """Their sum or their difference is 7."""
    assert partners(number) == found


def test_who_misses_had_no_set_to_take() -> None:
    """B, seeing two 9s, would have taken the third from its own hand; its set ends the reading."""
    facts, reading = Facts(), Reading()
    facts.slots.update(c1=9, c2=9, c3=4)
    miss = AttemptView(turn=4, seat="B", cards=(CardView("c5", 1),), outcome="miss")
    reading.see(miss, facts)
    assert reading.most["B"] == {9: 0, 4: 1}
    took = tuple(CardView(source, 1) for source in ("b<", "c5", "c6"))
    reading.see(AttemptView(turn=5, seat="A", cards=took, outcome="set"), facts)
    assert not reading.most["B"]


@pytest.mark.parametrize("seed", range(4))
def test_a_set_that_wins_is_taken_at_once(seed: int) -> None:
    """With a set of 3 the 10s win, and the 9s, as sure, do not."""
    view = snapshot_for(parse_position(NO_THREES.format(sets="3,-")), 0)
    choice = Expert(Random(seed), PATIENT).choose(view, missed(*NINES_AND_TENS))
    assert choice in {"c9", "c10", "b>"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_expert_is_stopped_by_its_budget_and_says_so(players: int) -> None:
    """With no time at all every search is cut short, and the choice is legal all the same."""
    hurried, patient = Expert(Random(1), budget=0), Expert(Random(1), PATIENT)
    for bot in (hurried, patient):
        others = [LEVELS["memory"](Random(at)) for at in range(1, players)]
        play(shuffled_deal(players, Random(5)), [bot, *others])
    assert hurried.cut_short > 0
    assert patient.cut_short == 0
