"""What may be said to `run` and `play` about a bot's evening; what cannot be is a BadWish.

Looked at before anything is started: a wish that nobody understands must not be passed
over, and a bot that cannot choose must not take a seat.
"""

import reprlib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Final, TypedDict

from nana_bots.shape import misfit
from nana_client.address import EXAMPLE
from nana_client.robot.bot import BadWish, known_level
from nana_core.protocol.inbound import Level

MOST_BOTS: Final = 4  # and the bot itself: as many as a table seats


class Wishes(TypedDict, total=False):
    """What may be said beside the bot and the link."""

    games: int | None  # leave after so many; None: 1 at a table of its own, else until it ends
    name: str | None  # at the table; None: the bot's own
    password: str | None  # the server's; None: NANA_PASSWORD, if it asks for one
    against: Level  # at a table of its own: the level of the others (memory)
    bots: int  # and how many of them (1)
    thinking: float  # seconds that a card takes at least, where people watch (0.8)
    say: Callable[[str], None]  # hears in lines what happens (print)


def examine(bot: object, url: object, wishes: Mapping[str, object]) -> None:
    """Raise BadWish for what can come to nothing, and say what would."""
    examine_bot(bot)
    if not isinstance(url, str | None):
        raise BadWish(f"The link is a text like {EXAMPLE}, not {reprlib.repr(url)}.")
    for name, value in wishes.items():
        if name not in _WANTED:
            near = get_close_matches(name, _WANTED, 1)
            meant = f" Is {near[0]} meant?" if near else ""
            raise BadWish(f"There is no keyword {name}.{meant} There are {', '.join(_WANTED)}.")
        fits, what = _WANTED[name]
        if not fits(value):
            raise BadWish(f"{name} is {what}, not {reprlib.repr(value)}.")
    if isinstance(against := wishes.get("against"), str):
        known_level(against)  # type: ignore[arg-type]  # that is what it finds out


def examine_bot(bot: object) -> None:
    """Raise BadWish for what cannot be called as a bot is, and for a class of bots."""
    if why := misfit(bot):
        name = repr(bot) if isinstance(bot, str) else type(bot).__name__
        raise BadWish(f"{name} is no bot: {why}")
    if isinstance(bot, type):
        raise BadWish(f"{bot.__name__} is a class, not yet a bot: write {bot.__name__}().")


def _is_count(value: object, most: float) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6


def _is_text(value: object) -> bool:
    return isinstance(value, str | None)


_WANTED: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "games": (
        lambda value: value is None or _is_count(value, float("inf")),
        "a whole number from 1 on",
    ),
    "name": (_is_text, "a text"),
    "password": (_is_text, "a text"),
    "against": (lambda value: isinstance(value, str), "the name of a level"),
    "bots": (lambda value: _is_count(value, MOST_BOTS), f"a number from 1 to {MOST_BOTS}"),
    "thinking": (_is_time, "a number of seconds"),
    "say": (callable, "a function that takes a line"),
}
