"""Arrows at the table: where one moves the aim. Pure."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Direction: TypeAlias = Literal["left", "right", "up", "down"]

_ROW_WEIGHT: Final = 3  # a row is this much farther than a column


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
