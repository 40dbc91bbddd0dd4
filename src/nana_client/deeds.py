"""What can be done by a key: every deed by its plain name, where it counts, and its keys.

Text and data, nothing else. In one place a key means one deed; `keyboard` holds the keys
that a person has changed, and `test_deeds` that no two deeds of a place share one.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from nana_core.deck import LETTERS
from nana_core.notation import SOURCES

# `over`: after a game, at the table; `beside`: the same, for who watches.
Place: TypeAlias = Literal[
    "opening", "lobby", "table", "over", "beside", "offline", "menu", "rooms", "games", "replay"
]

_ROOM: Final[tuple[Place, ...]] = ("lobby", "table", "over", "beside", "offline")
_ALL: Final[tuple[Place, ...]] = ("opening", "rooms", "games", *_ROOM)
_EVERY: Final[tuple[Place, ...]] = (*_ALL, "menu", "replay")

_CHOOSING: Final[tuple[Place, ...]] = ("opening", "menu", "rooms", "replay")


class Deed(Struct, frozen=True):
    """Something that a key does; `keys` are those it has until somebody chooses others."""

    name: str
    keys: tuple[str, ...]
    places: tuple[Place, ...]
    says: str
    typed_too: bool = False  # counts while one types, too: no key for it may be a character


def source_name(source: str) -> str:
    """Return the plain name of a source: `center-3`, `b-low`."""
    if source[1:].isdigit():
        return f"center-{source[1:]}"
    return f"{source[0]}-{'low' if source.endswith('<') else 'high'}"


def _source_key(source: str) -> str:
    if source[1:].isdigit():
        return source[1:] if source != "c10" else "0"
    return source[0].upper() if source.endswith(">") else source[0]


def _source_says(source: str) -> str:
    if source[1:].isdigit():
        return f"slot {source[1:]} of the center"
    return f"the {'lowest' if source.endswith('<') else 'highest'} card of {source[0].upper()}"


_SOURCES: Final = tuple(
    Deed(source_name(source), (_source_key(source),), ("table",), _source_says(source))
    for source in SOURCES
)

# Grouped for who reads them: at the table, after a game, in the lobby, at first, in a menu.
GROUPS: Final[tuple[tuple[str, tuple[Deed, ...]], ...]] = (
    ("Cards", _SOURCES),
    (
        "At the table",
        (
            Deed("reveal", ("enter",), ("table",), "reveals what is aimed at; goes on, too"),
            Deed("continue", ("space",), ("table",), "goes on after a set or a miss"),
            Deed("left", ("left",), _EVERY, "moves the aim, or changes what is chosen"),
            Deed("right", ("right",), _EVERY, "the same, to the right"),
            Deed("up", ("up",), _EVERY, "moves the aim, or chooses"),
            Deed("down", ("down",), _EVERY, "the same, downwards"),
            Deed("skip-hints", ("x",), ("table",), "no more hints of the first game"),
        ),
    ),
    (
        "Everywhere",
        (
            Deed("back", ("escape",), _EVERY, "clears the aim, closes, goes back, leaves", True),
            Deed("talk", ("t",), _ROOM, "talk; a digit first says a quick phrase"),
            Deed("menu", ("m",), (*_ROOM, "menu"), "the menu: settings, mute; the host's deeds"),
            Deed("help", ("?", "f1"), (*_ALL, "replay"), "keys and rules"),
            Deed("palette", ("ctrl+p",), _EVERY, "everything by its name", True),
            Deed("quit", ("ctrl+q",), _EVERY, "leaves nana; asks while a game is on", True),
            Deed("retry", ("r",), ("offline",), "without a connection: try again now"),
        ),
    ),
    (
        "After a game",
        (
            Deed("again", ("r",), ("over", "lobby"), "ready for another game, or no longer"),
            Deed("deal", ("enter",), ("over", "lobby"), "plays again; deals, if you are the host"),
            Deed("record", ("s",), ("over",), "saves the record of the game"),
            Deed("options", ("o",), ("over",), "seats, bots and options of the next game"),
            Deed("sit", ("s",), ("beside", "lobby"), "takes a free seat, if you watch"),
        ),
    ),
    (
        "In the lobby",
        (
            Deed("add-bot", ("b",), ("lobby",), "adds a bot"),
            Deed("level", ("l",), ("lobby", "opening"), "how strong bots are"),
            Deed("remove", ("x", "delete", "backspace"), ("lobby",), "removes who is chosen"),
            Deed("copy-link", ("c",), ("lobby",), "copies the link"),
        ),
    ),
    (
        "On the opening screen",
        (
            Deed(
                "confirm",
                ("enter",),
                ("opening", "menu", "rooms", "games", "replay"),
                "takes what is chosen",
                True,
            ),
            Deed("play", ("p",), ("opening",), "plays against bots at once"),
            Deed("host", ("h",), ("opening",), "hosts a table for friends"),
            Deed("join", ("j",), ("opening",), "joins friends by their link"),
            Deed("rooms", ("b",), ("opening",), "looks for open tables on a server"),
            Deed("watch", ("w",), ("opening", "rooms"), "watches a table"),
            Deed("refresh", ("r",), ("rooms",), "asks a server for its tables again"),
            Deed("other-server", ("o",), ("rooms",), "names another server"),
            Deed("resume", ("r",), ("opening",), "goes back to the seat you had last"),
            Deed("name", ("n",), ("opening",), "changes your name"),
            Deed("games", ("g",), ("opening",), "the games that you played, to look at again"),
            Deed("settings", ("s",), ("opening",), "settings"),
        ),
    ),
    (
        "Among games played",
        (
            Deed("copy-path", ("c",), ("games",), "copies the path of the record's file"),
            Deed("delete-game", ("x", "delete"), ("games",), "deletes a game, after asking"),
            Deed("page-up", ("pageup",), ("games",), "a page up"),
            Deed("page-down", ("pagedown",), ("games",), "a page down"),
            Deed("newest", ("home",), ("games",), "to the newest"),
            Deed("oldest", ("end",), ("games",), "to the oldest"),
        ),
    ),
    (
        "In a replay",
        (
            Deed("turn-back", ("pageup",), ("replay",), "one turn back"),
            Deed("turn-on", ("pagedown",), ("replay",), "one turn on"),
            Deed("first", ("home",), ("replay",), "back to the deal"),
            Deed("last", ("end",), ("replay",), "on to the end"),
            Deed("run", ("space",), ("replay",), "plays by itself, or stops"),
            Deed("faster", ("+", "="), ("replay",), "a faster pace"),
            Deed("slower", ("-",), ("replay",), "a slower pace"),
            Deed("eyes", ("tab",), ("replay",), "through whose eyes: all hands, or one seat"),
            Deed("eyes-back", ("shift+tab",), ("replay",), "the same, the other way round"),
            Deed("notes", ("n",), ("replay",), "who took what, and why it was won"),
        ),
    ),
    (
        "In menus and questions",
        (
            Deed("pause-game", ("p",), ("menu",), "pauses the game, or lets it go on"),
            Deed("end-game", ("e",), ("menu",), "ends the game"),
            Deed("next-options", ("o",), ("menu",), "options, seats and bots"),
            Deed("remove-player", ("r",), ("menu",), "removes somebody"),
            Deed("make-host", ("h",), ("menu",), "makes somebody else the host"),
            Deed("end-room", ("x",), ("menu",), "closes the room"),
            Deed("take-seat", ("f",), ("menu",), "takes a free seat"),
            Deed("mute", ("u",), ("menu",), "mutes somebody"),
            Deed("own-settings", ("s",), ("menu",), "settings"),
            Deed("yes", ("y",), ("menu",), "yes"),
            Deed("keep-seat", ("k",), ("menu",), "goes, and keeps the seat"),
            Deed("leave-seat", ("l",), ("menu",), "leaves for good"),
        ),
    ),
)
DEEDS: Final = {deed.name: deed for _, group in GROUPS for deed in group}
SOURCE_OF: Final = {source_name(source): source for source in SOURCES}
SLOTS: Final = tuple(source_name(f"c{slot}") for slot in range(1, 11))
LOWS: Final = tuple(source_name(f"{letter.lower()}<") for letter in LETTERS)
HIGHS: Final = tuple(source_name(f"{letter.lower()}>") for letter in LETTERS)
