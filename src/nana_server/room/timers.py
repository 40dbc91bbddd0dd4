"""What time leads to: events that are due, and when to look again.

All times are room time (ms), which stands still while nobody is connected and
while the game is paused, so nothing here fires into a frozen or finished game.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from nana_server.room import events as e
from nana_server.room.decide import dealing, next_host
from nana_server.room.state import Key, RoomState, seat_of, watchers

GRACE_MS: Final = 20_000  # away this long: a stand-in plays, a host's powers pass on
WATCHER_GRACE_MS: Final = 300_000  # a watcher who went away is forgotten


class Presence(Struct, frozen=True):
    """Who is connected, and since when the other members are away (room time, ms)."""

    connected: frozenset[Key]
    away: Mapping[Key, int]


def due(state: RoomState, presence: Presence, at: int) -> tuple[e.AnyEvent, ...]:
    """Return what is due, the first of it only: look again after it has happened."""
    if state.phase == "opening" and state.deadline is not None and at >= state.deadline:
        return (dealing(state),)
    return (
        _stand_in_due(state, presence, at)
        or _host_due(state, presence, at)
        or _watchers_due(state, presence, at)
    )


def next_due(state: RoomState, presence: Presence) -> int | None:
    """Return the room time at which `due` may have something to say, or None."""
    if not presence.away and state.host is not None:
        return state.deadline
    times = [] if state.deadline is None else [state.deadline]
    for key, since in presence.away.items():
        seat = seat_of(state, key)
        if seat is None:
            times.append(since + WATCHER_GRACE_MS)
        elif state.phase == "playing" and not state.paused and not _stands_in(state, seat):
            times.append(since + GRACE_MS)
    if state.host is None or state.host in presence.away:
        since = presence.away.get(state.host, -GRACE_MS) if state.host else -GRACE_MS
        if next_host(state, state.host, presence.connected) is not None:
            times.append(since + GRACE_MS)
    return min(times, default=None)


def _stand_in_due(state: RoomState, presence: Presence, at: int) -> tuple[e.AnyEvent, ...]:
    if state.phase != "playing" or state.game is None or state.paused:
        return ()
    on_turn = state.game.table.on_turn
    if state.deadline is not None and at >= state.deadline and not _stands_in(state, on_turn):
        return (e.StoodIn(on_turn, "time"),)
    for key, since in presence.away.items():
        seat = seat_of(state, key)
        if seat is not None and at >= since + GRACE_MS and not _stands_in(state, seat):
            return (e.StoodIn(seat, "away"),)
    return ()


def _host_due(state: RoomState, presence: Presence, at: int) -> tuple[e.AnyEvent, ...]:
    """Pass an absent host over after the grace; a room without one takes the next at once."""
    if state.host is not None:
        since = presence.away.get(state.host)
        if since is None or at < since + GRACE_MS:
            return ()
    heir = next_host(state, state.host, presence.connected)
    return () if heir is None else (e.HostGiven(heir),)


def _watchers_due(state: RoomState, presence: Presence, at: int) -> tuple[e.AnyEvent, ...]:
    seated_away = watchers(state) if presence.away else ()
    return tuple(
        e.Left(key, "gone")
        for key in seated_away
        if at >= presence.away.get(key, at) + WATCHER_GRACE_MS
    )


def _stands_in(state: RoomState, seat: int) -> bool:
    sitter = state.seats[seat]
    return sitter is None or sitter.played_by_server
