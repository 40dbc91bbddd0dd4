"""What follows for certain from the reveals of a game, as tables of hand-made deals."""

from random import Random

import pytest
from msgspec.structs import replace

from nana_bots.arena import shuffled_deal, snapshot_for
from nana_bots.history import History
from nana_bots.odds import CENTER, odds_of
from nana_bots.prospects import Prospects, along
from nana_core.game import Game, apply, begin
from nana_core.knowledge import Facts, Sight, settled, sight_of
from nana_core.notation import parse_action, parse_game, parse_position
from nana_core.protocol.outbound import AttemptView, CardView, LedgerView, Snapshot
from nana_core.protocol.wire import attempt_view, legal_names

DEAL = "1.1.2.3.4.5.6.7.8.9/1.2.2.3.4.5.6.7.8.10 | 3.4.5.6.7.8.9.9.10.10 | A : "


def played(text: str) -> tuple[Game, list[AttemptView]]:
    """Play a game in notation; return where it stands and its ended attempts."""
    deal, actions = parse_game(text)
    game = begin(deal)
    attempts: list[AttemptView] = []
    for action in actions:
        game = apply(game, game.table.on_turn, action)
        if game.table.shown:
            attempts.append(attempt_view(game.table.attempt, game.table.turn))
    return game, attempts


def sight(actions: str, attempts: slice = slice(None)) -> Sight:
    """See the table after these actions from the seat on turn, which saw these attempts."""
    game, ended = played(DEAL + actions)
    view = snapshot_for(game, game.table.on_turn)
    return look(view, ended[attempts])


def look(view: Snapshot, attempts: list[AttemptView]) -> Sight:
    facts = Facts()
    facts.catch_up(view, attempts)
    return sight_of(view, facts)


@pytest.mark.parametrize(
    ("actions", "low", "high", "unknown"),
    [
        pytest.param("", (), (), 10, id="nothing seen"),
        pytest.param("c1 c2 . c3 c4 .", (), (), 10, id="others looked elsewhere"),
        pytest.param("b< c1 . c1 c2 .", (1,), (), 9, id="the low end once seen stays known"),
        pytest.param("b< c1 . b> c1 .", (1,), (10,), 8, id="each end for itself"),
        pytest.param("b< b< . c1 c2 .", (1, 2), (), 8, id="two from one end are in order"),
        pytest.param("b< b< . b< c1 .", (1, 2), (), 8, id="seeing less later takes nothing away"),
        pytest.param("b<", (), (), 9, id="a card that lies open is not in the hand"),
        pytest.param("b< b< . c1 c2 . b<", (2,), (), 8, id="the known run moves on"),
        pytest.param("a< a< b< . c1 c2 .", (), (), 9, id="a set leaves the hand"),
        pytest.param("b< b< . a< a< b< .", (2,), (), 8, id="what lay behind a set is the end"),
        pytest.param(
            "a< a< b< . b< b< c1 . c2 c3 . c3 c4 .", (2, 2), (), 7, id="a run at the new end"
        ),
    ],
)
def test_a_hand_is_known_from_its_ends(
    actions: str, low: tuple[int, ...], high: tuple[int, ...], unknown: int
) -> None:
    """B's hand as A sees it."""
    hand = sight(actions).hands["B"]
    assert (hand.low, hand.high, hand.unknown) == (low, high, unknown)


@pytest.mark.parametrize(
    ("actions", "floor", "ceiling"),
    [
        pytest.param("b< c1 . b> c1 .", 1, 10, id="between the ends"),
        pytest.param("b< b< . c1 c2 .", 2, 99, id="the innermost counts"),
        pytest.param("a< a< b< . c1 c2 .", 1, 99, id="a set that left still bounds the rest"),
    ],
)
def test_the_middle_of_a_hand_is_bounded(actions: str, floor: int, ceiling: int) -> None:
    """No card further in is below what was seen at the low end, or above the high one."""
    hand = sight(actions).hands["B"]
    assert (hand.floor, hand.ceiling) == (floor, ceiling)


@pytest.mark.parametrize(
    ("lows", "highs", "attempt", "rest"),
    [
        pytest.param((2, 4), (9,), "B", (2, 4, 9), id="the ends meet"),
        pytest.param((2, 4, 9), (), "B", (2, 4, 9), id="all from one end"),
        pytest.param((2,), (9, 4), "B a>=9", (2, 4), id="also while its cards lie open"),
    ],
)
def test_a_hand_is_known_whole_when_its_ends_meet(
    lows: tuple[int, ...], highs: tuple[int, ...], attempt: str, rest: tuple[int, ...]
) -> None:
    """Then either end shows all of it."""
    facts = Facts()
    facts.hands["A"].learn(lows, highs)
    hand = ".".join(map(str, rest))
    text = f"{hand}/2.4.9.10.10.10 | 2.4.9 | 1.3.5,6.7.8 | {attempt} | B 30"
    view = snapshot_for(parse_position(text), 1)
    whole = sight_of(view, facts).hands["A"]
    assert (whole.low, whole.high, whole.unknown) == (rest, rest[::-1], 0)


def test_slots_are_known_once_seen_and_gone_once_collected() -> None:
    """A slot keeps its number for the whole game."""
    seen = sight("c7 c9 . c8 c9 . c7 c8 a> . c10 c1 .")
    assert seen.known_slots == {"c1": 3, "c9": 10, "c10": 10}
    assert seen.dark_slots == ("c2", "c3", "c4", "c5", "c6")


def test_the_own_hand_is_known_and_what_the_others_know_of_it_too() -> None:
    """A knows all of its hand; B knows the low card that was shown."""
    seen = sight("a< c1 . c1 c2 .")
    assert seen.hands["A"].low == (1, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert seen.hands["A"].unknown == 0
    assert (seen.own_in_public.low, seen.own_in_public.unknown) == ((1,), 9)


def test_unlocated_cards_are_three_of_each_less_what_is_known() -> None:
    """Own hand, slots, others' ends and open cards are located; sets are out of play."""
    seen = sight("a< a< b< . c9 b< . b>")
    assert 1 not in seen.unlocated
    assert seen.unlocated == {2: 1, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2, 10: 1}
    assert (seen.number, seen.matched) == (10, 1)


def test_a_gap_in_the_history_costs_knowledge_but_not_truth() -> None:
    """A set collected unseen is read from the seats; what lay behind it is still known."""
    seen = sight("b< b< . a< a< b< .", attempts=slice(1))
    assert seen.hands["B"].low == (2,)
    assert 1 not in seen.unlocated


@pytest.mark.parametrize(
    ("actions", "high"),
    [
        pytest.param("b> c1 . c9 c10 b> . b>", (), id="by the attempt that lies open"),
        pytest.param("b> c1 . c9 c10 b> . b> c2 . c3", (8,), id="by an attempt since then"),
    ],
)
def test_what_was_seen_before_a_gap_gives_way(actions: str, high: tuple[int, ...]) -> None:
    """B's 10 was known, then collected unseen: the end is what was revealed afterwards."""
    game, ended = played(DEAL + actions)
    seen = look(snapshot_for(game, game.table.on_turn), [ended[0], *ended[2:]])
    hand = seen.hands["B"] if seen.seat == "A" else seen.own_in_public
    assert (hand.low, hand.high, hand.unknown, hand.ceiling) == ((), high, 8, 8)


def test_an_open_ledger_shows_slots() -> None:
    """At a table with open memory a player that comes late knows the slots."""
    game, _ = played(DEAL)
    ledger = LedgerView(center=(3, None, 5, *[None] * 7), hands=((), ()))
    assert look(replace(snapshot_for(game, 0), ledger=ledger), []).known_slots == {"c1": 3, "c3": 5}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("away", [0, 0.5])
def test_what_is_known_is_true_and_what_is_likely_adds_up(
    players: int, seed: int, away: float
) -> None:
    """All through random games knowledge agrees with the cards, and chances with the counts.

    That holds as well for a player that is often away and never hears what it missed.
    """
    chance = Random(f"truth {players} {seed}")
    game, facts, history = begin(shuffled_deal(players, chance)), Facts(), History()
    looks = 0
    while game.table.result is None and game.table.turn < 120:
        view = snapshot_for(game, game.table.on_turn)
        if chance.random() >= away:
            history.see(view)
        if not game.table.shown:
            facts.catch_up(view, history.attempts)
            check(game, sight_of(view, facts))
            check(game, settled(sight_of(view, facts)))
            looks += 1
        name = chance.choice(legal_names(game.table))
        action = parse_action("." if name == "continue" else name)
        game = apply(game, game.table.on_turn, action)
    assert looks > 100


def check(game: Game, seen: Sight) -> None:
    for slot, number in seen.known_slots.items():
        assert game.secrets.center[int(slot[1:]) - 1] == number
    for letter, hand in seen.hands.items():
        cards = game.secrets.hands["ABCDE".index(letter)]
        middle = cards[len(hand.low) : len(cards) - len(hand.high)] if hand.unknown else ()
        assert cards[: len(hand.low)] == hand.low
        assert cards[::-1][: len(hand.high)] == hand.high
        assert len(middle) == hand.unknown
        assert all(hand.floor <= card <= hand.ceiling for card in middle)
    odds = odds_of(seen)
    prospects = Prospects(seen, odds)
    for place, share in odds.shares.items():
        size = len(seen.dark_slots) if place == CENTER else seen.hands[place].unknown
        assert sum(p * seen.unlocated[n] for n, p in share.items()) == pytest.approx(size, rel=0.1)
    for name in (*seen.known_slots, *seen.dark_slots, *odds.ends):
        assert sum(prospects.chances(name).values()) == pytest.approx(1, rel=0.1)


@pytest.mark.parametrize(
    ("chains", "need", "chance"),
    [
        pytest.param([(1.0,)], 2, 0.0, id="not enough"),
        pytest.param([(1.0,), (1.0, 1.0)], 3, 1.0, id="one and a run of two"),
        pytest.param([(0.5,), (0.2,), (0.9,)], 2, 0.45, id="the best two"),
        pytest.param([(0.5, 0.4), (0.6,)], 2, 0.4, id="further along one chain"),
        pytest.param([(0.5, 0.4), (0.9,)], 3, 0.36, id="two of one, one of another"),
    ],
)
def test_a_number_is_completed_the_best_way(
    chains: list[tuple[float, ...]], need: int, chance: float
) -> None:
    """A chain is followed from its beginning, as far as is worth it."""
    assert along(chains)[need - 1] == pytest.approx(chance)


@pytest.mark.parametrize("after", [None, "b<", "b>"])
def test_a_card_is_not_counted_at_both_ends(after: str | None) -> None:
    """Two fours are all of B's hand; a third that nobody has seen is never certain."""
    text = "2.2.9/4.4 | 2.4.9.9.10.10.10 | 1.3.5,6.7.8 | A | A 30"
    seen_twice = tuple(CardView("b<", 4) for _ in "12")
    attempt = AttemptView(turn=1, seat="A", cards=(*seen_twice, CardView("c1", 2)), outcome="miss")
    seen = look(snapshot_for(parse_position(text), 0), [attempt])
    mine, theirs = Prospects(seen, odds_of(seen)).both(4, 3 if after is None else 2, after)
    assert 0 < mine < 0.3
    assert 0 < theirs < 0.3
