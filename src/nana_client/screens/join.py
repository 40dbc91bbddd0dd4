"""Joining or watching a table: a link is pasted, and a bad one is told why, in place."""

from collections.abc import Iterator
from typing import ClassVar, Final

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from nana_client.address import EXAMPLE, BadAddress, Target, parse, parse_room
from nana_client.layout import Rect
from nana_client.naming import flaw, tidied
from nana_client.screens.pressing import deed_of, keyboard_of, press_in_app
from nana_client.widgets.bars import footer_items
from nana_client.widgets.name_field import NameField
from nana_client.widgets.planned import Planned
from nana_client.widgets.prose import prose_items
from nana_client.widgets.sheet import Item, Piece, Sheet, Words

_WIDTH: Final = 64
_FOOTER: Final = (
    ("confirm", "go"),
    ("Tab", "next field"),
    ("back", "back"),
    ("quit", "quit"),
)
_FIELDS: Final = ("link", "name", "password")
_HEIGHT: Final = 3
_TROUBLE: Final = (2, 5)  # rows: at least, and where there are more


class Tried(Struct, frozen=True):
    """A link that led nowhere, to be put right: why, and whether a password is what is missing."""

    link: str
    trouble: str
    locked: bool = False


class JoinScreen(Screen[None]):
    """Three fields. It posts `JoinScreen.Going` once they are right, `Left` on Escape."""

    AUTO_FOCUS: ClassVar[str | None] = "#link"
    CSS: ClassVar[str] = """
    JoinScreen Input { border: round $faint; border-title-color: $dim; background: $background;
                       padding: 0 1; }
    JoinScreen Input:focus { border: round $accent; }
    """

    class Going(Message):
        """A table was named."""

        def __init__(self, target: Target, name: str, password: str, *, watch: bool) -> None:
            super().__init__()
            self.target, self.name, self.password, self.watch = target, name, password, watch

        def __repr__(self) -> str:
            return f"Going({self.target.url!r}, …)"

    class Left(Message):
        """Escape was pressed."""

    def __init__(
        self, name: str, server: str = "", *, watch: bool = False, tried: Tried | None = None
    ) -> None:
        super().__init__()
        self._name_given, self._server, self._watch = name, server, watch
        self._tried = tried or Tried("", "")
        self._trouble = self._tried.trouble

    def compose(self) -> ComposeResult:
        yield Planned(
            Sheet(id="head"),
            Input(self._tried.link, placeholder=EXAMPLE, max_length=300, id="link"),
            Sheet(id="trouble"),
            NameField(self._name_given),
            Input(
                placeholder="only if the host gave you one",
                password=True,
                max_length=128,
                id="password",
            ),
            Sheet(id="footer", ground="raised"),
            id="felt",
        )

    def on_mount(self) -> None:
        titles = {"link": "The link", "name": "Your name", "password": "Password"}
        for field, title in titles.items():
            self.query_one(f"#{field}", Input).border_title = title
        if self._tried.locked:
            self.query_one("#password", Input).focus()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        width, height = self.size
        if not width:
            return
        rects = join_rects(width, height, locked=self._tried.locked)
        self.query_one("#felt", Planned).place(rects)
        across = rects["link"].width
        self.query_one("#head", Sheet).lay(_head(across, watch=self._watch, server=self._server))
        self.query_one("#trouble", Sheet).lay(
            prose_items(self._trouble, across, rects["trouble"].height, "warn")
        )
        self.query_one("#footer", Sheet).lay(
            footer_items(_FOOTER, width, keyboard=keyboard_of(self))
        )

    def on_key(self, event: events.Key) -> None:
        steps = {"down": 1, "up": -1}
        deed = deed_of(self, "opening", event)
        if deed == "back":
            event.stop()
            self._leave()
        elif deed == "confirm" and event.key != "enter":
            event.stop()
            self._submit()
        elif event.key in steps and self.focused is not None:
            event.stop()
            fields = [field for field in _FIELDS if self.query_one(f"#{field}").display]
            at = fields.index(self.focused.id) if self.focused.id in fields else 0
            self.query_one(f"#{fields[(at + steps[event.key]) % len(fields)]}").focus()

    async def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if event.what == "back":
            self._leave()
        elif event.what == "confirm":
            self._submit()
        else:
            await press_in_app(self, event.what)

    def _leave(self) -> None:
        self.query_one(NameField).settle()
        self.post_message(self.Left())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._submit()

    def _submit(self) -> None:
        """Go where the fields say, or say what is wrong with them."""
        link, name, password = (self.query_one(f"#{field}", Input).value for field in _FIELDS)
        try:
            server = parse(self._server) if self._server else None
            read = parse_room if self._watch else parse
            target = read(link, server=server)
        except BadAddress as error:
            self._refuse(str(error), "link")
            return
        name = tidied(name)
        if why := flaw(name):
            self._refuse(why, "name")
            return
        self.post_message(self.Going(target, name, password, watch=self._watch))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        given = {"link": self._tried.link, "name": self._name_given, "password": ""}
        if self._trouble and event.value != given.get(event.input.id or ""):
            self._trouble = ""
            self.draw()

    def _refuse(self, why: str, field: str) -> None:
        self._trouble = why
        self.query_one(f"#{field}", Input).focus()
        self.draw()


def join_rects(width: int, height: int, *, locked: bool = False) -> dict[str, Rect]:
    """Stack the fields in the middle; a low terminal does without the password, then the head.

    Where a password is asked for, it is the name that it does without.
    """
    across = min(_WIDTH, width)
    x = (width - across) // 2
    least, most = _TROUBLE
    rows = {"head": 3, "link": _HEIGHT, "trouble": least, "name": _HEIGHT, "password": _HEIGHT}
    for spared in ("name" if locked else "password", "head"):
        if sum(rows.values()) > height - 1:
            del rows[spared]
    rows["trouble"] = max(least, min(most, least + height - 1 - sum(rows.values())))
    y = max(0, (height - 1 - sum(rows.values())) // 2)
    rects = {"footer": Rect(0, height - 1, width, 1)}
    for name, rows_of in rows.items():
        rects[name] = Rect(x, y, across, rows_of)
        y += rows_of
    return rects


def _head(width: int, *, watch: bool, server: str) -> Iterator[Item]:
    title = "Watch a table" if watch else "Join a table"
    yield Words(0, 0, width, (Piece(f" {title}", "accent", bold=True),))
    code = ", the room's code alone" if server else ""
    new = "" if watch else ", or a server's address for a new room there"
    yield from prose_items(f"Paste the link that your friend sent{code}{new}.", width, 2, y=1)
