"""What is refused changes nothing, costs a code and a sentence, and is told only to who asked."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from nana_core.notation import SOURCES
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.inbound import SourceName
from nana_server.room.refusals import REFUSALS
from server.house_fixture import Friend, Home, act, begin, collect, company, finish, on_turn


def table(people: int = 3, **options: Any) -> list[Friend]:
    friends = company(Home(), people, **options)
    begin(friends)
    return friends


def show(friends: list[Friend]) -> None:
    """Play until an attempt has ended in a miss, and the waiting time is not over."""
    chance = Random(3)
    while True:
        friend = act(friends, chance)
        if friend.shot.legal == ("continue",):
            return


Case = Callable[[list[Friend]], tuple[Friend, i.Inside]]


def _not_on_turn(friends: list[Friend]) -> Friend:
    return next(friend for friend in friends if friend is not on_turn(friends))


def _reveal(source: SourceName) -> Case:
    return lambda f: (on_turn(f), i.Reveal(step=f[0].state.step, source=source))


def _out_of_turn(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    return _not_on_turn(friends), i.Reveal(step=friends[0].state.step, source="c1")


def _face_up(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    message = i.Reveal(step=friends[0].state.step, source="c1")
    friend = on_turn(friends)
    friend.say(message)
    return friend, i.Reveal(step=friends[0].state.step, source="c1")


def _collected(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    while "gone" not in friends[0].shot.center:
        collect(friends)
        act(friends, Random(0))
    gone = friends[0].shot.center.index("gone")
    source: Any = f"c{gone + 1}"
    return on_turn(friends), i.Reveal(step=friends[0].state.step, source=source)


def _unshown(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    show(friends)
    return on_turn(friends), i.Reveal(step=friends[0].state.step, source="c1")


def _early(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    show(friends)
    return on_turn(friends), i.Continue(step=friends[0].state.step)


def _paused(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    friends[0].say(i.Pause())
    return on_turn(friends), i.Reveal(step=friends[0].state.step, source="c1")


def _watching(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    fan = Friend(friends[0].home, "Fan")
    fan.watch(friends[0].code)
    return fan, i.Reveal(step=friends[0].state.step, source="c1")


def _over(friends: list[Friend]) -> tuple[Friend, i.Inside]:
    finish(friends)
    return friends[0], i.Reveal(step=friends[0].state.step, source="c1")


def _by_host(message: i.Inside) -> Case:
    return lambda friends: (friends[0], message)


def _by_guest(message: i.Inside) -> Case:
    return lambda friends: (friends[1], message)


PLAYING: Final[dict[str, tuple[str, Case]]] = {
    "out of turn": ("not_your_turn", _out_of_turn),
    "no such slot": ("no_such_slot", _reveal("c10")),
    "no such seat": ("no_such_seat", _reveal("e<")),
    "a card that is face up": ("slot_open", _face_up),
    "a collected card": ("slot_gone", _collected),
    "a reveal before continue": ("continue_first", _unshown),
    "a continue too early": ("too_early", _early),
    "a continue of nothing": (
        "nothing_to_continue",
        lambda f: (on_turn(f), i.Continue(step=f[0].state.step)),
    ),
    "stale": ("stale", lambda f: (on_turn(f), i.Reveal(step=f[0].state.step - 1, source="c1"))),
    "from the future": ("stale", lambda f: (on_turn(f), i.Continue(step=f[0].state.step + 1))),
    "while paused": ("paused", _paused),
    "a watcher's": ("not_seated", _watching),
    "after the game": ("wrong_phase", _over),
    "options while playing": (
        "wrong_phase",
        _by_host(i.SetOptions(options=i.OptionChanges(pace=1))),
    ),
    "a bot while playing": ("wrong_phase", _by_host(i.AddBot())),
    "a start while playing": ("wrong_phase", _by_host(i.Start())),
    "an opening while playing": ("wrong_phase", _by_host(i.Open(nonce="0" * 64))),
    "a rematch while playing": ("wrong_phase", _by_host(i.Rematch())),
    "a seat while playing": ("wrong_phase", _by_host(i.Sit())),
    "removing nobody": ("no_such_seat", _by_host(i.Remove(seat="E"))),
    "removing oneself": ("bad_option", _by_host(i.Remove(seat="A"))),
    "giving to nobody": ("no_such_seat", _by_host(i.GiveHost(seat="E"))),
    "a guest's pause": ("not_host", _by_guest(i.Pause())),
    "a guest's end": ("not_host", _by_guest(i.End())),
    "a guest's close": ("not_host", _by_guest(i.Close())),
    "a guest's removing": ("not_host", _by_guest(i.Remove(seat="A"))),
    "a guest's options": ("not_host", _by_guest(i.SetOptions(options=i.OptionChanges()))),
    "hostile chat": ("bad_text", _by_guest(i.Chat(text="\x1b[2J"))),
    "wide chat": ("bad_text", _by_guest(i.Chat(text="x" * 201))),
}


@pytest.mark.parametrize("case", PLAYING)
def test_a_refusal_while_playing(case: str) -> None:
    """A code, a sentence with the id; the state, the journal and the others see nothing."""
    code, make = PLAYING[case]
    friends = table()
    friend, message = make(friends)
    check_refused(friends, friend, message, code)


LOBBY: Final[dict[str, tuple[str, Case]]] = {
    "acting": ("wrong_phase", _by_host(i.Reveal(step=0, source="c1"))),
    "ending": ("wrong_phase", _by_host(i.End())),
    "pausing": ("wrong_phase", _by_host(i.Pause())),
    "a rematch": ("wrong_phase", _by_host(i.Rematch())),
    "an opening": ("wrong_phase", _by_host(i.Open(nonce="0" * 64))),
    "a bot at a taken seat": ("seat_taken", _by_host(i.AddBot(seat="A"))),
    "a bot at no seat": ("no_such_seat", _by_host(i.AddBot(seat="E"))),
    "too few seats": ("bad_option", _by_host(i.SetOptions(options=i.OptionChanges(seats=2)))),
    "a guest's start": ("not_host", _by_guest(i.Start())),
}


@pytest.mark.parametrize("case", LOBBY)
def test_a_refusal_in_the_lobby(case: str) -> None:
    """The same before the first game."""
    code, make = LOBBY[case]
    friends = company(Home(), 3)
    friend, message = make(friends)
    check_refused(friends, friend, message, code)


def test_one_player_is_too_few() -> None:
    """A host alone is told what to do about it."""
    friends = company(Home(), 1)
    check_refused(friends, friends[0], i.Start(), "too_few_players")


def check_refused(friends: list[Friend], friend: Friend, message: i.Inside, code: str) -> None:
    home, room = friend.home, friends[0].room
    state, version, entries = room.state, room.version, room._seq
    others = [it for it in friends if it is not friend]
    before = [len(it.line.sent) for it in others]
    error, *more = friend.say(message)
    assert isinstance(error, o.Error)
    assert (error.code, error.id) == (code, message.id)
    assert error.text.endswith((".", "!"))
    assert (room.state, room.version, room._seq) == (state, version, entries)
    assert [len(it.line.sent) for it in others] == before
    assert [type(it) for it in more] == ([o.Snapshot] if code == "stale" else [])
    assert home.journal.waiting == []


def test_a_stale_action_is_shown_the_table_as_it_is() -> None:
    """The snapshot after the error is the current one, the viewer's own hand included."""
    friends = table()
    friend = on_turn(friends)
    shot = friend.shot
    _, again = friend.say(i.Reveal(step=shot.step - 1, source="c1"))
    assert isinstance(again, o.Snapshot)
    assert again == shot


def test_the_pace_is_for_people() -> None:
    """With a person there, even a watcher, no seat may hide a miss; among bots nobody waits."""
    home = Home()
    robots = [Friend(home, name, kind="bot") for name in ("R1", "R2")]
    robots[0].create(pace=1200)
    robots[1].join(robots[0].code)
    begin(robots)
    show(robots)
    robot = on_turn(robots)
    robot.say(i.Continue(step=robot.state.step))
    assert robot.shot.legal != ("continue",)
    fan = Friend(home, "Fan")
    fan.watch(robots[0].code)
    show(robots)
    robot = on_turn(robots)
    shot = robot.shot
    assert shot.not_before == shot.now + 1200
    home.advance(1199)
    assert robot.refused(i.Continue(step=robot.state.step)) == "too_early"
    home.advance(1)
    robot.say(i.Continue(step=robot.state.step))
    assert robot.shot.legal != ("continue",)
    assert robot.shot.not_before is None
    show(robots)
    fan.drop()
    robot = on_turn(robots)
    robot.say(i.Continue(step=robot.state.step))
    assert robot.shot.legal != ("continue",)


def test_a_thousand_wrong_messages_change_nothing() -> None:
    """Random actions with wrong steps, seats and sources: no entry, no change, an answer each."""
    chance = Random(11)
    friends = table(4)
    sources: list[Any] = list(SOURCES)
    for _ in range(12):
        act(friends, chance)
        room = friends[0].room
        state, version, entries = room.state, room.version, room._seq
        for n in range(90):
            friend = chance.choice(friends)
            wrong = room.state.step + chance.choice([-3, -1, 1, 1000])
            step = wrong if friend is on_turn(friends) else room.state.step
            source = chance.choice(sources)
            wrongs: list[i.Inside] = [
                i.Reveal(step=max(0, step), source=source, id=f"{n}"),
                i.Continue(step=max(0, step), id=f"{n}"),
                i.Open(nonce=chance.randbytes(32).hex(), id=f"{n}"),
                i.Sit(id=f"{n}"),
                i.Rematch(id=f"{n}"),
            ]
            message = chance.choice(wrongs)
            before = len(friend.line.messages)
            friend.say(message)
            assert [it.id for it in friend.line.all_of(o.Error, before)] == [f"{n}"]
        assert (room.state, room.version, room._seq) == (state, version, entries)


def test_every_standing_sentence_is_one() -> None:
    """Sentences for people: they begin large and end with a stop."""
    for text in REFUSALS.values():
        assert text[0].isupper()
        assert text.endswith(".")
