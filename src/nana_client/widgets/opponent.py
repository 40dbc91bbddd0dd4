"""Another player's seat: name, state, the backs of the hand, and the sets won."""

from collections.abc import Iterator
from typing import Final

from nana_client.layout import Plan, Rect
from nana_client.sight import Sight
from nana_client.widgets.card import FAN, HUGE, LARGE, SMALL, TINY, EdgePlace, Face, Size
from nana_client.widgets.sheet import Card, Item, Piece, Words
from nana_client.words import is_away
from nana_core.deck import SIZES
from nana_core.game import SETS_TO_WIN
from nana_core.protocol.outbound import SeatView
from nana_core.text import clipped

_SETS_LEAST: Final = 11  # columns of sets in a line, so that seats below each other align


def set_pieces(seat: SeatView, sight: Sight, *, places: int = SETS_TO_WIN) -> tuple[Piece, ...]:
    """Return the seat's sets as chips in their numbers' colours, and the places still empty."""
    winning = _winning(seat, sight)
    pieces: list[Piece] = []
    for number in seat.sets:
        star = "★" if number in winning else " "
        pieces += [Piece(f"{star}{number} ", number, bold=True, fill=True), Piece(" ")]
    empty = max(0, places - len(seat.sets))
    return (*pieces, Piece(" ".join("○" * empty), "faint"))


def _winning(seat: SeatView, sight: Sight) -> set[int]:
    result = sight.snapshot.result
    if result is None or result.seat != seat.seat:
        return set()
    return {number for win in result.wins for number in win.sets}


def state_piece(seat: SeatView, sight: Sight) -> Piece:
    """Say in a word or two what is special about a seat."""
    if sight.over and seat.ready and seat.kind == "person":
        return Piece("ready", "good")
    if seat.left:
        return Piece("left", "warn")
    if is_away(seat):
        return Piece("✗ away", "warn")
    if seat.stand_in:
        return Piece("stand-in", "warn")
    if seat.kind == "bot":
        return Piece("bot", "dim")
    return Piece("", "dim")


def seat_items(sight: Sight, seat: SeatView, plan: Plan, rect: Rect) -> Iterator[Item]:
    """Lay out one seat in its rectangle."""
    if plan.seat_card is None:
        yield from _line(sight, seat, rect)
        return
    size, step = plan.seat_card, plan.seat_step
    hand = SIZES[sight.size].hand
    width = max(min(rect.width, 19), (hand - 1) * step + size.width)
    left = (rect.width - width) // 2
    near = rect.y > plan.center.y
    head, foot = (size.height + 1, 0) if near else (0, size.height + 1)
    yield from _head(sight, seat, left, head, width)
    yield from _fan(sight, seat, size, step, (left, 1, width, rect.width - left))
    yield from _foot(sight, seat, left + 1, foot, width - 2)


def _head(sight: Sight, seat: SeatView, left: int, y: int, width: int) -> Iterator[Item]:
    state = state_piece(seat, sight)
    won = won_piece(seat)
    right = len(state.text) + 1 if state.text else 0
    room = width - 4 - len(won.text) - right
    name = f"{seat.seat} {clipped(seat.name or '', max(1, room - 2))}"
    if sight.on_turn(seat):
        sign = "★" if sight.over else "▶"
        pieces = [Piece(f" {sign} {name} ", "accent", bold=True, fill=True), won]
    else:
        pieces = [Piece(seat.seat, "dim", bold=True), Piece(name[1:], bold=True), won]
    yield Words(left, y, width - right, tuple(pieces))
    if state.text:
        yield Words(left + width - len(state.text), y, len(state.text), (state,))


def _foot(sight: Sight, seat: SeatView, x: int, y: int, width: int) -> Iterator[Item]:
    """Lay out the sets, and at the right how many cards are left: both lie on the table's edge."""
    sets = set_pieces(seat, sight)
    used = sum(len(piece.text) for piece in sets)
    yield Words(x, y, used, sets, name=f"sets{seat.seat}")
    room = width - used - 1
    right = _count(sight, seat, room)
    wide = min(room, len(right.text))
    if wide > 0:
        yield Words(x + width - wide, y, wide, (right,))


def _count(sight: Sight, seat: SeatView, room: int) -> Piece:
    """Say what is known of the hand: its cards with open memory, else how many there are."""
    known = sight.known(seat)
    if known:
        return Piece(f"seen {' '.join(map(str, known))}", "text")
    if sight.over:  # the hand lies open and is counted by looking
        won = won_words(seat)  # the star by the name tells it, too
        return Piece(won if len(won) <= room else "", "dim")
    cards = "1 card" if seat.cards == 1 else f"{seat.cards} cards"
    return Piece(cards if len(cards) <= room else str(seat.cards), "dim")


def won_piece(seat: SeatView) -> Piece:
    """Say behind a name how many games its player has won; nothing before the first."""
    return Piece(f" ★{seat.won}" if seat.won else "", "accent")


def won_words(seat: SeatView) -> str:
    """Say in words how many games a seat's player has won."""
    return f"{seat.won} won" if seat.won else ""


def _fan(
    sight: Sight, seat: SeatView, size: Size, step: int, place: tuple[int, int, int, int]
) -> Iterator[Item]:
    """Lay out the hand, overlapping where it must: an aimed end lies on top.

    Aimed at the lowest, the whole fan overlaps the other way: every card still shows an edge.
    """
    x, y, width, room = place
    hand = sight.open_hand(seat)
    count = seat.cards if hand is None else len(hand)
    if hand is not None and step < size.width:
        opened = _opened(len(hand), size, room)
        y += (size.height - opened[0].height) // 2
        size, step = opened
    if count == 0:
        none = "plays the next game" if sight.over and hand is None else "no cards left"
        yield Words(x, y + 1, width, (Piece(none, "faint"),))
    order = range(count)
    for at in reversed(order) if sight.aim == f"{seat.seat.lower()}<" else order:
        face, source = _face(sight, seat, at, count, None if hand is None else hand[at])
        press, name = source if source in sight.live else None, f"{seat.seat.lower()}@{at}"
        yield Card(x + at * step, y, size, face, press, name=name)


def _opened(cards: int, size: Size, room: int) -> tuple[Size, int]:
    """Return the largest cards of an open hand that cover no numeral, and how far they advance."""
    apart = [(each, each.width) for each in (HUGE, LARGE, SMALL) if each.height <= size.height]
    for each, step in (*apart, (SMALL, SMALL.width - 1)):
        if (cards - 1) * step + each.width <= room:
            return each, step
    return FAN, FAN.width - 1


def _face(
    sight: Sight, seat: SeatView, at: int, count: int, number: int | None
) -> tuple[Face, str | None]:
    """Return a card's face and, at an end of the hand, its source."""
    if number is not None:
        return Face("up", number), None
    letter = seat.seat.lower()
    low, high = at == 0, at == count - 1
    if not (low or high):
        return Face("back"), None
    source = f"{letter}{'<' if low and not (high and sight.aim == letter + '>') else '>'}"
    key = end_keys(sight, letter, low=low, high=high)
    place = edge_place(low=low, high=high)
    live = source in sight.live
    return Face("back", key=key, at=place, live=live, mark=sight.mark_of(source)), source


def end_keys(sight: Sight, letter: str, *, low: bool, high: bool) -> str:
    """Return what stands on an end card of a hand; the only card of one is both ends."""
    low_key = sight.key_of(f"{letter}<") if low else ""
    return low_key + (sight.key_of(f"{letter}>") if high else "")


def edge_place(*, low: bool, high: bool) -> EdgePlace:
    """Say where an end card's key stands; the only card of a hand is both ends."""
    if low == high:
        return "mid"
    return "left" if low else "right"


def _line(sight: Sight, seat: SeatView, rect: Rect) -> Iterator[Item]:
    """Lay out a seat in one line: name, ends and count of the hand, sets."""
    hand = sight.open_hand(seat)
    cards = _open_line(hand) if hand is not None else ()
    sets = set_pieces(seat, sight)
    sets_width = max(_SETS_LEAST, sum(len(piece.text) for piece in sets))
    cards_width = sum(len(p.text) for p in cards) if hand is not None else 14
    state = state_piece(seat, sight)
    name_width = max(6, rect.width - cards_width - sets_width - 2)
    yield Words(0, 0, name_width, _line_name(sight, seat, state, name_width))
    x = name_width + 1
    if hand is not None:
        yield Words(x, 0, min(cards_width, rect.width - x), cards)
    else:
        yield from _line_backs(sight, seat, x)
    x += cards_width + 1
    if x + sets_width <= rect.width:
        yield Words(x, 0, sets_width, sets, name=f"sets{seat.seat}")


def _line_name(sight: Sight, seat: SeatView, state: Piece, width: int) -> tuple[Piece, ...]:
    won = won_piece(seat)
    tail = f" {state.text}" if state.text and width >= 14 else ""
    name = clipped(seat.name or "", max(2, width - 4 - len(tail) - len(won.text)))
    if sight.on_turn(seat):
        sign = "★" if sight.over else "▶"
        pad = "" if won.text else " "
        head = Piece(f"{sign}{seat.seat} {name}{pad}", "accent", bold=True, fill=True)
        return (head, won, Piece(tail, state.tone))
    return (Piece(f" {seat.seat} ", "dim", bold=True), Piece(name), won, Piece(tail, state.tone))


def _line_backs(sight: Sight, seat: SeatView, x: int) -> Iterator[Item]:
    """Lay out the two ends as cards, and the count between them."""
    letter = seat.seat.lower()
    for at, sign in enumerate("<>"):
        source = letter + sign
        if seat.cards == 0:
            continue
        key, live = sight.key_of(source), source in sight.live
        face = Face("back", key=key, live=live, mark=sight.mark_of(source))
        yield Card(x + at * 9, 0, TINY, face, source if live else None, name=source)
    count = str(seat.cards) if seat.cards else "none"
    yield Words(x + 4, 0, 5, (Piece(f"·{count}·".center(5), "dim"),))


def _open_line(hand: tuple[int, ...]) -> tuple[Piece, ...]:
    return tuple(Piece(f"{number} ", "text", bold=True) for number in hand)
