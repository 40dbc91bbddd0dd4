"""The data folder of the real server: whose it is, and what happens when its disk is not well."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from nana_bots.mind import LEVELS, Player
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.config import Config
from nana_server.desk import key_of
from nana_server.house import Server
from nana_server.room import events as e
from nana_server.room.events import JOURNAL_FORMAT
from nana_server.sqlite.opening import NAME
from nana_server.sqlite.store import Store
from server.crashing import DISK_FAILS
from server.lasting_house import creator_of
from server.test_crash import servers
from server.test_server_process import (
    Guest,
    Program,
    a_table,
    check_one_truth,
    guests,
    program,
    run,
)

TMPFS_BYTES: Final = 4_000_000
SOME_BYTES: Final = 250_000  # for some dozen entries
STEPS: Final = 60


def refused(folder: Path) -> str:
    """Start a server that must not start; return the one sentence why."""
    done = run("--port", "0", "--data", str(folder))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("nana-server: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


async def test_a_second_server_is_refused(tmp_path: Path) -> None:
    """One sentence and exit code 1; the first one's games do not notice."""
    with program("--data", str(tmp_path)) as own:
        async with a_table(own, 2) as table:
            assert "Another nana server" in await asyncio.to_thread(refused, tmp_path)
            await table[0].say(i.Start())
            last = await asyncio.gather(*(guest.play(n) for n, guest in enumerate(table)))
            assert last[0].result is not None
        assert own.stop() == 0


def test_a_newer_journal_is_left_as_it_is(tmp_path: Path) -> None:
    """One sentence and exit code 1, and not a byte is touched."""
    Store(tmp_path, JOURNAL_FORMAT + 1, creator_of).close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert "newer version" in refused(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


async def test_a_stopped_server_has_everything_in_one_file(tmp_path: Path) -> None:
    """A second life of it finds the room, and the game goes on from where it was."""
    with program("--data", str(tmp_path)) as own:
        async with a_table(own, 2) as (host, friend):
            code = host.got[1].room if isinstance(host.got[1], o.Welcome) else ""
            await host.say(i.Start())
            await friend.until(o.Snapshot, phase="opening")
            assert await asyncio.to_thread(own.stop, signal.SIGTERM) == 0
    assert not (tmp_path / f"{NAME}-wal").exists()
    with program("--data", str(tmp_path)) as own:
        async with guests(own, 2, f"r/{code}") as table:
            for guest, old in zip(table, (host, friend), strict=True):
                guest.token, guest.nonce = old.token, old.nonce
                await guest.say(i.Resume(protocol=1, token=old.token))
            last = await asyncio.gather(*(guest.play(n) for n, guest in enumerate(table)))
            assert last[0].epoch == 2
            assert last[0].result == last[1].result
            assert last[0].opened is not None
            assert None not in last[0].opened.nonces


async def test_a_broken_disk_is_left_as_it_is(tmp_path: Path) -> None:
    """The server ends with code 1, and what had not reached the file stays in its log."""
    async with servers(tmp_path / "data", tmp_path / "log") as server:
        assert await server.start(DISK_FAILS, 3)
        async with asyncio.timeout(30):
            async with connect(server.url, compression=None) as socket:
                host = Guest(socket, "Ada")
                await host.say(i.Create(protocol=1, token=host.token, name="Ada"))
                await host.until(o.Welcome)
                for number in range(5):
                    await host.say(i.Chat(text=f"{number}", id=f"{number}"))
                assert (await host.until(o.Bye)).code == "restart"
                assert sum(isinstance(it, o.Ack) for it in host.got) < 5
            assert await server.ended() == 1
    assert (tmp_path / "data" / f"{NAME}-wal").stat().st_size > 0
    assert "Games cannot be saved any more" in (tmp_path / "log").read_text()


async def test_a_room_of_another_owner_is_read_anew(tmp_path: Path) -> None:
    """Everybody in it is told to come again, and finds what the other one has kept."""
    loop = asyncio.get_running_loop()
    config = Config(port=0, data=tmp_path)
    server = Server(config, loop, clock=lambda: time.monotonic_ns() // 10**6, entropy=os.urandom)
    url = f"ws://127.0.0.1:{await server.start()}"
    async with asyncio.timeout(30), connect(url, compression=None) as socket:
        host = Guest(socket, "Ada")
        code = (await host.enter(i.Create)).room
        await host.until(o.Snapshot)
        (room,) = server.lobby
        said = e.Entry(0, room.version, (e.Said(key_of(host.token), "from elsewhere"),))
        journal = server.lobby._house.journal
        journal.append(code, room.entries, e.encode_entry(said), lambda _: None)
        await host.say(i.Chat(text="lost", id="lost"))
        assert (await host.until(o.Bye)).code == "restart"
        with pytest.raises(ConnectionClosed):
            await host.next()
        assert not any(isinstance(it, o.Ack) for it in host.got)
        async with connect(f"{url}/r/{code}", compression=None) as again:
            back = Guest(again, "Ada")
            await back.say(i.Resume(protocol=1, token=host.token))
            assert (await back.until(o.ChatLine)).text == "from elsewhere"
            await back.say(i.Chat(text="lost", id="lost"))
            await back.until(o.Ack, id="lost")
    await server.stop()


# No space.


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk that is soon full, where that is allowed."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={TMPFS_BYTES}", "none", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("only root may mount a small disk; the rooms' own test limits the file")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


async def test_a_full_disk_stops_games_until_there_is_space(small_disk: Path) -> None:
    """Whoever acts is told `unavailable`; nothing is shown; with space the game goes on."""
    with program("--data", str(small_disk / "data")) as own:
        async with a_table(own, 2) as table:
            free = os.statvfs(small_disk)
            ballast = small_disk / "ballast"
            ballast.write_bytes(bytes(free.f_bavail * free.f_frsize - SOME_BYTES))
            space = asyncio.Event()
            playing = [asyncio.create_task(insist(guest, space)) for guest in table]
            await table[0].say(i.Start())
            await asyncio.to_thread(until_health, own, "read_only")
            ballast.unlink()
            await asyncio.to_thread(until_health, own, "ok")
            space.set()
            await asyncio.gather(*playing)
            errors = [it.code for guest in table for it in guest.got if isinstance(it, o.Error)]
            assert errors == ["unavailable"]  # one has asked, once
            for guest in table:
                assert "read_only" in [it.code for it in guest.got if isinstance(it, o.Notice)]
                await guest.until(o.Notice, code="saving")
            check_one_truth(table)
        assert own.stop() == 0


def until_health(own: Program, status: str) -> None:
    while f'"{status}"' not in own.ask("/healthz")[1]:
        pass


async def insist(guest: Guest, space: asyncio.Event) -> None:
    """Play at random for so many steps; what there was no space for is asked for again."""
    player, asked = Player(LEVELS["random"](Random(guest.name))), dict[int, i.Inbound]()
    last: i.Inbound | None = None
    while True:
        match await guest.next():
            case o.Error():
                await space.wait()
                assert last is not None
                await guest.say(last)
            case o.Snapshot() as shot:
                if shot.step >= STEPS:
                    return
                answer: i.Inbound | None = player.receive(shot)
                about = shot.step
                if shot.phase == "opening" and shot.you.seat in shot.deal.to_open:
                    answer, about = i.Open(nonce=guest.nonce.hex()), -1
                if answer is not None and asked.setdefault(about, answer) is answer:
                    last = answer
                    await guest.say(answer)
            case _:
                pass
