"""Deals, players and readings of positions that the core's tests share."""

import os
from random import Random
from typing import Final

from nana_core.actions import Action, CenterSlot, Continue, HandEnd, Reveal
from nana_core.deck import Deal, deal_out, full_deck
from nana_core.game import Game, apply, begin, legal
from nana_core.notation import action_name, parse_action, parse_position, position

GAMES: Final = int(os.environ.get("NANA_GAMES", "25"))  # for each number of players
PLAYERS: Final = (2, 3, 4, 5)

# Everything that a seat might ask for, possible or not; and every seat that might ask.
CONCEIVABLE: Final[tuple[Action, ...]] = (
    Continue(),
    *(Reveal(CenterSlot(slot)) for slot in range(13)),
    *(Reveal(HandEnd(owner, "low")) for owner in range(6)),
    *(Reveal(HandEnd(owner, "high")) for owner in range(6)),
)
ASKING: Final = range(6)


def random_deal(players: int, rng: Random) -> Deal:
    deck = full_deck(players)
    rng.shuffle(deck)
    return deal_out(deck, players, rng.randrange(players))


def after(text: str, actions: str) -> str:
    """Play actions from a position, each by the seat on turn, and write where they lead."""
    return position(played(text, actions))


def played(text: str, actions: str) -> Game:
    game = parse_position(text)
    for word in actions.split():
        game = apply(game, game.table.on_turn, parse_action(word))
    return game


def completing(game: Game) -> list[Action]:
    """Name the reveals that collect the smallest number in play, seen with all cards open.

    Whoever holds it holds it at the low end, and no center card is out of reach:
    this is why the game cannot get stuck. The attempt must be a fresh one.
    """
    table, secrets = game.table, game.secrets
    slots = {
        slot: number
        for slot, number in enumerate(secrets.center, start=1)
        if table.center[slot - 1] == "down"
    }
    smallest = min([*slots.values(), *(hand[0] for hand in secrets.hands if hand)])
    center = [Reveal(CenterSlot(slot)) for slot, number in slots.items() if number == smallest]
    hands = [
        Reveal(HandEnd(owner, "low"))
        for owner, hand in enumerate(secrets.hands)
        for _ in range(hand.count(smallest))
    ]
    return [*center, *hands]


def random_turn(game: Game, rng: Random) -> list[Action]:
    """Reveal without knowledge until the attempt ends."""
    actions: list[Action] = []
    while game.table.result is None and not game.table.shown:
        actions.append(rng.choice(legal(game.table)))
        game = apply(game, game.table.on_turn, actions[-1])
    return actions


def random_game(deal: Deal, rng: Random, knowing: float) -> list[Action]:
    """Play a game out; a turn is played with all cards open with this probability."""
    game, actions = begin(deal), list[Action]()
    while game.table.result is None:
        if game.table.shown:
            turn: list[Action] = [Continue()]
        else:
            turn = completing(game) if rng.random() < knowing else random_turn(game, rng)
        for action in turn:
            game = apply(game, game.table.on_turn, action)
        actions += turn
    return actions


def in_words(actions: list[Action]) -> str:
    return " ".join(map(action_name, actions))
