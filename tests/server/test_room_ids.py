"""An id stands for one effect and one answer, however often it is sent."""

import pytest

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_server.room.ids import IDS_KEPT
from server.house_fixture import Friend, Home, begin, company, on_turn


def playing() -> tuple[Home, list[Friend], Friend]:
    home = Home()
    friends = company(home, 2)
    begin(friends)
    return home, friends, on_turn(friends)


def test_a_retry_has_one_effect_and_the_same_answer() -> None:
    """Five times over the same connection, over new ones, and after everything moved on."""
    _, friends, friend = playing()
    message = i.Reveal(step=friend.state.step, source="c1", id="r1")
    answers = [friend.say(message)[0]]
    entries = friend.room._seq
    for _ in range(4):
        answers += friend.say(message)
    friend.resume()
    answers += friend.say(message)
    friends[0].say(i.Chat(text="and on"))
    friend.drop()
    friend.resume()
    answers += friend.say(message)
    assert len(answers) == 7
    assert set(map(repr, answers)) == {repr(answers[0])}
    assert isinstance(answers[0], o.Ack)
    assert friend.room._seq == entries + 1


def test_a_retry_while_the_first_is_being_kept_is_answered_after_it() -> None:
    """Both wait for the same commit; the action happens once."""
    home, _, friend = playing()
    home.journal.delay = None
    message = i.Reveal(step=friend.state.step, source="c1", id="r1")
    step = friend.state.step
    for _ in range(3):
        friend.line.say(message)
    home.release()
    assert [ack.id for ack in friend.line.all_of(o.Ack)] == ["r1"] * 3
    assert friend.state.step == step + 1


@pytest.mark.parametrize("other", [i.Reveal(step=0, source="c2", id="x"), i.Chat(text="y", id="x")])
def test_an_id_with_another_message_is_refused(other: i.Inside) -> None:
    """Reuse is said, and nothing is done; the first answer stays."""
    _, _, friend = playing()
    first = i.Chat(text="x", id="x")
    friend.say(first)
    entries = friend.room._seq
    assert friend.refused(other) == "id_reused"
    assert friend.room._seq == entries
    assert isinstance(friend.say(first)[0], o.Ack)


def test_ids_belong_to_a_member() -> None:
    """Two members may use the same id for different things."""
    _, friends, _ = playing()
    for friend in friends:
        (ack, *_) = friend.say(i.Chat(text=friend.name, id="1"))
        assert isinstance(ack, o.Ack)
    assert [line.text for line in friends[0].line.all_of(o.ChatLine)] == ["Ada", "Ben"]


def test_only_the_newest_ids_are_kept() -> None:
    """The 65th forgets the first: that may be used again; the second may not."""
    _, friends, _ = playing()
    friend = friends[0]
    for n in range(IDS_KEPT + 1):
        friend.say(i.Chat(text=f"{n}", id=f"{n}"))
    lines = friend.state.chat_seq
    friend.say(i.Chat(text="1", id="1"))
    assert friend.state.chat_seq == lines
    friend.say(i.Chat(text="0", id="0"))
    assert friend.state.chat_seq == lines + 1


def test_a_message_without_an_id_gets_no_ack() -> None:
    """An answer is for who can tell what it answers."""
    _, _, friend = playing()
    said = friend.say(i.Chat(text="x"))
    assert [type(it) for it in said] == [o.ChatLine]


def test_what_changes_nothing_has_its_answer_kept_too() -> None:
    """An unpause of a game that runs is answered; sent again later, it does not unpause."""
    _, friends, _ = playing()
    host = friends[0]
    message = i.Pause(on=False, id="p")
    (ack,) = host.say(message)
    host.say(i.Pause(on=True))
    assert host.say(message) == [ack]
    assert host.state.paused


def test_a_refused_id_may_be_tried_again() -> None:
    """A refusal is no effect: the same id can succeed later."""
    _, friends, _ = playing()
    message = i.Pause(id="p")
    assert friends[1].refused(message) == "not_host"
    friends[0].say(i.GiveHost(seat="B"))
    assert isinstance(friends[1].say(message)[0], o.Ack)
    assert friends[1].state.paused


def test_an_ack_comes_before_the_snapshot_that_shows_it() -> None:
    """First the answer with its version, then that version, for who asked; a snapshot for all."""
    _, friends, friend = playing()
    other = next(it for it in friends if it is not friend)
    before = len(other.line.sent)
    ack, shot = friend.say(i.Reveal(step=friend.state.step, source="c1", id="r"))
    assert isinstance(ack, o.Ack)
    assert isinstance(shot, o.Snapshot)
    assert ack.version == shot.version
    assert [type(it) for it in other.line.messages[before:]] == [o.Snapshot]
    assert other.shot.version == shot.version


def test_who_left_takes_the_ids_along() -> None:
    """A new seat under an old token begins with no ids."""
    _, friends, _ = playing()
    friends[1].say(i.Chat(text="x", id="x"))
    friends[1].say(i.Leave(id="bye"))
    assert [ack.id for ack in friends[1].line.all_of(o.Ack)] == ["x", "bye"]
    friends[1].join(friends[0].code)
    assert isinstance(friends[1].say(i.Chat(text="y", id="x"))[0], o.Ack)
