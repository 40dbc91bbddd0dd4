"""A room that is played for years: now and then one entry stands for all before it."""

from pathlib import Path
from random import Random

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.room import events as e
from nana_server.room import room as room_module
from nana_server.room.room import Room
from server.house_fixture import Friend, Home, act, begin, company, finish
from server.lasting_house import LastingHome, wake


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sum up after every game."""
    monkeypatch.setattr(room_module, "SUMMED_AFTER", 1)


def evening(friends: list[Friend], games: int) -> None:
    """Play so many games to their end, one after the other, with all that goes on around."""
    for _ in range(games):
        if friends[0].state.phase == "over":
            for friend in friends:
                friend.say(i.Rematch(nonce_hash=friend.commitment()))
        begin(friends)
        act(friends, Random(1))
        finish(friends)
        number = friends[0].state.number
        friends[1].say(i.Chat(text=f"game {number}", id=f"said {number}"))


def kinds(home: Home, room: Room) -> list[type]:
    entries = map(e.decode_entry, home.journal.entries(room.code))
    return [type(event) for entry in entries for event in entry.events]


def test_what_came_before_is_not_kept() -> None:
    """However many games were played, the journal has a summary and what came after it."""
    home = Home()
    friends = company(home, 2, nonce=True)
    for _ in range(3):
        evening(friends, 1)
        assert kinds(home, friends[0].room)[0] is e.Summary
        assert len(kinds(home, friends[0].room)) <= 2
    assert friends[0].room.entries > 20


def test_a_short_room_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a thousand entries all is kept as it happened."""
    monkeypatch.undo()
    home = Home()
    friends = company(home, 2)
    evening(friends, 3)
    assert e.Summary not in kinds(home, friends[0].room)


def test_nobody_notices() -> None:
    """A summary shows nothing and moves no version; what comes meanwhile is done after it."""
    home = Home()
    friends = company(home, 2)
    begin(friends)
    home.journal.delay = None
    finishing = friends[0].room
    while finishing.state.phase != "over":
        home.release()
        if finishing.state.phase == "playing" and not home.journal.waiting:
            finish_some(friends)
    (summing,) = home.journal.waiting
    assert summing.anew
    version, heard = finishing.version, [len(friend.line.messages) for friend in friends]
    friends[1].line.say(i.Chat(text="well played"))
    home.release()
    assert finishing.version == version
    assert [len(friend.line.messages) for friend in friends] == heard
    home.release()
    for friend, before in zip(friends, heard, strict=True):
        (line,) = friend.line.messages[before:]
        assert isinstance(line, o.ChatLine)


def finish_some(friends: list[Friend]) -> None:
    """Send the next step of whoever is on turn; nothing is kept yet."""
    from server.house_fixture import on_turn, step_of  # noqa: PLC0415 - only here

    friend = on_turn(friends)
    wait = friend.state.not_before
    if wait is not None:
        friend.home.advance(max(0, wait - friend.room._room_time()))
    friend.line.say(step_of(friend, Random(friends[0].state.step)))


def test_one_that_was_not_kept_is_tried_again() -> None:
    """Without space the room goes on as it is, and is summed up when there is some."""
    home = Home()
    friends = company(home, 2)
    begin(friends)
    home.journal.delay = None
    while friends[0].state.phase != "over":
        home.release()
        if friends[0].state.phase == "playing" and not home.journal.waiting:
            finish_some(friends)
    home.release(ok=False)
    home.journal.delay = 0
    assert e.Summary not in kinds(home, friends[0].room)
    friends[0].say(i.Chat(text="again?"))
    assert kinds(home, friends[0].room) == [e.Summary]


def test_a_summed_up_room_comes_back_as_it_was(tmp_path: Path) -> None:
    """State, ids, records, version and talk; and the evening goes on from there."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 3, nonce=True, memory="open")
        evening(friends, 3)
        room = friends[0].room
        ids = {key: dict(used) for key, used in room._ids.all.items()}
        before = room.state, room.version, room.entries, room._chronicle.games
        record = room._chronicle.last
        home.restart()
        wake(friends[0])
        again = friends[0].room
        assert again is not room
        assert (again.state, again.version, again.entries, again._chronicle.games) == before
        assert again._chronicle.last == record is not None
        assert {key: dict(used) for key, used in again._ids.all.items()} == ids
        for friend in friends:
            friend.resume()
        assert friends[1].shot.result is not None
        (ack,) = friends[1].say(i.Chat(text="game 3", id="said 3"))
        assert isinstance(ack, o.Ack)
        assert friends[1].refused(i.Chat(text="another", id="said 3")) == "id_reused"
        evening(friends, 2)
        assert friends[0].state.number == 5
        assert len({game.game for game in friends[0].room._chronicle.games}) == 5
