"""The game as a PettingZoo environment (AEC): `pip install 'nana-game[pettingzoo]'`.

    from nana_bots.zoo import env

Observations are of the seat that looks: slots in their order, hands clockwise from its
own. They hold what the seat knows, the public memory included, and nothing more.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from nana_core import environment
from nana_core.deck import SIZES, Cards
from nana_core.environment import State, View, action_names
from nana_core.game import SET_SIZE, Ended
from nana_core.notation import SOURCE_NAMES, position

MOST: Final = 20  # no number in an observation is above, none below -1
LAST: Final = 2 + 2 * SET_SIZE  # numbers that tell the last attempt
_OUTCOMES: Final = {"set": 1, "miss": 2}


def env(players: int = 4, render_mode: str | None = None) -> AECEnv:
    """Return the environment with its wrappers: an illegal action ends the game and loses it."""
    made: Any = wrappers.TerminateIllegalWrapper(raw_env(players, render_mode), illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc] # noqa: N801 - untyped, and so named there
    """The environment without wrappers: it trusts that actions are legal."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        "name": "nana_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, players: int = 4, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, players, render_mode)
        super().__init__()
        if players not in SIZES:
            raise ValueError(f"the game is for {min(SIZES)}-{max(SIZES)} players, not {players}")
        self.players, self.render_mode = players, render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]  # A is seat_0
        self.agents: list[str] = []
        count, self.length = len(action_names(players)), observation_length(players)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({
                "observation": spaces.Box(-1, MOST, (self.length,), np.int8),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            })
            for agent in self.possible_agents
        }  # fmt: skip
        self._draw = np.random.default_rng()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; a seed decides it and those that follow without one."""
        del options
        if seed is not None:
            self._draw = np.random.default_rng(seed)
        self.game: State = environment.reset(self.players, int(self._draw.integers(1 << 53)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.on_turn]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        self.game = environment.step(self.game, action_names(self.players, seat)[int(action)])
        self._cumulative_rewards[agent] = 0.0
        if self.game.over:
            self._end()
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.game.on_turn]

    def _end(self) -> None:
        capped = isinstance(self.game.game.table.result, Ended)
        self.rewards = dict(zip(self.agents, environment.rewards(self.game), strict=True))
        self.terminations = dict.fromkeys(self.agents, not capped)
        self.truncations = dict.fromkeys(self.agents, capped)
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        seat = self.possible_agents.index(agent)
        seen = environment.view(self.game, seat)
        names = action_names(self.players, seat)
        legal = set(environment.legal(self.game) if agent == self.agent_selection else ())
        return {
            "observation": np.fromiter(observation(seen), np.int8, self.length),
            "action_mask": np.fromiter((name in legal for name in names), np.int8, len(names)),
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """Write the position, hidden cards included, as a line of notation."""
        return position(self.game.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def observation_length(players: int) -> int:
    size = SIZES[players]
    return size.top + players * (1 + 2 * size.top) + 2 * size.center + 2 + LAST


def observation(seen: View) -> Iterator[int]:
    """Say what a seat knows in small numbers; docs/bots.md has the list."""
    table, players = seen.table, seen.table.players
    top = SIZES[players].top
    yield from _counts(seen.hand, top)
    for on in range(players):
        owner = (seen.seat + on) % players
        yield table.hand_sizes[owner]
        yield from _counts(table.sets[owner], top)
        yield from _counts(seen.ledger.hands[owner], top)
    for state, known in zip(table.center, seen.ledger.center, strict=True):
        yield -1 if state == "gone" else state if isinstance(state, int) else known or 0
    for state in table.center:
        yield isinstance(state, int)
    cards = table.attempt.cards if table.result is None else ()
    yield cards[0].number if cards else 0
    yield len(cards)
    yield from _last(seen)


def _counts(cards: Cards, top: int) -> Iterator[int]:
    return (cards.count(number) for number in range(1, top + 1))


def _last(seen: View) -> Iterator[int]:
    """Tell the attempt that ended last: whose, how, and its cards."""
    if not seen.attempts:
        yield from (0,) * LAST
        return
    attempt, players = seen.attempts[-1], seen.table.players
    names = action_names(players, seen.seat)
    yield (attempt.seat - seen.seat) % players
    yield _OUTCOMES[attempt.outcome or "miss"]
    for card in attempt.cards:
        yield names.index(SOURCE_NAMES[card.source]) + 1
        yield card.number
    yield from (0,) * (2 * (SET_SIZE - len(attempt.cards)))
