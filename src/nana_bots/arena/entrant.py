"""Who plays in a contest, said in one word: `memory`, `expert:budget=20`, `mybots:Neighbour`.

A word names a level or, with a module before it, a class of one's own. What follows is
for its constructor: every keyword there whose default is a number, a text or a yes is
an option. The first argument of the constructor, if it takes one without a default, is the
Random to play from.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from random import Random
from typing import Any, Final, TypeAlias

from msgspec import Struct

from nana_bots.mind import LEVELS, Bot

Option: TypeAlias = int | float | str | bool
Make: TypeAlias = Callable[[Random], Bot]
BUDGET: Final = "budget"  # milliseconds that a searching bot may take for a choice
_TRUTHS: Final = {"yes": True, "true": True, "no": False, "false": False}


class BadSpec(ValueError):  # noqa: N818 - what was asked for
    """No bot is called so, or it has no such option; the message is one sentence."""


class Entrant(Struct, frozen=True):
    """A bot by the name under which it is counted, and how one is made for a game."""

    name: str
    make: Make  # a level, a class or a partial of one: it is sent to other processes


def entrant(spec: str, budget: float | None = None) -> Entrant:
    """Read a spec; `budget` is for every bot that has that option and is not told another."""
    head, *given = spec.split(",") if "=" in spec else [spec]
    if "=" in head:  # the first option stands behind a colon
        head, _, first = head.rpartition(":")
        given.insert(0, first)
    maker = _maker(head, spec)
    known = options_of(maker)
    options = dict(_options(spec, given, known))
    if budget is not None and BUDGET in known:
        options.setdefault(BUDGET, type(known[BUDGET])(budget))
    return Entrant(spec, partial(_made, maker, tuple(options.items())))


def options_of(maker: Callable[..., Bot]) -> Mapping[str, Option]:
    """Return the options of a level or class, with their defaults."""
    found = inspect.signature(maker).parameters.values()
    return {one.name: one.default for one in found if isinstance(one.default, Option)}


def _made(
    maker: Callable[..., Bot], options: tuple[tuple[str, Option], ...], chance: Random
) -> Bot:
    wants_chance = any(
        one.default is one.empty and one.kind is not one.VAR_KEYWORD
        for one in inspect.signature(maker).parameters.values()
    )
    return maker(*[chance] if wants_chance else [], **dict(options))


def _maker(head: str, spec: str) -> Callable[..., Bot]:
    for level, make in LEVELS.items():
        if level == head:
            return make
    module, _, name = head.partition(":")
    if not name:
        raise BadSpec(f"No bot is called {spec}; there are {', '.join(LEVELS)} and MODULE:CLASS.")
    try:
        found: Any = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadSpec(f"{spec} could not be loaded: {error}.") from error
    if not callable(getattr(found, "choose", None)):
        raise BadSpec(f"{spec} is not a bot: it has no method choose(view, history).")
    maker: Callable[..., Bot] = found
    return maker


def _options(
    spec: str, given: list[str], known: Mapping[str, Option]
) -> Iterator[tuple[str, Option]]:
    for word in given:
        name, _, text = word.partition("=")
        if name not in known:
            names = ", ".join(known) or "none"
            raise BadSpec(f"{spec} has no option {name!r}; its options: {names}.")
        yield name, _read(spec, name, text, known[name])


def _read(spec: str, name: str, text: str, default: Option) -> Option:
    try:
        return _TRUTHS[text] if isinstance(default, bool) else type(default)(text)
    except (KeyError, ValueError):
        what = {bool: "yes or no", int: "a whole number", float: "a number"}[type(default)]
        raise BadSpec(f"{name} in {spec} is {what}, not {text!r}.") from None
