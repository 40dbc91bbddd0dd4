"""A viewer learns nothing that it may not: secrecy as a property of bytes.

The cards that a viewer cannot see are dealt anew, so that everything public in the
game stays what it was; then all that the viewer is given must stay the same bytes.
"""

from collections.abc import Callable
from inspect import isfunction
from itertools import pairwise
from random import Random
from typing import Final, TypeAlias, get_type_hints

import msgspec
import pytest

from core.games import ASKING, CONCEIVABLE, GAMES, PLAYERS, random_deal, random_game
from nana_core.actions import Action, Refused, Reveal
from nana_core.deck import Deal, Seat
from nana_core.game import Game, Secrets, apply, begin, legal
from nana_core.ledger import Ledger, blank_for, remember
from nana_core.protocol import wire
from nana_core.protocol.wire import attempt_view, ledger_view, legal_names, letter, result_view
from nana_core.views import view_for

Given: TypeAlias = Callable[[Game, Seat | None], bytes]  # what a viewer is given in a position

SWAPS: Final = 60
LONGEST: Final = 30  # actions; after more of them too little is hidden to be dealt anew


def _replay(deal: Deal, actions: list[Action]) -> list[Game]:
    games = [begin(deal)]
    for action in actions:
        games.append(apply(games[-1], games[-1].table.on_turn, action))
    return games


def _swapped(deal: Deal, viewer: Seat | None, rng: Random) -> Deal:
    """Let two cards that the viewer does not see change places."""
    piles = [list(hand) for hand in deal.hands] + [list(deal.center)]
    hidden = [
        (pile, at) for pile in range(len(piles)) if pile != viewer for at in range(len(piles[pile]))
    ]
    (one, here), (two, there) = rng.sample(hidden, 2)
    piles[one][here], piles[two][there] = piles[two][there], piles[one][here]
    *hands, center = piles
    return Deal(tuple(tuple(sorted(hand)) for hand in hands), tuple(center), deal.first)


def _redealt(deal: Deal, actions: list[Action], viewer: Seat | None, rng: Random) -> Deal:
    """Deal anew what the viewer cannot see; every table of the same actions stays equal."""
    tables = [game.table for game in _replay(deal, actions)]
    for _ in range(SWAPS):
        candidate = _swapped(deal, viewer, rng)
        try:
            games = _replay(candidate, actions)
        except Refused:
            continue
        if [game.table for game in games] == tables:
            deal = candidate
    return deal


def _started(players: int, seed: int) -> tuple[Deal, list[Action]]:
    rng = Random(f"secrecy/{players}/{seed}")
    deal = random_deal(players, rng)
    return deal, random_game(deal, rng, knowing=0.3)[: rng.randrange(LONGEST)]


def given(game: Game, viewer: Seat | None) -> bytes:
    """Gather everything that the core has for a viewer: the view, its wire forms, refusals."""
    table = game.table
    answers = []
    for seat in ASKING:
        for action in CONCEIVABLE:
            try:
                apply(game, seat, action)
            except Refused as refused:
                answers.append((seat, refused.why, str(refused), repr(refused)))
    return msgspec.json.encode(
        [
            view_for(game, viewer),
            repr(view_for(game, viewer)),
            attempt_view(table.attempt, table.turn),
            legal_names(table),
            repr(legal(table)),
            table.result and result_view(table.result),
            letter(viewer),
            answers,
        ]
    )


def _transcript(deal: Deal, actions: list[Action], viewer: Seat | None, give: Given) -> list[bytes]:
    """Collect what the viewer gets in every position, and the ledger of an open memory."""
    ledger = blank_for(deal)
    out = []
    for game in _replay(deal, actions):
        if game.table.shown:
            ledger = remember(ledger, game.table.attempt)
        out += [give(game, viewer), msgspec.json.encode(ledger_view(ledger))]
    return out


VIEWERS: Final = [(players, viewer) for players in PLAYERS for viewer in (None, *range(players))]


@pytest.mark.parametrize(("players", "viewer"), VIEWERS)
def test_what_a_viewer_gets_depends_on_nothing_hidden(players: int, viewer: Seat | None) -> None:
    """Redeal what a viewer cannot see; the bytes that it gets stay equal."""
    others = 0
    for seed in range(max(4, GAMES // 3)):
        deal, actions = _started(players, seed)
        other = _redealt(deal, actions, viewer, Random(seed))
        others += other != deal
        assert _transcript(deal, actions, viewer, given) == _transcript(
            other, actions, viewer, given
        )
    assert others >= 3  # the redeals are not all the same deal


def _with(extra: Callable[[Game, Seat | None], object]) -> Given:
    """Plant a leak beside what a viewer rightly gets."""
    return lambda game, viewer: given(game, viewer) + msgspec.json.encode(extra(game, viewer))


def _other_hands(game: Game, viewer: Seat | None) -> list[tuple[int, ...]]:
    return [hand for seat, hand in enumerate(game.secrets.hands) if seat != viewer]


def _useful(game: Game, _: Seat | None) -> list[str]:
    """Name only the reveals that go on matching."""
    table = game.table
    return [
        repr(action)
        for action in legal(table)
        if isinstance(action, Reveal)
        and apply(game, table.on_turn, action).table.attempt.outcome != "miss"
    ]


def _by_number(game: Game, _: Seat | None) -> list[int]:
    """Sort the slots by what lies in them."""
    center = game.secrets.center
    return sorted(range(len(center)), key=center.__getitem__)


def _foresight(game: Game, _: Seat | None) -> Ledger:
    """Remember the next card of each hand."""
    return Ledger((), tuple(hand[:1] for hand in game.secrets.hands))


LEAKS: Final[dict[str, Given]] = {
    "another hand": lambda game, _: given(game, 0),
    "the sum of another hand": _with(lambda game, viewer: sum(_other_hands(game, viewer)[-1])),
    "a face-down card": _with(lambda game, _: game.secrets.center[-1]),
    "the whole deal in a repr": _with(lambda game, _: repr(game)),
    "only useful actions are legal": _with(_useful),
    "the order of equal things": _with(_by_number),
    "a refusal that tells the number": _with(
        lambda game, _: [f"c{n} is a {game.secrets.center[n - 1]}" for n in (1, 2)]
    ),
    "a length": lambda game, viewer: (
        given(game, viewer) + b" " * sum(_other_hands(game, viewer)[0][:1])
    ),
    "who has a one": _with(lambda game, viewer: [1 in hand for hand in _other_hands(game, viewer)]),
    "a ledger that knows the next card": _with(_foresight),
    "a pair in another hand": _with(
        lambda game, viewer: [
            a == b for hand in _other_hands(game, viewer) for a, b in pairwise(hand)
        ]
    ),
    "a hash of the deal": _with(lambda game, _: hash(game.secrets.center)),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_noticed(leak: str) -> None:
    """Each of these leaks changes the bytes of some viewer, so the test above can fail."""
    pairs = 0
    for seed in range(40):
        deal, actions = _started(3, seed)
        other = _redealt(deal, actions, 1, Random(seed))
        pairs += other != deal
        if _transcript(deal, actions, 1, LEAKS[leak]) != _transcript(
            other, actions, 1, LEAKS[leak]
        ):
            return
    pytest.fail(f"{leak}: not noticed in {pairs} pairs")


def test_the_wire_knows_no_secrets() -> None:
    """No function that makes the wire's types takes a whole game or its secrets."""
    makers = [made for made in vars(wire).values() if isfunction(made)]
    assert attempt_view in makers
    for maker in makers:
        assert not {Game, Secrets} & set(get_type_hints(maker).values())
