"""Records: every game that ends has a true one, for its players, after its end and not before."""

from random import Random
from typing import Any, Final

import msgspec
import pytest

from nana_core.game import TURN_CAP, Ended, Won
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.record import Record, compact, load, verify
from nana_server.room import events
from nana_server.room.decide import last_over
from nana_server.room.recorded import Chronicle
from nana_server.room.room import Room
from server.house_fixture import Friend, Home, act, begin, collect, company, finish
from server.sessions import SESSIONS, session

MOST_BYTES: Final = 48 * 1024  # protocol.md § "WebSocket"


def asked(friend: Friend, game: int | None = None, id: str | None = None) -> o.Recorded:  # noqa: A002 - the wire's name
    """Ask for a record that must come."""
    (answer,) = friend.say(i.Export(game=game, id=id))
    assert isinstance(answer, o.Recorded)
    return answer


def exported(friend: Friend, game: int | None = None) -> Record:
    """Ask for a record, check it, and return it."""
    record = load(bytes(asked(friend, game).record))
    assert [finding.text for finding in verify(record) if not finding.ok] == []
    return record


def again(friends: list[Friend], *, nonce: bool = True) -> None:
    """Play a rematch's beginning."""
    for friend in friends:
        hash_ = friend.commitment() if nonce else None
        friend.say(i.Rematch(nonce_hash=hash_))
    begin(friends)


def test_a_won_game_has_its_record() -> None:
    """Names, kinds, secrets, deal, actions and result are the game's; nothing is left to doubt."""
    friends = company(Home(), 3, nonce=True)
    begin(friends)
    act(friends, Random(1))
    finish(friends)
    record, shot = exported(friends[1]), friends[1].shot
    opened, result = shot.opened, shot.result
    assert opened is not None
    assert result is not None
    assert [(seat.name, seat.kind) for seat in record.seats] == [
        (name, "person") for name in ("Ada", "Ben", "Cleo")
    ]
    assert tuple(seat.nonce for seat in record.seats) == opened.nonces
    assert tuple(seat.nonce_hash for seat in record.seats) == shot.deal.nonce_hashes
    assert (record.deal.seed, record.deal.hands, record.deal.center, record.deal.first) == (
        opened.seed, opened.hands, opened.center, opened.first,
    )  # fmt: skip
    assert isinstance(record.result, Won)
    assert "ABC"[record.result.seat] == result.seat
    assert record.stand_ins == ()
    assert all(finding.proven for finding in verify(record))


def test_a_rematch_has_a_record_of_its_own() -> None:
    """The first seat moves on; the older record can be had until the next game is over."""
    friends = company(Home(), 3, nonce=True)
    begin(friends)
    finish(friends)
    one = exported(friends[0])
    again(friends)
    act(friends, Random(2))
    assert exported(friends[0]) == exported(friends[2], 1) == one
    finish(friends)
    two = exported(friends[0])
    assert (one.game, two.game, two.deal.rotated) == (1, 2, True)
    assert two.deal.first == "ABC"[("ABC".index(one.deal.first) + 1) % 3]
    assert exported(friends[0], 2) == two
    assert friends[0].refused(i.Export(game=1)) == "no_record"


def test_a_game_that_the_host_ended_has_its_record() -> None:
    """In the middle of an attempt, too."""
    friends = company(Home(), 2, nonce=True)
    begin(friends)
    act(friends, Random(3))
    friends[0].say(i.End())
    record = exported(friends[1])
    assert record.result == Ended("host")
    assert len(record.actions.split()) == 1


def test_who_did_not_open_and_who_left_keep_their_names() -> None:
    """The record has who was dealt in; a seat that was taken since is still its player's."""
    home = Home()
    friends = company(home, 3, nonce=True, seats=3)
    friends[0].say(i.Start())
    friends[0].open()
    friends[1].open()
    home.advance(6000)
    friends[2].say(i.Leave())
    while friends[0].state.phase == "playing":
        home.advance(10_000)
        if friends[0].shot.on_turn in {"A", "B"}:
            collect(friends[:2])
    friends[1].say(i.Leave())
    late = Friend(home, "Dora")
    late.join(friends[0].code)
    assert late.seat == 1
    record = exported(friends[0])
    assert [seat.name for seat in record.seats] == ["Ada", "Ben", "Cleo"]
    assert [seat.nonce is None for seat in record.seats] == [False, False, True]
    doubts = [finding.text for finding in verify(record) if not finding.proven]
    assert doubts == ["C Cleo: not proven, the nonce was not opened."]
    assert late.refused(i.Export()) == "not_seated"


def test_turns_of_stand_ins_are_told_from_those_of_bots() -> None:
    """Whoever was away or had left is named as played by a stand-in; the server's bot never is."""
    home = Home()
    friends = company(home, 2, pace=0, turn_time=30)
    friends[0].say(i.AddBot(level="random"))
    begin(friends)
    friends[1].say(i.Leave())
    turns: dict[str, set[int]] = {"A": set(), "B": set(), "C": set()}
    while friends[0].state.phase == "playing" and friends[0].shot.turn < 12:
        shot = friends[0].shot
        turns[shot.on_turn or ""].add(shot.turn + (shot.legal == ("continue",)))
        if shot.on_turn == "A":
            act(friends, Random(shot.step))
        else:
            home.advance(2000)
    friends[0].say(i.End())
    record = exported(friends[0])
    assert set(record.stand_ins) == {turn for turn in turns["B"] if turn <= friends[0].shot.turn}
    assert record.stand_ins
    assert [seat.kind for seat in record.seats] == ["person", "person", "bot"]
    friends[0].say(i.Rematch())
    friends[0].say(i.Start())
    friends[0].say(i.End())
    assert exported(friends[0], 2).stand_ins == ()


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_every_game_of_random_sessions_has_a_true_record(seed: int) -> None:
    """Whatever was said and happened: what the chronicle holds verifies, and is the state's."""
    seen: set[bytes] = set()

    def look(home: Home) -> None:
        for room in home.lobby:
            record = room._archive.chronicle.last
            assert (record is None) == (last_over(room.state) == 0)
            if record is not None and record not in seen:
                seen.add(record)
                _assert_true(room, load(record))

    home, friends = session(seed, look=look)
    host = next((it for it in friends if home.lobby.find(it.code)), None)
    if host is not None and host.state.phase == "playing":
        host.room._propose((events.GameEnded(),), None)
        home.advance(50)
    look(home)
    for room in home.lobby:
        entries = home.journal.entries(room.code)
        assert (
            Room.restored(entries, home.house)._archive.chronicle.last
            == room._archive.chronicle.last
        )


def _assert_true(room: Room, record: Record) -> None:
    assert [finding.text for finding in verify(record) if not finding.ok] == []
    if room.state.phase == "over":
        assert room.state.game is not None
        assert record.result == room.state.game.table.result
        assert record.game == room.state.number


def test_sessions_reach_every_kind_of_record() -> None:
    """Together they have won and ended games, rotation, stand-ins, seats that did not open."""
    kinds: set[str] = set()

    def look(home: Home) -> None:
        for room in home.lobby:
            if room._archive.chronicle.last is not None:
                record = load(room._archive.chronicle.last)
                kinds.add(type(record.result).__name__)
                kinds.add("rotated" if record.deal.rotated else "drawn")
                kinds.add("stand-ins" if record.stand_ins else "")
                shut = (seat.nonce_hash and not seat.nonce for seat in record.seats)
                kinds.add("shut" if any(shut) else "")

    for seed in range(40):
        session(seed, actions=250, look=look)
    assert kinds >= {"Ended", "rotated", "drawn", "stand-ins", "shut"}


# Not before the end, and to nobody else.


@pytest.mark.parametrize("game", [None, 1, 2])
def test_there_is_no_record_before_the_end(game: int | None) -> None:
    """In the lobby, the opening and the game nobody gets one, and refusals are all alike."""
    home = Home()
    friends = company(home, 2, nonce=True)
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)

    def all_refused() -> None:
        said = {str(friend.say(i.Export(game=game))) for friend in (*friends, fan)}
        assert len(said) == 1
        assert "wrong_phase" in said.pop()

    all_refused()
    friends[0].say(i.Start())
    assert friends[0].state.phase == "opening"
    all_refused()
    for friend in friends:
        friend.open()
    for step in range(6):
        assert fan.state.phase == "playing"
        all_refused()
        act(friends, Random(step))


def test_a_running_rematch_has_no_record() -> None:
    """Game 2 is not to be had while it runs, by number; game 1 still is."""
    friends = company(Home(), 2)
    begin(friends)
    finish(friends)
    again(friends, nonce=False)
    act(friends, Random(0))
    assert friends[0].refused(i.Export(game=2)) == "wrong_phase"
    assert exported(friends[0]).game == 1


def test_strangers_get_no_record() -> None:
    """Watchers, latecomers and connections outside are refused; a player who watches is not."""
    home = Home()
    friends = company(home, 2, seats=3)
    fan, late = Friend(home, "Fan"), Friend(home, "Late")
    fan.watch(friends[0].code)
    begin(friends)
    finish(friends)
    late.join(friends[0].code)
    assert late.seat == 2
    assert fan.refused(i.Export()) == "not_seated"
    assert late.refused(i.Export(game=1)) == "not_seated"
    stranger = Friend(home, "Mallory")
    stranger.arrive(friends[0].code)
    assert stranger.refused(i.Export()) == "not_joined"
    late.say(i.Rematch())
    friends[0].say(i.Rematch())
    friends[0].say(i.Start())
    assert friends[1].seat is None
    assert exported(friends[1]).game == 1
    finish([friends[0], late])
    assert friends[1].refused(i.Export()) == "not_seated"
    assert exported(late).game == 2


def test_a_player_who_left_and_came_back_still_may() -> None:
    """The same token is the same person, even without a seat."""
    friends = company(Home(), 3)
    begin(friends)
    friends[2].say(i.Leave())
    friends[0].say(i.End())
    friends[2].watch(friends[0].code)
    assert exported(friends[2]).seats[2].name == "Cleo"


# How it is sent.


def test_an_export_may_be_repeated() -> None:
    """It changes nothing, so its id is not used up; the id of something else is not its."""
    friends = company(Home(), 2)
    begin(friends)
    finish(friends)
    version, entries = friends[0].room.version, friends[0].room.entries
    one, two = asked(friends[0], id="7"), asked(friends[0], id="7")
    assert one == two
    assert (one.id, one.game) == ("7", 1)
    friends[0].say(i.Chat(text="hi", id="8"))
    assert friends[0].refused(i.Export(id="8")) == "id_reused"
    assert (friends[0].room.version, friends[0].room.entries) == (version, entries + 1)


def test_who_reads_too_slowly_is_asked_to_wait() -> None:
    """A record is not put on top of what waits already; afterwards it comes."""
    friends = company(Home(), 2)
    begin(friends)
    finish(friends)
    friends[0].line.blocked = True
    assert friends[0].refused(i.Export()) == "rate_limited"
    friends[0].line.take()
    assert exported(friends[0]).game == 1


def test_exports_cost() -> None:
    """Asking without end is a flood like any other."""
    home = Home()
    home.limits = True
    friends = company(home, 2)
    begin(friends)
    friends[0].say(i.End())
    for _ in range(40):
        friends[0].say(i.Export())
    assert friends[0].line.ending == (1008, "flood")


def test_the_longest_game_fits() -> None:
    """A game of the most turns, each with a stand-in's hand in it, stays below what is promised."""
    friends = company(Home(), 2)
    begin(friends)
    friends[0].say(i.End())
    record = load(bytes(asked(friends[0]).record))
    turns = " . ".join(["c10 c9 a<"] * TURN_CAP)
    seat = msgspec.structs.replace(
        record.seats[0], name="奈" * 10, nonce_hash="0" * 64, nonce="0" * 64
    )
    longest = msgspec.structs.replace(
        record, seats=(seat,) * 5, actions=turns, stand_ins=tuple(range(1, TURN_CAP + 1))
    )
    assert len(compact(longest)) < MOST_BYTES


# Where files are kept.


class Shelf:
    """Keeps records as a store of files does; its answers come when the test says so."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, int], bytes] = {}
        self.again: list[tuple[str, int]] = []
        self.waiting: list[Any] = []

    def keep(self, room: str, game: int, record: bytes, *, anew: bool) -> None:
        if anew:
            self.kept[room, game] = record
        else:
            self.again.append((room, game))

    def find(self, room: str, game: int, found: Any) -> None:
        self.waiting.append(lambda: found(self.kept.get((room, game))))


def shelved() -> tuple[Home, Shelf, list[Friend]]:
    home, shelf = Home(), Shelf()
    home.house = msgspec.structs.replace(home.house, records=shelf)
    home.lobby._house = home.house
    friends = company(home, 2, nonce=True)
    for game in (1, 2, 3):
        begin(friends) if game == 1 else again(friends)
        finish(friends)
    return home, shelf, friends


def test_every_game_is_kept_when_it_is_over() -> None:
    """The room hands each record over once; a room that comes back offers the last one again."""
    home, shelf, friends = shelved()
    code = friends[0].code
    assert list(shelf.kept) == [(code, 1), (code, 2), (code, 3)]
    assert [load(record).game for record in shelf.kept.values()] == [1, 2, 3]
    assert shelf.again == []
    Room.restored(home.journal.entries(code), home.house)
    assert shelf.again == [(code, 3)]


def test_earlier_games_come_from_the_files() -> None:
    """Their answer comes when the disk has it, and is for their players alone."""
    home, shelf, friends = shelved()
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)
    assert fan.refused(i.Export(game=1)) == "not_seated"
    assert friends[0].say(i.Export(game=1, id="old")) == []
    assert asked(friends[0]).game == 3
    before = len(friends[0].line.messages)
    shelf.waiting.pop()()
    (answer,) = friends[0].line.messages[before:]
    assert isinstance(answer, o.Recorded)
    assert (answer.id, answer.game, load(bytes(answer.record)).game) == ("old", 1, 1)
    assert shelf.waiting == []


@pytest.mark.parametrize("lost", [True, False])
def test_a_file_that_is_lost_or_another_room_s_is_no_record(lost: bool) -> None:
    """Room codes come again: what lies under a name must be what this room made."""
    _, shelf, friends = shelved()
    code = friends[0].code
    if lost:
        del shelf.kept[code, 1]
    else:
        shelf.kept[code, 1] = shelf.kept[code, 1].replace(b"Ben", b"Eve")
    friends[0].say(i.Export(game=1))
    shelf.waiting.pop()()
    error = friends[0].line.messages[-1]
    assert isinstance(error, o.Error)
    assert error.code == "no_record"


def test_old_games_are_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that goes on for ever does not grow for ever."""
    monkeypatch.setattr("nana_server.room.recorded.GAMES_MOST", 2)
    _, _, friends = shelved()
    assert friends[0].refused(i.Export(game=1)) == "no_record"
    assert isinstance(friends[0].room._archive.chronicle, Chronicle)
    assert set(friends[0].room._archive.chronicle._games) == {2, 3}
