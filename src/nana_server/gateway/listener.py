"""The sockets that listen, the clock and the one timer of a gateway."""

import asyncio
import contextlib
from collections.abc import Sequence
from ssl import SSLContext

from nana_server.gateway.door import Door
from nana_server.gateway.gate import Gate
from nana_server.gateway.limits import Counters, Limits
from nana_server.gateway.peer import Handler
from nana_server.gateway.proxies import Proxies
from nana_server.gateway.sockets import bind

BACKLOG = 1024  # a whole evening's clients come back at once after a restart


class Listener:
    def __init__(
        self,
        handler: Handler,
        limits: Limits | None = None,
        *,
        origins: frozenset[str] = frozenset(),
        ssl_context: SSLContext | None = None,
        proxies: Proxies | None = None,
        prefix: str = "",
    ) -> None:
        self.port = 0
        self._loop = asyncio.get_running_loop()
        self._gate = Gate(
            handler,
            limits or Limits(),
            origins,
            self._loop.time,
            proxies=proxies,
            prefix=prefix,
        )
        self._ssl_context = ssl_context
        self._servers: list[asyncio.Server] = []
        self._timer: asyncio.TimerHandle | None = None

    @property
    def counters(self) -> Counters:
        return self._gate.counters

    @property
    def sockets(self) -> int:
        """How many connections there are, WebSockets or not yet."""
        return len(self._gate.guests)

    async def start(self, hosts: Sequence[str], port: int) -> int:
        """Listen on all addresses of the hosts at one port, 0 for any, and return it.

        Raises OSError when a host is unknown or the port is taken; then nothing listens.
        """
        sockets = bind(hosts, port, self._gate.limits.send_buffer)
        self.port = int(sockets[0].getsockname()[1])
        for listening in sockets:
            server = await self._loop.create_server(
                lambda: Door(self._gate),
                sock=listening,
                backlog=BACKLOG,
                ssl=self._ssl_context,
                ssl_handshake_timeout=self._gate.limits.open_timeout if self._ssl_context else None,
            )
            self._servers.append(server)
        self._tick()
        return self.port

    async def stop(self, code: int, reason: str) -> None:
        """Accept nobody more, tell every peer, wait for their answers, then cut who stays."""
        self._gate.shut = True
        for server in self._servers:
            server.close()
        for guest in tuple(self._gate.guests):
            guest.close(code, reason)
        with contextlib.suppress(TimeoutError):
            await self._empty(self._gate.limits.close_timeout)
        for guest in tuple(self._gate.guests):
            guest.abort()
        await self._empty(None)
        if self._timer is not None:
            self._timer.cancel()

    async def _empty(self, timeout: float | None) -> None:  # noqa: ASYNC109 - None waits on
        if not self._gate.guests:
            return
        empty = asyncio.Event()
        self._gate.on_empty = empty.set
        async with asyncio.timeout(timeout):
            await empty.wait()

    def _tick(self) -> None:
        self._gate.tick(self._loop.time())
        self._timer = self._loop.call_later(self._gate.limits.tick, self._tick)
