"""What the author of a bot reads: lines of what happens, and what has gone wrong.

What can be expected to go wrong is a sentence with an exit code, the same for a script's
`run` and for `nana bot`. A fault in the bot's own code keeps its traceback, without the
lines of this house above the author's.
"""

import os
import sys
import traceback
from typing import Final

from nana_bots.arena import authors_part
from nana_bots.mind import IllegalChoice
from nana_client.address import BadAddress, Target
from nana_client.hosting import CannotHost
from nana_client.robot.bot import BadWish, NoTable
from nana_client.robot.process import NoProgram
from nana_client.robot.program import GivenUp
from nana_client.session import PASSWORD, Ending

WRONG: Final = (BadAddress, BadWish)  # what was asked for: exit code 2, and 1 for the rest
EXPECTED: Final = (*WRONG, CannotHost, GivenUp, IllegalChoice, NoProgram, NoTable)


def aloud(text: str) -> None:
    """Print a line at once; whoever reads no more, or not these letters, stops no game."""
    try:
        print(text, flush=True)
    except UnicodeEncodeError as error:
        print(text.encode(error.encoding, "replace").decode(error.encoding), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # play on


def complain(error: Exception) -> int:
    """Say on standard error what went wrong, one of EXPECTED; return the exit code."""
    where = "".join(f"{note}: " for note in getattr(error, "__notes__", ()))
    print(f"nana: {where}{error}", file=sys.stderr)
    return 2 if isinstance(error, WRONG) else 1


def show(error: Exception) -> int:
    """Show the author of a bot what it raised; return the exit code."""
    error.__traceback__ = authors_part(error.__traceback__)
    traceback.print_exception(error)
    return 1


def why_no_table(ending: Ending, target: Target) -> str:
    """Say why a bot was not let in, and what its author can do about that."""
    own = f"{target.server} opens a room of your own there"
    match ending.code:
        case "no_such_room":
            return f"There is no room {target.room} any more: ask for its new link; or {own}."
        case "room_full":
            return f"Room {target.room} has no place left: let its host make room; or {own}."
        case "bots_refused":
            return (
                "The host of this room lets no bots in; they can, before a game, "
                f"with the option Guests' bots; or {own}."
            )
        case "wrong_password":
            return f"{ending.text} {PASSWORD}"
        case _:
            return ending.text
