"""Trains a player in the simulation: `python train.py [GENERATIONS] [GAMES]` (a few seconds).

A linear policy with five weights, found by the cross-entropy method: draw weights, let
each play some games against random players, keep the best, draw again around them.
"""

import sys
from random import Random
from statistics import fmean, pstdev

from nana_core.environment import View, legal, reset, rewards, step, view

PLAYERS, POPULATION, KEPT = 2, 12, 3
PATIENCE = 200  # turns; whoever has not won by then has learnt nothing
FEATURES = ("matches", "fails", "may pair", "unseen", "own end")


def features(seen: View, source: str) -> tuple[bool, ...]:
    """Say what the seat knows of a source, as five yes or no."""
    cards = seen.table.attempt.cards
    number = _shows(seen, source)
    places = [*seen.ledger.center, *seen.hand[:1], *seen.hand[-1:]]
    return (
        bool(cards) and number == cards[0].number,
        bool(cards) and number is not None and number != cards[0].number,
        not cards and number is not None and places.count(number) > 1,
        number is None,
        source[0] == "abcde"[seen.seat],
    )


def _shows(seen: View, source: str) -> int | None:
    """Return the number that surely lies there; None where the seat cannot say."""
    if source[0] == "c":
        return seen.ledger.center[int(source[1:]) - 1]
    if source[0] != "abcde"[seen.seat]:
        return None
    return seen.hand[0] if source[1] == "<" else seen.hand[-1]


def play(weights: list[float], seed: int, chance: Random) -> bool:
    """Play a game in seat `seed mod 2`, the others at random; say whether it was won."""
    state, seat = reset(PLAYERS, seed), seed % PLAYERS
    while not state.over and state.game.table.turn < PATIENCE:
        choices = legal(state)
        if state.on_turn == seat:
            seen = view(state, seat)
            worth = {source: _worth(weights, features(seen, source)) for source in choices}
            most = max(worth.values())
            choices = tuple(source for source in choices if worth[source] == most)
        state = step(state, chance.choice(choices))
    return rewards(state)[seat] > 0


def _worth(weights: list[float], found: tuple[bool, ...]) -> float:
    return sum(weight for weight, there in zip(weights, found, strict=True) if there)


def main(generations: int = 6, games: int = 12) -> None:
    chance = Random(1)
    middle, spread = [0.0] * len(FEATURES), [1.0] * len(FEATURES)
    for generation in range(generations):
        drawn = [list(map(chance.gauss, middle, spread)) for _ in range(POPULATION)]
        seeds = range(generation * games, (generation + 1) * games)
        scores = [fmean(play(weights, seed, chance) for seed in seeds) for weights in drawn]
        best = sorted(range(POPULATION), key=scores.__getitem__)[-KEPT:]
        kept = list(zip(*(drawn[at] for at in best), strict=True))
        middle, spread = [fmean(each) for each in kept], [pstdev(each) + 0.1 for each in kept]
        print(f"generation {generation + 1}: {fmean(scores):.0%} of all games won")
    print(
        *(f"{name}: {weight:+.1f}" for name, weight in zip(FEATURES, middle, strict=True)), sep=", "
    )
    won = fmean(play(middle, seed, chance) for seed in range(10_000, 10_000 + 10 * games))
    print(f"trained, it wins {won:.0%} of {10 * games} new games against a random player")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
