"""A program of any language as a bot: it reads one JSON line a turn, and writes one.

The line it reads is the view of its seat with the history (`line_for`); the line it
writes names the card (`source_in`). A program that does not answer, answers nonsense
or dies is told off in plain words, a card is drawn by lot in its place, and it is
started again; after some of these in one game it is given up.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from nana_bots.history import History
from nana_client.robot.bot import Bot, IllegalChoice, View, checked
from nana_client.robot.lines import Fault, line_for, source_in
from nana_client.robot.process import Process, parse_command
from nana_core.notation import SOURCES

WITHIN: Final = 10.0  # seconds for one answer
FAULTS: Final = 3  # in one game; with the next one it is given up


class GivenUp(Exception):  # noqa: N818 - what was done
    """The program failed too often in one game; the message says how it failed last."""


class Program(Bot):
    """A bot that is a program; it can be used wherever a bot can."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        within: float = WITHIN,
        most_faults: int | None = FAULTS,
        say: Callable[[str], None] = print,
        random: Random | None = None,
    ) -> None:
        """Take a command line, which no shell reads; with `most_faults` None it never gives up.

        Raise NoProgram when there is no such program. It starts with its first turn.
        """
        self.argv = parse_command(command)
        script = (word for word in self.argv[1:] if Path(word).is_file())
        self._path = Path(next(script, self.argv[0]))
        self.file = self._path.name
        self.name = Path(self.file).stem
        self.faults = 0  # in all games
        self._within, self._most, self._say = within, most_faults, say
        self._random = random or Random()
        self._game, self._in_game = 0, 0
        self._running: Process | None = None

    def choose(self, view: View, history: History) -> str:
        if view.game != self._game:
            self._game, self._in_game = view.game, 0
        try:
            return self._ask(view, history)
        except Fault as fault:
            self.faults += 1
            self._in_game += 1
            self.close()
            if self._most is not None and self._in_game > self._most:
                raise GivenUp(f"{self.file}: {fault} That was too often in one game.") from None
            choice = self._random.choice(view.legal)
            self._say(f"{self.file}: {fault} {choice} was drawn by lot instead.")
            return choice

    def close(self) -> None:
        """End the program: first its input, then the program itself and what it started."""
        if self._running is not None:
            self._running.end()
            self._running = None

    def _ask(self, view: View, history: History) -> str:
        if self._running is None:
            self._running = Process(self.argv)
        answer = self._running.ask(line_for(view, history), self._within)
        choice = source_in(answer)
        try:
            return checked(choice, view)
        except IllegalChoice as error:
            raise Fault(f"{error}{self._hint(choice)}") from None

    def _hint(self, choice: object) -> str:
        """Guess what went wrong with an answer that names no source at all."""
        if choice in SOURCES or not isinstance(choice, str):
            return ""
        if choice.lower() in SOURCES:
            return " Sources are written in small letters."
        if _plays_by_itself(self._path):
            return f" It plays by itself; name the class in it: {self._path.stem}:CLASS."
        return " What is no answer belongs on its standard error."


def _plays_by_itself(file: Path) -> bool:
    """Tell whether a script is a bot with a connection of its own, which reads no line."""
    with suppress(OSError):
        return file.suffix == ".py" and b"nana_client.robot" in file.read_bytes()
    return False
