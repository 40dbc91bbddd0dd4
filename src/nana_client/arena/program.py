"""A program as a bot of the arena: kept from game to game, one for each seat at the same time."""

from collections.abc import Callable
from functools import partial
from random import Random
from time import perf_counter

from nana_bots.arena import BadSpec, Entrant, complained
from nana_bots.arena.crew import BEFORE_THE_END
from nana_bots.history import History
from nana_bots.mind import Bot
from nana_client.robot import NoProgram, Program, View
from nana_client.robot.process import end_all, parse_command
from nana_client.robot.program import FAULTS, WITHIN

PREFIX = "exec:"
_idle: dict[str, list["_Running"]] = {}  # those that play in no game, by command


def program_entrant(spec: str, *, within: float = WITHIN, forgive: bool = False) -> Entrant:
    """Read `exec:COMMAND`; raise BadSpec when there is no such program."""
    command = spec.removeprefix(PREFIX)
    try:
        parse_command(command)
    except NoProgram as error:
        raise BadSpec(str(error)) from error
    return Entrant(spec, partial(_made, command, within, None if forgive else FAULTS))


def close_programs() -> None:
    """End the programs of this process; those of others end with these."""
    end_all()
    _idle.clear()


def _made(command: str, within: float, most_faults: int | None, chance: Random) -> Bot:
    idle = _idle.setdefault(command, [])
    return InOneGame(idle.pop() if idle else _Running(command, within, most_faults), chance)


class InOneGame:
    """A program in one game: its faults are counted, and when it is over another may have it."""

    def __init__(self, running: "_Running", chance: Random) -> None:
        self.faults, self.complaint = 0, ""
        self._running, self._program = running, running.program
        self._running.chance.setstate(chance.getstate())
        self._running.said = ""

    @property
    def clock(self) -> Callable[[], float]:
        return perf_counter

    def begin(self, view: View) -> None:
        """Nothing is told to a program: each of its lines says everything."""

    def choose(self, view: View, history: History) -> str:
        before = self._program.faults
        choice = self._program.choose(view, history)
        if self._program.faults > before:
            self.faults += 1
            self.complaint = self.complaint or complained(view, self._running.said)
        return choice

    def end(self, view: View, history: History) -> None:  # noqa: ARG002 - as every bot is told
        _idle[self._running.command].append(self._running)


class _Running:
    """A program, and the chance by which a card is drawn where it has no good answer."""

    def __init__(self, command: str, within: float, most_faults: int | None) -> None:
        self.command, self.chance, self.said = command, Random(), ""
        self.program = Program(
            command, within=within, say=self._hear, random=self.chance, most_faults=most_faults
        )
        if end_all not in BEFORE_THE_END:
            BEFORE_THE_END.append(end_all)

    def _hear(self, text: str) -> None:
        """Keep what was wrong last; `nana bot --exec` tells each of it."""
        self.said = text
