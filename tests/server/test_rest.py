"""Rooms at rest: they leave memory, are read when somebody comes, and end when nobody does."""

import gc
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.lobby import REST_AFTER_MS
from server.house_fixture import Friend, company
from server.lasting_house import LastingHome

if TYPE_CHECKING:
    from nana_server.room.room import Room


def test_a_quiet_room_leaves_memory(tmp_path: Path) -> None:
    """Nothing holds it any more but its head; who is there keeps the room awake."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 2)
        busy = company(home, 2)
        room: weakref.ref[Room] = weakref.ref(friends[0].room)
        for friend in (*friends, busy[1]):
            friend.drop()
        home.sweep()
        home.advance(REST_AFTER_MS - 1)
        home.sweep()
        assert len(home.lobby) == 2
        home.advance(1)
        home.sweep()
        assert [it.code for it in home.lobby] == [busy[0].code]
        for line in home.lines:
            if not line.open:
                line.context = None  # as a closed connection goes, and with it its client
        gc.collect()
        assert room() is None


def test_all_who_ask_while_a_room_is_read_get_it(tmp_path: Path) -> None:
    """It is read once, and everybody is in the same room."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 4)
        home.restart()
        for friend in friends:
            friend.arrive(friend.code)
            friend.line.say(i.Resume(protocol=1, token=friend.token))
        friends[3].line.hang_up()
        home.settle()
        for friend in friends[:3]:
            assert [seat.online for seat in friend.shot.seats] == [True] * 3 + [False]
        assert len(home.lobby) == 1


def test_a_creators_token_finds_the_room_after_a_restart(tmp_path: Path) -> None:
    """The answer to `create` was lost with the server: the same token gets the same room."""
    with LastingHome(tmp_path) as home:
        host = Friend(home, "Ada").create()
        code = host.code
        home.restart()
        host.create()
        assert host.code == code
        assert host.shot.you.host


def test_a_room_that_closed_while_the_server_died_is_gone(tmp_path: Path) -> None:
    """It was closed for good, and its creator opens another one."""
    with LastingHome(tmp_path) as home:
        host = Friend(home, "Ada").create()
        code, forget = host.code, home.disk.forget
        home.disk.forget = lambda room: None  # type: ignore[method-assign]
        host.say(i.Close())
        home.disk.forget = forget  # type: ignore[method-assign]
        home.restart()
        assert home.lobby.resting == 1
        host.create()
        assert host.code not in {"", code}
        friend = Friend(home, "Ben")
        assert [it.code for it in friend.join(code) if isinstance(it, o.Error)] == ["no_such_room"]
        home.restart()
        assert home.lobby.resting == 1


def test_a_room_at_rest_ends_when_nobody_came_for_long(tmp_path: Path) -> None:
    """By the wall clock, through restarts; a room that was visited begins anew."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 2)
        visited = company(home, 2)
        home.restart(downtime=20 * 86_400_000)
        visited[0].resume()
        visited[0].drop()
        home.sweep()
        home.advance(REST_AFTER_MS)
        home.sweep()
        assert home.lobby.resting == 2
        home.date += 11 * 86_400
        home.sweep()
        assert home.lobby.resting == 1
        assert [it.code for it in friends[0].resume() if isinstance(it, o.Error)] == [
            "no_such_room"
        ]
        visited[0].resume()
        assert visited[0].shot.you.host
