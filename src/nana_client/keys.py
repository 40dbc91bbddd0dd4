"""Keys at the table: press what you see.

A digit is a slot of the center, a lower-case letter a seat's lowest card, a capital
its highest. Pure: what a key means, and where an arrow moves the aim.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from nana_core.deck import LETTERS

Direction: TypeAlias = Literal["left", "right", "up", "down"]

# The unshifted digit row of French and Belgian keyboards.
_AZERTY: Final = dict(zip("&é\"'(§è!çà", "1234567890", strict=True)) | {"-": "6", "_": "8"}
_ROW_WEIGHT: Final = 3  # a row is this much farther than a column


def source_of(char: str | None) -> str | None:
    """Return the source that a character stands for, whether or not it can be revealed."""
    if char is None or len(char) != 1:
        return None
    char = _AZERTY.get(char, char)
    if char in "0123456789":
        return f"c{char if char != '0' else '10'}"
    if char.upper() in LETTERS:
        return f"{char.lower()}{'<' if char.islower() else '>'}"
    return None


def key_of(source: str) -> str:
    """Return the key that reveals a source."""
    if source[1:].isdigit():
        return source[1:] if source != "c10" else "0"
    return source[0].upper() if source.endswith(">") else source[0]


class Spot(Struct, frozen=True):
    """Where on the screen the card of a source has its middle."""

    source: str
    x: int
    y: int


def moved(aim: str | None, direction: Direction, spots: Iterable[Spot]) -> str | None:
    """Return the source that an arrow leads to: the nearest that way, else the aim itself."""
    spots = tuple(spots)
    here = next((spot for spot in spots if spot.source == aim), None)
    if here is None:
        return spots[0].source if spots else None
    ahead = [spot for spot in spots if _is_ahead(here, spot, direction)]
    if not ahead:
        return here.source
    return min(ahead, key=lambda spot: _distance(here, spot, direction)).source


def _is_ahead(here: Spot, spot: Spot, direction: Direction) -> bool:
    match direction:
        case "left":
            return spot.x < here.x and abs(spot.y - here.y) <= 1
        case "right":
            return spot.x > here.x and abs(spot.y - here.y) <= 1
        case "up":
            return spot.y < here.y
        case "down":
            return spot.y > here.y


def _distance(here: Spot, spot: Spot, direction: Direction) -> tuple[int, int]:
    across, along = abs(spot.x - here.x), abs(spot.y - here.y)
    if direction in {"left", "right"}:
        return across, along
    return along * _ROW_WEIGHT + across // 4, across
