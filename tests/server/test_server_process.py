"""The real program on a real port: starts, serves, plays, and stops as it says."""

import asyncio
import contextlib
import os
import pty
import re
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import IO, Any, Final

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from nana_bots.mind import LEVELS, Player
from nana_core.deck import LETTERS
from nana_core.fair import SECRET_BYTES, fair_deal, nonce_hash, seed_hash
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.codec import decode_outbound, encode
from nana_server.__main__ import main

PATIENCE: Final = 30  # seconds; all of this takes less than one
LISTENING: Final = re.compile(r"listening on (ws://127\.0\.0\.1:(\d+)/)\n")


class Program:
    """A server process; its first line says where it listens."""

    def __init__(self, log: IO[bytes], *args: str, **more: Any) -> None:
        command = [sys.executable, "-m", "nana_server", "--port", "0", *args]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, **more)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        match = LISTENING.fullmatch(line)
        if match is None:
            self.end()
            pytest.fail(f"it does not say where it listens: {line!r}")
        self.url, self.port = match[1], int(match[2])

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        return self.process.wait(PATIENCE)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def ask(self, path: str, method: str = "GET", host: str = "nana.test:8765") -> tuple[str, str]:
        """Ask over plain HTTP; return head and body."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as plain:
            plain.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            with plain.makefile("rb") as stream:
                head, _, body = stream.read().decode().partition("\r\n\r\n")
        return head, body


@pytest.fixture(scope="module")
def log_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "log"


@pytest.fixture(scope="module")
def server(log_file: Path) -> Iterator[Program]:
    """Give one server to all tests that leave it running."""
    with log_file.open("wb") as log:
        program = Program(log, "--log-level", "debug", "--create-burst", "1000")
        try:
            yield program
            assert program.stop() == 0
        finally:
            program.end()


@contextlib.contextmanager
def program(*args: str, **more: Any) -> Iterator[Program]:
    own = Program(sys.stderr.buffer, *args, **more)
    try:
        yield own
    finally:
        own.end()


class Guest:
    """A plain client with a bot's head: sends, waits for what it wants, remembers all it got."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self.name = name
        self.token = secrets.token_hex(16)
        self.nonce = secrets.token_bytes(SECRET_BYTES)
        self.got: list[o.Outbound] = []
        self._socket = socket

    async def say(self, message: i.Inbound | str | bytes) -> None:
        if not isinstance(message, (str, bytes)):
            message = encode(message).decode()
        await self._socket.send(message)

    async def next(self) -> o.Outbound:
        message = decode_outbound(await self._socket.recv())
        assert message is not None
        self.got.append(message)
        return message

    async def until(self, kind: type[Any], **fields: Any) -> Any:
        while True:
            message = await self.next()
            wanted = all(getattr(message, name, None) == value for name, value in fields.items())
            if isinstance(message, kind) and wanted:
                return message

    async def enter(self, kind: type[Any], **more: Any) -> o.Welcome:
        if kind is not i.Watch:
            more["nonce_hash"] = nonce_hash(self.nonce)
        await self.say(kind(protocol=1, token=self.token, name=self.name, kind="bot", **more))
        welcome: o.Welcome = await self.until(o.Welcome)
        return welcome

    async def play(self, seed: int) -> o.Snapshot:
        """Play until the game is over; return the last snapshot."""
        bot = LEVELS["memory" if seed % 2 else "novice"]
        player, sent, opened = Player(bot(Random(seed))), -1, False
        while True:
            shot = await self.next()
            if not isinstance(shot, o.Snapshot):
                assert not isinstance(shot, (o.Error, o.Bye)), shot
                continue
            if shot.phase == "over":
                return shot
            opens = shot.phase == "opening" and shot.you.seat in shot.deal.to_open
            answer = player.receive(shot)
            if opens and not opened:
                opened = True
                await self.say(i.Open(nonce=self.nonce.hex()))
            elif answer is not None and answer.step != sent:
                sent = answer.step
                await self.say(answer)


@contextlib.asynccontextmanager
async def guests(server: Program, count: int, path: str = "") -> AsyncIterator[list[Guest]]:
    """Connect so many clients, who wait for nobody for ever."""
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(PATIENCE))
        come = []
        for n in range(count):
            socket = await stack.enter_async_context(connect(server.url + path, compression=None))
            come.append(Guest(socket, f"Bot {n + 1}"))
            await come[-1].until(o.Hello)
        yield come


@contextlib.asynccontextmanager
async def a_table(server: Program, seats: int, others: int = 0) -> AsyncIterator[list[Guest]]:
    """Seat clients at a table without a pace; `others` of them only watch."""
    async with guests(server, 1) as (host,):
        options = i.OptionChanges(seats=max(2, seats), pace=0, public=True)
        welcome = await host.enter(i.Create, options=options)
        async with guests(server, seats + others - 1, f"r/{welcome.room}") as more:
            for n, guest in enumerate(more, 1):
                await guest.enter(i.Join if n < seats else i.Watch)
            yield [host, *more]


# The pages.


def test_plain_requests_are_answered(server: Program) -> None:
    """Health, public rooms and the schema are JSON; HEAD has no body; the rest is 404 or 405."""
    head, body = server.ask("/healthz")
    assert head.startswith("HTTP/1.1 200 ")
    assert msgspec.json.decode(body)["status"] == "ok"
    assert msgspec.json.decode(server.ask("/rooms")[1]) == []
    schema = msgspec.json.decode(server.ask("/schema")[1])
    assert {"inbound", "outbound"} <= set(schema["properties"])
    head, body = server.ask("/schema", "HEAD")
    assert int(re.findall(r"Content-Length: (\d+)", head)[0]) > 1000
    assert body == ""
    assert server.ask("/metrics/../etc")[0].startswith("HTTP/1.1 404 ")
    assert server.ask("/rooms", "POST")[0].startswith("HTTP/1.1 405 ")


@pytest.mark.parametrize("host", ['x"><script>alert(1)</script>', "a b", "<i>", "x" * 300, "'&\""])
def test_an_invitation_repeats_no_markup(server: Program, host: str) -> None:
    """The page names the room and how to join; a hostile Host header does not get into it."""
    head, body = server.ask("/r/kq7mx", host=host)
    assert head.startswith("HTTP/1.1 200 ")
    assert "default-src 'none'" in head
    assert "nana join ws://localhost/r/KQ7MX" in body
    assert host not in body
    assert "<script" not in body


def test_an_invitation_names_the_address_that_was_used(server: Program) -> None:
    """A friend who opens the link in a browser is told how to join from a terminal."""
    assert "nana join ws://nana.test:8765/r/KQ7MX" in server.ask("/r/KQ7MX")[1]


# Whole games.


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
async def test_bots_play_a_whole_game(server: Program, seats: int) -> None:
    """To the end, with a deal that everyone can prove, and one and the same truth for all."""
    async with a_table(server, seats, others=1) as table:
        *players, fan = table
        await players[0].say(i.Start())
        last = await asyncio.gather(*(guest.play(n) for n, guest in enumerate(table)))
    result, opened = last[0].result, last[0].opened
    assert result is not None
    assert opened is not None
    assert result.kind == "won"
    assert last[0].deal.nonce_hashes == tuple(nonce_hash(it.nonce) for it in players)
    seed = bytes.fromhex(opened.seed)
    assert seed_hash(last[0].room, 1, seed) == last[0].deal.seed_hash
    deal = fair_deal(last[0].room, 1, seed, [it.nonce for it in players], None)
    assert (deal.hands, deal.center, LETTERS[deal.first]) == (
        opened.hands,
        opened.center,
        opened.first,
    )
    check_one_truth(table)
    assert all(not shot.you.hand for shot in fan.got if isinstance(shot, o.Snapshot))


def check_one_truth(table: list[Guest]) -> None:
    """What two viewers got as the same version is the same, but for what is one's own."""
    truth: dict[int, o.Snapshot] = {}
    shared = 0
    for guest in table:
        for shot in guest.got:
            if isinstance(shot, o.Snapshot):
                public = msgspec.structs.replace(shot, you=table[0].got[0], missed=())
                shared += shot.version in truth
                assert truth.setdefault(shot.version, public) == public
                if shot.phase == "playing":
                    assert shot.hands is None
                    assert shot.opened is None
    assert shared > 20


async def test_the_list_shows_a_public_table(server: Program) -> None:
    """While it is there, and not afterwards."""
    async with a_table(server, 2, others=1):
        (listed,) = msgspec.json.decode(server.ask("/rooms")[1])
        assert (listed["taken"], listed["watching"]) == (2, 1)


async def test_a_flood_is_cut_and_the_others_play_on(server: Program) -> None:
    """One seat sends far too much: it is told, closed, and its seat plays on without it."""
    async with a_table(server, 3) as (host, friend, noisy):
        await host.say(i.SetOptions(options=i.OptionChanges(turn_time=30)))
        await host.until(o.Snapshot)
        with contextlib.suppress(ConnectionClosed):
            for n in range(500):
                await noisy.say(i.Chat(text=f"{n}"))
        bye = await noisy.until(o.Bye)
        assert (bye.code, bye.retry) == ("flood", "after_ms")
        with pytest.raises(ConnectionClosed) as closed:
            await noisy.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        await host.say(i.Remove(seat="C"))
        await host.say(i.Start())
        last = await asyncio.gather(host.play(0), friend.play(1))
        assert last[0].result is not None


async def test_garbage_harms_nobody(server: Program) -> None:
    """Frames that are no messages, binary frames, broken bytes: a game beside them goes on."""
    chance = Random(23)
    frames: list[str | bytes] = [
        "null",
        "[]",
        "{}",
        '"\\ud800"',
        "[" * 2000,
        '{"type":"create","type":"leave"}',
        '{"type":"join","protocol":' + "9" * 3000 + "}",
        "".join(map(chr, chance.choices(range(1, 0xD000), k=500))),
        b"\x00\xff" * 40,
        "x" * 5000,
    ]
    async with a_table(server, 2) as table:
        await table[0].say(i.Start())
        playing = asyncio.gather(*(guest.play(n) for n, guest in enumerate(table)))
        for frame in frames:
            async with guests(server, 1) as (rude,):
                await rude.say(frame)
                with contextlib.suppress(ConnectionClosed):
                    error = await rude.until(o.Error)
                    assert error.code in {"malformed", "unsupported_protocol"}
                    await rude.enter(i.Create)
        for _ in range(10):
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plain:
                plain.sendall(chance.randbytes(200))
        last = await playing
        assert last[0].result is not None
    assert server.ask("/healthz")[0].startswith("HTTP/1.1 200 ")


async def test_a_seat_is_found_again_over_a_new_socket(server: Program) -> None:
    """A dropped player resumes with its token and plays the game to its end."""
    async with a_table(server, 2) as (host, friend):
        await host.say(i.Start())
        code = host.got[1].room if isinstance(host.got[1], o.Welcome) else ""
        rest = asyncio.create_task(host.play(0))
        await friend.until(o.Snapshot, phase="opening")
        async with guests(server, 1, f"r/{code}") as (again,):
            again.token, again.nonce = friend.token, friend.nonce
            await again.say(i.Resume(protocol=1, token=friend.token))
            last = await again.play(1)
            bye = await friend.until(o.Bye)
        assert bye.code == "replaced"
        assert (await rest).result == last.result


def test_the_log_tells_no_secrets(server: Program, log_file: Path) -> None:
    """Whatever was played and sent until now: no token, no card, no traceback, no escape."""
    text = log_file.read_text()
    assert "room " in text
    assert "Traceback" not in text
    assert "\x1b" not in text
    assert not re.search(r"[0-9a-f]{32}", text)
    assert "hands" not in text


# Starting and stopping.


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_it_with_a_word(number: int) -> None:
    """Everybody hears `restart`, the sockets close as going away, and the exit code is 0."""
    with program() as own:
        async with a_table(own, 2) as table:
            own.process.send_signal(number)
            for guest in table:
                bye = await guest.until(o.Bye)
                assert (bye.code, bye.retry) == ("restart", "after_ms")
                with pytest.raises(ConnectionClosed) as closed:
                    await guest.next()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1001
            assert await asyncio.to_thread(own.wait) == 0


@pytest.mark.skipif("NANA_LONG" not in os.environ, reason="takes the closing timeout of 5 s")
@pytest.mark.parametrize("ignored", [False, True], ids=["heeded", "ignored"])
def test_it_ends_with_its_terminal(ignored: bool) -> None:
    """A window that is closed leaves no server behind that holds the port; `trap '' HUP` does."""
    pid, terminal = pty.fork()
    if not pid:
        signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
        args = [sys.executable, "-m", "nana_server", "--port", "0"]
        os.execv(sys.executable, args)  # noqa: S606 - our own program, behind a terminal
    said = b""
    while b"INFO" not in said:  # the log's line comes after the signals are listened to
        said += os.read(terminal, 4096)
    port = int(said.split(b":")[2].split(b"/")[0])
    os.close(terminal)
    if ignored:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert plain.recv(100).startswith(b"HTTP/1.1 200")
        os.kill(pid, signal.SIGTERM)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_client_that_never_answers_does_not_hold_it() -> None:
    """A socket that reads nothing and says nothing is cut after the closing timeout."""
    with program() as own, socket.create_connection(("127.0.0.1", own.port)) as mute:
        mute.sendall(
            b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert mute.recv(12) == b"HTTP/1.1 101"
        assert own.stop() == 0


def test_it_ends_with_its_standard_input() -> None:
    """A parent that dies leaves no server behind; words on standard input mean nothing."""
    with program("--until-stdin-ends", stdin=subprocess.PIPE) as own:
        assert own.process.stdin is not None
        own.process.stdin.write(b"hello\n" * 1000)
        own.process.stdin.flush()
        assert own.ask("/healthz")[0].startswith("HTTP/1.1 200 ")
        own.process.stdin.close()
        assert own.wait() == 0


def test_an_input_that_is_no_pipe_ends_at_once() -> None:
    """With nothing to read, as from `< /dev/null`, it says where it listened, and stops."""
    with program("--until-stdin-ends", stdin=subprocess.DEVNULL) as own:
        assert own.wait() == 0


def run(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nana_server", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_taken_port_is_a_sentence() -> None:
    """No traceback: what could not be, and what to try."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Try another --port or --host." in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("--port", "x"),
        ("--port", "70000"),
        ("--port", "-1"),
        ("--public-url", "http://nana.test"),
        ("--room-idle", "0"),
        ("--log-level", "loud"),
        ("--no-such-flag",),
        ("word",),
        ("--port", "0", "word"),
    ],
    ids=" ".join,
)
def test_a_wrong_flag_is_a_sentence(args: tuple[str, ...]) -> None:
    """Exit code 2, the usage and the reason."""
    done = run(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "usage: nana-server" in done.stderr
    assert "error:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("flag", "meant"), [("--prot", "--port"), ("--tls-certs=x", "--tls-cert"), ("--hepl", "--help")]
)
def test_a_flag_that_is_none_names_the_one_that_was_meant(flag: str, meant: str) -> None:
    """As in the file and in the environment."""
    name = flag.partition("=")[0]
    assert f"error: {name} is no option; the closest one is {meant}.\n" in run(flag).stderr


def test_an_early_interrupt_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C while the program is still being read ends it like any later one."""

    class Interrupted:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "nana_server.program":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "nana_server.program", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted, *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


def test_help_and_version_are_answers() -> None:
    """They go to standard output, with exit code 0."""
    assert run("--version").stdout.startswith("nana-server ")
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "NANA_PASSWORD" in done.stdout
