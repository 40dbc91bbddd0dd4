"""What a bot's failure was, for its author: a sentence, and its own part of the traceback."""

import traceback
from types import TracebackType
from typing import Final

from nana_bots.mind import IllegalChoice

RAISED: Final = (Exception, SystemExit)  # what a bot may raise that ends its game, not this house
_OURS: Final = ("asyncio", "nana_client", "nana_bots")


def failure(error: BaseException) -> tuple[str, str]:
    """Say what a bot's failure was: in a sentence, and the trace if there is one to look at."""
    if isinstance(error, IllegalChoice):
        return str(error), ""
    name, why = type(error).__name__, str(error)
    if type(error).__module__ == "builtins":  # says little without its name
        why = f"{name}: {why}" if why else name
    error.__traceback__ = authors_part(error.__traceback__)
    return why or name, "".join(traceback.format_exception(error))


def authors_part(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback from the first line on that is not of this house; all, if none is."""
    rest = trace
    while rest is not None:
        if rest.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in _OURS:
            return rest
        rest = rest.tb_next
    return trace
