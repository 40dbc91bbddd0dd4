"""A place in a room, without any socket: what it sends, when, and what it keeps over a drop."""

import pytest
from msgspec.structs import replace

from client.tables import (
    HELLO,
    LOBBY,
    ROOM,
    WELCOME,
    attempt,
    dealt,
    hashes_of,
    opening,
    over,
    playing,
)
from nana_client.entrance import Creating, Joining, Resuming, Watching, Way, with_password
from nana_client.model import ERROR_SNAPSHOTS
from nana_client.place import MOST_UNACKNOWLEDGED, TRY_AGAIN_MS, Place
from nana_client.retry import Orders
from nana_client.store import SavedSeat, Secret
from nana_core.fair import nonce_hash
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import decode_inbound, encode
from nana_core.protocol.outbound import Ack, Bye, ChatLine, Error, Hello, Snapshot

SAVED = SavedSeat(
    server="ws://a:1/",
    room=ROOM,
    token=Secret("ab" * 16),
    name="Ann",
    nonces=(Secret("cd" * 32),),
)


class Bytes:
    """Bytes that count up, so that every secret is another one."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return bytes([self.drawn]) * count


def place(way: Way | None = None, saved: SavedSeat | None = None) -> Place:
    return Place(way or Joining(name="Ann"), Bytes(), saved)


def sent(place: Place) -> list[i.Inbound]:
    """Take what was sent, as the strict decoder of the server reads it."""
    messages = [decode_inbound(encode(message)) for message in place.outbox]
    place.outbox.clear()
    return messages


def seated(snapshot: Snapshot = LOBBY, way: Way | None = None) -> Place:
    """Return a place that has been welcomed and has seen a snapshot."""
    here = place(way)
    for message in (HELLO, WELCOME, snapshot):
        here.receive(message, 1000)
    here.outbox.clear()
    return here


def my_turn(**changes: object) -> Snapshot:
    """A table where B's miss is shown and A must continue, no sooner than at 51,200."""
    miss = attempt(1, "B", "c1=1", "c2=2", outcome="miss")
    shot = playing(dealt((None, None)), (None, None), attempt=miss, on_turn="A")
    shot = replace(shot, legal=("continue",), not_before=51_200, version=4, step=4)
    return replace(shot, **changes)


def test_every_way_in() -> None:
    """Each way sends its message after hello, in protocol 1, with a token and a commitment."""
    for way, kind in (
        (Creating(name="Ann", password=Secret("pw")), i.Create),
        (Joining(name="Ann", kind="bot", password=Secret("pw")), i.Join),
        (Watching(name="Ann", password=Secret("pw")), i.Watch),
    ):
        here = place(way)
        assert sent(here) == []
        here.receive(replace(HELLO, password_required=True), 0)
        (message,) = sent(here)
        assert isinstance(message, kind)
        assert (message.protocol, message.token) == (1, here.token.value)
        assert message.password == "pw"
        if isinstance(message, i.Create | i.Join):
            assert message.nonce_hash == nonce_hash(bytes.fromhex(here.nonces[-1].value))


def test_a_password_goes_only_to_who_asks() -> None:
    """A server that asks for no password gets none; a seat taken up again brings it too."""
    here = place(Joining(name="Ann", password=Secret("pw")))
    here.receive(HELLO, 0)
    (message,) = sent(here)
    assert isinstance(message, i.Join)
    assert message.password is None
    here = place(with_password(Resuming(saved=SAVED), {"NANA_PASSWORD": "pw"}))
    here.receive(replace(HELLO, password_required=True), 0)
    (message,) = sent(here)
    assert isinstance(message, i.Resume)
    assert message.password == "pw"


def test_a_saved_seat_is_taken_up() -> None:
    """A saved seat resumes with its own token and nonces, whether asked for or found."""
    for here in (place(Resuming(saved=SAVED)), place(Joining(name="Ann"), SAVED)):
        here.receive(HELLO, 0)
        (message,) = sent(here)
        assert isinstance(message, i.Resume)
        assert (message.token, message.seq) == ("ab" * 16, 0)
        assert here.nonces == SAVED.nonces


def test_a_saved_seat_that_is_gone_falls_back_to_joining() -> None:
    """When the room has forgotten the seat, a fresh token joins on the same connection."""
    here = place(Joining(name="Ann"), SAVED)
    here.receive(HELLO, 0)
    (resume,) = sent(here)
    here.receive(Error(id=resume.id, code="no_such_room", text="No."), 0)
    (join,) = sent(here)
    assert isinstance(join, i.Join)
    assert join.token != "ab" * 16
    assert join.nonce_hash == nonce_hash(bytes.fromhex(here.nonces[-1].value))
    assert here.model.error is None
    here.receive(Error(id=join.id, code="no_such_room", text="No room KQ7MX here."), 0)
    assert here.orders == Orders("never", "No room KQ7MX here.")
    assert here.code == "no_such_room"
    assert here.gone


def test_a_refused_entrance_ends_it() -> None:
    """A full room ends the place with the server's code and words; a busy server is asked again."""
    here = place()
    here.receive(HELLO, 0)
    (join,) = sent(here)
    here.receive(Error(id=join.id, code="rate_limited", text="Slowly."), 0)
    assert here.orders == Orders("again", "Slowly.", after=1.0)
    here.receive(HELLO, 0)
    (join,) = sent(here)
    here.receive(Error(id=join.id, code="room_full", text="All seats are taken."), 0)
    assert here.orders == Orders("never", "All seats are taken.")
    assert (here.code, here.gone) == ("room_full", False)
    assert here.model.error is not None


@pytest.mark.parametrize(
    ("protocols", "says"),
    [
        pytest.param((2, 3), "speaks protocol 2, 3, this client 1: update nana here.", id="newer"),
        pytest.param((0,), "speaks protocol 0, this client 1: the server must", id="older"),
        pytest.param((), "speaks protocol none", id="none"),
    ],
)
def test_another_protocol_is_a_readable_refusal(protocols: tuple[int, ...], says: str) -> None:
    """Client and server of different ages say so before anything else happens."""
    here = place()
    here.receive(replace(HELLO, protocols=protocols), 0)
    assert sent(here) == []
    assert here.orders is not None
    assert here.orders.retry == "never"
    assert says in here.orders.why


def test_a_lost_answer_is_asked_for_with_the_same_token() -> None:
    """A drop before the welcome repeats the entrance; the token makes it the same seat."""
    here = place(Creating(name="Ann"))
    here.receive(HELLO, 0)
    (first,) = sent(here)
    here.receive(HELLO, 0)
    (second,) = sent(here)
    assert isinstance(first, i.Create)
    assert isinstance(second, i.Create)
    assert (first.token, first.nonce_hash) == (second.token, second.nonce_hash)


def test_unacknowledged_actions_go_out_again() -> None:
    """After a drop: resume with the newest chat line, then what was not answered, same ids."""
    here = seated()
    assert here.act(i.Chat(text="one"))
    assert here.act(i.Chat(text="two"))
    assert here.act(i.Start())
    one, two, start = sent(here)
    assert one.id
    assert start.id
    here.receive(Ack(one.id, 2), 0)
    here.receive(Error(id=start.id, code="too_few_players", text="Too few."), 0)
    here.receive(ChatLine(seq=7, name="Ann", seat="A", text="one"), 0)
    here.receive(HELLO, 0)
    assert here.act(i.Chat(text="while away"))
    (resume,) = sent(here)
    assert isinstance(resume, i.Resume)
    assert resume.seq == 7
    here.receive(replace(WELCOME, resumed=True), 0)
    again = sent(here)
    assert again[0] == two
    assert [type(message) for message in again] == [i.Chat, i.Chat]
    assert len({message.id for message in (one, two, start, resume, again[1])}) == 5


def test_no_more_than_a_server_remembers_is_on_its_way() -> None:
    """Beyond the ids that a server keeps, nothing is sent: a repeat could not be told."""
    here = seated()
    assert all(here.act(i.Chat(text="x")) for _ in range(MOST_UNACKNOWLEDGED))
    assert not here.act(i.Chat(text="x"))
    assert len(sent(here)) == MOST_UNACKNOWLEDGED


def test_the_committed_nonce_is_opened_once() -> None:
    """In the opening the nonce behind the frozen hash goes out, once, and no other ever."""
    here = seated()
    mine = bytes.fromhex(here.nonces[-1].value)
    shot = opening(hashes_of((mine, b"o" * 32)), to_open=("A", "B"))
    here.receive(shot, 0)
    (message,) = sent(here)
    assert isinstance(message, i.Open)
    assert message.nonce == mine.hex()
    here.receive(replace(shot, version=3), 0)
    assert sent(here) == []
    here.receive(Error(id=message.id, code="wrong_phase", text="Too late."), 0)
    assert here.model.error is None


def test_a_foreign_commitment_is_not_opened() -> None:
    """If the list has another hash in one's place, nothing is opened for it."""
    here = seated()
    here.receive(opening(hashes_of((b"f" * 32, None)), to_open=("A",)), 0)
    assert sent(here) == []
    here = seated()
    mine = bytes.fromhex(here.nonces[-1].value)
    here.receive(opening(hashes_of((mine, None)), to_open=("B",)), 0)
    assert sent(here) == []


def test_nothing_is_opened_to_who_changed_the_promise() -> None:
    """A server that shows another seed's hash than before the start gets no nonce."""
    here = seated()
    shot = opening(hashes_of((bytes.fromhex(here.nonces[-1].value), None)), to_open=("A",))
    here.receive(replace(shot, deal=replace(shot.deal, seed_hash="0" * 64)), 0)
    assert sent(here) == []


def test_each_game_has_its_own_nonce() -> None:
    """A rematch commits to a new nonce, and the opening finds the right one."""
    here = seated()
    first = here.nonces[-1]
    promised = here.new_nonce()
    assert here.nonces[-1] != first
    here.receive(opening((promised, None), to_open=("A",)), 0)
    (message,) = sent(here)
    assert isinstance(message, i.Open)
    assert message.nonce == here.nonces[-1].value


def test_the_verdict_is_in_the_model() -> None:
    """When the game is over the model says whether the deal was fair."""
    here = seated()
    nonces = (bytes.fromhex(here.nonces[-1].value), b"o" * 32)
    deal, hashes = dealt(nonces), hashes_of(nonces)
    for shot in (
        opening(hashes, to_open=("A", "B")),
        playing(deal, hashes),
        over(deal, hashes),
    ):
        here.receive(shot, 0)
    assert here.model.proof == "verified"
    here.receive(replace(LOBBY, version=20, game=2), 0)
    assert (here.model.proof, here.model.proof_text) == ("unknown", "")


def test_an_early_continue_is_held() -> None:
    """A continue pressed early goes out by itself at not_before, no sooner, once."""
    here = seated(my_turn())  # the server's 50,000 is our 1,000
    assert here.proceed(1000)
    assert here.model.held
    assert here.held == (4, 2200)
    here.tick(2199)
    assert sent(here) == []
    here.tick(2200)
    (message,) = sent(here)
    assert isinstance(message, i.Continue)
    assert message.step == 4
    here.tick(3000)
    assert sent(here) == []
    assert not here.model.held


def test_a_continue_in_time_goes_out_at_once() -> None:
    """At not_before, or where there is none, nothing is held."""
    for here, at in ((seated(my_turn()), 2200), (seated(my_turn(not_before=None)), 1000)):
        assert here.proceed(at)
        (message,) = sent(here)
        assert isinstance(message, i.Continue)


def test_a_second_press_is_no_second_action() -> None:
    """One step gets one answer: while it is on its way, pressing again sends nothing."""
    here = seated(my_turn())
    assert here.proceed(2200)
    assert not here.proceed(2210)
    assert len(sent(here)) == 1
    here = seated(my_turn(legal=("c1", "c2")))
    assert here.act(i.Reveal(step=4, source="c1"))
    assert not here.act(i.Reveal(step=4, source="c2"))
    (reveal,) = sent(here)
    assert reveal.id
    here.receive(Ack(reveal.id, 5), 0)
    assert here.act(i.Reveal(step=5, source="c2"))


def test_what_was_held_dies_with_its_step() -> None:
    """If a stand-in continued meanwhile, the key pressed early does nothing to the new turn."""
    here = seated(my_turn())
    here.proceed(1000)
    here.receive(my_turn(version=5, step=5, legal=("c1",)), 1100)
    assert here.held is None
    here.tick(9999)
    assert sent(here) == []


def test_who_cannot_continue_holds_nothing() -> None:
    """Out of turn, in the lobby or at a table that stands still, proceed does nothing."""
    for shot in (LOBBY, my_turn(on_turn="B"), my_turn(legal=())):
        here = seated(shot)
        assert not here.proceed(9999)
        assert sent(here) == []


def test_taking_over_is_a_continue_whose_refusal_nobody_sees() -> None:
    """It goes out whoever is on turn, once, and only where a stand-in plays."""
    here = seated(my_turn(on_turn="B", legal=()))
    assert not here.take_over()
    assert sent(here) == []
    shot = my_turn(on_turn="B", legal=(), version=5)
    gone = replace(
        shot, seats=tuple(replace(seat, stand_in=seat.seat == "A") for seat in shot.seats)
    )
    here.receive(gone, 1000)
    assert here.take_over()
    assert not here.take_over()
    (message,) = sent(here)
    assert isinstance(message, i.Continue)
    here.receive(Error(id=message.id, code="not_your_turn", text="Wait."), 1100)
    assert here.model.error is None
    assert here.take_over()


def test_too_early_by_the_servers_clock_is_tried_again() -> None:
    """A continue refused as too early is no person's error: it goes out again a little later."""
    here = seated(my_turn())
    here.proceed(2200)
    (message,) = sent(here)
    here.receive(Error(id=message.id, code="too_early", text="Too early."), 2250)
    assert here.model.error is None
    here.tick(2250 + TRY_AGAIN_MS)
    (again,) = sent(here)
    assert isinstance(again, i.Continue)
    assert again.id != message.id
    here.receive(my_turn(version=5, step=5, legal=("c1",)), 2500)
    here.receive(Error(id=again.id, code="too_early", text="Too early."), 2500)
    assert here.held is None


def test_the_clock_is_never_ahead_of_the_servers() -> None:
    """Of many snapshots the fastest tells the server's clock best; a new connection starts over."""
    here = seated(my_turn())  # offset 49,000
    here.receive(my_turn(version=5, now=50_100), 1040)
    assert here.model.server_now(2000) == 51_060
    here.receive(my_turn(version=6, now=50_200), 1400)
    assert here.model.server_now(2000) == 51_060
    here.receive(HELLO, 1500)
    here.receive(my_turn(version=7, now=7_000), 2000)
    assert here.model.server_now(2000) == 7_000
    assert replace(here.model, snapshot=my_turn(deadline=9_000)).left_ms(2500) == 1_500
    assert replace(here.model, snapshot=my_turn(deadline=9_000)).left_ms(9500) == 0


def test_an_error_outlives_its_snapshot() -> None:
    """A stale error is still there after its own snapshot, and goes with the next action."""
    here = seated(my_turn())
    stale = Error(id=None, code="stale", text="The table has moved on.")
    here.receive(stale, 0)
    here.receive(my_turn(version=5), 0)
    assert here.model.error == stale
    here.act(i.Chat(text="oh"))
    assert here.model.error is None
    here.receive(stale, 0)
    for version in range(6, 6 + ERROR_SNAPSHOTS):
        here.receive(my_turn(version=version), 0)
        assert here.model.error == stale
    here.receive(my_turn(version=20), 0)
    assert here.model.error is None


def test_an_older_snapshot_changes_nothing() -> None:
    """Snapshots come by version; one that is overtaken is ignored."""
    here = seated(my_turn(version=8))
    here.receive(my_turn(version=7, step=3), 0)
    assert here.model.snapshot is not None
    assert here.model.snapshot.version == 8


def test_a_room_made_for_bots_sets_itself_up_once() -> None:
    """Creating with bots adds them and starts; what goes wrong there is told."""
    here = seated(LOBBY, Creating(name="Ann", bots=2, level="novice", start=True))
    here.receive(HELLO, 0)
    here.receive(WELCOME, 0)
    here.receive(replace(LOBBY, version=2), 0)
    again = sent(here)[1:]
    assert [type(message) for message in again] == [i.AddBot, i.AddBot, i.Start]
    here.receive(Error(id=again[0].id, code="no_free_seat", text="No seat."), 0)
    assert here.model.error is not None


@pytest.mark.parametrize(
    ("bye", "orders", "gone"),
    [
        pytest.param(
            Bye(code="removed", text="Out.", retry="never"), Orders("never", "Out."), True, id="out"
        ),
        pytest.param(
            Bye(code="replaced", text="Elsewhere.", retry="never"),
            Orders("never", "Elsewhere."),
            False,
            id="replaced by another client of ours",
        ),
        pytest.param(
            Bye(code="idle", text="Slow.", retry="now"), Orders("again", "Slow."), False, id="now"
        ),
        pytest.param(
            Bye(code="restart", text="Back soon.", retry="after_ms", after_ms=2500, url="ws://b/"),
            Orders("again", "Back soon.", 2.5, "ws://b/"),
            False,
            id="after, elsewhere",
        ),
        pytest.param(
            Bye(code="restart", text="Back later.", retry="after_ms", after_ms=3_600_000),
            Orders(
                "again", "Back later. It asks for a long wait; we look again every minute.", 60.0
            ),
            False,
            id="an hour",
        ),
        pytest.param(
            Bye(code="restart", text="Back.", retry="after_ms", after_ms=-(10**30)),
            Orders("again", "Back.", 0.0),
            False,
            id="before now",
        ),
        pytest.param(
            Bye(code="new", text="?", retry="perhaps"), Orders("again", "?"), False, id="unknown"
        ),
    ],
)
def test_a_farewell_is_obeyed(bye: Bye, orders: Orders, gone: bool) -> None:
    """Each kind of farewell leads to its orders; only who is out for good forgets the seat."""
    here = seated()
    here.receive(bye, 0)
    assert here.orders == orders
    assert here.gone is (gone and bye.retry == "never")
    assert here.model.bye == bye


def test_chat_is_not_repeated_by_a_resume() -> None:
    """A line that came before is not added twice."""
    here = seated()
    line = ChatLine(seq=3, name="Bo", seat="B", text="hi")
    here.receive(line, 0)
    here.receive(line, 0)
    assert [said.text for said in here.model.lines] == ["hi"]


def test_nothing_secret_is_printed() -> None:
    """A traceback's locals show neither token, nonce nor password."""
    way = Joining(name="Ann", password=Secret("hunter2"))
    here = place(way, SAVED)
    here.receive(HELLO, 0)
    shown = f"{vars(here)!r} {way!r} {here.outbox!r}"
    for secret in ("abab", "cdcd", "hunter2"):
        assert secret not in shown
    assert isinstance(HELLO, Hello)


def test_a_new_connection_is_done_with_the_last_farewell() -> None:
    """A server that comes back without the room says so, and not that it is stopping."""
    place = Place(Joining(name="Ann"), Bytes())
    for message in (HELLO, WELCOME, LOBBY):
        place.receive(message, 0)
    place.receive(Bye(code="restart", text="Stopping.", retry="after_ms", after_ms=9), 0)
    assert place.model.bye is not None
    place.receive(HELLO, 0)
    assert place.model.bye is None
    gone = Error(id=None, code="no_such_room", text="There is no such room.")
    place.receive(gone, 0)
    assert place.orders == Orders("never", "There is no such room.")
