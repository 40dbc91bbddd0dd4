"""A socket's first bytes: one HTTP request, which is answered or becomes a WebSocket."""

import asyncio
from math import inf
from typing import cast

from websockets.http11 import Request as Head

from nana_server.gateway import handshake
from nana_server.gateway.connection import Connection, cut, hang_up, new_wire
from nana_server.gateway.gate import Gate
from nana_server.gateway.peer import Request, Response

READ_SIZE = 16_384


class Door(asyncio.Protocol):
    """Holds a transport until its request is read; a WebSocket's goes on to a `Connection`."""

    __slots__ = ("_answered", "_deadline", "_gate", "_received", "_transport", "address")

    _transport: asyncio.Transport

    def __init__(self, gate: Gate) -> None:
        self.address = ""
        self._gate = gate
        self._received = b""
        self._answered = False
        self._deadline = gate.clock() + gate.limits.open_timeout

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=self._gate.limits.write_high_water)
        if hasattr(transport, "max_size"):
            # asyncio's own loop; its default of 256 KiB costs an mmap for each read, or 24 µs.
            transport.max_size = READ_SIZE
        self.address = (transport.get_extra_info("peername") or ("",))[0]
        if not self._gate.enter(self):
            self._gate.counters.refused += 1
            self.abort()

    def data_received(self, data: bytes) -> None:
        if self._answered:
            return
        self._received += data
        match handshake.read_head(self._received, self._gate.limits.head_size):
            case Response() as refusal:
                self._gate.counters.protocol_errors += 1
                self._gate.note(self.address, f"refused: HTTP {refusal.status}")
                self._answer(refusal)
            case head, rest:
                self._take(head, rest)
            case None:
                pass

    def eof_received(self) -> None:
        self._deadline = self._gate.clock() + self._gate.limits.close_timeout

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._gate.leave(self, upgraded=False)

    def tick(self, now: float) -> None:
        if now >= self._deadline:
            self._gate.counters.cut_slow += 1
            self.abort()

    def close(self, code: int, reason: str) -> None:  # noqa: ARG002 - there is nobody to tell yet
        self.abort()

    def abort(self) -> None:
        self._answered = True
        cut(self._transport)

    def _take(self, head: Head, rest: bytes) -> None:
        gate = self._gate
        spoken_for = gate.proxies.origin(self.address, head.headers.get_all("X-Forwarded-For"))
        unproven = handshake.is_forwarded(head) and not gate.proxies.trusts(self.address)
        if spoken_for != self.address and not gate.recognise(self, spoken_for):
            gate.counters.refused += 1
            self.abort()
            return
        request = handshake.request_of(head, self.address, gate.prefix, unproven=unproven)
        if handshake.is_foreign(head, gate.origins):
            gate.counters.refused += 1
            gate.note(self.address, "refused: a page of another site")
            self._answer(handshake.FOREIGN, head.method)
        elif handshake.wants_upgrade(head):
            self._upgrade(head, request, rest)
        else:
            gate.counters.requests += 1
            self._answer(gate.handler.http(request) or handshake.NOT_FOUND, head.method)

    def _answer(self, response: Response, method: str = "GET") -> None:
        self._finish(handshake.serialize(response, method))

    def _finish(self, answer: bytes) -> None:
        self._answered = True
        self._deadline = self._gate.clock() + self._gate.limits.close_timeout
        self._transport.write(answer)
        hang_up(self._transport)

    def _upgrade(self, head: Head, request: Request, rest: bytes) -> None:
        """Answer a handshake; what follows on this transport is the connection's."""
        wire = new_wire(self._gate.limits.max_size)
        response = wire.accept(head)
        if response.status_code != 101:
            self._gate.counters.protocol_errors += 1
            self._finish(response.serialize())
            return
        self._answered, self._deadline = True, inf
        self._transport.write(response.serialize())
        connection = Connection(self._gate, self._transport, wire, request)
        self._transport.set_protocol(connection)
        connection.begin(rest, welcome=self._gate.upgrade(self, connection))
