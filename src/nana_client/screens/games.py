"""The games that were played: looked through, looked at again, deleted.

What lies in the folder is `played`'s to read, and what is said of it `played_says`'s. A
file that cannot be read stands among the others, with the reason.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar, Final, Protocol

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen

from nana_client import played_says as say
from nana_client.layout import Rect
from nana_client.played import LISTED_MOST, Played
from nana_client.says import Keys
from nana_client.screens.help import HelpScreen
from nana_client.screens.pressing import deed_of, keyboard_of, press_in_app
from nana_client.screens.sure import SureScreen
from nana_client.theme import Tone
from nana_client.widgets.bars import footer_items
from nana_client.widgets.planned import Planned
from nana_client.widgets.prose import broken, prose_items
from nana_client.widgets.sheet import Item, Piece, Sheet, Words
from nana_core.record import Record
from nana_core.text import clipped
from nana_core.text import width as cells_of

_WIDTH: Final = 104
_NARROW: Final = 64  # columns of a list that says less in each row
_WHEN, _TABLE, _OUTCOME, _TURNS = 14, 12, 6, 11
_DETAILS: Final = 7  # rows, the first of them empty
_KEYS: Final[Keys] = (
    ("back", "back"),
    ("delete-game", "delete"),
    ("copy-path", "copy its path"),
    ("up/down", "choose"),
    ("help", "help"),
    ("page-up/page-down", "page"),
)
_COPIED: Final[tuple[str, Tone]] = ("Its path is copied, where the terminal allows it.", "good")
_COPIED_AS_SHOWN: Final[tuple[str, Tone]] = (
    "Its path is copied as shown: it has bytes that are no UTF-8.",
    "warn",
)
_OUTCOMES: Final[dict[str, Tone]] = {"won": "good", "lost": "dim"}


class Shelf(Protocol):
    """Where the games are."""

    def games(self) -> tuple[Played, ...]: ...
    def delete(self, game: Played) -> str: ...


class GamesScreen(Screen[None]):
    """Posts `GamesScreen.Chosen` for a game to look at, `Left` on Escape."""

    AUTO_FOCUS: ClassVar[str | None] = ""

    class Chosen(Message):
        """A game is to be looked at again."""

        def __init__(self, game: Played, record: Record) -> None:
            super().__init__()
            self.game, self.record = game, record

    class Left(Message):
        """One has seen enough."""

    def __init__(self, shelf: Shelf, *, kept: bool, clock: Callable[[], float]) -> None:
        """Show the games of a shelf; `kept` tells whether they come there by themselves."""
        super().__init__()
        self._shelf, self._kept, self._clock = shelf, kept, clock
        self.games: tuple[Played, ...] = ()
        self.at = 0
        self._first = 0  # the topmost row before the last move: what is drawn follows from it
        self._drawn = 0  # the topmost row
        self._note: tuple[str, Tone] = ("", "dim")  # what came of the last deed
        self._unread = ""  # why there is no list at all

    def compose(self) -> ComposeResult:
        sheets = [Sheet(id="head"), Sheet(id="games"), Sheet(id="details", ground="raised")]
        yield Planned(*sheets, Sheet(id="footer", ground="raised"), id="felt")

    def on_mount(self) -> None:
        self._read()

    def on_resize(self) -> None:
        self.draw()

    def _read(self) -> None:
        try:
            self.games, self._unread = self._shelf.games(), ""
        except OSError as error:
            self.games, self._unread = (), f"They cannot be read: {error.strerror}."
        self.at = min(self.at, max(0, len(self.games) - 1))

    @property
    def chosen(self) -> Played | None:
        return self.games[self.at] if self.games else None

    # what is shown

    def draw(self) -> None:
        width, height = self.size
        if not width or not self.query("#footer"):
            return
        rects = games_rects(width, height, details=bool(self.games))
        self.query_one("#felt", Planned).place(rects)
        across, rows = rects["games"].width, rects["games"].height
        least = max(self._first, self.at - rows + 1)
        self._drawn = max(0, min(least, self.at, len(self.games) - rows))
        if "head" in rects:
            self.query_one("#head", Sheet).lay(self._head(across))
        self.query_one("#games", Sheet).lay(self._list(across, rows))
        if "details" in rects:
            self.query_one("#details", Sheet).lay(self._details(rects["details"]))
        footer = footer_items(self._keys(), width, keyboard=keyboard_of(self))
        self.query_one("#footer", Sheet).lay(footer)

    def _head(self, width: int) -> Iterator[Item]:
        count = len(self.games)
        many = f"the last {count}" if count == LISTED_MOST else str(count)
        told = f"  {many}" if count else ""
        yield Words(0, 0, width, (Piece(" Games played", "accent", bold=True), Piece(told, "dim")))
        text, tone = self._note
        yield Words(0, 1, width, (Piece(f" {text}", tone),))

    def _list(self, width: int, height: int) -> Iterator[Item]:
        if not self.games:
            text = self._unread or say.empty(keyboard_of(self), kept=self._kept)
            yield from prose_items(text, width, height)
            return
        now = self._clock()
        shown = self.games[self._drawn : self._drawn + height]
        for y, game in enumerate(shown):
            at = self._drawn + y
            row = _row(game, width, now, on=at == self.at)
            yield Words(0, y, width, tuple(row), f"game {at}")

    def _details(self, rect: Rect) -> Iterator[Item]:
        game = self.chosen
        if game is None:
            return
        tone: Tone = "text" if game.record is not None else "warn"
        texts = [*say.details(game), say.path_of(game)]
        y = 1 if rect.height == _DETAILS else 0
        for at, text in enumerate(texts):
            ink = "dim" if at == len(texts) - 1 else tone
            for line in broken(text, max(8, rect.width - 4)):
                if y < rect.height:
                    yield Words(2, y, rect.width - 4, (Piece(line, ink, bold=not at),))
                y += 1

    def _keys(self) -> Keys:
        if self.chosen is None:
            return (("back", "back"), ("help", "help"), ("quit", "quit"))
        look: Keys = (("confirm", "look at it"),) if self.chosen.record is not None else ()
        return (*look, *_KEYS)

    # what is done

    def on_key(self, event: events.Key) -> None:
        deed = deed_of(self, "games", event)
        if deed is not None and self.press(deed):
            event.stop()
            event.prevent_default()

    async def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if not await press_in_app(self, event.what):
            self.press(event.what)

    def on_mouse_scroll_down(self) -> None:
        self.press("down")

    def on_mouse_scroll_up(self) -> None:
        self.press("up")

    def press(self, what: str) -> bool:
        """Do a deed, or what was clicked; tell whether it meant anything."""
        verb, _, noun = what.partition(" ")
        goal = self._goal(what)
        if goal is not None:
            self._move(goal)
        elif verb == "game" and noun:
            self._click(int(noun))
        elif what == "confirm":
            self._look()
        elif what == "copy-path":
            self._copy()
        elif what == "delete-game":
            self._ask()
        elif what == "help":
            self.app.push_screen(HelpScreen(keys=say.keys_told(keyboard_of(self))))
        elif what == "back":
            self.post_message(self.Left())
        else:
            return False
        self.draw()
        return True

    def _goal(self, what: str) -> int | None:
        """Return the row that a deed leads to."""
        page = max(1, self.query_one("#games").size.height - 1)
        match what:
            case "up":
                return self.at - 1
            case "down":
                return self.at + 1
            case "page-up":
                return self.at - page
            case "page-down":
                return self.at + page
            case "newest":
                return 0
            case "oldest":
                return len(self.games)
            case _:
                return None

    def _move(self, at: int) -> None:
        self._first = self._drawn
        self.at = max(0, min(at, len(self.games) - 1))
        self._note = ("", "dim")

    def _click(self, at: int) -> None:
        """Choose a row; a click on the one that is chosen looks at it."""
        if at == self.at:
            self._look()
        else:
            self._move(at)

    def _look(self) -> None:
        game = self.chosen
        if game is not None and game.record is not None:
            self.post_message(self.Chosen(game, game.record))
        elif game is not None:
            self._note = ("That one cannot be looked at.", "warn")

    def _copy(self) -> None:
        if self.chosen is not None:
            path = str(self.chosen.path)
            shown = say.whole_path_of(self.chosen)
            self.app.copy_to_clipboard(shown)
            self._note = _COPIED if shown == path else _COPIED_AS_SHOWN

    def _ask(self) -> None:
        """Ask before a game is deleted."""
        game = self.chosen
        if game is None:
            return
        who = game.path.name if game.record is None else say.players(game.record)
        notes = (f"{say.exactly(game.at)}: {who}.", "The file is deleted for good.")
        question = SureScreen("Delete this game?", notes, "keep it", "delete it")

        def answered(sure: bool | None) -> None:
            if sure:
                self._delete(game)

        self.app.push_screen(question, answered)

    def _delete(self, game: Played) -> None:
        why = self._shelf.delete(game)
        self._note = (why, "warn") if why else ("Deleted.", "good")
        self._read()
        self.draw()


def games_rects(width: int, height: int, *, details: bool) -> dict[str, Rect]:
    """Stack head, list and details in the middle; a low terminal does without the outer ones."""
    across = min(_WIDTH, width)
    x = (width - across) // 2
    rects = {"footer": Rect(0, height - 1, width, 1)}
    top = 1 if height >= 20 else 0
    if height >= 8:
        rects["head"] = Rect(x, top, across, 2)
        top += 3 if height >= 16 else 2
    bottom = height - 1
    rows = _DETAILS if height >= 18 else 3
    if details and height >= 12:
        bottom -= rows + 1
        rects["details"] = Rect(x, bottom, across, rows)
        bottom -= 1
    rects["games"] = Rect(x, top, across, max(1, bottom - top))
    return rects


def _row(game: Played, width: int, now: float, *, on: bool) -> Iterator[Piece]:
    tone: Tone = "text" if on else "dim"
    yield Piece(" ▸ " if on else "   ", "accent", bold=True)
    yield Piece(say.when(game.at, now).ljust(_WHEN), tone, bold=on)
    record = game.record
    if record is None:
        yield Piece(f"{game.path.name}: {game.why}", "warn")
        return
    left = width - 3 - _WHEN - _OUTCOME
    if width >= _NARROW:
        yield _filled(say.table(record), _TABLE, tone)
        left -= _TABLE + _TURNS
    yield _filled(say.players(record), max(0, left), "text" if on else "dim", bold=on)
    how = say.outcome(game)
    yield Piece(how.ljust(_OUTCOME), _OUTCOMES.get(how, "dim"), bold=how == "won")
    if width >= _NARROW:
        yield Piece(say.length(record).rjust(_TURNS - 1), tone)


def _filled(text: str, cells: int, tone: Tone, *, bold: bool = False) -> Piece:
    """Return a column: cut, and filled up to its width."""
    cut = clipped(text, max(0, cells - 1))
    return Piece(cut + " " * (cells - cells_of(cut)), tone, bold=bold)
