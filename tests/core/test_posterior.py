"""Worlds that fit are drawn as often as they are likely: judged by trying all of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import product
from random import Random
from typing import Final, TypeAlias

import pytest
from msgspec.structs import replace

from core.endings import ENDINGS, Ending, ending
from core.games import PLAYERS
from nana_core.deck import LETTERS, Cards
from nana_core.knowledge import HandSight, Posterior, Sight
from nana_core.knowledge.posterior import Drawn

DRAWN: Final = 1500
SIGMAS: Final = 5  # of the sampling error; about one check in a million is wrong by chance

Place: TypeAlias = tuple[str, int]  # and number
Hand: TypeAlias = tuple[str, Cards]  # of this seat
Key: TypeAlias = tuple[tuple[Hand, ...], Cards]
"""The unknown middles of hands by letter, and what lies in the dark, in no order."""


def key(drawn: Drawn) -> Key:
    return tuple(sorted(drawn[0].items())), tuple(sorted(drawn[1]))


def likelihoods(end: Ending) -> dict[Key, float]:
    """Say of each world, as a draw would show it, how likely it is."""
    unknown = [
        (letter, LETTERS.index(letter), slice(len(hand.low), -len(hand.high) or None))
        for letter, hand in sorted(end.sight.hands.items())
        if hand.unknown
    ]
    shuffles: Counter[Key] = Counter()
    for world in end.worlds:
        middles = tuple((letter, world.hands[at][middle]) for letter, at, middle in unknown)
        shuffles[middles, world.dark] += world.shuffles
    total = shuffles.total()
    return {world: count / total for world, count in shuffles.items()}


def moments_of(truth: Mapping[Key, float]) -> tuple[dict[Place, float], dict[Place, float]]:
    """Return the means of how many cards of a number are in a place, and of its square."""
    hands, darks = defaultdict[Hand, float](float), defaultdict[Cards, float](float)
    for (middles, dark), likelihood in truth.items():
        darks[dark] += likelihood
        for hand in middles:
            hands[hand] += likelihood
    means, squares = defaultdict[Place, float](float), defaultdict[Place, float](float)
    for hand, likelihood in hands.items():
        for place, cards in in_hands([hand]).items():
            means[place] += likelihood * cards
            squares[place] += likelihood * cards * cards
    for dark, likelihood in darks.items():
        for at, (card, cards) in product(range(len(dark)), Counter(dark).items()):
            means[f"slot {at}", card] += likelihood * cards / len(dark)  # in each as often
            squares[f"slot {at}", card] += likelihood * cards / len(dark)
    return means, squares


def in_hands(hands: Iterable[Hand]) -> Counter[Place]:
    """Count the cards of each number in each hand."""
    return Counter((letter, card) for letter, cards in hands for card in cards)


def in_slots(dark: Cards) -> Counter[Place]:
    return Counter((f"slot {at}", card) for at, card in enumerate(dark))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(ENDINGS))
def test_what_is_drawn_is_as_likely_as_all_worlds_say(players: int, seed: int) -> None:
    """The mean number of cards, by number and place, is that of all worlds, weighed."""
    end = ending(players, seed)
    if not any(end.sight.unlocated.values()):
        return
    truth = likelihoods(end)
    drawn = Posterior(end.sight).draw(DRAWN, Random(seed))
    assert set(map(key, drawn)) <= truth.keys()
    means, squares = moments_of(truth)
    found = Counter[Place]()
    for hands, dark in drawn:
        found.update(in_hands(hands.items()) + in_slots(dark))
    for place, mean in means.items():
        error = (max(0.0, squares[place] - mean * mean) / DRAWN) ** 0.5
        assert abs(found[place] / DRAWN - mean) <= SIGMAS * error + 2 / DRAWN, place


def small(hand: HandSight, unlocated: dict[int, int], *dark: str) -> Sight:
    return Sight(
        viewer=None, known_slots={}, dark_slots=dark, hands={"B": hand}, public={},
        unlocated=unlocated, number=None, matched=0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "unlocated", "middle", "likelihood"),
    [
        pytest.param(HandSight((), (), 1, 0, 99), {5: 1, 6: 1}, (5,), 1 / 2, id="nothing known"),
        pytest.param(
            HandSight((5,), (), 1, 5, 99), {5: 1, 6: 1}, (5,), 1 / 3, id="a second one is rarer"
        ),
        pytest.param(HandSight((5,), (), 2, 5, 99), {5: 2, 6: 1}, (5, 5), 1 / 4, id="and a third"),
        pytest.param(HandSight((6,), (), 1, 6, 99), {5: 1, 6: 1}, (6,), 1.0, id="not below"),
        pytest.param(HandSight((), (), 1, 0, 99), {5: 2, 6: 1}, (5,), 2 / 3, id="two of three"),
    ],
)
def test_a_likelihood_is_that_of_the_shuffles(
    hand: HandSight, unlocated: dict[int, int], middle: tuple[int, ...], likelihood: float
) -> None:
    """Counted by hand: of copies that lie in one hand, it makes no difference which is which."""
    slots = sum(unlocated.values()) - hand.unknown
    sight = small(hand, unlocated, *(f"c{at}" for at in range(1, slots + 1)))
    drawn = Posterior(sight).draw(6000, Random(3))
    share = sum(hands["B"] == middle for hands, _ in drawn) / len(drawn)
    assert share == pytest.approx(likelihood, abs=0.03 if likelihood < 1 else 0)


def test_a_card_taken_out_in_this_turn_was_in_the_hand_all_the_same() -> None:
    """It makes a second one of its number there as rare as if it still lay in the hand."""
    sight = small(HandSight((), (), 1, 5, 99), {5: 1, 6: 1}, "c1")
    drawn = Posterior(replace(sight, lying_open={"B": (5,)})).draw(6000, Random(3))
    share = sum(hands["B"] == (5,) for hands, _ in drawn) / len(drawn)
    assert share == pytest.approx(1 / 3, abs=0.03)


def test_where_all_is_known_there_is_one_world() -> None:
    """Nothing is left to be drawn."""
    sight = small(HandSight((5,), (5,), 0, 0, 99), {5: 0})
    assert Posterior(sight).draw(2, Random(1)) == [({}, ())] * 2
