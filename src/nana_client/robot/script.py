"""`run`, for a script: what can be expected to go wrong ends it with a sentence.

A program that wants to go on after a refusal uses `play`, which raises it.
"""

import asyncio
import inspect
import sys
from types import FrameType
from typing import NoReturn, Unpack

from nana_bots import mind
from nana_bots.arena import authors_part
from nana_client.robot.running import play
from nana_client.robot.saying import EXPECTED, complain
from nana_client.robot.seat import Played
from nana_client.robot.wishes import Wishes
from nana_client.stopping import INTERRUPTED


def run(bot: mind.Bot, url: str | None = None, **wishes: Unpack[Wishes]) -> tuple[Played, ...]:
    """Let a bot play; return the games that it has played. Ctrl+C makes it leave.

    `url` is a room's link, to join it; or a server's, to open a room there; or None, for
    a server of its own. `Wishes` are the keywords. A lost connection ends nothing: it
    comes back by itself.

    When it cannot play, that is said in a sentence on standard error, and the script ends:
    with exit code 2 for a link or a wish that can come to nothing, with 1 when there is no
    table to be had, or the bot chose what is not legal. What the bot itself raises comes out
    as it is, from the first of its own lines on. At Python's prompt nothing is ended, and all
    of it is raised, as by `play`.
    """
    _see_that_no_loop_runs()
    _see_that_it_is_no_import(inspect.currentframe())
    try:
        return asyncio.run(play(bot, url, **wishes))
    except EXPECTED as error:
        if hasattr(sys, "ps1"):  # somebody is trying things out
            raise
        _end(complain(error))
    except KeyboardInterrupt:
        _end(INTERRUPTED)
    except Exception as error:  # a boundary: the bot's author needs no line of ours
        error.__traceback__ = authors_part(error.__traceback__)
        raise


def _end(code: int) -> NoReturn:
    raise SystemExit(code)


def _see_that_no_loop_runs() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("An event loop runs here, as in a notebook: write `await play(…)`.")


def _see_that_it_is_no_import(frame: FrameType | None) -> None:
    """Look from where `run`, whose frame it is, was called: an import must not begin to play."""
    caller = None if frame is None else frame.f_back
    if caller is None or caller.f_code.co_name != "<module>":
        return
    name = caller.f_globals.get("__name__")
    if name != "__main__" and name in sys.modules:
        raise RuntimeError(
            f"{name} is imported, and runs its bot at once; "
            'write `if __name__ == "__main__":` above that line'
        )
