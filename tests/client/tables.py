"""Snapshots to make, deals that were dealt, and small servers to script, for the client's tests."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve

from nana_client.address import Target, target_of
from nana_core.deck import LETTERS, SIZES
from nana_core.fair import fair_deal, nonce_hash, seed_hash
from nana_core.protocol.codec import decode_inbound, encode
from nana_core.protocol.inbound import Message
from nana_core.protocol.outbound import (
    AttemptView,
    CardView,
    DealView,
    Error,
    Hello,
    LimitsView,
    OpenedDeal,
    OptionsView,
    Outbound,
    ResultView,
    SeatView,
    Snapshot,
    Welcome,
    WinView,
    You,
)

_T = TypeVar("_T")
ROOM = "KQ7MX"
SEED = bytes(range(32))
HELLO = Hello(
    protocols=(1,),
    server="test",
    epoch=1,
    limits=LimitsView(
        message_bytes=4096, name_cells=20, chat_cells=200, costed_per_second=10, costed_burst=30
    ),
    bot_levels=("random", "novice", "memory", "expert"),
    password_required=False,
)
WELCOME = Welcome(room=ROOM, seat="A", name="Ann", resumed=False)


def seat(letter: str, name: str | None, **changes: Any) -> SeatView:
    view = SeatView(
        seat=letter,
        kind="person" if name else "free",
        name=name,
        level=None,
        online=bool(name),
        left=False,
        stand_in=False,
        ready=bool(name),
        cards=0,
        sets=(),
        won=0,
    )
    return replace(view, **changes)


LOBBY = Snapshot(
    epoch=1,
    version=1,
    step=0,
    room=ROOM,
    game=1,
    phase="lobby",
    now=50_000,
    deadline=None,
    not_before=None,
    frozen=False,
    paused=False,
    host="A",
    options=OptionsView(seats=2, memory="none", turn_time=60, pace=1200, public=False, bots=True),
    seats=(seat("A", "Ann"), seat("B", "Bo")),
    watching=(),
    turn=0,
    on_turn=None,
    legal=(),
    center=(),
    attempt=None,
    ledger=None,
    result=None,
    hands=None,
    deal=DealView(seed_hash=seed_hash(ROOM, 1, SEED), nonce_hashes=(), to_open=()),
    opened=None,
    next_seed_hash=None,
    missed=(),
    you=You(seat="A", name="Ann", host=True, hand=()),
)


def attempt(turn: int, letter: str, *cards: str, outcome: str | None = None) -> AttemptView:
    """Write an attempt: `attempt(3, "A", "c1=4", "b>=9", outcome="miss")`."""
    views = tuple(
        CardView(source, int(number)) for source, number in (card.split("=") for card in cards)
    )
    return AttemptView(turn=turn, seat=letter, cards=views, outcome=outcome)


def dealt(nonces: Sequence[bytes | None], *, game: int = 1, seed: bytes = SEED) -> OpenedDeal:
    """Deal honestly, as a server does."""
    deal = fair_deal(ROOM, game, seed, nonces, None)
    return OpenedDeal(
        seed=seed.hex(),
        nonces=tuple(nonce.hex() if nonce else None for nonce in nonces),
        rotated=False,
        hands=deal.hands,
        center=deal.center,
        first=LETTERS[deal.first],
    )


def opening(
    hashes: tuple[str | None, ...], *, version: int = 2, to_open: tuple[str, ...]
) -> Snapshot:
    deal = replace(LOBBY.deal, nonce_hashes=hashes, to_open=to_open)
    return replace(LOBBY, version=version, step=1, phase="opening", deal=deal)


def playing(opened: OpenedDeal, hashes: tuple[str | None, ...], **changes: Any) -> Snapshot:
    """Return A's first snapshot of a game: nothing is revealed yet."""
    players = len(opened.hands)
    shot = replace(
        LOBBY,
        version=3,
        step=2,
        phase="playing",
        seats=tuple(replace(view, cards=SIZES[players].hand) for view in LOBBY.seats),
        turn=1,
        on_turn=opened.first,
        legal=("c1", "c2", "a<", "a>", "b<", "b>"),
        center=("down",) * len(opened.center),
        attempt=attempt(1, opened.first),
        deal=replace(LOBBY.deal, nonce_hashes=hashes),
        you=replace(LOBBY.you, hand=opened.hands[0]),
    )
    return replace(shot, **changes)


def over(opened: OpenedDeal, hashes: tuple[str | None, ...], **changes: Any) -> Snapshot:
    shot = replace(
        playing(opened, hashes),
        version=9,
        step=9,
        phase="over",
        on_turn=None,
        legal=(),
        result=ResultView(kind="won", seat="B", wins=(WinView("sum", (2, 5)),), why=None),
        hands=opened.hands,
        center=opened.center,
        opened=opened,
        next_seed_hash=seed_hash(ROOM, 2, b"n" * 32),
    )
    return replace(shot, **changes)


def hashes_of(nonces: Sequence[bytes | None]) -> tuple[str | None, ...]:
    return tuple(nonce_hash(nonce) if nonce else None for nonce in nonces)


class Peer:
    """One client's connection, seen from the server: say things, expect things."""

    def __init__(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        self.path = connection.request.path
        self._connection = connection

    async def say(self, *messages: Outbound) -> None:
        for message in messages:
            await self._connection.send(encode(message), text=True)

    async def raw(self, text: str) -> None:
        await self._connection.send(text)

    async def hear(self, kind: type[_T]) -> _T:
        message = decode_inbound(await self._connection.recv(decode=False))
        assert isinstance(message, kind), f"expected {kind.__name__}, got {message}"
        return message

    async def refuse(self, message: Message, code: str, text: str) -> None:
        await self.say(Error(id=message.id, code=code, text=text))

    async def alive(self) -> None:
        """See that the other end has taken everything so far, and answers."""
        await (await self._connection.ping())

    def drop(self) -> None:
        self._connection.transport.abort()

    async def gone(self) -> None:
        await self._connection.wait_closed()


@asynccontextmanager
async def house(*scripts: Callable[[Peer], Awaitable[None]]) -> AsyncIterator[Target]:
    """Serve connection number n with script number n; a script that fails fails the test."""
    coming = iter(scripts)
    failures: list[BaseException] = []

    async def serve_one(connection: ServerConnection) -> None:
        script = next(coming, None)
        if script is None:
            failures.append(AssertionError("a connection more than expected"))
            connection.transport.abort()
            return
        try:
            await script(Peer(connection))
        except Exception as failure:
            failures.append(failure)
            connection.transport.abort()
            raise

    async with serve(serve_one, "127.0.0.1", 0, compression=None) as serving:
        yield target_of("127.0.0.1", next(iter(serving.sockets)).getsockname()[1])
    for failure in failures:
        raise failure
