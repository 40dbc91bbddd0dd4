"""Your own hand: sorted, open to you alone, with the keys of its two ends."""

from collections.abc import Iterator

from nana_client.layout import Plan, Rect
from nana_client.sight import Sight
from nana_client.widgets.card import Face, Size
from nana_client.widgets.opponent import edge_place, end_keys, set_pieces, state_piece, won_piece
from nana_client.widgets.sheet import Card, Item, Piece, Words
from nana_core.protocol.outbound import SeatView
from nana_core.text import clipped

_NAME_CELLS = 20


def hand_items(sight: Sight, plan: Plan) -> Iterator[Item]:
    """Lay out the viewer's name, sets and cards."""
    me, rect, size = sight.me, plan.hand, plan.density.hand
    if me is None or rect is None:
        return
    beside = rect.height == 1
    width = _row_width(len(sight.snapshot.you.hand), size, plan.hand_step)
    head = _head(sight, me, short=beside or rect.width < 60)
    if beside:
        name = 22
        yield Words(0, 0, name, head)
        left = max(name + 2, (rect.width - width) // 2)
        right = left + width + 2
        yield Words(right, 0, rect.width - right, set_pieces(me, sight), name=f"sets{me.seat}")
    else:
        left = (rect.width - width) // 2
        sets = (Piece("  "), *set_pieces(me, sight), Piece(" "))
        before, wide = (sum(len(piece.text) for piece in part) for part in (head, sets))
        x = max(0, (rect.width - before - wide) // 2)
        yield Words(x, 0, before, head)
        yield Words(x + before, 0, min(wide, rect.width - x - before), sets, name=f"sets{me.seat}")
    yield from _cards(sight, me, plan, left, 0 if beside else 1)


def _head(sight: Sight, me: SeatView, *, short: bool) -> tuple[Piece, ...]:
    name = clipped(me.name or "you", 10 if short else _NAME_CELLS)
    words = f"{me.seat} {name}" + ("" if short else " (you)")
    if sight.on_turn(me):
        sign = "★" if sight.over else "▶"
        return Piece(f" {sign} {words} ", "accent", bold=True, fill=True), won_piece(me)
    state = state_piece(me, sight)
    tail = (Piece(f" {state.text}", state.tone),) if state.text else ()
    return (Piece(f" {words}", bold=True), won_piece(me), *tail)


def _row_width(cards: int, size: Size, step: int) -> int:
    return (cards - 1) * step + size.width if cards else 0


def _cards(sight: Sight, me: SeatView, plan: Plan, left: int, y: int) -> Iterator[Item]:
    hand, size = sight.snapshot.you.hand, plan.density.hand
    letter = me.seat.lower()
    last = len(hand) - 1
    if hand and size.height == 1 and not sight.over:
        yield from _tiny_keys(sight, letter, left, y, _row_width(len(hand), size, plan.hand_step))
    raised: list[Item] = []
    if not hand:
        across = (plan.hand or Rect(0, 0, 20, 1)).width
        late = sight.over and sight.open_hand(me) is None
        none = "you play the next game" if late else "no cards left"
        yield Words(0, y, across, (Piece(none.center(across), "faint"),))
    for at, number in enumerate(hand):
        low, high = at == 0, at == last
        source = f"{letter}{'<' if low else '>'}" if low or high else None
        if low and high and sight.aim == f"{letter}>":
            source = f"{letter}>"
        live = source is not None and source in sight.live
        mark = sight.mark_of(source) if source else ""
        key = "" if sight.over else end_keys(sight, letter, low=low, high=high)
        edge = edge_place(low=low, high=high)
        face = Face("up", number, key=key, at=edge, live=live, mark=mark)
        x, name = left + at * plan.hand_step, f"{letter}@{at}"
        card = Card(x, y, size, face, source if live else None, name=name)
        if mark == "aim":
            raised.append(card)
        else:
            yield card
    yield from raised


def _tiny_keys(sight: Sight, letter: str, left: int, y: int, width: int) -> Iterator[Item]:
    """Set the keys of both ends beside cards that are too small to hold them."""
    for sign, x in (("<", left - 1), (">", left + width)):
        source = letter + sign
        live, key = source in sight.live, sight.key_of(source)[:1]
        yield Words(x, y, 1, (Piece(key, "accent" if live else "dim", bold=live),))
