"""A bot on the command line: it plays whole games on the real server, and leaves as it should."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from client.tables import (
    HELLO,
    LOBBY,
    ROOM,
    WELCOME,
    Peer,
    dealt,
    hashes_of,
    house,
    over,
    playing,
    seat,
)
from nana_bots.mind import LEVELS, Player
from nana_client import hosting
from nana_client.address import Target
from nana_client.entrance import Creating
from nana_client.model import Model
from nana_client.robot import Robot
from nana_client.session import Session
from nana_client.store import folders
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Bye, Error, Outbound, Snapshot

LEFT = Bye(code="left", text="Goodbye.", retry="never")
BOTS = (None, None)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Target]:
    async with await hosting.private(folders({"NANA_HOME": str(tmp_path)})) as hosted:
        yield hosted.target


def robot(target: Target, said: list[str], games: int | None = 1) -> Robot:
    bot = LEVELS["memory"](Random(1))
    return Robot(target, bot, name="Robo", games=games, say=said.append, thinking=0.0)


class Ann:
    """A person at the table who plays by the bots' own mind, and runs `games` games."""

    def __init__(self, target: Target, games: int) -> None:
        options = i.OptionChanges(seats=2, pace=0)
        way = Creating(name="Ann", options=options)
        self.session = Session(target, way, store=None, on_change=self._hear)
        self.proofs: list[str] = []
        self.room: asyncio.Future[Target] = asyncio.get_running_loop().create_future()
        self._games, self._mind = games, Player(LEVELS["memory"](Random(2)))
        self._done: set[object] = set()

    def _once(self, *key: object) -> bool:
        fresh = key not in self._done
        self._done.add(key)
        return fresh

    def _hear(self, model: Model, message: Outbound | None) -> None:
        if not isinstance(message, Snapshot):
            return
        if not self.room.done():
            self.room.set_result(self.session.target)
        action = self._mind.receive(message)
        if action is not None and self._once(message.game, message.step):
            if isinstance(action, i.Reveal):
                self.session.reveal(action.source, action.step)
            else:
                self.session.proceed()
        if message.phase == "over" and self._once("over", message.game):
            self.proofs.append(model.proof)
            if message.game < self._games:
                self.session.rematch()
        taken = [view for view in message.seats if view.kind != "free"]
        ready = len(taken) == 2 and all(view.ready for view in taken)
        if (
            message.phase in {"lobby", "over"}
            and ready
            and self._once("start", message.phase, message.game)
        ):
            self.session.start()
        alone = not any(view.online for view in taken if view.seat != "A")
        if message.phase == "over" and message.game >= self._games and alone:
            self.session.leave()


async def test_it_plays_its_games_and_leaves(server: Target) -> None:
    """Two whole games on the real server, both deals verified on both sides, then it leaves."""
    said: list[str] = []
    ann = Ann(server, games=2)
    playing_ann = asyncio.create_task(ann.session.run())
    bot = robot(await ann.room, said, games=2)
    assert (await bot.run()).code == "left"
    assert bot.leaving
    assert [(game.game, game.proof) for game in bot.played.values()] == [
        (1, "verified"),
        (2, "verified"),
    ]
    assert (await playing_ann).code == "left"
    assert ann.proofs == ["verified", "verified"]
    assert said.count("Deal verified: nobody chose it.") == 2
    assert sum(" wins: " in line for line in said) == 2
    assert said[-1] == "Goodbye."
    assert not [line for line in said if line.startswith("Refused")]


async def test_ctrl_c_leaves(server: Target) -> None:
    """The real program, interrupted in the lobby, gives its seat back and exits with 0."""
    ann = Ann(server, games=1)
    playing_ann = asyncio.create_task(ann.session.run())
    target = await ann.room
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nana_client", "bot", target.url, "--name", "Robo"),
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert bot.stdout is not None
    while b"is in room" not in (line := await bot.stdout.readline()):
        assert line
    bot.send_signal(signal.SIGINT)
    rest = await bot.stdout.read()
    assert await bot.wait() == 0
    assert rest.decode().splitlines()[-1] == "Goodbye."
    ann.session.leave()
    await playing_ann


async def test_a_room_that_is_not_there(server: Target) -> None:
    """How it ended says it; whoever let it play tells that, once."""
    said: list[str] = []
    ending = await robot(server.at("ZZZZZ"), said).run()
    assert ending.code == "no_such_room"
    assert "room" in ending.text
    assert said == []


async def test_it_hands_the_host_on_to_a_person() -> None:
    """A bot that finds itself host gives that to a person who is there."""
    said: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        join = await peer.hear(i.Join)
        assert join.kind == "bot"
        me = replace(LOBBY.you, seat="B", name="Robo")
        await peer.say(replace(WELCOME, seat="B"), replace(LOBBY, host="B", you=me))
        assert (await peer.hear(i.GiveHost)).seat == "A"
        await peer.say(LEFT)

    async with house(script) as target:
        assert (await robot(target.at(ROOM), said).run()).code == "left"


async def test_among_bots_alone_it_starts() -> None:
    """Where there are only bots, the one that is host starts the full table and the rematch."""
    said: list[str] = []
    seats = (seat("A", "Robo", kind="bot"), seat("B", "Other", kind="bot"))

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, replace(LOBBY, seats=seats))
        await peer.hear(i.Start)
        deal, hashes = dealt(BOTS), hashes_of(BOTS)
        resting = tuple(replace(view, ready=False) for view in seats)
        await peer.say(over(deal, hashes, seats=resting))
        assert (await peer.hear(i.Rematch)).ready
        await peer.say(over(deal, hashes, version=12, seats=seats))
        await peer.hear(i.Start)
        await peer.say(LEFT)

    async with house(script) as target:
        await robot(target.at(ROOM), said, games=None).run()


async def test_a_refusal_of_the_moment_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told to slow down, it does the same again a little later, instead of standing still."""
    monkeypatch.setattr("nana_client.robot.seat.AGAIN", 0.0)
    said: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        shot = playing(dealt(BOTS), hashes_of(BOTS), on_turn="A", legal=("c1",))
        await peer.say(WELCOME, shot)
        first = await peer.hear(i.Reveal)
        await peer.say(Error(id=first.id, code="rate_limited", text="Slowly."))
        again = await peer.hear(i.Reveal)
        assert (again.source, again.step) == (first.source, first.step)
        assert again.id != first.id
        await peer.say(LEFT)

    async with house(script) as target:
        await robot(target.at(ROOM), said).run()
    assert "Refused: Slowly." in said


async def test_it_sits_down_when_a_seat_is_free() -> None:
    """Let in beside the table, it takes a seat between games."""
    said: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        beside = replace(LOBBY.you, seat=None, host=False)
        seats = (LOBBY.seats[0], seat("B", None))
        await peer.say(replace(WELCOME, seat=None), replace(LOBBY, you=beside, seats=seats))
        sit = await peer.hear(i.Sit)
        assert sit.nonce_hash
        await peer.say(LEFT)

    async with house(script) as target:
        await robot(target.at(ROOM), said).run()
    assert "Ann is in room KQ7MX, beside the table." in said
