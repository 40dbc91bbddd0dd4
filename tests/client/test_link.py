"""The link, over real sockets: what it delivers, how it comes back, how failures read."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.utils import accept_key

from nana_client import faults
from nana_client.address import Target, target_of
from nana_client.link import Link, first_frame
from nana_client.retry import Closed, Connecting, Open, Orders, State, Timing, Waiting, backoff

Handler = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def server(handler: Handler, port: int = 0) -> AsyncIterator[Target]:
    async with serve(handler, "127.0.0.1", port, compression=None) as serving:
        bound = next(iter(serving.sockets)).getsockname()[1]
        yield target_of("127.0.0.1", bound)


@asynccontextmanager
async def tcp(handler: Callable[..., Awaitable[None]]) -> AsyncIterator[Target]:
    async def run(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handler(reader, writer)
        finally:
            writer.transport.abort()

    serving = await asyncio.start_server(run, "127.0.0.1", 0)
    async with serving:
        yield target_of("127.0.0.1", serving.sockets[0].getsockname()[1])


class Heard:
    """What a link told, and pauses that take no time."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.frames: list[bytes] = []
        self.pauses: list[float] = []
        self.now = 0.0

    def link(self, target: Target, **changes: float) -> Link:
        return Link(
            target,
            self.states.append,
            self.frames.append,
            timing=Timing(**changes),
            clock=lambda: self.now,
            draw=lambda: 1.0,
            sleep=self.sleep,
        )

    async def sleep(self, seconds: float) -> None:
        if seconds == Timing().ping_every:
            await asyncio.Event().wait()  # one ping is enough here
        self.pauses.append(seconds)
        self.now += seconds

    def kinds(self) -> list[type[State]]:
        kinds: list[type[State]] = []
        for state in self.states:
            if not kinds or kinds[-1] is not type(state):
                kinds.append(type(state))
        return kinds


async def test_frames_arrive_and_leave_in_order() -> None:
    """Frames come in the order sent, both ways, and close() sends what was handed over."""
    got: list[object] = []

    async def play(connection: ServerConnection) -> None:
        for text in ("hello", "one", "two"):
            await connection.send(text)
        got.extend([message async for message in connection])

    heard = Heard()
    async with server(play) as target:
        link = heard.link(target)

        def answer(frame: bytes) -> None:
            heard.frames.append(frame)
            if frame == b"two":
                assert link.send(b"first")
                assert link.send(b"second")
                link.close()

        link._on_frame = answer
        closed = await link.run()
    assert heard.frames == [b"hello", b"one", b"two"]
    assert got == ["first", "second"]
    assert closed == heard.states[-1] == Closed("You closed the connection.")
    assert heard.kinds() == [Connecting, Open, Closed]
    assert not link.send(b"too late")


async def test_a_drop_is_followed_by_another_connection() -> None:
    """A server that drops the connection is connected to again, with the reason told."""
    times = 0

    async def drop_twice(connection: ServerConnection) -> None:
        nonlocal times
        times += 1
        await connection.send("hello")
        if times < 3:
            connection.transport.abort()
        else:
            await connection.wait_closed()

    heard = Heard()
    async with server(drop_twice) as target:
        link = heard.link(target)
        link._on_frame = lambda _: link.close() if times == 3 else None
        await link.run()
    assert times == 3
    waits = [state for state in heard.states if isinstance(state, Waiting)]
    assert [wait.retry_in for wait in waits] == [0.5, 1.0]
    assert waits[0].why == f"The connection to 127.0.0.1:{target.port} broke."
    assert heard.pauses == [0.5, 1.0]


async def test_patience_ends() -> None:
    """After long enough without any connection the link gives up, and says so."""

    async def once(connection: ServerConnection) -> None:
        await connection.send("hello")
        serving.close()
        connection.transport.abort()

    heard = Heard()
    async with serve(once, "127.0.0.1", 0) as serving:
        target = target_of("127.0.0.1", next(iter(serving.sockets)).getsockname()[1])
        closed = await heard.link(target, patience=20.0).run()
    assert heard.pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
    assert closed.why == (
        f"Nothing answers at 127.0.0.1:{target.port}; is the server running? "
        "We tried for a long time and gave up."
    )


async def test_a_quiet_or_suspended_table_is_come_back_to() -> None:
    """However long nothing was said, or the machine slept: the tries begin with the drop."""
    times = 0

    async def sleep_then_drop(connection: ServerConnection) -> None:
        nonlocal times
        times += 1
        await connection.send("hello")
        if times == 1:
            heard.now += 10 * Timing().patience
            connection.transport.abort()
        else:
            await connection.wait_closed()

    heard = Heard()
    async with server(sleep_then_drop) as target:
        link = heard.link(target)
        link._on_frame = lambda _: link.close() if times == 2 else None
        await link.run()
    assert times == 2


async def test_hurrying_looks_whether_anybody_is_there() -> None:
    """Back from a suspension the link pings at once, and does not wait for its next turn."""
    pings = 0

    async def play(connection: ServerConnection) -> None:
        await connection.send("hello")
        await connection.wait_closed()

    def count(state: State) -> None:
        nonlocal pings
        if isinstance(state, Open) and state.latency_ms is not None:
            pings += 1
            link.hurry() if pings == 1 else link.close()

    heard = Heard()
    async with server(play) as target:
        link = heard.link(target)
        link._on_state = count
        await link.run()
    assert pings == 2


async def test_orders_decide_what_follows() -> None:
    """A server's farewell is obeyed: wait as long as it says, move, or stay away for good."""
    heard = Heard()
    orders = [
        Orders("again", "The server restarts.", after=3.0),
        Orders("never", "You were removed."),
    ]

    async def wait(connection: ServerConnection) -> None:
        await connection.send("bye")
        await connection.wait_closed()

    async with server(wait) as old, server(wait) as new:
        link = heard.link(old)
        orders[0] = Orders("again", "The server restarts.", after=3.0, url=new.at("KQ7MX").url)
        link._on_frame = lambda _: link.obey(orders.pop(0))
        closed = await link.run()
    assert closed.why == "You were removed."
    assert heard.pauses == [3.5]
    assert link.target == new.at("KQ7MX")


async def test_a_move_never_leaves_tls() -> None:
    """A room on a server with TLS is not followed to one without, nor to a bad address."""
    link = Heard().link(Target("wss://a.example:443/", "a.example", 443, None, secure=True))
    link._move("ws://a.example/r/KQ7MX")
    assert link.target.secure
    link._move("javascript:alert(1)")
    assert link.target.host == "a.example"
    link._move("wss://b.example/r/KQ7MX")
    assert link.target.host == "b.example"


async def test_a_silent_peer_is_noticed() -> None:
    """A peer that answers no ping is left and connected to anew; the figures stay below 25 s."""
    times = 0

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal times
        times += 1
        writer.write(_accept(await reader.readuntil(b"\r\n\r\n")) + b"\x81\x05hello")
        if times == 2:
            link.close()
        await reader.read()

    heard = Heard()
    async with tcp(deaf) as target:
        link = heard.link(target, ping_timeout=0.05)
        await link.run()
    assert Waiting(0.5, f"127.0.0.1:{target.port} went silent.") in heard.states
    assert Timing().ping_every + Timing().ping_timeout <= 25


def _accept(request: bytes) -> bytes:
    key = next(line for line in request.decode().split("\r\n") if "Sec-WebSocket-Key" in line)
    answer = accept_key(key.partition(": ")[2])
    return (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {answer}\r\n\r\n"
    ).encode()


async def test_latency_is_measured() -> None:
    """The first ping goes out at once, and its time there and back is told."""
    heard = Heard()

    async def wait(connection: ServerConnection) -> None:
        await connection.send("hello")
        await connection.wait_closed()

    async with server(wait) as target:
        link = heard.link(target)

        def tell(state: State) -> None:
            heard.states.append(state)
            if isinstance(state, Open) and state.latency_ms is not None:
                link.close()

        link._on_state = tell
        await link.run()
    assert any(isinstance(state, Open) and state.latency_ms is not None for state in heard.states)


async def test_hurry_cuts_a_pause_short() -> None:
    """A person who does not want to wait does not have to."""
    times = 0

    async def drop(connection: ServerConnection) -> None:
        nonlocal times
        times += 1
        await connection.send("hello")
        connection.transport.abort()

    async with server(drop) as target:

        def tell(state: State) -> None:
            if isinstance(state, Waiting):
                asyncio.get_running_loop().call_soon(link.hurry if times < 3 else link.close)

        link = Link(
            target,
            tell,
            lambda _: None,
            timing=Timing(base=1000, cap=1000),
            draw=lambda: 1.0,
        )
        await link.run()
    assert times == 3


async def test_hurry_is_for_one_pause() -> None:
    """Cutting one pause short, even as it is told of, leaves the next as long as it is."""
    times = 0
    slept: list[float] = []

    async def drop(connection: ServerConnection) -> None:
        nonlocal times
        times += 1
        await connection.send("hello")
        connection.transport.abort()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if seconds == 1.0:
            for _ in range(5):
                await asyncio.sleep(0)
            link.close()
        await asyncio.Event().wait()

    def tell(state: State) -> None:
        if isinstance(state, Waiting) and times == 1:
            link.hurry()
        if times == 3:
            link.close()

    async with server(drop) as target:
        link = Link(target, tell, lambda _: None, draw=lambda: 1.0, sleep=sleep)
        await link.run()
    assert times == 2
    assert 1.0 in slept


async def test_nothing_answers() -> None:
    """A refused connection, before any succeeded, ends the link with a question."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    heard = Heard()
    closed = await heard.link(target_of("127.0.0.1", port)).run()
    assert closed.why == f"Nothing answers at 127.0.0.1:{port}; is the server running?"
    assert heard.kinds() == [Connecting, Closed]


async def test_a_web_server_is_no_nana_server() -> None:
    """An HTTP answer, a foreign protocol or silence each read as what they are."""

    async def refuse(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(HTTPStatus(int(request.path[1:])), "no")

    async def never(connection: ServerConnection) -> None: ...

    async with serve(never, "127.0.0.1", 0, process_request=refuse) as serving:
        port = next(iter(serving.sockets)).getsockname()[1]
        where = f"127.0.0.1:{port}"
        for status, why in (
            (404, f"Something answers at {where}, but it is not a nana server (HTTP 404)."),
            (503, f"{where} cannot take us now (HTTP 503); try again later."),
        ):
            target = Target(f"ws://{where}/{status}", "127.0.0.1", port, None, secure=False)
            assert (await Heard().link(target).run()).why == why

    async def banner(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await writer.drain()

    async with tcp(banner) as target:
        closed = await Heard().link(target).run()
    assert closed.why == (
        f"Something answers at 127.0.0.1:{target.port}, but it is not a nana server, "
        "or it wants wss:// instead of ws://."
    )


async def test_a_server_that_never_says_hello() -> None:
    """A WebSocket that stays silent after the handshake is no nana server."""

    async def silent(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with server(silent) as target:
        closed = await Heard().link(target, open=0.5).run()  # a handshake takes milliseconds of it
        assert await first_frame(target, timeout=0.5) is None
    assert closed.why == faults.not_nana(target)


async def test_a_handshake_that_hangs() -> None:
    """A port that accepts and says nothing is given up after the time for opening."""

    async def hang(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with tcp(hang) as target:
        closed = await Heard().link(target, open=0.05).run()
    assert "did not answer in time" in closed.why


async def test_tls_where_there_is_none() -> None:
    """wss:// to a plain port says what to try instead."""

    async def wait(connection: ServerConnection) -> None: ...

    async with server(wait) as plain:
        secure = Target(
            f"wss://127.0.0.1:{plain.port}/", "127.0.0.1", plain.port, None, secure=True
        )
        closed = await Heard().link(secure).run()
    assert closed.why.startswith(f"127.0.0.1:{plain.port} ")
    assert "TLS" in closed.why
    assert "ry ws://" in closed.why


def _untrusted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "self-signed certificate"
    return error


@pytest.mark.parametrize(
    ("error", "says"),
    [
        pytest.param(socket.gaierror(-2, "x"), "No host called a.example was found", id="name"),
        pytest.param(_untrusted(), "cannot be trusted: self-signed certificate.", id="cert"),
        pytest.param(OSError(113, "x"), "There is no way from here to a.example", id="route"),
        pytest.param(
            OSError("Multiple exceptions: [Errno 111] a, [Errno 111] b"),
            "Nothing answers at a.example:443",
            id="refused on both families",
        ),
        pytest.param(
            ssl.SSLError(1, "wrong version number"), "does not speak TLS; try ws", id="tls"
        ),
        pytest.param(ConnectionResetError(), "hung up while we were connecting", id="reset"),
        pytest.param(OSError(24, "Too many open files"), "failed: Too many open files.", id="else"),
    ],
)
def test_failures_are_sentences(error: OSError, says: str) -> None:
    """Each failure of the system reads as a sentence about what to look at."""
    target = Target("wss://a.example:443/", "a.example", 443, None, secure=True)
    assert says in faults.sentence(error, target)


def test_the_jitter_is_full_and_comes_after_the_cap() -> None:
    """Clients that all sit at the cap are still spread evenly between no pause and the cap."""
    timing = Timing()
    assert [backoff(tries, timing, lambda: 1.0) for tries in range(6)] == [0.5, 1, 2, 4, 8, 8]
    assert backoff(40, timing, lambda: 0.25) == 2.0
    assert backoff(10**6, timing, lambda: 0.0) == 0.0


async def test_the_first_frame_tells_who_answers() -> None:
    """Looking who answers takes one frame and leaves."""
    left = asyncio.Event()

    async def greet(connection: ServerConnection) -> None:
        await connection.send("hello")
        await connection.wait_closed()
        left.set()

    async with server(greet) as target:
        assert await first_frame(target) == b"hello"
        await left.wait()
