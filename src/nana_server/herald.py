"""Tells every room at once what concerns the whole server: announcements, and a full disk.

A disk that is full and has a little space again in turn is told once: that all is well is
said when it has been for a while. Rooms are told some at a time, so that games go on.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from nana_core.protocol.codec import encode
from nana_core.protocol.outbound import Notice
from nana_server.lobby import Lobby
from nana_server.room.notices import READ_ONLY, SAVING, announcement
from nana_server.room.room import Room
from nana_server.sqlite.orders import Full, Health, Well

WELL_AFTER: Final = 5.0  # seconds
_ROOMS_AT_ONCE: Final = 256


class Herald:
    def __init__(self, loop: asyncio.AbstractEventLoop, rooms: Callable[[], Lobby]) -> None:
        self._loop = loop
        self._rooms = rooms
        self._told_full = False
        self._relief: asyncio.TimerHandle | None = None

    def trouble(self) -> Notice | None:
        """Return what whoever comes in now has to know."""
        return READ_ONLY if self._told_full and self._relief is None else None

    def announce(self, text: str) -> tuple[int, int]:
        """Tell everybody who is in a room; return how many they are, and in how many rooms."""
        rooms = [room for room in self._rooms() if room.audience]
        self._tell(rooms, announcement(text))
        return sum(len(room.audience) for room in rooms), len(rooms)

    def report(self, health: Health) -> None:
        """Hear how the journal is; a broken one ends the server, which says so itself."""
        if self._relief is not None:
            self._relief.cancel()
            self._relief = None
        if isinstance(health, Full) and not self._told_full:
            self._told_full = True
            self._tell(tuple(self._rooms()), READ_ONLY)
        elif isinstance(health, Well) and self._told_full:
            self._relief = self._loop.call_later(WELL_AFTER, self._relieve)

    def close(self) -> None:
        if self._relief is not None:
            self._relief.cancel()

    def _relieve(self) -> None:
        self._relief, self._told_full = None, False
        self._tell(tuple(self._rooms()), SAVING)

    def _tell(self, rooms: Sequence[Room], notice: Notice) -> None:
        self._tell_some(iter(rooms), encode(notice))

    def _tell_some(self, rooms: Iterator[Room], notice: bytes) -> None:
        some = tuple(islice(rooms, _ROOMS_AT_ONCE))
        for room in some:
            room.announce(notice)
        if some:
            self._loop.call_soon(self._tell_some, rooms, notice)
