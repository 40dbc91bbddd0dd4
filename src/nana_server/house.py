"""A running server: rooms on a gateway, and the timers that wake them."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from nana_server.config import Config
from nana_server.desk import Desk
from nana_server.gateway import Limits, Listener
from nana_server.journal import Journal, MemoryJournal
from nana_server.lobby import Lobby
from nana_server.pages import Pages
from nana_server.room.room import House, Room

SWEEP_SECONDS: Final = 60
GOING_AWAY: Final = 1001

log = logging.getLogger("nana.server")


class Server:
    """Everything between the command line and the rooms; `clock` is monotonic milliseconds."""

    def __init__(
        self,
        config: Config,
        loop: asyncio.AbstractEventLoop,
        *,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        journal: Journal | None = None,
    ) -> None:
        self._config = config
        self._loop = loop
        self._clock = clock
        self._alarms: dict[Room, asyncio.TimerHandle] = {}
        house = House(
            journal=journal or MemoryJournal(loop.call_soon),
            clock=clock,
            entropy=entropy,
            alarm=self._set_alarm,
            ended=self._room_ended,
            url_of=self._url_of,
        )
        self.lobby = Lobby(house, config.rooms)
        pages = Pages(self.lobby.listed, config.public_url)
        self._desk = Desk(self.lobby, config, clock, pages)
        limits = Limits(max_size=config.message_bytes)
        self._listener = Listener(self._desk, limits)

    async def start(self) -> int:
        """Listen, and return the port; raises OSError when that cannot be."""
        port = await self._listener.start(self._config.hosts, self._config.port)
        self._loop.call_later(SWEEP_SECONDS, self._sweep)
        return port

    async def stop(self) -> None:
        """Tell everybody that the server goes, and let them go."""
        for room in self.lobby:
            room.say_restart()
        await self._listener.stop(GOING_AWAY, "server stops")
        for alarm in self._alarms.values():
            alarm.cancel()

    def _url_of(self, code: str) -> str | None:
        base = self._config.public_url
        return f"{base}/r/{code}" if base else None

    def _set_alarm(self, room: Room) -> None:
        """Wake a room when it asked for it; a room has one alarm at a time."""
        old = self._alarms.get(room)
        if old is not None:
            old.cancel()
        if room.wake_at is not None:
            delay = max(0, room.wake_at - self._clock()) / 1000
            self._alarms[room] = self._loop.call_later(delay, self._ring, room)

    def _ring(self, room: Room) -> None:
        self._alarms.pop(room, None)
        room.tick()

    def _room_ended(self, room: Room) -> None:
        self.lobby.forget(room)
        alarm = self._alarms.pop(room, None)
        if alarm is not None:
            alarm.cancel()

    def _sweep(self) -> None:
        self.lobby.sweep(self._clock(), self._config.room_idle * 1000)
        self._desk.sweep()
        self._loop.call_later(SWEEP_SECONDS, self._sweep)
