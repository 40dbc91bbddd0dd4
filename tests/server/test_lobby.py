"""All rooms of a server: codes, the public list, and letting go."""

from random import Random

import msgspec

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.gateway import Request
from nana_server.lobby import ALPHABET, CODE_LENGTH, Lobby
from server.house_fixture import Friend, Home, begin, company, finish


def test_codes_are_drawn_evenly_and_never_twice() -> None:
    """Five letters of the alphabet without look-alikes; a taken code is drawn again."""
    home = Home()
    codes = [home.lobby.create(f"{n}", i.OptionChanges()).code for n in range(400)]
    assert len(set(codes)) == len(codes)
    assert all(len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) for code in codes)
    assert {letter for code in codes for letter in code} == set(ALPHABET)


def test_a_taken_code_is_drawn_again() -> None:
    """The same bytes twice make two different codes."""
    home = Home()
    stream = iter(b"\x00" * 5 + b"\x00" * 5 + b"\xff" + b"\x01" * 5)

    def entropy(size: int) -> bytes:
        return bytes(next(stream) for _ in range(size)) if size == 1 else bytes(size)

    lobby = Lobby(msgspec.structs.replace(home.house, entropy=entropy), 10)
    codes = [lobby.create(key, i.OptionChanges()).code for key in ("a", "b")]
    assert codes == ["AAAAA", "BBBBB"]


def test_the_list_shows_public_rooms_where_somebody_is() -> None:
    """No private room, no empty one; watchers and seats are counted apart; open ones first."""
    home = Home()
    company(home, 2)
    full = company(home, 2, public=True, seats=2)
    playing = company(home, 2, public=True, memory="open")
    begin(playing)
    waiting = Friend(home, "Wim").create(public=True)
    for _ in range(3):
        waiting.say(i.AddBot())
    waiting.say(i.Remove(seat="D"))
    Friend(home, "Fan").watch(waiting.code)
    gone = Friend(home, "Gus").create(public=True)
    gone.drop()
    listed = home.lobby.listed()
    assert listed[0].room == waiting.code
    assert {it.room for it in listed} == {full[0].code, playing[0].code, waiting.code}
    first = listed[0]
    assert (first.phase, first.seats, first.taken, first.watching) == ("lobby", 4, 3, 1)
    answer = home.pages.answer(Request("GET", "/rooms", "", "nana.test", "", "192.0.2.1"))
    assert answer is not None
    assert msgspec.json.decode(answer.body, type=list[dict[str, object]])[0]["memory"] == "none"


def test_a_room_between_games_with_a_seat_free_is_listed_first() -> None:
    """What a stranger can sit down at comes before what can only be watched."""
    home = Home()
    over = company(home, 2, public=True)
    begin(over)
    finish(over)
    full = company(home, 2, public=True, seats=2)
    assert [it.room for it in home.lobby.listed()] == [over[0].code, full[0].code]


def test_rooms_come_and_go_without_a_trace() -> None:
    """Made, left, closed, refused, expired: nothing stays behind in the lobby or the journal."""
    home = Home()
    chance = Random(1)
    for n in range(60):
        host = Friend(home, "Ada" if n % 7 else " ").create()
        if not host.code:
            continue
        for _ in range(chance.randrange(3)):
            Friend(home, "Ben").join(host.code)
        match chance.randrange(3):
            case 0:
                host.say(i.Close())
            case 1:
                for friend in list(host.room.audience):
                    friend.peer.abort()
                home.settle()
            case _:
                host.say(i.Leave())
    home.advance(10)
    for room in home.lobby:
        for viewer in room.audience:
            viewer.peer.abort()
    home.settle()
    home.lobby.sweep(home.now, 0)
    home.settle()
    assert len(home.lobby) == 0
    assert home.lobby._creators == {}
    assert home.journal.rooms == {}
    home.advance(600_000)
    assert home.alarms == {}


def test_a_room_that_is_busy_is_swept_next_time() -> None:
    """A join that is being kept is not overtaken by the end of the room."""
    home = Home()
    host = Friend(home, "Ada").create()
    host.drop()
    home.journal.delay = None
    friend = Friend(home, "Ben")
    friend.join(host.code)
    home.lobby.sweep(home.now, 0)
    home.journal.delay = 0
    home.release()
    assert friend.shot.you.seat == "B"
    home.lobby.sweep(home.now, 0)
    home.settle()
    assert len(home.lobby) == 1


def test_who_comes_while_a_room_expires_is_told() -> None:
    """The room is gone by the time the join is looked at."""
    home = Home()
    host = Friend(home, "Ada").create()
    host.drop()
    home.journal.delay = None
    home.lobby.sweep(home.now, 0)
    friend = Friend(home, "Ben")
    friend.join(host.code)
    home.release()
    assert [error.code for error in friend.line.all_of(o.Error)] == ["no_such_room"]
