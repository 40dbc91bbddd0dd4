"""What follows from a game for a seat: judged by hand, and by all the worlds that fit."""

from collections import Counter
from collections.abc import Iterable

import pytest

from core.brute import World
from core.endings import ENDINGS, Ending, ending
from core.games import PLAYERS
from nana_core.deck import LETTERS
from nana_core.game import apply, begin
from nana_core.knowledge import Facts, Sight, deducible, settled, sight_at
from nana_core.notation import parse_game
from nana_core.protocol.wire import attempt_view
from nana_core.views import hand_for

DEAL = "1.1.2.3.4.5.6.7.8.9/1.2.2.3.4.5.6.7.8.10 | 3.4.5.6.7.8.9.9.10.10 | A : "


def seen(actions: str, seat: int | None, deal: str = DEAL) -> Sight:
    """See the table after these actions from a seat that was there all the time."""
    start, moves = parse_game(deal + actions)
    game, facts = begin(start), Facts()
    for action in moves:
        game = apply(game, game.table.on_turn, action)
        facts.learn(attempt_view(game.table.attempt, game.table.turn))
    hand = () if seat is None else hand_for(game, seat)
    return sight_at(game.table, seat, hand, facts)


@pytest.mark.parametrize(
    ("actions", "seat", "sets"),
    [
        pytest.param("", 0, {}, id="nothing seen"),
        pytest.param("b< c1 .", 0, {1: ("a<", "a<", "b<")}, id="two own and one shown"),
        pytest.param("b< c1", 0, {1: ("a<", "a<", "b<")}, id="also while the miss lies open"),
        pytest.param("b< c1 .", 1, {}, id="B does not know A's"),
        pytest.param("b< c1 .", None, {}, id="nor does a spectator"),
        pytest.param(
            "c7 a> c1 . c8 c2 .", None, {9: ("c7", "c8", "a>")}, id="what all saw, a spectator too"
        ),
        pytest.param(
            "c9 c7 . b> c1 . c2 c8 . c10 c3 .",
            0,
            {9: ("c7", "c8", "a>"), 10: ("c9", "c10", "b>")},
            id="two at once",
        ),
        pytest.param("b< c1 . c2 c3 . a<", 0, {1: ("a<", "b<")}, id="what an attempt still needs"),
        pytest.param("c7 a> c1 . c8 c2 . c7 a> c8 .", 0, {}, id="no longer when it is collected"),
        pytest.param("a< a< c4", 1, {1: ("a<", "a<", "b<")}, id="a miss told B"),
        pytest.param("a< a< b<", 1, {}, id="a set that lies open is gone"),
    ],
)
def test_a_set_is_deducible_when_its_three_places_are_sure(
    actions: str, seat: int | None, sets: dict[int, tuple[str, ...]]
) -> None:
    """And when all three can be revealed in one turn."""
    assert deducible(seen(actions, seat)) == sets


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(ENDINGS))
def test_what_is_settled_is_what_all_worlds_agree_on(players: int, seed: int) -> None:
    """Each run of a hand and each slot is known exactly as far as no world differs."""
    end = ending(players, seed)
    sight = settled(end.sight)
    for slot in (*sight.known_slots, *sight.dark_slots):
        numbers = {number for world in end.worlds for number in shown_by(end, slot, world)}
        assert (
            numbers == {sight.known_slots[slot]} if len(numbers) == 1 else slot in sight.dark_slots
        )
    for letter, hand in sight.hands.items():
        hands = [world.hands[LETTERS.index(letter)] for world in end.worlds]
        assert hand.low == common(hands)
        assert hand.high == common(cards[::-1] for cards in hands)


def common(hands: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    run = []
    for cards in zip(*hands, strict=True):
        if len(set(cards)) > 1:
            break
        run.append(cards[0])
    return tuple(run)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(ENDINGS))
def test_a_deducible_set_is_one_that_all_worlds_show(players: int, seed: int) -> None:
    """Its sources give the number in every world; of no other number is that true."""
    end = ending(players, seed)
    sets = deducible(end.sight)
    need = 3 - end.sight.matched
    for number in [n for n, left in counted(end).items() if left]:
        if end.sight.number in {None, number}:
            sure = sum(least_shown(end, number).values())
            assert (sure >= need) == (number in sets)
        if number in sets:
            used = Counter(sets[number])
            assert used.total() == need
            assert used <= least_shown(end, number)


def shown_by(end: Ending, slot: str, world: World) -> set[int]:
    """Say what a slot that is not empty may show in a world, in one order or another."""
    return {end.seen_slots[slot]} if slot in end.seen_slots else set(world.dark)


def down(end: Ending) -> list[str]:
    return [f"c{at}" for at, state in enumerate(end.game.table.center, 1) if state == "down"]


def counted(end: Ending) -> Counter[int]:
    world = end.worlds[0]
    seen = Counter(end.seen_slots[slot] for slot in down(end) if slot in end.seen_slots)
    return seen + Counter(world.dark) + Counter(card for hand in world.hands for card in hand)


def least_shown(end: Ending, number: int) -> Counter[str]:
    """Count what each source shows of the number in a row, at least, over all worlds."""
    least: Counter[str] | None = None
    for world in end.worlds:
        shown = shown_in(end, number, world)
        least = shown if least is None else least & shown
        if not least:
            break
    return least or Counter()


def shown_in(end: Ending, number: int, world: World) -> Counter[str]:
    shown = Counter(slot for slot in down(end) if shown_by(end, slot, world) == {number})
    for letter, hand in zip(LETTERS.lower(), world.hands, strict=False):
        shown[letter + "<"] = len(common((hand, (number,) * len(hand))))
        if shown[letter + "<"] < len(hand):
            shown[letter + ">"] = len(common((hand[::-1], (number,) * len(hand))))
    return +shown
