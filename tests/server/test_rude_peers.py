"""Peers that stop reading or flood, at the real server: they are cut, and nobody else notices."""

import asyncio
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest
from websockets.exceptions import ConnectionClosed

from nana_bots.mind import LEVELS, Player
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.codec import encode
from server.test_server_process import Guest, a_table, program

UPGRADE: Final = (
    "GET {path} HTTP/1.1\r\nHost: nana.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PING: Final = b"\x89\xfd\0\0\0\0" + b"!" * 125
SOME: Final = 10_000_000  # bytes that a flood may cost
SOCKETS: Final = 20


def knock(port: int, path: str, window: int) -> socket.socket:
    """Open a WebSocket by hand, with a window so small that it is soon full."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    plain.settimeout(30)
    plain.connect(("127.0.0.1", port))
    plain.sendall(UPGRADE.format(path=path).encode())
    assert plain.recv(12) == b"HTTP/1.1 101"
    return plain


def framed(message: i.Inbound) -> bytes:
    payload = encode(message)
    assert 125 < len(payload) < 65_536
    return b"\x81\xfe" + len(payload).to_bytes(2, "big") + b"\0\0\0\0" + payload


async def test_a_peer_that_stops_reading_is_cut() -> None:
    """Two play game after game beside a watcher who reads nothing: it is cut, they play on."""
    with program() as server:
        async with a_table(server, 2) as table:
            welcome = table[0].got[1]
            assert isinstance(welcome, o.Welcome)
            with knock(server.port, f"/r/{welcome.room}", 2048) as mute:
                mute.sendall(framed(i.Watch(protocol=1, token="5" * 32, name="Mute", id="m" * 36)))
                await table[0].until(o.Snapshot, watching=("Mute",))
                await table[0].say(i.Start())
                games = await asyncio.gather(*(evening(it) for it in table))
            assert games[0] == games[1]
            shots = [it for it in table[0].got if isinstance(it, o.Snapshot)]
            assert all(seat.online for it in shots if it.game > 1 for seat in it.seats[:2])


async def evening(guest: Guest) -> int:
    """Play long games until one is over that nobody watches any more; then close the room."""
    player, asked, game = Player(LEVELS["random"](Random(guest.name))), set[object](), 0

    async def once(message: i.Inbound, *about: object) -> None:
        if about not in asked:
            asked.add(about)
            with suppress(ConnectionClosed):  # the host may have closed the room: its bye is next
                await guest.say(message)

    while True:
        shot = await guest.next()
        if isinstance(shot, o.Bye):
            assert shot.code == "closed"
            return game
        assert not isinstance(shot, o.Error)
        if not isinstance(shot, o.Snapshot):
            continue
        if shot.you.seat in shot.deal.to_open and shot.phase == "opening":
            await once(i.Open(nonce=guest.nonce.hex()), "open", shot.game)
        elif shot.phase == "over":
            game = shot.game
            await once(i.Rematch(), "rematch", game)
            if shot.you.host and not shot.watching:
                await once(i.Close(), "close")
            elif shot.you.host and all(seat.ready for seat in shot.seats[:2]):
                await once(i.Start(), "start", game)
        elif (answer := player.receive(shot)) is not None:
            await once(answer, "play", answer.step)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_a_ping_flood_before_login_costs_no_memory() -> None:
    """Twenty flood and read nothing: each is cut, memory stays, and an honest guest comes in."""
    with program() as server:
        async with a_table(server, 2):
            before = memory_of(server.process.pid)
            floods = [
                asyncio.to_thread(flood, knock(server.port, "/", 2048)) for _ in range(SOCKETS)
            ]
            flooding = asyncio.gather(*floods)
            async with a_table(server, 2):
                cut = await flooding
            assert all(cut)
            assert memory_of(server.process.pid) - before < SOME


def flood(plain: socket.socket) -> bool:
    """Send pings and read no pong until the connection breaks; tell whether it did."""
    with plain, suppress(ConnectionError):
        for _ in range(20_000):
            plain.sendall(PING * 8)
        return False
    return True


def memory_of(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
