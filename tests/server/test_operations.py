"""The real server as those see it who run it: stopping, numbers, logs, health."""

import asyncio
import json
import os
import secrets
import signal
import socket
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import ClientConnection, connect

from nana_server.config import Config
from nana_server.house import Server
from nana_server.sqlite.orders import Full
from server.program import PATIENCE, Running, running

UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
TOKEN: Final = secrets.token_hex(16)
WORDS: Final = "a word that nobody else says"


async def say(client: ClientConnection, kind: str, **fields: Any) -> None:
    await client.send(json.dumps({"type": kind, **fields}))


async def until(client: ClientConnection, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while (message := json.loads(await client.recv()))["type"] != kind:
            pass
    return dict(message)


async def open_room(client: ClientConnection) -> str:
    await say(client, "create", protocol=1, token=TOKEN, name="Annabella", options={"seats": 2})
    return str((await until(client, "welcome"))["room"])


def numbers(server: Running) -> dict[str, float]:
    status, text = server.ask("/metrics")
    assert status == 200
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_stop_says_when_to_come_back(tmp_path: Path) -> None:
    """`bye restart` carries the downtime that is expected; the exit code is 0."""
    with running(tmp_path, "--restart-after", "7m") as server:
        async with connect(f"ws://127.0.0.1:{server.port}/") as client:
            await open_room(client)
            server.process.send_signal(signal.SIGTERM)
            bye = await until(client, "bye")
            assert (bye["code"], bye["retry"], bye["after_ms"]) == ("restart", "after_ms", 420_000)
            await client.wait_closed()
            assert client.close_code == 1001
        assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
    assert " nana.server: stopped\n" in server.log.read_text()


def mute(server: Running) -> socket.socket:
    """Connect as somebody who never answers a closing handshake."""
    client = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    client.sendall(UPGRADE)
    assert client.recv(12) == b"HTTP/1.1 101"
    return client


def test_a_stop_waits_for_nobody_for_long(tmp_path: Path) -> None:
    """Who does not say goodbye is cut after --stop-timeout."""
    with running(tmp_path, "--stop-timeout", "1") as server, mute(server):
        assert server.stop() == 0


def test_the_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """Whoever insists need not wait; the exit code tells the signal."""
    with running(tmp_path, "--stop-timeout", "999") as server, mute(server) as client:
        server.process.send_signal(signal.SIGTERM)
        while client.recv(4096):  # our goodbye has come: it is stopping
            if server.log.read_text().endswith("stopping\n"):
                break
        assert server.process.poll() is None
        assert server.stop(signal.SIGINT) == 128 + signal.SIGINT


def test_a_hang_up_without_a_certificate_is_nothing(tmp_path: Path) -> None:
    """A reload of a service that has nothing to reload keeps it running."""
    with running(tmp_path) as server:
        server.process.send_signal(signal.SIGHUP)
        assert server.ask("/healthz")[0] == 200
        assert server.stop() == 0
    assert "there is no certificate to read again" in server.log.read_text()


async def test_numbers_of_a_served_game(tmp_path: Path) -> None:
    """Sockets, messages, rooms and the journal's commits, read over HTTP while they are there."""
    with running(tmp_path, "--data", str(tmp_path / "data")) as server:
        async with connect(f"ws://127.0.0.1:{server.port}/") as client:
            await open_room(client)
            await say(client, "chat", text="hello", id="1")
            await until(client, "ack")
            found = numbers(server)
            assert found["nana_websockets"] == 1
            assert found["nana_sockets"] == 2  # and the one that asks
            assert found["nana_messages_received_total"] == 2
            assert found["nana_messages_sent_total"] >= 4
            assert found["nana_rooms lobby"] == found["nana_ready"] == 1
            assert found["nana_actions_total chat"] == 1
            assert found["nana_journal_commit_seconds_count"] == 2
            assert found["nana_journal_batch_entries_sum"] == 2
            assert found["nana_journal_commit_seconds_sum"] > 0
            assert found["nana_faults_total"] == 0
        while numbers(server)["nana_websockets"]:
            pass
        assert numbers(server)["nana_http_requests_total"] >= 3
        assert server.stop() == 0


@pytest.mark.parametrize("form", ["json", "human"])
async def test_the_log_holds_no_secrets(form: str, tmp_path: Path) -> None:
    """At its most talkative: no token, password, name or chat; JSON is an object on each line."""
    options = ["--log-level", "debug", "--log-format", form, "--data", str(tmp_path / "data")]
    with running(tmp_path, *options, NANA_PASSWORD="tanuki-tea") as server:
        async with connect(f"ws://127.0.0.1:{server.port}/") as client:
            for password in ("wrong-tea", "tanuki-tea"):
                await say(
                    client, "create", protocol=1, token=TOKEN, name="Annabella", password=password
                )
            await until(client, "welcome")
            await say(client, "chat", text=WORDS)
            await until(client, "chat")
            await say(client, "nonsense", token=TOKEN, text=WORDS)
            await until(client, "error")
        server.ask(f"/r/{TOKEN[:16]}?token={TOKEN}", f"Cookie: {TOKEN}")
        with socket.create_connection(("127.0.0.1", server.port)) as stranger:
            stranger.sendall(f"{TOKEN}\r\n\x1b[31m{WORDS}\r\n\r\n".encode())
            stranger.recv(100)
        assert server.stop() == 0
    text = server.log.read_text()
    assert "created" in text
    for word in (TOKEN[:16], "tanuki-tea", "wrong-tea", "Annabella", WORDS, "\x1b", "Traceback"):
        assert word not in text
    if form == "json":
        lines = [msgspec.json.decode(line) for line in text.splitlines()]
        assert all(set(line) == {"time", "level", "logger", "message"} for line in lines)


async def test_health_is_the_journals_and_the_servers(tmp_path: Path) -> None:
    """Ready while games can go on; live whatever happens."""
    server = Server(
        Config(data=tmp_path, port=0),
        asyncio.get_running_loop(),
        clock=lambda: 0,
        entropy=os.urandom,
    )
    assert server._status() == "ok"
    assert server._lasting is not None
    well = server._lasting.health
    server._lasting.health = Full("There is no space.")
    assert server._status() == "read_only"
    server._lasting.health = well
    server.is_broken = True
    assert server._status() == "broken"
    server.is_broken = False
    await server.start()
    await server.stop()
    assert server._status() == "stopping"


def test_a_wrong_configuration_does_not_serve(tmp_path: Path) -> None:
    """What is not understood keeps it from starting, with code 2, before anything is opened."""
    with pytest.raises(pytest.fail.Exception, match="NANA_PORTS is no option"):
        Running(tmp_path / "log", ["--data", str(tmp_path / "data")], {"NANA_PORTS": "1"})
    assert not (tmp_path / "data").exists()


async def test_a_server_with_a_folder_keeps_records(tmp_path: Path) -> None:
    """A game that ended is a file in the data folder; without a folder there is none."""
    data = tmp_path / "data"
    with running(tmp_path, "--data", str(data)) as server:
        async with connect(f"ws://127.0.0.1:{server.port}/") as client:
            room = await open_room(client)
            await say(client, "add_bot", level="novice")
            await say(client, "start")
            await say(client, "end")
            while (await until(client, "snapshot"))["phase"] != "over":
                pass
        assert server.stop() == 0
    assert [file.name for file in (data / "records").iterdir()] == [f"{room}-1.json"]
