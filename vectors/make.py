"""Write the test vectors of this folder anew: `python vectors/make.py`.

What they hold is what nana_core says; README.md beside this file says what is in each.
A change in them is a change in the rules, or in what a viewer may see: it is read before
it is committed.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, islice
from pathlib import Path
from typing import Any, Final

import msgspec

from nana_core.deck import LETTERS, SIZES, Seat, full_deck
from nana_core.fair import (
    deal_key,
    fair_deal,
    fixed_deal,
    fixed_seed,
    nonce_hash,
    seed_hash,
    shuffled,
    words,
)
from nana_core.game import Game, advance, apply, begin, refusal, wins_of
from nana_core.notation import SOURCES, action_name, parse_action, parse_game, parse_position, play
from nana_core.notation import position as written
from nana_core.protocol.wire import (
    attempt_view,
    legal_names,
    letter,
    result_view,
)
from nana_core.text import NAME_CELLS, flaw_in, width
from nana_core.views import open_cards, view_for

FOLDER: Final = Path(__file__).parent
TOP: Final = max(size.top for size in SIZES.values())

# room, game, players, seats that do not open, first seat when the game before decides it
DEALS: Final[list[tuple[str, int, int, tuple[int, ...], int | None]]] = [
    ("KQ7MX", 1, 2, (), None),
    ("KQ7MX", 2, 2, (), 1),
    ("KQ7MX", 1, 3, (), None),
    ("AAAAA", 1, 4, (), None),
    ("AAAAA", 1, 4, (0,), None),
    ("AAAAA", 1, 4, (1, 2), None),
    ("ZZZZZ", 12, 5, (), None),
    ("ZZZZZ", 4000000, 5, (0, 1, 2, 3, 4), 4),
]
FIXED: Final = [("arena", 1, 2), ("arena", 2, 2), ("arena", 3, 2), ("Nana 7!", 9, 5)]

# whole games, for each number of players and each way to win
GAMES: Final = [
    "1.2.3.5.7.7.8.8.9.9/2.3.4.4.6.6.7.8.10.10 | 10.6.1.2.4.5.9.1.5.3 | B : "
    "a< c3 c8 . b> b> c1 . a< b< c4 . c9 b< . a< a< . c5 c10 . a> a> c7",
    "1.2.2.4.5.6.10.11/2.4.4.6.8.9.10.11/1.1.3.3.7.8.9.11 | 10.9.6.3.8.7.7.5.5 | C : "
    "a< c< c< . a> b> c> . c8 b< . a< a< b< . c< c< c4 . c8 c9 b> . c1 c< . a< b< b<",
    "1.3.4.5.7.9.10/1.2.5.6.7.8.10/1.5.6.9.11.11.12/2.3.3.7.8.9.12 | 6.11.10.4.8.12.2.4 | C : "
    "c> d> c6 . c> c> c2 . a< b< c< . a> b> c3 . b< d< c7 . a> c> d> . a< d< d< . b> d> c5 . "
    "d< b> a< . a> b> d>",
    "1.3.6.8.10.11/2.4.5.10.12.12/1.2.3.8.9.11/1.3.4.5.6.7/2.6.7.8.11.12 | 9.9.4.7.10.5 | B : "
    "a< c< d< . b> b> e> . c3 c< . a> c> e> . b< c< e< . a> b> c5 . b> b< . a< c< d< . b< d< c3",
]
# odd places: hands that are empty or have one card, slots gone and open, a set before a win
POSITIONS: Final = [
    "-/1.1 | 1.x.2.2.2 | 7,- | B | B 9",
    "-/1.1 | 1.x.2.2.2 | 3,- | A | A 9",
    "1/1 | 1.2.2.2 | -,- | A | A 1",
    "1/1 | 1.2.2.2 | -,- | A a<=1 | A 1",
    "1.1.2/2 | 1.2 | -,- | B a<=1 a<=1 c1=1 ! | A 4",
    "4.4.9/4.9.9 | 8.8.8 | 3,- | A | A 12",
    "4.9/9.9 | 8.8.8 | 3,- | A a<=4 a<=4 | A 12",
    "5.5/5.9.9/9 | 8.8.8 | -,2,12 | B a<=5 a<=5 | B 30",
    "6.6/6.9.9/9 | 8.8.8 | -,11.12,- | B a<=6 a<=6 | B 30",
    "7.7/7.9.9/9 | 8.8.8 | -,-,- | B a<=7 a<=7 | B 30",
    "1.2.3/4.5.6/7.8.9/10.11.12/1.2.3 | 4.5.x.6 | -,-,-,-,- | E e<=1 c1=4 ? | A 2000",
    "1.2.3/4.5.6 | 4.5.6 | -,- | A b>=6 | A 2000",
]
TEXTS: Final = [
    "Ann", "Evelyn-Marie", "José", "Jose\u0301", "Nguye\u0302\u0303n", "奈奈", "나나", "नाना",
    "🍌 nana", "[bold]x[/bold]", "a" * 20, "a" * 21, "奈" * 10, "奈" * 11, "", " ", " a", "a ",
    "a  b", "a\u00a0b", "a\tb", "a\nb", "\x1b[31mred", "a\u202eb", "a\u200bb", "a\u2028b",
    "\ue000", "\U0010ffff", "\u3164", "\u2800", "❤\ufe0f", "👍🏽", "\u0301a", "a\u0301\u0301",
    "a\u0301\u0301\u0301", "a \u0301b", "\u1161", "\u1100\u1161",
]  # fmt: skip


def deals() -> Iterator[dict[str, Any]]:
    for room, game, players, silent, first in DEALS:
        seed = sha256(f"vector seed {room} {game} {players}".encode()).digest()
        made = [
            sha256(f"vector nonce {room} {game} {seat}".encode()).digest()
            for seat in range(players)
        ]
        nonces = [None if seat in silent else nonce for seat, nonce in enumerate(made)]
        key = deal_key(room, game, seed, nonces)
        deal = fair_deal(room, game, seed, nonces, first)
        yield {
            "room": room,
            "game": game,
            "seed": seed.hex(),
            "seed_hash": seed_hash(room, game, seed),
            "nonces": [nonce and nonce.hex() for nonce in nonces],
            "nonce_hashes": [nonce_hash(nonce) for nonce in made],
            "rotated": first is not None,
            "key": key.hex(),
            "words": list(islice(words(key), 8)),
            "deck": shuffled(full_deck(players), words(key)),
            "hands": deal.hands,
            "center": deal.center,
            "first": LETTERS[deal.first],
        }


def fixed_deals() -> Iterator[dict[str, Any]]:
    for word, game, players in FIXED:
        deal = fixed_deal(game, fixed_seed(word), players)
        yield {
            "word": word,
            "game": game,
            "players": players,
            "seed": fixed_seed(word).hex(),
            "hands": deal.hands,
            "center": deal.center,
            "first": LETTERS[deal.first],
        }


def games() -> Iterator[dict[str, Any]]:
    for text in GAMES:
        deal, actions = parse_game(text)
        game = begin(deal)
        steps = []
        for action in actions:
            seat = game.table.on_turn
            game = apply(game, seat, action)
            steps.append(
                {"by": LETTERS[seat], "action": action_name(action), "position": written(game)}
            )
        yield {
            "deal": {"hands": deal.hands, "center": deal.center, "first": LETTERS[deal.first]},
            "position": written(begin(deal)),
            "steps": steps,
            "turns": game.table.turn,
            "result": _result(game),
        }


def positions() -> Iterator[dict[str, Any]]:
    """Every source, and continue, asked for by the seat on turn."""
    for game in _places():
        seat = game.table.on_turn
        after, refused = {}, {}
        for name in [".", *SOURCES]:
            action = parse_action(name)
            why = refusal(game.table, seat, action)
            if why is None:
                then = advance(game, action)
                after[name] = {"position": written(then), "result": _result(then)}
            else:
                refused[name] = why.value
        yield {"position": written(game), "after": after, "refused": refused}


def views() -> Iterator[dict[str, Any]]:
    """What each viewer sees of places in which nothing is over, and of one that is."""
    for game in [*_places(), *(play(*parse_game(text)) for text in GAMES)]:
        viewers: list[Seat | None] = [*range(game.table.players), None]
        yield {
            "position": written(game),
            "over": game.table.result is not None,
            "views": [_view(game, viewer) for viewer in viewers],
        }


def _places() -> Iterator[Game]:
    """Yield places of the games, a prime number of steps apart, and the odd ones."""
    for text in GAMES:
        deal, actions = parse_game(text)
        for steps in range(0, len(actions), 7):
            yield play(deal, actions[:steps])
    yield from map(parse_position, POSITIONS)


def _view(game: Game, viewer: Seat | None) -> dict[str, Any]:
    """Say it with a snapshot's own fields: those that the rules decide."""
    view = view_for(game, viewer)
    table, over = view.table, view.table.result is not None
    opened = open_cards(game) if over else None
    return {
        "turn": table.turn,
        "on_turn": None if over else letter(table.on_turn),
        "legal": legal_names(table),
        "center": table.center if opened is None else opened.center,
        "attempt": attempt_view(table.attempt, table.turn),
        "seats": [
            {"seat": LETTERS[seat], "cards": table.hand_sizes[seat], "sets": table.sets[seat]}
            for seat in range(table.players)
        ],
        "result": _result(game),
        "hands": None if opened is None else opened.hands,
        "you": {"seat": letter(viewer), "hand": view.hand},
    }


def wins() -> Iterator[dict[str, Any]]:
    """Every one, two and three sets that a seat can have, and why it has won."""
    for many in (1, 2, 3):
        for sets in combinations(range(1, TOP + 1), many):
            yield {"sets": sets, "wins": wins_of(sets)}


def texts() -> Iterator[dict[str, Any]]:
    for text in TEXTS:
        yield {"text": text, "clean": flaw_in(text, NAME_CELLS) is None, "cells": width(text)}


def _result(game: Game) -> object:
    result = game.table.result
    return None if result is None else result_view(result)


FILES: Final = {
    "deals.json": deals,
    "fixed_deals.json": fixed_deals,
    "games.json": games,
    "positions.json": positions,
    "views.json": views,
    "wins.json": wins,
    "texts.json": texts,
}


def text(name: str) -> str:
    """Write a file: a JSON list, one vector a line, in ASCII."""
    lines = [json.dumps(msgspec.to_builtins(vector)) for vector in FILES[name]()]
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    for name in FILES:
        (FOLDER / name).write_text(text(name), encoding="ascii")
