"""Ratings of bots from the order of games: Plackett and Luce's model, as openskill has it.

A bot does not grow better while it plays, so nothing is added to the doubt between games
(tau is 0), and with the games the doubt goes away.
"""

from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

_MODEL: Final = PlackettLuce(tau=0.0)


class Ladder:
    """The ratings of the bots of a contest, by index."""

    def __init__(self, bots: int) -> None:
        self._ratings = [_MODEL.rating() for _ in range(bots)]

    def add(self, seated: tuple[int, ...], winner: int) -> None:
        """Take in a game: one bot won, the others are level with each other."""
        before = [[self._ratings[who]] for who in seated]
        after = _MODEL.rate(before, ranks=[float(who != winner) for who in seated])
        for who, (rating,) in zip(seated, after, strict=True):
            self._ratings[who] = rating

    def of(self, bots: list[int]) -> tuple[float, float]:
        """Return the mean rating of some bots that are the same, and its standard deviation."""
        found: list[PlackettLuceRating] = [self._ratings[who] for who in bots]
        doubt = sum(one.sigma**2 for one in found) ** 0.5 / len(found)
        return sum(one.mu for one in found) / len(found), doubt
