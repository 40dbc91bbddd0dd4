"""Properties of the rules over many random games: `NANA_GAMES` says how many of each size."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random
from typing import Final

import msgspec
import pytest

from core.games import (
    ASKING,
    CONCEIVABLE,
    GAMES,
    PLAYERS,
    completing,
    in_words,
    random_deal,
    random_game,
)
from nana_core.actions import Action, CenterSlot, Continue, Refused, Reveal
from nana_core.deck import LETTERS, Cards, Deal, full_deck
from nana_core.game import Game, Won, apply, begin, legal, refusal
from nana_core.notation import game_text, parse_game, parse_position, position
from nana_core.record import FORMAT, RULES, Record, RecordedDeal, RecordedSeat, positions

EACH: Final = [(players, seed) for players in PLAYERS for seed in range(GAMES)]
FEW: Final = [(players, seed) for players in PLAYERS for seed in range(max(1, GAMES // 5))]

each_game = pytest.mark.parametrize(("players", "seed"), EACH)
few_games = pytest.mark.parametrize(("players", "seed"), FEW)


def _game(players: int, seed: int) -> tuple[Deal, list[Action]]:
    """Play one out; the less is known in it, the longer it takes."""
    rng = Random(f"{players}/{seed}")
    deal = random_deal(players, rng)
    return deal, random_game(deal, rng, knowing=rng.choice((0.05, 0.2, 0.5, 1.0)))


def _states(deal: Deal, actions: list[Action]) -> Iterator[Game]:
    game = begin(deal)
    yield game
    for action in actions:
        game = apply(game, game.table.on_turn, action)
        yield game


def _cards_of(game: Game) -> Counter[int]:
    """Count every card of the game, wherever the position has it."""
    table, secrets = game.table, game.secrets
    cards: Counter[int] = Counter()
    for hand in secrets.hands:
        cards.update(hand)
    collected = table.attempt.outcome == "set"
    for number, state in zip(secrets.center, table.center, strict=True):
        if state == "down" or (state != "gone" and not collected):
            cards[number] += 1
    for card in table.attempt.cards:
        if not collected and not isinstance(card.source, CenterSlot):
            cards[card.number] += 1
    for sets in table.sets:
        cards.update(sets * 3)
    return cards


@each_game
def test_cards_are_conserved(players: int, seed: int) -> None:
    """After every action all three cards of each number are still somewhere, and only once."""
    deck = Counter(full_deck(players))
    for game in _states(*_game(players, seed)):
        table, secrets = game.table, game.secrets
        assert _cards_of(game) == deck
        assert table.hand_sizes == tuple(map(len, secrets.hands))
        assert all(tuple(sorted(hand)) == hand for hand in secrets.hands)
        faces = {slot: state for slot, state in enumerate(table.center, 1) if type(state) is int}
        shown = table.attempt.cards
        assert faces == {c.source.slot: c.number for c in shown if isinstance(c.source, CenterSlot)}


@few_games
def test_legal_is_what_is_not_refused(players: int, seed: int) -> None:
    """Of all that can be asked by anyone, `legal`, `refusal` and `apply` let through the same."""
    for game in _states(*_game(players, seed)):
        before = msgspec.json.encode(game)
        allowed = legal(game.table)
        assert len(set(allowed)) == len(allowed)
        for seat in ASKING:
            free = {a for a in CONCEIVABLE if refusal(game.table, seat, a) is None}
            assert free == (set(allowed) if seat == game.table.on_turn else set())
            for action in CONCEIVABLE:
                if action in free:
                    assert apply(game, seat, action) != game
                else:
                    with pytest.raises(Refused) as refused:
                        apply(game, seat, action)
                    assert refused.value.why is refusal(game.table, seat, action)
        assert msgspec.json.encode(game) == before


@each_game
def test_a_set_can_always_be_collected(players: int, seed: int) -> None:
    """While the game is on, whoever begins an attempt could collect the smallest number in it."""
    for game in _states(*_game(players, seed)):
        table = game.table
        if table.result is not None or table.shown or table.attempt.cards:
            continue
        actions = completing(game)
        assert len(actions) == 3
        then = game
        for action in actions:
            then = apply(then, table.on_turn, action)
        assert then.table.attempt.outcome == "set"
        assert len(then.table.sets[table.on_turn]) == len(table.sets[table.on_turn]) + 1


def _reasons(sets: Cards) -> set[tuple[str, frozenset[int]]]:
    """Read the rulebook's three ways to win a second time."""
    reasons: set[tuple[str, frozenset[int]]] = set()
    if len(sets) == 3:
        reasons.add(("three_sets", frozenset(sets)))
    if 7 in sets:
        reasons.add(("sevens", frozenset({7})))
    for pair in map(frozenset, combinations(sets, 2)):
        if sum(pair) == 7:
            reasons.add(("sum", pair))
        if max(pair) - 7 == min(pair):
            reasons.add(("difference", pair))
    return reasons


@each_game
def test_one_winner_for_the_right_reasons(players: int, seed: int) -> None:
    """A game that is played out has one winner: the seat whose sets win, at the first moment."""
    *before, last = _states(*_game(players, seed))
    for game in before:
        assert not any(map(_reasons, game.table.sets))
        assert game.table.result is None
    won = last.table.result
    assert isinstance(won, Won)
    expected = [_reasons(sets) for sets in last.table.sets]
    assert [bool(reasons) for reasons in expected].count(True) == 1
    assert {(win.reason, frozenset(win.sets)) for win in won.wins} == expected[won.seat]
    assert len(won.wins) == len(expected[won.seat])
    assert won.seat == last.table.attempt.seat


@each_game
def test_turns_pass_clockwise(players: int, seed: int) -> None:
    """Set or miss, every attempt is the next seat's, and turns are counted one by one."""
    for before, after in pairwise(game.table for game in _states(*_game(players, seed))):
        if before.shown:
            assert after.attempt.seat == after.on_turn == before.on_turn
            assert after.turn == before.turn + 1
        else:
            assert after.attempt.seat == before.attempt.seat
            assert after.turn == before.turn
            passed = (before.on_turn + 1) % players
            assert after.on_turn == (passed if after.shown else before.on_turn)
        assert len({card.number for card in after.attempt.cards}) <= 1 or (
            after.attempt.outcome == "miss"
        )


class Felt:
    """The game as it is played on felt: lists of cards, and a second reading of the rules."""

    def __init__(self, deal: Deal) -> None:
        self.hands = [list(hand) for hand in deal.hands]
        self.center: list[int | None] = list(deal.center)
        self.sets: list[list[int]] = [[] for _ in deal.hands]
        self.open: list[tuple[str, int]] = []
        self.seat = deal.first

    def do(self, word: str) -> None:
        if word == ".":
            self._clear()
        elif word.startswith("c") and word[1:].isdigit():
            number = self.center[int(word[1:]) - 1]
            assert number is not None
            self.open.append((word, number))
        else:
            hand = self.hands["abcde".index(word[0])]
            self.open.append((word, hand.pop(0 if word[1] == "<" else -1)))
        if word != "." and self._alike() and len(self.open) == 3:
            self.sets[self.seat].append(self.open[0][1])

    def _alike(self) -> bool:
        return len({number for _, number in self.open}) == 1

    def _clear(self) -> None:
        for word, number in self.open:
            if self._alike() and word[1:].isdigit():
                self.center[int(word[1:]) - 1] = None
            elif not self._alike() and not word[1:].isdigit():
                hand = self.hands["abcde".index(word[0])]
                hand.append(number)
                hand.sort()
        self.open = []
        self.seat = (self.seat + 1) % len(self.hands)


@each_game
def test_the_felt_agrees(players: int, seed: int) -> None:
    """A second, plain reading of the rules goes through the same states."""
    deal, actions = _game(players, seed)
    felt = Felt(deal)
    game = begin(deal)
    for action, word in zip(actions, in_words(actions).split(), strict=True):
        felt.do(word)
        game = apply(game, game.table.on_turn, action)
        assert tuple(map(tuple, felt.hands)) == game.secrets.hands
        assert tuple(map(tuple, felt.sets)) == game.table.sets
        assert felt.seat == game.table.attempt.seat
        assert [number for _, number in felt.open] == [c.number for c in game.table.attempt.cards]
        gone = [number is None for number in felt.center]
        assert gone == [state == "gone" for state in game.table.center]


@each_game
def test_a_record_replays(players: int, seed: int) -> None:
    """A saved deal with its actions goes through the very same positions."""
    deal, actions = _game(players, seed)
    states = list(_states(deal, actions))
    text = game_text(deal, actions)
    assert parse_game(text) == (deal, tuple(actions))
    record = Record(
        format=FORMAT,
        rules=RULES,
        room="TEST",
        game=1,
        seats=tuple(RecordedSeat(letter, "person") for letter in LETTERS[:players]),
        deal=RecordedDeal(
            "", "", rotated=False, hands=deal.hands, center=deal.center, first=LETTERS[deal.first]
        ),
        actions=in_words(actions),
        result=states[-1].table.result,
    )
    assert list(positions(record)) == states


@each_game
def test_every_position_reads_back(players: int, seed: int) -> None:
    """A position written and read differs in nothing that matters for the rest of the game."""
    for game in _states(*_game(players, seed)):
        read = parse_position(position(game))
        assert position(read) == position(game)
        assert msgspec.structs.replace(read.table, result=game.table.result) == game.table
        assert read.secrets.hands == game.secrets.hands


def test_the_games_are_worth_playing() -> None:
    """Among the games above are short and long ones, and every reason to win is met."""
    lengths, reasons = [], Counter[str]()
    for players, seed in EACH:
        deal, actions = _game(players, seed)
        lengths.append(sum(isinstance(action, Continue) for action in actions) + 1)
        *_, last = _states(deal, actions)
        assert isinstance(last.table.result, Won)
        reasons.update(win.reason for win in last.table.result.wins)
        assert any(isinstance(action, Reveal) for action in actions)
    assert min(lengths) <= 6
    assert max(lengths) >= 50
    assert set(reasons) == {"three_sets", "sevens", "sum", "difference"}
