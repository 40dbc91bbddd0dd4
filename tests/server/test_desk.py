"""The desk: decodes, counts what costs, and leads everyone to their room."""

from typing import Any, Final

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.codec import encode
from nana_server.config import Config
from nana_server.desk import COSTED_BURST, CREATE_PER_SECOND, key_of
from server.house_fixture import Friend, Home, Line, begin, company, on_turn

TOKEN: Final = "0123456789abcdef" * 2
OTHER: Final = "f" * 32


def codes(line: Line) -> list[str]:
    return [error.code for error in line.all_of(o.Error)]


def create(**more: Any) -> i.Create:
    fields: dict[str, Any] = {"protocol": 1, "token": TOKEN, "name": "Ada"}
    return i.Create(**(fields | more))


def test_the_first_word_is_the_servers() -> None:
    """Before anything was asked, a client knows versions, limits and whether a password is due."""
    hello = Home(config=Config(password="sesame")).connect().messages[0]
    assert isinstance(hello, o.Hello)
    assert hello.protocols == (1,)
    assert hello.password_required
    assert hello.limits.costed_burst == COSTED_BURST


@pytest.mark.parametrize(
    ("frame", "echo"),
    [
        (b"null", None),
        (b"[]", None),
        (b"{", None),
        (b"17", None),
        (b'{"type":"fly","id":"7"}', "7"),
        (b'{"type":"chat","id":"8"}', "8"),
        (b'{"type":"chat","id":"9","text":"x","more":1}', "9"),
        (b'{"type":"reveal","step":-1,"source":"c1","id":"10"}', "10"),
        (b'{"type":"reveal","step":1,"source":"c11","id":"11"}', "11"),
        (b'{"type":"reveal","step":' + b"9" * 3900 + b',"source":"c1"}', None),
        (b"[" * 4000, None),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_id(frame: bytes, echo: str | None) -> None:
    """Malformed frames get a code and a sentence; the connection lives on."""
    home = Home()
    line = home.connect()
    line.say(frame)
    (error,) = line.all_of(o.Error)
    assert (error.code, error.id) == ("malformed", echo)
    line.say(create())
    home.settle()
    assert line.all_of(o.Snapshot)


@pytest.mark.parametrize(
    "message",
    [
        i.Start(id="x"),
        i.Reveal(id="x", step=0, source="c1"),
        i.Leave(id="x"),
        i.Chat(id="x", text="a"),
    ],
    ids=lambda message: type(message).__name__,
)
def test_outside_nothing_can_be_done(message: i.Inside) -> None:
    """Before an entrance every other message is refused, with its id."""
    line = Home().connect()
    line.say(message)
    (error,) = line.all_of(o.Error)
    assert (error.code, error.id) == ("not_joined", "x")


def test_another_protocol_is_refused_before_the_password() -> None:
    """A client of another version learns just that."""
    line = Home(config=Config(password="sesame")).connect()
    line.say(create(protocol=2))
    assert codes(line) == ["unsupported_protocol"]


def test_a_password_is_asked_of_everyone() -> None:
    """Create, join, watch and resume need it; a wrong or missing one opens nothing."""
    home = Home(config=Config(password="sesame"))
    line = home.connect()
    line.say(create())
    line.say(create(password="Sesame"))
    assert codes(line) == ["wrong_password"] * 2
    asked, told = (error.text for error in line.all_of(o.Error))
    assert asked == "This server asks for a password."
    assert told == "This server asks for a password, and that was not it."
    assert len(home.lobby) == 0
    line.say(create(password="sesame"))
    home.settle()
    code = line.all_of(o.Welcome)[0].room
    for message in (
        i.Join(protocol=1, token=OTHER, name="Ben"),
        i.Watch(protocol=1, token=OTHER, name="Ben"),
        i.Resume(protocol=1, token=TOKEN),
    ):
        other = home.connect(f"/r/{code}")
        other.say(message)
        assert codes(other) == ["wrong_password"]


def test_nobody_comes_in_twice() -> None:
    """On one connection there is one place, at the door as well as inside."""
    home = Home()
    home.journal.delay = None
    line = home.connect()
    line.say(create())
    line.say(create(token=OTHER))
    assert codes(line) == ["already_joined"]
    home.release()
    line.say(create(token=OTHER))
    assert codes(line) == ["already_joined"] * 2
    assert len(home.lobby) == 1


@pytest.mark.parametrize("between", [b"null", encode(create(protocol=9)), encode(i.Chat(text="x"))])
def test_a_refusal_at_the_door_does_not_open_it_again(between: bytes) -> None:
    """While a join is being kept, a bad message changes nothing: no second self, no ghost."""
    home = Home()
    host = Friend(home, "Ada").create()
    home.journal.delay = None
    line = home.connect(f"/r/{host.code}")
    line.say(i.Join(protocol=1, token=TOKEN, name="Ben"))
    line.say(between)
    line.say(i.Join(protocol=1, token=OTHER, name="Cleo"))
    home.journal.delay = 0
    home.release()
    home.advance(1)
    assert key_of(OTHER) not in host.state.members
    line.hang_up()
    home.settle()
    assert host.room.audience.connected == {host.key}


def test_a_refused_entrance_can_be_tried_again() -> None:
    """After a refusal, by the desk or by the room, the door is open on the same connection."""
    home = Home()
    host = Friend(home, "Ada").create(seats=2)
    Friend(home, "Ben").join(host.code)
    line = home.connect(f"/r/{host.code}")
    line.say(i.Resume(protocol=1, token=OTHER))
    line.say(i.Join(protocol=1, token=OTHER, name=" "))
    line.say(i.Join(protocol=1, token=OTHER, name="Cleo"))
    line.say(i.Watch(protocol=1, token=OTHER, name="Cleo"))
    home.settle()
    assert codes(line) == ["no_such_room", "bad_name", "room_full"]
    assert line.all_of(o.Welcome)[0].seat is None


@pytest.mark.parametrize("message", [i.Chat(text="hi"), i.Start(), i.Reveal(step=0, source="c1")])
def test_who_was_refused_is_in_no_room(message: i.Inside) -> None:
    """After a refused entrance there is nothing to act in, also where it would have made a room."""
    home = Home()
    line = home.connect()
    line.say(create(name="a\x1b"))
    home.settle()
    line.say(message)
    home.settle()
    assert codes(line) == ["bad_name", "not_joined"]


def test_a_room_is_found_by_either_case_and_nothing_else() -> None:
    """`/r/kq7mx` and `/r/KQ7MX/` are one room; other paths are none."""
    home = Home()
    host = Friend(home, "Ada").create()
    for path in (f"/r/{host.code.lower()}", f"/r/{host.code}/"):
        line = home.connect(path)
        line.say(i.Watch(protocol=1, token=home.chance.randbytes(16).hex(), name="Fan"))
        home.settle()
        assert line.all_of(o.Welcome)
    for path in ("/", "/r/", f"/r/{host.code}x", f"/x/{host.code}", f"/r/{host.code}/more"):
        line = home.connect(path)
        line.say(i.Watch(protocol=1, token=OTHER, name="Fan"))
        home.settle()
        assert codes(line) == ["no_such_room"]


def test_too_many_costed_messages_end_the_connection() -> None:
    """A burst is allowed; one more is a flood, said so once, and the others play on."""
    home = Home()
    friends = company(home, 2)
    home.limits = True
    friends[1].resume()
    line = friends[1].line
    for n in range(COSTED_BURST + 5):
        line.say(i.Chat(text=f"{n}"))
        home.settle()
    bye = line.all_of(o.Bye)
    assert [it.code for it in bye] == ["flood"]
    assert bye[0].retry == "after_ms"
    assert line.ending == (1008, "flood")
    assert not friends[1].connected
    assert friends[0].say(i.Chat(text="well"))


def test_the_allowance_fills_again() -> None:
    """Ten a second for as long as one likes."""
    home = Home()
    friends = company(home, 2)
    home.limits = True
    friends[1].resume()
    for n in range(300):
        friends[1].say(i.Chat(text=f"{n}"))
        home.advance(100)
    assert friends[1].line.open


@pytest.mark.parametrize("what", ["stale", "out of turn", "repeated"])
def test_refused_and_repeated_actions_cost(what: str) -> None:
    """An accepted action is free; a stream of stale, wrong or repeated ones is a flood."""
    home = Home()
    friends = company(home, 2)
    begin(friends)
    home.limits = True
    friend = on_turn(friends)
    other = friends[1 - friends.index(friend)]
    for it in friends:
        it.resume()
    step = friend.shot.step
    message, by = {
        "stale": (i.Reveal(step=step - 1, source="c1"), friend),
        "out of turn": (i.Reveal(step=step, source="c1"), other),
        "repeated": (i.Reveal(step=step, source="c1", id="again"), friend),
    }[what]
    for _ in range(COSTED_BURST + 2):
        by.say(message)
    assert by.line.ending == (1008, "flood")


def test_one_connection_cannot_fill_a_rooms_queue() -> None:
    """While an entry is kept, somebody's flood is refused, and others' messages wait their turn."""
    home = Home()
    friends = company(home, 2)
    home.journal.delay = None
    friends[0].line.say(i.Chat(text="kept"))
    for n in range(100):
        friends[1].line.say(i.Reveal(step=n, source="c1"))
    friends[0].line.say(i.Chat(text="next"))
    assert codes(friends[0].line) == []
    home.journal.delay = 0
    home.release()
    home.advance(1)
    assert [line.text for line in friends[0].line.all_of(o.ChatLine)] == ["kept", "next"]
    assert set(codes(friends[1].line)) == {"rate_limited", "wrong_phase"}


def test_an_address_opens_only_so_many_rooms() -> None:
    """Beyond its burst an address waits; another one, and old rooms, are not concerned."""
    home = Home(config=Config(create_burst=3))
    lines = [home.connect(address="192.0.2.1") for _ in range(4)]
    for n, line in enumerate(lines):
        line.say(create(token=f"{n:032x}"))
        home.settle()
    assert codes(lines[3]) == ["rate_limited"]
    lines[0].hang_up()
    again = home.connect(address="192.0.2.1")
    again.say(create(token=f"{0:032x}"))
    other = home.connect(address="198.51.100.7")
    other.say(create(token=OTHER))
    home.settle()
    assert again.all_of(o.Snapshot)
    assert other.all_of(o.Snapshot)
    home.advance(int(1000 / CREATE_PER_SECOND))
    lines[3].say(create(token=f"{3:032x}"))
    home.settle()
    assert lines[3].all_of(o.Snapshot)
    home.advance(60_000)
    home.desk.sweep()
    assert home.desk._creations == {}


def test_a_full_server_says_so() -> None:
    """No more rooms than are allowed, and a room that ends makes place."""
    home = Home(config=Config(rooms=1))
    host = Friend(home, "Ada").create()
    line = home.connect()
    line.say(create())
    assert codes(line) == ["server_full"]
    host.say(i.Close())
    line.say(create())
    home.settle()
    assert line.all_of(o.Snapshot)


def test_after_goodbye_nothing_is_sent() -> None:
    """A closed room ends every connection with a bye and nothing after it."""
    home = Home()
    friends = company(home, 3)
    for friend in friends:
        friend.line.lingers = True
    friends[0].say(i.Close(id="close"))
    home.advance(1000)
    for friend in friends:
        assert isinstance(friend.line.messages[-1], o.Bye)
        assert friend.line.all_of(o.Bye)[-1].code == "closed"
        assert friend.line.ending == (1000, "closed")
        friend.line.hang_up()
    assert len(home.lobby) == 0
