"""Bots from outside at a table of a real server, who look closely at every frame they get.

They speak the protocol by themselves, over plain websockets. Whatever should not have
come is a sentence in `complaints`: an error, a goodbye, a field that nobody knows, a card
that one may not see, a deal that does not follow from what everybody committed to.
"""

import asyncio
import os
import secrets
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError

from nana_bots.mind import LEVELS, Player
from nana_client.proof import Witness, verdict, watch
from nana_core.fair import nonce_hash
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import decode_outbound, encode
from nana_core.protocol.outbound import Bye, Error, Snapshot, Welcome

MIX: Final[tuple[i.Level, ...]] = ("memory", "novice", "random", "memory", "novice")


class Guest:
    """One bot: its seat, its connection, and what it has to complain about."""

    def __init__(
        self, name: str, level: i.Level, seed: str, complain: Callable[[str], None]
    ) -> None:
        self.name, self._complain = name, complain
        self._player = Player(LEVELS[level](Random(seed)))
        self._witness, self._nonces = Witness(), list[bytes]()
        self._answered = (0, 0)  # game and step
        self._opened = 0  # the last game for which the nonce was shown
        self.frames = 0
        self.view: Snapshot | None = None
        self.room: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def commitment(self) -> str:
        self._nonces.append(os.urandom(32))
        return nonce_hash(self._nonces[-1])

    async def run(self, url: str, entrance: Callable[["Guest"], i.Inbound], host: "Table") -> None:
        """Come in, and stay until the room is closed."""
        async with connect(url, compression=None, max_size=1 << 18) as socket:
            await socket.recv()
            await self.say(socket, entrance(self))
            try:
                async for frame in socket:
                    data = frame.encode() if isinstance(frame, str) else frame
                    for answer in self._hear(data, host):
                        await self.say(socket, answer)
            except ConnectionClosedError as error:
                self._complain(f"{self.name} was cut off: {error}")
                raise

    async def say(self, socket: ClientConnection, message: i.Inbound) -> None:
        await socket.send(encode(message), text=True)

    def _hear(self, frame: bytes, host: "Table") -> Iterator[i.Inbound]:
        self.frames += 1
        message = decode_outbound(frame)
        if message is None or msgspec.json.decode(encode(message)) != msgspec.json.decode(frame):
            self._complain(f"{self.name} got what no type knows: {frame[:200]!r}")
        match message:
            case Welcome():
                self.room.set_result(message.room)
            case Snapshot():
                self._look(message)
                yield from self._answers(message, host)
            case Error():
                self._complain(f"{self.name} was refused: {message.code}: {message.text}")
            case Bye() if message.code != "closed":
                self._complain(f"{self.name} was sent away: {message.code}")
            case _:
                pass

    def _look(self, view: Snapshot) -> None:
        """See that the snapshot holds what this seat may know and no more."""
        self._witness = watch(self._witness, view)
        for wrong in too_much(view):
            self._complain(f"{self.name} was shown {wrong} in game {view.game}, step {view.step}")
        was_running = self.view is not None and self.view.phase == "playing"
        if view.phase == "over" and was_running:
            proof, text = verdict(self._witness, view, self._nonces)
            if proof != "verified":
                self._complain(f"{self.name} doubts game {view.game}: {text}")
        self.view = view

    def _answers(self, view: Snapshot, host: "Table") -> Iterator[i.Inbound]:
        seat = view.you.seat
        if view.phase == "opening" and seat in view.deal.to_open and self._opened < view.game:
            self._opened = view.game
            yield i.Open(nonce=self._nonces[-1].hex())
        elif view.phase == "playing":
            action = self._player.receive(view)
            if action is not None and self._answered != (view.game, view.step):
                self._answered = (view.game, view.step)
                yield action
        elif view.phase == "over" and self._answered != (view.game, view.step):
            self._answered = (view.game, view.step)
            host.games_over.add(view.game)
            if view.game < host.games:
                yield i.Rematch(nonce_hash=self.commitment())
        if view.you.host:
            yield from host.orders(view)


class Table:
    """A room and its guests, for so many games; the first guest is the host."""

    def __init__(self, number: int, players: int, games: int) -> None:
        self.players, self.games = players, games
        self.complaints: list[str] = []
        self.games_over: set[int] = set()
        self._started = 0
        names = [f"T{number} {level} {seat}" for seat, level in enumerate(MIX[:players])]
        self.guests = [
            Guest(name, MIX[seat], f"{number} {seat}", self.complaints.append)
            for seat, name in enumerate(names)
        ]

    async def run(self, url: str) -> None:
        async with asyncio.TaskGroup() as group:
            first, *others = self.guests
            group.create_task(first.run(url, self._create, self))
            room = await first.room
            for guest in others:
                group.create_task(guest.run(f"{url}r/{room}", self._join, self))
                await guest.room

    def orders(self, view: Snapshot) -> Iterator[i.Inbound]:
        """Start when all are ready; close after the last game."""
        ready = sum(seat.kind == "bot" and seat.ready for seat in view.seats) == self.players
        coming = view.game + (view.phase == "over")
        if view.phase == "over" and view.game == self.games and self._started == view.game:
            self._started += 1
            yield i.Close()
        elif view.phase in {"lobby", "over"} and ready and self._started < coming <= self.games:
            self._started = coming
            yield i.Start()

    def _create(self, guest: Guest) -> i.Inbound:
        return i.Create(
            protocol=i.PROTOCOL, token=secrets.token_hex(16), name=guest.name, kind="bot",
            nonce_hash=guest.commitment(), options=i.OptionChanges(seats=self.players),
        )  # fmt: skip

    def _join(self, guest: Guest) -> i.Inbound:
        return i.Join(
            protocol=i.PROTOCOL, token=secrets.token_hex(16), name=guest.name, kind="bot",
            nonce_hash=guest.commitment(),
        )  # fmt: skip


def too_much(view: Snapshot) -> Iterator[str]:
    """Name what a running game's snapshot must not show."""
    if view.phase == "over":
        return
    if view.hands is not None or view.opened is not None or view.result is not None:
        yield "an opening before the end"
    open_slots = {
        card.source: card.number
        for card in (view.attempt.cards if view.attempt is not None else ())
        if card.source[1:].isdigit()
    }
    shown = {f"c{at}": number for at, number in enumerate(view.center, 1) if number not in HIDDEN}
    if shown != open_slots:
        yield f"slots {shown} where the attempt has {open_slots}"
    if view.ledger is not None:
        yield "a memory that nobody had asked for"
    mine = next((seat for seat in view.seats if seat.seat == view.you.seat), None)
    if mine is not None and len(view.you.hand) != mine.cards:
        yield f"a hand of {len(view.you.hand)} cards instead of {mine.cards}"


HIDDEN: Final = frozenset({"down", "gone"})
