"""Anyone may leave at any moment: no room is ever stuck."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from server.house_fixture import Friend, Home, act, begin, collect, company, finish
from server.sessions import SESSIONS, session

MINUTE: Final = 60_000


def _lobby(friends: list[Friend]) -> None:
    pass


def _opening(friends: list[Friend]) -> None:
    friends[0].say(i.Start())
    friends[1].open()
    assert friends[0].state.phase == "opening"


def _revealing(friends: list[Friend]) -> None:
    begin(friends)


def _matching(friends: list[Friend]) -> None:
    begin(friends)
    act(friends, Random(1))
    assert len(friends[0].shot.attempt.cards) == 1 if friends[0].shot.attempt else False


def _shown(friends: list[Friend]) -> None:
    begin(friends)
    chance = Random(2)
    while friends[0].shot.legal != ("continue",):
        act(friends, chance)


def _paused(friends: list[Friend]) -> None:
    _matching(friends)
    friends[0].say(i.Pause())


def _over(friends: list[Friend]) -> None:
    begin(friends)
    finish(friends)


PHASES: Final[dict[str, Callable[[list[Friend]], None]]] = {
    "lobby": _lobby,
    "opening": _opening,
    "revealing": _revealing,
    "matching": _matching,
    "shown": _shown,
    "paused": _paused,
    "over": _over,
}


def _leave(host: Friend, who: Friend) -> None:
    who.say(i.Leave())
    assert who.line.all_of(o.Bye)[-1].code == "left"


def _drop(host: Friend, who: Friend) -> None:
    who.drop()


def _remove(host: Friend, who: Friend) -> None:
    letter: i.Letter = "ABCDE"[who.seat or 0]  # type: ignore[assignment]
    host.say(i.Remove(seat=letter))
    assert who.line.all_of(o.Bye)[-1].code == "removed"


WAYS: Final = {"leave": _leave, "drop": _drop, "remove": _remove}


def play_out(friends: list[Friend]) -> None:
    """Let those who are here play on, and time pass for the others, until the game is over."""
    here = [friend for friend in friends if friend.line.open]
    for _ in range(2000):
        state = here[0].state
        if state.paused:
            next(friend for friend in here if friend.shot.you.host).say(i.Pause(on=False))
        if state.phase == "over":
            return
        turn = None if state.game is None else state.game.table.on_turn
        mine = [friend for friend in here if friend.seat is not None and friend.seat == turn]
        if mine:
            collect(mine)
        else:
            here[0].home.advance(1000)
    raise AssertionError(f"the game does not end: {here[0].shot}")


def start_anew(friends: list[Friend]) -> None:
    """Whoever is the host now starts the next game."""
    here = [friend for friend in friends if friend.line.open]
    host = next(friend for friend in here if friend.shot.you.host)
    before = host.state.deal
    for friend in here:
        if friend.state.phase == "over":
            friend.say(i.Rematch())
    host.say(i.AddBot(level="novice"))
    host.say(i.Start())
    host.home.advance(6000)
    assert host.state.deal is not None
    assert host.state.deal != before


def begun(phase: str, seed: int, people: int) -> tuple[Home, list[Friend]]:
    home = Home(f"{phase}/{seed}")
    friends = company(home, people, nonce=True, turn_time=90)
    PHASES[phase](friends)
    return home, friends


@pytest.mark.parametrize(
    ("way", "who"),
    [(way, who) for way in WAYS for who in range(3) if (way, who) != ("remove", 0)],
)
@pytest.mark.parametrize("phase", PHASES)
def test_a_room_goes_on_without_one(phase: str, way: str, who: int) -> None:
    """However one of three goes, in whatever phase, the game ends and a next one starts."""
    for seed in range(2):  # by chance, on turn or not
        home, friends = begun(phase, seed, 3)
        WAYS[way](friends[0], friends[who])
        home.advance(MINUTE)
        if friends[0].line.open or phase != "lobby":
            assert any(friend.shot.you.host for friend in friends if friend.line.open)
        if phase != "lobby":
            play_out(friends)
        start_anew(friends)


@pytest.mark.parametrize("way", ["leave", "drop"])
@pytest.mark.parametrize("phase", PHASES)
def test_the_last_one_here_can_play_on(phase: str, way: str) -> None:
    """Two of three go at once; the last one plays the game out and starts another."""
    for gone in ((0, 1), (1, 2), (2, 0)):
        home, friends = begun(phase, sum(gone), 3)
        for who in gone:
            WAYS[way](friends[0], friends[who])
        home.advance(MINUTE)
        if phase != "lobby":
            play_out(friends)
        start_anew(friends)


@pytest.mark.parametrize("way", ["leave", "drop"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_room_that_all_have_left_ends(phase: str, way: str) -> None:
    """With nobody there nothing moves, and the sweep lets the room go after its idle time."""
    home, friends = begun(phase, 7, 2)
    room = friends[0].room
    for friend in friends:
        WAYS[way](friends[0], friend)
    entries = room._seq
    home.advance(60 * MINUTE)
    assert room._seq == entries
    home.lobby.sweep(home.now, idle_most=61 * MINUTE)
    home.settle()
    assert len(home.lobby) == 1
    home.lobby.sweep(home.now, idle_most=60 * MINUTE)
    home.settle()
    assert len(home.lobby) == 0
    assert home.ended == [room]
    assert home.alarms == {}
    room.tick()
    home.advance(MINUTE)
    assert home.journal.rooms == {}


def test_a_host_who_leaves_is_followed_at_once() -> None:
    """The connected member seated longest becomes the host; watchers and the away do not."""
    home = Home()
    friends = company(home, 3)
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)
    friends[1].drop()
    friends[0].say(i.Leave())
    assert friends[2].shot.you.host
    assert friends[2].shot.host == "C"
    friends[2].say(i.Leave())
    assert fan.shot.you.host
    friends[1].resume()
    home.advance(MINUTE)
    assert fan.shot.you.host
    assert not friends[1].shot.you.host


def test_a_host_who_drops_keeps_the_room_for_the_grace() -> None:
    """An absent host is passed over after 20 s, and does not get the room back by itself."""
    home = Home()
    friends = company(home, 3)
    friends[0].drop()
    home.advance(19_999)
    assert friends[1].shot.host == "A"
    assert not friends[1].shot.you.host
    home.advance(1)
    assert friends[1].shot.you.host
    friends[0].resume()
    home.advance(MINUTE)
    assert not friends[0].shot.you.host
    assert friends[0].refused(i.Start()) == "not_host"
    friends[1].say(i.GiveHost(seat="A"))
    assert friends[0].shot.you.host


def test_a_host_who_comes_back_in_time_stays_the_host() -> None:
    """Back within the grace, nothing has passed on; the next absence has a grace of its own."""
    home = Home()
    friends = company(home, 2)
    for _ in range(3):
        friends[0].drop()
        home.advance(19_000)
        friends[0].resume()
        assert friends[0].shot.you.host


def test_a_bot_inherits_a_room_from_nobody_but_a_bot() -> None:
    """Bots from outside start no games: the people who come back must find a host among them."""
    home = Home()
    friends = company(home, 2)
    robot = Friend(home, "Robot", kind="bot")
    robot.join(friends[0].code)
    for friend in friends:
        friend.drop()
    home.advance(MINUTE)
    assert not robot.shot.you.host
    friends[1].resume()
    home.advance(1)
    assert friends[1].shot.you.host
    friends[1].say(i.Leave())
    assert not robot.shot.you.host
    guest = Friend(home, "Guest")
    guest.join(friends[0].code)
    home.advance(1)
    assert guest.shot.you.host


def test_a_person_inherits_before_a_bot_that_sits_longer() -> None:
    """A bot from outside that was there first does not become the host of people."""
    home = Home()
    host = Friend(home, "Ada").create()
    robot, friend = Friend(home, "Robot", kind="bot"), Friend(home, "Ben")
    robot.join(host.code)
    friend.join(host.code)
    host.say(i.Leave())
    assert friend.shot.you.host


def test_bots_among_themselves_pass_a_room_on() -> None:
    """At a table of bots only, the next bot can start."""
    home = Home()
    robots = [Friend(home, name, kind="bot") for name in ("R1", "R2", "R3")]
    robots[0].create()
    for robot in robots[1:]:
        robot.join(robots[0].code)
    robots[0].say(i.Leave())
    assert robots[1].shot.you.host
    robots[1].drop()
    home.advance(20_000)
    assert robots[2].shot.you.host


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_no_session_leaves_a_room_stuck(seed: int) -> None:
    """Whatever was said and happened, one person who comes back can end the game and start anew."""
    home, friends = session(seed)
    if friends[0].code not in {room.code for room in home.lobby}:
        return
    room = friends[0].room
    for friend in friends:
        if friend.line.open:
            friend.drop()
    friend = next((it for it in friends if it.key in room.state.members), friends[0])
    friend.join(friends[0].code)
    home.advance(MINUTE)
    assert friend.shot.you.host
    if room.state.phase in {"opening", "playing"}:
        play_out([friend])
    friend.say(i.SetOptions(options=i.OptionChanges(seats=5)))
    letter: Any
    for letter in "ABCDE":  # who is away holds a seat until the host wants it
        friend.say(i.Remove(seat=letter))
    if friend.seat is None:
        friend.say(i.Sit())
    start_anew([friend])


def test_a_goodbye_counts_from_who_hangs_up_at_once() -> None:
    """Said while something else is being kept, with the socket closed behind it, it is heard."""
    home = Home()
    friends = company(home, 3)
    _over(friends)
    home.journal.delay = 50
    friends[0].say(i.Chat(text="bye", id="c"))
    friends[1].line.say(i.Leave())
    friends[1].line.hang_up()
    friends[2].line.say(i.Chat(text="and I"))
    friends[2].line.hang_up()
    home.advance(200)
    assert [view.seat for view in friends[0].shot.seats if view.left] == ["B"]
    assert [line.text for line in friends[0].state.chat] == ["bye"]


def test_a_goodbye_of_a_replaced_connection_does_not_count() -> None:
    """Who came back over another socket stays, whatever the old one still said."""
    home = Home()
    friends = company(home, 2)
    again = friends[1]
    old = again.line
    home.journal.delay = 50
    friends[0].say(i.Chat(text="wait", id="c"))
    again.arrive(friends[0].room.code)
    again.resume()
    old.say(i.Leave())
    old.hang_up()
    home.advance(200)
    assert friends[0].shot.seats[1].name == again.name
    assert again.connected
