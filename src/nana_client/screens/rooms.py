"""The open tables of a server: looked for, chosen, joined or watched.

It asks by itself every few seconds while nobody types. What a server sends is `rooms`' to
judge; here it is only drawn.
"""

from collections.abc import Awaitable, Callable, Iterator
from typing import ClassVar, Final, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from nana_client.address import BadAddress, Target, parse
from nana_client.faults import place
from nana_client.layout import Rect
from nana_client.rooms import NoRooms, OpenRoom, rooms_of
from nana_client.says import Keys
from nana_client.screens.pressing import deed_of, keyboard_of, press_in_app
from nana_client.widgets.bars import footer_items
from nana_client.widgets.planned import Planned
from nana_client.widgets.prose import prose_items
from nana_client.widgets.sheet import Item, Piece, Sheet, Words
from nana_client.widgets.tables import table_items

Asking: TypeAlias = Callable[[Target], Awaitable[tuple[OpenRoom, ...]]]

_WIDTH: Final = 76
_AGAIN: Final = 5.0  # seconds between two questions
_EXAMPLE: Final = "nana.example.org, or a link to any room there"
_EMPTY: Final = (
    "No open table here now. A table is listed when its host sets the option Listed to yes; "
    "all others are joined by their link."
)
_LEAVE: Final[Keys] = (("back", "back"), ("quit", "quit"))


class RoomsScreen(Screen[None]):
    """Posts `RoomsScreen.Going` for a table, `Left` on Escape."""

    AUTO_FOCUS: ClassVar[str | None] = ""
    CSS: ClassVar[str] = """
    RoomsScreen Input { border: round $faint; border-title-color: $dim; background: $background;
                        padding: 0 1; }
    RoomsScreen Input:focus { border: round $accent; }
    """

    class Going(Message):
        """A table was chosen."""

        def __init__(self, target: Target, *, watch: bool) -> None:
            super().__init__()
            self.target, self.watch = target, watch

    class Left(Message):
        """One has seen enough."""

    def __init__(self, server: Target | None, asking: Asking = rooms_of) -> None:
        super().__init__()
        self.server, self._asking = server, asking
        self.rooms: tuple[OpenRoom, ...] | None = None  # None until an answer came
        self._chosen = ""
        self._shown = ""  # where the pointer stands though nobody has chosen
        self._trouble = ""

    def compose(self) -> ComposeResult:
        address = place(self.server) if self.server is not None else ""
        yield Planned(
            Sheet(id="head"),
            Input(address, placeholder=_EXAMPLE, max_length=300, id="server"),
            Sheet(id="rooms"),
            Sheet(id="footer", ground="raised"),
            id="felt",
        )

    def on_mount(self) -> None:
        field = self.query_one("#server", Input)
        field.border_title = "Server"
        self.set_interval(_AGAIN, self._look_again)
        if self.server is None:
            field.focus()
        else:
            self._ask()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        width, height = self.size
        if not width or not self.query("#footer"):
            return
        rects = rooms_rects(width, height)
        self.query_one("#felt", Planned).place(rects)
        across, rows = rects["rooms"].width, rects["rooms"].height
        self.query_one("#head", Sheet).lay(_head(across))
        self.query_one("#rooms", Sheet).lay(self._list(across, rows))
        footer = footer_items(self._keys(), width, keyboard=keyboard_of(self))
        self.query_one("#footer", Sheet).lay(footer)

    @property
    def chosen(self) -> OpenRoom | None:
        """The room at the pointer; the first one where that is gone."""
        rooms = self.rooms or ()
        at = self._chosen or self._shown
        return next((room for room in rooms if room.room == at), next(iter(rooms), None))

    def _keys(self) -> Keys:
        if self.focused is not None:
            return (("confirm", "look there"), *_LEAVE)
        room = self.chosen
        again: Keys = (("refresh", "look again"), ("other-server", "another server"))
        if room is None:
            return (*again, *_LEAVE)
        enter = "sit down" if room.has_seat else "watch"
        seat: Keys = (("confirm", enter), ("watch", "watch"), ("back", "back"))
        return (*seat, ("up/down", "choose"), *again)

    def _list(self, width: int, height: int) -> Iterator[Item]:
        if self._trouble or not self.rooms:
            tone = "warn" if self._trouble else "dim"
            wait = "Looking for tables …" if self.server else "Which server shall be asked?"
            text = self._trouble or (wait if self.rooms is None else _EMPTY)
            yield from prose_items(text, width, height, tone)
            return
        at = next(at for at, room in enumerate(self.rooms) if room == self.chosen)
        yield from table_items(self.rooms, at, width, height)

    # what is done

    def on_key(self, event: events.Key) -> None:
        deed = deed_of(self, "rooms", event)
        if self.focused is not None and deed not in {"back", "down"}:
            if deed == "confirm" and event.key != "enter":
                self._look_there()
            return
        if deed is not None and self.press(deed):
            event.stop()
            event.prevent_default()

    async def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if event.what == "confirm" and self.focused is not None:
            self._look_there()
        elif not await press_in_app(self, event.what):
            self.press(event.what)

    def press(self, what: str) -> bool:
        """Do a deed, or what was clicked; tell whether it meant anything."""
        verb, _, noun = what.partition(" ")
        if verb == "room":
            chosen = self.chosen
            if chosen is not None and chosen.room == noun and self._chosen == noun:
                self._go(watch=not chosen.has_seat)
            self._chosen = noun
        elif what == "back":
            self._back()
        elif self.focused is not None:
            self.set_focus(None)
        elif what in {"up", "down"}:
            self._move(1 if what == "down" else -1)
        elif what in {"confirm", "watch"}:
            room = self.chosen
            self._go(watch=what == "watch" or (room is not None and not room.has_seat))
        elif what == "refresh":
            self._ask()
        elif what == "other-server":
            self.query_one("#server", Input).focus()
        else:
            return False
        self.draw()
        return True

    def _move(self, by: int) -> None:
        rooms = self.rooms or ()
        if self.chosen is not None:
            self._chosen = rooms[(rooms.index(self.chosen) + by) % len(rooms)].room

    def _go(self, *, watch: bool) -> None:
        if self.server is not None and self.chosen is not None:
            self.post_message(self.Going(self.server.at(self.chosen.room), watch=watch))

    def _back(self) -> None:
        """Leave the field for the list if there is one, else the screen."""
        if self.focused is not None and self.rooms:
            self.set_focus(None)
        else:
            self.post_message(self.Left())

    def on_descendant_focus(self) -> None:
        self.draw()

    def on_descendant_blur(self) -> None:
        self.draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._look_there()

    def _look_there(self) -> None:
        """Ask the server that was typed; a link to a room of it will do."""
        try:
            self.server = parse(self.query_one("#server", Input).value).at(None)
        except BadAddress as error:
            self._trouble, self.rooms = str(error), None
        else:
            self._trouble, self.rooms = "", None
            self.set_focus(None)
            self._ask()
        self.draw()

    def _look_again(self) -> None:
        if self.focused is None and self.app.screen is self:
            self._ask()

    def _ask(self) -> None:
        if self.server is not None:
            self.run_worker(self._answer(self.server), group="rooms", exclusive=True)

    async def _answer(self, server: Target) -> None:
        try:
            self.rooms, self._trouble = await self._asking(server), ""
            self._shown = self.chosen.room if self.chosen is not None else ""
        except NoRooms as error:
            self.rooms, self._trouble = None, str(error)
        self.draw()


def rooms_rects(width: int, height: int) -> dict[str, Rect]:
    """Stack head, server and list in the middle; a low terminal does without the head."""
    across = min(_WIDTH, width)
    x = (width - across) // 2
    head = 3 if height >= 16 else 0
    y = min(4, max(0, height - 20))
    rects = {"footer": Rect(0, height - 1, width, 1)}
    if head:
        rects["head"] = Rect(x, y, across, head)
    rects["server"] = Rect(x, y + head, across, 3)
    top = y + head + 4 if height >= 16 else head + 3
    rects["rooms"] = Rect(x, top, across, max(1, height - 1 - top))
    return rects


def _head(width: int) -> Iterator[Item]:
    yield Words(0, 0, width, (Piece(" Open tables", "accent", bold=True),))
    yield Words(0, 1, width, (Piece(" What hosts have listed on a server, for everybody.", "dim"),))
