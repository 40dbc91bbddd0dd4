"""The table's menu, over the table: pages of rows, each with a key, and Escape back.

It shows the model as it changes: what can no longer be done disappears while one looks.
"""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.message import Message

from nana_client import menu
from nana_client.keyboard import FIXED
from nana_client.model import Model
from nana_client.play import Play
from nana_client.screens.box import Box
from nana_client.screens.pressing import deed_of, keyboard_of, typed
from nana_client.widgets.choices import Choices, lay_choices
from nana_client.widgets.sheet import Sheet

_CLOSED = Choices("Menu", ())


class MenuScreen(Box[None]):
    """Does what is the room's itself; the rest it posts as `MenuScreen.Chose`."""

    CSS: ClassVar[str] = "MenuScreen { background: $background 60%; align: center middle; }"

    class Chose(Message):
        """Something that is not the room's was chosen: the settings, a mute, the options."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, play: Play, model: Model, page: str = "") -> None:
        super().__init__()
        self.play, self.model = play, model
        self._pages = ["", page] if page else [""]
        self._at = 0

    def compose(self) -> ComposeResult:
        yield Sheet(id="menu", ground="raised")

    def show(self, model: Model) -> None:
        """Show what is true now."""
        rows = self.choices.rows
        at = rows[self._at].key if self._at < len(rows) else None
        self.model = model
        kept = (n for n, row in enumerate(self.choices.rows) if row.key == at)
        self._at = next(kept, 0)  # what the cursor was on may stand elsewhere now, or nowhere
        self.on_resize()

    def on_resize(self) -> None:
        if self.query("#menu"):
            self.draw()

    @property
    def choices(self) -> Choices:
        """Return the page that is open: the last one that still has something on it."""
        while True:
            found = menu.choices(self._pages[-1], self.model)
            if found is not None or len(self._pages) == 1:
                return found or _CLOSED
            self._pages.pop()
            self._at = 0

    def draw(self) -> None:
        shown = self.choices
        self._at = min(self._at, max(0, len(shown.rows) - 1))
        lay_choices(self.query_one("#menu", Sheet), shown, self._at, self.size, keyboard_of(self))

    def on_key(self, event: events.Key) -> None:
        deed, key = deed_of(self, "menu", event), typed(event)
        if deed == "quit" or event.key in FIXED:
            return
        event.stop()
        event.prevent_default()
        rows = self.choices.rows
        answers = {row.key: row.answer for row in rows}
        if deed in {"up", "down"} and rows:
            self._at = (self._at + (1 if deed == "down" else -1)) % len(rows)
            self.draw()
        elif deed == "back":
            self._answer("back")
        elif deed == "confirm" and rows:
            self._answer(rows[self._at].answer)
        elif answer := answers.get(key.lower()) or answers.get(deed or ""):
            self._answer(answer)
        elif deed == "menu":
            self.dismiss()

    def chosen(self, what: str) -> None:
        if what == "back" or any(row.answer == what for row in self.choices.rows):
            self._answer(what)

    def _answer(self, answer: str) -> None:
        """Go where a row leads, or do what it means."""
        if answer == "back":
            self._back()
        elif answer.startswith("page "):
            self._pages.append(answer.removeprefix("page "))
            self._at = 0
            self.draw()
        elif menu.perform(answer, self.play):
            self.dismiss()
        else:
            self.post_message(self.Chose(answer))

    def _back(self) -> None:
        self._pages.pop()
        self._at = 0
        if self._pages:
            self.draw()
        else:
            self._pages.append("")
            self.dismiss()
