"""Clients who play on through crashes: they resume, retry under the same ids, and tell all.

Nobody waits for a time to pass: a client whose connection ended waits for the server's
next life.
"""

import asyncio
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import IO, Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from nana_bots.mind import LEVELS, Player
from nana_core.fair import SECRET_BYTES, nonce_hash
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.codec import decode_outbound, encode
from nana_server.desk import key_of
from server.crash_ledger import Ledger
from server.crashing import DISK_FAILS, NEVER

RETRIED: Final = 8  # acknowledged actions of late, of which one is asked for again
TALKS: Final = 0.02  # the chance of a line of chat at a snapshot
FIXTURE: Final = Path(__file__).with_name("crashing.py")


class Nursery:
    """Starts servers on one port and one folder, one after the other."""

    def __init__(self, process: asyncio.subprocess.Process, *args: str) -> None:
        self._process = process
        self._args = args
        self._port = 0
        self._pid = 0
        self._changed = asyncio.Condition()
        self.life = 0
        self.point = NEVER  # where the server that runs is to end
        self.listens = False

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}"

    async def start(self, point: str = NEVER, nth: int = 1) -> bool:
        """Start a server; return whether it has come to listen before it died."""
        self.point, stdin = point, self._process.stdin
        assert stdin is not None
        line = f"{point} {nth} --port {self._port} {' '.join(self._args)}\n"
        stdin.write(line.encode())
        self._pid = int((await self._said("pid "))[4:])
        said = await self._said("listening on ", "ended ")
        if said.startswith("ended "):
            assert said == "ended -9", said
            return False
        self._port = int(said.rstrip("/").rpartition(":")[2])
        async with self._changed:
            self.life, self.listens = self.life + 1, True
            self._changed.notify_all()
        return True

    def signal(self, number: int) -> None:
        os.kill(self._pid, number)

    async def ended(self) -> int:
        """Wait for the server's end and return its exit code."""
        said = await self._said("ended ")
        self.listens = False
        return int(said[6:])

    async def next_life(self, after: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self.life > after)

    async def close(self) -> None:
        """End the nursery, and with it a server that still runs."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.communicate()

    async def _said(self, *beginnings: str) -> str:
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode().strip()
        assert line.startswith(beginnings), line
        return line


class Seat:
    """Somebody with a token in one room: the host, a player, or a watcher."""

    def __init__(self, nursery: Nursery, ledger: Ledger, name: str, chance: Random) -> None:
        self.token = secrets.token_hex(16)
        self.key = key_of(self.token)
        self.name = name
        self.bots = 0  # that the host adds
        self.last: o.Snapshot | None = None
        self._nursery = nursery
        self._ledger = ledger
        self._chance = chance
        self._player = Player(LEVELS["memory"](Random(chance.random())))
        self._pending: dict[str, i.Inside] = {}  # sent, and not acknowledged
        self._done: list[str] = []  # acknowledged of late
        self._count = 0
        self._once: set[tuple[str, int]] = set()  # what was asked for, by kind and step
        self._inside = False
        self.entered = asyncio.Event()
        self._seq = 0
        self._spoken = 0
        self._socket: ClientConnection | None = None

    async def live(self, way: Callable[[], i.Entering]) -> None:
        """Come in, and come back, until it is enough."""
        while True:
            life = self._nursery.life
            try:
                where = f"/r/{self._ledger.code}" if self._ledger.code else ""
                async with connect(self._nursery.url + where, compression=None) as self._socket:
                    if await self._visit(way):
                        return
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
                await self._nursery.next_life(life)

    async def _visit(self, way: Callable[[], i.Entering]) -> bool:
        floor, welcomed = self._ledger.step, False
        while True:
            message = await self._next()
            match message:
                case o.Hello():
                    await self._say(self._return() if self._inside else way())
                case o.Welcome():
                    self._ledger.code, self._inside, welcomed = message.room, True, True
                    self.entered.set()
                    for waiting in self._again():
                        await self._say(waiting)
                case o.Ack():
                    self._acknowledged(message)
                case o.ChatLine():
                    self._ledger.hear(message)
                    self._seq = max(self._seq, message.seq)
                case o.Snapshot():
                    assert welcomed
                    assert message.step >= floor, "what somebody was shown is not there"
                    if await self._see(message):
                        return True
                case o.Notice():
                    pass
                case o.Error(code="unavailable") if self._nursery.point == DISK_FAILS:
                    pass  # asked for again in the next life
                case o.Bye(code="restart"):
                    pass
                case _:
                    raise AssertionError(f"{self.name} was told {message}")

    def _return(self) -> i.Resume:
        return i.Resume(protocol=1, token=self.token, seq=self._seq)

    def _again(self) -> list[i.Inside]:
        """Everything without an answer, and something that had one."""
        again = list(self._pending.values())
        if self._done:
            asked = self._ledger.asked[self.key, self._chance.choice(self._done)]
            again.append(asked)  # type: ignore[arg-type]
        return again

    async def _next(self) -> o.Outbound:
        assert self._socket is not None
        message = decode_outbound(await self._socket.recv(decode=False))
        assert message is not None
        return message

    async def _say(self, message: i.Inbound) -> None:
        assert self._socket is not None
        await self._socket.send(encode(message), text=True)

    def _acknowledged(self, ack: o.Ack) -> None:
        self._ledger.answer(self.key, ack)
        self._pending.pop(ack.id, None)
        if ack.id not in self._done:
            self._done = [*self._done[1 - RETRIED :], ack.id]

    async def _see(self, shot: o.Snapshot) -> bool:
        last = self.last
        if last is not None:
            assert (shot.epoch, shot.version) > (last.epoch, last.version)
            assert shot.step >= last.step
        self.last = shot
        self._ledger.see(shot)
        if shot.phase == "over" and shot.game >= self._ledger.last:
            return not self._pending
        await self._act(shot)
        return False

    async def _act(self, shot: o.Snapshot) -> None:
        seat, answer = shot.you.seat, self._player.receive(shot)
        if seat is None:
            return
        if answer is not None:
            await self._ask("play", shot.step, answer)
        elif shot.phase == "opening" and seat in shot.deal.to_open:
            committed = shot.deal.nonce_hashes["ABCDE".index(seat)]
            assert committed is not None
            await self._ask(
                "open", shot.game, i.Open(nonce=self._ledger.committed[committed].hex())
            )
        elif shot.phase == "over" and ("rematch", shot.game) not in self._once:
            await self._ask("rematch", shot.game, i.Rematch(nonce_hash=self.commitment()))
        if shot.phase == "lobby" and shot.you.host:
            for number in range(self.bots):
                await self._ask("bot", number, i.AddBot(level="novice"))
        if shot.phase in {"lobby", "over"} and shot.you.host:
            seats = shot.seats[: shot.options.seats]
            if all(it.name is not None and it.ready for it in seats):
                await self._ask("start", shot.step, i.Start())
        if self._chance.random() < TALKS:
            self._spoken += 1
            text = f"{self.name} says {self._spoken}"
            await self._ask("chat", self._spoken, i.Chat(text=text))

    async def _ask(self, what: str, about: int, message: i.Inside) -> None:
        """Send an action once, under an id of its own; only a resume sends it again."""
        if (what, about) in self._once:
            return
        self._once.add((what, about))
        self._count += 1
        name = f"{what} {self._count}"
        asked: Any = type(message)(
            id=name, **{it: getattr(message, it) for it in message.__struct_fields__ if it != "id"}
        )
        self._pending[name] = self._ledger.asked[self.key, name] = asked
        await self._say(asked)

    def commitment(self) -> str:
        """Make a nonce and note it before anybody hears its hash."""
        nonce = self._chance.randbytes(SECRET_BYTES)
        self._ledger.committed[nonce_hash(nonce)] = nonce
        return nonce_hash(nonce)


class Passer:
    """Opens rooms and closes them again, one after the other, through every crash."""

    def __init__(self, nursery: Nursery, heard: Callable[[], None]) -> None:
        self.enough = False
        self.gone: list[str] = []  # closed, as it was told
        self._nursery = nursery
        self._heard = heard

    async def live(self) -> None:
        token = secrets.token_hex(16)
        while not self.enough:
            life = self._nursery.life
            try:
                if self.gone:
                    await self._look_back()
                while not self.enough:
                    await self._pass(token)
                    token = secrets.token_hex(16)
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
                await self._nursery.next_life(life)

    async def _pass(self, token: str) -> None:
        """Open a room, or find the one that this token opened before, and close it."""
        async with connect(self._nursery.url, compression=None) as socket:
            create = i.Create(protocol=1, token=token, name="Pip", kind="bot")
            await socket.send(encode(create), text=True)
            code = ""
            while True:
                match decode_outbound(await socket.recv(decode=False)):
                    case o.Welcome(room=room):
                        assert room not in self.gone[-1:]  # of thousands, one may come again
                        code = room
                        await socket.send(encode(i.Close(id="close")), text=True)
                    case o.Ack() | o.Bye(code="closed"):
                        self.gone.append(code)
                        self._heard()
                        return
                    case o.Error(code="unavailable") if self._nursery.point == DISK_FAILS:
                        pass
                    case o.Error() as error:
                        raise AssertionError(error)
                    case _:
                        pass

    async def _look_back(self) -> None:
        """What was closed is closed."""
        async with connect(f"{self._nursery.url}/r/{self.gone[-1]}", compression=None) as socket:
            join = i.Join(protocol=1, token=secrets.token_hex(16), name="Pip", kind="bot")
            await socket.recv()
            await socket.send(encode(join), text=True)
            answer = decode_outbound(await socket.recv(decode=False))
            assert isinstance(answer, o.Error)
            assert answer.code == "no_such_room"


async def nursery(log: IO[bytes], *args: str) -> Nursery:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(FIXTURE),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=log,
    )
    return Nursery(process, *args)
