"""Plain mode: from what was asked for on the command line to an exit code, in lines.

For screen readers, pipes, scripts and terminals that cannot draw. It owns standard
input, standard output and the signals while it runs.
"""

import asyncio
import contextlib
import io
import os
import signal
import sys
from typing import Final

from nana_client.address import BadAddress, parse, parse_room
from nana_client.folding import columns, folded
from nana_client.naming import name_for
from nana_client.plain_games import PlainGames
from nana_client.plain_table import Table
from nana_client.played import Shelf
from nana_client.session import PASSWORD, Ending
from nana_client.start import ComeBack, HostRoom, JoinRoom, OpenScreen, PlayBots, Start, WatchRoom
from nana_client.store import Store
from nana_client.typed import read_lines
from nana_client.visit import Goal, Passport, Revivals, back_to_seat, visit

MENU: Final = (
    "nana, in plain lines. Type one of these:",
    "  play           against three bots",
    "  host           a room for friends, on this machine",
    "  join LINK      a seat at a table        watch LINK   beside it",
    "  join SERVER    a room for friends, on a server that runs somewhere",
    "  resume         the seat you had last    quit",
    "  games          those you have played    replay N     tells one of them",
)
WANTED: Final = frozenset({None, "left", "closed"})  # endings that somebody here asked for


def run_plain(start: Start, store: Store | None = None) -> int:
    """Play in lines until it is over; return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace", line_buffering=True)
    return asyncio.run(Plain(store or Store()).run(start))


class Plain:
    """One run of plain mode."""

    def __init__(self, store: Store, descriptor: int = 0) -> None:
        self._store, self._descriptor = store, descriptor
        self._settings = store.settings()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._table: Table | None = None
        self._stays = False  # without input there is still something to be here for
        self._muted = False
        self._interrupted = 0
        self._revivals = Revivals()
        self._running: asyncio.Task[object] | None = None

    async def run(self, start: Start) -> int:
        """Do what was asked for. 0: ended as wanted; 1: it could not be; 130: interrupted."""
        self._running = asyncio.current_task()
        self._listen()
        read_lines(self._type, self._end, self._descriptor)
        try:
            goal = await self._goal(start)
            ending = None if goal is None else await self._go(goal, start.name)
        except asyncio.CancelledError:
            return 130
        finally:
            for trouble in self._store.troubles:
                self.say(trouble)
        if self._interrupted:
            return 130
        if goal is None and isinstance(start, ComeBack):
            return 1
        return 0 if ending is None or ending.code in WANTED else 1

    def say(self, text: str) -> None:
        """Append a line, folded where a terminal shows it; when nobody reads any more, leave."""
        if self._muted:
            return
        width = columns(sys.stdout)
        try:
            for line in [text] if width is None else folded(text, width):
                print(line, flush=True)
        except BrokenPipeError:
            self._muted = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the exit flushes once more
            self._close()

    async def _go(self, goal: Goal, name: str | None) -> Ending:
        opens = isinstance(goal, JoinRoom) and goal.target.room is None
        self._stays = opens or isinstance(goal, HostRoom | WatchRoom)
        self._table = table = Table(self.say, store=self._store)
        while not self._lines.empty():
            self._type(self._lines.get_nowait())
        passport = Passport(name_for(name, self._settings.name), self._store)
        ending = await visit(goal, passport, table.enter, table.hear)
        while self._revivals.allow(goal, ending):
            self.say(f"{ending.text} Starting it again …")
            ending = await visit(goal, passport, table.enter, table.hear)
        if not table.told_goodbye:
            self.say(ending.text)
        if ending.code == "wrong_password":
            self.say(PASSWORD)
        return ending

    async def _goal(self, start: Start) -> Goal | None:
        """Say where to go; None when there is nothing to go to."""
        match start:
            case OpenScreen(name):
                return await self._menu(name)
            case ComeBack(here=here):
                return self._way_back(here=here)
            case _:
                return start

    def _way_back(self, *, here: bool) -> Goal | None:
        back = back_to_seat(self._store, here=here)
        if isinstance(back, str):
            self.say(back)
            return None
        return back

    async def _menu(self, name: str | None) -> Goal | None:
        """Ask what to do, as the opening screen would; None when that is nothing."""
        for line in MENU:
            self.say(line)
        while (said := await self._lines.get()) is not None:
            word, _, rest = said.strip().partition(" ")
            match word.lower():
                case "quit" | "leave" | "exit":
                    return None
                case "play":
                    return PlayBots(name=name)
                case "host":
                    return HostRoom(name=name)
                case "join" | "watch" as what:
                    if goal := self._link(rest, watch=what == "watch"):
                        return goal
                case "resume":
                    if back := self._way_back(here=rest.strip() in {"here", "--here"}):
                        return back
                case "games" | "replay" as what:
                    self._tell_games(rest.strip() if what == "replay" else None)
                case "":
                    pass
                case _:
                    self.say("Type play, host, join LINK, watch LINK, resume, games or quit.")
        return None

    def _tell_games(self, number: str | None) -> None:
        """List the games that were played, or tell one of them again."""
        games, kept = PlainGames(Shelf(self._store.records)), self._settings.keep_games
        listed = games.listed(self._store.keyboard(), kept=kept)
        for line in listed if number is None else games.told(number):
            self.say(line)

    def _link(self, link: str, *, watch: bool) -> Goal | None:
        try:
            target = parse_room(link) if watch else parse(link)
        except BadAddress as error:
            self.say(str(error))
            return None
        return WatchRoom(target) if watch else JoinRoom(target)

    def _type(self, line: str | None) -> None:
        """Take a typed line; None is the end of input, which leaves unless hosting or watching."""
        if self._table is None:
            self._lines.put_nowait(line)
        elif line is not None:
            self._table.obey(line)
        elif not self._stays:
            self._table.obey("leave")

    def _end(self) -> None:
        self._type(None)

    def _listen(self) -> None:
        """Ctrl+C leaves, a second one at once; a hangup or a kill keeps the seat for later."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError, AttributeError):  # Windows has neither
            loop.add_signal_handler(signal.SIGINT, self._interrupt)
            loop.add_signal_handler(signal.SIGTERM, self._close)
            loop.add_signal_handler(signal.SIGHUP, self._close)
            loop.add_signal_handler(signal.SIGCONT, self._woken)

    def _interrupt(self) -> None:
        self._interrupted += 1
        if self._table is not None and self._table.session is not None and self._interrupted == 1:
            self._table.go()
        else:
            self._close()

    def _woken(self) -> None:
        """After a suspension, look at once whether the line still holds."""
        if self._table is not None and self._table.session is not None:
            self._table.session.hurry()

    def _close(self) -> None:
        session = self._table.session if self._table else None
        if session is not None:
            session.close()
        elif self._running is not None:
            self._running.cancel()
