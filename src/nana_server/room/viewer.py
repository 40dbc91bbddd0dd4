"""Who looks at a room: connections, how far each was shown the game, and who is away."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from nana_core.protocol.codec import encode
from nana_core.protocol.outbound import AttemptView, Bye, ByeCode, Outbound
from nana_server.room.clock import RoomClock
from nana_server.room.ids import Used
from nana_server.room.show import OwnParts
from nana_server.room.state import Key, RoomState
from nana_server.room.timers import Presence

if TYPE_CHECKING:
    from nana_core.deck import Seat

MISSED_MOST: Final = 32  # a connection that lags further behind is cut, and can resume


class Peer(Protocol):
    """What a room needs of a connection. Nothing here waits."""

    @property
    def gone(self) -> bool:
        """It has ended; the room was told, or will be."""
        ...

    @property
    def blocked(self) -> bool:
        """It takes no more at the moment."""
        ...

    @property
    def line(self) -> Any:
        """What the `show_all` of a House knows it by."""
        ...

    def send(self, payload: bytes) -> None: ...

    def show(self, shared: bytes, own: bytes, ahead: bytes | None = None) -> bool:
        """Send a snapshot in its two parts, behind an ack where there is one.

        Return False, sending the ack alone, when it would only pile up.
        """
        ...

    def close(self, code: int, reason: str) -> None: ...

    def abort(self) -> None: ...

    def entered(self) -> None:
        """It is a member's connection from now on."""
        ...

    def turned_away(self) -> None:
        """It was not let in, and may try to come in again."""
        ...

    def charge(self) -> bool:
        """Count a message that led to nothing, which costs."""
        ...


class Viewer:
    """One member's newest connection."""

    __slots__ = ("behind", "key", "line", "others", "own", "peer", "seat", "seen", "used")

    def __init__(self, key: Key, peer: Peer, seen: int, used: Used) -> None:
        self.key = key
        self.peer = peer
        self.line = peer.line
        self.others: tuple[Viewer, ...] = ()  # kept by Audience
        self.used = used  # the member's ids
        self.seat: Seat | None = None  # kept by OwnParts, as is `own`
        self.own = b""
        self.behind = True  # it lacks the newest snapshot, which follows when it can be written
        self.seen = (
            seen  # while behind: attempts of this game that it has seen or came too late for
        )

    def missed(self, attempts: Sequence[AttemptView], shown: int) -> Sequence[AttemptView]:
        """Return ended attempts that it never got; `shown` of the last are on the table now."""
        return attempts[self.seen : len(attempts) - shown]


class Audience:
    """The viewers of one room. The room's clock runs while there is one."""

    def __init__(self, now: int, room_time: int = 0) -> None:
        self.clock = RoomClock(room_time)
        self.connected: frozenset[Key] = frozenset()
        self.idle_since: int | None = now  # wall clock, ms; None while somebody is here
        self._away: dict[Key, int] = {}  # room time, ms
        self.viewers: dict[Key, Viewer] = {}  # each member's newest
        self.all: tuple[Viewer, ...] = ()
        self.behind: set[Viewer] = set()  # those who lack the newest snapshot
        self.own_parts = OwnParts()
        self.presence = Presence(self.connected, self._away)

    def __iter__(self) -> Iterator[Viewer]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.viewers)

    def find(self, key: Key, peer: Peer | None = None) -> Viewer | None:
        """Return a member's viewer; with a peer, only if that is its connection."""
        viewer = self.viewers.get(key)
        return viewer if viewer is None or peer is None or viewer.peer is peer else None

    def refresh(self, state: RoomState) -> None:
        """Bring the seat and the own end of every viewer up to date."""
        self.own_parts.refresh(state, self.all)

    def attach(self, key: Key, peer: Peer, seen: int, used: Used, now: int) -> None:
        """Make this the member's connection; an older one is told and closed."""
        old = self.viewers.get(key)
        if old is not None:
            old.others = ()
        if old is not None and old.peer is not peer:
            say_bye(old.peer, ByeCode.REPLACED, "You have come in from somewhere else.")
        if self.clock.stopped:
            self._wake(now)
        self.viewers[key] = Viewer(key, peer, seen, used)
        self._away.pop(key, None)
        self._changed()

    def _changed(self) -> None:
        """Keep what is asked for at every action."""
        self.all = tuple(self.viewers.values())
        self.behind = {viewer for viewer in self.all if viewer.behind}
        for viewer in self.all:
            viewer.others = tuple(other for other in self.all if other is not viewer)
        self.connected = frozenset(self.viewers)
        self.presence = Presence(self.connected, self._away)
        self.own_parts.forget()

    def _wake(self, now: int) -> None:
        """Start the clock again; whoever is away gets the whole grace anew."""
        self.clock.go(now)
        self.idle_since = None
        at = self.clock.read(now)
        self._away = dict.fromkeys(self._away, at)

    def detach(self, key: Key, now: int) -> None:
        """The member's connection has ended; the member is away from now on."""
        gone = self.viewers.pop(key, None)
        if gone is not None:
            gone.others = ()
        self.miss(key, now)
        self._changed()
        if not self.viewers and not self.clock.stopped:
            self.clock.stop(now)
            self.idle_since = now

    def miss(self, key: Key, now: int) -> None:
        """Note a member who is not here."""
        self._away[key] = self.clock.read(now)

    def forget(self, key: Key, now: int) -> None:
        """Somebody is no member any more."""
        if key in self.viewers:
            self.detach(key, now)
        self._away.pop(key, None)

    def reset(self) -> None:
        """A new game begins: nobody has missed anything of it."""
        for viewer in self.viewers.values():
            viewer.seen = 0

    def broadcast(self, message: Outbound) -> None:
        payload = encode(message)
        for viewer in self:
            viewer.peer.send(payload)

    def dismiss(self, code: ByeCode, text: str, keys: Iterable[Key] | None = None) -> None:
        """Say goodbye to some viewers, or to all."""
        for viewer in self:
            if keys is None or viewer.key in keys:
                say_bye(viewer.peer, code, text)


def show_each(shared: bytes, viewers: Iterable[Viewer]) -> list[Viewer]:
    """Show each viewer the table in its ready own end; return who cannot take it."""
    return [viewer for viewer in viewers if not viewer.peer.show(shared, viewer.own)]


def say(peer: Peer, message: Outbound) -> None:
    peer.send(encode(message))


def say_bye(peer: Peer, code: ByeCode, text: str) -> None:
    say(peer, Bye(code=code, text=text, retry="never"))
    peer.close(1000, code)
