"""The lobby's two lists: the seats with who sits there, and the options with what they mean."""

from collections.abc import Iterator

from nana_client.options import LEVELS, OPTIONS, Option, value_of
from nana_client.widgets.prose import prose_items
from nana_client.widgets.sheet import Item, Piece, Words
from nana_client.words import is_away
from nana_core.protocol.outbound import OptionsView, SeatView, Snapshot
from nana_core.text import clipped

_TITLE = 14
_VALUE = 14


def seats_items(
    snapshot: Snapshot, cursor: str | None, width: int, more: str = ""
) -> Iterator[Item]:
    """Lay out the seats; `cursor` is the letter of the one that is chosen.

    `more` says where the options are when there is no room for them. To the host each seat
    has its buttons: a bot for a free one, another level, and away with who sits there.
    """
    yield Words(0, 0, width, (Piece("   SEATS", "dim", bold=True), Piece(more, "faint")))
    for at, seat in enumerate(snapshot.seats, start=1):
        on = seat.seat == cursor
        buttons = _buttons(snapshot, seat) if snapshot.you.host else ()
        room = width - sum(len(text) + 1 for text, _ in buttons)
        yield Words(0, at, room, _seat(snapshot, seat, room, on=on), f"seat {seat.seat}")
        x = room
        for text, what in buttons:
            yield Words(x, at, len(text), (Piece(text, "accent" if on else "dim"),), what)
            x += len(text) + 1


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
    options: OptionsView, cursor: str | None, width: int, *, host: bool, hint: str = ""
) -> Iterator[Item]:
    """Lay out the options and, below, what the chosen one means; `hint` stands beside the head."""
    yield Words(0, 0, width, (Piece("   OPTIONS", "dim", bold=True), Piece(hint, "faint")))
    for at, option in enumerate(OPTIONS, start=1):
        yield from _option(options, option, at, on=option.key == cursor, host=host)
    chosen = next((option for option in OPTIONS if option.key == cursor), None)
    if chosen is not None:
        text = chosen.meaning(value_of(options, chosen))
        yield from prose_items("  " + text, width, 2, "text", len(OPTIONS) + 1)


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


def people_items(snapshot: Snapshot, width: int) -> Iterator[Item]:
    """Lay out who watches."""
    if snapshot.watching:
        names = ", ".join(snapshot.watching)
        yield Words(0, 0, width, (Piece("   watching: ", "dim"), Piece(names)))
