"""Write the golden playthroughs: `python tests/core/golden/make.py`.

Whole games as text: the deal, and after each action what each seat and a spectator
see. A change in these files is a change in the rules or in what a viewer is shown;
it is made by this script and read before it is committed.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from nana_core.actions import Action, CenterSlot, Continue, End, HandEnd, Reveal
from nana_core.deck import LETTERS, SIZES
from nana_core.fair import fair_deal
from nana_core.game import Ended, Game, Result, apply, begin, legal
from nana_core.notation import action_name, game_text
from nana_core.protocol.wire import legal_names
from nana_core.views import View, open_cards, view_for

FOLDER: Final = Path(__file__).parent
SEEDS: Final = {2: 14, 3: 1, 4: 76, 5: 3}  # chosen so that each way to win is met


def texts() -> dict[str, str]:
    """Return every golden file by its name."""
    return {f"{players}-players.txt": "\n".join(_game(players)) + "\n" for players in SIZES}


def _game(players: int) -> Iterator[str]:
    deal = fair_deal("GOLDN", players, b"nana" * 8, [None] * players, None)
    game = begin(deal)
    actions: list[Action] = []
    lines = [*_seen(game)]
    rng = Random(SEEDS[players])
    while game.table.result is None:
        for action in _turn(game, rng):
            seat = game.table.on_turn
            game = apply(game, seat, action)
            actions.append(action)
            lines += ["", f"{len(actions)}. {LETTERS[seat]} {action_name(action)}", *_seen(game)]
    yield game_text(deal, actions)
    yield ""
    yield from lines
    opened = open_cards(game)
    yield ""
    yield f"open: {'/'.join(map(_numbers, opened.hands))} | {_numbers(opened.center)}"


def _turn(game: Game, rng: Random) -> list[Action]:
    """Take a turn: collect the smallest or greatest number in play, or miss at random."""
    if game.table.shown:
        return [Continue()]
    if rng.random() < 0.5:
        return _collect(game, rng.choice(("low", "high")))
    actions: list[Action] = []
    while not game.table.shown:
        actions.append(rng.choice(legal(game.table)))
        game = apply(game, game.table.on_turn, actions[-1])
    return actions


def _collect(game: Game, end: End) -> list[Action]:
    """Reveal the smallest number in play, or the greatest: every hand has it at that end."""
    hands, center = game.secrets.hands, game.secrets.center
    down = [slot for slot, state in enumerate(game.table.center, 1) if state == "down"]
    left = [center[slot - 1] for slot in down] + [number for hand in hands for number in hand]
    wanted = min(left) if end == "low" else max(left)
    reveals: list[Action] = [
        Reveal(HandEnd(owner, end))
        for owner, hand in enumerate(hands)
        for _ in range(hand.count(wanted))
    ]
    return reveals + [Reveal(CenterSlot(slot)) for slot in down if center[slot - 1] == wanted]


def _seen(game: Game) -> Iterator[str]:
    """Say the table once, as a spectator sees it, then what each seat has besides."""
    spectator = view_for(game, None)
    yield from _table(spectator)
    yield f"  a spectator sees {_numbers(spectator.hand)}"
    for seat in range(game.table.players):
        view = view_for(game, seat)
        if view.table != spectator.table:
            raise AssertionError("one table for all")
        yield f"  {LETTERS[seat]} sees {_numbers(view.hand)}"


def _table(view: View) -> Iterator[str]:
    table = view.table
    hands = " ".join(f"{LETTERS[seat]}:{size}" for seat, size in enumerate(table.hand_sizes))
    sets = " ".join(f"{LETTERS[at]}:{_numbers(won)}" for at, won in enumerate(table.sets) if won)
    cards = " ".join(f"{action_name(Reveal(c.source))}={c.number}" for c in table.attempt.cards)
    yield f"  turn {table.turn}, {LETTERS[table.on_turn]} acts: {_numbers(legal_names(table))}"
    yield f"  center {_slots(view)}; hands {hands}; sets {sets or '-'}"
    outcome = f", a {table.attempt.outcome}" if table.attempt.outcome else ""
    yield f"  attempt of {LETTERS[table.attempt.seat]}: {cards or '-'}{outcome}"
    if table.result is not None:
        yield f"  {_result(table.result)}"


def _slots(view: View) -> str:
    return " ".join({"down": "#", "gone": "."}.get(str(s), str(s)) for s in view.table.center)


def _result(result: Result) -> str:
    if isinstance(result, Ended):
        return f"ended: {result.why}"
    reasons = ", ".join(f"{win.reason} {_numbers(win.sets)}" for win in result.wins)
    return f"{LETTERS[result.seat]} wins: {reasons}"


def _numbers(items: tuple[object, ...]) -> str:
    return " ".join(map(str, items)) or "-"


if __name__ == "__main__":
    for name, text in texts().items():
        (FOLDER / name).write_text(text, encoding="ascii")
