"""Where everything on the table lies: one pure function of the terminal's size.

`plan` tries the densities from the richest to the barest and takes the first that
fits whole; rows that are left over become air, then a longer log. It returns None
where not even the barest fits: then the screen asks for more room.
"""

from itertools import cycle
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nana_client.layout import (
    BESIDE,
    BESIDE_HEIGHT,
    DENSITIES,
    TALK_WIDTH,
    Density,
    Plan,
    Rect,
    talk_width,
)
from nana_client.widgets.card import SMALL, TINY, Size
from nana_core.deck import SIZES

_MARGIN: Final = 1
_STEP_LEAST: Final = 3  # columns that a card in a fan must show
_LINE_LEAST: Final = 36  # columns of a seat that is told in one line
_SEAT_LEAST: Final = 26
_SEAT_MOST: Final = 44
_PROMPT: Final = 2  # rows
_ATTEMPT_WIDTH: Final = 26
_CAPTION: Final = 7  # columns of "slot 10"
_LEAST_WIDTH: Final = 44
_ONE_LINE: Final = 70  # columns for name, tiny cards and sets in one line
_LOG_MOST: Final = 4
_GAP: Final = 3  # columns between center and attempt
_INSIDE: Final = 2  # columns that the rim and a margin take on each side
_TABLE_MORE: Final = 16  # columns that the table may reach out beyond what lies on it


class _Air(Struct, frozen=True):
    """How spare rows are shared out."""

    gaps: tuple[int, ...]  # above seats, middle, hand and prompt
    log: int  # rows that the log gets on top


class _Screen(Struct, frozen=True):
    """What is given: the terminal, the columns that the table has of it, who plays."""

    width: int
    height: int
    table: int
    players: int
    seated: bool

    @property
    def others(self) -> int:
        return self.players - 1 if self.seated else self.players

    @property
    def room(self) -> int:
        return self.table - 2 * _MARGIN


class _Group(Struct, frozen=True):
    """The rows and columns that the parts of one density need."""

    per_row: int
    seat_rows: int
    seat_height: int
    columns: int
    center: tuple[int, int]
    attempt: tuple[int, int]
    stacked: bool
    hand_height: int  # of the viewer's hand; of the seats at the near edge for a watcher
    far: int  # how many seats lie above; a watcher has others below
    rim: tuple[int, int]  # rows that the rim adds above and below what lies on it

    @property
    def middle(self) -> int:
        heights = self.center[1], self.attempt[1]
        return sum(heights) if self.stacked else max(heights)

    @property
    def height(self) -> int:
        return self.seat_rows * self.seat_height + sum(self.rim) + self.middle + self.hand_height


def plan(width: int, height: int, players: int, *, seated: bool) -> Plan | None:
    """Lay out a table of so many players for one of them, or for a watcher.

    `seated` means that one hand is the viewer's own and lies at the bottom.
    """
    beside = width >= BESIDE + TALK_WIDTH and height >= BESIDE_HEIGHT
    talk = talk_width(width) if beside else 0
    screen = _Screen(width, height, width - talk, players, seated)
    tried = (_try(density, screen) for density in DENSITIES)
    return next((found for found in tried if found is not None), None)


def _try(density: Density, screen: _Screen) -> Plan | None:
    if screen.table < _LEAST_WIDTH:
        return None
    group = _group(density, screen)
    if group is None:
        return None
    log = 0 if screen.table < screen.width else density.log
    bars = 1 + _PROMPT + 1
    need = bars + log + group.height
    if need + density.air > screen.height:
        return None
    air = _air(screen.height - need, log=log)
    return _placed(density, group, screen, air)


def _group(density: Density, screen: _Screen) -> _Group | None:
    """Measure the parts; None where they are too wide."""
    hand, slots = SIZES[screen.players].hand, SIZES[screen.players].center
    per_row, seat_height = _seat_size(density, screen, hand)
    columns, center = _grid(density.center, slots)
    attempt = _attempt(density.attempt, screen.room)
    wide = center[0], attempt[0]
    across = max(wide) if density.stacked else sum(wide) + _GAP
    own = _own_width(hand, density.hand) if screen.seated else 0
    inside = 2 * _INSIDE if density.rim else 0
    if per_row < 1 or across > screen.room - inside or own > screen.room - inside:
        return None
    around = not screen.seated and density.seat is not None
    far = -(-screen.others // 2) if around else screen.others
    seat_rows = -(-far // per_row)
    if around and seat_rows > 1:
        return None
    own_height = _hand_height(density.hand, screen.room) if screen.seated else 0
    return _Group(
        per_row=-(-far // seat_rows),
        seat_rows=seat_rows,
        seat_height=seat_height,
        columns=columns,
        center=center,
        attempt=attempt,
        stacked=density.stacked,
        hand_height=seat_height if around else own_height,
        far=far,
        rim=_rim(density, screen),
    )


def _rim(density: Density, screen: _Screen) -> tuple[int, int]:
    """Return the rows of the rim: none where sets of a seat or the own name lie on it."""
    if not density.rim:
        return 0, 0
    lines = density.seat is None
    return int(lines), int(lines and not screen.seated)


def _seat_size(density: Density, screen: _Screen, hand: int) -> tuple[int, int]:
    """Return how many seats fit into a row, and how high one is."""
    if density.seat is None:
        return max(1, min(2, screen.room // _LINE_LEAST)), 1
    fan = _fan(hand, density.seat, _STEP_LEAST)
    return screen.table // (fan + 1), density.seat.height + 2


def _own_width(hand: int, size: Size) -> int:
    """Return the columns that the viewer's hand needs: large numerals must not overlap."""
    if size == SMALL:
        return _fan(hand, size, _STEP_LEAST)
    return hand * size.width


def _hand_height(size: Size, room: int) -> int:
    """One row for name and sets and the cards below; of tiny cards, beside where there is room."""
    return 1 if size.height == 1 and room >= _ONE_LINE else 1 + size.height


def _fan(cards: int, size: Size, step: int) -> int:
    return (cards - 1) * step + size.width


def _grid(size: Size, slots: int) -> tuple[int, tuple[int, int]]:
    """Return the columns of the center's grid, and its width and height."""
    if size.height == 1:
        return slots, (slots * size.width, 1)
    columns = -(-slots // 2)
    return columns, (columns * (size.width + 1) - 1, 2 * size.height + 1)


def _attempt(size: Size, room: int) -> tuple[int, int]:
    if size.height == 1:
        return room, 1
    return max(_ATTEMPT_WIDTH, 3 * max(size.width, _CAPTION) + 2), size.height + 2


def _air(spare: int, *, log: int) -> _Air:
    """Share out the spare rows, one after the other, to what needs them most."""
    gaps = dict.fromkeys(("seats", "middle", "hand", "prompt"), 0)
    more = 0
    for turn in cycle(("middle", "hand", "prompt", "seats", "log")):
        if spare == 0:
            break
        if turn in gaps:
            gaps[turn] += 1
        elif turn == "log" and log > 0 and more < _LOG_MOST:
            more += 1
        else:
            continue
        spare -= 1
    return _Air(tuple(gaps.values()), log + more)


def _placed(density: Density, group: _Group, screen: _Screen, air: _Air) -> Plan:
    """Put everything in its place, from the top down."""
    hand, table = SIZES[screen.players].hand, screen.table
    y = 1 + air.gaps[0]
    seats = _seats(density, group, screen, y)
    far = seats[: group.far]
    y += group.seat_rows * group.seat_height
    top = y - 1 + group.rim[0]
    y += group.rim[0] + air.gaps[1]
    center, attempt = _middle(group, table, y)
    y += group.middle + air.gaps[2]
    felt = _felt(screen, (far, center, attempt), hand * density.hand.width, top, y)
    seats = (*far, *(replace(rect, y=y) for rect in seats[group.far :]))
    own = Rect(_MARGIN, y, screen.room, group.hand_height) if screen.seated else None
    y += group.hand_height + group.rim[1] + air.gaps[3]
    log = Rect(0, y + _PROMPT, table, air.log) if air.log else None
    talk = Rect(table, 1, screen.width - table, screen.height - 2)
    return Plan(
        density=density,
        title=Rect(0, 0, screen.width, 1),
        felt=felt if density.rim else None,
        seats=seats,
        seat_card=density.seat,
        seat_step=_step(hand, density.seat or TINY, seats[0].width),
        center=center,
        columns=group.columns,
        attempt=attempt,
        hand=own,
        hand_step=_step(hand, density.hand, screen.room - 2 * _INSIDE),
        prompt=Rect(0, y, table, _PROMPT),
        log=log,
        footer=Rect(0, screen.height - 1, screen.width, 1),
        talk=talk if table < screen.width else None,
    )


def _step(cards: int, size: Size, room: int) -> int:
    """How far cards in a row advance: apart where there is room, else overlapping."""
    if size.height == 1:
        return size.width
    if cards < 2:
        return size.width + 1
    step = (room - size.width) // (cards - 1)
    return max(1, min(step, size.width + 1))


def _felt(
    screen: _Screen,
    parts: tuple[tuple[Rect, ...], Rect, Rect],
    hand: int,
    top: int,
    bottom: int,
) -> Rect:
    """Return the table: from the seats' row to the hand's, a little wider than all of them."""
    seats, center, attempt = parts
    most = max(seats[-1].right - seats[0].x, attempt.right - center.x, hand if screen.seated else 0)
    width = min(screen.table, most + _TABLE_MORE)
    return Rect((screen.table - width) // 2, top, width, bottom - top + 1)


def _seats(density: Density, group: _Group, screen: _Screen, top: int) -> tuple[Rect, ...]:
    """Place the far seats row by row, then the near ones, clockwise: from right to left."""
    wide = _SEAT_MOST
    if density.seat is not None:
        hand = SIZES[screen.players].hand
        wide = max(_SEAT_LEAST, _fan(hand, density.seat, density.seat.width + 1) + 2)
    rects: list[Rect] = []
    while len(rects) < group.far:
        y = top + len(rects) // group.per_row * group.seat_height
        count = min(group.per_row, group.far - len(rects))
        rects += _row_of(count, min(screen.table // count, wide + 4), screen, y, group.seat_height)
    if near := screen.others - group.far:
        pitch = min(screen.table // group.far, wide + 4)
        rects += reversed(_row_of(near, pitch, screen, top, group.seat_height))
    return tuple(replace(rect, width=min(rect.width, wide)) for rect in rects)


def _row_of(count: int, pitch: int, screen: _Screen, y: int, height: int) -> list[Rect]:
    """Place so many seats in the middle of a row."""
    left = (screen.table - pitch * count + 1) // 2
    return [Rect(left + at * pitch, y, pitch - 1, height) for at in range(count)]


def _middle(group: _Group, table: int, y: int) -> tuple[Rect, Rect]:
    """Place the center and the attempt: beside each other, or stacked where cards are tiny."""
    (cw, ch), (aw, ah) = group.center, group.attempt
    if group.stacked:
        center = Rect((table - cw) // 2, y, cw, ch)
        return center, Rect((table - aw) // 2, y + ch, aw, ah)
    gap = max(_GAP, min(10, (table - cw - aw) // 4))
    left = (table - cw - gap - aw) // 2
    tall = max(ch, ah)
    return (
        Rect(left, y + (tall - ch + 1) // 2, cw, ch),
        Rect(left + cw + gap, y + (tall - ah) // 2, aw, ah),
    )
