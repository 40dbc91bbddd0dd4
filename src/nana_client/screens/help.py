"""Keys and rules, over whatever is on screen."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from nana_client.rules import KEYS, RULES, SOURCE

_KEY_WIDTH = 12


class HelpScreen(ModalScreen[None]):
    """Any key that does not scroll closes it."""

    AUTO_FOCUS: ClassVar[str | None] = "VerticalScroll"
    CSS: ClassVar[str] = """
    HelpScreen { align: center middle; background: $background 70%; }
    HelpScreen VerticalScroll {
        width: 78; max-width: 100%; height: auto; max-height: 100%; background: $panel;
        border: round $faint; padding: 0 2; scrollbar-size-vertical: 1;
        border-title-color: $accent; border-subtitle-color: $dim;
        scrollbar-background: $panel; scrollbar-color: $faint;
    }
    HelpScreen VerticalScroll:focus { border: round $faint; }
    HelpScreen Static { background: $panel; height: auto; padding: 0 1 0 0; }
    """
    _SCROLLING: ClassVar[frozenset[str]] = frozenset(
        {"up", "down", "pageup", "pagedown", "home", "end"}
    )

    def __init__(
        self, *, rules_first: bool = False, keys: Sequence[tuple[str, str]] = KEYS
    ) -> None:
        """Show the keys first, to who plays; to who comes in, what it is about."""
        super().__init__()
        self._table_keys = keys
        self._parts = [self._keys, self._rules]
        if rules_first:
            self._parts.reverse()

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = "Keys and rules"
            box.border_subtitle = "↑ ↓ scroll · any other key closes"
            yield Static(Content("\n").join(self._paragraphs()))

    def _paragraphs(self) -> Iterator[Content]:
        for part in self._parts:
            yield from part()
            yield Content("")
        yield Content.assemble((SOURCE, "dim"))

    def _keys(self) -> Iterator[Content]:
        for key, what in self._table_keys:
            if key:
                yield Content.assemble((key.ljust(_KEY_WIDTH), "bold"), (what, ""))
            else:
                yield Content(what)

    def _rules(self) -> Iterator[Content]:
        for at, (title, text) in enumerate(RULES):
            if at:
                yield Content("")
            yield Content.assemble((title, "bold $accent"))
            yield Content(text)

    def on_key(self, event: events.Key) -> None:
        if event.key not in self._SCROLLING and event.key not in {"ctrl+q", "ctrl+c"}:
            event.stop()
            event.prevent_default()
            self.dismiss()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()
