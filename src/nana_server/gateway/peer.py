"""What the gateway promises to whatever stands behind it: peers, requests, a handler."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct


class Request(Struct, frozen=True):
    """The head of an HTTP request, as far as anybody here cares; nothing is percent-decoded."""

    method: str
    path: str
    query: str
    host: str
    accept: str
    address: str
    unproven: bool = False  # an unknown proxy speaks for somebody else than the address


class Response(Struct, frozen=True):
    """The answer to a plain request; the gateway adds length, date and `Connection: close`."""

    status: int
    body: bytes = b""
    content_type: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


class Peer(Protocol):
    """One open WebSocket. After it closed, or began to, everything sent is dropped."""

    path: str
    host: str
    address: str
    blocked: bool  # more is written than the peer takes: keep the newest, wait for `writable`
    context: object | None  # the handler's own

    def send(self, payload: bytes) -> None:
        """Write one text message at once; the payload is UTF-8."""

    def show(self, shared: bytes, own: bytes, ahead: bytes | None = None) -> bool:
        """Write one text message in its two parts, and another one ahead of it if there is one.

        To a blocked peer only the one ahead is written: the answer is then False.
        """

    def send_frame(self, framed: bytes) -> None:
        """Write what `frame` made: the same bytes serve many peers."""

    def close(self, code: int, reason: str) -> None:
        """Start the closing handshake; who does not answer in time is cut."""

    def abort(self) -> None:
        """Cut the connection without a word."""


class Line(Protocol):
    """A peer of the gateway's own."""

    outlet: Callable[[bytes], None] | None  # takes frames; None while blocked, and once closing


class Onlooker(Protocol):
    """Somebody who is shown things, behind a peer."""

    @property
    def line(self) -> Line: ...

    @property
    def own(self) -> bytes:
        """The end of what it is shown that nobody else gets."""


class Handler(Protocol):
    """Is called on the event loop and must return quickly; no call comes from inside a `send`."""

    def http(self, request: Request) -> Response | None:
        """Answer a plain GET or HEAD; None is the not-found page."""

    def opened(self, peer: Peer) -> None:
        """Take in a new peer; from here on it can be sent to."""

    def received(self, peer: Peer, frame: bytes) -> None:
        """Take one whole text message: valid UTF-8, at most `max_size` bytes."""

    def writable(self, peer: Peer) -> None:
        """Send a peer that was blocked what it missed: it takes more again."""

    def closed(self, peer: Peer) -> None:
        """Let go of a peer: nothing more comes or goes; exactly once for each `opened`."""
