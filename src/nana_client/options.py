"""The options of a table, in plain words: what can be chosen, and what each choice means."""

from collections.abc import Callable
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import asdict

from nana_core.protocol.inbound import Level, OptionChanges
from nana_core.protocol.outbound import OptionsView

Value = Any  # int, str or bool, as the option has it

LEVELS: Final = {"random": "careless", "novice": "easy", "memory": "strong", "expert": "expert"}
LEVEL_WORDS: Final = {
    "random": "turns over anything, remembers nothing",
    "novice": "remembers a little, forgets a lot",
    "memory": "remembers what it saw and draws conclusions",
    "expert": "weighs what each card may win against what it gives away",
}


def a_bot(level: str) -> str:
    """Say a bot of a level inside a sentence: `an easy bot`."""
    word = LEVELS.get(level, level)
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word} bot"


def level_of(word: str) -> Level | None:
    """Return the level that a word means: the protocol's own, or the one that the table shows."""
    word = word.lower()
    return next((level for level in get_args(Level) if word in {level, LEVELS[level]}), None)


class Option(Struct, frozen=True):
    """One row of the options."""

    key: str
    title: str
    values: tuple[Value, ...]
    shown: Callable[[Value], str]
    meaning: Callable[[Value], str]


def _seconds(value: int) -> str:
    return f"{value} s" if value else "none"


def _turn_time(value: int) -> str:
    if not value:
        return "Nobody is hurried."
    return f"After {value} s a stand-in plays, until you are back."


def _memory(value: str) -> str:
    if value == "open":
        return "Every card once seen stays marked: for a first game."
    return "Cards turned in vain are not shown again: remember!"


OPTIONS: Final = (
    Option("seats", "Seats", (2, 3, 4, 5), str, lambda n: f"Up to {n} can play."),
    Option("memory", "Memory", ("none", "open"), lambda v: "closed" if v == "none" else v, _memory),
    Option("turn_time", "Turn time", (0, 30, 60, 90, 180), _seconds, _turn_time),
    Option(
        "pace",
        "Pace",
        (0, 600, 1200, 2500, 5000),
        lambda ms: f"{ms / 1000:g} s",
        lambda ms: f"An attempt stays visible for {ms / 1000:g} seconds at least.",
    ),
    Option(
        "public",
        "Listed",
        (False, True),
        lambda on: "yes" if on else "no",
        lambda on: (
            "Everybody on this server can find the table."
            if on
            else "Only who has the link finds the table."
        ),
    ),
    Option(
        "bots",
        "Guests' bots",
        (True, False),
        lambda on: "welcome" if on else "no",
        lambda on: "Programs may take a seat by the link." if on else "Only people may join.",
    ),
)


def value_of(options: OptionsView, option: Option) -> Value:
    return asdict(options)[option.key]


def changed(options: OptionsView, option: Option, by: int) -> OptionChanges:
    """Return the change to the next value, or the one before; the ends meet."""
    now = value_of(options, option)
    values = option.values
    at = values.index(now) if now in values else 0
    return OptionChanges(**{option.key: values[(at + by) % len(values)]})
