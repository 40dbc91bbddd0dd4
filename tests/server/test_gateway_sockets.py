"""The gateway over real sockets, on asyncio's own loop and on uvloop."""

import asyncio
import contextlib
import errno
import shutil
import socket
import ssl
import struct
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Close, Frame, Opcode

from nana_server.gateway import Limits, Listener, Peer, Request, Response

NewLoop = Callable[[], asyncio.AbstractEventLoop]
LOOPS = [
    pytest.param(asyncio.new_event_loop, id="asyncio"),
    pytest.param(uvloop.new_event_loop, id="uvloop"),
]
PATIENCE = 20
MORE_THAN_A_KERNEL_HOLDS = 20_000_000
IMPATIENT = Limits(tick=0.02, close_timeout=0.2)
UPGRADE = (
    b"GET /r/KQ7MX?x HTTP/1.1\r\nHost: nana.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


class Desk:
    """A handler that echoes, and whose calls can be waited for."""

    def __init__(self) -> None:
        self.calls: asyncio.Queue[tuple[str, Peer]] = asyncio.Queue()

    async def next(self, name: str) -> Peer:
        while (call := await self.calls.get())[0] != name:
            pass
        return call[1]

    def http(self, request: Request) -> Response | None:
        if request.path == "/healthz":
            return Response(200, b"fine, thank you\n")
        return None

    def opened(self, peer: Peer) -> None:
        self.calls.put_nowait(("opened", peer))

    def received(self, peer: Peer, frame: bytes) -> None:
        peer.send(frame)

    def writable(self, peer: Peer) -> None:
        self.calls.put_nowait(("writable", peer))

    def closed(self, peer: Peer) -> None:
        self.calls.put_nowait(("closed", peer))


class House:
    """A listener on a free port, its handler, and ways in."""

    def __init__(self, desk: Desk, listener: Listener) -> None:
        self.desk = desk
        self.listener = listener
        self.port = listener.port

    def client(self, **options: Any) -> connect:
        return connect(f"ws://127.0.0.1:{self.port}/r/KQ7MX", compression=None, **options)

    @contextlib.asynccontextmanager
    async def raw(self, say: bytes = b"") -> AsyncIterator["Raw"]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(say)
            yield Raw(reader, writer)
        finally:
            writer.transport.abort()

    async def ask(self, request: bytes) -> bytes:
        async with self.raw(request) as raw:
            return await raw.rest()


class Raw:
    """A plain socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def shake(self, headers: bytes = b"") -> bytes:
        self.writer.write(UPGRADE + headers + b"\r\n")
        return await self.reader.readuntil(b"\r\n\r\n")

    async def frame(self) -> bytes:
        head = await self.reader.readexactly(2)
        assert head[1] < 126
        return head + await self.reader.readexactly(head[1])

    async def rest(self) -> bytes:
        """Everything until the server hangs up, however it does."""
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while more := await self.reader.read(65_536):
                received += more
        # A reset that came before we looked hides from `read` what came before it.
        return received + bytes(vars(self.reader)["_buffer"])


def at_home(
    limits: Limits | None = None, **options: Any
) -> Callable[[Callable[[House], Awaitable[None]]], Callable[[NewLoop], None]]:
    """Run a test on both loops in a house of its own; whatever a loop complains of fails it."""

    def mark(test: Callable[[House], Awaitable[None]]) -> Callable[[NewLoop], None]:
        async def visit() -> None:
            complaints: list[dict[str, Any]] = []
            asyncio.get_running_loop().set_exception_handler(lambda _, it: complaints.append(it))
            desk = Desk()
            listener = Listener(desk, limits, **options)
            await listener.start(["127.0.0.1"], 0)
            async with asyncio.timeout(PATIENCE):
                try:
                    await test(House(desk, listener))
                finally:
                    await listener.stop(1001, "the end")
            assert listener.sockets == 0
            assert listener.counters.opened == listener.counters.closed
            assert complaints == []

        @pytest.mark.parametrize("new_loop", LOOPS)
        def run(new_loop: NewLoop) -> None:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                runner.run(visit())

        run.__doc__ = test.__doc__
        return run

    return mark


def masked(opcode: Opcode, payload: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, payload, fin).serialize(mask=True)


def goodbye(code: int, reason: str) -> bytes:
    return Frame(Opcode.CLOSE, Close(code, reason).serialize()).serialize(mask=False)


async def end_of(client: ClientConnection) -> tuple[int, str]:
    """Return the code and the reason with which the server closed."""
    with pytest.raises(ConnectionClosed) as caught:
        await client.recv()
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code, caught.value.rcvd.reason


@at_home()
async def test_messages_are_echoed(house: House) -> None:
    """All sizes up to the limit, fragments and pings, with a client that is not ours."""
    async with house.client() as client:
        for text in ("", "Nana", "Käse 🧀", "x" * 125, "x" * 126, "x" * 4096):
            await client.send(text)
            assert await client.recv() == text
        await client.send(iter(["in ", "", "pieces"]))
        assert await client.recv() == "in pieces"
        await (await client.ping())
    assert house.listener.counters.received == 7


@at_home()
async def test_a_peer_knows_where_it_came_from(house: House) -> None:
    """Path without query, host and address are the request's; the context is the handler's."""
    async with house.raw() as raw:
        assert b"101 Switching Protocols" in await raw.shake()
        peer = await house.desk.next("opened")
        assert (peer.path, peer.host, peer.address) == ("/r/KQ7MX", "nana.test", "127.0.0.1")
        assert peer.context is None
        assert not peer.blocked
    assert await house.desk.next("closed") is peer


@at_home()
async def test_frames_may_follow_the_request_at_once(house: House) -> None:
    """What comes in one segment with the handshake is not lost."""
    hello = masked(Opcode.TEXT, b"hello")
    async with house.raw(UPGRADE + b"\r\n" + hello * 2 + hello[:3]) as raw:
        await raw.reader.readuntil(b"\r\n\r\n")
        assert await raw.frame() == await raw.frame() == b"\x81\x05hello"
        raw.writer.write(hello[3:])
        assert await raw.frame() == b"\x81\x05hello"


@at_home()
async def test_compression_is_declined(house: House) -> None:
    """A client that offers it gets none, and works."""
    async with connect(f"ws://127.0.0.1:{house.port}/") as client:
        assert client.response is not None
        assert "Sec-WebSocket-Extensions" not in client.response.headers
        await client.send("x" * 1000)
        assert await client.recv() == "x" * 1000


@at_home()
async def test_the_client_may_close(house: House) -> None:
    """Its code comes back, the handler hears of it, and the server hangs up."""
    async with house.raw() as raw:
        await raw.shake()
        raw.writer.write(masked(Opcode.CLOSE, Close(3000, "bye").serialize()))
        assert await raw.rest() == goodbye(3000, "bye")
        await house.desk.next("closed")


@at_home()
async def test_the_server_may_close(house: House) -> None:
    """The client gets code and reason; what was sent before still arrives, what after does not."""
    async with house.client() as client:
        peer = await house.desk.next("opened")
        peer.send(b"before")
        peer.close(4001, "replaced")
        peer.send(b"after")
        assert await client.recv() == "before"
        assert await end_of(client) == (4001, "replaced")
        assert await house.desk.next("closed") is peer


@at_home()
async def test_who_vanishes_is_gone(house: House) -> None:
    """A reset without a word ends the peer, and nothing complains."""
    async with house.raw() as raw:
        await raw.shake()
        peer = await house.desk.next("opened")
        linger = struct.pack("ii", 1, 0)
        raw.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        raw.writer.transport.abort()
        assert await house.desk.next("closed") is peer
        peer.send(b"nobody there")
        peer.close(1000, "")


@at_home()
async def test_who_is_cut_hears_of_it_at_once(house: House) -> None:
    """It is reset: nothing that it did not take is kept for it, and no write is stuck."""
    async with house.raw() as raw:
        await raw.shake()
        peer = await house.desk.next("opened")
        peer.send(b"x" * 60_000)
        peer.abort()
        with pytest.raises(ConnectionResetError):
            await raw.reader.read()


@at_home(Limits(tick=0.02, open_timeout=0.05))
async def test_who_sends_no_request_is_reset_as_well(house: House) -> None:
    """A socket that never shakes hands is gone at the deadline, on both sides."""
    async with house.raw(b"GET /") as raw:
        with pytest.raises(ConnectionResetError):
            await raw.reader.read()


@at_home()
async def test_a_long_message_is_refused_with_its_reason(house: House) -> None:
    """A client that sends far too much still reads why it was closed."""
    async with house.client() as client:
        await client.send("x" * 100_000)
        assert (await end_of(client))[0] == 1009


@at_home(IMPATIENT)
async def test_who_does_not_answer_a_close_is_cut(house: House) -> None:
    """A peer that ignores the close frame does not stay."""
    async with house.raw() as raw:
        await raw.shake()
        (await house.desk.next("opened")).close(1000, "")
        assert await raw.rest() == goodbye(1000, "")
        await house.desk.next("closed")


@at_home(Limits(tick=0.02, open_timeout=0.05))
async def test_half_a_request_is_cut(house: House) -> None:
    """Neither nothing, nor half a line, nor half the headers holds a socket for long."""
    for half in (b"", b"GET / HT", UPGRADE):
        assert await house.ask(half) == b""
    assert house.listener.counters.cut_slow == 3
    assert house.listener.counters.opened == 0


@at_home(Limits(tick=0.02, stall_timeout=0.1, write_buffer=10**9))
async def test_a_peer_that_does_not_read_is_blocked_then_cut(house: House) -> None:
    """Blocked shows at once, and the stall has its time; the buffer holds until then."""
    async with house.raw() as raw:
        await raw.shake()
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        peer = await house.desk.next("opened")
        peer.send(b"x" * MORE_THAN_A_KERNEL_HOLDS)
        assert peer.blocked
        assert await house.desk.next("closed") is peer
        assert house.listener.counters.cut_slow == 1


@at_home(Limits(write_buffer=10**9))
async def test_a_blocked_peer_becomes_writable(house: House) -> None:
    """Once the client reads, the handler hears of it, and nothing was lost."""
    async with house.raw() as raw:
        await raw.shake()
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        peer = await house.desk.next("opened")
        peer.send(b"x" * MORE_THAN_A_KERNEL_HOLDS)
        assert peer.blocked
        raw.writer.transport.resume_reading()  # type: ignore[attr-defined]
        await raw.reader.readexactly(10 + MORE_THAN_A_KERNEL_HOLDS)
        assert await house.desk.next("writable") is peer
        assert not peer.blocked
        peer.send(b"again")
        assert await raw.frame() == b"\x81\x05again"


@at_home(Limits(send_buffer=4096))
async def test_a_buffer_has_an_end(house: House) -> None:
    """Whoever sends on to a blocked peer loses it before much memory is lost."""
    async with house.raw() as raw:
        await raw.shake()
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        peer = await house.desk.next("opened")
        while not peer.blocked:
            peer.send(b"x" * 1000)
        for _ in range(70):
            peer.send(b"x" * 1000)
        assert await house.desk.next("closed") is peer
        assert house.listener.counters.cut_slow == 1


@at_home()
async def test_a_ping_flood_is_cut(house: House) -> None:
    """Who pings without end and reads no pong is cut at once."""
    async with house.raw() as raw:
        await raw.shake()
        raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
        raw.writer.write(masked(Opcode.PING, b"x" * 100) * 5000)
        await house.desk.next("closed")
        assert house.listener.counters.cut_flood == 1


@at_home(Limits(tick=0.02, ping_after=0.05, pong_timeout=0.1))
async def test_silence_is_asked_then_cut(house: House) -> None:
    """A client that answers no ping goes."""
    async with house.raw() as raw:
        await raw.shake()
        assert await raw.rest() == b"\x89\x00"
        assert house.listener.counters.cut_silent == 1


@at_home()
async def test_plain_requests(house: House) -> None:
    """GET, HEAD and everything else on the same port, each answered and hung up on."""
    get = await house.ask(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    head = await house.ask(b"HEAD /healthz?now HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n")
    assert get.startswith(b"HTTP/1.1 200 OK\r\n")
    assert get.endswith(b"\r\n\r\nfine, thank you\n")
    assert b"Content-Length: 16\r\n" in head
    assert head.endswith(b"\r\n\r\n")
    h2c = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    assert (await house.ask(h2c)).startswith(b"HTTP/1.1 200 ")
    for request, status in [
        (b"GET /nothing HTTP/1.0\r\n\r\n", b"404 Not Found"),
        (b"HEAD /nothing HTTP/1.1\r\n\r\n", b"404 Not Found"),
        (b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi", b"405 Method Not Allowed"),
        (b"\x16\x03\x01", b"400 Bad Request"),
        (b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", b"426 Upgrade Required"),
        (UPGRADE.replace(b"Version: 13", b"Version: 8") + b"\r\n", b"400 Bad Request"),
    ]:
        assert (await house.ask(request)).startswith(b"HTTP/1.1 " + status + b"\r\n")
    post = await house.ask(b"DELETE /healthz HTTP/1.1\r\n\r\n")
    assert b"\r\nAllow: GET, HEAD\r\n" in post
    assert house.listener.counters.opened == 0


@at_home()
async def test_a_request_may_come_byte_by_byte(house: House) -> None:
    """Plain or not, a slow but whole request is answered."""
    async with house.raw() as raw:
        for n in range(len(UPGRADE)):
            raw.writer.write(UPGRADE[n : n + 1])
            await raw.writer.drain()
        raw.writer.write(b"\r\n")
        assert b"101 Switching Protocols" in await raw.reader.readuntil(b"\r\n\r\n")


@at_home(origins=frozenset({"https://nana.test"}))
async def test_pages_of_other_sites_cannot_connect(house: House) -> None:
    """403 for a WebSocket and for a plain request, unless the page is on the list."""
    for origin in ("https://evil.test", "null", "http://nana.test"):
        with pytest.raises(InvalidStatus) as refused:
            await house.client(additional_headers={"Origin": origin})
        assert refused.value.response.status_code == 403
    async with house.client(additional_headers={"Origin": "https://nana.test"}) as client:
        await client.ping()
    plain = b"GET /healthz HTTP/1.1\r\nOrigin: https://evil.test\r\n\r\n"
    assert (await house.ask(plain)).startswith(b"HTTP/1.1 403 ")
    assert house.listener.counters.refused == 4


@at_home(Limits(sockets_per_address=2))
async def test_one_socket_too_many_is_told_so(house: House) -> None:
    """Over the limit: upgraded, then 1013; a place that becomes free is free."""
    async with house.client() as first:
        async with house.client(), house.client() as third:
            assert await end_of(third) == (1013, "too many connections")
        assert (await house.ask(b"GET /healthz HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        await house.desk.next("closed")
        async with house.client() as again:
            await again.send("room for two")
            assert await again.recv() == "room for two"
        await first.ping()
    assert (house.listener.counters.opened, house.listener.counters.refused) == (3, 1)


@at_home(Limits(sockets=2))
async def test_twice_too_many_sockets_are_cut(house: House) -> None:
    """Beyond the spare room for requests nobody gets a word."""
    async with house.raw(), house.raw(), house.raw(), house.raw() as fourth:
        assert await house.ask(b"GET /healthz HTTP/1.1\r\n\r\n") == b""
        assert b"101 Switching Protocols" in await fourth.shake()


@at_home(IMPATIENT)
async def test_stopping_tells_everybody(house: House) -> None:
    """Each peer gets the code and the reason; who does not answer holds nothing up for long."""
    async with house.client() as one, house.client() as two, house.raw() as deaf, house.raw():
        await deaf.shake()
        for _ in range(3):
            await house.desk.next("opened")
        await house.listener.stop(1012, "restarting")
        assert await end_of(one) == await end_of(two) == (1012, "restarting")
        assert await deaf.rest() == goodbye(1012, "restarting")
        assert house.listener.sockets == 0
        with pytest.raises(OSError, match=r"refused|Connect call failed"):
            await house.ask(b"")


@at_home()
async def test_a_taken_port_is_an_error(house: House) -> None:
    """The caller gets the system's error, and nothing is left open."""
    other = Listener(Desk())
    with pytest.raises(OSError, match="in use") as taken:
        await other.start(["127.0.0.1"], house.port)
    assert taken.value.errno == errno.EADDRINUSE


@pytest.mark.parametrize("new_loop", LOOPS)
@pytest.mark.parametrize("hosts", [["127.0.0.1", "::1"], [""]], ids=str)
def test_all_addresses_get_one_port(new_loop: NewLoop, hosts: list[str]) -> None:
    """Port 0 is one free port for IPv4 and IPv6 alike, and it is reported."""

    async def visit() -> None:
        listener = Listener(Desk())
        port = await listener.start(hosts, 0)
        assert port == listener.port > 0
        for address in ("127.0.0.1", "::1"):
            async with connect(f"ws://[{address}]:{port}/".replace("[127.0.0.1]", "127.0.0.1")):
                pass
        await listener.stop(1001, "")

    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(visit())


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
@pytest.mark.parametrize("new_loop", LOOPS)
def test_tls(new_loop: NewLoop, tmp_path: Path) -> None:
    """Everything above the transport works inside TLS as well; both sides can close."""
    make = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=x"
    )
    subprocess.run(
        [*make.split(), "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key", "-out", "cert"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    inward = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    inward.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    outward = ssl.create_default_context(cafile=tmp_path / "cert")

    async def visit() -> None:
        desk = Desk()
        listener = Listener(desk, ssl_context=inward)
        port = await listener.start(["127.0.0.1"], 0)
        async with connect(f"wss://127.0.0.1:{port}/", ssl=outward) as client:
            await client.send("x" * 4000)
            assert await client.recv() == "x" * 4000
            (await desk.next("opened")).close(4000, "enough")
            assert await end_of(client) == (4000, "enough")
        async with connect(f"wss://127.0.0.1:{port}/", ssl=outward) as client:
            await client.close(3000)
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=outward)
        writer.write(b"HEAD /healthz HTTP/1.1\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200 OK\r\n")
        writer.close()
        await listener.stop(1001, "")
        assert listener.counters.closed == 2

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(visit())
