"""The opening screen: what Nana is in one line, and the ways to a table.

One key each; Enter takes the one that is chosen, and at first that is a game against
bots at once. The name stands above, remembered, and is edited in place.
"""

from collections.abc import Iterator
from typing import ClassVar, Final, Literal, TypeAlias, get_args

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from nana_client.keyboard import Keyboard
from nana_client.layout import Rect
from nana_client.naming import flaw, tidied
from nana_client.options import LEVELS
from nana_client.screens.pressing import deed_of, keyboard_of, press_in_app
from nana_client.widgets.bars import footer_items
from nana_client.widgets.card import LARGE, Face
from nana_client.widgets.name_field import NameField
from nana_client.widgets.planned import Planned
from nana_client.widgets.prose import broken, prose_items
from nana_client.widgets.sheet import Card, Item, Piece, Sheet, Words
from nana_core.protocol.inbound import Level

Choice: TypeAlias = Literal["play", "host", "join", "rooms", "watch", "resume"]

_WORD: Final = ("█▄ █ ▄▀█ █▄ █ ▄▀█", "█ ▀█ █▀█ █ ▀█ █▀█")
_LINES: Final = (
    "Three of a kind, turned over one card at a time:",
    "a game of memory and deduction for 2 to 5 friends.",
)
_WIDTH: Final = 52
_FOOTER: Final = (
    ("confirm", "go"),
    ("up/down", "choose"),
    ("name", "name"),
    ("help", "rules"),
    ("games", "games"),
    ("settings", "settings"),
    ("quit", "quit"),
)
_NARROW: Final = 48
_KEY_WIDTH: Final = 9  # of pointer and key
_MOST_BOTS: Final = 4


class Opening(Struct, frozen=True):
    """What the screen shows besides the name."""

    bots: int = 3
    level: str = "novice"
    kept: str | None = None  # the room of a seat that is kept
    trouble: str = ""  # why one is back here

    @property
    def choices(self) -> tuple[Choice, ...]:
        base: tuple[Choice, ...] = ("play", "host", "join", "rooms", "watch")
        return (*base, "resume") if self.kept else base


class OpeningScreen(Screen[None]):
    AUTO_FOCUS: ClassVar[str | None] = ""
    DEFAULT_CSS: ClassVar[str] = """
    OpeningScreen #name { border: round $faint; border-title-color: $dim; background: $background;
                          padding: 0 1; }
    OpeningScreen #name:focus { border: round $accent; }
    """

    class Chosen(Message):
        """A way to a table was chosen."""

        def __init__(self, choice: Choice, name: str, opening: Opening) -> None:
            super().__init__()
            self.choice, self.name, self.opening = choice, name, opening

    class Asked(Message):
        """Help, the games that were played, or the settings were asked for."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, name: str, opening: Opening) -> None:
        super().__init__()
        self._name_given = name
        self.opening = opening
        self.at = 0
        self._flaw: str | None = None

    def compose(self) -> ComposeResult:
        yield Planned(
            Sheet(id="logo"),
            NameField(self._name_given),
            Sheet(id="menu"),
            Sheet(id="note"),
            Sheet(id="footer", ground="raised"),
            id="felt",
        )

    def on_mount(self) -> None:
        self.query_one("#name", Input).border_title = "Your name"

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        width, height = self.size
        if not width:
            return
        note = broken(self._flaw or self.opening.trouble, min(_WIDTH, width) - 2)
        rects = opening_rects(width, height, len(self.opening.choices), len(note))
        self.query_one("#felt", Planned).place(rects)
        across = rects["menu"].width
        self.query_one("#logo", Sheet).lay(_logo(rects["logo"].width, rects["logo"].height))
        self.query_one("#menu", Sheet).lay(_menu(self.opening, self.at, across, keyboard_of(self)))
        self.query_one("#note", Sheet).lay(
            prose_items(" ".join(note), across, rects["note"].height, "warn")
        )
        self.query_one("#footer", Sheet).lay(
            footer_items(_FOOTER, width, keyboard=keyboard_of(self))
        )

    def on_key(self, event: events.Key) -> None:
        if self.focused is not None:
            if event.key in {"escape", "down", "tab"}:
                event.stop()
                event.prevent_default()
                self.set_focus(None)
            return
        deed = deed_of(self, "opening", event)
        if deed is not None and self.press(deed):
            event.stop()
            event.prevent_default()

    def rename(self, name: str) -> None:
        """Show the name that was chosen elsewhere."""
        self.query_one(NameField).rename(name)

    def press(self, what: str) -> bool:
        choices = self.opening.choices
        chosen = choices[self.at % len(choices)]
        if what in {"up", "down"}:
            self.at = (self.at + (1 if what == "down" else -1)) % len(choices)
        elif what in {"left", "right"}:
            self._more_bots(1 if what == "right" else -1)
        elif what == "level":
            levels = get_args(Level)
            at = levels.index(self.opening.level) if self.opening.level in levels else 0
            self._set(level=levels[(at + 1) % len(levels)])
        elif what == "confirm":
            self._go(chosen)
        elif what == "name":
            self.query_one("#name", Input).focus()
        elif what in {"help", "games", "settings"}:
            self.query_one(NameField).settle()
            self.post_message(self.Asked(what))
        elif what in choices:
            self._go(next(choice for choice in choices if choice == what))
        else:
            return False
        self.draw()
        return True

    async def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if not await press_in_app(self, event.what):
            self.press(event.what)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.set_focus(None)
        self._flaw = flaw(tidied(event.value))
        self.draw()

    def _more_bots(self, by: int) -> None:
        self._set(bots=(self.opening.bots - 1 + by) % _MOST_BOTS + 1)

    def _set(self, *, bots: int | None = None, level: str | None = None) -> None:
        now = self.opening
        self.opening = Opening(bots or now.bots, level or now.level, now.kept, now.trouble)

    def _go(self, choice: Choice) -> None:
        """Go to a table, if the name will do."""
        name = tidied(self.query_one("#name", Input).value)
        self._flaw = flaw(name)
        if self._flaw is not None:
            self.query_one("#name", Input).focus()
            return
        self.post_message(self.Chosen(choice, name, self.opening))


def opening_rects(width: int, height: int, choices: int, note: int = 0) -> dict[str, Rect]:
    """Stack the parts in the middle of the screen; the logo shrinks for a long note, then goes."""
    across = min(_WIDTH, width)
    x = (width - across) // 2
    name, menu, note = 3, choices + 1, max(2, note)
    rest = height - 1 - name - menu - note
    logo = next((rows for rows in (13, 11, 5, 3, 2, 0) if rows <= rest), 0)
    air = max(0, min(2, rest - logo))
    y = max(0, (rest - logo - air) // 2)
    rects = {"logo": Rect(0, y, width, logo)} if logo else {"logo": Rect(0, 0, width, 0)}
    y += logo + air // 2
    rects["name"] = Rect(x, y, across, name)
    y += name
    rects["menu"] = Rect(x, y, across, menu)
    y += menu
    rects["note"] = Rect(x, y, across, max(0, min(note, height - 1 - y)))
    rects["footer"] = Rect(0, height - 1, width, 1)
    return rects


def _logo(width: int, height: int) -> Iterator[Item]:
    """Lay out three sevens, the name, and what it is, as much as there are rows for."""
    y = 0
    if height >= 11:
        size, gap = LARGE, 1
        left = (width - 3 * size.width - 2 * gap) // 2
        faces = (Face("up", 7),) * 3
        for at, face in enumerate(faces):
            yield Card(left + at * (size.width + gap), y, size, face)
        y += size.height + (1 if height >= 12 else 0)
    if height >= 5:
        for at, line in enumerate(_WORD):
            yield _centred(line, y + at, width, "accent")
        y += len(_WORD) + 1
    elif height >= 3:
        yield _centred("n a n a", y, width, "accent")
        y += 1
    for at, line in enumerate(_LINES[: max(0, height - y)]):
        yield _centred(line, y + at, width, "dim")


def _centred(text: str, y: int, width: int, tone: str) -> Words:
    return Words(0, y, width, (Piece(text.center(width), tone, bold=tone == "accent"),))


def _menu(opening: Opening, chosen: int, width: int, keyboard: Keyboard) -> Iterator[Item]:
    for at, choice in enumerate(opening.choices):
        on = at == chosen
        words = _row(choice, opening, keyboard, width)
        key = keyboard.label("confirm" if on else choice)
        pieces = (
            Piece("▸ " if on else "  ", "accent", bold=True),
            Piece(key.ljust(_KEY_WIDTH - 2), "accent" if on else "text", bold=True),
            Piece(words, "text" if on else "dim", bold=on),
        )
        yield Words(0, at, width, pieces, choice)
        if choice == "play":
            yield from _buttons(words, at, width, on=on)


def _buttons(words: str, y: int, width: int, *, on: bool) -> Iterator[Item]:
    """Lay buttons over the row of the bots: fewer, more, another level."""
    level = words.find("  ", words.find("▸")) + 2
    parts = [(words.find("◂"), 1, "left"), (words.find("▸"), 1, "right")]
    parts += [(level, len(words) - level, "level")] if level > 1 else []
    for at, wide, deed in parts:
        x = _KEY_WIDTH + at
        if x + wide <= width:
            piece = Piece(words[at : at + wide], "text" if on else "dim", bold=on)
            yield Words(x, y, wide, (piece,), deed)


def _row(choice: Choice, opening: Opening, keyboard: Keyboard, width: int) -> str:
    match choice:
        case "play":
            bots = f"{opening.bots} {LEVELS.get(opening.level, opening.level)} bot"
            many = "s" if opening.bots > 1 else ""
            level = f"  {keyboard.label('level')}: level" if width > _NARROW else ""
            return f"play against ◂ {bots}{many} ▸{level}"
        case "host":
            return "host a table for friends"
        case "join":
            return "join friends by their link"
        case "rooms":
            return "browse the open tables of a server"
        case "watch":
            return "watch a table by its link"
        case "resume":
            return f"go back to your seat in {opening.kept}"
