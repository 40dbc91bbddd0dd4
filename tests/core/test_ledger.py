"""The ledger: what everyone has seen is told, never more than is true, and only while it is."""

from collections import Counter
from random import Random
from typing import Final

import pytest

from core.games import GAMES, PLAYERS, random_deal, random_game
from nana_core.actions import CenterSlot, HandEnd
from nana_core.game import Attempt, Game, Shown, apply, begin
from nana_core.ledger import Ledger, blank, blank_for, remember
from nana_core.notation import parse_position

GAMES_PLAYED: Final = [(players, seed) for players in PLAYERS for seed in range(GAMES)]


def _after(*attempts: str, players: int = 2, slots: int = 3) -> Ledger:
    """Remember attempts written as in a position, with center cards whatever they say."""
    ledger = blank(players, slots)
    for text in attempts:
        ledger = remember(ledger, _attempt(text, players, slots))
    return ledger


def _attempt(text: str, players: int, slots: int) -> Attempt:
    shown = {word[1]: word[3:] for word in text.split() if word[0] == "c" and word[1].isdigit()}
    center = ".".join(shown.get(str(slot), "1") for slot in range(1, slots + 1))
    hands = "/".join("-" * players)
    sets = ",".join("-" * players)
    return parse_position(f"{hands} | {center} | {sets} | {text} | A 1").table.attempt


@pytest.mark.parametrize(
    ("attempts", "ledger"),
    [
        pytest.param((), Ledger((None, None, None), ((), ())), id="nothing seen"),
        pytest.param(
            ("A c2=5 b>=9 ?",), Ledger((None, 5, None), ((), (9,))), id="a slot and a hand"
        ),
        pytest.param(
            ("A b>=10 b>=9 ?",), Ledger((None,) * 3, ((), (9, 10))), id="sorted as numbers"
        ),
        pytest.param(
            ("A b<=4 b<=4 c1=5 ?",), Ledger((5, None, None), ((), (4, 4))), id="two alike at once"
        ),
        pytest.param(
            ("A b<=4 c1=5 ?", "B b<=4 c1=5 ?"),
            Ledger((5, None, None), ((), (4,))),
            id="one card seen twice is one card",
        ),
        pytest.param(
            ("A b<=4 b<=4 c1=5 ?", "B b<=4 c1=5 ?"),
            Ledger((5, None, None), ((), (4, 4))),
            id="seeing one again takes none away",
        ),
        pytest.param(
            ("A a<=4 b<=4 c1=5 ?",), Ledger((5, None, None), ((4,), (4,))), id="one in each hand"
        ),
        pytest.param(
            ("A a<=4 c2=5 ?", "B c3=4 b<=6 ?", "A a<=4 c3=4 b<=4 !"),
            Ledger((None, 5, None), ((), (6,))),
            id="a collected number is forgotten everywhere",
        ),
    ],
)
def test_what_is_remembered(attempts: tuple[str, ...], ledger: Ledger) -> None:
    """A slot keeps what was seen in it; a hand surely has the most seen of a number at once."""
    assert _after(*attempts) == ledger


def _claims_too_much(ledger: Ledger, game: Game) -> bool:
    """Look at all cards, those of the attempt where they came from."""
    hands = [Counter(hand) for hand in game.secrets.hands]
    for card in game.table.attempt.cards:
        if isinstance(card.source, HandEnd):
            hands[card.source.owner][card.number] += 1
    slots = zip(ledger.center, game.secrets.center, strict=True)
    return any(seen is not None and seen != number for seen, number in slots) or any(
        Counter(sure) - hand for sure, hand in zip(ledger.hands, hands, strict=True)
    )


@pytest.mark.parametrize(("players", "seed"), GAMES_PLAYED)
def test_what_is_certain_is_true(players: int, seed: int) -> None:
    """In every position of a game the cards bear out what the ledger says, gone ones unsaid."""
    rng = Random(f"ledger/{players}/{seed}")
    deal = random_deal(players, rng)
    game, ledger = begin(deal), blank_for(deal)
    seen: set[Shown] = set()
    for action in random_game(deal, rng, knowing=0.1):
        game = apply(game, game.table.on_turn, action)
        table = game.table
        collected = {number for sets in table.sets for number in sets}
        if table.shown:
            ledger = remember(ledger, table.attempt)
            seen |= {card for card in table.attempt.cards if isinstance(card.source, CenterSlot)}
            known = {
                Shown(CenterSlot(slot), number)
                for slot, number in enumerate(ledger.center, start=1)
                if number is not None
            }
            assert known == {card for card in seen if card.number not in collected}
        assert not _claims_too_much(ledger, game)
        assert collected.isdisjoint(number for sure in ledger.hands for number in sure)
        assert all(tuple(sorted(sure)) == sure for sure in ledger.hands)


def test_a_false_claim_is_noticed() -> None:
    """The check above can fail: one card too many in a hand, one wrong slot."""
    game = parse_position("4.9/3 | 5.8 | -,- | A a<=1 c2=8 ? | B 7")
    assert not _claims_too_much(Ledger((None, 8), ((1, 9), (3,))), game)
    assert _claims_too_much(Ledger((None, 8), ((1, 1), ())), game)
    assert _claims_too_much(Ledger((8, None), ((), ())), game)
