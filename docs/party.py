"""An evening at a real server, for the pictures: its desk and room, and its clients' places.

Everything goes over as bytes, as it does behind sockets; only the sockets are left
out, and the clock moves when told to, so that the same evening comes out every time.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from make_transcript import Socket
from nana_bots.mind import LEVELS, Player
from nana_client.entrance import Creating, Joining, Watching, Way
from nana_client.model import Model
from nana_client.place import Place
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import encode
from nana_core.protocol.outbound import Outbound, Recorded, Snapshot
from nana_server.config import Config
from nana_server.desk import Desk
from nana_server.journal import MemoryJournal
from nana_server.lobby import Lobby
from nana_server.pages import Pages
from nana_server.room.room import Room
from nana_server.room.work import House

THINKING: Final = 4_000  # ms from one act of a person to the next
LATENCY: Final = 23


class Guest:
    """A person: what the client keeps of a place, and a mind that plays from what it is shown."""

    def __init__(self, way: Way, chance: Random) -> None:
        self.place = Place(way, chance.randbytes)
        self.mind = Player(LEVELS["memory"](Random(chance.random())))
        self.answer: i.Reveal | i.Continue | None = None

    @property
    def model(self) -> Model:
        """Return what the screens would be drawn from."""
        return replace(self.place.model, connection="open", latency_ms=LATENCY)

    def hear(self, message: Outbound, now: int) -> None:
        self.place.receive(message, now)
        if isinstance(message, Recorded):
            self.place.look_back(message)
        if isinstance(message, Snapshot):
            self.answer = self.mind.receive(message)


class Party:
    """A server, the people at one of its tables, and the time."""

    def __init__(self, seed: int) -> None:
        self.now = 86_400_000  # ms
        self.guests: dict[str, Guest] = {}
        self._chance = Random(seed)
        self._soon: list[Callable[[], object]] = []
        self._alarms: dict[Room, int] = {}
        self._sockets: dict[str, Socket] = {}
        house = House(
            journal=MemoryJournal(self._soon.append),
            clock=lambda: self.now,
            entropy=self._chance.randbytes,
            alarm=self._set_alarm,
            ended=lambda _room: None,
            url_of=lambda _code: None,
        )
        self._lobby = Lobby(house, 1)
        pages = Pages(self._lobby.listed, None)
        self._desk = Desk(self._lobby, Config(), lambda: self.now, pages)

    @property
    def code(self) -> str:
        return next(iter(self._lobby)).code

    def host(self, name: str, **options: Any) -> None:
        way = Creating(name=name, options=i.OptionChanges(**options))
        self._come(name, "/", way)

    def join(self, name: str) -> None:
        self._come(name, f"/r/{self.code}", Joining(name=name))

    def watch(self, name: str) -> None:
        self._come(name, f"/r/{self.code}", Watching(name=name))

    def does(self, name: str, message: i.Message) -> None:
        """Let somebody act, and let what comes of it arrive everywhere."""
        self.guests[name].place.act(message)
        self._settle()

    def recalls(self, name: str) -> None:
        """Let somebody ask for the game that is over, to look at it again."""
        self.guests[name].place.recall()
        self._settle()

    def play(self) -> Iterator[None]:
        """Play the game to its end; a moment comes after every action."""
        yield
        while not self._over:
            self.wait(THINKING)
            for name, guest in self.guests.items():
                if guest.answer is not None:
                    self.does(name, guest.answer)
                    break
            yield

    @property
    def _over(self) -> bool:
        return all(room.state.phase == "over" for room in self._lobby)

    def wait(self, ms: int) -> None:
        """Let time pass; what is due on the way happens at its time."""
        end = self.now + ms
        while self._alarms and (soonest := min(self._alarms.values())) <= end:
            self.now = max(self.now, soonest)
            for room in [room for room, at in self._alarms.items() if at <= self.now]:
                del self._alarms[room]
                room.tick()
            self._settle()
            if any(guest.answer is not None for guest in self.guests.values()):
                return  # somebody is on turn; the rest of the time is theirs
        self.now = end

    def _come(self, name: str, path: str, way: Way) -> None:
        guest = self.guests[name] = Guest(way, self._chance)
        self._sockets[name] = socket = Socket(name, path, self._deliver)
        self._desk.opened(socket)
        self._settle()
        if guest.place.room is None:
            raise AssertionError(f"{name} was not let in")

    def _deliver(self, name: str, message: dict[str, Any]) -> None:
        self.guests[name].hear(
            msgspec.json.decode(msgspec.json.encode(message), type=Outbound), self.now
        )

    def _settle(self) -> None:
        """Let commits complete and answers go out until nothing moves."""
        moved = True
        while moved:
            moved = False
            while self._soon:
                self._soon.pop(0)()
                moved = True
            for name, guest in self.guests.items():
                said, guest.place.outbox = guest.place.outbox, []
                for message in said:
                    self._desk.received(self._sockets[name], encode(message))
                    moved = True

    def _set_alarm(self, room: Room) -> None:
        if room.wake_at is not None:
            self._alarms[room] = room.wake_at
