"""The admin socket of the real server: who may ask, what is answered, and who cannot do harm."""

import asyncio
import contextlib
import json
import logging
import os
import re
import select
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest

from nana_core.deck import Deal, deal_out, full_deck
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.admin import clerk as clerks
from nana_server.admin import command, wire
from nana_server.admin import socket as sockets
from nana_server.admin.clerk import Clerk
from nana_server.admin.socket import AdminSocket
from nana_server.admin.wire import LINE_MOST, SOCKET, Close, Rooms, written
from nana_server.herald import Herald
from nana_server.room import decide
from nana_server.room.room import Room
from server.secret_worlds import World, redealt
from server.test_server_process import PATIENCE, Program, a_table, guests

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "AF_UNIX"), reason="this system has no sockets of that kind"
)


@contextlib.contextmanager
def serving(folder: Path, *args: str) -> Iterator[Program]:
    """Run a server with `folder`/data, and its log in `folder`/log."""
    with (folder / "log").open("ab") as log:
        own = Program(log, "--data", str(folder / "data"), *args)
        try:
            yield own
        finally:
            own.end()


def admin(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "nana_server", "admin", *args]
    return subprocess.run(
        words, env={**os.environ, **env}, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip


def done(folder: Path, *args: str) -> str:
    """Ask for what must be done; return what is printed."""
    run = admin("--data", str(folder / "data"), *args)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def refused(folder: Path, *args: str, code: int = 1) -> str:
    """Ask for what must not be done; return the one sentence why."""
    run = admin("--data", str(folder / "data"), *args)
    assert (run.returncode, run.stdout) == (code, "")
    assert run.stderr.startswith("nana-server: ")
    assert run.stderr.count("\n") == 1
    return run.stderr


def test_only_its_owner_can_open_it(tmp_path: Path) -> None:
    """In a folder that everybody may enter, too, and whatever the umask is."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o777)
    old = os.umask(0)
    try:
        with serving(tmp_path) as own:
            mode = (tmp_path / "data" / SOCKET).stat().st_mode
            assert stat.S_ISSOCK(mode)
            assert stat.S_IMODE(mode) == 0o600
            assert own.stop() == 0
    finally:
        os.umask(old)
    assert not (tmp_path / "data" / SOCKET).exists()


async def test_rooms_are_listed_from_outside(tmp_path: Path) -> None:
    """Awake and at rest, for people and for programs; no name and no token is told."""
    with serving(tmp_path) as own:
        async with a_table(own, 2, others=1) as table:
            await table[0].say(i.AddBot(level="novice"))
            await table[0].say(i.Start())
            await table[1].until(o.Snapshot, phase="opening")
            code = (await asyncio.to_thread(listed, tmp_path))[0]["room"]
            text = await asyncio.to_thread(done, tmp_path, "rooms")
            assert text.splitlines()[0].split("  ")[0] == "ROOM"
            assert re.search(rf"^{code}  opening  2/2    2     1      -$", text, re.MULTILINE)
            assert text.endswith("1 room awake, 0 at rest.\n")
            (room,) = await asyncio.to_thread(listed, tmp_path, "--all")
            assert room == {
                "room": code, "phase": "opening", "seats": 2, "taken": 2, "connected": 2,
                "watching": 1, "idle": None,
            }  # fmt: skip
            for guest in table:
                assert guest.name not in text
                assert guest.token not in text
        assert own.stop() == 0
    with serving(tmp_path):
        assert done(tmp_path, "rooms") == "0 rooms awake, 1 at rest.\n"
        (room,) = await asyncio.to_thread(listed, tmp_path, "--all")
        assert (room["room"], room["phase"]) == (code, "resting")
        assert 0 <= room["idle"] < 60
        assert room["taken"] is None


def listed(folder: Path, *args: str) -> Any:
    answer = json.loads(done(folder, "rooms", "--json", *args))
    assert answer["ok"] is True
    assert answer["code"] == "done"
    return answer["rooms"]


async def test_a_room_is_closed_for_everybody(tmp_path: Path) -> None:
    """Whoever is there is told, and it does not come back; one at rest is closed, too."""
    with serving(tmp_path) as own:
        async with a_table(own, 2) as table, guests(own, 1) as (other,):
            code = (await asyncio.to_thread(listed, tmp_path))[0]["room"]
            resting = (await other.enter(i.Create)).room
            text = await asyncio.to_thread(done, tmp_path, "close", code.lower())
            assert text == f"Room {code} is closed.\n"
            for guest in table:
                bye = await guest.until(o.Bye)
                assert (bye.code, bye.retry) == ("closed", "never")
                assert bye.text == "Whoever runs this server has closed this room."
            why = await asyncio.to_thread(refused, tmp_path, "close", code)
            assert why == f"nana-server: There is no room {code}.\n"
        assert own.stop() == 0
    with serving(tmp_path):
        assert [room["room"] for room in listed(tmp_path, "--all")] == [resting]
        assert done(tmp_path, "close", resting) == f"Room {resting} is closed.\n"
        assert listed(tmp_path, "--all") == []


async def test_an_announcement_reaches_everybody(tmp_path: Path) -> None:
    """In every room, seated or watching; text that is not clean is refused with the reason."""
    with serving(tmp_path) as own:
        async with a_table(own, 2, others=1) as table, a_table(own, 2) as more:
            text = await asyncio.to_thread(done, tmp_path, "announce", "Nana at ten? 猫")
            assert text == "Told 5 people in 2 rooms.\n"
            for guest in (*table, *more):
                notice = await guest.until(o.Notice, code="announcement")
                assert notice.text == "From the server: Nana at ten? 猫"
                assert (notice.seat, notice.name) == (None, None)
            for dirty in ("", "two\nlines", "\x1b[2J", "x" * 201, "\u202etxet"):
                why = await asyncio.to_thread(refused, tmp_path, "announce", dirty)
                assert why.startswith("nana-server: Nothing was announced: it ")
    assert "Nana at ten" not in (tmp_path / "log").read_text()


async def test_a_backup_is_made_once_and_for_its_owner(tmp_path: Path) -> None:
    """It overwrites nothing, says what is wrong, and is where this command was run."""
    with serving(tmp_path) as own:
        async with a_table(own, 2):
            copy = tmp_path / "my copy.db"
            text = await asyncio.to_thread(done, tmp_path, "backup", str(copy))
            assert text == f"The backup is in {copy}.\n"
            assert stat.S_IMODE(copy.stat().st_mode) == 0o600
            before = copy.read_bytes()
            why = await asyncio.to_thread(refused, tmp_path, "backup", str(copy))
            assert why.endswith(f"{copy}: it exists, and nothing is overwritten.\n")
            assert copy.read_bytes() == before
            nowhere = tmp_path / "no" / "copy"
            why = await asyncio.to_thread(refused, tmp_path, "backup", str(nowhere))
            assert why.endswith(f"{nowhere.parent}: No such file or directory.\n")
            why = await asyncio.to_thread(refused, tmp_path, "backup", str(tmp_path / ("x" * 300)))
            assert why.endswith("File name too long.\n")
    assert names_in(tmp_path) == ["data", "log", "my copy.db"]


def names_in(folder: Path) -> list[str]:
    return sorted(it.name for it in folder.iterdir())


# Which server is asked.


def test_the_folder_is_found_as_the_server_finds_it(tmp_path: Path) -> None:
    """A flag comes before the environment, that before the file; else it is a wrong command."""
    file, folder, elsewhere = tmp_path / "nana.toml", tmp_path / "data", tmp_path / "elsewhere"
    file.write_text(f'data = "{folder}"\nport = 1\n')
    with serving(tmp_path):
        for run in (
            admin("rooms", "--data", str(folder), NANA_DATA=str(elsewhere)),
            admin("rooms", NANA_DATA=str(folder)),
            admin("--config", str(file), "rooms"),
            admin("rooms", NANA_CONFIG=str(file)),
        ):
            assert (run.returncode, run.stdout) == (0, "0 rooms awake, 0 at rest.\n")
        run = admin("rooms", "--config", str(file), NANA_DATA=str(elsewhere))
        assert run.returncode == 1
        assert str(elsewhere) in run.stderr
    for args in (("rooms",), ("rooms", "--config", "none.toml"), (), ("tea",), ("close",)):
        run = admin(*args)
        assert (run.returncode, run.stdout) == (2, "")
        assert "error:" in run.stderr
        assert "Traceback" not in run.stderr


def test_no_server_is_a_sentence(tmp_path: Path) -> None:
    """Never started, stopped, or killed so that its socket still lies there; also as JSON."""
    assert "No server runs with the data folder" in refused(tmp_path, "rooms")
    with serving(tmp_path) as own:
        own.stop(signal.SIGKILL)
    assert (tmp_path / "data" / SOCKET).exists()
    assert "No server runs with the data folder" in refused(tmp_path, "rooms")
    run = admin("--json", "rooms", "--data", str(tmp_path))
    answer = json.loads(run.stdout)
    assert (run.returncode, run.stderr) == (1, "")
    assert (answer["ok"], answer["code"]) == (False, "no_server")


def test_the_socket_of_a_killed_server_is_replaced(tmp_path: Path) -> None:
    """The next server takes its place; a server that must not start leaves a living one alone."""
    with serving(tmp_path) as own:
        own.stop(signal.SIGKILL)
    with serving(tmp_path):
        assert done(tmp_path, "rooms") == "0 rooms awake, 0 at rest.\n"
        command = [sys.executable, "-m", "nana_server", "--port", "0", "--data"]
        second = subprocess.run(
            [*command, str(tmp_path / "data")], capture_output=True, text=True, check=False
        )
        assert "Another nana server" in second.stderr
        assert done(tmp_path, "rooms") == "0 rooms awake, 0 at rest.\n"


def test_what_is_no_socket_stays(tmp_path: Path) -> None:
    """A file of that name is somebody's: the server runs without a socket, and says so."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / SOCKET).write_text("mine")
    with serving(tmp_path) as own:
        assert own.ask("/healthz")[0].startswith("HTTP/1.1 200 ")
        assert own.stop() == 0
    assert (tmp_path / "data" / SOCKET).read_text() == "mine"
    assert "there is no admin socket: " in (tmp_path / "log").read_text()


def test_a_path_that_is_too_long_costs_the_socket_only(tmp_path: Path) -> None:
    """The server runs and plays; its log and the command say why it cannot be asked."""
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    with serving(deep) as own:
        assert own.ask("/healthz")[0].startswith("HTTP/1.1 200 ")
        assert "cannot be reached: AF_UNIX path too long" in refused(deep, "rooms")
        assert own.stop() == 0
    assert "admin.sock: AF_UNIX path too long" in (deep / "log").read_text()


async def test_a_system_without_such_sockets_has_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """There the server runs without, and the command says so."""
    monkeypatch.setattr(sys, "platform", "win32")
    caplog.set_level(logging.INFO)
    unused: Any = None
    admin_socket = AdminSocket(tmp_path / SOCKET, unused)
    await admin_socket.open()
    await admin_socket.close()
    assert "there is no admin socket: this system has none of that kind" in caplog.text
    with pytest.raises(command.NoServer, match=r"no sockets of the kind"):
        command.ask(tmp_path, Rooms())


# Peers that mean no good.


HOSTILE: Final = [
    pytest.param(b"\n", id="an empty line"),
    pytest.param(b"hello\n", id="no JSON"),
    pytest.param(b"\xff\xfe\x00\n", id="no text"),
    pytest.param(b'{"do":"rooms","all":"yes"}\n', id="a wrong type"),
    pytest.param(b'{"do":"rooms","cards":true}\n', id="an unknown field"),
    pytest.param(b'{"do":"stop"}\n', id="an unknown command"),
    pytest.param(b'{"do":"close","room":7}\n', id="a room that is a number"),
    pytest.param(b'{"do":"close","room":"../../x"}\n', id="a room that is a path"),
    pytest.param(b'{"do":"backup","path":"relative"}\n', id="a relative path"),
    pytest.param(b'{"do":"backup","path":"/tmp/a\\u0000b"}\n', id="a path with a NUL"),
    pytest.param(b'{"do":"backup","path":"/"}\n', id="the root"),
    pytest.param(b'{"x":' + b"[" * 9000 + b"\n", id="deep"),
    pytest.param(b"x" * (LINE_MOST * 4) + b"\n", id="a huge line"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run one server for all who ask nonsense; it has met no bug when it stops."""
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as own:
        yield folder
        assert "nana_faults_total 0.0" in own.ask("/metrics")[1]
        assert own.stop() == 0
    assert "unexpected" not in (folder / "log").read_text()


def peer(folder: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.settimeout(PATIENCE)
    made.connect(str(folder / "data" / SOCKET))
    return made


def answer_to(folder: Path, line: bytes) -> Any:
    with peer(folder) as asking:
        with contextlib.suppress(BrokenPipeError):  # it was cut off in the middle of its line
            asking.sendall(line)
        with asking.makefile("rb") as stream:
            return json.loads(stream.readline())


@pytest.mark.parametrize("line", HOSTILE)
def test_nonsense_is_refused_in_one_line(server: Path, line: bytes) -> None:
    """Whatever is sent, there is an answer, and the next one who asks is served."""
    answer = answer_to(server, line)
    assert (answer["ok"], answer["code"]) == (False, "bad_request")
    assert done(server, "rooms").endswith("at rest.\n")


def test_a_connection_is_one_request(server: Path) -> None:
    """What is sent behind it is not read."""
    with peer(server) as asking:
        asking.sendall(written(Rooms()) + written(Close("ABCDE")))
        with asking.makefile("rb") as stream, contextlib.suppress(ConnectionResetError):
            lines = [stream.readline()]
            lines += stream.readlines()
    assert len(lines) == 1


async def test_crowds_of_mute_peers_disturb_no_game(tmp_path: Path) -> None:
    """Half lines and silence: those past the limit are told, the game goes on, and it stops."""
    with serving(tmp_path) as own, contextlib.ExitStack() as stack:
        mute = [stack.enter_context(peer(tmp_path)) for _ in range(sockets.CONNECTIONS_MOST)]
        for each in mute:
            each.sendall(b'{"do":"ro')
        busy = await asyncio.to_thread(refused, tmp_path, "rooms")
        assert busy == "nana-server: Too many ask at once. Try again.\n"
        async with a_table(own, 2) as table:
            await table[0].say(i.Start())
            last = await asyncio.gather(*(guest.play(n) for n, guest in enumerate(table)))
            assert last[0].result is not None
        for each in mute[:2]:
            each.sendall(b'oms"}\n')
            assert json.loads(each.recv(4096))["ok"] is True
        assert await asyncio.to_thread(own.stop) == 0
        assert mute[-1].recv(1) == b""
    assert "unexpected" not in (tmp_path / "log").read_text()


async def test_who_says_or_reads_nothing_is_cut(tmp_path: Path) -> None:
    """After the patience of the socket, which is short here."""
    asked: list[object] = []

    async def do(request: object) -> Any:
        asked.append(request)
        return wire.done("x" * 4_000_000)

    own = AdminSocket(tmp_path / SOCKET, do, patience=0.05)
    await own.open()
    for line in (b"", b'{"do":', written(Rooms())):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as mute:
            mute.connect(str(tmp_path / SOCKET))
            mute.sendall(line)
            end = select.poll()
            end.register(mute, 0)
            assert await asyncio.to_thread(end.poll, PATIENCE * 1000)
    assert asked == [Rooms()]
    await own.close()
    assert not (tmp_path / SOCKET).exists()


async def test_a_stop_answers_what_is_under_way(tmp_path: Path) -> None:
    """A backup that the end of the server cuts off is a refusal; no half of it stays."""
    with serving(tmp_path) as own:
        async with a_table(own, 2):
            asking = [
                asyncio.create_task(asyncio.to_thread(answer_to, tmp_path, _backup(tmp_path, n)))
                for n in range(8)
            ]
            await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
            assert await asyncio.to_thread(own.stop) == 0
            answers = await asyncio.gather(*asking, return_exceptions=True)
    made = [Path(it["path"]).name for it in answers if isinstance(it, dict) and it["ok"]]
    assert made
    assert names_in(tmp_path) == [*sorted(made), "data", "log"]


def _backup(folder: Path, number: int) -> bytes:
    return msgspec.json.encode({"do": "backup", "path": f"{folder}/copy{number}"}) + b"\n"


# Secrecy.


def worlds(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, World]]:
    """Yield pairs of games that differ only in cards that nobody has seen."""
    for seed in range(6):
        chance = Random(f"admin/{seed}")
        deck = full_deck(3)
        chance.shuffle(deck)
        deal = deal_out(deck, 3, chance.randrange(3))

        def play(dealt: Deal, model: World | None = None, seed: int = seed) -> World:
            monkeypatch.setattr(decide, "fair_deal", lambda *_: dealt)
            return World(seed, dealt, 2, model)

        model = play(deal)
        one = play(deal, model)
        other = redealt(one, None, chance)
        if other != deal:
            yield one, play(other, model)


async def told_of(world: World) -> list[bytes]:
    """Gather all that the socket says of a world, and what is logged meanwhile."""
    home = world.home
    herald = Herald(asyncio.get_running_loop(), lambda: home.lobby)
    unused: Any = None
    clerk = Clerk(home.lobby, unused, herald, lambda: home.now)
    told = [written(await clerk.do(Rooms(all=True)))]
    closing = asyncio.create_task(clerk.do(Close(world.room.code)))
    while not closing.done():
        await asyncio.sleep(0)
        home.settle()
    return [*told, written(closing.result()), written(await clerk.do(Rooms()))]


async def test_nothing_hidden_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Two games that differ only in hidden cards have the same answers, to the byte."""
    compared = 0
    for one, other in worlds(monkeypatch):
        caplog.clear()
        first = [*await told_of(one), caplog.text]
        caplog.clear()
        assert [*await told_of(other), caplog.text] == first
        compared += 1
    assert compared > 2


async def test_a_planted_leak_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a line told of a hidden card, the test above would fail."""
    honest: Callable[[Room, int], Any] = clerks._awake

    def leaking(room: Room, now: int) -> Any:
        deal = room.state.deal
        assert deal is not None
        return msgspec.structs.replace(honest(room, now), idle=hash(deal.center) % 1000)

    monkeypatch.setattr(clerks, "_awake", leaking)
    differ = [await told_of(a) != await told_of(b) for a, b in worlds(monkeypatch)]
    assert any(differ)
