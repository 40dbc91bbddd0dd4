"""Nothing has happened until it is kept; and what is kept is everything."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.room import events as e
from nana_server.room.room import RETRY_MS
from nana_server.room.show import Sheet, own_part
from nana_server.room.state import seat_of
from server.house_fixture import Friend, Home, begin, company, folded, on_turn
from server.sessions import SESSIONS, session

DELAY: Final = 50


def _act(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    friend = on_turn(friends)
    return friend, i.Reveal(step=friend.state.step, source="c1", id="act")


ASKED: Final[dict[str, Callable[[list[Friend]], tuple[Friend, i.Inside]]]] = {
    "reveal": _act,
    "chat": lambda friends: (friends[1], i.Chat(text="hello", id="chat")),
    "pause": lambda friends: (friends[0], i.Pause(id="pause")),
    "leave": lambda friends: (friends[1], i.Leave(id="leave")),
    "remove": lambda friends: (friends[0], i.Remove(seat="B", id="remove")),
    "end": lambda friends: (friends[0], i.End(id="end")),
    "close": lambda friends: (friends[0], i.Close(id="close")),
    "give_host": lambda friends: (friends[0], i.GiveHost(seat="B", id="give")),
}


@pytest.mark.parametrize("asked", ASKED)
def test_nothing_is_shown_before_it_is_kept(asked: str) -> None:
    """For 50 ms nobody hears a word and nothing has changed; then everything at once."""
    home = Home()
    friends = company(home, 3)
    begin(friends)
    home.journal.delay = DELAY
    friend, message = ASKED[asked](friends)
    room, state, version = friend.room, friend.state, friend.room.version
    sent = [len(it.line.sent) for it in friends]
    friend.say(message)
    home.advance(DELAY - 1)
    assert [len(it.line.sent) for it in friends] == sent
    assert (room.state, room.version) == (state, version)
    home.advance(1)
    assert all(len(it.line.sent) > before for it, before in zip(friends, sent, strict=True))
    assert room.state != state
    (ack,) = friend.line.all_of(o.Ack)
    assert ack == o.Ack(id=message.id or "", version=version + (asked != "chat"))


@pytest.mark.parametrize("asked", ASKED)
def test_what_could_not_be_kept_has_not_happened(asked: str) -> None:
    """A failed commit is said to who asked, to nobody else; the same id then works once."""
    home = Home()
    friends = company(home, 3)
    begin(friends)
    friend, message = ASKED[asked](friends)
    room, state, version, entries = friend.room, friend.state, friend.room.version, friend.room._seq
    sent = [len(it.line.sent) for it in friends if it is not friend]
    home.journal.works = False
    for _ in range(2):
        assert friend.refused(message) == "unavailable"
    assert (room.state, room.version, room._seq) == (state, version, entries)
    assert [len(it.line.sent) for it in friends if it is not friend] == sent
    home.journal.works = True
    friend.say(message)
    assert room._seq == entries + 1
    assert [ack.id for ack in friend.line.all_of(o.Ack)] == [message.id]


@pytest.mark.parametrize("way", ["create", "join", "watch"])
def test_an_entrance_that_could_not_be_kept_may_be_tried_again(way: str) -> None:
    """Nobody is half inside; the same connection and token get in when saving works again."""
    home = Home()
    host = Friend(home, "Ada").create()
    friend = Friend(home, "Ben")
    home.journal.works = False
    said = friend.create().line.messages[1:] if way == "create" else getattr(friend, way)(host.code)
    assert [type(it) for it in said] == [o.Error]
    assert len(home.lobby) == 1
    assert friend.key not in host.state.members
    home.journal.works = True
    line = friend.line
    entrance: dict[str, type[Any]] = {"create": i.Create, "join": i.Join, "watch": i.Watch}
    line.say(entrance[way](protocol=1, token=friend.token, name="Ben"))
    home.settle()
    assert line.all_of(o.Snapshot)


def test_a_room_that_was_not_kept_is_none_for_those_who_wait_in_it() -> None:
    """Two tabs create with one token; when the first fails, the second makes no ghost room."""
    home = Home()
    host = Friend(home, "Ada")
    home.journal.delay = None
    host.create()
    first = host.line
    host.create()
    home.release(ok=False)
    home.journal.delay = 0
    home.advance(1)
    assert [error.code for error in first.all_of(o.Error)] == ["unavailable"]
    assert [error.code for error in host.line.all_of(o.Error)] == ["unavailable"]
    assert len(home.lobby) == 0
    assert home.journal.rooms == {}
    host.create()
    assert host.shot.you.host


def test_others_wait_in_order() -> None:
    """One action is in flight per room; what comes meanwhile is decided after it, in order."""
    home = Home()
    friends = company(home, 3)
    begin(friends)
    home.journal.delay = None
    step = friends[0].state.step
    friends[0].line.say(i.Chat(text="1"))
    friends[1].line.say(i.Chat(text="2"))
    turn = on_turn(friends)
    turn.line.say(i.Reveal(step=step, source="c1"))
    turn.line.say(i.Reveal(step=step, source="c2", id="too late"))
    friends[2].line.say(i.Chat(text="3"))
    for kept in (1, 2, 3):
        assert len(home.journal.waiting) == 1
        home.release()
        assert friends[0].state.chat_seq + (friends[0].state.step - step) == kept
    assert [error.code for error in turn.line.all_of(o.Error)] == ["stale"]
    home.release()
    assert [line.text for line in friends[1].line.all_of(o.ChatLine)] == ["1", "2", "3"]


def test_rooms_do_not_wait_for_each_other() -> None:
    """While one room's entry is being kept, another room goes on."""
    home = Home()
    one, two = company(home, 2), company(home, 2)
    home.journal.delay = None
    one[0].line.say(i.Chat(text="slow"))
    two[0].line.say(i.Chat(text="quick"))
    assert len(home.journal.waiting) == 2
    home.journal.finish(home.journal.waiting[1], ok=True)
    assert two[1].line.all_of(o.ChatLine)
    assert not one[1].line.all_of(o.ChatLine)
    home.release()
    assert one[1].line.all_of(o.ChatLine)


def test_a_timer_that_could_not_be_kept_tries_again() -> None:
    """A robot's move and a stand-in come later, once each, when the journal works again."""
    home = Home()
    host = Friend(home, "Ada").create(turn_time=30)
    host.say(i.AddBot(level="random"))
    host.say(i.Start())
    if host.shot.on_turn == "A":
        home.journal.works = False
        home.advance(30_000)
        assert not host.shot.seats[0].stand_in
        home.journal.works = True
        home.advance(RETRY_MS)
        assert host.shot.seats[0].stand_in
    home.journal.works = False
    step = host.state.step
    home.advance(10_000)
    assert host.state.step == step
    home.journal.works = True
    home.advance(RETRY_MS)
    assert host.state.step == step + 1


def test_who_comes_or_goes_meanwhile_is_shown_after() -> None:
    """Presence that changes while a line of chat is kept raises the version and is shown."""
    for ok in (True, False):
        home = Home()
        friends = company(home, 3)
        home.journal.delay = None
        friends[0].line.say(i.Chat(text="moment"))
        version = friends[0].shot.version
        friends[2].drop()
        assert friends[0].shot.version == version
        home.release(ok=ok)
        assert friends[0].shot.version == version + 1
        assert not friends[0].shot.seats[2].online


def test_versions_rise_and_answers_come_before_what_shows_them() -> None:
    """On every connection: versions never fall, equal ones are equal, an ack comes first."""
    _, friends = session(5)
    for line in (friend.line for friend in friends):
        newest = -1
        for message in line.messages:
            if isinstance(message, o.Snapshot):
                assert message.version >= newest
                newest = message.version
            elif isinstance(message, o.Ack):
                assert message.version >= newest


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_the_kept_entries_lead_to_the_live_state(seed: int) -> None:
    """Whatever was played, folding the entries gives the state, to the last field."""
    home, _ = session(seed)
    for room in home.lobby:
        entries = home.journal.entries(room.code)
        assert len(entries) == room._seq
        assert folded(entries) == room.state
        versions = [e.decode_entry(entry).version for entry in entries]
        assert versions == sorted(versions)
        assert versions[-1] <= room.version


def test_sessions_reach_every_kind_of_event() -> None:
    """The sessions above are not all alike: together they keep every event there is."""
    seen: set[str] = set()
    keep = {"Closed", "Summary"}  # entries of a closed room are gone; these rooms are too short
    for seed in range(60):
        home, _ = session(seed)
        for room in home.lobby:
            for entry in home.journal.entries(room.code):
                seen |= {type(event).__name__ for event in e.decode_entry(entry).events}
        if len(seen) >= len(e.Event.__subclasses__()) - len(keep):
            break
    assert {kind.__name__ for kind in e.Event.__subclasses__()} - seen <= keep


def test_what_is_kept_encoded_is_what_would_be_encoded_anew() -> None:
    """Parts of snapshots that were kept are never behind the state, for any viewer."""
    looked = 0

    def look(home: Home) -> None:
        nonlocal looked
        for room in home.lobby:
            shared = room._stage.shared(room.state, room.version, home.now)
            room._stage._sheet, kept = Sheet(room._house.epoch), room._stage._sheet
            assert shared == room._stage.shared(room.state, room.version, home.now)
            room._stage._sheet = kept
            room.audience.refresh(room.state)
            for viewer in room.audience:
                looked += 1
                seat = seat_of(room.state, viewer.key)
                assert viewer.seat == seat
                assert viewer.own == own_part(room.state, seat, viewer.key, ())

    for seed in range(SESSIONS // 3):
        session(seed, look=look)
    assert looked > 2000
