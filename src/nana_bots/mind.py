"""What every bot is: a choice made from a view; the levels; and a bot in its seat.

A choice that is not legal is IllegalChoice, whoever made it. When to move is not decided
here. `Player` answers at once, also with a continue that is too early: whoever carries
the answer waits for `not_before` and the pace.
"""

import reprlib
from collections.abc import Callable
from random import Random
from typing import Final, Protocol, cast

from nana_bots.expert import Expert
from nana_bots.guesser import Guesser
from nana_bots.history import History
from nana_bots.memory import Rememberer
from nana_bots.novice import Novice
from nana_core.protocol.inbound import Continue, Level, Reveal, SourceName
from nana_core.protocol.outbound import Snapshot


class Bot(Protocol):
    """Decides what to turn over."""

    def choose(self, view: Snapshot, history: History) -> str:
        """Return one of `view.legal`, which are sources of the seat on turn: this bot's."""
        ...


_NO_WORD: Final = "None is what a function gives that ends without a return."
_A_WORD: Final = "A choice is one of these words, a text."


class IllegalChoice(Exception):  # noqa: N818 - what the bot has made
    """A bot chose what is not legal; the message says what, and what there was to choose."""

    def __init__(self, choice: object, view: Snapshot) -> None:
        legal = " ".join(view.legal)
        chosen = reprlib.repr(choice)  # whole, it may be as long as a program likes
        hint = "" if isinstance(choice, str) else f" {_NO_WORD if choice is None else _A_WORD}"
        super().__init__(f"It chose {chosen}, which is not legal now; it had: {legal}.{hint}")


def checked(choice: object, view: Snapshot) -> str:
    """Return a bot's choice if it is one of those it had, as a plain text; raise IllegalChoice.

    A text of a kind of its own, as of numpy or an enumeration, can be sent to nobody.
    """
    plain = str.__str__(choice) if isinstance(choice, str) else None
    if plain is None or plain not in view.legal:
        raise IllegalChoice(choice, view)
    return plain


LEVELS: Final[dict[Level, Callable[[Random], Bot]]] = {
    "random": Guesser,
    "novice": Novice,
    "memory": Rememberer,
    "expert": Expert,
}


class Player:
    """A bot in one room: give it every snapshot of its seat, send what it answers.

    The same step always gets the same answer, so that an answer which was lost may
    be asked for again; send it once per step.
    """

    def __init__(self, bot: Bot, history: History | None = None) -> None:
        self._bot = bot
        self.history = History() if history is None else history
        self._answered: tuple[int, int] | None = None  # game and step of the last choice
        self._choice = ""

    def receive(self, snapshot: Snapshot) -> Reveal | Continue | None:
        """Say what the seat should send now; None when it is not its turn to act."""
        self.history.see(snapshot)
        seat = snapshot.you.seat
        if seat is None or seat != snapshot.on_turn or not snapshot.legal:
            return None
        if snapshot.legal == ("continue",):
            return Continue(step=snapshot.step)
        return Reveal(step=snapshot.step, source=self._source(snapshot))

    def _source(self, snapshot: Snapshot) -> SourceName:
        asked = (snapshot.game, snapshot.step)
        if asked != self._answered:
            self._choice = self._bot.choose(snapshot, self.history)
            self._answered = asked
        return cast("SourceName", checked(self._choice, snapshot))
