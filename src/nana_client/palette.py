"""What the palette offers, by name: pages, deeds of the room, and every setting. Pure.

Each entry is a title, a sentence and what it asks of the app; titles name the keys that
hold, so that whoever looks something up there needs not do so twice.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from nana_client.keyboard import Keyboard
from nana_client.options import Option
from nana_client.settings import Settings


class Entry(Struct, frozen=True):
    """One line; `what` is a deed, or `set` with a setting's name and its value."""

    title: str
    says: str
    what: str
    value: Any = None


def entries(
    keyboard: Keyboard, settings: Settings, rows: Sequence[Option], phase: str
) -> Iterator[Entry]:
    """List what can be done now, in a room of this phase, or (without one) outside."""
    if phase:
        yield _deed(keyboard, "talk", "Talk", "Say something to everybody at the table")
        yield _deed(keyboard, "menu", "Menu of the table", "Pause, mute; what a host may do")
    if phase in {"", "over"}:
        yield _deed(keyboard, "games", "Games played", "Look at one again")
    yield Entry("Settings", "All of them on one page", "settings")
    yield _deed(keyboard, "help", "Keys and rules", "How to play")
    values = asdict(settings)
    for option in rows:
        for value in option.values:
            if value != values[option.key]:
                title = f"{option.title}: {option.shown(value)}"
                yield Entry(title, option.meaning(value), f"set {option.key}", value)
    if phase:
        yield Entry("Leave the table", "To the opening screen", "back")
    yield _deed(keyboard, "quit", "Quit", "Leave the table and nana")


def _deed(keyboard: Keyboard, name: str, title: str, says: str) -> Entry:
    return Entry(f"{title}  ({keyboard.label(name, short=False)})", says, name)
