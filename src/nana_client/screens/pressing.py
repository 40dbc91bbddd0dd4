"""From a key or a click to a deed, on every screen alike."""

from typing import Any, Final

from textual import events
from textual.dom import DOMNode
from textual.screen import Screen

from nana_client.deeds import Place
from nana_client.keyboard import USUAL, Keyboard

_APPS: Final = {"quit": "leave", "palette": "command_palette"}  # deeds that are the app's own


def keyboard_of(node: DOMNode) -> Keyboard:
    """Return the app's keyboard; an app without one has the usual keys."""
    keyboard = getattr(node.app, "keyboard", USUAL)
    return keyboard if isinstance(keyboard, Keyboard) else USUAL


def typed(event: events.Key) -> str:
    """Return the character that a key types, else the key's name."""
    if event.character == " ":
        return "space"
    return event.character if event.is_printable and event.character else event.key


def deed_of(node: DOMNode, place: Place, event: events.Key) -> str | None:
    """Return what a key means on a screen; None when it means nothing there."""
    return keyboard_of(node).deed(place, typed(event))


async def press_in_app(screen: Screen[Any], what: str) -> bool:
    """Do what only the app can, when it was clicked; tell whether it was such a deed."""
    if what in _APPS:
        await screen.app.run_action(_APPS[what], screen.app)
    return what in _APPS
