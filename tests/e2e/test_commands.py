"""The commands as a person types them: what they say, when it goes well and when it does not.

Everything that goes wrong is a sentence and an exit code, never a traceback; and
whoever else sits at the table notices nothing of it.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from e2e.programs import (
    Friend,
    Program,
    a_room,
    answers,
    free_port,
    nana,
    program,
    serving,
    silent,
)
from nana_client.address import target_of


def no_fault(said: Program) -> None:
    assert "Traceback" not in said.text
    assert "Error" not in said.text


async def refused(home: Path, *args: str, code: int, **more: str) -> str:
    """Run a command that cannot succeed; return its last line."""
    async with nana(home, *args, **more) as tried:
        assert await tried.ends() == code, tried.text
        no_fault(tried)
        return tried.lines[-1]


@asynccontextmanager
async def a_table(home: Path, seats: int, games: int) -> AsyncIterator[tuple[Program, Friend]]:
    """Have a server, and a friend with a room on it."""
    async with serving(home) as (server, target), a_room(target, seats, games) as friend:
        yield server, friend


# Hosting.


async def test_hosting_says_every_link(tmp_path: Path) -> None:
    """The links are printed, each leads to the room, and the room ends with its host."""
    port = free_port()
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(
            nana(tmp_path / "ann", "host", "--port", str(port), "--name", "Ann")
        )
        link = (await host.until("nana join ")).partition("nana join ")[2]
        room = link.rpartition("/")[2]
        here = target_of("127.0.0.1", port, room).url
        guest = await stack.enter_async_context(nana(tmp_path / "bo", "join", here, "--name", "Bo"))
        await guest.until("Welcome, Bo.")
        await host.until("Bo takes seat B.")
        assert await host.interrupt() == 130
        no_fault(host)
        await guest.until("Trying again")
        assert await guest.interrupt() == 130
        no_fault(guest)
    await silent(port)


async def test_a_killed_host_leaves_no_server_behind(tmp_path: Path) -> None:
    """SIGKILL takes the server along."""
    port = free_port()
    async with nana(tmp_path, "host", "--port", str(port)) as host:
        await host.until("nana join ")
        assert await asyncio.to_thread(answers, port)
        host.process.kill()
        await silent(port)


async def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """Another program's port is named, with what to try."""
    with socket.create_server(("0.0.0.0", 0)) as other:  # noqa: S104 - as hosting does
        port = other.getsockname()[1]
        said = await refused(tmp_path, "host", "--port", str(port), code=1)
        assert said.startswith(f"Port {port} is taken by another program")
        command = (sys.executable, "-m", "nana_server", "--host", "0.0.0.0")  # noqa: S104
        async with program(*command, "--port", str(port), home=tmp_path) as server:
            assert await server.ends() == 1
            no_fault(server)
            assert "Try another --port" in server.text


# Ways that lead nowhere.


@pytest.mark.parametrize("command", ["join", "watch", "bot"])
async def test_no_way_in(command: str, tmp_path: Path) -> None:
    """A wrong code, a bad link, a server that is no nana server, and none at all."""
    async with serving(tmp_path) as (_, server):
        said = await refused(tmp_path, command, server.at("ZZZZZ").url, code=1)
        assert "room" in said
    said = await refused(tmp_path, command, server.at("ZZZZZ").url, code=1)
    told = said.removeprefix("nana: ")
    assert told == f"Nothing answers at 127.0.0.1:{server.port}; is the server running?"
    for link in (
        "ws://",
        "ws://host:0/r/KQ7MX",
        "ftp://host/r/KQ7MX",
        "host/r/!!",
        "ws://host/r/A B",
    ):
        said = await refused(tmp_path, command, link, code=2)
        assert said.startswith("nana: ")
        assert said.endswith("--help")


async def test_a_stranger_at_the_port(tmp_path: Path) -> None:
    """Something that is no nana server is told apart."""

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as mail:
        port = mail.sockets[0].getsockname()[1]
        said = await refused(tmp_path, "join", f"ws://127.0.0.1:{port}/r/KQ7MX", code=1)
    assert "not a nana server" in said


async def test_a_full_room(tmp_path: Path) -> None:
    """Who comes too late is told so, and that watching is possible; it is."""
    async with AsyncExitStack() as stack:
        _, friend = await stack.enter_async_context(a_table(tmp_path, seats=3, games=0))
        link = friend.session.target.url
        for _ in range(2):
            friend.session.add_bot("random")
        await friend.until(lambda shot: all(view.kind != "free" for view in shot.seats))
        said = await refused(tmp_path / "late", "join", link, code=1)
        assert said == "Every seat of this room is taken. You can watch instead."
        late = await stack.enter_async_context(
            nana(tmp_path / "late", "watch", link, "--name", "Eve")
        )
        await late.until("Welcome, Eve.")
        assert await late.interrupt() == 130


async def test_a_password(tmp_path: Path) -> None:
    """Without it there is no way in; with it there is."""
    async with serving(tmp_path, NANA_PASSWORD="open sesame") as (_, server):
        for command in ("join", "watch", "bot"):
            said = await refused(tmp_path / "bo", command, server.at("KQ7MX").url, code=1)
            assert "password" in said.lower()
        more = {"NANA_PASSWORD": "open sesame"}
        said = await refused(tmp_path / "bo", "join", server.at("KQ7MX").url, code=1, **more)
        assert "room" in said


# What others notice.


async def test_a_lost_server(tmp_path: Path) -> None:
    """The server is killed in a game: everybody is told, may wait, and may go."""
    async with AsyncExitStack() as stack:
        server, friend = await stack.enter_async_context(a_table(tmp_path, seats=2, games=1))
        bo = await stack.enter_async_context(
            nana(tmp_path / "bo", "join", friend.session.target.url, "--name", "Bo")
        )
        await bo.until("Game 1 begins, 2 players.")
        server.process.kill()
        await bo.until("Trying again; retry tries at once.")
        bo.type("retry")
        bo.type("leave")
        assert await bo.ends() == 0
        no_fault(bo)


async def test_a_lost_server_of_ones_own(tmp_path: Path) -> None:
    """When the server that `nana play` started dies, that is said once, with its log."""
    async with nana(tmp_path, "play", "--bots", "1") as alone:
        await alone.until("Game 1 begins")
        (server,) = children(alone.process.pid)
        os.kill(server, signal.SIGKILL)
        assert await alone.ends() == 1
        no_fault(alone)
    told = [line for line in alone.lines if "The server stopped by itself" in line]
    assert len(told) == 1
    assert f"its log is {tmp_path}" in told[0]


def children(pid: int) -> list[int]:
    done = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in done.stdout.splitlines()[1:]]
    return [int(child) for child, parent in pairs if int(parent) == pid]


async def test_bad_input_harms_nobody(tmp_path: Path) -> None:
    """Nonsense at every entrance and from a seat is answered; the others read only good words."""
    async with AsyncExitStack() as stack:
        _, friend = await stack.enter_async_context(a_table(tmp_path, seats=4, games=0))
        link = friend.session.target.url
        bo = await stack.enter_async_context(nana(tmp_path / "bo", "join", link, "--name", "Bo"))
        await bo.until("B Bo (you)")
        before = len(bo.lines)
        for name in ("\x1b[2J", "a\u202eb", "x" * 300, " ", "\u200b"):
            await refused(tmp_path / "cy", "join", link, f"--name={name}", code=2)
        for frame in ("null", "[" * 900, '{"type":"join"}', "{}", b"\xff\x00", "\x1b[2J"):
            await a_rude_frame(friend.session.target.url, frame)
        for line in ("dance", "99", "b<", "set seats 9", "say \x1b[31mred", "start", "remove Z"):
            bo.type(line)
        bo.type("say all is well")
        await bo.until("all is well")
        told = [line for line in bo.lines[before:] if "\x1b" in line or "Cy" in line]
        assert told == []
        shot = friend.session.model.snapshot
        assert shot is not None
        assert [view.name for view in shot.seats if view.kind != "free"] == ["Host", "Bo"]
        assert [line.text for line in friend.session.model.lines if line.kind == "chat"] == [
            "all is well"
        ]
        no_fault(bo)


async def a_rude_frame(url: str, frame: str | bytes) -> None:
    """Send something that is no message; it is answered, or the line is closed."""
    async with connect(url, compression=None) as rude:
        await rude.recv()
        await rude.send(frame)
        with suppress(ConnectionClosed):
            assert '"error"' in str(await rude.recv())


async def test_ctrl_c_at_once(tmp_path: Path) -> None:
    """Before, in and after a table Ctrl+C ends it at once, with exit code 130."""
    async with nana(tmp_path) as menu:
        await menu.until("quit")
        assert await menu.interrupt() == 130
        no_fault(menu)
    async with nana(tmp_path, "play", "--bots", "1") as alone:
        await alone.until("Game 1 begins")
        assert await alone.interrupt() == 130
        no_fault(alone)
