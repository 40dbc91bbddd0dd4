"""Whether something can be called as bots are: told before a game, not in the middle of it."""

import inspect
from collections.abc import Callable, Mapping
from typing import Final

_GIVEN: Final[Mapping[str, tuple[str, ...]]] = {
    "choose": ("view", "history"),
    "begin": ("view",),
    "end": ("view", "history"),
}


def misfit(bot: object) -> str | None:
    """Say in a sentence why a bot, or the class of one, cannot play; None if it can."""
    if not callable(getattr(bot, "choose", None)):
        return "it has no method choose(view, history)."
    told = callable(getattr(bot, "begin", None)) and callable(getattr(bot, "end", None))
    for method in _GIVEN if told else ("choose",):
        if why := _ill_made(bot, method, getattr(bot, method)):
            return why
    return None


def _ill_made(bot: object, method: str, called: Callable[..., object]) -> str | None:
    if inspect.iscoroutinefunction(called):
        return f"its {method} is async; a bot thinks in a thread of its own: write def."
    if inspect.isgeneratorfunction(called):
        return f"its {method} has a yield in it; write return."
    given = _GIVEN[method]
    unbound = isinstance(bot, type) and inspect.isfunction(inspect.getattr_static(bot, method))
    try:
        inspect.signature(called).bind(*given, *(["self"] if unbound else []))
    except TypeError:
        return f"its {method} is called otherwise: write def {method}(self, {', '.join(given)})."
    except ValueError:  # it is written in C, and does not say what it takes
        pass
    return None
