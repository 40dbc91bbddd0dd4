"""Ways into a room: create, join, watch, resume, sit; one seat, one socket."""

from random import Random
from typing import Final

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.room.state import WATCHERS_MOST
from server.house_fixture import Friend, Home, act, begin, company, finish

WRONG: Final = "f" * 32


def kinds(messages: list[o.Outbound]) -> list[str]:
    return [type(message).__name__ for message in messages]


def test_a_creator_gets_a_seat_and_the_room() -> None:
    """The first answer to `create` is a welcome, then the truth: lobby, seat A, host."""
    home = Home()
    host = Friend(home, "Ada").create(seats=3)
    assert kinds(host.line.messages)[:2] == ["Hello", "Welcome"]
    shot = host.shot
    assert (shot.phase, shot.you.seat, shot.you.host, shot.host) == ("lobby", "A", True, "A")
    assert [seat.kind for seat in shot.seats] == ["person", "free", "free"]
    assert (shot.step, shot.on_turn, shot.legal, shot.attempt) == (0, None, (), None)


def test_a_lost_answer_can_be_asked_for_again() -> None:
    """The same token gets the same room or seat, however often, and no second one."""
    home = Home()
    host = Friend(home, "Ada").create()
    code, friend = host.code, Friend(home, "Ben")
    for _ in range(3):
        host.create()
        friend.join(code)
        assert host.code == code
        assert friend.shot.you.seat == "B"
    assert len(home.lobby) == 1
    assert len(host.state.members) == 2
    assert [seat.name for seat in host.shot.seats] == ["Ada", "Ben", None, None]


def test_a_join_is_known_by_its_token_even_as_a_watch() -> None:
    """Whichever way a member comes in, the seat is the one that it has."""
    home = Home()
    friends = company(home, 2)
    friends[1].watch(friends[0].code)
    assert friends[1].shot.you.seat == "B"
    said = friends[1].resume()
    assert kinds(said) == ["Welcome", "Snapshot"]
    welcome = said[0]
    assert isinstance(welcome, o.Welcome)
    assert welcome.resumed
    assert welcome.seat == "B"


def test_a_full_room_can_be_watched() -> None:
    """Who finds no seat is told so, and may watch over the same connection."""
    home = Home()
    friends = company(home, 2, seats=2)
    late = Friend(home, "Cleo")
    late.arrive(friends[0].code)
    assert late.refused(i.Join(protocol=1, token=late.token, name="Cleo")) == "room_full"
    late.say(i.Watch(protocol=1, token=late.token, name="Cleo"))
    assert late.shot.you.seat is None
    assert late.shot.watching == ("Cleo",)


def test_watchers_have_a_limit() -> None:
    """One watcher too many is refused, as a watcher and as a late player."""
    home = Home()
    friends = company(home, 2)
    for n in range(WATCHERS_MOST):
        Friend(home, f"W{n}").watch(friends[0].code)
    late = Friend(home, "Late")
    late.arrive(friends[0].code)
    assert late.refused(i.Watch(protocol=1, token=late.token, name="Late")) == "room_full"
    begin(friends)
    assert late.refused(i.Join(protocol=1, token=late.token, name="Late")) == "room_full"
    assert len(friends[0].state.members) == WATCHERS_MOST + 2


def test_who_joins_during_a_game_watches_it() -> None:
    """No seat and no hand while it runs; a seat when it is over."""
    home = Home()
    friends = company(home, 2)
    begin(friends)
    late = Friend(home, "Late")
    late.join(friends[0].code)
    assert late.shot.you == o.You(seat=None, name="Late", host=False, hand=())
    assert late.refused(i.Sit()) == "wrong_phase"
    assert late.refused(i.Continue(step=late.shot.step)) == "not_seated"
    finish(friends)
    late.say(i.Sit())
    assert late.shot.you.seat == "C"


def test_a_free_seat_is_taken_once() -> None:
    """A watcher takes a named seat or the first free one; taken ones are refused."""
    home = Home()
    friends = company(home, 2, seats=3)
    one, two = Friend(home, "One"), Friend(home, "Two")
    for fan in (one, two):
        fan.watch(friends[0].code)
    assert one.refused(i.Sit(seat="A")) == "seat_taken"
    assert one.refused(i.Sit(seat="D")) == "no_such_seat"
    one.say(i.Sit(seat="C"))
    assert one.shot.you.seat == "C"
    assert one.refused(i.Sit()) == "seat_taken"
    assert two.refused(i.Sit()) == "no_free_seat"


def test_a_seat_that_was_left_is_free_when_the_game_is_over() -> None:
    """An empty seat goes first; the left one, then, to the next who joins or sits."""
    home = Home()
    friends = company(home, 3, seats=3)
    begin(friends)
    friends[2].say(i.Leave())
    late = Friend(home, "Late")
    late.join(friends[0].code)
    while friends[0].state.phase == "playing":
        turn = friends[0].state.game
        assert turn is not None
        if turn.table.on_turn == 2:
            home.advance(1000)
        else:
            finish_turn(friends[:2])
    assert friends[0].shot.seats[2].left
    late.say(i.Sit())
    assert late.shot.you.seat == "C"
    assert not late.shot.seats[2].left


def finish_turn(friends: list[Friend]) -> None:
    act(friends, Random(0))


def test_bots_from_outside_can_be_kept_out() -> None:
    """With the option off a bot is refused a seat; people are let in."""
    home = Home()
    host = Friend(home, "Ada").create(bots=False)
    robot = Friend(home, "Robot", kind="bot")
    robot.arrive(host.code)
    join = i.Join(protocol=1, token=robot.token, name="Robot", kind="bot")
    assert robot.refused(join) == "bots_refused"
    host.say(i.SetOptions(options=i.OptionChanges(bots=True)))
    robot.say(join)
    assert robot.shot.you.seat == "B"


@pytest.mark.parametrize("name", ["  ", " Ada", "A\x1b[31m", "A\u202eB", "x" * 21, "日" * 11])
def test_hostile_names_are_refused(name: str) -> None:
    """Control, bidi, blank and wide names get no seat, and a room that began so is gone."""
    home = Home()
    line = home.connect()
    line.say(i.Create(protocol=1, token=WRONG, name=name))
    home.settle()
    assert [error.code for error in line.all_of(o.Error)] == ["bad_name"]
    assert len(home.lobby) == 0
    assert home.journal.rooms == {}
    line.say(i.Create(protocol=1, token=WRONG, name="Ada"))
    home.settle()
    assert line.all_of(o.Snapshot)


def test_names_in_a_room_are_told_apart() -> None:
    """The same name comes out numbered, a long one shortened, the server's bots too."""
    home = Home()
    host = Friend(home, "Mochi").create(seats=5)
    same, fan = Friend(home, "Mochi"), Friend(home, "Mochi")
    same.join(host.code)
    fan.watch(host.code)
    long = Friend(home, "x" * 20)
    long.join(host.code)
    again = Friend(home, "x" * 20)
    again.join(host.code)
    host.say(i.AddBot())
    names = [*(seat.name for seat in host.shot.seats), *host.shot.watching]
    assert names == ["Mochi", "Mochi 2", "x" * 20, "x" * 17 + "… 2", "Kumo", "Mochi 3"]


@pytest.mark.parametrize("way", ["resume"])
def test_a_wrong_token_learns_nothing(way: str) -> None:
    """The same bytes answer a wrong token and a room that is not there; nobody's seat moves."""
    home = Home()
    friends = company(home, 2)
    friends[1].drop()
    home.advance(10_000)
    room, answers = friends[0].room, []
    version = room.version
    for path in (f"/r/{friends[0].code}", "/r/ZZZZZ", "/"):
        line = home.connect(path)
        line.say(i.Resume(protocol=1, token=WRONG, id="x"))
        home.settle()
        answers.append(line.sent)
        line.hang_up()
    assert answers[0] == answers[1] == answers[2]
    assert room.version == version
    home.advance(10_000)
    assert room._seq == 2


def test_the_newest_tab_wins() -> None:
    """A second connection replaces the first, which is told never to come back by itself."""
    home = Home()
    friends = company(home, 2)
    old = friends[1].line
    old.lingers = True
    friends[1].resume()
    bye = old.all_of(o.Bye)[-1]
    assert (bye.code, bye.retry) == ("replaced", "never")
    assert old.ending == (1000, "replaced")
    assert friends[1].connected
    old.hang_up()
    home.advance(60_000)
    assert friends[1].connected
    assert friends[0].shot.seats[1].online


def test_a_replaced_tab_can_do_nothing_more() -> None:
    """What the old connection sent before it knew is refused; the new one plays."""
    home = Home()
    friends = company(home, 2)
    begin(friends)
    friend = friends[0] if friends[0].shot.on_turn == "A" else friends[1]
    home.journal.delay = None
    step = friend.shot.step
    friends[0].line.say(i.Chat(text="one moment"))
    old = friend.line
    friend.arrive(friend.code)
    friend.line.say(i.Resume(protocol=1, token=friend.token))
    old.say(i.Reveal(step=step, source="c1"))
    home.release()
    assert [error.code for error in old.all_of(o.Error)] == []
    assert not old.open
    assert friend.state.step == step
    home.journal.delay = 0
    friend.say(i.Reveal(step=step, source="c1"))
    assert friend.state.step == step + 1


def test_tabs_and_drops_in_any_order_leave_one_seat_and_one_socket() -> None:
    """In 1,000 interleavings of two people's tabs nobody is a ghost, or away while connected."""
    for seed in range(1000):
        _interleave(Random(f"tabs/{seed}"))


def _interleave(chance: Random) -> None:
    home = Home(chance.random())
    friends = company(home, 2)
    if chance.random() < 0.5:
        begin(friends)
    room, lines = friends[0].room, {friend: [friend.line] for friend in friends}
    home.journal.delay = None
    for _ in range(chance.randrange(4, 14)):
        friend = chance.choice(friends)
        match chance.randrange(7):
            case 0 | 1:
                friend.arrive(friend.code)
                friend.line.lingers = chance.random() < 0.5
                lines[friend].append(friend.line)
                friend.line.say(i.Resume(protocol=1, token=friend.token))
            case 2:
                lines[friend][-1].hang_up()
            case 3:
                friend.line.say(i.Chat(text="hello"))
            case 4:
                if closing := [line for line in home.closing if line.lingers]:
                    chance.choice(closing).hang_up()
            case 5:
                home.release()
            case _:
                home.advance(chance.randrange(30_000))
    home.journal.delay = 0
    home.release()
    home.advance(5)
    for friend in friends:
        alive = [line for line in lines[friend] if line.open]
        assert len(alive) <= 1
        assert friend.connected == bool(alive)
        assert (friend.key in room.audience.presence.away) == (not alive)
        for line in alive:
            shot = line.all_of(o.Snapshot)[-1]
            assert shot.version == room.version
            online = [seat.online for seat in shot.seats if seat.kind != "free"]
            assert online == [it.connected for it in friends]
    assert len(room.state.members) == 2
    assert bool(room.audience) == (not room.audience.clock.stopped)


def test_who_is_gone_before_the_join_is_kept_holds_a_seat_but_no_room() -> None:
    """The seat waits for the same token; the member is away, and the others see that."""
    home = Home()
    host = Friend(home, "Ada").create()
    home.journal.delay = None
    friend = Friend(home, "Ben")
    friend.join(host.code)
    friend.line.hang_up()
    home.release()
    assert not friend.connected
    assert not host.shot.seats[1].online
    home.journal.delay = 0
    friend.join(host.code)
    assert friend.shot.you.seat == "B"
    assert host.shot.seats[1].online


def test_a_creator_who_is_gone_before_the_room_is_kept_finds_it_again() -> None:
    """The room stands still until the same token comes, and is swept if it does not."""
    home = Home()
    host = Friend(home, "Ada")
    home.journal.delay = None
    host.create()
    host.line.hang_up()
    home.release()
    assert len(home.lobby) == 1
    home.journal.delay = 0
    host.create()
    assert host.shot.you.host
    host.drop()
    home.lobby.sweep(home.now, 0)
    home.settle()
    assert len(home.lobby) == 0


def test_who_is_gone_while_waiting_is_not_let_in() -> None:
    """A join that nobody waits for any more takes no seat from others."""
    home = Home()
    host = Friend(home, "Ada").create(seats=2)
    home.journal.delay = None
    host.line.say(i.Chat(text="one moment"))
    friend, other = Friend(home, "Ben"), Friend(home, "Cleo")
    friend.join(host.code)
    friend.line.hang_up()
    other.join(host.code)
    home.journal.delay = 0
    home.release()
    home.advance(1)
    home.settle()
    assert len(host.state.members) == 2
    assert other.shot.you.seat == "B"


def test_the_last_seat_is_given_once() -> None:
    """Of 50 who join at the same moment exactly one gets it; the others may watch."""
    home = Home()
    host = Friend(home, "Ada").create(seats=2)
    home.journal.delay = None
    many = [Friend(home, f"P{n}") for n in range(50)]
    for friend in many:
        friend.join(host.code)
    home.journal.delay = 0
    home.release()
    home.advance(1)
    seated = [friend for friend in many if friend.line.all_of(o.Welcome)]
    full = [friend for friend in many if friend.line.all_of(o.Error)]
    assert len(seated) == 1
    assert len(full) == 49


def test_chat_comes_back_after_the_line_that_was_seen() -> None:
    """A resume gets the chat since its `seq`, a newcomer all that is kept, before the snapshot."""
    home = Home()
    friends = company(home, 2)
    for n in range(3):
        friends[0].say(i.Chat(text=f"line {n}"))
    friends[1].drop()
    friends[0].say(i.Chat(text="line 3"))
    said = friends[1].resume(seq=3)
    assert kinds(said) == ["Welcome", "ChatLine", "Snapshot"]
    assert [line.text for line in friends[1].line.all_of(o.ChatLine)] == ["line 3"]
    fan = Friend(home, "Fan")
    said = fan.watch(friends[0].code)
    assert kinds(said)[:5] == ["Welcome"] + ["ChatLine"] * 4
    assert kinds(said)[-1] == "Snapshot"
