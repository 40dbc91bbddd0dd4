"""What the others' misses say of their hands: who could have taken a set for sure, did.

Owns the most cards of each number that a hand can have at its ends, by that reasoning.
It is a guess about players, not a fact: whoever uses it must do without when it leaves
too little.
"""

from collections import Counter

from nana_core.deck import COPIES, LETTERS, Number
from nana_core.knowledge import Facts, owner_of
from nana_core.protocol.outbound import AttemptView


class Reading:
    """What one game has told about hands by what their owners did not do."""

    def __init__(self) -> None:
        self.most: dict[str, dict[Number, int]] = {letter: {} for letter in LETTERS}

    def see(self, attempt: AttemptView, before: Facts) -> None:
        """Take in an ended attempt; `before` is what all knew when it began."""
        if attempt.outcome == "set":  # the hands that gave cards have other ends now
            for card in attempt.cards:
                if owner := owner_of(card.source):
                    self.most[owner].clear()
            return
        most = self.most[attempt.seat]
        for number, count in _within_reach(before, attempt.seat).items():
            if count < COPIES:
                most[number] = min(COPIES - 1 - count, most.get(number, COPIES))


def _within_reach(facts: Facts, seat: str) -> Counter[Number]:
    """Count the cards of each number that all know to be at hand, outside a seat's own."""
    counts = Counter(facts.slots.values())
    for letter, hand in facts.hands.items():
        if letter != seat:
            for run in (hand.low, hand.high):
                if run:
                    counts[run[0]] += run.count(run[0])
    return counts
