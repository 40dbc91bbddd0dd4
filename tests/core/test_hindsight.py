"""When was it knowable: hand-made games, and whole ones held against a slow and simple reading."""

from random import Random

import pytest

from core.games import random_deal
from nana_core.deck import LETTERS, Deal
from nana_core.game import Ended, Game, advance, begin
from nana_core.hindsight import Memory, hindsight
from nana_core.knowledge import Facts, deducible, sight_at
from nana_core.notation import parse_action, parse_game, play
from nana_core.protocol.wire import CONTINUE, attempt_view
from nana_core.record import Record, RecordedDeal, RecordedSeat
from nana_core.views import hand_for

# B holds three 1s at the low end, A two 10s at the high end and the third lies in slot 10.
HANDS = "2.2.3.4.5.6.7.8.10.10/1.1.1.2.3.4.5.6.7.8"
TURNS = 80
CENTER = "3.4.5.6.7.8.9.9.9.10"


def record_of(deal: Deal, actions: str, stand_ins: tuple[int, ...] = ()) -> Record:
    """Make a record that plays, whatever its seeds would have dealt."""
    seats = tuple(RecordedSeat(letter, "person") for letter, _ in zip("ABCDE", deal.hands))  # noqa: B905 - as many as play
    dealt = RecordedDeal("", "", False, deal.hands, deal.center, LETTERS[deal.first])
    end = play(deal, map(parse_action, actions.split())).table.result or Ended("host")
    return Record(1, 1, "KQ7MX", 1, seats, dealt, actions, end, stand_ins)


def looked_at(
    actions: str, first: str = "A", stand_ins: tuple[int, ...] = ()
) -> tuple[Memory, ...]:
    deal, _ = parse_game(f"{HANDS} | {CENTER} | {first} :")
    return hindsight(record_of(deal, actions, stand_ins))


def test_three_at_an_own_end_are_known_from_the_deal() -> None:
    """B could take the 1s from turn 1 on; nobody else knows of them."""
    a, b = looked_at("c1 c2 . b< b< b<")
    assert b.since == {1: 1}
    assert a.since == {}
    (chance,) = b.chances
    assert (chance.turn, chance.sure, chance.took, chance.used) == (2, (1,), 1, True)
    assert (b.score, a.score) == (1.0, None)


def test_a_card_that_was_seen_makes_a_set_knowable() -> None:
    """A holds two 10s; when the third has lain open, the set is sure, and A lets it lie."""
    a, _ = looked_at("c10 c1 . c2 c3 . c4 c5 . b< b< b<")
    assert a.since == {10: 2}
    (missed,) = a.missed
    assert (missed.turn, missed.sure, missed.won, missed.took) == (3, (10,), (), None)
    assert a.score == 0.0


def test_a_set_that_was_not_sure_is_found() -> None:
    """Taking what could not be known is no use of a chance, and is told apart."""
    a, b = looked_at("a> a> c10 . b< b< b<")
    assert (a.chances, a.found) == ((), (10,))
    assert b.found == ()


def test_a_win_that_was_let_lie_is_named() -> None:
    """With the 3s taken, the 10s would have won by a difference of 7."""
    text = "1.1.3.4.5.6.7.8.10.10/1.2.2.2.4.5.6.7.8.9 | 3.3.4.5.6.7.8.9.9.10 | B :"
    deal, _ = parse_game(text)
    a, _ = hindsight(record_of(deal, "c10 c1 . c1 c2 c3 . c4 c5 . c6 c7"))
    assert [chance.won for chance in a.chances] == [(), ()]
    deal, _ = parse_game("3.3.3.4.5.6.7.8.10.10/1.1.1.2.2.2.4.5.6.7 | 4.5.6.7.8.8.9.9.9.10 | B :")
    a, _ = hindsight(record_of(deal, "c10 c1 . a< a< a< . b< b< b< . c1 c2 . b< b< b<"))
    assert [(chance.turn, chance.sure, chance.won) for chance in a.missed] == [(4, (10,), (10,))]


def test_a_stand_ins_turns_do_not_count() -> None:
    """What somebody else let lie in one's seat is nobody's fault; that it was knowable stays."""
    a, b = looked_at("c10 c1 . c2 c3 . c4 c5", stand_ins=(2, 3))
    assert (a.chances, b.chances) == ((), ())
    assert a.since == {10: 2}


@pytest.mark.parametrize(("players", "seed"), [(2, 4), (3, 1), (4, 1), (5, 1)])
def test_it_is_what_a_simple_reading_says(players: int, seed: int) -> None:
    """Asked anew in each turn, without remembering what was asked before, it comes to the same."""
    deal = random_deal(players, Random(seed))
    actions: list[str] = []
    game, facts = begin(deal), Facts()
    since: list[dict[int, int]] = [{} for _ in range(players)]
    while game.table.result is None and game.table.turn < TURNS:
        for seat in range(players):
            for number in deducible(sight_at(game.table, seat, hand_for(game, seat), facts)):
                since[seat].setdefault(number, game.table.turn)
        game = _turn(game, actions)
        facts.learn(attempt_view(game.table.attempt, game.table.turn))
        if game.table.result is None:
            game = advance(game, CONTINUE)
            actions.append(".")
    memories = hindsight(record_of(deal, " ".join(actions)))
    assert [memory.since for memory in memories] == since
    assert any(since)


def _turn(game: Game, actions: list[str]) -> Game:
    """Take a turn at random."""
    rng = Random(len(actions))
    while not game.table.shown:
        word = rng.choice(
            [f"{letter}{end}" for letter in "abcde"[: game.table.players] for end in "<>"]
        )
        if game.table.hand_sizes["abcde".index(word[0])]:
            actions.append(word)
            game = advance(game, parse_action(word))
    return game
