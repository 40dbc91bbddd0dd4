"""A box that lies over other screens, and closes once.

Keys and clicks come in bursts: what was sent to a box before it closed reaches it afterwards,
and the library's `dismiss` then takes away whatever lies on top. A box hears, and closes,
only while it lies on top itself.
"""

from typing import TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

from nana_client.widgets.sheet import Sheet

Answer = TypeVar("Answer")


class Box(ModalScreen[Answer]):
    """What lies over others; a click on something in it comes to `chosen`."""

    @property
    def on_top(self) -> bool:
        """Whether it is the screen one looks at: not closed, nor under another one."""
        return self.app.screen_stack[-1:] == [self]

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close, and answer; nothing happens where that has been done."""
        return super().dismiss(result) if self.on_top else AwaitComplete()

    async def on_event(self, event: events.Event) -> None:
        """Take no key and no click that was meant for what lay on top before."""
        if isinstance(event, events.InputEvent) and not self.on_top:
            event.stop()
        else:
            await super().on_event(event)

    def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if self.on_top:
            self.chosen(event.what)

    def chosen(self, what: str) -> None:
        """Do what was clicked; in a box without anything to click, nothing."""
