"""All rooms of a server, without I/O: create, find, list, let go."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from nana_core.fair import SECRET_BYTES
from nana_core.protocol.inbound import OptionChanges
from nana_server.room.decide import BETWEEN_GAMES
from nana_server.room.events import Created
from nana_server.room.evolve import changed
from nana_server.room.room import House, Room
from nana_server.room.state import Key, Options, watchers

CODE_LENGTH: Final = 5
ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look like another
_TRIES: Final = 100


class Listed(Struct, frozen=True):
    """A public room, as strangers see it."""

    room: str
    phase: str
    seats: int
    taken: int
    watching: int
    memory: str


class Lobby:
    def __init__(self, house: House, rooms_most: int) -> None:
        self._house = house
        self._rooms_most = rooms_most
        self._rooms: dict[str, Room] = {}
        self._creators: dict[Key, Room] = {}
        self._creator_of: dict[str, Key] = {}  # by code; a sweep may let thousands go at once

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def full(self) -> bool:
        return len(self._rooms) >= self._rooms_most

    def create(self, key: Key, options: OptionChanges) -> Room:
        """Open a room that nobody is in yet; the caller asks `full` first."""
        code = self._new_code()
        seed = self._house.entropy(SECRET_BYTES)
        room = Room(Created(code, changed(Options(), options), seed), self._house)
        self._rooms[code] = self._creators[key] = room
        self._creator_of[code] = key
        return room

    def created_by(self, key: Key) -> Room | None:
        """Return the room that this token created: the answer may have been lost."""
        return self._creators.get(key)

    def find(self, code: str) -> Room | None:
        return self._rooms.get(code.upper())

    def forget(self, room: Room) -> None:
        """A room has ended, or never came to be."""
        if self._rooms.get(room.code) is room:
            del self._rooms[room.code]
            creator = self._creator_of.pop(room.code)
            if self._creators.get(creator) is room:
                del self._creators[creator]
            self._house.journal.forget(room.code)

    def listed(self) -> tuple[Listed, ...]:
        """Public rooms where somebody is, those with free seats first."""
        rooms = [room for room in self if room.state.options.public and room.audience]
        listed = [_listed(room) for room in rooms]
        return tuple(sorted(listed, key=lambda it: (not _has_place(it), it.room)))

    def sweep(self, now: int, idle_most: int) -> None:
        """Let go of rooms that have been empty for `idle_most` (ms)."""
        for room in self:
            since = room.audience.idle_since
            if since is not None and now - since >= idle_most:
                room.expire()

    def _new_code(self) -> str:
        for _ in range(_TRIES):
            code = "".join(self._letter() for _ in range(CODE_LENGTH))
            if code not in self._rooms:
                return code
        raise AssertionError("no free room code among millions")

    def _letter(self) -> str:
        """Draw one letter evenly: bytes past the last whole multiple are thrown away."""
        whole = 256 - 256 % len(ALPHABET)
        while (byte := self._house.entropy(1)[0]) >= whole:
            pass
        return ALPHABET[byte % len(ALPHABET)]


def _listed(room: Room) -> Listed:
    state = room.state
    taken = sum(1 for sitter in state.seats if sitter is not None and not sitter.left)
    return Listed(
        room=state.code,
        phase=state.phase,
        seats=state.options.seats,
        taken=taken,
        watching=len(room.audience.connected.intersection(watchers(state))),
        memory=state.options.memory,
    )


def _has_place(room: Listed) -> bool:
    return room.phase in BETWEEN_GAMES and room.taken < room.seats
