"""Keys and rules, over whatever is on screen."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from nana_client.rules import RULES, SOURCE, keys_told
from nana_client.screens.box import Box
from nana_client.screens.pressing import keyboard_of
from nana_client.widgets.prose import broken

_KEY_WIDTH: Final = 12
_WIDTH: Final = 78
_FRAME: Final = 7  # columns of border, padding and scrollbar


class HelpScreen(Box[None]):
    """Any key that does not scroll closes it."""

    AUTO_FOCUS: ClassVar[str | None] = "VerticalScroll"
    CSS: ClassVar[str] = """
    HelpScreen { align: center middle; background: $background 70%; }
    HelpScreen #air { width: 82; max-width: 100%; height: auto; max-height: 100%;
                      align-horizontal: center; background: $panel; }
    HelpScreen VerticalScroll {
        width: 78; max-width: 100%; height: auto; max-height: 100vh; background: $panel;
        border: round $accent; padding: 0 2; scrollbar-size-vertical: 1;
        border-title-color: $accent; border-subtitle-color: $dim;
        scrollbar-background: $panel; scrollbar-color: $faint;
    }
    HelpScreen VerticalScroll:focus { border: round $accent; }
    HelpScreen Static { background: $panel; height: auto; padding: 0 1 0 0; }
    """
    _SCROLLING: ClassVar[frozenset[str]] = frozenset(
        {"up", "down", "pageup", "pagedown", "home", "end"}
    )

    def __init__(
        self,
        *,
        rules_first: bool = False,
        at_once: bool = False,
        keys: Sequence[tuple[str, str]] | None = None,
    ) -> None:
        """Show the keys first, to who plays (a table's by default); to who comes in, the rules."""
        super().__init__()
        self._at_once, self._other_keys = at_once, keys
        self._parts = [self._keys, self._rules]
        if rules_first:
            self._parts.reverse()

    def compose(self) -> ComposeResult:
        with Vertical(id="air"), VerticalScroll() as box:
            box.border_title = "Keys and rules"
            box.border_subtitle = "↑ ↓ Space scroll · any other key closes"
            yield Static(self._text(self.app.size.width))

    def on_resize(self) -> None:
        self.query_one(Static).update(self._text(self.size.width))

    def _text(self, width: int) -> Content:
        return Content("\n").join(self._paragraphs(min(_WIDTH, width) - _FRAME))

    def _paragraphs(self, width: int) -> Iterator[Content]:
        for part in self._parts:
            yield from part(width)
            yield Content("")
        yield Content.assemble((SOURCE, "dim"))

    def _keys(self, width: int) -> Iterator[Content]:
        told = self._other_keys or keys_told(keyboard_of(self), at_once=self._at_once)
        for key, what in told:
            if not key:
                yield Content(what)
                continue
            first, *more = broken(what, max(10, width - _KEY_WIDTH))
            yield Content.assemble((key.ljust(_KEY_WIDTH), "bold"), (first, ""))
            for line in more:
                yield Content(" " * _KEY_WIDTH + line)

    def _rules(self, width: int) -> Iterator[Content]:  # noqa: ARG002 - the text wraps itself
        for at, (title, text) in enumerate(RULES):
            if at:
                yield Content("")
            yield Content.assemble((title, "bold $accent"))
            yield Content(text)

    def on_key(self, event: events.Key) -> None:
        if event.key in self._SCROLLING or event.key in {"ctrl+q", "ctrl+c"}:
            return
        event.stop()
        event.prevent_default()
        if event.key == "space":
            self.query_one(VerticalScroll).scroll_page_down()
        else:
            self.dismiss()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()
