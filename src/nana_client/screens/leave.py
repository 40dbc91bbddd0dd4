"""Leaving while a game is on: what it means, and three ways to answer."""

from typing import ClassVar, Final, Literal, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from nana_client.layout import Rect
from nana_client.screens.room import meaning
from nana_client.widgets.planned import Planned
from nana_client.widgets.sheet import Piece, Sheet, Words

Answer: TypeAlias = Literal["stay", "keep", "leave"]

_WIDTH: Final = 58
_ROWS: Final[dict[Answer, tuple[str, str]]] = {
    "stay": ("Esc", "stay at the table"),
    "keep": ("k", "go, and keep the seat: come back later"),
    "leave": ("l", "leave for good: a bot plays your cards"),
}
_ALONE: Final[dict[Answer, tuple[str, str]]] = {
    "stay": ("Esc", "stay at the table"),
    "leave": ("l", "leave: the game against bots ends"),
}
_HOSTING: Final = "The server on this machine stops when you go."


class LeaveScreen(ModalScreen[Answer]):
    """Answers what to do. Ctrl+C and Ctrl+Q again go at once, the gentlest way."""

    CSS: ClassVar[str] = "LeaveScreen { background: $background 70%; }"

    def __init__(self, *, alone: bool, hosting: bool) -> None:
        super().__init__()
        self._rows = _ALONE if alone else _ROWS
        self._hosting = hosting and not alone
        self._at = 0

    def compose(self) -> ComposeResult:
        yield Planned(Sheet(id="ask", ground="raised"), id="felt")

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        width, height = self.size
        rows = len(self._rows) + 4 + self._hosting
        across = min(_WIDTH, width)
        top = max(0, (height - rows) // 2)
        rect = Rect((width - across) // 2, top, across, min(rows, height))
        self.query_one("#felt", Planned).place({"ask": rect})
        self.query_one("#ask", Sheet).lay(self._items(across))

    def _items(self, width: int) -> tuple[Words, ...]:
        head = Words(2, 1, width - 4, (Piece("A game is on. Leave?", "warn", bold=True),))
        items = [head]
        if self._hosting:
            items.append(Words(2, 2, width - 4, (Piece(_HOSTING, "dim"),)))
        for at, (answer, (key, what)) in enumerate(self._rows.items()):
            on = at == self._at
            pieces = (
                Piece("▸ " if on else "  ", "accent", bold=True),
                Piece(key.ljust(5), "accent" if on else "text", bold=True),
                Piece(what, "text" if on else "dim", bold=on),
            )
            items.append(Words(2, 3 + self._hosting + at, width - 4, pieces, answer))
        return tuple(items)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        answers = tuple(self._rows)
        match meaning(event):
            case "up" | "down" as arrow:
                self._at = (self._at + (1 if arrow == "down" else -1)) % len(answers)
                self.draw()
            case "enter":
                self.dismiss(answers[self._at])
            case "ctrl+c" | "ctrl+q":
                self.dismiss("keep" if "keep" in answers else "leave")
            case "k" if "keep" in answers:
                self.dismiss("keep")
            case "l":
                self.dismiss("leave")
            case "escape":
                self.dismiss("stay")
            case _:
                pass

    def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        self.dismiss(next(answer for answer in self._rows if answer == event.what))
