"""Late positions of played games, with all worlds that fit what the seat on turn saw."""

import os
from functools import cache
from random import Random
from typing import Final

from msgspec import Struct

from core.brute import World, seen_slots, tried, worlds
from core.games import random_deal, random_game
from nana_core.actions import Action
from nana_core.deck import Deal
from nana_core.game import Game, apply, begin
from nana_core.knowledge import Facts, Sight, sight_at
from nana_core.protocol.outbound import AttemptView
from nana_core.protocol.wire import attempt_view
from nana_core.views import hand_for

# The long form: NANA_ENDINGS=250 NANA_WORLDS=1000000 pytest tests/core, some minutes
ENDINGS: Final = int(os.environ.get("NANA_ENDINGS", "20"))  # for each number of players
WORLDS: Final = int(os.environ.get("NANA_WORLDS", "20000"))  # the most to try


class Ending(Struct, frozen=True):
    game: Game
    sight: Sight  # of the seat on turn
    seen_slots: dict[str, int]  # what each showed that was ever turned over, of empty ones as well
    worlds: list[World]


@cache
def ending(players: int, seed: int) -> Ending:
    """Find a game with few enough worlds near its end, and go back for as long as they are."""
    rng = Random(f"ending {players} {seed}")
    while True:
        deal = random_deal(players, rng)
        found: tuple[Game, list[AttemptView]] | None = None
        for game, attempts in reversed(moments(deal, random_game(deal, rng, knowing=0.15))[-12:]):
            if tried(deal, attempts, game.table.on_turn) > WORLDS:
                break
            found = game, attempts
        if found is not None:
            game, attempts = found
            fitting = worlds(deal, attempts, game.table.on_turn)
            return Ending(game, sight(game, attempts), seen_slots(attempts), fitting)


def moments(deal: Deal, actions: list[Action]) -> list[tuple[Game, list[AttemptView]]]:
    """Every position in which a seat reveals, with the attempts up to then, its own included."""
    game, ended = begin(deal), list[AttemptView]()
    found: list[tuple[Game, list[AttemptView]]] = []
    for action in actions:
        if not game.table.shown:
            begun = [attempt_view(game.table.attempt, game.table.turn)]
            found.append((game, ended + begun if game.table.attempt.cards else list(ended)))
        game = apply(game, game.table.on_turn, action)
        if game.table.shown:
            ended.append(attempt_view(game.table.attempt, game.table.turn))
    return found


def sight(game: Game, attempts: list[AttemptView]) -> Sight:
    facts, seat = Facts(), game.table.on_turn
    for attempt in attempts:
        facts.learn(attempt)
    return sight_at(game.table, seat, hand_for(game, seat), facts)
