"""What every screen inside a room shares: a model to show, a talk panel, and ways out.

A room's screen acts on its `Play`; what it cannot do itself, it asks of the app by a
message: to leave, to try the connection again, to show help or the room's options.
"""

import time
from collections.abc import Callable, Mapping
from typing import ClassVar, Final, Literal, TypeAlias

from msgspec.structs import replace
from textual import events
from textual.message import Message
from textual.screen import Screen

from nana_client.deeds import Place
from nana_client.keyboard import Keyboard
from nana_client.layout import Rect
from nana_client.model import Model
from nana_client.play import Play
from nana_client.screens.pressing import deed_of, keyboard_of, press_in_app, typed
from nana_client.widgets.sheet import Sheet
from nana_client.widgets.talk import Talk
from nana_client.widgets.thrift import ThriftyCompositor

Wish: TypeAlias = Literal["leave", "retry", "help", "options", "copy", "menu", "coached", "replay"]
TALKING: Final = (("Enter", "says it"), ("back", "back to the table"), ("quit", "quit"))
_LOG_LEAST: Final = 3  # rows of a log in which a line stays long enough to be read
_TICK: Final = 0.25  # seconds between two looks at the clock


def now_ms() -> int:
    return int(time.monotonic() * 1000)


class RoomScreen(Screen[None]):
    """Shows a model; subclasses draw it in `draw` and do deeds in `press`."""

    AUTO_FOCUS: ClassVar[str | None] = ""
    TALK_ID: ClassVar[str] = "talk"

    class Wished(Message):
        """The app is to do something."""

        def __init__(self, wish: Wish) -> None:
            super().__init__()
            self.wish = wish

    def __init__(self, play: Play, now: Callable[[], int] = now_ms) -> None:
        """Show the room of this play; `now` is our monotonic clock, in milliseconds."""
        super().__init__()
        self._compositor = ThriftyCompositor()
        self.play, self.now = play, now
        self.model: Model = play.model
        self._shown_at = now()
        self.talking = False
        self.read = play.model.seq  # the last line of chat that could be seen

    def on_mount(self) -> None:
        self.set_interval(_TICK, self.tick)
        self.call_after_refresh(self.on_resize)

    def show(self, model: Model) -> None:
        """Show what is true now."""
        self.model, self._shown_at = model, self.now()
        self.on_resize()

    @property
    def keyboard(self) -> Keyboard:
        return keyboard_of(self)

    @property
    def place(self) -> Place:
        """Return where the keys count, as long as there is a connection."""
        return "table"

    @property
    def where(self) -> Place:
        return self.place if self.model.connection == "open" else "offline"

    @property
    def waited(self) -> Model:
        """The model with what is left of the pause before the next try."""
        if self.model.retry_in is None:
            return self.model
        passed = (self.now() - self._shown_at) / 1000
        return replace(self.model, retry_in=max(0.0, self.model.retry_in - passed))

    def draw(self) -> None:
        """Draw the model; subclasses say how."""

    def press(self, what: str) -> bool:
        """Do a deed, or what was clicked; tell whether it meant anything."""
        return not what

    def unknown(self, typed: str) -> None:
        """Answer a key that means nothing here."""

    def tick(self) -> None:
        """Let time show: a countdown, a held key, the next try."""

    @property
    def is_drawable(self) -> bool:
        """Whether every widget is there: not before the last is mounted, nor while they go."""
        return self in self.app.screen_stack and bool(self.query("#say"))

    def on_resize(self) -> None:
        if self.is_drawable:
            self.draw()
            if self.talking and self.focused is None and self.query_one(Talk).display:
                self.query_one(Talk).speak()  # the line had no room for a while

    def on_key(self, event: events.Key) -> None:
        deed = deed_of(self, self.where, event)
        if self.focused is not None:
            if deed == "back":
                event.stop()
                self.hush()
        elif deed is not None and self.press(deed):
            event.stop()
            event.prevent_default()
        else:
            self.unknown(typed(event))

    async def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if await press_in_app(self, event.what):
            return
        if event.what == "back" and self.focused is not None:
            self.hush()
        else:
            self.press(event.what)

    def on_talk_said(self, event: Talk.Said) -> None:
        event.stop()
        self.play.chat(event.text)
        if event.quick:
            self.hush()

    def hear(self, rects: Mapping[str, Rect]) -> int:
        """Return how much was said unseen: an open panel shows it all, a log its last lines."""
        rows = rects["log"].height if "log" in rects else 0
        unread = self.model.unread(self.read)
        in_log = sum(line.seq > self.read for line in self.model.audible[-rows:] if rows)
        if "talk" in rects or (rows >= _LOG_LEAST and in_log >= unread):
            self.read = self.model.seq
            return 0
        return unread

    def speak(self) -> None:
        """Open the talk panel with the cursor in its line."""
        self.talking = True
        self.draw()
        self.query_one(Talk).speak()

    def on_descendant_focus(self) -> None:
        self.on_resize()

    def on_descendant_blur(self) -> None:
        self.on_resize()

    def hush(self) -> None:
        """Go back from talking."""
        self.talking = False
        self.set_focus(None)
        self.draw()

    def wish(self, wish: Wish) -> bool:
        self.post_message(self.Wished(wish))
        return True
