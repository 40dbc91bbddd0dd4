"""The lobby's two lists: the seats with who sits there, and the options with what they mean."""

from collections.abc import Iterator

from nana_client.gathering import SCALES, Scale
from nana_client.options import LEVELS, OPTIONS, Option, value_of
from nana_client.theme import Tone
from nana_client.widgets.prose import prose_items
from nana_client.widgets.sheet import Item, Piece, Words, shifted
from nana_client.words import is_away
from nana_core.deck import MIN_PLAYERS, SIZES
from nana_core.protocol.outbound import OptionsView, SeatView, Snapshot
from nana_core.text import clipped

_TITLE = 14
_VALUE = 14
_TALL = 3  # rows from which on a seat is as large as a card


def seats_items(
    snapshot: Snapshot, cursor: str | None, width: int, scale: Scale = SCALES[-1], more: str = ""
) -> Iterator[Item]:
    """Lay out the seats; `cursor` is the letter of the one that is chosen.

    `more` says where the options are when there is no room for them. To the host each seat
    has its buttons: a bot for a free one, another level, and away with who sits there.
    """
    yield Words(0, 0, width, (Piece("   SEATS", "dim", bold=True), Piece(more, "faint")))
    tall = scale.seat > _TALL
    for at, seat in enumerate(snapshot.seats):
        on, top = seat.seat == cursor, scale.lead + at * scale.seat
        y = top + 1 if tall else top
        buttons = _buttons(snapshot, seat) if snapshot.you.host else ()
        room = width - sum(len(text) + 1 for text, _ in buttons)
        if tall:
            yield from _place(snapshot, seat, room, top, on=on)
        else:
            yield Words(0, y, room, _seat(snapshot, seat, room, on=on), f"seat {seat.seat}")
        x = room
        for text, what in buttons:
            yield Words(x, y, len(text), (Piece(text, "accent" if on else "dim"),), what)
            x += len(text) + 1


def _place(snapshot: Snapshot, seat: SeatView, width: int, top: int, *, on: bool) -> Iterator[Item]:
    """Draw a seat as large as a card: who sits there, and below it what there is to say."""
    free = seat.kind == "free"
    edges = (
        ("╭╌╌╌╮", f"╎ {seat.seat} ╎", "╰╌╌╌╯") if free else ("     ", f"  {seat.seat}  ", "     ")
    )
    tone = "faint" if free else "accent" if seat.seat == snapshot.you.seat else "edge"
    name = (
        Piece("free", "faint") if free else Piece(clipped(seat.name or "", width - 10), bold=True)
    )
    notes = () if free else _notes(snapshot, seat)
    said = ((name,), notes, ()) if notes else ((), (name,), ())
    for y, (edge, words) in enumerate(zip(edges, said, strict=True)):
        pointer = Piece(" ▸ " if on and y == 1 else "   ", "accent", bold=True)
        gap = Piece("  " if words != notes or free else " ")
        pieces = (pointer, Piece(edge, tone, bold=True, fill=not free), gap, *words)
        yield Words(0, top + y, width, pieces, f"seat {seat.seat}")


def _buttons(snapshot: Snapshot, seat: SeatView) -> tuple[tuple[str, str], ...]:
    """Return what a host may do with a seat: words to click, and what each means."""
    if seat.kind == "free":
        return (("+ bot", f"add {seat.seat}"),)
    if seat.seat == snapshot.you.seat or seat.left:
        return ()
    away = (("✕", f"drop {seat.seat}"),)
    if seat.level is None:
        return away
    return (("◂", f"weaker {seat.seat}"), ("▸", f"stronger {seat.seat}"), *away)


def _seat(snapshot: Snapshot, seat: SeatView, width: int, *, on: bool) -> tuple[Piece, ...]:
    pointer = Piece(" ▸ " if on else "   ", "accent", bold=True)
    letter = Piece(
        f" {seat.seat} ", "accent" if seat.kind != "free" else "faint", bold=True, fill=True
    )
    if seat.kind == "free":
        return (pointer, letter, Piece(" free", "faint"))
    notes = _notes(snapshot, seat)
    used = sum(len(note.text) for note in notes)
    name = clipped(seat.name or "", max(4, width - 8 - used))
    return (pointer, letter, Piece(f" {name}", bold=True), *notes)


def _notes(snapshot: Snapshot, seat: SeatView) -> tuple[Piece, ...]:
    notes = [Piece(" you", "accent")] if seat.seat == snapshot.you.seat else []
    notes += [Piece(" host", "good")] if seat.seat == snapshot.host else []
    if seat.kind == "bot":
        notes.append(Piece(f" {LEVELS.get(seat.level or '', '')} bot".replace("  ", " "), "dim"))
    if seat.left:
        notes.append(Piece(" left", "warn"))
    elif is_away(seat):
        notes.append(Piece(" ✗ away", "warn"))
    if snapshot.phase == "over" and seat.ready:
        notes.append(Piece(" ready", "good"))
    if seat.won:
        notes.append(Piece(f" {seat.won} won", "dim"))
    return tuple(notes)


def options_items(
    options: OptionsView,
    cursor: str | None,
    width: int,
    scale: Scale = SCALES[-1],
    *,
    host: bool,
    hint: str = "",
) -> Iterator[Item]:
    """Lay out the options with what each means, or below what the chosen one means.

    `hint` stands beside the head.
    """
    yield Words(0, 0, width, (Piece("   OPTIONS", "dim", bold=True), Piece(hint, "faint")))
    for at, option in enumerate(OPTIONS):
        y, on = scale.lead + at * scale.option, option.key == cursor
        yield from _option(options, option, y, on=on, host=host)
        if not scale.meaning:
            yield from _meant(options, option, y + 1, width, "text" if on else "dim")
    chosen = next((option for option in OPTIONS if option.key == cursor), None)
    if chosen is not None and scale.meaning:
        yield from _meant(options, chosen, scale.options - scale.meaning, width, "text")


def _meant(options: OptionsView, option: Option, y: int, width: int, tone: Tone) -> Iterator[Item]:
    text = option.meaning(value_of(options, option))
    return shifted(prose_items(text, width - 2, 2, tone, y), 2, 0)


def _option(
    options: OptionsView, option: Option, y: int, *, on: bool, host: bool
) -> Iterator[Item]:
    pointer = Piece(" ▸ " if on else "   ", "accent", bold=True)
    title = Piece(option.title.ljust(_TITLE), "text" if on else "dim", bold=on)
    value = option.shown(value_of(options, option))
    yield Words(0, y, 3 + _TITLE, (pointer, title), f"option {option.key}")
    x = 3 + _TITLE
    if host:
        yield Words(x, y, 2, (Piece("◂ ", "accent" if on else "faint"),), f"less {option.key}")
    middle = value.center(_VALUE - 4) if host else value
    yield Words(x + 2, y, _VALUE - 4, (Piece(middle, bold=True),), f"more {option.key}")
    if host:
        arrow = (Piece(" ▸", "accent" if on else "faint"),)
        yield Words(x + _VALUE - 2, y, 2, arrow, f"more {option.key}")


def deal_items(snapshot: Snapshot, width: int) -> Iterator[Item]:
    """Lay out what would be dealt to those who sit here, and how one wins."""
    coming = [seat for seat in snapshot.seats if seat.kind != "free"]
    if snapshot.phase == "over":
        coming = [seat for seat in coming if seat.ready]
    count = max(MIN_PLAYERS, len(coming))
    size = SIZES[count]
    head = (Piece("   THE GAME", "dim", bold=True), Piece(f"   {count} players", "faint"))
    yield Words(0, 0, width, head)
    cards = f"{size.hand} in every hand, {size.center} face down in the center"
    told = (
        f"Numbers 1-{size.top}, three of each: {cards}.",
        "Three sets win, or the 7s alone, or two that add up to 7 or differ by 7.",
    )
    for y, line in enumerate(told, start=1):
        yield Words(3, y, width - 3, (Piece(line, "dim"),))


def people_items(snapshot: Snapshot, width: int) -> Iterator[Item]:
    """Lay out who watches."""
    if snapshot.watching:
        names = ", ".join(snapshot.watching)
        yield Words(0, 0, width, (Piece("   watching: ", "dim"), Piece(names)))
