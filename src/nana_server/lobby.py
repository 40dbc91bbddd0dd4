"""All rooms of a server, without I/O: create, find, list, let go."""

import logging
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from nana_core.fair import SECRET_BYTES
from nana_core.protocol.inbound import OptionChanges
from nana_server.journal import DamagedRoom, Head, LastingJournal
from nana_server.room.decide import BETWEEN_GAMES
from nana_server.room.events import Created
from nana_server.room.evolve import changed
from nana_server.room.room import Room
from nana_server.room.state import Key, Options, watchers
from nana_server.room.work import House
from nana_server.tally import Tally

CODE_LENGTH: Final = 5
ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look like another
REST_AFTER_MS: Final = 300_000  # without anybody; then only the journal keeps the room
# What entries raise that no server of this version has written, though their hashes hold.
UNREADABLE: Final = (msgspec.MsgspecError, AssertionError, LookupError, TypeError, ValueError)
_TRIES: Final = 100

Found: TypeAlias = Callable[[Room | DamagedRoom | None], None]

log = logging.getLogger("nana.lobby")


class Listed(Struct, frozen=True):
    """A public room, as strangers see it."""

    room: str
    phase: str
    seats: int
    taken: int
    watching: int
    memory: str


class Lobby:
    """Rooms that are awake, in memory, and rooms at rest, which only the journal knows.

    With a journal that lasts, a room that nobody is in goes to rest and comes back with
    the next who asks for it. Times are the server's clock in ms, but `Head.at` (s) is a date.
    """

    def __init__(
        self, house: House, rooms_most: int, lasting: LastingJournal | None = None
    ) -> None:
        self._house = house
        self._rooms_most = rooms_most
        self._lasting = lasting
        self._rooms: dict[str, Room] = {}
        self._resting = {head.room: head for head in lasting.heads()} if lasting else {}
        self._creators = {head.creator: code for code, head in self._resting.items()}
        self._creator_of: dict[str, Key] = {}  # by code; a sweep may let thousands go at once
        self._loading: dict[str, list[Found]] = {}
        self._deserted: dict[str, int] = {}

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def tally(self) -> Tally:
        return self._house.tally

    @property
    def full(self) -> bool:
        return len(self._rooms) >= self._rooms_most

    @property
    def resting(self) -> int:
        """How many rooms only the journal knows."""
        return len(self._resting)

    def at_rest(self) -> tuple[Head, ...]:
        """Return the rooms that only the journal knows."""
        return tuple(self._resting.values())

    def create(self, key: Key, options: OptionChanges) -> Room:
        """Open a room that nobody is in yet; the caller asks `full` first."""
        code = self._new_code()
        fixed = self._house.fixed_seed
        seed = self._house.entropy(SECRET_BYTES) if fixed is None else fixed
        created = Created(code, changed(Options(), options), seed, fixed is not None)
        room = Room(created, self._house)
        self._rooms[code] = room
        self._creators[key] = code
        self._creator_of[code] = key
        return room

    def created_by(self, key: Key) -> str | None:
        """Return the code of the room that this token created: the answer may have been lost."""
        return self._creators.get(key)

    def find(self, code: str) -> Room | None:
        """Return a room that is awake."""
        return self._rooms.get(code.upper())

    def fetch(self, code: str, found: Found) -> None:
        """Call `found` with a room: at once when it is awake, else when it has been read.

        It gets None where there is no such room, and DamagedRoom where it cannot be read.
        """
        code = code.upper()
        room, head = self._rooms.get(code), self._resting.get(code)
        if room is not None or head is None or self._lasting is None:
            found(room)
        elif head.damage is not None:
            found(DamagedRoom(code, head.damage))
        elif code in self._loading:
            self._loading[code].append(found)
        else:
            self._loading[code] = [found]
            self._lasting.load(code, lambda entries: self._loaded(head, entries))

    def _loaded(self, head: Head, entries: tuple[bytes, ...] | DamagedRoom | None) -> None:
        waiting = self._loading.pop(head.room)
        room = self._wake(head, entries) if isinstance(entries, tuple) else entries
        if room is None:
            self._resting.pop(head.room, None)
            self._creators.pop(head.creator, None)
        elif isinstance(room, DamagedRoom):
            self._resting[head.room] = replace(head, damage=room.why)
            log.warning("room %s is set aside: %s", head.room, room.why)
        for found in waiting:
            found(room)

    def _wake(self, head: Head, entries: tuple[bytes, ...]) -> Room | DamagedRoom | None:
        code = head.room
        try:
            room = Room.restored(entries, self._house, head.version)
        except UNREADABLE as error:
            return DamagedRoom(code, f"an entry cannot be read: {error}")
        if room.state.closed:  # the server ended before it could forget it
            self._house.journal.forget(code)
            return None
        del self._resting[code]
        self._rooms[code], self._creator_of[code] = room, head.creator
        return room

    def forget(self, room: Room) -> None:
        """A room has ended, or never came to be."""
        if self._rooms.get(room.code) is room:
            creator = self._drop(room)
            if self._creators.get(creator) == room.code:
                del self._creators[creator]
            self._house.journal.forget(room.code)

    def lose(self, code: str, date: int) -> None:
        """Somebody else has appended to a room: what is here of it is an older history."""
        room = self._rooms.get(code)
        if room is not None:
            self._put_to_rest(room, date)
            room.abandon()

    def _drop(self, room: Room) -> Key:
        del self._rooms[room.code]
        self._deserted.pop(room.code, None)
        return self._creator_of.pop(room.code)

    def listed(self) -> tuple[Listed, ...]:
        """Public rooms where somebody is, those with free seats first."""
        rooms = [room for room in self if room.state.options.public and room.audience]
        listed = [_listed(room) for room in rooms]
        return tuple(sorted(listed, key=lambda it: (not _has_place(it), it.room)))

    def sweep(self, now: int, idle_most: int, date: int = 0) -> None:
        """End rooms that no player has been in for `idle_most` (ms); let quiet ones rest.

        `date` is the wall clock (s), by which rooms at rest are as old as their last entry.
        """
        for room in self:
            since = self._without_players_since(room, now)
            if since is not None and now - since >= idle_most:
                room.expire()
            elif self._lasting and since is not None and now - since >= REST_AFTER_MS:
                self._rest(room, date)
        for head in tuple(self._resting.values()):
            quiet = date - head.at >= idle_most // 1000
            if quiet and head.damage is None and head.room not in self._loading:
                del self._resting[head.room]
                self._creators.pop(head.creator, None)
                self._house.journal.forget(head.room)

    def _without_players_since(self, room: Room, now: int) -> int | None:
        """Return since when no seated member has been here; watchers alone keep no room."""
        if room.has_players:
            self._deserted.pop(room.code, None)
            return None
        since = room.audience.idle_since
        return since if since is not None else self._deserted.setdefault(room.code, now)

    def _rest(self, room: Room, date: int) -> None:
        if room.is_at_rest:
            self._put_to_rest(room, date)

    def _put_to_rest(self, room: Room, date: int) -> None:
        creator = self._drop(room)
        self._resting[room.code] = Head(
            room.code, room.entries, creator, date, version=room.version
        )

    def _new_code(self) -> str:
        for _ in range(_TRIES):
            code = "".join(self._letter() for _ in range(CODE_LENGTH))
            if code not in self._rooms and code not in self._resting:
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
