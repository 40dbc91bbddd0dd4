"""What others' choices say of their hands: asked at the right table, and never ruled out."""

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from nana_bots.arena import Chair, course, shuffled_deal, snapshot_for
from nana_bots.expert.minds import Choice, Minds
from nana_bots.history import History
from nana_bots.memory import favourites
from nana_bots.mind import LEVELS
from nana_core.deck import LETTERS, Cards
from nana_core.game import Game, apply, begin
from nana_core.knowledge import Facts, sight_of
from nana_core.notation import parse_action
from nana_core.protocol.outbound import AttemptView, CardView, Snapshot

PLAYERS = (2, 3, 4, 5)


def best_of(view: Snapshot, history: History) -> list[str]:
    """Return what seems best to a `memory` player."""
    facts = Facts()
    facts.catch_up(view, history.attempts)
    sets = {seat.seat: seat.sets for seat in view.seats}
    return favourites(sight_of(view, facts), sets, view.legal)


def a_game(
    players: int, seed: int
) -> tuple[list[Game], Sequence[AttemptView], list[tuple[str, list[str], str]]]:
    """Play `memory` players; return each turn's beginning, the attempts, and the choices.

    A choice is who made it, what seemed best, and what it was.
    """
    rng = Random(f"minds {players} {seed}")
    deal = shuffled_deal(players, rng)
    seated = [Chair(LEVELS["memory"](Random(rng.random()))) for _ in range(players)]
    turns: list[Game] = [begin(deal)]
    ended: Sequence[AttemptView] = ()
    kept: list[tuple[str, list[str], str]] = []
    for move in course(deal, seated):
        ended = move.ended
        if move.choice == "continue":
            turns.append(move.after)
        else:
            best = best_of(move.view, move.history)
            kept.append((LETTERS[move.seat], best, move.choice))
    return turns, ended, kept


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(2))
def test_a_choice_is_thought_through_at_the_table_of_then(players: int, seed: int) -> None:
    """From its true hand, each choice of a `memory` player is as likely as that player's lot."""
    turns, ended, kept = a_game(players, seed)
    minds, facts, asked = Minds.dealt(players, None), Facts(), iter(kept)
    for game, attempt in zip(turns, ended, strict=False):
        stretch = minds.stretches[attempt.seat][-1]
        before = len(stretch.choices)
        minds.see(attempt, facts)
        hand = game.secrets.hands[LETTERS.index(attempt.seat)]
        for choice in stretch.choices[before:]:
            seat, best, source = next(asked)
            assert (seat, source) == (attempt.seat, choice.source)
            assert choice.likelihood(seat, hand) == pytest.approx(0.01 + 0.9 / len(best))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_past_of_a_hand_holds_what_it_has_lost(players: int) -> None:
    """Hands of now, put back together with their sets, fit what was chosen before."""
    turns, ended, _ = a_game(players, 5)
    minds, facts = Minds.dealt(players, "A"), Facts()
    for game, attempt in zip(turns, ended, strict=False):
        truth = {LETTERS[at]: hand for at, hand in enumerate(game.secrets.hands) if at}
        assert minds.choose([truth], 3, Random(1)) == [0, 0, 0]
        assert minds.sets == dict(zip(LETTERS, game.table.sets, strict=False))
        minds.see(attempt, facts)


B_MISSES = (
    AttemptView(turn=1, seat="A", cards=(CardView("c1", 5), CardView("c2", 9)), outcome="miss"),
    AttemptView(turn=2, seat="B", cards=(CardView("a<", 3), CardView("c3", 8)), outcome="miss"),
)
WITH_FIVES: Cards = (5, 5, 6, 6, 6, 7, 7, 8, 8, 10)
WITHOUT: Cards = (1, 1, 3, 3, 4, 4, 6, 6, 7, 10)


def after_a_miss(own: str = "A") -> Minds:
    minds, facts = Minds.dealt(2, own), Facts()
    for attempt in B_MISSES:
        minds.see(attempt, facts)
    return minds


def test_who_could_have_taken_a_set_and_did_not_does_not_hold_it() -> None:
    """A 5 lies open to all, and B asked A for another card: it has no two 5s at its low end."""
    kept = after_a_miss().choose([{"B": WITH_FIVES}, {"B": WITHOUT}], 50_000, Random(2))
    assert 0 < kept.count(0) < 5000
    assert kept == sorted(kept)


def test_what_nobody_explains_is_chosen_evenly() -> None:
    """Of the own choices nothing is to be learnt."""
    kept = after_a_miss(own="B").choose([{"A": WITH_FIVES}, {"A": WITH_FIVES}], 10, Random(2))
    assert kept.count(0) == 5


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Cards]]:
    """Collect the choices and hands that are asked about; the first is unlikely."""
    asked: list[tuple[str, Cards]] = []

    def likelihood(choice: Choice, _: str, hand: Cards) -> float:
        asked.append((choice.source, hand))
        return 0.9 if asked[1:] else 0.1

    monkeypatch.setattr(Choice, "likelihood", likelihood)
    return asked


def test_only_so_many_hands_are_asked(asked: list[tuple[str, Cards]]) -> None:
    """The newest choices come first; what is left is asked about the next time."""
    minds = after_a_miss()
    worlds = [
        {"B": (low,) * size + (10,) * (10 - size)} for low in range(1, 10) for size in range(1, 10)
    ]
    minds.choose(worlds, 10, Random(1))
    assert [source for source, _ in asked] == ["c3"] * 60
    minds.choose(worlds, 10, Random(1))
    assert [source for source, _ in asked[60:]] == ["c3"] * 21 + ["a<"] * 39
    assert minds.hurried == 0


def test_what_was_not_asked_counts_as_what_was(
    asked: list[tuple[str, Cards]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is as likely as the one that was asked, however little that is."""
    minds = after_a_miss()
    monkeypatch.setattr(minds, "_most", 1)
    assert minds.choose([{"B": WITH_FIVES}, {"B": WITHOUT}], 10, Random(2)).count(0) == 5
    monkeypatch.setattr(minds, "_most", 2)
    assert minds.choose([{"B": WITH_FIVES}, {"B": WITHOUT}], 10, Random(2)).count(0) == 1
    assert asked == [("c3", WITH_FIVES), ("c3", WITHOUT), ("a<", WITH_FIVES)]


def test_what_is_too_unlikely_for_numbers_is_chosen_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """After hundreds of choices that nothing explains, one world is as good as another."""
    monkeypatch.setattr(Choice, "likelihood", lambda *_: 1e-200)
    kept = after_a_miss().choose([{"B": WITH_FIVES}, {"B": WITHOUT}], 10, Random(2))
    assert kept.count(0) == 5


def test_without_time_nobody_is_asked(asked: list[tuple[str, Cards]]) -> None:
    """And that is noted, since with more time it would have come out otherwise."""
    minds = after_a_miss()
    kept = minds.choose([{"B": WITH_FIVES}, {"B": WITHOUT}], 10, Random(2), deadline=0.0)
    assert (kept.count(0), asked, minds.hurried) == (5, [], 1)


def test_a_game_that_was_missed_begins_where_it_is() -> None:
    """Cards that lie open are in their hands at rest, and collected slots are gone."""
    game = begin(shuffled_deal(2, Random(3)))
    game = apply(game, game.table.on_turn, parse_action("b<"))
    view = snapshot_for(game, game.table.on_turn)
    late, whole = Minds.at_rest(view), Minds.dealt(2, view.you.seat)
    assert late.sight(Facts(), None) == whole.sight(Facts(), None)
    gone = replace(view, center=("gone", *view.center[1:]))
    assert "c1" not in Minds.at_rest(gone).sight(Facts(), None).dark_slots
