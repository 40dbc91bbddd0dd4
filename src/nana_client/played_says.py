"""A game that was played, in words: when, at which table, who, who won, and how long. Pure.

Records are files, and a file may say anything: names are cleaned and clipped, and a seat
that nobody sat at has won nothing.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from nana_client.address import BadAddress, parse
from nana_client.keyboard import Keyboard
from nana_client.played import Played
from nana_client.shelf import at_home
from nana_client.words import reason_words, sentence
from nana_core.deck import LETTERS
from nana_core.game import Ended, Won
from nana_core.protocol.wire import result_view
from nana_core.record import Record
from nana_core.text import NAME_CELLS, cleaned, clipped

_EMPTY: Final = (
    "No game is kept here yet. Play one: when it is over its record comes here by itself, unless "
    "the settings say otherwise; with {record} at its end it is saved for good."
)
_NONE_BY_ITSELF: Final = (
    "No game is kept here. The settings say that none is kept by itself; {record} at the end of "
    "a game saves it, and it is listed here."
)
_KEYS: Final[tuple[tuple[str, str], ...]] = (
    ("confirm", "looks at the game: card by card, all hands open or one seat's eyes"),
    ("up/down", "chooses; a click does, and a second click looks"),
    ("page-up/page-down", "a page up or down"),
    ("newest/oldest", "to the newest, the oldest"),
    ("copy-path", "copies the path of the record's file"),
    ("delete-game", "deletes the game, after asking"),
    ("back", "back to where you came from"),
)
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_ENDED: Final = {"host": "the host ended it", "cap": "2,000 turns"}
_RECENT_DAYS: Final = 300  # a day and a month say which year


def empty(keyboard: Keyboard, *, kept: bool) -> str:
    """Say how games come to be listed, where there are none."""
    text = _EMPTY if kept else _NONE_BY_ITSELF
    return text.format(record=keyboard.label("record"))


def keys_told(keyboard: Keyboard) -> tuple[tuple[str, str], ...]:
    """Say every key of the list, as it is now, and what it does."""
    return tuple((keyboard.label(name), what) for name, what in _KEYS)


def when(at: float, now: float) -> str:
    """Say in twelve columns at most when it was over."""
    day, today = datetime.fromtimestamp(at).astimezone(), datetime.fromtimestamp(now).astimezone()
    if day.date() == today.date():
        return f"today {day:%H:%M}"
    if abs(today - day) < timedelta(days=_RECENT_DAYS):
        return f"{day.day} {day:%b %H:%M}"
    return f"{day:%Y-%m-%d}"


def exactly(at: float) -> str:
    day = datetime.fromtimestamp(at).astimezone()
    return f"{day:%A} {day.day} {day:%B %Y, %H:%M}"


def table(record: Record) -> str:
    return f"{_room(record)} · {record.game}"


def players(record: Record) -> str:
    """Name who played, with a star at who won."""
    won = winner(record)
    return ", ".join(f"{'★' if at == won else ''}{name}" for at, name in enumerate(_names(record)))


def outcome(game: Played) -> str:
    """Say in four columns what it was for oneself; nothing where that is not known."""
    won = None if game.record is None else winner(game.record)
    if won is None:
        return "-"
    if game.about is None or game.about.seat is None:
        return ""
    return "won" if game.about.seat == LETTERS[won] else "lost"


def turns(record: Record) -> int:
    return record.actions.split().count(".") + 1


def length(record: Record) -> str:
    count = turns(record)
    return f"{count} turn{'s' if count != 1 else ''}"


def winner(record: Record) -> int | None:
    """Return the seat that won, if somebody sat there."""
    result = record.result
    won = result.seat if isinstance(result, Won) else -1
    return won if 0 <= won < len(record.seats) else None


def details(game: Played) -> Iterator[str]:
    """Say all that is known of a game, a sentence each."""
    if game.record is None:
        yield f"{exactly(game.at)}: {_clean(game.path.name)}"
        yield f"It cannot be looked at. {game.why}"
        return
    record = game.record
    yield f"{exactly(game.at)} · room {_room(record)}, game {record.game}{_where(game)}"
    mine = None if game.about is None else game.about.seat
    seats = zip(LETTERS, _names(record), record.seats, strict=False)
    yield ", ".join(
        f"{letter} {name}{_kind(letter == mine, seat.kind)}" for letter, name, seat in seats
    )
    saved = " Saved for good." if game.about is None or game.about.saved else ""
    yield f"{_ending(record)} {sentence(length(record))}{saved}"


def path_of(game: Played) -> str:
    return _clean(at_home(game.path))


def whole_path_of(game: Played) -> str:
    """Return the path as it can be copied: of a name that is no UTF-8, what is shown."""
    path = str(game.path)
    return path if _is_utf_8(path) else _clean(path)


def lines(games: Iterable[Played]) -> Iterator[str]:
    """Tell the games in lines, each with its file last: what `nana replay` would take."""
    for game in games:
        at = f"{datetime.fromtimestamp(game.at).astimezone():%Y-%m-%d %H:%M}"
        path = _clean(str(game.path))
        if game.record is None:
            yield f"{at}  cannot be looked at: {game.why}  {path}"
            continue
        record = game.record
        said = (f"{_room(record)} game {record.game}", players(record), _result(record))
        yield "  ".join((at, *said, length(record), path))


def _result(record: Record) -> str:
    won = winner(record)
    if won is not None:
        return f"{_names(record)[won]} won"
    if isinstance(record.result, Ended):
        return f"nobody won ({_ENDED[record.result.why]})"
    return "nobody won"


def _ending(record: Record) -> str:
    won = winner(record)
    if won is None or not isinstance(record.result, Won):
        return sentence(_result(record))
    reasons = clipped(
        cleaned(", and ".join(map(reason_words, result_view(record.result).wins))), 90
    )
    return sentence(f"{_names(record)[won]} won: {reasons}" if reasons else _result(record))


def _kind(mine: bool, kind: str) -> str:
    return " (you)" if mine else " (bot)" if kind == "bot" else ""


def _where(game: Played) -> str:
    """Say on which server, as far as that was noted."""
    if game.about is None:
        return ""
    if not game.about.server:
        return ", against bots"
    try:
        target = parse(game.about.server)
    except BadAddress:
        return ""
    return ", on this machine" if target.host in _LOOPBACK else f", on {target.host}"


def _room(record: Record) -> str:
    return clipped(cleaned(record.room), 8) or "?"


def _names(record: Record) -> tuple[str, ...]:
    return tuple(clipped(cleaned(seat.name), NAME_CELLS) or "?" for seat in record.seats)


def _is_utf_8(text: str) -> bool:
    """Tell whether a path is text; other bytes in it are held as halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _clean(text: str) -> str:
    """Make a file's name safe to show; one that is stays as it is."""
    return text if text.isprintable() else cleaned(text)
