"""What somebody who writes a bot fills in: a class with one method, and what it is told.

Nothing here plays: `seat` sits at a table with a bot, `table` plays it in this process.
"""

from abc import ABC, abstractmethod
from typing import TypeAlias

from nana_bots.history import History
from nana_bots.mind import LEVELS, IllegalChoice, checked
from nana_core.protocol.inbound import Level
from nana_core.protocol.outbound import Snapshot
from nana_core.text import NAME_CELLS, clipped

View: TypeAlias = Snapshot
"""What a seat sees: `legal`, `attempt`, `you.hand`, `seats`, `center` … (protocol.md, 7.2)."""


__all__ = [
    "BadWish",
    "Bot",
    "IllegalChoice",
    "NoTable",
    "View",
    "checked",
    "known_level",
    "name_of",
    "wanted",
]


class BadWish(ValueError):  # noqa: N818 - what was asked for
    """There is no such thing to be had; the message says what there is."""


class NoTable(Exception):  # noqa: N818 - what there is
    """The bot never came in; the message says why, and what may be done."""


class Bot(ABC):
    """A bot: fill in `choose`, and the others if they help.

    Everything is called from one thread, one call after the other, and never the
    connection's: a bot may think as long as the table's turn time lets it, and keep
    what it likes on `self` from one game to the next.
    """

    name: str = ""  # at the table; the class's own name unless you set it

    @abstractmethod
    def choose(self, view: View, history: History) -> str:
        """Return one of `view.legal`: the source of the card to turn over.

        Asked on the seat's own turn, once for each card; clearing the table before
        (`continue`) is done for you. `history.attempts` are the attempts that ended so
        far in this game, oldest first, as far as this seat was there to see them.
        """

    def begin(self, view: View) -> None:  # noqa: B027 - there to be filled in, or not
        """Hear that a game begins; `view.you.hand` is dealt."""

    def end(self, view: View, history: History) -> None:  # noqa: B027 - the same
        """Hear that a game is over; `view.result` says how, and every hand is open."""


def name_of(bot: object) -> str:
    """Name a bot by what it says of itself, else by its class; it fits on any table."""
    said = getattr(bot, "name", "") or type(bot).__name__
    return clipped(str(said), NAME_CELLS)


def known_level(name: Level) -> Level:
    """Return the name of a level of ours; raise BadWish, which lists them, for another."""
    if name not in LEVELS:
        raise BadWish(f"No bot is called {name}; there are {', '.join(LEVELS)}.")
    return name


def wanted(view: View) -> int | None:
    """Return the number that the running attempt needs; None when any card may come first."""
    cards = view.attempt.cards if view.attempt is not None else ()
    return cards[0].number if cards and view.legal != ("continue",) else None
