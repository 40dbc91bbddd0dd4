"""A program as a bot of the arena: kept from game to game, one for each seat at the same time."""

import atexit
from collections.abc import Callable
from functools import partial
from random import Random
from time import perf_counter

from nana_bots.arena import BadSpec, Entrant
from nana_bots.history import History
from nana_bots.mind import Bot
from nana_client.robot import NoProgram, Program, View
from nana_client.robot.process import parse_command

PREFIX = "exec:"
_programs: list[Program] = []  # of this process, all of them
_idle: dict[str, list["_Running"]] = {}  # those that play in no game, by command


def program_entrant(spec: str) -> Entrant:
    """Read `exec:COMMAND`; raise BadSpec when there is no such program."""
    command = spec.removeprefix(PREFIX)
    try:
        parse_command(command)
    except NoProgram as error:
        raise BadSpec(str(error)) from error
    return Entrant(spec, partial(_made, command))


def _made(command: str, chance: Random) -> Bot:
    return InOneGame(command, chance)


class InOneGame:
    """A program in one game: its faults are counted, and when it is over another may have it."""

    def __init__(self, command: str, chance: Random) -> None:
        self.faults = 0
        idle = _idle.setdefault(command, [])
        self._running = idle.pop() if idle else _Running(command)
        self._program = self._running.program
        self._running.chance.setstate(chance.getstate())

    @property
    def clock(self) -> Callable[[], float]:
        return perf_counter

    def begin(self, view: View) -> None:
        """Nothing is told to a program: each of its lines says everything."""

    def choose(self, view: View, history: History) -> str:
        before = self._program.faults
        choice = self._program.choose(view, history)
        self.faults += self._program.faults - before
        return choice

    def end(self, view: View, history: History) -> None:  # noqa: ARG002 - as every bot is told
        _idle[self._running.command].append(self._running)


class _Running:
    """A program, and the chance by which a card is drawn where it has no good answer."""

    def __init__(self, command: str) -> None:
        if not _programs:
            atexit.register(_close)
        self.command, self.chance = command, Random()
        self.program = Program(command, say=_unsaid, random=self.chance)
        _programs.append(self.program)


def _close() -> None:
    for program in _programs:
        program.close()


def _unsaid(text: str) -> None:
    """Faults are counted; `nana bot --exec` tells each of them."""
