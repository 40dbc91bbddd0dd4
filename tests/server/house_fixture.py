"""A server without I/O for tests: virtual time, seeded chance, a journal that can be held.

Everything goes in and out as bytes, through the desk, as it does behind a real gateway.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final, TypeVar

from msgspec import Struct

from core.games import completing
from nana_core.actions import Reveal
from nana_core.fair import SECRET_BYTES, nonce_hash
from nana_core.notation import SOURCE_NAMES
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.codec import decode_outbound, encode
from nana_server.allowance import Allowance
from nana_server.config import Config
from nana_server.desk import Client, Desk, key_of
from nana_server.lobby import Lobby
from nana_server.pages import Pages
from nana_server.room import events as e
from nana_server.room.evolve import evolve
from nana_server.room.room import Room
from nana_server.room.state import RoomState, seat_of
from nana_server.room.work import Answer, House

START: Final = 1_000_000  # ms on the server's clock
SPINS: Final = 3
_M = TypeVar("_M")


class Append(Struct, frozen=True):
    room: str
    seq: int
    entry: bytes
    done: Callable[[bool], None]
    due: int | None  # ms; None: when the test says so
    anew: bool = False


class HeldJournal:
    """Commits when it is let: after `delay` ms, or when the test says so if that is None."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self.delay: int | None = 0
        self.works = True
        self.rooms: dict[str, list[bytes]] = {}
        self.waiting: list[Append] = []
        self.dropped: dict[str, int] = {}  # entries that a later one stands for
        self._clock = clock

    def append(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        self._take(room, seq, entry, done, anew=False)

    def begin_anew(self, room: str, seq: int, entry: bytes, done: Callable[[bool], None]) -> None:
        self._take(room, seq, entry, done, anew=True)

    def _take(
        self, room: str, seq: int, entry: bytes, done: Callable[[bool], None], *, anew: bool
    ) -> None:
        assert all(it.room != room for it in self.waiting), "one action in flight per room"
        due = None if self.delay is None else self._clock() + self.delay
        self.waiting.append(Append(room, seq, entry, done, due, anew))

    def entries(self, room: str) -> Sequence[bytes]:
        return tuple(self.rooms.get(room, ()))

    def forget(self, room: str) -> None:
        self.rooms.pop(room, None)
        self.dropped.pop(room, None)

    def finish(self, append: Append, *, ok: bool) -> None:
        self.waiting.remove(append)
        if ok:
            kept = self.rooms.setdefault(append.room, [])
            assert append.seq == len(kept) + self.dropped.get(append.room, 0)
            if append.anew:
                kept.clear()
                self.dropped[append.room] = append.seq
            kept.append(append.entry)
        append.done(ok)


class Line:
    """A connection as the gateway hands it in; the other end is the test."""

    def __init__(self, home: "Home", path: str, address: str) -> None:
        self.path, self.host, self.address = path, "nana.test", address
        self.blocked = False
        self.context: object | None = None
        self.sent: list[bytes] = []
        self.times: list[int] = []  # when each of them was sent, ms
        self.open = True
        self.ending: tuple[int, str] | None = None
        self.aborted = False
        self.lingers = False  # its close is answered when the test says so
        self._home = home
        self._decoded: list[o.Outbound] = []

    def send(self, payload: bytes) -> None:
        if self.open:
            self.sent.append(payload)
            self.times.append(self._home.now)

    def show(self, shared: bytes, own: bytes, ahead: bytes | None = None) -> bool:
        if ahead is not None:
            self.send(ahead)
        if not self.blocked:
            self.send(shared + own)
        return not self.blocked

    def send_frame(self, framed: bytes) -> None:
        while framed:  # one frame, or an ack and the snapshot behind it
            head = 4 if framed[1] == 126 else 2
            end = head + (int.from_bytes(framed[2:4]) if head == 4 else framed[1])
            self.send(framed[head:end])
            framed = framed[end:]

    def close(self, code: int, reason: str) -> None:
        if self.open:
            self.open, self.ending = False, (code, reason)
            self._home.closing.append(self)

    def abort(self) -> None:
        if not self.aborted:
            self.open, self.aborted = False, True
            self._home.closing.append(self)

    def say(self, message: i.Inbound | bytes) -> None:
        """Send to the server."""
        frame = message if isinstance(message, bytes) else encode(message)
        if self.open:
            self._home.desk.received(self, frame)

    def hang_up(self) -> None:
        """End the connection from outside; late, if the server has closed it before."""
        self.open = False
        if self in self._home.closing:
            self._home.closing.remove(self)
        self._home.desk.closed(self)

    def take(self) -> None:
        """Read again after having been blocked."""
        self.blocked = False
        if self.open:
            self._home.desk.writable(self)

    @property
    def messages(self) -> list[o.Outbound]:
        for payload in self.sent[len(self._decoded) :]:
            message = decode_outbound(payload)
            assert message is not None
            self._decoded.append(message)
        return self._decoded

    def all_of(self, kind: type[_M], since: int = 0) -> list[_M]:
        return [it for it in self.messages[since:] if isinstance(it, kind)]


class Home:
    """A desk, a lobby, rooms; time moves only in `advance`."""

    def __init__(self, seed: object = 0, config: Config | None = None) -> None:
        self.now = START
        self.chance = Random(f"home/{seed}")
        self.journal = HeldJournal(lambda: self.now)
        self.lines: list[Line] = []
        self.closing: list[Line] = []
        self.alarms: dict[Room, int] = {}
        self.ended: list[Room] = []
        self.limits = False  # whether messages cost
        self.is_pensive = False  # whether questions to bots that look ahead wait in `questions`
        self.questions: list[tuple[Callable[[], Answer], Callable[[Answer], None]]] = []
        self._addresses = 0
        self.house = House(
            journal=self.journal,
            clock=lambda: self.now,
            entropy=self.chance.randbytes,
            alarm=self._alarm,
            ended=self._ended,
            url_of=lambda code: None,
            think=self._think,
        )
        config = config or Config()
        self.lobby = Lobby(self.house, config.rooms)
        self.pages = Pages(self.lobby.listed, None)
        self.desk = Desk(self.lobby, config, lambda: self.now, self.pages)

    def connect(self, path: str = "/", address: str | None = None) -> Line:
        """Open a connection, from an address of its own if none is given."""
        self._addresses += 1  # nobody's limits are anybody else's
        line = Line(self, path, address or f"192.0.2.{self._addresses}")
        self.lines.append(line)
        self.desk.opened(line)
        client = line.context
        if not self.limits and isinstance(client, Client):
            client._allowance = Allowance(1e9, 1e9, self.now)
        return line

    def settle(self) -> None:
        """Let commits that are due complete, and closed connections end."""
        while due := [it for it in self.journal.waiting if it.due is not None]:
            ready = [it for it in due if it.due is not None and it.due <= self.now]
            if not ready:
                break
            for append in ready:
                self.journal.finish(append, ok=self.journal.works)
        while lines := [line for line in self.closing if not line.lingers]:
            lines[0].hang_up()

    def release(self, *, ok: bool = True) -> None:
        """Let the commits that wait complete, or fail."""
        for append in tuple(self.journal.waiting):
            self.journal.finish(append, ok=ok)
        self.settle()

    def advance(self, ms: int) -> None:
        """Let time pass, stopping where something is due."""
        end, spins = self.now + ms, 0
        self.settle()
        while (soonest := self._soonest()) is not None and soonest <= end:
            self.now = max(self.now, soonest)
            self.settle()
            for room in [room for room, at in self.alarms.items() if at <= self.now]:
                before = (self.now, room.version, room._seq, room._in_flight)
                del self.alarms[room]
                room.tick()
                idle = before == (self.now, room.version, room._seq, room._in_flight)
                spins = spins + 1 if idle and self.alarms.get(room, end) <= self.now else 0
                assert spins < SPINS, f"room {room.code} wakes again and again for nothing"
                self.settle()
        self.now = end
        self.settle()

    def _soonest(self) -> int | None:
        commits = [it.due for it in self.journal.waiting if it.due is not None]
        return min([*self.alarms.values(), *commits], default=None)

    def _think(self, work: Callable[[], Answer], done: Callable[[Answer], None]) -> None:
        if self.is_pensive:
            self.questions.append((work, done))
        else:
            done(work())

    def _alarm(self, room: Room) -> None:
        assert room.wake_at is not None
        self.alarms[room] = room.wake_at

    def _ended(self, room: Room) -> None:
        self.ended.append(room)
        self.lobby.forget(room)
        self.alarms.pop(room, None)


class Friend:
    """Somebody with a token, and the connection that is used now."""

    def __init__(self, home: Home, name: str = "Ada", kind: i.Kind = "person") -> None:
        self.home = home
        self.name = name
        self.kind = kind
        self.token = home.chance.randbytes(16).hex()
        self.key = key_of(self.token)
        self.nonce: bytes | None = None
        self.code = ""
        self.line: Line = home.connect()

    def commitment(self) -> str:
        """Make a nonce for the coming game and return its hash."""
        self.nonce = self.home.chance.randbytes(SECRET_BYTES)
        return nonce_hash(self.nonce)

    @property
    def room(self) -> Room:
        room = self.home.lobby.find(self.code)
        assert room is not None
        return room

    @property
    def state(self) -> RoomState:
        return self.room.state

    @property
    def seat(self) -> int | None:
        return seat_of(self.state, self.key)

    @property
    def shot(self) -> o.Snapshot:
        """The newest snapshot on this connection."""
        return self.line.all_of(o.Snapshot)[-1]

    @property
    def connected(self) -> bool:
        return self.key in self.room.audience.connected

    def say(self, message: i.Inbound | bytes) -> list[o.Outbound]:
        """Send a message, let it be kept, and return what came back on this connection."""
        line, before = self.line, len(self.line.messages)
        line.say(message)
        self.home.settle()
        return line.messages[before:]

    def refused(self, message: i.Inbound | bytes) -> str:
        """Send what must be refused; return the code."""
        errors = [it for it in self.say(message) if isinstance(it, o.Error)]
        assert len(errors) == 1
        return errors[0].code

    def create(self, nonce: bool = False, **options: Any) -> "Friend":
        self.line = self.home.connect()
        changes = i.OptionChanges(**options)
        commitment = self.commitment() if nonce else None
        said = self.say(
            i.Create(
                protocol=1,
                token=self.token,
                name=self.name,
                kind=self.kind,
                nonce_hash=commitment,
                options=changes,
            )
        )
        self.code = next((it.room for it in said if isinstance(it, o.Welcome)), "")
        return self

    def join(self, code: str, nonce: bool = False) -> list[o.Outbound]:
        self.arrive(code)
        commitment = self.commitment() if nonce else None
        return self.say(
            i.Join(
                protocol=1,
                token=self.token,
                name=self.name,
                kind=self.kind,
                nonce_hash=commitment,
            )
        )

    def watch(self, code: str) -> list[o.Outbound]:
        self.arrive(code)
        return self.say(i.Watch(protocol=1, token=self.token, name=self.name, kind=self.kind))

    def resume(self, seq: int = 0) -> list[o.Outbound]:
        self.arrive(self.code)
        return self.say(i.Resume(protocol=1, token=self.token, seq=seq))

    def arrive(self, code: str) -> None:
        """Connect anew; nothing is said yet."""
        self.code = code
        self.line = self.home.connect(f"/r/{code}")

    def drop(self) -> None:
        self.line.hang_up()
        self.home.settle()

    def open(self) -> list[o.Outbound]:
        assert self.nonce is not None
        return self.say(i.Open(nonce=self.nonce.hex()))


NAMES: Final = ("Ada", "Ben", "Cleo", "Dora", "Emil")


def company(home: Home, people: int, *, nonce: bool = False, **options: Any) -> list[Friend]:
    """Seat people in a new room; the first is the host."""
    friends = [Friend(home, name) for name in NAMES[:people]]
    friends[0].create(nonce, **options)
    for friend in friends[1:]:
        friend.join(friends[0].code, nonce)
    return friends


def begin(friends: Sequence[Friend]) -> None:
    """Start, and open what was committed to."""
    friends[0].say(i.Start())
    for friend in friends:
        if friend.state.phase == "opening" and friend.nonce is not None:
            friend.open()
    assert friends[0].state.phase == "playing"


def on_turn(friends: Iterable[Friend]) -> Friend:
    """Return whose turn it is; the seat must be one of theirs."""
    for friend in friends:
        game = friend.state.game
        if game is not None and friend.seat == game.table.on_turn:
            return friend
    raise AssertionError("the turn is nobody's of these")


def act(friends: Sequence[Friend], chance: Random) -> Friend:
    """Let the seat on turn do something legal, as soon as it may."""
    friend = on_turn(friends)
    wait = friend.state.not_before
    if wait is not None:
        friend.home.advance(max(0, wait - friend.room._room_time()))
    friend.say(step_of(friend, chance))
    return friend


def step_of(friend: Friend, chance: Random) -> i.Reveal | i.Continue:
    """Make a legal action for the seat on turn."""
    shot = friend.shot
    if shot.legal == ("continue",):
        return i.Continue(step=shot.step)
    source: Any = chance.choice(shot.legal)
    return i.Reveal(step=shot.step, source=source)


def collect(friends: Sequence[Friend]) -> None:
    """Let the seat on turn collect a set, by looking at all cards."""
    friend = on_turn(friends)
    if friend.shot.legal == ("continue",):
        act(friends, Random(0))
    game = friend.state.game
    assert game is not None
    for action in completing(game):
        assert isinstance(action, Reveal)
        name: Any = SOURCE_NAMES[action.source]
        friend.say(i.Reveal(step=friend.state.step, source=name))


def finish(friends: Sequence[Friend]) -> None:
    """Collect sets until somebody has won."""
    while friends[0].state.phase == "playing":
        collect(friends)
    assert friends[0].state.phase == "over"


def folded(entries: Iterable[bytes]) -> RoomState:
    """Lead the entries of a journal to a state."""
    state: RoomState | None = None
    for data in entries:
        entry = e.decode_entry(data)
        assert e.encode_entry(entry) == data
        for event in entry.events:
            if state is None:
                assert isinstance(event, e.Created)
                state = RoomState(code="", options=event.options, seed=b"")
            state = evolve(state, event, entry.at)
    assert state is not None
    return state
