"""What was seen before: shown again to nobody, or to everybody; and what a slow reader gets."""

from random import Random
from typing import Any

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.outbound import AttemptView
from nana_server.room.viewer import MISSED_MOST
from server.house_fixture import Friend, Home, act, begin, company, finish, on_turn


def table(memory: Any, people: int = 3) -> tuple[Home, list[Friend]]:
    home = Home(memory)
    friends = company(home, people, memory=memory, turn_time=0)
    begin(friends)
    return home, friends


def ended(friend: Friend) -> list[AttemptView]:
    """Collect every ended attempt that this connection was told, in order, each once."""
    told: list[AttemptView] = []
    for shot in friend.line.all_of(o.Snapshot):
        for attempt in (*shot.missed, *([shot.attempt] if shot.attempt else [])):
            if attempt.outcome and attempt not in told:
                told.append(attempt)
    return told


def turns(friends: list[Friend], count: int, chance: Random) -> None:
    """Play so many attempts to their end, and continue from each."""
    goal = friends[0].state.game
    assert goal is not None
    last = goal.table.turn + count
    while friends[0].state.phase == "playing":
        game = friends[0].state.game
        if game is None or game.table.turn >= last:
            return
        act(friends, chance)


def test_without_memory_no_past_reveal_comes_again() -> None:
    """Not in a snapshot, not on a resume, not for a newcomer: only what lies on the table."""
    _, friends = table("none")
    turns(friends, 12, Random(1))
    past = {str(attempt) for attempt in ended(friends[0])}
    assert len(past) >= 12
    fan = Friend(friends[0].home, "Fan")
    friends[1].resume()
    fan.watch(friends[0].code)
    for newcomer in (friends[1], fan):
        shot = newcomer.shot
        assert shot.ledger is None
        assert shot.missed == ()
        assert shot.attempt is not None
        assert shot.attempt.outcome is None
        assert {slot for slot in shot.center if slot != "gone"} <= {"down"} | {
            card.number for card in shot.attempt.cards
        }


def test_an_attempt_on_the_table_is_shown_on_resume() -> None:
    """What is shown to all is shown to who comes back meanwhile, as an attempt, not as missed."""
    _, friends = table("none")
    while friends[0].shot.legal != ("continue",):
        act(friends, Random(2))
    friends[1].resume()
    assert friends[1].shot.attempt == friends[0].shot.attempt
    assert friends[1].shot.missed == ()
    act(friends, Random(2))
    assert friends[1].shot.missed == ()


def test_with_open_memory_everybody_gets_the_ledger() -> None:
    """The slots and hands where numbers were seen, equal for all, newcomers included."""
    _, friends = table("open")
    turns(friends, 10, Random(3))
    slots: dict[str, int] = {}
    for attempt in ended(friends[0]):
        for card in attempt.cards:
            if card.source[0] == "c" and card.source[1].isdigit():
                slots[card.source] = card.number
    fan = Friend(friends[0].home, "Fan")
    fan.watch(friends[0].code)
    friends[1].resume()
    ledger = fan.shot.ledger
    assert ledger is not None
    assert ledger == friends[0].shot.ledger == friends[1].shot.ledger
    seen = {f"c{at}": number for at, number in enumerate(ledger.center, 1) if number}
    gone = {f"c{at}" for at, slot in enumerate(fan.shot.center, 1) if slot == "gone"}
    assert slots
    assert seen == {slot: number for slot, number in slots.items() if slot not in gone}
    assert friends[0].state.game is not None
    for known, hand in zip(ledger.hands, friends[0].state.game.secrets.hands, strict=True):
        assert all(known.count(number) <= hand.count(number) for number in known)


def test_a_change_of_memory_is_for_the_next_game() -> None:
    """Between games the option moves; the finished game keeps what it had."""
    _, friends = table("none", 2)
    finish(friends)
    friends[0].say(i.SetOptions(options=i.OptionChanges(memory="open")))
    assert friends[0].shot.ledger is None
    friends[1].say(i.Rematch())
    friends[0].say(i.Rematch())
    begin(friends)
    assert friends[0].shot.ledger is not None


@pytest.mark.parametrize("count", [1, 2, MISSED_MOST])
def test_a_slow_reader_gets_the_newest_snapshot_and_what_it_missed(count: int) -> None:
    """Nothing is written while it is blocked; then one snapshot, with the attempts in order."""
    home, friends = table("none")
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)
    turns(friends, 1, Random(4))
    fan.line.blocked = True
    before = len(fan.line.sent)
    turns(friends, count, Random(5))
    assert len(fan.line.sent) == before
    fan.line.take()
    (shot,) = fan.line.all_of(o.Snapshot, before)
    assert shot.version == friends[0].shot.version
    assert len(shot.missed) == count
    assert list(shot.missed) == ended(friends[0])[-count:]
    assert ended(fan) == ended(friends[0])
    act(friends, Random(6))
    assert fan.shot.missed == ()


def test_a_reader_that_is_too_slow_is_cut() -> None:
    """One attempt more than can be caught up with: the connection ends, and may resume."""
    home, friends = table("none")
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)
    fan.line.blocked = True
    turns(friends, MISSED_MOST + 1, Random(7))
    fan.line.take()
    home.settle()
    assert fan.line.aborted
    assert not fan.connected
    fan.resume()
    assert fan.shot.missed == ()
    assert fan.shot.version == friends[0].shot.version


def test_a_slow_reader_at_its_turn_can_still_be_told() -> None:
    """A blocked player's own answers come; its snapshot follows when it can be written."""
    _, friends = table("none")
    friend = on_turn(friends)
    friend.line.blocked = True
    before = len(friend.line.sent)
    friend.say(i.Reveal(step=friend.state.step, source="c1", id="x"))
    assert [type(it) for it in friend.line.messages[before:]] == [o.Ack]
    friend.line.take()
    assert [type(it) for it in friend.line.messages[before:]] == [o.Ack, o.Snapshot]
    assert friend.shot.step == friend.state.step


def test_every_connection_is_told_every_attempt_once() -> None:
    """However often readers are blocked, what they are told is the whole game, in order."""
    for seed in range(20):
        chance = Random(f"blocks/{seed}")
        home, friends = table(chance.choice(["none", "open"]))
        fan = Friend(home, "Fan")
        fan.watch(friends[0].code)
        for _ in range(60):
            if friends[0].state.phase != "playing":
                break
            act(friends, chance)
            for line in (fan.line, friends[chance.randrange(3)].line):
                if line.blocked and chance.random() < 0.4:
                    line.take()
                elif not line.blocked and line is fan.line and chance.random() < 0.3:
                    line.blocked = True
        fan.line.take()
        assert ended(fan) == friends[0].room._stage.attempts
        assert ended(friends[1]) == friends[0].room._stage.attempts


def test_a_new_game_owes_nothing_of_the_last() -> None:
    """Who was blocked over the end of a game gets the new game, without the old attempts."""
    home, friends = table("none", 2)
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)
    turns(friends, 3, Random(8))
    fan.line.blocked = True
    finish(friends)
    for friend in friends:
        friend.say(i.Rematch())
    begin(friends)
    turns(friends, 1, Random(9))
    fan.line.take()
    assert fan.shot.game == 2
    assert [attempt.turn for attempt in fan.shot.missed] == [1]
