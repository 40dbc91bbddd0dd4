"""Does what is asked over the admin socket. It sees rooms from outside only."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypeVar, assert_never

from msgspec.structs import replace

from nana_core.text import CHAT_CELLS, flaw_in
from nana_server.admin.wire import (
    Announce,
    Answer,
    Backup,
    Close,
    Request,
    RoomLine,
    Rooms,
    done,
    refused,
)
from nana_server.herald import Herald
from nana_server.journal import DamagedRoom, Head
from nana_server.lobby import Lobby
from nana_server.room.room import Room

CODE_MOST: Final = 16
_LINES_AT_ONCE: Final = 512  # then games have their turn
_T = TypeVar("_T")

log = logging.getLogger("nana.admin")


class Copied(Protocol):
    """The journal, as far as it is known here."""

    def backup(self, path: Path, done: Callable[[str | None], None]) -> None: ...


class Clerk:
    """`clock` is the server's, in ms."""

    def __init__(
        self, lobby: Lobby, journal: Copied, herald: Herald, clock: Callable[[], int]
    ) -> None:
        self._lobby = lobby
        self._journal = journal
        self._herald = herald
        self._clock = clock

    async def do(self, request: Request) -> Answer:
        match request:
            case Backup():
                return await self._back_up(request.path)
            case Rooms():
                return await self._rooms(with_resting=request.all)
            case Close():
                return await self._close(request.room)
            case Announce():
                return self._announce(request.text)
            case _:
                assert_never(request)

    async def _back_up(self, said: str) -> Answer:
        path = Path(said)
        if "\0" in said or not path.is_absolute() or not path.name:
            return refused("bad_request", "A backup needs the whole path of a file.")
        why = await _answer_of(partial(self._journal.backup, path))
        if why is not None:
            return refused("no_backup", why)
        log.info("a backup was made")
        return replace(done(f"The backup is in {said}."), path=said)

    async def _rooms(self, *, with_resting: bool) -> Answer:
        lines: list[RoomLine] = []
        heads = self._lobby.at_rest()
        awake, resting = tuple(self._lobby), sum(1 for head in heads if head.damage is None)
        now, date = self._clock(), int(time.time())
        for room in awake:
            lines.append(_awake(room, now))
            await _breathe(len(lines))
        for head in heads if with_resting else [head for head in heads if head.damage]:
            lines.append(_at_rest(head, date))
            await _breathe(len(lines))
        answer = done(f"{_counted(len(awake), 'room')} awake, {resting} at rest.")
        ordered = tuple(sorted(lines, key=lambda line: line.room))
        return replace(answer, rooms=ordered, resting=resting)

    async def _close(self, said: str) -> Answer:
        code = said.strip().upper()
        if not (code.isascii() and code.isalnum() and len(code) <= CODE_MOST):
            return refused("bad_request", "That is no room's code: it has five letters.")
        room = await _answer_of(partial(self._lobby.fetch, code))
        if room is None:
            return refused("no_such_room", f"There is no room {code}.")
        if isinstance(room, DamagedRoom):
            return refused("damaged", f"{room} It is closed to everybody already.")
        people = len(room.audience)
        if not await _answer_of(room.shut):
            return refused("not_kept", f"Room {code} is open still: nothing can be saved now.")
        log.info("room %s was closed from outside", code)
        return replace(done(f"Room {code} is closed."), told=people)

    def _announce(self, text: str) -> Answer:
        flaw = flaw_in(text, CHAT_CELLS)
        if flaw is not None:
            return refused("bad_text", f"Nothing was announced: {flaw}.")
        people, rooms = self._herald.announce(text)
        log.info("an announcement went to %d people", people)
        told = f"Told {_counted(people, 'person', 'people')} in {_counted(rooms, 'room')}."
        return replace(done(told), told=people)


async def _answer_of(ask: Callable[[Callable[[_T], None]], object]) -> _T:
    """Wait for what is called back; whoever stops waiting is called for nothing."""
    answer: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
    ask(lambda what: None if answer.done() else answer.set_result(what))
    return await answer


async def _breathe(lines: int) -> None:
    if lines % _LINES_AT_ONCE == 0:
        await asyncio.sleep(0)


def _awake(room: Room, now: int) -> RoomLine:
    state, audience = room.state, room.audience
    sitting = [sitter for sitter in state.seats if sitter is not None and not sitter.left]
    connected = sum(1 for sitter in sitting if sitter.member in audience.connected)
    since = audience.idle_since
    return RoomLine(
        room=state.code,
        phase=state.phase,
        seats=state.options.seats,
        taken=len(sitting),
        connected=connected,
        watching=len(audience) - connected,
        idle=None if since is None else max(0, now - since) // 1000,
    )


def _at_rest(head: Head, date: int) -> RoomLine:
    if head.damage is not None:
        return RoomLine(head.room, "damaged")
    return RoomLine(head.room, "resting", idle=max(0, date - head.at))


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"
