"""Time in a room: deadlines, stand-ins, grace, frozen rooms, robots. All of it virtual."""

from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.room.evolve import OPENING_MS
from nana_server.room.robots import THINK
from nana_server.room.timers import GRACE_MS, WATCHER_GRACE_MS
from server.house_fixture import Friend, Home, act, begin, company, finish, on_turn, step_of

TURN: Final = 90_000
PACE: Final = 1200


def table(people: int = 3, **options: Any) -> tuple[Home, list[Friend]]:
    home = Home()
    friends = company(home, people, **options)
    begin(friends)
    return home, friends


def rest(friends: list[Friend], who: Friend) -> list[Friend]:
    return [friend for friend in friends if friend is not who]


def notices(friend: Friend, since: int = 0) -> list[str]:
    return [notice.code for notice in friend.line.all_of(o.Notice, since)]


# The opening.


def test_a_nonce_that_is_not_opened_is_dealt_without() -> None:
    """After five seconds the deal is made, and everybody is told whose nonce it lacks."""
    home = Home()
    friends = company(home, 3, nonce=True)
    friends[0].say(i.Start())
    shot = friends[0].shot
    assert shot.deadline == shot.now + OPENING_MS
    friends[0].open()
    home.advance(OPENING_MS - 1)
    assert friends[0].shot.deal.to_open == ("B", "C")
    home.advance(1)
    assert friends[0].shot.phase == "playing"
    for friend in friends:
        lacking = [it.seat for it in friend.line.all_of(o.Notice) if it.code == "not_opened"]
        assert lacking == ["B", "C"]
    assert friends[1].refused(i.Open(nonce="0" * 64)) == "wrong_phase"


# The turn.


@pytest.mark.parametrize("revealed", [0, 1])
def test_a_turn_has_one_deadline(revealed: int) -> None:
    """It covers the continue and every reveal; then a stand-in finishes the turn and plays on."""
    home, friends = table(turn_time=90)
    slow = on_turn(friends)
    deadline = slow.shot.deadline
    assert deadline == slow.shot.now + TURN
    for _ in range(revealed):
        home.advance(10_000)
        slow.say(step_of(slow, Random(0)))
        assert slow.shot.deadline == deadline
    home.advance((deadline or 0) - home.now - 1)
    assert not slow.shot.seats[slow.seat or 0].stand_in
    home.advance(1)
    assert slow.shot.seats[slow.seat or 0].stand_in
    assert slow.shot.deadline is None
    home.advance(10_000)
    assert slow.shot.on_turn != slow.shot.you.seat
    assert "stand_in" in notices(slow)
    others = rest(friends, slow)
    for _ in range(40):
        if slow.shot.on_turn == slow.shot.you.seat:
            home.advance(10_000)
        elif slow.state.phase == "playing":
            act(others, Random(1))
    assert slow.shot.turn > 6


def test_a_miss_lengthens_the_next_turn_by_the_time_it_is_shown() -> None:
    """The next deadline counts from when `continue` is possible."""
    _, friends = table(turn_time=90)
    while friends[0].shot.legal != ("continue",):
        act(friends, Random(0))
    shot = friends[0].shot
    assert shot.not_before == shot.now + PACE
    assert shot.deadline == shot.now + PACE + TURN


def test_no_limit_is_no_limit() -> None:
    """Without a turn time a connected player may think for ever."""
    home, friends = table(turn_time=0)
    assert friends[0].shot.deadline is None
    home.advance(24 * 3_600_000)
    assert not any(seat.stand_in for seat in friends[0].shot.seats)


@pytest.mark.parametrize("way", ["act", "late act", "resume"])
def test_whoever_is_back_plays_at_once(way: str) -> None:
    """By acting, by trying to, or by resuming: the stand-in goes, and everybody is told."""
    home, friends = table(turn_time=30)
    slow = on_turn(friends)
    home.advance(30_000)
    assert slow.shot.seats[slow.seat or 0].stand_in
    before, step = len(slow.line.messages), slow.state.step
    match way:
        case "act":
            slow.say(step_of(slow, Random(0)))
            assert slow.state.step == step + 1
        case "late act":
            home.advance(int(THINK * PACE))
            assert slow.state.step == step + 1
            assert slow.refused(i.Reveal(step=step, source="c1")) == "stale"
        case _:
            slow.resume()
            before = 0
    assert not slow.shot.seats[slow.seat or 0].stand_in
    assert "back" in notices(slow, before)
    if slow.shot.on_turn == slow.shot.you.seat:
        assert slow.shot.deadline == slow.shot.now + 30_000
        step = slow.state.step
        home.advance(29_999)
        assert slow.state.step == step


def test_being_connected_or_talking_is_not_being_back() -> None:
    """Only playing brings a seat back."""
    home, friends = table(turn_time=30)
    slow = on_turn(friends)
    home.advance(30_000)
    slow.say(i.Chat(text="just a moment"))
    assert slow.shot.seats[slow.seat or 0].stand_in


def test_what_a_stand_in_wins_is_the_members() -> None:
    """The member whose seat won has won."""
    home, friends = table(2, turn_time=30, pace=0)
    gone = friends[1]
    gone.drop()
    while friends[0].state.phase == "playing":
        if friends[0].shot.on_turn == "A" and friends[0].shot.legal != ("continue",):
            friends[0].say(i.Pause())
            friends[0].say(i.Pause(on=False))
            miss(friends[0])
        elif friends[0].shot.on_turn == "A":
            friends[0].say(i.Continue(step=friends[0].state.step))
        else:
            home.advance(1000)
    result = friends[0].shot.result
    assert result is not None
    assert result.seat == "B"
    assert friends[0].state.members[gone.key].won == 1
    assert friends[0].shot.seats[1].won == 1


def miss(friend: Friend) -> None:
    """Reveal two different cards, as far as that can be helped."""
    secrets = friend.state.game.secrets if friend.state.game else None
    assert secrets is not None
    own: Any = friend.shot.you.seat
    low, high = secrets.hands[0][0], secrets.hands[0][-1]
    ends = [f"{own.lower()}<", f"{own.lower()}>"] if low != high else list(friend.shot.legal)
    source: Any
    for source in ends:
        if friend.shot.on_turn == own and friend.shot.legal != ("continue",):
            friend.say(i.Reveal(step=friend.state.step, source=source))


# Away.


def test_who_is_away_past_the_grace_is_stood_in_for() -> None:
    """20 seconds, on turn or not; then it is seen at once, and the deadline is gone."""
    home, friends = table()
    for gone in (on_turn(friends), rest(friends, on_turn(friends))[0]):
        left = rest(friends, gone)[0]
        seat = gone.seat or 0
        gone.drop()
        home.advance(GRACE_MS - 1)
        assert not left.shot.seats[seat].stand_in
        home.advance(1)
        assert left.shot.seats[seat].stand_in
        assert f"{gone.name} is away; a stand-in plays." in [
            notice.text for notice in left.line.all_of(o.Notice)
        ]
        gone.resume()
        assert not left.shot.seats[seat].stand_in


def test_a_short_absence_is_nothing() -> None:
    """Back in time; the next absence has the whole grace again."""
    home, friends = table(turn_time=0)
    for _ in range(3):
        friends[1].drop()
        home.advance(GRACE_MS - 1)
        friends[1].resume()
        home.advance(5)
        assert not friends[0].shot.seats[1].stand_in


def test_a_frozen_room_stands_still() -> None:
    """With nobody connected no timer, bot or stand-in moves; downtime is not charged."""
    home = Home()
    host = Friend(home, "Ada").create(turn_time=30)
    host.say(i.AddBot(level="random"))
    host.say(i.Start())
    while host.shot.on_turn != "A" or host.shot.legal == ("continue",):
        home.advance(100) if host.shot.on_turn == "B" else act([host], Random(1))
    left = (host.state.deadline or 0) - host.room._room_time()
    home.advance(10_000)
    host.drop()
    room, entries = host.room, host.room._seq
    home.advance(3_600_000)
    assert room._seq == entries
    host.resume()
    shot = host.shot
    assert shot.deadline == shot.now + left - 10_000
    assert not shot.frozen
    home.advance(left - 10_001)
    assert not host.shot.seats[0].stand_in
    home.advance(1)
    assert host.shot.seats[0].stand_in


def test_the_first_who_returns_gives_the_others_their_grace_anew() -> None:
    """After a frozen hour nobody who is still away is passed over at once."""
    home, friends = table(turn_time=0)
    for friend in friends:
        friend.drop()
        home.advance(5000)
    home.advance(3_600_000)
    friends[1].resume()
    home.advance(GRACE_MS - 1)
    assert not any(seat.stand_in for seat in friends[1].shot.seats)
    assert not friends[1].shot.you.host
    home.advance(1)
    assert [seat.stand_in for seat in friends[1].shot.seats[:3]] == [True, False, True]
    assert friends[1].shot.you.host


def test_a_robot_waits_in_a_frozen_room() -> None:
    """A server's bot whose turn it is plays on when somebody is back."""
    home = Home()
    host = Friend(home, "Ada").create()
    host.say(i.AddBot(level="random"))
    host.say(i.Start())
    while host.shot.on_turn != "B":
        act([host], Random(1))
    step = host.state.step
    host.drop()
    home.advance(600_000)
    assert host.state.step == step
    host.resume()
    home.advance(10_000)
    assert host.state.step > step


# Pause.


def test_a_pause_keeps_what_is_left_of_the_turn() -> None:
    """While paused nothing moves and nobody acts; then the turn goes on where it was."""
    home, friends = table(turn_time=90)
    home.advance(40_000)
    friends[0].say(i.Pause())
    shot = friends[0].shot
    assert (shot.paused, shot.deadline, shot.legal) == (True, None, ())
    home.advance(600_000)
    assert friends[0].state.step == shot.step
    friends[0].say(i.Pause(on=False))
    shot = friends[0].shot
    assert shot.deadline == shot.now + TURN - 40_000
    assert shot.legal
    assert notices(friends[1])[-2:] == ["paused", "paused"]


def test_a_paused_robot_does_not_move() -> None:
    """Server's bots rest while the game is paused and go on afterwards."""
    home = Home()
    host = Friend(home, "Ada").create()
    for _ in range(3):
        host.say(i.AddBot(level="random"))
    host.say(i.Start())
    while host.shot.on_turn == "A":
        act([host], Random(0))
    host.say(i.Pause())
    step = host.state.step
    home.advance(60_000)
    assert host.state.step == step
    host.say(i.Pause(on=False))
    home.advance(3000)
    assert host.state.step > step


def test_coming_back_to_a_paused_game_keeps_the_pause() -> None:
    """A resume removes the stand-in, starts no deadline, and nothing wakes for nothing."""
    home, friends = table(turn_time=30)
    slow = on_turn(friends)
    host = friends[0]
    home.advance(30_000)
    host.say(i.Pause())
    slow.resume()
    assert slow.shot.paused
    assert slow.shot.deadline is None
    home.advance(600_000)
    assert not slow.shot.seats[slow.seat or 0].stand_in
    host.say(i.Pause(on=False))
    assert slow.shot.deadline == slow.shot.now + 30_000


def test_leaving_a_paused_game_leaves_no_deadline_behind() -> None:
    """The seat on turn is a robot's afterwards; robots have no deadline."""
    home, friends = table(turn_time=30)
    friends[0].say(i.Pause())
    gone = on_turn(friends)
    left = rest(friends, gone)[0]
    gone.say(i.Leave())
    home.advance(100_000)
    next(it for it in friends if it.line.open and it.shot.you.host).say(i.Pause(on=False))
    assert left.shot.deadline is None
    home.advance(10_000)
    assert left.state.step > 2


def test_who_is_away_while_paused_is_stood_in_for_when_it_goes_on() -> None:
    """A pause protects nobody's absence once it is over."""
    home, friends = table(turn_time=0)
    friends[0].say(i.Pause())
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)
    for friend in (friends[1], fan):
        friend.drop()
    home.advance(WATCHER_GRACE_MS)
    assert fan.key not in friends[0].state.members
    assert not friends[0].shot.seats[1].stand_in
    friends[0].say(i.Pause(on=False))
    home.advance(1)
    assert friends[0].shot.seats[1].stand_in


# Ends.


@pytest.mark.parametrize("how", ["won", "ended", "closed"])
def test_nothing_fires_into_what_is_over(how: str) -> None:
    """Deadlines, graces and robots of a game end with it."""
    home, friends = table(turn_time=30)
    friends[2].drop()
    match how:
        case "won":
            friends[2].resume()
            finish(friends)
            friends[2].drop()
        case "ended":
            friends[0].say(i.End())
        case _:
            friends[0].say(i.Close())
    seats = friends[0].shot.seats
    entries = 0 if how == "closed" else friends[0].room._seq
    home.advance(3_600_000)
    assert friends[0].shot.seats == seats
    if how != "closed":
        assert friends[0].room._seq == entries
    assert home.alarms == {}


def test_an_old_games_timer_does_not_fire_into_the_next() -> None:
    """The deadline of the last turn of a game means nothing to the next game."""
    home, friends = table(turn_time=30)
    home.advance(29_000)
    friends[0].say(i.End())
    for friend in friends:
        friend.say(i.Rematch())
    begin(friends)
    home.advance(29_000)
    assert not any(seat.stand_in for seat in friends[0].shot.seats)
    home.advance(1000)
    assert any(seat.stand_in for seat in friends[0].shot.seats)


# Robots.


def test_robots_keep_the_pace_of_people() -> None:
    """They continue when anybody may, and think for a while before each reveal."""
    home = Home()
    host = Friend(home, "Ada").create(pace=1000)
    for _ in range(3):
        host.say(i.AddBot(level="random"))
    host.say(i.Start())
    while host.shot.on_turn == "A":
        act([host], Random(0))
    home.advance(5000)
    shots = [it for it in host.line.all_of(o.Snapshot) if it.phase == "playing"]
    moves = [
        (now.now - before.now, before.legal == ("continue",))
        for before, now in pairwise(shots)
        if before.on_turn != "A" and now.step > before.step
    ]
    assert len(moves) > 3
    assert {wait for wait, continued in moves if continued} == {1000}
    assert {wait for wait, continued in moves if not continued} <= {int(THINK * 1000)}


def test_a_person_who_acts_does_not_hurry_the_next_robot() -> None:
    """A stand-in's pause is not the next bot's: the miss stays on the table for its time."""
    for seed in range(12):
        home = Home(seed)
        host = Friend(home, "Ada").create(turn_time=30, pace=1000)
        host.say(i.AddBot(level="random"))
        host.say(i.Start())
        while host.shot.on_turn != "A" or host.shot.legal == ("continue",):
            home.advance(100) if host.shot.on_turn == "B" else act([host], Random(1))
        host.say(step_of(host, Random(seed)))
        home.advance((host.shot.deadline or 0) - home.now)
        assert host.shot.seats[0].stand_in
        home.advance(700)
        host.say(step_of(host, Random(seed)))
        if host.shot.legal == ("continue",):
            step = host.state.step
            home.advance(999)
            assert host.state.step == step
            home.advance(1)
            assert host.state.step == step + 1


def test_robots_alone_do_not_wait() -> None:
    """Bots of the server and one from outside play a whole game in no time."""
    home = Home()
    robot = Friend(home, "Robot", kind="bot").create(turn_time=30)
    for _ in range(2):
        robot.say(i.AddBot(level="novice"))
    robot.say(i.Start())
    start = home.now
    while robot.state.phase == "playing":
        if robot.shot.on_turn == "A":
            robot.say(step_of(robot, Random(robot.state.step)))
        else:
            home.advance(0)
    assert home.now == start


# Others.


def test_a_watcher_who_went_away_is_forgotten() -> None:
    """After five minutes; until then the same token watches on."""
    home, friends = table(turn_time=0)
    fans = [Friend(home, name) for name in ("Fan", "Fun")]
    for fan in fans:
        fan.watch(friends[0].code)
        fan.drop()
    assert not friends[0].shot.watching
    home.advance(WATCHER_GRACE_MS - 1)
    fans[1].resume()
    assert friends[0].shot.watching == ("Fun",)
    home.advance(1)
    assert fans[0].key not in friends[0].state.members
    assert fans[1].key in friends[0].state.members
    fans[0].arrive(friends[0].code)
    assert fans[0].refused(i.Resume(protocol=1, token=fans[0].token)) == "no_such_room"


def test_any_schedule_of_waits_is_the_same_schedule() -> None:
    """Moving the clock in one step or in many leads to the same entries at the same times."""
    told = []
    for parts in (1, 7, 50):
        home = Home("schedule")
        friends = company(home, 3, turn_time=30)
        friends[0].say(i.AddBot(level="random"))
        begin(friends)
        friends[2].drop()
        for _ in range(parts):
            home.advance(350_000 // parts)
        told.append(list(home.journal.entries(friends[0].code)))
    assert told[0] == told[1] == told[2]
