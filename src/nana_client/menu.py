"""The menu of a table: what one may do beside playing. Pure: pages of rows, and their deeds.

What a host may do differs by phase, and what cannot be undone is asked about first: its
row leads to a page whose first answer is no. Others are muted here, on one's own side.
"""

from collections.abc import Callable, Iterator
from typing import Final, get_args

from nana_client.model import Model, seat_view
from nana_client.options import OPTIONS, value_of
from nana_client.play import Play
from nana_client.story import score_words
from nana_client.widgets.choices import Choices, Row
from nana_client.words import has_free_seat, name_of
from nana_core.protocol.inbound import Letter
from nana_core.protocol.outbound import SeatView, Snapshot
from nana_core.text import clipped

_BETWEEN: Final = frozenset({"lobby", "over"})
_NAME: Final = 24
_MUTES: Final = "123456789"


def choices(page: str, model: Model) -> Choices | None:
    """Return a page by its name; None when there is nothing on it (any more)."""
    snapshot = model.snapshot
    if snapshot is None:
        return None
    kind, _, letter = page.partition(" ")
    if kind == "mute":
        return _mutes(model, snapshot)
    if kind == "":
        return _main(model, snapshot)
    if not snapshot.you.host:
        return None
    match kind:
        case "remove":
            rows = tuple(_seat_row(seat, snapshot) for seat in removable(snapshot))
            note = "Who is removed may come back by the link, to watch."
            return Choices("Remove whom?", rows, (note,)) if rows else None
        case "host":
            rows = tuple(_row_of(seat, f"host {seat.seat}") for seat in heirs(snapshot))
            note = "The host deals, sets the options, and may remove people."
            return Choices("Who is to be the host?", rows, (note,)) if rows else None
        case "sure":
            return _sure(letter, snapshot)
        case _:
            raise AssertionError(f"{page} is no page of the menu")


def removable(snapshot: Snapshot) -> tuple[SeatView, ...]:
    """Return the seats that the host may free now: the server's bots stay for the game."""
    between = snapshot.phase in _BETWEEN
    return tuple(
        seat
        for seat in snapshot.seats
        if seat.kind != "free" and not seat.left and seat.seat != snapshot.you.seat
        if between or seat.level is None
    )


def heirs(snapshot: Snapshot) -> tuple[SeatView, ...]:
    """Return the seats of the people who could be the host instead."""
    return tuple(
        seat
        for seat in snapshot.seats
        if seat.kind == "person" and not seat.left and seat.seat != snapshot.you.seat
    )


def others(model: Model) -> tuple[str, ...]:
    """Return the names of those who may talk: who sits or watches, then who is muted and gone."""
    shot = model.snapshot
    if shot is None:
        return ()
    seated = [s.name for s in shot.seats if s.name and s.level is None and s.kind != "free"]
    names = dict.fromkeys((*seated, *shot.watching, *sorted(model.muted)))
    return tuple(name for name in names if name != shot.you.name)


def perform(deed: str, play: Play) -> bool:
    """Do what a row means, if it is something for the room; tell whether it was."""
    verb, _, noun = deed.partition(" ")
    letter = next((known for known in get_args(Letter) if known == noun), None)
    orders: dict[str, Callable[[], object]] = {
        "pause": lambda: play.pause(on=noun == "on"),
        "end": play.end_game,
        "close": play.close_room,
        "sit": play.sit,
    }
    if letter is not None and verb in {"remove", "host"}:
        (play.remove if verb == "remove" else play.give_host)(letter)
        return True
    if verb in orders:
        orders[verb]()
    return verb in orders


def _main(model: Model, snapshot: Snapshot) -> Choices:
    rows = [*_host_rows(snapshot)] if snapshot.you.host else []
    if snapshot.you.seat is None and has_free_seat(snapshot):
        rows.append(Row("take-seat", "take a free seat", "sit"))
    if others(model):
        muted = f"{len(model.muted)} muted" if model.muted else ""
        rows.append(Row("mute", "mute somebody …", "page mute", muted))
    rows.append(Row("own-settings", "settings: colours, bell, mouse …", "settings"))
    return Choices(f"Table {snapshot.room}", tuple(rows), _notes(snapshot))


def _notes(snapshot: Snapshot) -> tuple[str, ...]:
    """Say who is host, how the games stand, and what was agreed on."""
    if snapshot.you.host:
        host = "You are the host."
    elif snapshot.host is None:
        host = "Nobody who sits here is the host."
    else:
        host = f"{name_of(snapshot, snapshot.host)} is the host."
    won = score_words(snapshot)
    agreed = [
        f"{option.title.lower()} {option.shown(value_of(snapshot.options, option))}"
        for option in OPTIONS
        if option.key in {"memory", "turn_time", "pace"}
    ]
    return (host, *([f"Games won: {won}."] if won else []), f"Agreed: {', '.join(agreed)}.")


def _host_rows(snapshot: Snapshot) -> Iterator[Row]:
    if snapshot.phase == "playing":
        if snapshot.paused:
            yield Row("pause-game", "let the game go on", "pause off", "paused")
        else:
            yield Row("pause-game", "pause the game: all clocks stop", "pause on")
        yield Row("end-game", "end the game …", "page sure end")
    if snapshot.phase == "over":
        yield Row("next-options", "options, seats and bots", "options")
    if removable(snapshot):
        yield Row("remove-player", "remove somebody …", "page remove")
    if heirs(snapshot):
        yield Row("make-host", "make somebody else the host …", "page host")
    yield Row("end-room", "close the room for everybody …", "page sure close")


def _seat_row(seat: SeatView, snapshot: Snapshot) -> Row:
    """Ask about people; a bot is only a key away from being back."""
    asks = seat.level is None or snapshot.phase not in _BETWEEN
    return _row_of(seat, f"page sure {seat.seat}" if asks else f"remove {seat.seat}")


def _row_of(seat: SeatView, answer: str) -> Row:
    kind = "bot" if seat.kind == "bot" else "" if seat.online else "away"
    return Row(seat.seat.lower(), f"{seat.seat} {clipped(seat.name or '', _NAME)}", answer, kind)


def _sure(what: str, snapshot: Snapshot) -> Choices | None:
    no = Row("back", "no", "back")
    if what == "end":
        if snapshot.phase != "playing":
            return None
        rows = (no, Row("yes", "end it, all hands are opened", "end"))
        return Choices("End this game?", rows, ("Nobody wins it.",), "warn")
    if what == "close":
        rows = (no, Row("yes", "close the room", "close"))
        return Choices("Close the room?", rows, ("Everybody has to go, for good.",), "warn")
    seat = seat_view(snapshot, what)
    if seat is None or seat not in removable(snapshot):
        return None
    name = clipped(seat.name or "", _NAME)
    note = () if snapshot.phase in _BETWEEN else ("A bot plays those cards to the end.",)
    return Choices(f"Remove {name}?", (no, Row("yes", "remove", f"remove {what}")), note, "warn")


def _mutes(model: Model, snapshot: Snapshot) -> Choices | None:
    names = others(model)[: len(_MUTES)]
    rows = tuple(
        Row(key, clipped(name, _NAME), f"mute {name}", "muted" if name in model.muted else "heard")
        for key, name in zip(_MUTES, names, strict=False)
    )
    note = f"What they say is hidden from you alone, in {snapshot.room}."
    return Choices("Mute whom?", rows, (note,)) if rows else None
