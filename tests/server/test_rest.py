"""Rooms at rest: they leave memory, are read when somebody comes, and end when nobody does."""

import gc
import time
import tracemalloc
import weakref
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.desk import key_of
from nana_server.lobby import ALPHABET, CODE_LENGTH, REST_AFTER_MS
from nana_server.room.events import JOURNAL_FORMAT, Created, Entry, Joined, encode_entry
from nana_server.room.state import Options
from nana_server.sqlite.orders import Append
from nana_server.sqlite.store import Store
from server.house_fixture import Friend, company
from server.lasting_house import LastingHome, creator_of

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


# Many.

MANY: Final = 10_000
START_SECONDS: Final = (
    10.0  # of our own time; a twentieth of a second is usual for each thousand rooms
)
WAKE_SECONDS: Final = 0.5  # a millisecond is usual
ROOM_BYTES: Final = 2048  # half of it is usual


def test_ten_thousand_rooms_at_rest(tmp_path: Path) -> None:
    """A server starts on them at once, has little of each in memory, and wakes who is asked for."""
    codes = ["".join(letters) for letters in islice(product(ALPHABET, repeat=CODE_LENGTH), MANY)]
    rooms = {code: fake_token(code) for code in codes}
    store = Store(tmp_path, JOURNAL_FORMAT, creator_of)
    for some in batched(codes, 500):
        steps = [Append(code, 1, 0, opened(code, rooms[code]), lambda _: None) for code in some]
        assert set(store.commit(steps, int(time.time()))) == {None}
    store.close()
    gc.collect()
    tracemalloc.start()
    began = time.process_time()
    with LastingHome(tmp_path) as home:
        assert time.process_time() - began < START_SECONDS
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert taken < MANY * ROOM_BYTES
        assert (len(home.lobby), home.lobby.resting) == (0, MANY)
        friend = Friend(home, "Ada")
        friend.code, friend.token = codes[4321], rooms[codes[4321]]
        began = time.process_time()
        friend.resume()
        assert time.process_time() - began < WAKE_SECONDS
        assert friend.shot.you.seat == "A"
        assert (len(home.lobby), home.lobby.resting) == (1, MANY - 1)


def fake_token(code: str) -> str:
    return code.encode().hex().ljust(32, "0")


def opened(code: str, token: str) -> bytes:
    """Return the one entry of a room that somebody has opened."""
    key = key_of(token)
    joined = Joined(key, "Ada", "person", 0, None)
    return encode_entry(Entry(0, 1, (Created(code, Options(), bytes(32)), joined), key))


def batched(codes: list[str], size: int) -> Iterator[list[str]]:
    return (codes[at : at + size] for at in range(0, len(codes), size))
