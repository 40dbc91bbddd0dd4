"""Fit the expert's figures anew: `python bench/shares.py --players 2 --games 4000`.

Plays experts against `memory` players, keeps each position in which a turn of the expert
ends, with all cards open, and fits how likely it is to win from there: one logistic sum for
each stage of the game. Prints the figures of this number of players, to be put into
`src/nana_bots/expert/shares.json`. Those there come from 20,000 to 80,000 games each;
a few thousand take an hour, and say much less. It needs numpy.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from nana_bots.arena import Chair, course, shuffled_deal
from nana_bots.expert import Expert
from nana_bots.expert.columns import Columns, World
from nana_bots.expert.shares import Known, Stage, figures_of, place_of, wins_with
from nana_bots.mind import LEVELS
from nana_core.actions import Continue
from nana_core.deck import LETTERS, SIZES
from nana_core.game import Game, Won, apply
from nana_core.knowledge import Facts, settled, sight_at
from nana_core.protocol.outbound import AttemptView
from nana_core.views import hand_for

Row = dict[str, float]  # what each figure is multiplied by
Table = NDArray[np.float64]

ROLES: Final = ("mine", "next", "others")
PAIRS: Final = [field.name for field in msgspec.structs.fields(Known) if field.name != "depth"]
DEPTH: Final = 5
NAMES: Final = [
    "next_sets 0", "next_sets 1", "other_sets 0", "other_sets 1", "dark",
    *(f"{role} {pair} {wins}" for role in ROLES for pair in PAIRS for wins in (0, 1)),
    *(f"{role} depth {at}" for role in ROLES for at in range(DEPTH)),
]  # fmt: skip
TAUT: Final = 10.0  # how strongly figures are held to 0
FEW: Final = 300  # positions that say too little of a stage


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit the expert's figures anew.")
    parser.add_argument("--players", type=int, choices=sorted(SIZES), default=2)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", default="shares")
    options = parser.parse_args()
    kept: dict[tuple[int, int], list[tuple[Row, bool]]] = {}
    for game in range(options.games):
        for stage, row, won in positions(options.players, f"{options.seed} {game}"):
            kept.setdefault(stage, []).append((row, won))
    stages = [[fitted(kept.get((mine, most), [])) for most in range(3)] for mine in range(3)]
    sys.stdout.buffer.write(msgspec.json.encode(stages) + b"\n")
    return 0


def positions(players: int, seed: str) -> Iterator[tuple[tuple[int, int], Row, bool]]:
    """Play one game; give each position after a turn of the expert, and whether it won."""
    chance = Random(seed)
    deal = shuffled_deal(players, chance)
    expert = chance.randrange(players)
    seated = [
        Chair(Expert(chance, 1e6) if seat == expert else LEVELS["memory"](chance))
        for seat in range(players)
    ]
    found: list[tuple[tuple[int, int], Row]] = []
    won = False
    for move in course(deal, seated):
        table = move.after.table
        won = isinstance(table.result, Won) and table.result.seat == expert
        if move.seat == expert and table.shown and table.result is None:
            rest = apply(move.after, table.on_turn, Continue())
            found.append(seen_from(rest, expert, move.ended))
    return ((stage, row, won) for stage, row in found)


def seen_from(game: Game, seat: int, ended: Sequence[AttemptView]) -> tuple[tuple[int, int], Row]:
    """Describe a position at rest by the figures that weigh it."""
    facts = Facts()
    for attempt in ended:
        facts.learn(attempt)
    table, players = game.table, game.table.players
    sight = settled(sight_at(table, seat, hand_for(game, seat), facts))
    order = [LETTERS[(seat + after) % players] for after in range(1, players)]
    hands = {letter: game.secrets.hands[LETTERS.index(letter)] for letter in order}
    dark = tuple(game.secrets.center[int(slot[1:]) - 1] for slot in sight.dark_slots)
    columns = Columns(sight, facts.slots, order, [World(hands, dark)], 1)
    sets = dict(zip(LETTERS, table.sets, strict=False))
    row = dict.fromkeys(NAMES, 0.0)
    row["dark"] = len(sight.dark_slots) / 10
    for at, letter in enumerate(order):
        if sets[letter]:
            row[f"{'other' if at else 'next'}_sets {len(sets[letter]) - 1}"] += 1
    numbers = sorted(sight.unlocated)
    for at, number in enumerate(numbers):
        depth, state = min(at, len(numbers) - 1 - at, DEPTH - 1), columns.states[number][0]
        known = [columns.mine[number]]
        known += [columns.known(place, number, state) for place in range(len(order))]
        for index, (letter, cards) in enumerate(zip((LETTERS[seat], *order), known, strict=True)):
            role, wins = ROLES[min(index, 2)], int(wins_with(sets[letter], number))
            row[f"{role} depth {depth}"] += wins
            figure, per_slot = figures_of(cards, place_of(state))
            if figure:
                row[f"{role} {figure} {wins}"] += 1
            if per_slot:
                row[f"{role} {per_slot} {wins}"] += 1 / max(1, len(sight.dark_slots))
    most = max(len(sets[letter]) for letter in order)
    return (len(sets[LETTERS[seat]]), most), row


def fitted(kept: list[tuple[Row, bool]]) -> Stage:
    """Fit one stage by Newton's method."""
    figures = dict.fromkeys(["base", *NAMES], 0.0)
    if len(kept) >= FEW:
        rows = np.array([[1.0, *row.values()] for row, _ in kept])
        won = np.array([float(won) for _, won in kept])
        figures = dict(zip(figures, logistic(rows, won).round(2).tolist(), strict=True))

    def pair(name: str) -> tuple[float, float]:
        return figures[f"{name} 0"], figures[f"{name} 1"]

    def known(role: str) -> Known:
        depth = tuple(figures[f"{role} depth {at}"] for at in range(DEPTH))
        return Known(**{name: pair(f"{role} {name}") for name in PAIRS}, depth=depth)

    return Stage(
        base=figures["base"],
        next_sets=pair("next_sets"),
        other_sets=pair("other_sets"),
        dark=figures["dark"],
        mine=known("mine"),
        next=known("next"),
        others=known("others"),
    )


def logistic(rows: Table, won: Table) -> Table:
    hold = np.full(rows.shape[1], TAUT)
    hold[0] = 0.0
    figures = np.zeros(rows.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-np.clip(rows @ figures, -30, 30)))
        slope = rows.T @ (won - chance) - hold * figures
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(hold + 1e-9)
        figures = figures + np.linalg.solve(curve, slope)
    return figures


if __name__ == "__main__":
    raise SystemExit(main())
