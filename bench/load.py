"""The load generator: tables of four seats on raw sockets, every frame checked.

It speaks just enough of RFC 6455 to be cheap, since it shares the machine with
what it measures. One action of a table is in flight at a time.
"""

import asyncio
import base64
import os
import sys
from collections.abc import Callable
from random import Random
from typing import Final, Self, cast

import msgspec
from msgspec import Struct
from websockets.speedups import apply_mask

SEATS: Final = 4
LETTERS: Final = "ABCD"
MISSED: Final = b',"missed":'  # behind it, each viewer's own end


class _You(Struct):
    seat: str | None
    hand: tuple[int, ...]


class _Seat(Struct):
    cards: int
    sets: tuple[int, ...]


class _Card(Struct):
    number: int


class _Attempt(Struct):
    cards: tuple[_Card, ...]


class Snapshot(Struct, tag="snapshot"):
    """What the generator needs of a snapshot."""

    version: int
    step: int
    phase: str
    on_turn: str | None
    legal: tuple[str, ...]
    attempt: _Attempt | None
    seats: tuple[_Seat, ...]
    you: _You


_snapshot: Final = msgspec.json.Decoder(Snapshot)


class Recording:
    """One table's game: per action the sender, its message, the ack and four snapshots."""

    def __init__(self) -> None:
        self.actions: list[tuple[int, bytes, bytes, list[bytes]]] = []

    def bytes_per_action(self) -> float:
        sizes = [len(ack) + sum(map(len, frames)) for _, _, ack, frames in self.actions]
        return sum(sizes) / len(sizes)


class Socket(asyncio.Protocol):
    """A WebSocket client: text frames in, masked text frames out."""

    def __init__(self, path: str, deliver: Callable[[bytes], None]) -> None:
        self._path = path
        self._deliver = deliver
        self._buffer = b""
        self._upgraded = False
        self.ready = asyncio.get_running_loop().create_future()
        self.closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        at = 0
        if not self._upgraded:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = data
                return
            if not data.startswith(b"HTTP/1.1 101 "):
                raise AssertionError(data[:80])
            self._upgraded, at = True, end + 4
            self.ready.set_result(None)
        self._buffer = b""
        while at + 2 <= len(data):
            size, head = data[at + 1], 2
            if size == 126:
                if at + 4 > len(data):
                    break
                size, head = int.from_bytes(data[at + 2 : at + 4]), 4
            end = at + head + size
            if end > len(data):
                break
            if data[at] == 0x81:
                self._deliver(data[at + head : end])
            elif data[at] == 0x89:
                raise AssertionError("a ping: somebody was silent for too long")
            at = end
        self._buffer = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if not self.closing:
            self._deliver(b'{"type":"lost"}')

    def send(self, payload: bytes) -> None:
        mask = os.urandom(4)
        size = len(payload)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2)
        self._transport.write(head + mask + apply_mask(payload, mask))

    def close(self) -> None:
        self.closing = True
        self._transport.abort()


class Volley:
    """Lets tables act together, half of them at a time, with messages that are ready to be sent.

    The generator shares the machine with the server and is the slower of the two. Would each
    table act as soon as it may, the server would be woken for one message after the other, and
    waking up would be measured. So there is always a queue of messages, as at saturation.
    """

    def __init__(self) -> None:
        self._playing = 0
        self._ready: list[Callable[[], None]] = []

    def join(self) -> None:
        self._playing += 1

    def leave(self) -> None:
        self._playing -= 1
        self._fire()

    def add(self, send: Callable[[], None]) -> None:
        self._ready.append(send)
        self._fire()

    def _fire(self) -> None:
        if self._ready and len(self._ready) * 2 >= self._playing:
            ready, self._ready = self._ready, []
            for send in ready:
                send()


class Table:
    """Four seats that play until they are told to stop."""

    def __init__(self, name: str, random: Random, script: Recording | None) -> None:
        self._volley = Volley()
        self._name = name
        self._random = random
        self._script = script
        self._recording: Recording | None = None
        self._sockets: list[Socket] = []
        self._frames: list[bytes] = [b""] * SEATS
        self._ack = b""
        self._got = 0
        self._left = 0
        self._played = 0
        self._version = 0
        self._actor = 0
        self._message = b""
        self._shots: list[Snapshot] = []
        self._done = asyncio.Event()
        self._inbox: list[asyncio.Queue[bytes]] = []
        self._playing = False

    @classmethod
    def of_product(cls, seed: int) -> Self:
        return cls("", Random(seed), None)

    @classmethod
    def of_recording(cls, number: int, recording: Recording) -> Self:
        return cls(f"room{number}", Random(0), recording)

    def record(self, recording: Recording) -> None:
        self._recording = recording

    async def sit_down(self, port: int) -> None:
        self._playing = False
        self._inbox = [asyncio.Queue() for _ in range(SEATS)]
        if self._script is not None:
            for seat in range(SEATS):
                await self._connect(port, seat, f"/{self._name}/{seat}")
        else:
            await self._start_game(port)
        self._playing = True

    async def _connect(self, port: int, seat: int, path: str) -> Socket:
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(
            lambda: Socket(path, lambda frame: self._receive(seat, frame)), "127.0.0.1", port
        )
        await socket.ready
        self._sockets.append(socket)
        return socket

    async def _start_game(self, port: int) -> None:
        room = ""
        for seat in range(SEATS):
            socket = await self._connect(port, seat, f"/r/{room}" if room else "/")
            enter: dict[str, object] = {
                "type": "join" if room else "create",
                "protocol": 1,
                "token": os.urandom(16).hex(),
                "name": f"Player {LETTERS[seat]}",
            }
            if not room:
                enter["options"] = {"pace": 0, "seats": SEATS}
            socket.send(msgspec.json.encode(enter))
            welcome, _ = await self._wait_for(seat, "welcome")
            room = str(welcome["room"])
        self._sockets[0].send(b'{"type":"start"}')
        for seat in range(SEATS):
            phase: object = None
            while phase != "playing":
                snapshot, self._frames[seat] = await self._wait_for(seat, "snapshot")
                phase = snapshot["phase"]
        self._version = _snapshot.decode(self._frames[0]).version

    async def _wait_for(self, seat: int, kind: str) -> tuple[dict[str, object], bytes]:
        while True:
            frame = await self._inbox[seat].get()
            message: dict[str, object] = msgspec.json.decode(frame)
            if message["type"] in {"error", "bye", "lost"}:
                raise AssertionError(frame)
            if message["type"] == kind:
                return message, frame

    async def play(self, actions: int, volley: Volley) -> None:
        self._left = actions
        self._volley = volley
        self._done.clear()
        volley.join()
        self._act()
        await self._done.wait()

    def leave(self) -> None:
        for socket in self._sockets:
            socket.close()

    def _act(self) -> None:
        """Prepare the next action of the seat on turn."""
        if self._script is not None:
            self._actor, self._message, _, _ = self._script.actions[self._played]
        else:
            if not self._shots:
                self._shots = [_snapshot.decode(frame) for frame in self._frames]
            snapshot = self._shots[0]
            if snapshot.on_turn is None:
                raise AssertionError("the game is over: fewer actions, please")
            self._actor = LETTERS.index(snapshot.on_turn)
            self._message = self._next_message(snapshot)
        self._got = 0
        self._ack = b""
        self._volley.add(self._send)

    def _send(self) -> None:
        self._sockets[self._actor].send(self._message)

    def _next_message(self, snapshot: Snapshot) -> bytes:
        start = b'{"id":"%d","step":%d,' % (self._played, snapshot.step)
        if snapshot.legal == ("continue",):
            return start + b'"type":"continue"}'
        sources = self._mismatches(snapshot) or snapshot.legal
        source = self._random.choice(sources)
        return start + b'"type":"reveal","source":"%b"}' % source.encode()

    def _mismatches(self, snapshot: Snapshot) -> list[str]:
        """Return hand ends that do not match: all hands are seen here, and games are to be long."""
        if snapshot.attempt is None or not snapshot.attempt.cards:
            return []
        number = snapshot.attempt.cards[-1].number
        hands = [shot.you.hand for shot in self._shots]
        ends = [
            (f"{letter.lower()}{sign}", hand[at])
            for letter, hand in zip(LETTERS, hands, strict=True)
            if hand
            for sign, at in (("<", 0), (">", -1))
        ]
        return [source for source, card in ends if card != number]

    def _receive(self, seat: int, frame: bytes) -> None:
        if not self._playing:
            self._inbox[seat].put_nowait(frame)
            return
        if not self._ack and seat == self._actor:
            self._ack = frame
            return
        self._frames[seat] = frame
        self._got += 1
        if self._got == SEATS:
            self._finish_action()

    def _finish_action(self) -> None:
        if self._script is not None:
            self._check_recorded()
        else:
            self._check()
        if self._recording is not None:
            action = (self._actor, self._message, self._ack, list(self._frames))
            self._recording.actions.append(action)
        self._played += 1
        self._left -= 1
        if self._left:
            self._act()
        else:
            self._volley.leave()
            self._done.set()

    def _check(self) -> None:
        """Every seat got the same table, with its own hand, one version on; the ack came first."""
        self._version += 1
        ack = b'{"type":"ack","id":"%d","version":%d}' % (self._played, self._version)
        if self._ack != ack:
            raise AssertionError((self._ack, ack))
        first = self._frames[0]
        shared = first[: first.rindex(MISSED) + len(MISSED)]
        self._shots = [_snapshot.decode(frame) for frame in self._frames]
        for seat, (frame, snapshot) in enumerate(zip(self._frames, self._shots, strict=True)):
            if not frame.startswith(shared):
                raise AssertionError("seats were shown different tables")
            hand = snapshot.you.hand
            if snapshot.version != self._version or snapshot.you.seat != LETTERS[seat]:
                raise AssertionError(frame)
            if len(hand) != snapshot.seats[seat].cards or list(hand) != sorted(hand):
                raise AssertionError(frame)

    def _check_recorded(self) -> None:
        if self._script is None:
            raise AssertionError
        _, _, ack, frames = self._script.actions[self._played]
        if self._ack != ack or self._frames != frames:
            raise AssertionError("not the recorded frames")


def _give_up(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """A frame was not as it should be: a measurement of something wrong is worth nothing."""
    print(f"bench: {context.get('exception') or context['message']}", file=sys.stderr)
    os._exit(1)


async def run_tables(tables: list[Table], actions: int) -> None:
    asyncio.get_running_loop().set_exception_handler(_give_up)
    volley = Volley()
    await asyncio.gather(*(table.play(actions, volley) for table in tables))
