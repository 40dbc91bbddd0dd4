"""A running server: rooms on a gateway, and the timers that wake them."""

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path
from ssl import SSLContext
from typing import Final

from nana_core.fair import fixed_seed
from nana_server.admin.clerk import Clerk
from nana_server.admin.socket import AdminSocket
from nana_server.admin.wire import socket_in
from nana_server.config import Config
from nana_server.desk import Desk
from nana_server.gateway import Limits, Listener, Proxies, show_all
from nana_server.herald import Herald
from nana_server.journal import Journal, MemoryJournal
from nana_server.lobby import Lobby
from nana_server.metrics import Metrics, Sockets
from nana_server.pages import Pages, Status
from nana_server.records import RecordFiles
from nana_server.room.events import JOURNAL_FORMAT, decode_entry
from nana_server.room.room import Room
from nana_server.room.work import House
from nana_server.sqlite.journal import SqliteJournal
from nana_server.sqlite.orders import Broken, Full, Report, StaleOwner
from nana_server.tally import Tally
from nana_server.thinkers import Thinkers

SWEEP_SECONDS: Final = 60
GOING_AWAY: Final = 1001
DAY_MS: Final = 24 * 3600 * 1000

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
        ssl_context: SSLContext | None = None,
    ) -> None:
        self._config = config
        self.tally = Tally()
        self._stopping = False
        self._loop = loop
        self._clock = clock
        self._alarms: dict[Room, asyncio.TimerHandle] = {}
        self._next_sweep: asyncio.TimerHandle | None = None
        self._lasting = self._open(config.data) if config.data is not None else None
        self.is_broken = False  # the disk cannot be trusted any more
        self.failed: Callable[[], None] | None = None  # called when that happens
        self._records = RecordFiles(
            config.data, loop.call_soon_threadsafe, days=config.records_kept_days
        )
        self._herald = Herald(loop, lambda: self.lobby)
        self._thinkers = Thinkers(loop)
        house = House(
            journal=journal or self._lasting or MemoryJournal(loop.call_soon),
            clock=clock,
            entropy=entropy,
            alarm=self._set_alarm,
            ended=self._room_ended,
            url_of=self._url_of,
            show_all=show_all,
            epoch=self._lasting.epoch if self._lasting else 1,
            tally=self.tally,
            records=self._records,
            trouble=self._herald.trouble,
            think=self._thinkers.think,
            fixed_seed=None if config.fixed_deals is None else fixed_seed(config.fixed_deals),
        )
        self.lobby = Lobby(house, config.rooms, self._lasting)
        self._admin = self._admin_socket()
        sockets = Sockets()
        metrics = Metrics(self.tally, self.lobby, sockets, lambda: self._status() == "ok")
        pages = Pages(
            self.lobby.listed,
            config.public_url,
            status=self._status,
            metrics=metrics.text,
            metrics_allow=config.metrics_allow,
            scheme="ws" if ssl_context is None else "wss",
        )
        self._desk = Desk(self.lobby, config, clock, pages, house.epoch)
        self._listener = Listener(
            self._desk,
            limits_of(config),
            origins=frozenset(config.allow_origin),
            ssl_context=ssl_context,
            proxies=Proxies(config.trusted_proxy),
            prefix=config.prefix,
        )
        sockets.counters, sockets.open = self._listener.counters, lambda: self._listener.sockets

    async def start(self) -> int:
        """Listen, and return the port; raises OSError when that cannot be."""
        port = await self._listener.start(self._config.hosts, self._config.port)
        self._next_sweep = self._loop.call_later(SWEEP_SECONDS, self._sweep)
        if self._admin is not None:
            await self._admin.open()
        return port

    async def stop(self) -> None:
        """Tell everybody that the server goes, let them go, and close the journal."""
        self._stopping = True
        if self._admin is not None:
            self._admin.shut()
        for room in self.lobby:
            room.say_restart(self._config.restart_after * 1000)
        await self._listener.stop(GOING_AWAY, "server stops")
        for alarm in self._alarms.values():
            alarm.cancel()
        if self._next_sweep is not None:
            self._next_sweep.cancel()
        self._herald.close()
        self._thinkers.close()
        if self._lasting is not None:
            await self._lasting.close()
        if self._admin is not None:
            await self._admin.close()
        self._records.close()

    def _open(self, folder: Path) -> SqliteJournal:
        """Open the durable journal; raises JournalRefused."""
        return SqliteJournal(
            folder,
            self._loop,
            entries_format=JOURNAL_FORMAT,
            creator_of=_creator_of,
            report=self._journal_reported,
            commits=self.tally.commits,
        )

    def _admin_socket(self) -> AdminSocket | None:
        """Without a data folder there is no place for it."""
        if self._config.data is None or self._lasting is None:
            return None
        clerk = Clerk(self.lobby, self._lasting, self._herald, self._clock)
        return AdminSocket(socket_in(self._config.data), clerk.do)

    def _journal_reported(self, report: Report) -> None:
        """After a failed write nothing that follows can be trusted: end, and read anew."""
        if isinstance(report, Broken):
            self.is_broken = True
            if self.failed is not None:
                self.failed()
        elif isinstance(report, StaleOwner):
            self.lobby.lose(report.room, int(time.time()))
        else:
            self._herald.report(report)

    def _status(self) -> Status:
        if self._stopping:
            return "stopping"
        if self.is_broken:
            return "broken"
        full = self._lasting is not None and isinstance(self._lasting.health, Full)
        return "read_only" if full else "ok"

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
        config, date = self._config, int(time.time())
        kept = config.rooms_expire_days * DAY_MS if self._lasting else config.room_idle * 1000
        self.lobby.sweep(self._clock(), kept, date)
        self._desk.sweep()
        self._next_sweep = self._loop.call_later(SWEEP_SECONDS, self._sweep)


def _creator_of(entry: bytes) -> str:
    """Read from a room's first entry whose token created it."""
    return decode_entry(entry).member or ""


def limits_of(config: Config) -> Limits:
    return Limits(
        sockets=config.sockets,
        sockets_per_address=config.sockets_per_address,
        max_size=config.message_bytes,
        open_timeout=config.open_timeout,
        close_timeout=config.stop_timeout,
        stall_timeout=config.stall_timeout,
        ping_after=config.ping_after,
        pong_timeout=config.pong_timeout,
    )
