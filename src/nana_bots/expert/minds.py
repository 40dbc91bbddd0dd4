"""What the others' choices say of their hands: who holds other cards chooses otherwise.

Each choice of another seat is kept with the table as all saw it then. How likely it is
from a hand is asked of the `memory` level: what would that turn over there? Hands with the
same ends, and as many cards of the numbers that all knew elsewhere, are taken to choose
alike, so few have to be asked. It is a guess about players: it makes worlds less likely,
and rules none out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf, prod
from random import Random
from statistics import fmean
from time import thread_time
from typing import Final, TypeAlias

from msgspec import Struct, field

from nana_bots.memory import favourites
from nana_core.deck import LETTERS, SIZES, Cards
from nana_core.knowledge import Facts, Sight, owner_of, revealed_of_hands, seated, sight_from
from nana_core.protocol.outbound import AttemptView, Snapshot

Trait: TypeAlias = tuple[int, ...]
"""Lowest card of a hand, how often; highest, how often; how many of some numbers it has."""

_ASTRAY: Final = 0.1  # chance that a seat chooses by something else
_SOURCES: Final = 10  # among about so many, then
_ASKED: Final = {2: 60, 3: 60, 4: 60, 5: 45}  # choices thought through for one decision


class Choice(Struct, frozen=True):
    """A choice, and the table as a spectator saw it then."""

    sight: Sight
    sets: Mapping[str, Cards]
    source: str
    elsewhere: Cards  # numbers that lie outside the seat's hand for all to know
    at: int  # which one of the game it is
    answers: dict[Trait, float] = field(default_factory=dict)

    def likelihood(self, letter: str, hand: Cards) -> float:
        """Say how likely the choice is from this hand, the cards lying open among its own."""
        left = list(hand)
        for card in self.sight.lying_open.get(letter, ()):
            left.remove(card)
        sight = seated(self.sight, letter, tuple(left))
        best = favourites(sight, self.sets, _legal(sight))
        dark = sight.dark_slots
        chosen = dark[0] if self.source in dark else self.source
        by_lot = _ASTRAY / _SOURCES
        return by_lot + (1 - _ASTRAY) / len(best) if chosen in best else by_lot


class Stretch(Struct):
    """Choices of a seat for as long as its hand stays the same."""

    choices: list[Choice] = field(default_factory=list)
    lost: Cards = ()  # to the set at its end
    elsewhere: Cards = ()  # of all choices
    products: dict[Trait, tuple[int, float]] = field(default_factory=dict)  # of how many choices

    def add(self, choice: Choice) -> None:
        self.choices.append(choice)
        elsewhere = tuple(sorted({*self.elsewhere, *choice.elsewhere}))
        if elsewhere != self.elsewhere:
            self.elsewhere = elsewhere
            self.products.clear()

    def likelihood(self, hand: Cards) -> float:
        """Multiply the likelihoods of the choices; what was not asked counts as what was."""
        trait = _trait(hand, self.elsewhere)
        done, product = self.products.get(trait, (0, 1.0))
        if done == len(self.choices):
            return product
        complete = True
        for choice in self.choices[done:]:
            answer = choice.answers.get(_trait(hand, choice.elsewhere))
            if answer is None:
                complete = False
                answer = fmean(choice.answers.values()) if choice.answers else 1.0
            product *= answer
        if complete:
            self.products[trait] = len(self.choices), product
        return product


class Minds:
    """The choices of one game, in the order in which they were made."""

    def __init__(
        self, own: str | None, sets: Mapping[str, Cards], cards: Mapping[str, int], down: list[str]
    ) -> None:
        self.sets = dict(sets)
        self._own = own  # seat, which has nothing to guess about itself
        self._cards = dict(cards)
        self._down = down
        self.stretches = {letter: [Stretch()] for letter in sets}
        self._seen = 0  # choices
        self._most = _ASKED[len(sets)]
        self.hurried = 0  # how often there was no time to ask as much

    @classmethod
    def dealt(cls, players: int, own: str | None) -> "Minds":
        """Begin with the game."""
        size, letters = SIZES[players], LETTERS[:players]
        down = [f"c{slot}" for slot in range(1, size.center + 1)]
        return cls(own, dict.fromkeys(letters, ()), dict.fromkeys(letters, size.hand), down)

    @classmethod
    def at_rest(cls, view: Snapshot) -> "Minds":
        """Begin in the middle of a game, the past of which is not known."""
        taken = {} if view.attempt is None else revealed_of_hands(view.attempt)
        cards = {
            seat.seat: seat.cards + sum(map(len, taken.get(seat.seat, ()))) for seat in view.seats
        }
        down = [f"c{slot}" for slot, state in enumerate(view.center, 1) if state != "gone"]
        return cls(view.you.seat, {seat.seat: seat.sets for seat in view.seats}, cards, down)

    def see(self, attempt: AttemptView, facts: Facts) -> None:
        """Take in an ended attempt, and teach it to the facts, which knew those before it."""
        for at, card in enumerate(attempt.cards):
            begun = _begun(attempt, at)
            if begun is not None:
                facts.learn(begun)
            if attempt.seat != self._own:
                sight = self.sight(facts, begun)
                elsewhere = _elsewhere(sight, attempt.seat)
                self._seen += 1
                choice = Choice(sight, dict(self.sets), card.source, elsewhere, self._seen)
                self.stretches[attempt.seat][-1].add(choice)
        facts.learn(attempt)
        if attempt.outcome == "set":
            self._collect(attempt)

    def choose(
        self,
        worlds: Sequence[Mapping[str, Cards]],
        keep: int,
        chance: Random,
        deadline: float = inf,
    ) -> list[int]:
        """Choose so many of the worlds, by how well they explain what was chosen.

        A world is the hands of others at rest, by letter. The answer is places in the list;
        what explains much comes several times. The deadline is in seconds of this thread's
        processor.
        """
        hands = {letter: dict.fromkeys(w[letter] for w in worlds) for letter in worlds[0]}
        self._think(hands, deadline)
        likely = {
            letter: {hand: self._likelihood(letter, hand) for hand in those}
            for letter, those in hands.items()
        }
        weights = [prod(likely[letter][hand] for letter, hand in w.items()) for w in worlds]
        if not any(weights):  # too small to tell, after hundreds of choices
            weights = [1.0] * len(worlds)
        totals = list(accumulate(weights))
        step = totals[-1] / keep
        first = chance.random() * step
        most = len(worlds) - 1
        return [min(most, bisect_right(totals, first + step * at)) for at in range(keep)]

    def sight(self, facts: Facts, begun: AttemptView | None) -> Sight:
        """See the table as a spectator, with so much of an attempt."""
        cards = () if begun is None else begun.cards
        taken = [owner_of(card.source) for card in cards]
        return sight_from(
            facts,
            None,
            (),
            down=[slot for slot in self._down if slot not in {card.source for card in cards}],
            cards=[(letter, count - taken.count(letter)) for letter, count in self._cards.items()],
            gone=[number for sets in self.sets.values() for number in sets],
            attempt=begun,
        )

    def _collect(self, attempt: AttemptView) -> None:
        self.sets[attempt.seat] = (*self.sets[attempt.seat], attempt.cards[0].number)
        sources = {card.source for card in attempt.cards}
        self._down = [slot for slot in self._down if slot not in sources]
        for letter, (lows, highs) in revealed_of_hands(attempt).items():
            lost = lows + highs
            self._cards[letter] -= len(lost)
            self.stretches[letter][-1].lost = lost
            self.stretches[letter].append(Stretch())

    def _likelihood(self, letter: str, hand: Cards) -> float:
        return prod(stretch.likelihood(then) for stretch, then in self._back(letter, hand))

    def _back(self, letter: str, hand: Cards) -> Iterator[tuple[Stretch, Cards]]:
        """Go back in time: what a hand has lost since, it had then."""
        for stretch in reversed(self.stretches[letter]):
            if stretch.lost:
                hand = tuple(sorted(hand + stretch.lost))
            if stretch.choices and hand:
                yield stretch, hand

    def _think(self, hands: Mapping[str, Iterable[Cards]], deadline: float) -> None:
        """Ask how likely choices are from these hands, the newest first, while there is time."""
        asked = 0
        for choice, letter, hand in sorted(self._unknown(hands), key=_newest):
            trait = _trait(hand, choice.elsewhere)
            if trait not in choice.answers:
                if asked == self._most:
                    break
                if thread_time() > deadline:
                    self.hurried += 1
                    break
                choice.answers[trait] = choice.likelihood(letter, hand)
                asked += 1

    def _unknown(self, hands: Mapping[str, Iterable[Cards]]) -> Iterator[tuple[Choice, str, Cards]]:
        """List what may have to be asked, hands that are alike only once."""
        for letter, those in hands.items():
            alike: set[tuple[int, Trait]] = set()
            for hand in those:
                for stretch, then in self._back(letter, hand):
                    trait = _trait(then, stretch.elsewhere)
                    done, _ = stretch.products.get(trait, (0, 1.0))
                    if done < len(stretch.choices) and (id(stretch), trait) not in alike:
                        alike.add((id(stretch), trait))
                        for choice in stretch.choices[done:]:
                            yield choice, letter, then


def _newest(unknown: tuple[Choice, str, Cards]) -> int:
    return -unknown[0].at


def _trait(hand: Cards, numbers: Cards) -> Trait:
    low, high = hand[0], hand[-1]
    return (low, hand.count(low), high, hand.count(high), *map(hand.count, numbers))


def _elsewhere(sight: Sight, seat: str) -> Cards:
    numbers = set(sight.known_slots.values())
    if sight.number is not None:
        numbers.add(sight.number)
    for letter, hand in sight.hands.items():
        if letter != seat:
            numbers.update(hand.low[:1], hand.high[:1])
    return tuple(sorted(numbers))


def _begun(attempt: AttemptView, cards: int) -> AttemptView | None:
    """See an attempt when it had so many cards."""
    if not cards:
        return None
    return AttemptView(
        turn=attempt.turn, seat=attempt.seat, cards=attempt.cards[:cards], outcome=None
    )


def _legal(sight: Sight) -> list[str]:
    """List the sources that have a card, the slots first."""
    names = [*sight.known_slots, *sight.dark_slots]
    for letter, hand in sight.hands.items():
        if hand.cards:
            names += [letter.lower() + "<", letter.lower() + ">"]
    return names
