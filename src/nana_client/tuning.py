"""The settings in plain words: what can be chosen, and what each choice means. Pure.

Whoever shows them moves a pointer over the rows; a change is a name and a value, and takes
effect at once.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import asdict

from nana_client.options import Option
from nana_client.played import GAMES_MOST
from nana_client.settings import Settings
from nana_client.widgets.choices import Choices, Row

NAME: Final = "name"
KEYS: Final = "keys"


_HINTS: Final = (("up/down", "choose"), ("left/right", "change"), ("back", "back"))
_OFF_ON: Final = ("off", "on")


def _switch(key: str, title: str, on: str, off: str, words: tuple[str, str] = _OFF_ON) -> Option:
    return Option(key, title, (False, True), lambda v: words[v], lambda v: on if v else off)


def tunings(themes: Sequence[str]) -> tuple[Option, ...]:
    """Return every setting but the name, in the order in which they stand."""
    return (
        Option("theme", "Colours", tuple(themes), str, lambda _: "How the table looks."),
        _switch("motion", "Motion", "Cards turn and go back visibly.", "Nothing moves by itself."),
        _switch(
            "at_once",
            "A press reveals",
            "The first press reveals: quick, but a slip of the hand counts.",
            "The first press aims, the same key again reveals.",
            ("aim first", "at once"),
        ),
        _switch("bell", "Bell", "Rings when your turn begins while you look away.", "No sound."),
        _switch(
            "notify",
            "Notification",
            "Where the terminal can, it notifies you of your turn while you look away.",
            "No notification of your turn.",
        ),
        _switch(
            "title",
            "Window title",
            "Whose turn it is stands in the terminal's title.",
            "The terminal's title is left alone.",
        ),
        _switch(
            "mouse",
            "Mouse",
            "A click aims and presses; to select text hold Shift.",
            "The mouse is the terminal's: select text as always.",
        ),
        _switch(
            "keep_games",
            "Keep games",
            f"Your games are kept on this machine, the last {GAMES_MOST}, to be looked at again.",
            "No game is kept unless you save it; what is kept already stays.",
            ("no", "yes"),
        ),
        Option(
            "coached",
            "Hints",
            (True, False),
            lambda seen: "off" if seen else "on",
            lambda seen: "No hints." if seen else "The next table gives hints, as the first did.",
        ),
    )


def tuning_choices(
    settings: Settings, rows: Sequence[Option], at: int, files: tuple[str, str]
) -> Choices:
    """Return the rows with a note for the one at the pointer; `files` hold settings and keys."""
    values = asdict(settings)
    shown = [Row("", "Name", NAME, settings.name or "not yet")]
    shown += [
        Row("", option.title, option.key, f"◂ {option.shown(values[option.key])} ▸")
        for option in rows
    ]
    shown.append(Row("", "Keys", KEYS, "see them"))
    notes = (_meaning(settings, rows, at, files),)
    return Choices("Settings", tuple(shown), notes, hints=_HINTS, note_rows=2)


def _meaning(settings: Settings, rows: Sequence[Option], at: int, files: tuple[str, str]) -> str:
    if at == 0:
        return "How others know you, from the next table on."
    if at > len(rows):
        return f"Choose your own keys in {files[1]}; nana keys --write makes it."
    option = rows[at - 1]
    return option.meaning(asdict(settings)[option.key])


def next_value(settings: Settings, option: Option, by: int) -> Any:
    """Return the value after the one that holds, or before it; the ends meet."""
    now, values = asdict(settings)[option.key], option.values
    at = values.index(now) if now in values else 0
    return values[(at + by) % len(values)]
