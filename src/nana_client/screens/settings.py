"""The settings, over whatever is on screen: a list in which each row can be changed.

It keeps nothing: a change is posted, and what holds then is shown to it.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from nana_client.keyboard import FIXED
from nana_client.naming import flaw, tidied
from nana_client.options import Option
from nana_client.screens.box import Box
from nana_client.screens.help import HelpScreen
from nana_client.screens.pressing import deed_of, keyboard_of
from nana_client.settings import Settings
from nana_client.tuning import KEYS, NAME, next_value, tuning_choices
from nana_client.widgets.choices import Choices, lay_choices
from nana_client.widgets.sheet import Sheet


class SettingsScreen(Box[None]):
    """Posts `SettingsScreen.Changed` for each change."""

    AUTO_FOCUS: ClassVar[str | None] = ""
    CSS: ClassVar[str] = "SettingsScreen { background: $background 60%; align: center middle; }"

    class Changed(Message):
        """A setting is to have another value."""

        def __init__(self, name: str, value: Any) -> None:
            super().__init__()
            self.name, self.value = name, value

    def __init__(self, settings: Settings, rows: Sequence[Option], files: tuple[str, str]) -> None:
        """`files` are the paths of settings and keys, as a person reads them."""
        super().__init__()
        self.settings, self._files = settings, files
        self._rows = rows
        self._at = 0

    def compose(self) -> ComposeResult:
        yield Sheet(id="settings", ground="raised")

    def show(self, settings: Settings) -> None:
        """Show what holds now."""
        self.settings = settings
        self.on_resize()

    def on_resize(self) -> None:
        if self.query("#settings"):
            sheet = self.query_one("#settings", Sheet)
            lay_choices(sheet, self.choices, self._at, self.size, keyboard_of(self))

    @property
    def choices(self) -> Choices:
        return tuning_choices(self.settings, self._rows, self._at, self._files)

    def on_key(self, event: events.Key) -> None:
        deed = deed_of(self, "menu", event)
        if deed in {"quit", "palette"} or event.key in FIXED:
            return
        event.stop()
        event.prevent_default()
        if deed in {"up", "down"}:
            rows = len(self.choices.rows)
            self._at = (self._at + (1 if deed == "down" else -1)) % rows
            self.on_resize()
        elif deed in {"left", "right", "confirm"} or event.key == "space":
            self._change(-1 if deed == "left" else 1)
        elif deed in {"back", "own-settings", "menu"}:
            self.dismiss()

    def chosen(self, what: str) -> None:
        if what in {"back", "left", "right"}:
            self.dismiss() if what == "back" else self._change(-1 if what == "left" else 1)
            return
        answers = [row.answer for row in self.choices.rows]
        if what in answers:
            self._at = answers.index(what)
            self._change(1)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()

    def _change(self, by: int) -> None:
        """Change the row at the pointer."""
        option = self._option
        answer = self.choices.rows[self._at].answer
        if answer == NAME:
            self.app.push_screen(NameScreen(self.settings.name), self._named)
        elif answer == KEYS:
            self.app.push_screen(HelpScreen(at_once=self.settings.at_once))
        elif option is not None:
            self.post_message(self.Changed(option.key, next_value(self.settings, option, by)))
        self.on_resize()

    @property
    def _option(self) -> Option | None:
        at = self._at - 1
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def _named(self, name: str | None) -> None:
        if name is not None:
            self.post_message(self.Changed(NAME, name))


class NameScreen(Box[str]):
    """Asks for a name; one that no server takes is told why, and one stays on it."""

    CSS: ClassVar[str] = """
    NameScreen { background: $background 60%; align: center middle; }
    NameScreen #air { width: 48; max-width: 100%; height: auto; padding: 1 0;
                      align-horizontal: center; background: $panel; }
    NameScreen Input { width: 44; max-width: 100%; height: 3; border: round $accent;
                       border-title-color: $accent; border-subtitle-color: $warning;
                       background: $panel; padding: 0 1; }
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._before = name

    def compose(self) -> ComposeResult:
        field = Input(self._before, placeholder="your name", max_length=40)
        field.border_title = "Your name"
        with Vertical(id="air"):
            yield field

    def on_key(self, event: events.Key) -> None:
        if deed_of(self, "menu", event) == "back":
            event.stop()
            self.dismiss(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        name = tidied(event.value)
        why = flaw(name)
        if why is None:
            self.dismiss(name)
        else:
            event.input.border_subtitle = why
