"""The game for machine learning: what PettingZoo asks of an environment, and what it shows."""

import warnings
from random import Random

import numpy as np
import pytest

pettingzoo_test = pytest.importorskip("pettingzoo.test", reason="the extra pettingzoo is not there")

from nana_bots.zoo import env, observation, observation_length, raw_env  # noqa: E402 - only then
from nana_core import environment  # noqa: E402
from nana_core.deck import SIZES  # noqa: E402
from nana_core.game import TURN_CAP  # noqa: E402


@pytest.mark.parametrize("players", SIZES)
def test_it_passes_pettingzoos_own_test(players: int) -> None:
    """Cycles, spaces, rewards, dead steps: `api_test` raises at what is wrong.

    It warns of observations that are no bare arrays, from all but its own games with
    masks; the mask is what it documents for illegal actions.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        pettingzoo_test.api_test(env(players), num_cycles=600)


def test_the_same_seed_plays_the_same() -> None:
    """`seed_test` compares two environments step by step."""
    pettingzoo_test.seed_test(lambda: env(3), num_cycles=200)


def test_games_that_follow_are_others() -> None:
    """A seed decides the first game and those after it, which differ."""
    made = raw_env(2)
    deals = []
    for seed in (5, None, 5, None):
        made.reset(seed=seed)
        deals.append(made.game)
    assert deals[:2] == deals[2:]
    assert deals[0] != deals[1]


def test_the_mask_is_what_is_legal() -> None:
    """For the agent on turn; all others can do nothing."""
    made = raw_env(3)
    made.reset(seed=1)
    for agent in made.possible_agents:
        mask = made.observe(agent)["action_mask"]
        assert mask.all() == (agent == made.agent_selection)
        assert mask.any() == (agent == made.agent_selection)
    made.step(0)
    mask = made.observe(made.agent_selection)["action_mask"]
    assert mask.tolist().count(0) == 1
    assert mask[0] == 0


def test_an_illegal_action_loses() -> None:
    """Slot 1 cannot be turned over twice."""
    made = env(2)
    made.reset(seed=1)
    made.step(0)
    sinner = made.agent_selection
    made.step(0)
    assert all(made.terminations.values())
    assert made.rewards[sinner] == -1


def test_the_winner_is_rewarded() -> None:
    """Once, at the end; the others lose the same in all."""
    made = raw_env(3)
    made.reset(seed=4)
    total = dict.fromkeys(made.possible_agents, 0.0)
    chance = Random(4)  # some games by lot come to the cap
    for agent in made.agent_iter():
        seen, reward, termination, truncation, _ = made.last()
        total[agent] += reward
        over = termination or truncation
        legal = [action for action, may in enumerate(seen["action_mask"]) if may]
        made.step(None if over else chance.choice(legal))
    assert sorted(total.values()) == [-0.5, -0.5, 1.0]
    assert total == dict(zip(total, environment.rewards(made.game), strict=True))


def test_the_cap_truncates() -> None:
    """Nobody has lost a game that the cap has ended."""
    made = raw_env(2)
    made.reset(seed=1)
    while made.game.game.table.turn <= TURN_CAP and not made.game.over:
        legal = made.observe(made.agent_selection)["action_mask"]
        made.step(int(legal.argmax()))
    assert set(made.truncations.values()) == {True}
    assert set(made.terminations.values()) == {False}
    assert set(made.rewards.values()) == {0.0}


@pytest.mark.parametrize("players", SIZES)
def test_an_observation_is_of_the_seat_that_looks(players: int) -> None:
    """Its own hand first; every seat's cards left, from its own clockwise; nothing hidden."""
    state = environment.reset(players, 3)
    top = SIZES[players].top
    for seat in range(players):
        seen = environment.view(state, seat)
        numbers = list(observation(seen))
        assert len(numbers) == observation_length(players)
        hand = state.game.secrets.hands[seat]
        assert numbers[:top] == [hand.count(number) for number in range(1, top + 1)]
        assert numbers[top] == len(hand)


def test_an_observation_tells_the_attempt_and_the_last_one() -> None:
    """The number that is needed, and whose attempt ended how, with which cards."""
    made = raw_env(2)
    made.reset(seed=1)
    first, slots = made.agent_selection, made.game.game.secrets.center
    other = next(at for at, number in enumerate(slots) if number != slots[0])
    made.step(0)
    seen = made.observe(first)["observation"]
    assert seen[-10:-8].tolist() == [slots[0], 1]
    made.step(other)
    tail = [2, 1, slots[0], other + 1, slots[other], 0, 0]  # a miss, by whom two numbers say
    assert made.observe(first)["observation"][-8:].tolist() == [0, *tail]
    assert made.observe(made.agent_selection)["observation"][-8:].tolist() == [1, *tail]
    known = made.observe(first)["observation"][-30:-20]
    assert known[[0, other]].tolist() == [slots[0], slots[other]]
    assert np.count_nonzero(known) == 2


def test_it_can_be_written_as_a_line() -> None:
    """`ansi` is the house's notation; without a render mode there is nothing to see."""
    made = env(2, render_mode="ansi")
    made.reset(seed=1)
    assert made.render().count("|") == 4
    with pytest.raises(ValueError, match="2-5 players"):
        raw_env(6)
