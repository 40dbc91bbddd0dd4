"""A session over real sockets: in, over drops, out, and what stays on disk."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from client.tables import HELLO, LOBBY, ROOM, WELCOME, Peer, attempt, dealt, house, playing
from nana_client.address import Target
from nana_client.entrance import Creating, Joining, Resuming, Watching, Way
from nana_client.model import Model
from nana_client.session import Ending, Session
from nana_client.store import Store, folders
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Ack, Bye, ChatLine, Error, Notice, Outbound, Snapshot

React: TypeAlias = Callable[[], object]
LEFT = Bye(code="left", text="Goodbye.", retry="never")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(folders({"NANA_HOME": str(tmp_path)}))


class Player:
    """A session with what it was told, and reactions to it; pauses take no time."""

    def __init__(
        self, target: Target, way: Way, store: Store | None = None, shelf: Path | None = None
    ) -> None:
        self.changes: list[tuple[Model, Outbound | None]] = []
        self.on: dict[type[Outbound], React] = {}
        self.pauses: list[float] = []
        self.session = Session(
            target,
            way,
            store=store,
            on_change=self._hear,
            shelf=shelf,
            draw=lambda: 1.0,
            sleep=self._sleep,
        )

    def _hear(self, model: Model, message: Outbound | None) -> None:
        assert model == self.session.model
        self.changes.append((model, message))
        if message is not None and (react := self.on.get(type(message))):
            react()

    async def _sleep(self, seconds: float) -> None:
        if seconds == 10.0:  # between pings; one is enough here
            await asyncio.Event().wait()
        self.pauses.append(seconds)

    def connections(self) -> list[str]:
        states = [model.connection for model, _ in self.changes]
        return [state for at, state in enumerate(states) if at == 0 or states[at - 1] != state]


async def test_in_and_out_again(store: Store) -> None:
    """Create at the bare path, play at once, leave: every message is told, nothing stays saved."""

    async def script(peer: Peer) -> None:
        assert peer.path == "/"
        await peer.say(HELLO)
        create = await peer.hear(i.Create)
        assert (create.name, create.protocol) == ("Ann", 1)
        await peer.say(replace(WELCOME, id=create.id), LOBBY)
        chat = await peer.hear(i.Chat)
        assert chat.id
        await peer.say(Ack(chat.id, 1), ChatLine(seq=1, name="Ann", seat="A", text="hi"))
        leave = await peer.hear(i.Leave)
        assert leave.id
        await peer.say(Ack(leave.id, 1), LEFT)
        await peer.gone()

    async with house(script) as target:
        player = Player(target, Creating(name="Ann"), store)
        session = player.session
        assert session.link is None
        player.on[Snapshot] = lambda: session.chat("hi")
        player.on[ChatLine] = session.leave
        assert await session.run() == Ending("left", "Goodbye.")
    assert session.target == target.at(ROOM)
    assert session.link == target.at(ROOM).url
    assert player.connections() == ["connecting", "open", "closed"]
    told = [type(message).__name__ for _, message in player.changes if message is not None]
    assert told == ["Hello", "Welcome", "Snapshot", "Ack", "ChatLine", "Ack", "Bye"]
    assert session.model.trouble == "Goodbye."
    assert store.seats() == ()


async def test_over_a_drop(store: Store) -> None:
    """After a drop the same token resumes at the room, and the lost action goes out again."""
    tokens: list[str] = []
    ids: list[str | None] = []

    async def first(peer: Peer) -> None:
        await peer.say(HELLO)
        tokens.append((await peer.hear(i.Join)).token)
        await peer.say(WELCOME, LOBBY)
        ids.append((await peer.hear(i.Start)).id)
        peer.drop()

    async def second(peer: Peer) -> None:
        assert peer.path == f"/r/{ROOM}"
        await peer.say(HELLO)
        tokens.append((await peer.hear(i.Resume)).token)
        await peer.say(replace(WELCOME, resumed=True), replace(LOBBY, version=2))
        start = await peer.hear(i.Start)
        ids.append(start.id)
        assert start.id
        await peer.say(Ack(start.id, 3))
        await peer.gone()

    async with house(first, second) as target:
        player = Player(target.at(ROOM), Joining(name="Ann"), store)
        player.on[Snapshot] = lambda: (
            player.session.start() if len(tokens) == 1 and not ids else None
        )
        player.on[Ack] = player.session.close
        ending = await player.session.run()
    assert ending == Ending(None, "You closed the connection.")
    assert tokens[0] == tokens[1]
    assert ids[0] == ids[1]
    assert player.connections() == ["connecting", "open", "waiting", "connecting", "open", "closed"]
    waiting = next(model for model, _ in player.changes if model.connection == "waiting")
    assert waiting.trouble == f"The connection to 127.0.0.1:{target.port} broke."
    assert waiting.retry_in == player.pauses[0] == 0.5
    assert waiting.snapshot == LOBBY


async def test_a_closed_client_comes_back_to_its_seat(store: Store, tmp_path: Path) -> None:
    """What was saved leads the next run back, by itself or on request; who sits elsewhere not."""
    tokens: list[str] = []

    async def join(peer: Peer) -> None:
        await peer.say(HELLO)
        tokens.append((await peer.hear(i.Join)).token)
        await peer.say(WELCOME, LOBBY)
        await peer.gone()

    async def resume(peer: Peer) -> None:
        await peer.say(HELLO)
        tokens.append((await peer.hear(i.Resume)).token)
        await peer.say(replace(WELCOME, resumed=True), LOBBY)
        await peer.gone()

    async with house(join, join, resume, resume) as target:
        first = Player(target.at(ROOM), Joining(name="Ann"), store)
        meanwhile = asyncio.Event()
        first.on[Snapshot] = meanwhile.set
        running = asyncio.create_task(first.session.run())
        await meanwhile.wait()
        (saved,) = store.seats_in(target.server, ROOM)
        assert saved == first.session.restorable
        assert (saved.name, saved.seat, saved.commitments) == (
            "Ann",
            "A",
            ((1, LOBBY.deal.seed_hash),),
        )
        other = Player(target.at(ROOM), Joining(name="Ann"), Store(store.folders))
        other.on[Snapshot] = other.session.close
        await other.session.run()
        first.session.close()
        await running
        for way in (Joining(name="Ann"), Resuming(saved=saved)):
            again = Player(target.at(ROOM), way, Store(store.folders))
            again.on[Snapshot] = again.session.close
            await again.session.run()
    assert len(set(tokens[:2])) == 2
    assert tokens[2] in tokens[:2]
    assert tokens[3] == tokens[0] == saved.token.value


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
async def test_a_seat_is_handed_over_between_terminals(store: Store) -> None:
    """The seat is held by whoever has it: the one that lost it stays away, the other saves it."""
    there, here = asyncio.Event(), asyncio.Event()

    async def join(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, LOBBY)
        await here.wait()
        await peer.say(Bye(code="replaced", text="Taken over.", retry="never"))
        await peer.gone()

    async def resume(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Resume)
        await peer.say(replace(WELCOME, resumed=True), LOBBY)
        here.set()
        await lost
        await peer.say(replace(LOBBY, version=2))
        await peer.gone()

    async with house(join, resume) as target:
        first = Player(target.at(ROOM), Joining(name="Ann"), store)
        first.on[Snapshot] = there.set
        lost = asyncio.ensure_future(first.session.run())
        await there.wait()
        elsewhere, third = Store(store.folders), Store(store.folders)
        seat = elsewhere.open_seat()
        assert seat is not None
        second = Player(target.at(ROOM), Resuming(saved=seat), elsewhere)
        held: list[bool] = []

        def heard() -> None:
            if lost.done():
                held.append(third.free_seat() is None)
                second.session.close()

        second.on[Snapshot] = heard
        await second.session.run()
    assert (await lost).code == "replaced"
    assert first.session.restorable is not None
    assert held == [True]
    assert third.free_seat() == seat


async def test_a_seat_that_is_gone_is_forgotten(store: Store) -> None:
    """A room that is no more ends the session with the server's words, and the saved seat goes."""

    async def join(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, LOBBY)
        peer.drop()

    async def refuse(peer: Peer) -> None:
        await peer.say(HELLO)
        resume = await peer.hear(i.Resume)
        await peer.say(Error(id=resume.id, code="no_such_room", text="There is no such room."))
        await peer.gone()

    async with house(join, refuse) as target:
        player = Player(target.at(ROOM), Joining(name="Ann"), store)
        ending = await player.session.run()
    assert ending == Ending("no_such_room", "There is no such room.")
    assert player.session.model.error is not None
    assert store.seats() == ()


async def test_watching_saves_nothing(store: Store) -> None:
    """A place beside the table is not kept; the server's own link is the one to share."""

    async def watch(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Watch)
        url = f"wss://cards.example/r/{ROOM}"
        await peer.say(replace(WELCOME, seat=None, url=url))
        await peer.say(replace(LOBBY, you=replace(LOBBY.you, seat=None)))
        await peer.gone()

    async with house(watch) as target:
        player = Player(target.at(ROOM), Watching(name="Wat"), store)
        player.on[Snapshot] = player.session.close
        await player.session.run()
    assert player.session.link == f"wss://cards.example:443/r/{ROOM}"
    assert player.session.restorable is None
    assert store.seats() == ()


async def test_foreign_text_is_cleaned() -> None:
    """Escape sequences and bidi marks in names, chat and notices never reach the model."""
    evil = "\x1b[31mBo\u202e\u200b"

    async def script(peer: Peer) -> None:
        await peer.say(replace(HELLO, server=evil))
        await peer.hear(i.Watch)
        seats = (LOBBY.seats[0], replace(LOBBY.seats[1], name=evil))
        await peer.say(
            replace(WELCOME, name=evil),
            ChatLine(seq=1, name=evil, seat="B", text=evil),
            Notice(code="joined", seat="B", name=evil, text=evil),
            Error(id=None, code="stale", text=evil),
            replace(LOBBY, seats=seats, watching=(evil,), you=replace(LOBBY.you, name=evil)),
            Bye(code="closed", text=evil, retry="never"),
        )
        await peer.gone()

    async with house(script) as target:
        player = Player(target.at(ROOM), Watching(name="Wat"))
        ending = await player.session.run()
    assert ending.text == "[31mBo"
    shown = repr(player.changes)
    assert "[31mBo" in shown
    for char in ("\x1b", "\\x1b", "\u202e", "\\u202e", "\u200b"):
        assert char not in shown


async def test_a_held_continue_goes_out_by_itself() -> None:
    """Pressed early, the continue is sent when the table's pace allows, not before."""
    miss = attempt(1, "B", "c1=1", "c2=2", outcome="miss")
    shot = playing(dealt((None, None)), (None, None), attempt=miss, on_turn="A")
    shot = replace(shot, legal=("continue",), not_before=shot.now + 60)

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, shot)
        began = asyncio.get_running_loop().time()
        assert (await peer.hear(i.Continue)).step == shot.step
        assert asyncio.get_running_loop().time() - began >= 0.05
        await peer.say(LEFT)

    async with house(script) as target:
        player = Player(target.at(ROOM), Joining(name="Ann"))
        player.on[Snapshot] = player.session.proceed
        await player.session.run()
    assert any(model.held for model, _ in player.changes)


async def test_what_is_no_nana_server_is_told_so() -> None:
    """A WebSocket with other messages, or a nana that cannot be read, ends in a sentence."""

    async def echo(peer: Peer) -> None:
        await peer.raw("welcome to the chat")
        await peer.gone()

    async def other(peer: Peer) -> None:
        await peer.raw('{"type": "greeting"}')
        await peer.gone()

    async def rude(peer: Peer) -> None:
        await peer.say(LOBBY)
        await peer.gone()

    async def odd(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.raw('{"type": "some day"}')
        await peer.raw('{"type": "welcome"}')
        await peer.gone()

    async with house(echo, other, rude, odd) as target:
        for _ in range(3):
            ending = await Player(target.at(ROOM), Joining(name="Ann")).session.run()
            assert "it is not a nana server" in ending.text
        ending = await Player(target.at(ROOM), Joining(name="Ann")).session.run()
    assert ending.text.startswith("The server sent a message that is not right")


async def test_leaving_without_a_connection_keeps_the_seat(store: Store) -> None:
    """Who leaves while cut off only closes; the server was not told, so the seat stays saved."""

    async def drop(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, LOBBY)
        peer.drop()

    async with house(drop) as target:
        player = Player(target.at(ROOM), Joining(name="Ann"), store)
        session = player.session

        def leave_when_waiting(model: Model, _: Outbound | None) -> None:
            if model.connection == "waiting":
                asyncio.get_running_loop().call_soon(session.leave)

        session._on_change = leave_when_waiting
        session._link._sleep = lambda _: asyncio.Event().wait()  # type: ignore[assignment,return-value]
        await session.run()
    assert len(store.seats()) == 1


async def test_a_server_that_ignores_the_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving ends soon even when the server never says goodbye."""
    monkeypatch.setattr("nana_client.session.LEAVE_SECONDS", 0.01)

    async def ignore(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, LOBBY)
        await peer.hear(i.Leave)
        await peer.gone()

    async with house(ignore) as target:
        player = Player(target.at(ROOM), Joining(name="Ann"))
        player.on[Snapshot] = player.session.leave
        assert (await player.session.run()).code is None


async def test_every_action_has_its_message() -> None:
    """Each method says its message, as strictly as the server reads it; reveals carry the aim."""
    said: list[i.Inbound] = []

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, playing(dealt((None, None)), (None, None), step=5))
        said.extend([await peer.hear(i.Message) for _ in range(14)])  # type: ignore[arg-type]
        await peer.say(LEFT)

    async with house(script) as target:
        player = Player(target.at(ROOM), Joining(name="Ann"))
        session = player.session
        assert not session.reveal("c1")

        def act() -> None:
            session.reveal("c1")
            session.reveal("b<", step=4)
            session.set_options(i.OptionChanges(seats=4))
            session.add_bot("novice", "C")
            session.remove("C")
            session.give_host("B")
            session.start()
            session.rematch()
            session.rematch(ready=False)
            session.sit("B")
            session.pause(on=False)
            session.end_game()
            session.close_room()
            session.chat("hi")

        player.on[Snapshot] = act
        await session.run()
    assert [type(message).__name__ for message in said] == [
        "Reveal", "Reveal", "SetOptions", "AddBot", "Remove", "GiveHost", "Start",
        "Rematch", "Rematch", "Sit", "Pause", "End", "Close", "Chat",
    ]  # fmt: skip
    reveals = [message.step for message in said if isinstance(message, i.Reveal)]
    assert reveals == [5, 4]
    ready, not_ready = (message for message in said if isinstance(message, i.Rematch))
    (sit,) = (message for message in said if isinstance(message, i.Sit))
    assert ready.nonce_hash
    assert sit.nonce_hash
    assert ready.nonce_hash != sit.nonce_hash
    assert not_ready.nonce_hash is None
    assert len({message.id for message in said}) == 14
