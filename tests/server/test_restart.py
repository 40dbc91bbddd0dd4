"""Rooms that come back: after a restart and after a rest, as they were, on any clock."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.lobby import REST_AFTER_MS
from nana_server.room.evolve import OPENING_MS
from nana_server.room.ids import Used
from nana_server.room.room import Room
from nana_server.room.state import Key
from nana_server.room.timers import GRACE_MS, WATCHER_GRACE_MS
from server.house_fixture import (
    START,
    Friend,
    act,
    begin,
    collect,
    company,
    finish,
    on_turn,
    step_of,
)
from server.lasting_house import LastingHome, shots, wake
from server.sessions import something

TURN_MS: Final = 30_000


# As it was, in every phase. Each returns the friends; the first is the host.


def lobby(home: LastingHome) -> list[Friend]:
    friends = company(home, 2, nonce=True, seats=5, memory="open", turn_time=30)
    friends[0].say(i.AddBot(level="novice"))
    Friend(home, "Fan").watch(friends[0].code)
    friends[1].say(i.Chat(text="Hello!"))
    friends[0].say(i.SetOptions(options=i.OptionChanges(pace=300, public=True)))
    return friends


def opening(home: LastingHome) -> list[Friend]:
    friends = company(home, 3, nonce=True)
    friends[0].say(i.Start())
    friends[1].open()
    assert friends[0].shot.deal.to_open == ("A", "C")
    return friends


def dealt(home: LastingHome) -> list[Friend]:
    friends = company(home, 3, nonce=True, memory="open", turn_time=30)
    begin(friends)
    return friends


def attempting(home: LastingHome) -> list[Friend]:
    friends = dealt(home)
    for number in range(400):
        shot = friends[0].shot
        if shot.attempt and shot.attempt.cards and shot.attempt.outcome is None and number > 20:
            return friends
        act(friends, Random(f"attempt/{number}"))
    raise AssertionError("an attempt has more than one card now and then")


def shown(home: LastingHome) -> list[Friend]:
    friends = attempting(home)
    while friends[0].shot.legal != ("continue",):
        act(friends, Random(3))
    return friends


def paused(home: LastingHome) -> list[Friend]:
    friends = attempting(home)
    home.advance(7000)
    friends[0].say(i.Pause())
    assert friends[0].shot.paused
    return friends


def stood_in(home: LastingHome) -> list[Friend]:
    friends = dealt(home)
    home.advance(TURN_MS + 5000)
    assert any(seat.stand_in for seat in friends[0].shot.seats)
    return friends


def left(home: LastingHome) -> list[Friend]:
    friends = attempting(home)
    friends[2].say(i.Leave())
    return friends[:2]


def over(home: LastingHome) -> list[Friend]:
    friends = dealt(home)
    finish(friends)
    friends[1].say(i.Rematch(nonce_hash=friends[1].commitment()))
    assert [seat.ready for seat in friends[0].shot.seats[:3]] == [False, True, False]
    return friends


def second_game(home: LastingHome) -> list[Friend]:
    friends = over(home)
    for friend in (friends[0], friends[2]):
        friend.say(i.Rematch())
    begin(friends)
    assert sum(seat.won for seat in friends[0].shot.seats) == 1
    return friends


def ended(home: LastingHome) -> list[Friend]:
    friends = attempting(home)
    friends[0].say(i.End())
    return friends


PHASES: Final = (
    lobby, opening, dealt, attempting, shown, paused, stood_in, left, over, second_game, ended,
)  # fmt: skip
Make = Callable[[LastingHome], list[Friend]]


def timeless(shot: o.Snapshot, back: set[str | None]) -> dict[str, object]:
    """Return what depends neither on when it is shown nor on who is there: `back` play again."""
    fields = {name: getattr(shot, name) for name in shot.__struct_fields__}
    for name in ("epoch", "version", "now", "deadline", "not_before", "frozen", "missed"):
        del fields[name]
    fields["seats"] = [
        replace(seat, online=True, stand_in=seat.stand_in and seat.seat not in back)
        for seat in shot.seats
    ]
    del fields["watching"]
    return fields


def used_ids(room: Room) -> dict[Key, Used]:
    return {key: dict(used) for key, used in room._ids.all.items() if used}


@pytest.mark.parametrize("way", ["restart", "rest"])
@pytest.mark.parametrize("make", PHASES, ids=lambda make: str(make.__name__))
def test_a_room_comes_back_as_it_was(tmp_path: Path, make: Make, way: str) -> None:
    """Its state to the last field, what each member sees, and every word of the talk."""
    with LastingHome(tmp_path) as home:
        friends = make(home)
        room, before = friends[0].room, [friend.shot for friend in friends]
        state, ids, attempts = room.state, used_ids(room), list(room._stage.attempts)
        come_back(home, friends, way)
        wake(friends[0])
        again = friends[0].room
        assert again is not room
        assert again.state == state
        assert used_ids(again) == ids
        assert again._stage.attempts == attempts
        assert way == "restart" or again.version == room.version
        back = set[str | None]()
        for friend, old in zip(friends, before, strict=True):
            friend.resume()
            back.add(old.you.seat)
            assert timeless(friend.shot, back) == timeless(old, back)
            assert friend.line.all_of(o.ChatLine) == list(state.chat)
            assert friend.shot.missed == ()


def come_back(home: LastingHome, friends: list[Friend], way: str) -> None:
    """Restart, on another clock; or have the room leave memory."""
    if way == "restart":
        home.restart(clock=START // 7)
    else:
        for line in home.lines:
            if line.open:
                line.hang_up()
        home.sweep()
        home.advance(REST_AFTER_MS)
        home.sweep()
    assert len(home.lobby) == 0
    assert home.lobby.resting == 1


@pytest.mark.parametrize("way", ["restart", "rest"])
@pytest.mark.parametrize("make", PHASES, ids=lambda make: str(make.__name__))
def test_a_room_that_came_back_goes_on(tmp_path: Path, make: Make, way: str) -> None:
    """From every phase to the end of a game, and into another."""
    with LastingHome(tmp_path) as home:
        friends = make(home)
        come_back(home, friends, way)
        for friend in friends:
            friend.resume()
        host = friends[0]
        games = host.state.number + (2 if host.state.phase == "over" else 1)
        if host.state.paused:
            host.say(i.Pause(on=False))
        for _ in range(2):
            if host.state.phase == "opening":
                for friend in friends:
                    if friend.shot.you.seat in friend.shot.deal.to_open:
                        friend.open()
            elif host.state.phase in {"lobby", "over"}:
                for friend in friends:
                    friend.say(i.Rematch())
                begin(friends)
            play_out(home, friends)
        assert host.state.number == games


def play_out(home: LastingHome, friends: list[Friend]) -> None:
    """Let people collect what they can; robots are waited for."""
    host = friends[0]
    for _ in range(3000):
        game = host.state.game
        assert game is not None
        if host.state.phase == "over":
            return
        sitter = host.state.seats[game.table.on_turn]
        if sitter is not None and sitter.played_by_server:
            home.advance(2000)
        else:
            collect(friends)
    raise AssertionError("a game comes to its end")


@pytest.mark.parametrize("seed", range(25))
def test_restarts_at_any_moment_change_nothing(tmp_path: Path, seed: int) -> None:
    """In random sessions: each room is the same after each restart, and versions rise."""
    chance = Random(f"restarts/{seed}")
    with LastingHome(tmp_path, seed) as home:
        friends = company(
            home, chance.randrange(2, 5), nonce=True, seats=5, turn_time=30, memory="open"
        )
        friends.append(Friend(home, "Fan"))
        friends[-1].watch(friends[0].code)
        for _ in range(60):
            if home.lobby.find(friends[0].code) is None:
                break
            home.disk.works = chance.random() < 0.95
            something(home, friends, chance)
            if chance.random() < 0.15:
                home.disk.works = True
                _restart_and_compare(home, friends, chance)
        for friend in friends:
            order = [(shot.epoch, shot.version) for shot in shots(friend)]
            assert order == sorted(set(order))


def _restart_and_compare(home: LastingHome, friends: list[Friend], chance: Random) -> None:
    home.settle()
    room = home.lobby.find(friends[0].code)
    if room is None:
        return
    home.restart(chance.randrange(100_000_000), clock=chance.randrange(10**9))
    wake(friends[0])
    again = friends[0].room
    assert again.state == room.state
    assert again._stage.attempts == room._stage.attempts
    for friend in friends:
        if friend.key in again.state.members and chance.random() < 0.8:
            friend.resume()


# Versions and ids.


def test_versions_rise_through_a_rest(tmp_path: Path) -> None:
    """A client that was shown a version before the room rested believes what comes after."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 2)
        for _ in range(20):  # seen, but nothing for the journal
            friends[1].drop()
            friends[1].resume()
        come_back(home, friends, "rest")
        friends[1].resume()
        order = [(shot.epoch, shot.version) for shot in shots(friends[1])]
        assert order == sorted(set(order))
        assert order[-1][0] == 1


@pytest.mark.parametrize("way", ["restart", "rest"])
def test_a_retry_is_harmless_after_it_came_back(tmp_path: Path, way: str) -> None:
    """The same id has one effect and the same answer; with other words it is refused."""
    with LastingHome(tmp_path) as home:
        friends = dealt(home)
        friend = on_turn(friends)
        step, seen = step_of(friend, Random(1)), friend.state.step
        assert isinstance(step, i.Reveal)
        play = i.Reveal(step=step.step, source=step.source, id="play")
        (ack,) = (it for it in friend.say(play) if isinstance(it, o.Ack))
        friend.say(i.Chat(text="once", id="talk"))
        come_back(home, friends, way)
        friend.resume()
        assert [it for it in friend.say(play) if isinstance(it, o.Ack)] == [ack]
        friend.say(i.Chat(text="once", id="talk"))
        assert friend.refused(i.Chat(text="twice", id="talk")) == "id_reused"
        assert friend.state.step == seen + 1
        assert [line.text for line in friend.state.chat] == ["once"]


def test_who_left_took_the_ids_along(tmp_path: Path) -> None:
    """A new seat under an old token begins with no ids, after a restart too."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 3)
        friends[1].say(i.Chat(text="x", id="x"))
        friends[1].say(i.Leave(id="bye"))
        home.restart()
        friends[1].join(friends[0].code)
        assert isinstance(friends[1].say(i.Chat(text="y", id="x"))[0], o.Ack)


# Time.


def test_downtime_is_not_charged_to_a_turn(tmp_path: Path) -> None:
    """The turn has what it had left, then a stand-in takes it, not before and not later."""
    with LastingHome(tmp_path) as home:
        friends = dealt(home)
        friend = on_turn(friends)
        home.advance(20_000)
        friend.say(i.Chat(text="Thinking…"))  # the newest moment that the journal knows
        home.restart(downtime=86_400_000, clock=5)
        for it in friends:
            it.resume()
        assert friend.shot.deadline == friend.shot.now + 10_000
        home.advance(9999)
        assert not any(seat.stand_in for seat in friend.shot.seats)
        home.advance(1)
        assert any(seat.stand_in for seat in friend.shot.seats)


def test_a_pause_outlives_a_restart(tmp_path: Path) -> None:
    """What is left of the turn is what was left when it was paused."""
    with LastingHome(tmp_path) as home:
        friends = dealt(home)
        home.advance(12_000)
        friends[0].say(i.Pause())
        home.restart(clock=77)
        for friend in friends:
            friend.resume()
        assert friends[0].shot.paused
        home.advance(600_000)
        friends[0].say(i.Pause(on=False))
        assert friends[0].shot.deadline == friends[0].shot.now + 18_000


def test_an_opening_has_its_time_after_a_restart(tmp_path: Path) -> None:
    """Who does not open in what is left of it is dealt in without a nonce."""
    with LastingHome(tmp_path) as home:
        friends = opening(home)
        home.restart(clock=9)
        for friend in friends:
            friend.resume()
        friends[0].open()
        home.advance(OPENING_MS - 1)
        assert friends[0].shot.phase == "opening"
        home.advance(1)
        assert friends[0].shot.phase == "playing"
        nonces = friends[0].state.nonces
        assert [nonce is None for nonce in nonces] == [False, False, True]


def test_a_miss_stays_on_the_table_after_a_restart(tmp_path: Path) -> None:
    """`continue` is refused as long as it would have been."""
    with LastingHome(tmp_path) as home:
        friends = shown(home)
        friend = on_turn(friends)
        home.restart(clock=3)
        for it in friends:
            it.resume()
        wait = friend.shot.not_before
        assert wait is not None
        assert wait > home.now
        assert friend.refused(i.Continue(step=friend.shot.step)) == "too_early"
        home.advance(wait - home.now)
        assert friend.shot.legal == ("continue",)
        friend.say(i.Continue(step=friend.shot.step))
        assert friend.shot.legal != ("continue",)


@pytest.mark.parametrize("back", [True, False])
def test_the_host_has_the_grace_after_a_restart(tmp_path: Path, back: bool) -> None:
    """It begins with the first who comes back; who is not there by then is passed over."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 3)
        home.restart()
        home.advance(500_000)
        friends[1].resume()
        home.advance(GRACE_MS - 1)
        assert friends[1].shot.host == "A"
        if back:
            friends[0].resume()
        home.advance(2)
        assert friends[1].shot.host == ("A" if back else "B")


def test_who_does_not_come_back_is_stood_in_for(tmp_path: Path) -> None:
    """After the grace, and plays again as soon as it is back."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 3, turn_time=0)
        begin(friends)
        home.restart()
        for friend in friends[:2]:
            friend.resume()
        home.advance(GRACE_MS - 1)
        assert not friends[0].shot.seats[2].stand_in
        home.advance(1)
        assert friends[0].shot.seats[2].stand_in
        home.restart()
        for friend in friends:
            friend.resume()
        assert not friends[0].shot.seats[2].stand_in


def test_watchers_come_back_or_are_forgotten(tmp_path: Path) -> None:
    """One resumes as a watcher; the other is gone after the watchers' grace."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 2)
        fans = [Friend(home, name) for name in ("Fay", "Fin")]
        for fan in fans:
            fan.watch(friends[0].code)
        home.restart()
        friends[0].resume()
        fans[0].resume()
        assert fans[0].shot.you == o.You(seat=None, name="Fay", host=False, hand=())
        home.advance(WATCHER_GRACE_MS)
        assert fans[0].key in friends[0].state.members
        assert fans[1].key not in friends[0].state.members


def test_nothing_happens_in_a_room_that_nobody_came_back_to(tmp_path: Path) -> None:
    """No robot moves and no timer fires, however long the server runs."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 2, turn_time=30)
        friends[0].say(i.AddBot(level="random"))
        begin(friends)
        state = friends[0].state
        home.restart()
        wake(friends[0])
        home.advance(3_600_000)
        assert friends[0].state == state
        assert home.alarms == {}


def test_nothing_fires_into_a_finished_game_that_came_back(tmp_path: Path) -> None:
    """Deadlines, graces and robots of a game ended with it, also for its journal."""
    with LastingHome(tmp_path) as home:
        friends = company(home, 3, turn_time=30)
        friends[0].say(i.AddBot(level="random"))
        begin(friends)
        play_out(home, friends)
        entries = friends[0].room.entries
        home.restart()
        for friend in friends:
            friend.resume()
        seats = friends[0].shot.seats
        home.advance(3_600_000)
        assert friends[0].room.entries == entries
        assert friends[0].shot.seats == seats
        assert home.alarms == {}


def test_a_robot_moves_again_after_a_restart(tmp_path: Path) -> None:
    """As soon as somebody is there to see it, and at the table's pace."""
    with LastingHome(tmp_path) as home:
        host = Friend(home, "Ada").create(turn_time=0)
        host.say(i.AddBot(level="memory"))
        begin([host])
        while host.shot.on_turn == "A":
            act([host], Random(5))
        home.restart(clock=1)
        host.resume()
        step = host.shot.step
        home.advance(5000)
        assert host.shot.step > step


# Two tabs.


def test_tabs_in_any_order_after_a_restart(tmp_path: Path) -> None:
    """Late closes, resumes, restarts: one seat, one socket, no ghost, nobody away who is here."""
    with LastingHome(tmp_path) as home:
        for seed in range(60):
            _interleave(home, Random(f"tabs after/{seed}"))


def _interleave(home: LastingHome, chance: Random) -> None:
    friends = company(home, 2)
    if chance.random() < 0.5:
        begin(friends)
    home.restart(clock=chance.randrange(10**6))
    for _ in range(chance.randrange(4, 14)):
        friend = chance.choice(friends)
        match chance.randrange(6):
            case 0 | 1:
                friend.arrive(friend.code)
                friend.line.lingers = chance.random() < 0.5
                friend.line.say(i.Resume(protocol=1, token=friend.token))  # being read meanwhile
            case 2:
                friend.line.hang_up()
            case 3:
                if closing := [line for line in home.closing if line.lingers]:
                    chance.choice(closing).hang_up()
            case 4:
                home.settle()
            case _:
                home.advance(chance.randrange(30_000))
    home.settle()
    home.advance(5)
    wake(friends[0])
    room = friends[0].room
    for friend in friends:
        alive = [
            it for it in home.lines if it.open and getattr(it.context, "key", "") == friend.key
        ]
        assert len(alive) <= 1
        assert friend.connected == bool(alive)
        assert (friend.key in room.audience.presence.away) == (not alive)
        for line in alive:
            assert line.all_of(o.Snapshot)[-1].version == room.version
    assert len(room.state.members) == 2
    assert bool(room.audience) == (not room.audience.clock.stopped)
    for line in home.lines:
        if line.open or line in home.closing:
            line.hang_up()
