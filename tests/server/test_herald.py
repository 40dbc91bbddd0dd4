"""What concerns the whole server is told in every room: announcements, and a full disk."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server import herald as heralds
from nana_server.config import Config
from nana_server.herald import Herald
from nana_server.house import Server
from nana_server.sqlite.orders import WELL, Full
from server.house_fixture import Friend, Home, company
from server.test_server_process import Guest

FULL = Full("There is no space left to save games.")


class Loop:
    """A loop that runs what is due when the test says so."""

    def __init__(self) -> None:
        self.soon: list[Callable[[], object]] = []
        self.later: list[Callable[[], object]] = []

    def call_soon(self, call: Callable[..., object], *args: object) -> None:
        self.soon.append(lambda: call(*args))

    def call_later(self, _: float, call: Callable[[], object]) -> "Loop":
        self.later = [call]
        return self

    def cancel(self) -> None:
        self.later.clear()

    def settle(self) -> None:
        while self.soon:
            self.soon.pop(0)()

    def wait(self) -> None:
        """Let the time pass after which a disk is well for good."""
        due, self.later = self.later, []
        for call in due:
            call()
        self.settle()


def herald_in(home: Home) -> tuple[Herald, Loop]:
    loop: Any = Loop()
    herald = Herald(loop, lambda: home.lobby)
    home.house = msgspec.structs.replace(home.house, trouble=herald.trouble)
    home.lobby._house = home.house
    return herald, loop


def heard(friend: Friend) -> list[str]:
    """Return the codes of the notices that are about the server."""
    codes = [it.code for it in friend.line.all_of(o.Notice)]
    return [code for code in codes if code in {"announcement", "read_only", "saving"}]


def test_everybody_in_every_room_hears_an_announcement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seated or watching, a slice of the rooms at a time; who is not connected does not count."""
    monkeypatch.setattr(heralds, "_ROOMS_AT_ONCE", 2)
    home = Home()
    herald, loop = herald_in(home)
    tables = [company(home, 2) for _ in range(5)]
    fan = Friend(home, "Fan")
    fan.watch(tables[0][0].code)
    tables[4][1].drop()
    assert herald.announce("Back in five minutes.") == (10, 5)
    loop.settle()
    (notice,) = [it for it in fan.line.all_of(o.Notice) if it.code == "announcement"]
    assert notice == o.Notice(
        code="announcement", seat=None, name=None, text="From the server: Back in five minutes."
    )
    assert [heard(it) for table in tables for it in table if it.line.open] == 9 * [["announcement"]]


def test_a_full_disk_is_told_once_and_so_is_its_relief() -> None:
    """However often there is a little space in between; whoever comes in meanwhile hears it."""
    home = Home()
    herald, loop = herald_in(home)
    ann, bo = company(home, 2)
    herald.report(WELL)
    assert not loop.later
    for _ in range(3):
        herald.report(FULL)
        loop.settle()
        herald.report(WELL)
    herald.report(FULL)
    loop.wait()
    assert heard(ann) == ["read_only"]
    bo.drop()
    bo.resume()
    assert heard(bo) == ["read_only"]
    herald.report(WELL)
    loop.wait()
    assert [heard(ann), heard(bo)] == 2 * [["read_only", "saving"]]
    bo.resume()
    assert heard(bo) == []


async def test_whoever_comes_into_a_server_without_space_hears_it(tmp_path: Path) -> None:
    """Behind the welcome, and not once there is space again for good."""
    loop = asyncio.get_running_loop()
    config = Config(port=0, data=tmp_path)
    server = Server(config, loop, clock=lambda: time.monotonic_ns() // 10**6, entropy=os.urandom)
    url = f"ws://127.0.0.1:{await server.start()}"
    server._journal_reported(FULL)
    async with asyncio.timeout(30), connect(url, compression=None) as socket:
        host = Guest(socket, "Ada")
        await host.enter(i.Create)
        await host.until(o.Notice, code="read_only")
        server._journal_reported(WELL)
        server._herald._relieve()
        await host.until(o.Notice, code="saving")
    await server.stop()


# A room that is closed from outside.


def test_a_room_is_closed_between_two_actions() -> None:
    """Whatever is under way: that is kept first, and then everybody hears who has closed it."""
    home = Home()
    ann, bo = company(home, 2)
    room, told = ann.room, list[bool]()
    home.journal.delay = None
    ann.line.say(i.Chat(text="hello"))
    bo.line.say(i.Chat(text="too late"))
    room.shut(told.append)
    assert not told
    home.release()
    assert not told
    home.release()
    assert told == [True]
    assert home.lobby.find(ann.code) is None
    for friend in (ann, bo):
        (bye,) = friend.line.all_of(o.Bye)
        assert (bye.code, bye.retry) == ("closed", "never")
        assert bye.text == "Whoever runs this server has closed this room."
        assert [it.text for it in friend.line.all_of(o.ChatLine)] == ["hello"]
    room.shut(told.append)
    assert told == [True, True]


def test_a_room_is_not_closed_unless_that_is_kept() -> None:
    """Where the journal fails, whoever asked hears it, and the room goes on."""
    home = Home()
    (ann,) = company(home, 1)
    told: list[bool] = []
    home.journal.works = False
    ann.room.shut(told.append)
    home.settle()
    assert told == [False]
    home.journal.works = True
    assert [it.text for it in ann.say(i.Chat(text="on")) if isinstance(it, o.ChatLine)] == ["on"]


def test_a_host_who_closes_first_answers_both() -> None:
    """The room is closed once, by whoever came first."""
    home = Home()
    (ann,) = company(home, 1)
    told: list[bool] = []
    home.journal.delay = None
    ann.line.say(i.Close())
    ann.room.shut(told.append)
    home.release()
    assert told == [True]
    assert [it.text for it in ann.line.all_of(o.Bye)] == ["The host has closed this room."]
    assert not home.journal.waiting
