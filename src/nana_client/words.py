"""The table's words: players, sources, outcomes and reasons, as a sentence needs them."""

from typing import Final

from nana_client.model import seat_view
from nana_core.protocol.outbound import AttemptView, SeatView, Snapshot, WinView
from nana_core.text import clipped

NAME_CELLS: Final = 14  # of a name inside a sentence


def name_of(snapshot: Snapshot, letter: str | None) -> str:
    """Name a seat's player inside a sentence."""
    if letter is not None and letter == snapshot.you.seat:
        return "You"
    seat = seat_view(snapshot, letter)
    return clipped(seat.name, NAME_CELLS) if seat and seat.name else letter or "nobody"


def is_away(seat: SeatView) -> bool:
    return seat.kind == "person" and not (seat.online or seat.stand_in or seat.left)


def stood_in(snapshot: Snapshot) -> bool:
    """Tell whether the server plays one's own seat for now."""
    me = seat_view(snapshot, snapshot.you.seat)
    return snapshot.phase == "playing" and me is not None and me.stand_in


def has_company(snapshot: Snapshot) -> bool:
    """Tell whether other people are here: at the table, or watching."""
    you = snapshot.you
    seats = [seat for seat in snapshot.seats if seat.kind == "person" and seat.seat != you.seat]
    watching = [name for name in snapshot.watching if name != you.name]
    return any(seat.online for seat in seats) or bool(watching)


def has_free_seat(snapshot: Snapshot) -> bool:
    """Tell whether a watcher may sit down now."""
    free = any(seat.kind == "free" or seat.left for seat in snapshot.seats)
    return free and snapshot.phase in {"lobby", "over"}


def source_words(snapshot: Snapshot, source: str) -> str:
    """Say a source in a sentence: `slot 4`, `Bo's highest card`, `your lowest card`."""
    if source[1:].isdigit():
        return f"slot {source[1:]}"
    letter, end = source[:1].upper(), "lowest" if source.endswith("<") else "highest"
    whose = "your" if letter == snapshot.you.seat else f"{name_of(snapshot, letter)}'s"
    return f"{whose} {end} card"


def source_caption(source: str) -> str:
    """Say a source in seven columns: `slot 4`, `B high`."""
    if source[1:].isdigit():
        return f"slot {source[1:]}"
    return f"{source[:1].upper()} {'low' if source.endswith('<') else 'high'}"


def outcome_words(snapshot: Snapshot, attempt: AttemptView) -> str:
    """Say how an attempt ended, as in `Cy turned 8, then 3`."""
    who = name_of(snapshot, attempt.seat)
    numbers = [str(card.number) for card in attempt.cards]
    if attempt.outcome == "set" and numbers:
        return f"{who} {'take' if who == 'You' else 'takes'} the {numbers[0]}s."
    if len(numbers) < 2:
        return ""
    return f"{who} turned {' and '.join(numbers[:-1])}, then {numbers[-1]}."


def reason_words(win: WinView) -> str:
    """Say one reason to have won, as in `3 and 10 differ by 7`."""
    numbers = [str(number) for number in win.sets]
    match win.reason:
        case "three_sets":
            return "three sets"
        case "sevens":
            return "the set of 7s"
        case "sum" if len(numbers) == 2:
            return f"{numbers[0]} and {numbers[1]} add up to 7"
        case "difference" if len(numbers) == 2:
            return f"{numbers[0]} and {numbers[1]} differ by 7"
        case _:
            return win.reason.replace("_", " ")


def sentence(text: str) -> str:
    """Return the text with a capital first and a stop last."""
    whole = text[:1].upper() + text[1:]
    return whole if not whole or whole[-1] in ".!?…" else whole + "."


def clock(seconds: float) -> str:
    """Say how much time is left: `0:42`."""
    whole = max(0, int(seconds + 0.999))
    return f"{whole // 60}:{whole % 60:02}"
