"""Who plays in a contest, said in one word: `memory`, `expert:budget=20`, `mybots:Neighbour`.

A word names a level or, with a module before it, a class of one's own. What follows is
for its constructor: every keyword there whose default is a number, a text or a yes is
an option. The first argument of the constructor, if it takes one without a default, is the
Random to play from.
"""

import inspect
import math
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

from msgspec import Struct

from nana_bots.arena.faults import RAISED
from nana_bots.mind import LEVELS, Bot
from nana_bots.shape import misfit

Option: TypeAlias = int | float | str | bool
Make: TypeAlias = Callable[[Random], Bot]
BUDGET: Final = "budget"  # milliseconds that a searching bot may take for a choice
LONGEST: Final = 10_000_000  # of them
_TRUTHS: Final = {"yes": True, "true": True, "no": False, "false": False}


class BadSpec(ValueError):  # noqa: N818 - what was asked for
    """No bot is called so, or it has no such option; the message is one sentence."""


class UnknownBot(BadSpec):
    """No bot is called so; the message says what there is, and what may be meant."""


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
    options = dict(_options(spec, given, known, maker))
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
    if not all(part.isidentifier() for part in (name, *module.split("."))):
        near = get_close_matches(head, LEVELS, 1)
        meant = f" Is {near[0]} meant?" if near else ""
        there_are = f"a level ({', '.join(LEVELS)}) or MODULE:CLASS, a class of your own"
        raise UnknownBot(f"No bot is called {spec}.{meant} A bot is {there_are}.")
    found = _loaded(spec, module, name)
    if why := misfit(found):
        raise BadSpec(f"{spec} is not a bot: {why}")
    if not isinstance(found, type):
        raise BadSpec(f"{spec} is a bot already: name its class, {type(found).__name__}.")
    if missing := ", ".join(sorted(getattr(found, "__abstractmethods__", ()))):
        raise BadSpec(f"{spec} is not yet a bot: it must have its own {missing}(view, history).")
    maker: Callable[..., Bot] = found
    return maker


def _loaded(spec: str, module: str, name: str) -> Any:
    try:
        there = import_module(module)
    except ModuleNotFoundError as error:
        where = " in this folder, nor among what is installed" if error.name == module else ""
        raise BadSpec(f"{spec} could not be loaded: {error}{where}.") from error
    except RAISED as error:  # a boundary: what a bot's module raises is for its author
        why = f"{type(error).__name__}: {error}{_at(error, module)}"
        raise BadSpec(f"{spec} could not be loaded: {why}.") from error
    if not hasattr(there, name):
        bots = [
            each
            for each, it in vars(there).items()
            if hasattr(it, "choose") and isinstance(it, type) and not inspect.isabstract(it)
        ]
        others = f"; it has {', '.join(bots)}" if bots else ""
        raise BadSpec(f"{spec} could not be loaded: there is no {name} in {module}{others}.")
    return getattr(there, name)


def _at(error: BaseException, module: str) -> str:
    """Say in which line that was: the module's own, if it is among those."""
    if isinstance(error, SyntaxError):
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).stem == module.rpartition(".")[2]]
    frame = (own or frames)[-1]
    return f" ({frame.filename}, line {frame.lineno})"


def _options(
    spec: str, given: list[str], known: Mapping[str, Option], maker: Callable[..., Bot]
) -> Iterator[tuple[str, Option]]:
    for word in given:
        name, _, text = word.partition("=")
        if name not in known:
            if name in inspect.signature(maker).parameters:
                raise BadSpec(f"{name} in {spec} needs a default to be an option, like {name}=1.")
            names = ", ".join(known) or "none"
            raise BadSpec(f"{spec} has no option {name!r}; its options: {names}.")
        yield name, _read(spec, name, text, known[name])


def _read(spec: str, name: str, text: str, default: Option) -> Option:
    try:
        if name == BUDGET and not isinstance(default, bool | str):
            return type(default)(budget_in(text, f"{name} in {spec}"))
        return _TRUTHS[text] if isinstance(default, bool) else _finite(type(default)(text))
    except (KeyError, ValueError) as error:
        if isinstance(error, BadSpec):
            raise
        what = {bool: "yes or no", int: "a whole number", float: "a number"}[type(default)]
        raise BadSpec(f"{name} in {spec} is {what}, not {text!r}.") from None


def budget_in(text: str, whose: str) -> float:
    """Read milliseconds for a choice; raise BadSpec, which begins with whose they are."""
    with suppress(ValueError):
        if 1 <= (budget := float(text)) <= LONGEST:
            return budget
    raise BadSpec(f"{whose} is a number of milliseconds from 1 to {LONGEST}, not {text!r}.")


def _finite(value: Option) -> Option:
    """Let through what can be counted with; raise ValueError."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(value)
    return value
