"""A visit to a table: a server of our own where one is needed, and a session in its room.

The shell between the app and the network. It owns the order in which things begin
and end; what cannot begin is a sentence in the Ending.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Final, TypeAlias, get_args

from msgspec import Struct

from nana_client.address import Target, parse
from nana_client.entrance import Creating, Joining, Resuming, Watching, Way
from nana_client.hosting import CannotHost, Hosted, private, shared
from nana_client.session import Ending, OnChange, Session
from nana_client.start import HostRoom, JoinRoom, PlayBots, WatchRoom
from nana_client.store import SavedSeat, Secret, Store
from nana_core.protocol.inbound import Level, OptionChanges

DIED: Final = "server_died"  # the code of an ending: of a server that was started here
REVIVED_MOST: Final = 3
REVIVED_WITHIN: Final = 120.0  # seconds
NO_SEAT: Final = "No seat is saved. Join again by the link."
OPEN_THERE: Final = "That seat is open in another terminal. To have it here: nana resume --here"
HOSTED_THERE: Final = "That seat is open in the terminal that hosts the table. Go on there."
Goal: TypeAlias = PlayBots | HostRoom | JoinRoom | WatchRoom | SavedSeat


class Passport(Struct, frozen=True):
    """Who goes, and with what."""

    name: str
    store: Store
    password: Secret | None = None


class Revivals:
    """How often a server for friends that stopped by itself is started again.

    Its rooms are as they were; one that stops again and again is not worth a third try.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: list[float] = []

    def allow(self, goal: Goal, ending: Ending) -> bool:
        """Tell whether to go there again, after this ending; it counts."""
        if ending.code != DIED or not isinstance(goal, HostRoom):
            return False
        now = self._clock()
        self._since = [at for at in self._since if now - at < REVIVED_WITHIN][-REVIVED_MOST:]
        if len(self._since) >= REVIVED_MOST:
            return False
        self._since.append(now)
        return True


OnEnter: TypeAlias = Callable[[Session, Hosted | None], None]


async def visit(goal: Goal, passport: Passport, on_enter: OnEnter, on_change: OnChange) -> Ending:
    """Go there and stay until it is over. `on_enter` is told of each session before it runs."""
    try:
        async with _house(goal, passport.store) as hosted:
            ending = Ending(None, "")
            for target, way in _ways(goal, passport, hosted):
                store = None if isinstance(goal, PlayBots) else passport.store
                own = hosted is not None and hosted.shared and hosted.started
                session = Session(
                    target,
                    way,
                    store=store,
                    on_change=on_change,
                    own_server=own,
                    shelf=passport.store.records,
                    curious=True,
                    keeps=lambda: passport.store.settings().keep_games,
                )
                on_enter(session, hosted)
                ending = await _stay(session, hosted)
                if ending.code != "no_such_room":
                    break
            return ending
    except CannotHost as error:
        return Ending("cannot_host", str(error))


def link_of(goal: Goal, hosted: Hosted | None) -> str | None:
    """Return what somebody would type to go there; None where there is nothing to type."""
    match goal:
        case JoinRoom(target=target) | WatchRoom(target=target):
            return target.url
        case SavedSeat():
            return parse(goal.server).at(goal.room).url
        case HostRoom() if hosted is not None and not hosted.started:
            return hosted.target.url
        case _:
            return None


def back_to_seat(store: Store, *, here: bool = False) -> Goal | str:
    """Return the way to the seat used last, or the sentence that says why there is none.

    One that is open in another terminal is taken over only `here`, when that was asked for,
    and never from the terminal that hosts: a server ends with the seat that it was started for.
    """
    open_there = store.open_seat()
    free = None if here and open_there is not None else store.free_seat()
    if free is not None:
        return way_back(free)
    if open_there is None:
        return NO_SEAT
    if open_there.own_server:
        return HOSTED_THERE
    return open_there if here else OPEN_THERE


def way_back(seat: SavedSeat) -> Goal:
    """Return how to get back to a seat: one on a server of our own needs that server again."""
    if not seat.own_server:
        return seat
    return HostRoom(parse(seat.server).port)


async def _stay(session: Session, hosted: Hosted | None) -> Ending:
    """Stay until the session is over, or until the server that was started for it has died."""
    if hosted is None or not hosted.started:
        return await session.run()
    running = asyncio.create_task(session.run())
    watching = asyncio.create_task(hosted.ended())
    try:
        await asyncio.wait({running, watching}, return_when=asyncio.FIRST_COMPLETED)
        return running.result() if running.done() else Ending(DIED, watching.result())
    finally:
        for task in (running, watching):
            task.cancel()
        await asyncio.gather(running, watching, return_exceptions=True)


@asynccontextmanager
async def _house(goal: Goal, store: Store) -> AsyncIterator[Hosted | None]:
    """Have a server of our own for as long as the goal needs one."""
    match goal:
        case PlayBots():
            house = await private(store.folders)
        case HostRoom(port=port):
            house = await shared(port, store.folders)
        case _:
            yield None
            return
    async with house:
        yield house


def _ways(goal: Goal, passport: Passport, hosted: Hosted | None) -> Iterator[tuple[Target, Way]]:
    """Yield the ways to the goal, the better one first; the next is for when its room is gone."""
    name, secret = passport.name, passport.password
    match goal:
        case PlayBots(bots=bots, level=level) if hosted is not None:
            options = OptionChanges(seats=bots + 1, turn_time=0)  # nobody waits for who thinks
            yield (
                hosted.target,
                Creating(name=name, options=options, bots=bots, level=_level(level), start=True),
            )
        case HostRoom() if hosted is not None:
            for seat in passport.store.seats_in(hosted.target.server):
                if passport.store.is_free(seat):
                    yield hosted.target.at(seat.room), Resuming(saved=seat, password=secret)
            yield hosted.target, Creating(name=name, password=secret)
        case JoinRoom(target=target) if target.room is None:
            yield target, Creating(name=name, password=secret)
        case JoinRoom(target=target):
            yield target, Joining(name=name, password=secret)
        case WatchRoom(target=target):
            yield target, Watching(name=name, password=secret)
        case SavedSeat():
            yield parse(goal.server).at(goal.room), Resuming(saved=goal, password=secret)
        case _:
            raise AssertionError("a game of one's own has a server of its own")


def _level(level: str) -> Level:
    return next((known for known in get_args(Level) if known == level), "memory")
