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
from typing import Final, assert_never

import msgspec

from nana_client import hosting
from nana_client.address import BadAddress, parse, parse_room
from nana_client.entrance import Creating, Joining, Resuming, Watching, Way
from nana_client.naming import name_for
from nana_client.plain_table import Table
from nana_client.session import Ending
from nana_client.start import HostRoom, JoinRoom, OpenScreen, PlayBots, Start, WatchRoom
from nana_client.store import Store
from nana_client.typed import read_lines
from nana_core.protocol.inbound import Level, OptionChanges

MENU: Final = (
    "nana, in plain lines. Type one of these:",
    "  play           against three bots",
    "  host           a room for friends, on this machine",
    "  join LINK      a seat at a table        watch LINK   beside it",
    "  resume         the seat you had last    quit",
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

    async def run(self, start: Start) -> int:
        """Do what was asked for. 0: ended as wanted; 1: it could not be; 130: interrupted."""
        self._listen()
        read_lines(self._type, self._end, self._descriptor)
        try:
            ending = await self._begin(start)
        except hosting.CannotHost as error:
            self.say(str(error))
            return 1
        finally:
            for trouble in self._store.troubles:
                self.say(trouble)
        if self._interrupted:
            return 130
        return 0 if ending is None or ending.code in WANTED else 1

    def say(self, text: str) -> None:
        """Append a line; when nobody reads any more, leave quietly."""
        if self._muted:
            return
        try:
            print(text, flush=True)
        except BrokenPipeError:
            self._muted = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the exit flushes once more
            if self._table is not None:
                self._table.session.close()

    async def _begin(self, start: Start) -> Ending | None:
        match start:
            case OpenScreen(name):
                return await self._menu(name)
            case PlayBots(bots, level, name):
                return await self._play_bots(bots, level, self._name(name))
            case HostRoom(port, name):
                return await self._host(port, self._name(name))
            case JoinRoom(target, name):
                table = Table(
                    target, Joining(name=self._name(name)), store=self._store, say=self.say
                )
                return await self._sit(table)
            case WatchRoom(target, name):
                self._stays = True
                table = Table(
                    target, Watching(name=self._name(name)), store=self._store, say=self.say
                )
                return await self._sit(table)
            case _:
                assert_never(start)

    async def _play_bots(self, bots: int, level: str, name: str) -> Ending:
        way = Creating(
            name=name,
            options=OptionChanges(seats=bots + 1),
            bots=bots,
            level=msgspec.convert(level, Level),
            start=True,
        )
        async with await hosting.private(self._store.folders) as server:
            table = Table(server.target, way, store=None, say=self.say, server=server)
            return await self._sit(table)

    async def _host(self, port: int, name: str) -> Ending:
        """Serve, and take the seat that is there from last time, or open a new room."""
        self._stays = True
        async with await hosting.shared(port, self._store.folders) as server:
            if not server.started:
                self.say(f"A nana server is running on port {port} already; the room is on it.")
            ways: list[Way] = [
                *(
                    Resuming(saved=seat)
                    for seat in self._store.seats_in(server.target.server)
                    if self._store.is_free(seat)
                ),
                Creating(name=name),
            ]
            ending: Ending | None = None
            for way in ways:
                at = way.saved.room if isinstance(way, Resuming) else None
                target = server.target.at(at)
                table = Table(target, way, store=self._store, say=self.say, server=server)
                ending = await self._sit(table)
                if ending.code != "no_such_room":
                    break
            if ending is None:
                raise AssertionError("a new room is always tried")
            return ending

    async def _menu(self, name: str | None) -> Ending | None:
        """Ask what to do, as the opening screen would."""
        for line in MENU:
            self.say(line)
        while (said := await self._lines.get()) is not None:
            word, _, rest = said.strip().partition(" ")
            match word.lower():
                case "quit" | "leave" | "exit":
                    return None
                case "play":
                    return await self._begin(PlayBots(name=name))
                case "host":
                    return await self._begin(HostRoom(name=name))
                case "join" | "watch" as what:
                    if start := self._link(what, rest, name):
                        return await self._begin(start)
                case "resume":
                    if table := self._last_seat():
                        return await self._sit(table)
                case "":
                    pass
                case _:
                    self.say("Type play, host, join LINK, watch LINK, resume or quit.")
        return None

    def _link(self, what: str, link: str, name: str | None) -> Start | None:
        try:
            target = parse_room(link)
        except BadAddress as error:
            self.say(str(error))
            return None
        return JoinRoom(target, name) if what == "join" else WatchRoom(target, name)

    def _last_seat(self) -> Table | None:
        seat = next(filter(self._store.is_free, self._store.seats()), None)
        if seat is None:
            self.say("No seat is saved.")
            return None
        target = parse(seat.server).at(seat.room)
        return Table(target, Resuming(saved=seat), store=self._store, say=self.say)

    async def _sit(self, table: Table) -> Ending:
        self._table = table
        while not self._lines.empty():
            self._type(self._lines.get_nowait())
        try:
            return await table.run()
        finally:
            self._table = None

    def _name(self, given: str | None) -> str:
        return name_for(given, self._settings.name)

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

    def _interrupt(self) -> None:
        self._interrupted += 1
        if self._table is None:
            self._lines.put_nowait(None)
        elif self._interrupted == 1:
            self._table.session.leave()
        else:
            self._table.session.close()

    def _close(self) -> None:
        if self._table is None:
            self._lines.put_nowait(None)
        else:
            self._table.session.close()
