"""Motion that explains: a card turns and comes to the attempt, goes back, or is collected.

Pure: what moves follows from two boards as they were laid, and where it is from the time
that has passed. The truth does not wait: only the cards that move differ from the newest
board, the words on it tell all at once, and the next snapshot ends every motion.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nana_client.sight import Sight
from nana_client.widgets.card import SMALL, TINY, Face, Size
from nana_client.widgets.sheet import FLYING, Card, Item, Words
from nana_core.protocol.outbound import AttemptView, CardView, Snapshot

FRAME_MS: Final = 40
LASTS_MS: Final = 280
SLOW_MS: Final = 250  # over a slower line what happened should show at once
_EDGEWISE: Final = (0.4, 0.6)  # when a card that turns on its way is seen from its edge


class Spot(Struct, frozen=True):
    """A place on the board, in cells."""

    x: int
    y: int
    width: int
    height: int


class Flight(Struct, frozen=True):
    """A card on its way; `cover` is the place that shows nothing until it has come."""

    start: Spot
    end: Spot
    size: Size
    before: Face
    after: Face
    cover: tuple[str, Face | None]


class Motion(Struct, frozen=True):
    """Cards on their way from one board to the next."""

    flights: tuple[Flight, ...]
    turns: tuple[tuple[str, Face], ...] = ()  # places whose card turns, and what it was

    def over(self, items: Iterable[Item], ms: int) -> Iterator[Item]:
        """Lay the moving cards over a board, as they are so long after the beginning."""
        t = min(1.0, max(0.0, ms / LASTS_MS))
        covers, turns = dict(flight.cover for flight in self.flights), dict(self.turns)
        for item in items:
            if isinstance(item, Card) and item.name in covers:
                face = covers[item.name]
                if face is not None:
                    yield replace(item, face=face, press=None)
            elif isinstance(item, Card) and item.name in turns:
                yield replace(item, face=_turned(turns[item.name], item.face, t))
            else:
                yield item
        yield from (_flying(flight, t) for flight in self.flights)


def wants_calm(environ: Mapping[str, str]) -> bool:
    """Tell whether somebody has asked all programs for no motion: by NO_MOTION, if not empty."""
    return bool(environ.get("NO_MOTION"))


def motion_between(
    before: tuple[Sight, Sequence[Item]], after: tuple[Sight, Sequence[Item]]
) -> Motion | None:
    """Return what moves from one board to the next; None where that explains nothing."""
    (old, _), (new, _) = before, after
    was, now = old.snapshot, new.snapshot
    if (was.epoch, was.game) != (now.epoch, now.game) or now.step - was.step != 1:
        return None
    if _revealed(was.attempt, now.attempt):
        return _reveal(before, after)
    if was.attempt is not None and was.attempt.outcome is not None and not _cards(now):
        return _cleared(was.attempt, before, after)
    return None


def _cards(snapshot: Snapshot) -> tuple[CardView, ...]:
    return snapshot.attempt.cards if snapshot.attempt is not None else ()


def _revealed(was: AttemptView | None, now: AttemptView | None) -> bool:
    """Tell whether one card came to an attempt."""
    if now is None or not now.cards:
        return False
    earlier = was.cards if was is not None and was.outcome is None else ()
    return now.cards[:-1] == earlier


def _reveal(
    before: tuple[Sight, Sequence[Item]], after: tuple[Sight, Sequence[Item]]
) -> Motion | None:
    """Let the newest card turn where it lies and come to its place in the attempt."""
    cards = _cards(after[0].snapshot)
    old, new = _named(before[1]), _named(after[1])
    place = f"place{len(cards) - 1}"
    card = cards[-1]
    source = _place_of(before[0], card.source, 0, old)
    start, end = old.get(source), new.get(place)
    if not isinstance(start, Card) or end is None:
        return None
    up, back = Face("up", card.number), Face(start.face.kind, start.face.number)
    flight = Flight(
        _spot(start), _spot(end), _size_between(start, end), back, up,
        (place, Face("place", mark="aim")),
    )  # fmt: skip
    turns = ((source, start.face),) if card.source[1:].isdigit() else ()
    return Motion((flight,), turns)


def _cleared(
    attempt: AttemptView,
    before: tuple[Sight, Sequence[Item]],
    after: tuple[Sight, Sequence[Item]],
) -> Motion | None:
    """Let the cards of an ended attempt go back, or to whoever has collected them."""
    old, new = _named(before[1]), _named(after[1])
    flights: list[Flight] = []
    for at, card in enumerate(attempt.cards):
        earlier = sum(card.source == other.source for other in attempt.cards[:at])
        back = attempt.outcome == "miss"
        target = _place_of(after[0], card.source, earlier, new) if back else f"sets{attempt.seat}"
        start, end = old.get(f"place{at}"), new.get(target)
        if start is None or end is None:
            return None
        face = Face("up", card.number)
        if isinstance(end, Card):
            hidden = Face("place") if target[0] == "c" and target[1:].isdigit() else None
            after_face = replace(end.face, key="", mark="")
            size = _size_between(start, end)
            flights.append(
                Flight(_spot(start), _spot(end), size, face, after_face, (target, hidden))
            )
        else:
            flights.append(Flight(_spot(start), _spot(end), TINY, face, face, ("", None)))
    return Motion(tuple(flights)) if flights else None


def _named(items: Iterable[Item]) -> Mapping[str, Card | Words]:
    return {item.name: item for item in items if isinstance(item, Card | Words) and item.name}


def _place_of(sight: Sight, source: str, earlier: int, named: Mapping[str, Card | Words]) -> str:
    """Return the name of a source's place; `earlier` cards of the same end lie outside of it."""
    letter, end = source[:1], source[1:]
    if end.isdigit():
        return source
    seat = next((seat for seat in sight.players if seat.seat == letter.upper()), None)
    cards = seat.cards if seat is not None else 0
    place = f"{letter}@{earlier if end == '<' else cards - 1 - earlier}"
    return place if place in named else source


def _spot(item: Card | Words) -> Spot:
    return Spot(*item.region)


def _size_between(start: Card | Words, end: Card | Words) -> Size:
    """A card travels small: that is calm, and little to write."""
    return SMALL if min(start.region.height, end.region.height) >= SMALL.height else TINY


def _turned(was: Face, now: Face, t: float) -> Face:
    low, high = _EDGEWISE
    if t < low / 2:
        return was
    return Face("side", now.number if now.kind == "up" else None) if t < high / 2 else now


def _flying(flight: Flight, t: float) -> Card:
    """Draw a card on its way: it starts and comes to rest softly, and turns in the middle."""
    soft = t * t * (3 - 2 * t)
    size, face = _seen(flight, t)
    start, end = _middle(flight.start, size), _middle(flight.end, size)
    x, y = (round(a + (b - a) * soft) for a, b in zip(start, end, strict=True))
    return Card(x, y, size, face, name=FLYING)


def _seen(flight: Flight, t: float) -> tuple[Size, Face]:
    """Return what one sees of a card: one side, the other, or for a moment its edge."""
    (low, high), was, will = _EDGEWISE, flight.before, flight.after
    if was.kind == will.kind or t < low:
        return flight.size, was
    if t >= high:
        return flight.size, will
    return Size(1, flight.size.height), Face("side", will.number or was.number)


def _middle(spot: Spot, size: Size) -> tuple[int, int]:
    """Return where a card of a size lies that has a place's middle."""
    return spot.x + (spot.width - size.width) // 2, spot.y + (spot.height - size.height) // 2
