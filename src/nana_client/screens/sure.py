"""A question before something that cannot be undone: no stands first."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult

from nana_client.keyboard import FIXED
from nana_client.screens.box import Box
from nana_client.screens.pressing import deed_of, keyboard_of
from nana_client.widgets.choices import Choices, Row, lay_choices
from nana_client.widgets.sheet import Sheet


class SureScreen(Box[bool]):
    """Answers whether to do it."""

    CSS: ClassVar[str] = "SureScreen { background: $background 60%; align: center middle; }"

    def __init__(self, title: str, notes: tuple[str, ...], no: str, yes: str) -> None:
        super().__init__()
        rows = (Row("back", no, "back"), Row("yes", yes, "yes"))
        self._choices = Choices(title, rows, notes, "warn", ())
        self._at = 0

    def compose(self) -> ComposeResult:
        yield Sheet(id="ask", ground="raised")

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        sheet = self.query_one("#ask", Sheet)
        lay_choices(sheet, self._choices, self._at, self.size, keyboard_of(self))

    def on_key(self, event: events.Key) -> None:
        deed = deed_of(self, "menu", event)
        if deed == "quit" or event.key in FIXED:
            return
        event.stop()
        event.prevent_default()
        if deed in {"up", "down"}:
            self._at = 1 - self._at
            self.draw()
        elif deed == "confirm":
            self.dismiss(self._at == 1)
        elif deed in {"back", "yes"}:
            self.dismiss(deed == "yes")

    def chosen(self, what: str) -> None:
        self.dismiss(what == "yes")

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(False)
