"""How sure a share of wins is, when games come in groups that share their deal.

Games of one deal are not independent: the deal may suit one bot wherever it sits, or one
seat whoever sits there. So the deals are what is counted.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

_SURE: Final = 1.96  # standard deviations of a 95% interval


def interval(wins: Sequence[int], games: int) -> tuple[float, float]:
    """Return the 95% interval of the share of wins; `wins` by deal, `games` in each deal.

    Wilson's interval, for as many independent games as would be equally sure. The variance
    between the deals is estimated with one deal of plain chance added, so that a few deals
    that happen to agree prove little.
    """
    deals = len(wins)
    share = sum(wins) / (deals * games)
    chance = share * (1 - share)
    if not chance:
        return _wilson(share, deals * games)
    between = sum((won / games - share) ** 2 for won in wins)
    variance = (between + chance / games) / deals
    return _wilson(share, chance * deals / variance)


def _wilson(share: float, games: float) -> tuple[float, float]:
    z2 = _SURE**2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = _SURE / (1 + z2 / games) * sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)
