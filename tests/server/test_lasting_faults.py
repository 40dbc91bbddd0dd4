"""A disk that is damaged, full or somebody else's: what the rooms above it do."""

import sqlite3
import time
from pathlib import Path
from random import Random

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.room import events as e
from nana_server.room.events import JOURNAL_FORMAT
from nana_server.sqlite import store as store_module
from nana_server.sqlite.opening import open_file
from nana_server.sqlite.orders import Append, Full, StaleOwner, Well
from nana_server.sqlite.store import Store
from server.house_fixture import Friend, begin, company, finish, on_turn, step_of
from server.lasting_house import LastingHome, creator_of, shots
from server.sqlite_fixture import change


def errors(said: list[o.Outbound]) -> list[o.Error]:
    return [it for it in said if isinstance(it, o.Error)]


# Damage.


def test_a_damaged_room_is_named_and_the_others_live(tmp_path: Path) -> None:
    """Whoever comes to it is told which room and that it cannot be read; nothing is deleted."""
    with LastingHome(tmp_path) as home:
        friends, others = company(home, 2), company(home, 2)
        code = friends[0].code
        friends[0].say(i.Chat(text="Hello!"))
        home.disk.close()
        change(tmp_path, "UPDATE entries SET entry = x'00' WHERE room = ? AND seq = 1", code)
        home._begin()
        for _ in range(2):
            (error,) = errors(friends[0].resume())
            assert error.code == "unavailable"
            assert code in error.text
        for friend in others:
            friend.resume()
        begin(others)
        finish(others)
        home.date += 365 * 86_400
        home.sweep()
        assert home.lobby.resting == 1


def test_an_entry_that_makes_no_sense_sets_its_room_aside(tmp_path: Path) -> None:
    """Kept as it was written, but by nobody we know: the same words, and the others live."""
    with LastingHome(tmp_path) as home:
        friends, riddle, others = company(home, 2), company(home, 2), company(home, 2)
        tables = {it[0].code: it[0].room.entries for it in (friends, riddle)}
        home.disk.close()
        store = Store(tmp_path, JOURNAL_FORMAT, creator_of)
        absurd = e.encode_entry(e.Entry(1, 1, (e.Continued(0),)))  # no game is on
        steps = [
            Append(code, store.epoch, seq, entry, lambda _: None)
            for (code, seq), entry in zip(tables.items(), (b"\xc1", absurd), strict=True)
        ]
        assert store.commit(steps, int(time.time())) == [None, None]
        store.close()
        home._begin()
        for table in (friends, riddle):
            for friend in table:
                assert [it.code for it in errors(friend.resume())] == ["unavailable"]
        others[0].resume()
        assert others[0].shot.you.host


# No space.


@pytest.fixture
def space(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Limit a journal to so many pages; what is changed counts from the next probe on."""
    pages, probe = [10_000], Store.probe

    def limited(folder: Path, entries_format: int) -> sqlite3.Connection:
        connection = open_file(folder, entries_format)
        connection.execute(f"PRAGMA max_page_count = {pages[0]}")
        return connection

    def find_out(self: Store) -> None:
        self._connection.execute(f"PRAGMA max_page_count = {pages[0]}")
        probe(self)

    monkeypatch.setattr(store_module, "open_file", limited)
    monkeypatch.setattr(Store, "probe", find_out)
    return pages


def test_a_full_disk_refuses_and_heals(
    tmp_path: Path, space: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    """Who acts is told `unavailable`, nobody sees anything, and it goes on with space.

    The log has one line of it, however often and wherever something could not be kept.
    """
    caplog.set_level("INFO")
    space[0] = 24
    with LastingHome(tmp_path) as home:
        friends = company(home, 2, turn_time=30)
        begin(friends)
        number = 0
        while not errors(friends[0].say(i.Chat(text="x" * 100, id=f"{number}"))):
            number += 1
        assert [type(report) for report in home.disk.reports] == [Full]
        state, seen = friends[0].state, [len(shots(friend)) for friend in friends]
        refused = step_of(on_turn(friends), Random(1))
        actor = on_turn(friends)
        assert [it.code for it in errors(actor.say(refused))] == ["unavailable"]
        assert friends[0].refused(i.Chat(text="x", id=f"{number}")) == "unavailable"
        home.advance(35_000)  # a stand-in is due, and cannot be kept either
        assert friends[0].state == state
        assert [len(shots(friend)) for friend in friends] == seen
        grave = [it.getMessage() for it in caplog.records if it.levelname != "INFO"]
        assert grave == ["There is no space left to save games."]
        space[0] = 10_000
        while not isinstance(home.disk.reports[-1], Well):
            home.disk.turn()
        home.advance(1500)
        assert any(seat.stand_in for seat in friends[0].shot.seats)
        assert not errors(actor.say(refused))
        assert friends[0].state.step > state.step
        finish(friends)
        over = friends[0].state
        home.restart()
        friends[0].resume()
        assert friends[0].state == over


def test_a_room_is_not_made_on_a_full_disk(tmp_path: Path, space: list[int]) -> None:
    """Its creator is told to try again, and nothing of it stays."""
    space[0] = 20
    with LastingHome(tmp_path) as home:
        host = Friend(home, "Ada").create()
        while not errors(host.say(i.Chat(text="x" * 100))):
            pass
        friend = Friend(home, "Ben")
        friend.create()
        assert [it.code for it in friend.line.all_of(o.Error)] == ["unavailable"]
        assert len(home.lobby) == 1
        space[0] = 10_000
        while not isinstance(home.disk.reports[-1], Well):
            home.disk.turn()
        friend.create()
        assert friend.shot.you.host


# Somebody else.


def test_a_room_that_somebody_else_took_over_is_read_anew(tmp_path: Path) -> None:
    """Who acted is not told that it happened; everybody comes back to what was kept."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 3)
        room, others = friends[0].room, company(home, 2)
        said = e.Said(friends[1].key, "from elsewhere")
        entry = e.Entry(room._room_time(), room.version, (said,))
        home.disk.append(room.code, room.entries, e.encode_entry(entry), lambda ok: None)
        home.settle()
        friends[0].say(i.Chat(text="lost", id="lost"))
        assert [type(report) for report in home.disk.reports] == [StaleOwner]
        home.lobby.lose(room.code, home.date)
        assert not friends[0].line.all_of(o.Ack)
        for friend in friends:
            assert [it.code for it in friend.line.all_of(o.Bye)] == ["restart"]
        home.settle()
        for friend in friends:
            friend.resume()
            assert [line.text for line in friend.line.all_of(o.ChatLine)] == ["from elsewhere"]
        assert friends[0].room is not room
        friends[0].say(i.Chat(text="lost", id="lost"))
        assert [line.text for line in friends[2].state.chat] == ["from elsewhere", "lost"]
        for friend in friends:
            order = [(shot.epoch, shot.version) for shot in shots(friend)]
            assert order == sorted(set(order))
        begin(friends)
        finish(friends)
        assert all(friend.line.open for friend in others)


def test_a_room_that_was_taken_over_plays_no_robot_any_more(tmp_path: Path) -> None:
    """Until its last connection is gone, nothing of the old history goes on."""
    with LastingHome(tmp_path) as home:
        host = Friend(home, "Ada").create(turn_time=30)
        host.say(i.AddBot(level="random"))
        begin([host])
        room = host.room
        host.line.lingers = True
        home.lobby.lose(room.code, home.date)
        entries = len(home.disk.entries(room.code))
        home.advance(120_000)
        assert len(home.disk.entries(room.code)) == entries
        assert home.disk.reports == []
