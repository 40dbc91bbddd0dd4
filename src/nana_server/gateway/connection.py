"""One open WebSocket: frames come in, messages go to the handler, messages go out.

The bytes are cut into frames here. Whole plain text frames, nearly all there are, are unmasked and
delivered on the spot; every other frame goes to the library's machine, one whole frame at a time,
so that its parser always stands between two frames and never needs to know what it did not see.
Text going out is written straight to the transport; pongs, pings and closing frames are the
library's. There is no task, no await and no timer in here: `tick` looks at the deadlines.
"""

import asyncio
import contextlib
import logging
import os
import socket
import struct
from collections.abc import Callable, Iterable
from math import inf
from typing import Final, TypeVar, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from nana_server.gateway.frames import (
    CLIENT_HEADS,
    FINAL_TEXT,
    HEADS,
    apply_mask,
    frame,
    is_text,
    span_of,
)
from nana_server.gateway.gate import Gate
from nana_server.gateway.peer import Onlooker, Request

_Onlooker = TypeVar("_Onlooker", bound=Onlooker)
# A frame is charged this many bytes more than it has: an empty ping costs work, too.
FRAME_COST = 32
RESET: Final = struct.pack("ii" if os.name == "posix" else "hh", 1, 0)  # linger: on, for no time
REASON_SIZE = 123  # RFC 6455 §5.5: a control frame has 125 bytes, and the code takes two

# The library would log a traceback for every stranger's broken frame.
SILENT = logging.Logger("websockets", logging.CRITICAL + 1)  # noqa: LOG001 - no configuration finds it


def new_wire(max_size: int) -> ServerProtocol:
    """Return the library's machine, past the handshake: that is ours, but for `accept`."""
    return ServerProtocol(state=State.OPEN, max_size=max_size, logger=SILENT)


def hang_up(transport: asyncio.Transport) -> None:
    """Say that nothing more comes; the other side is to close.

    Closing at once could throw our last words away: a socket closed on unread bytes resets.
    """
    if transport.can_write_eof() and not transport.is_closing():
        transport.write_eof()
    else:
        transport.close()


def cut(transport: asyncio.Transport) -> None:
    """End it at once, for the other side as well.

    A socket that is only closed stays as long as its peer reads nothing: the kernel tries for
    minutes to get rid of what is unsent, and a peer that is stuck in a write hears of no end.
    """
    with contextlib.suppress(OSError):  # it is closed already
        if (plain := transport.get_extra_info("socket")) is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    transport.abort()


def show_all(shared: bytes, onlookers: Iterable[_Onlooker]) -> list[_Onlooker]:
    """Show each of them a message, the shared part and its own; return who cannot take it.

    It does what `show` does for one, in a loop of its own: this is the hottest place there is.
    """
    missed: list[_Onlooker] = []
    size = len(shared)
    for onlooker in onlookers:
        own, write = onlooker.own, onlooker.line.outlet
        if write is None:
            missed.append(onlooker)
        else:
            write(b"".join((HEADS[size + len(own)], shared, own)))
    return missed


class Connection(asyncio.Protocol):
    """The `Peer` of the gateway's handler."""

    __slots__ = (
        "_allowance",
        "_asked_at",
        "_counters",
        "_deadline",
        "_ended",
        "_gate",
        "_handler",
        "_heard",
        "_heard_at",
        "_known",
        "_open",
        "_pending",
        "_plain",
        "_text",
        "_transport",
        "_wire",
        "address",
        "blocked",
        "context",
        "host",
        "outlet",
        "path",
    )

    def __init__(
        self, gate: Gate, transport: asyncio.Transport, wire: ServerProtocol, request: Request
    ) -> None:
        self.path, self.host, self.address = request.path, request.host, request.address
        self.blocked = False
        self.context: object | None = None
        self._gate = gate
        self._handler = gate.handler
        self._counters = gate.counters
        self._transport = transport
        self._wire = wire
        self._open = True  # until either side begins to close: messages flow
        self.outlet: Callable[[bytes], None] | None = transport.write
        self._plain = True  # open, and nothing unfinished: the next byte begins a message
        self._known = False  # the handler was told of it, and not yet of its end
        self._ended = False  # nothing that still arrives matters
        self._pending = b""  # the beginning of a frame
        self._text = b""  # the fragments of a message so far
        self._heard = False  # since the last tick
        self._heard_at = gate.clock()
        self._asked_at = inf  # when it was pinged for its silence
        self._deadline = inf
        self._allowance = gate.limits.control_bytes

    def begin(self, received: bytes, *, welcome: bool) -> None:
        """Introduce the peer to the handler; the request may have come with frames behind it."""
        if welcome:
            self._counters.opened += 1
            self._known = True
            self._handler.opened(self)
        else:
            self._counters.refused += 1
            self._gate.note(self.address, "refused: too many connections")
            self.close(CloseCode.TRY_AGAIN_LATER, "too many connections")
        if received:
            self.data_received(received)

    # What the handler does.

    def send(self, payload: bytes) -> None:
        self.send_frame(frame(payload))

    def send_frame(self, framed: bytes) -> None:
        if not self._open:
            return
        self._transport.write(framed)
        self._counters.sent += 1
        if self.blocked:
            self._watch_buffer()

    def show(self, shared: bytes, own: bytes, ahead: bytes | None = None) -> bool:
        write = self.outlet
        if write is None:
            return self._hold(ahead)
        head = HEADS[len(shared) + len(own)]
        if ahead is None:
            write(b"".join((head, shared, own)))
        else:
            write(b"".join((HEADS[len(ahead)], ahead, head, shared, own)))
        return True

    def _hold(self, ahead: bytes | None) -> bool:
        """Keep a snapshot from a peer that is blocked; one that is closing needs none."""
        if self.blocked and ahead is not None:
            self.send_frame(frame(ahead))
        return not self.blocked

    def close(self, code: int, reason: str) -> None:
        if not self._open:
            return
        self._open = self._plain = False
        self.outlet = None
        limits = self._gate.limits
        flood = code == CloseCode.POLICY_VIOLATION
        self._deadline = self._gate.clock() + (
            limits.flood_timeout if flood else limits.close_timeout
        )
        self._wire.send_close(code, reason.encode()[:REASON_SIZE].decode(errors="ignore"))
        self._flush()

    def abort(self) -> None:
        self._open = self._plain = False
        self.outlet = None
        self._ended = True
        cut(self._transport)

    # What the transport does.

    def data_received(self, data: bytes) -> None:
        self._heard = True
        # Nearly always: one whole text frame of less than 126 bytes, and nothing else.
        if self._plain and data[:2] == CLIENT_HEADS.get(len(data)):
            text = apply_mask(data[6:], data[2:6])
            if text.isascii():
                self._counters.received += 1
                self._handler.received(self, text)
            else:
                self._deliver(text)
        elif not self._ended:
            self._read(self._pending + data)

    def eof_received(self) -> None:
        self._end_soon()
        self._leave()

    def pause_writing(self) -> None:
        self.blocked, self.outlet = True, None
        if self._open:
            self._deadline = self._gate.clock() + self._gate.limits.stall_timeout

    def resume_writing(self) -> None:
        self.blocked = False
        if self._open:
            self.outlet = self._transport.write
            self._deadline = inf
            self._handler.writable(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._leave()
        self._wire.parser.close()  # it holds its owner: a cycle for the collector otherwise
        self._gate.leave(self, upgraded=True)

    def tick(self, now: float) -> None:
        """Look at the deadlines, at the silence and at the allowance; about once a second."""
        self._allowance = self._gate.limits.control_bytes
        if self._heard:
            self._heard, self._heard_at, self._asked_at = False, now, inf
        if now >= self._deadline:
            self._counters.cut_slow += 1
            self.abort()
        elif self._open:
            self._keep_alive(now)

    # The frames.

    def _read(self, data: bytes) -> None:
        wire = self._wire
        start, max_size = 0, self._gate.limits.max_size
        while not self._ended and (span := span_of(data, start, max_size)):
            key, end = span
            if not key or data[start] != FINAL_TEXT or wire.current_size is not None:
                self._feed(data[start:end])
            elif self._open:
                self._deliver(apply_mask(data[key + 4 : end], data[key : key + 4]))
            start = end
        self._pending = b"" if self._ended else data[start:]
        self._plain = self._open and not self._pending and wire.current_size is None

    def _deliver(self, text: bytes) -> None:
        if is_text(text):
            self._counters.received += 1
            self._handler.received(self, text)
        else:
            self._fail(CloseCode.INVALID_DATA, "text is UTF-8")

    def _feed(self, data: bytes) -> None:
        """Let the library take one frame, or the head of one that it will refuse."""
        self._allowance -= len(data) + FRAME_COST
        if self._allowance < 0:
            self._counters.cut_flood += 1
            self._gate.note(self.address, "cut: a flood of control frames")
            self.abort()
            return
        self._wire.receive_data(data)
        for event in self._wire.events_received():
            self._take(cast("Frame", event))
        if self._wire.parser_exc is not None:
            self._note_error()
        self._flush()

    def _take(self, event: Frame) -> None:
        if event.opcode is Opcode.BINARY:
            self._fail(CloseCode.UNSUPPORTED_DATA, "text messages only")
        elif event.opcode is Opcode.TEXT or event.opcode is Opcode.CONT:
            self._text += event.data
            if event.fin:
                text, self._text = self._text, b""
                if self._open:
                    self._deliver(text)

    def _fail(self, code: CloseCode, reason: str) -> None:
        self._wire.fail(code, reason)
        self._note_error()
        self._flush()

    def _note_error(self) -> None:
        self._counters.protocol_errors += 1
        sent = self._wire.close_sent
        self._gate.note(self.address, f"broke the protocol: {sent.code if sent else 'closing'}")

    # The end.

    def _flush(self) -> None:
        """Write what the library has to say; an empty chunk is its sign for the end."""
        for chunk in self._wire.data_to_send():
            if chunk:
                self._transport.write(chunk)
            else:
                self._end_soon()
                hang_up(self._transport)
                self._leave()
        if self.blocked:
            self._watch_buffer()

    def _end_soon(self) -> None:
        """Give the other side its time to close, but no more than it has already."""
        closing = self._gate.clock() + self._gate.limits.close_timeout
        self._deadline = min(self._deadline, closing)

    def _leave(self) -> None:
        self._ended = True
        self._open = self._plain = False
        self.outlet = None
        if self._known:
            self._known = False
            self._counters.closed += 1
            self._handler.closed(self)

    def _watch_buffer(self) -> None:
        if self._transport.get_write_buffer_size() > self._gate.limits.write_buffer:
            self._counters.cut_slow += 1
            self._gate.note(self.address, "cut: reads too slowly")
            self.abort()

    def _keep_alive(self, now: float) -> None:
        """Ask who is silent, and cut who does not answer; a silence may have been our own."""
        limits = self._gate.limits
        if now - self._asked_at >= limits.pong_timeout:
            self._counters.cut_silent += 1
            self.abort()
        elif self._asked_at == inf and now - self._heard_at >= limits.ping_after:
            self._asked_at = now
            self._wire.send_ping(b"")
            self._flush()
