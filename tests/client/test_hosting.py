"""The server as a child: it starts, is found, stops with us, and dies with a killed parent."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from nana_client import hosting, neighbourhood
from nana_client.address import parse
from nana_client.hosting import CannotHost
from nana_client.store import Folders, folders


@pytest.fixture
def where(tmp_path: Path) -> Folders:
    return folders({"NANA_HOME": str(tmp_path)})


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


async def answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def test_a_private_server_lives_as_long_as_it_is_used(where: Folders) -> None:
    """It listens on loopback only, in a session of its own, logs to a file, and ends with us."""
    async with await hosting.private(where) as server:
        assert server.started
        assert server.target.host == "127.0.0.1"
        assert await hosting.is_nana(server.target)
        assert server.links("KQ7MX") == (server.target.at("KQ7MX").url,)
        process = server._process
        assert process is not None
        if sys.platform != "win32":
            assert os.getsid(process.pid) != os.getsid(0)
    assert process.returncode == 0
    assert not await answers(server.target.port)
    assert "listening" in (where.state / "play.log").read_text()
    assert (where.state / "play.log").stat().st_mode & 0o777 == 0o600
    await server.stop()


async def test_a_private_server_has_no_password(where: Folders) -> None:
    """NANA_PASSWORD is for friends: a table of one's own does not ask for it."""
    environ = {**os.environ, "NANA_PASSWORD": "pw"}
    assert "NANA_PASSWORD" not in hosting._open(environ)
    assert hosting._open(environ)["PATH"] == os.environ["PATH"]


async def test_a_shared_server_is_found_again(where: Folders) -> None:
    """On its fixed port it answers on every address; a second host uses the one that is there."""
    port = free_port()
    async with await hosting.shared(port, where) as server:
        assert server.started
        assert server.target.url == f"ws://127.0.0.1:{port}/"
        for link in server.links("KQ7MX"):
            target = parse(link)
            assert (target.port, target.room) == (port, "KQ7MX")
            if target.host in neighbourhood.addresses()[:1]:
                assert await hosting.is_nana(target)
        async with await hosting.shared(port, where) as again:
            assert not again.started
            assert again.target == server.target
        assert await hosting.is_nana(server.target)


async def test_a_port_that_is_taken(where: Folders) -> None:
    """Another program on the port is told apart from a nana server, with what to do."""
    with socket.create_server(("0.0.0.0", 0)) as other:  # noqa: S104 - taken on every address
        port = other.getsockname()[1]
        with pytest.raises(CannotHost) as refused:
            await hosting.shared(port, where)
    says = f"Port {port} is taken by another program; choose another one, like: nana host --port"
    assert says in str(refused.value)


async def test_a_server_that_cannot_start(where: Folders) -> None:
    """What the server itself says of its failure is passed on, not what an earlier one said."""
    log = where.state / "host.log"
    log.parent.mkdir(parents=True)
    log.write_text("nana-server: an old complaint.\n")
    with pytest.raises(CannotHost) as refused:
        await hosting._start(["--host", "192.0.2.77", "--port", "0"], log, os.environ)
    assert "cannot listen on 192.0.2.77" in str(refused.value)
    with pytest.raises(CannotHost) as refused:
        await hosting._start(["--version"], log, os.environ)
    assert str(refused.value) == f"The server did not start: its log is {log}."


async def test_a_log_that_cannot_be_written(where: Folders) -> None:
    """A full or foreign disk costs the log, not the game."""
    where.state.write_text("a file where a folder should be")
    async with await hosting.private(where) as server:
        assert await hosting.is_nana(server.target)


async def test_a_child_that_ends_by_itself_is_noticed(where: Folders) -> None:
    """If the server dies under us, that is told in a sentence with its log."""
    async with await hosting.private(where) as server:
        assert server._process is not None
        server._process.kill()
        assert await server.ended() == f"The server stopped by itself; its log is {server.log}."


async def test_a_child_that_was_stopped_here_is_no_news(where: Folders) -> None:
    """Whoever stops the server is not told that it stopped by itself."""
    async with await hosting.private(where) as server:
        ended = asyncio.create_task(server.ended())
        await asyncio.sleep(0)
        await server.stop()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not ended.done()
        ended.cancel()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
async def test_the_child_dies_with_a_killed_parent(tmp_path: Path) -> None:
    """SIGKILL on the client leaves no server behind."""
    code = (
        "import asyncio\nfrom nana_client import hosting\nfrom nana_client.store import folders\n"
        "async def main():\n"
        "    server = await hosting.private(folders())\n"
        "    print(server.target.port, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    environ = {**os.environ, "NANA_HOME": str(tmp_path)}
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code), stdout=subprocess.PIPE, env=environ
    )
    assert parent.stdout is not None
    port = int(await parent.stdout.readline())
    async with connect(f"ws://127.0.0.1:{port}/") as watching:
        await watching.recv()
        parent.kill()
        await parent.wait()
        await watching.wait_closed()
    assert not await answers(port)


def test_addresses_in_their_order() -> None:
    """Private IPv4 first, then public, then IPv6; loopback never, link-local only if alone."""
    found = ["2001:db8::5", "127.0.0.1", "10.0.0.7", "8.8.8.8", "::1", "fe80::1", "10.0.0.7"]
    assert neighbourhood.chosen(found) == ("10.0.0.7", "8.8.8.8", "2001:db8::5")
    assert neighbourhood.chosen(["192.168.1.5", "10.0.0.7"]) == ("192.168.1.5", "10.0.0.7")
    assert neighbourhood.chosen(["127.0.0.1", "169.254.3.4", "fe80::1"]) == ("169.254.3.4",)
    assert neighbourhood.chosen(["127.0.0.1", "::1", "::"]) == ()


def test_links_read_as_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every link leads back through the address reader; without a network there is loopback."""
    for link in neighbourhood.links(8765, "KQ7MX"):
        assert parse(link).url == link
    assert neighbourhood.links(8765, None, "::1") == ("ws://[::1]:8765/",)
    monkeypatch.setattr(neighbourhood, "addresses", lambda: ())
    monkeypatch.setattr(socket, "gethostname", lambda: "localhost")
    assert neighbourhood.links(8765, "KQ7MX", "::") == ("ws://127.0.0.1:8765/r/KQ7MX",)
