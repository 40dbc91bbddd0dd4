"""One connection, driven by hand: bytes in pieces, a clock that is set, a transport of paper."""

import asyncio
import logging
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from websockets.frames import Close, CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from nana_server.gateway import Limits, Peer, Request, Response, frame
from nana_server.gateway.connection import SILENT, Connection, new_wire, show_all
from nana_server.gateway.frames import apply_mask
from nana_server.gateway.gate import Gate, household

GENEROUS = Limits(max_size=300, control_bytes=1_000_000)


@dataclass
class Desk:
    """A handler that writes everything down."""

    texts: list[bytes] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)

    def http(self, request: Request) -> Response | None:
        return None

    def opened(self, peer: Peer) -> None:
        self.calls.append("opened")

    def received(self, peer: Peer, frame: bytes) -> None:
        self.texts.append(frame)
        if frame == b"please close":
            peer.close(1000, "asked")

    def writable(self, peer: Peer) -> None:
        self.calls.append("writable")

    def closed(self, peer: Peer) -> None:
        self.calls.append("closed")


class Paper(asyncio.Transport):
    """A transport whose other side is a list of bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.eof = self.aborted = False
        self.waiting = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.eof
        self.written += data

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.eof = True

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True

    def get_write_buffer_size(self) -> int:
        return self.waiting


class Bench:
    """A connection past its handshake, and everything around it."""

    def __init__(self, limits: Limits = GENEROUS) -> None:
        self.now = 0.0
        self.desk = Desk()
        self.paper = Paper()
        self.gate = Gate(self.desk, limits, frozenset(), lambda: self.now)
        request = Request("GET", "/", "", "", "", "192.0.2.1")
        wire = new_wire(limits.max_size)
        self.connection = Connection(self.gate, self.paper, wire, request)
        self.gate.enter(self.connection)
        self.connection.begin(b"", welcome=self.gate.upgrade(self.connection, self.connection))

    def receive(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.connection.data_received(piece)

    def tick(self, now: float) -> None:
        self.now = now
        self.gate.tick(now)


def masked(opcode: Opcode, payload: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, payload, fin).serialize(mask=True)


def text(payload: bytes) -> bytes:
    return masked(Opcode.TEXT, payload)


def unmasked(opcode: Opcode, payload: bytes) -> bytes:
    return Frame(opcode, payload).serialize(mask=False)


def goodbye(code: int, reason: str = "") -> bytes:
    return unmasked(Opcode.CLOSE, Close(code, reason).serialize())


class Reference:
    """The library alone, byte by byte, with the rules that it leaves to its user."""

    def __init__(self, max_size: int) -> None:
        self.wire = ServerProtocol(state=State.OPEN, max_size=max_size, logger=SILENT)
        self.texts: list[bytes] = []
        self.written = b""
        self._text = b""

    def receive(self, stream: bytes) -> None:
        for n in range(len(stream)):
            self.wire.receive_data(stream[n : n + 1])
            for event in self.wire.events_received():
                assert isinstance(event, Frame)
                self._take(event)
            self.written += b"".join(self.wire.data_to_send())

    def _take(self, event: Frame) -> None:
        if event.opcode is Opcode.BINARY:
            self.wire.fail(CloseCode.UNSUPPORTED_DATA, "text messages only")
        elif event.opcode in {Opcode.TEXT, Opcode.CONT}:
            self._text += event.data
            if event.fin:
                self._finish()

    def _finish(self) -> None:
        whole, self._text = self._text, b""
        try:
            whole.decode()
        except UnicodeDecodeError:
            self.wire.fail(CloseCode.INVALID_DATA, "text is UTF-8")
        else:
            self.texts.append(whole)


payloads = st.one_of(
    st.text(max_size=40).map(str.encode),
    st.integers(100, 140).map(lambda size: b"x" * size),
    st.integers(290, 300).map(lambda size: b"y" * size),
)
pings = st.binary(max_size=20).map(lambda payload: masked(Opcode.PING, payload))
pongs = st.binary(max_size=20).map(lambda payload: masked(Opcode.PONG, payload))


@st.composite
def fragments(draw: st.DrawFn) -> bytes:
    """One message in several frames, cut anywhere, with control frames between.

    The library counts a ping's payload against what the message has left, hence the filter.
    """
    whole = draw(payloads.filter(lambda payload: len(payload) <= 280))
    cuts = [0, *sorted(draw(st.lists(st.integers(0, len(whole)), max_size=4))), len(whole)]
    stream = b""
    for n, (start, end) in enumerate(pairwise(cuts)):
        opcode = Opcode.CONT if n else Opcode.TEXT
        stream += masked(opcode, whole[start:end], fin=n == len(cuts) - 2)
        stream += draw(st.one_of(st.just(b""), pings))
    return stream


valid = st.one_of(payloads.map(text), payloads.map(text), fragments(), pings, pongs)
faulty = st.one_of(
    st.binary(max_size=20).map(text),
    st.binary(max_size=20).map(lambda payload: masked(Opcode.BINARY, payload)),
    st.binary(max_size=20).map(lambda payload: unmasked(Opcode.TEXT, payload)),
    st.integers(301, 70_000).map(lambda size: text(b"z" * size)[:400]),
    st.just(masked(Opcode.CONT, b"nothing before")),
    st.just(masked(Opcode.TEXT, b"unfinished", fin=False)),
    st.sampled_from([1000, 1001, 3000, 4999]).map(
        lambda code: masked(Opcode.CLOSE, Close(code, "bye").serialize())
    ),
    st.just(masked(Opcode.CLOSE)),
    st.binary(min_size=2, max_size=12),
    st.tuples(st.integers(0, 255), payloads).map(lambda it: bytes([it[0]]) + text(it[1])[1:]),
)


def cut(stream: bytes, cuts: list[float]) -> list[bytes]:
    places = [0, *sorted(int(place * len(stream)) for place in cuts), len(stream)]
    return [stream[a:b] for a, b in pairwise(places) if a < b]


CUTS = st.lists(st.floats(0, 1), max_size=12)


@settings(max_examples=150, deadline=None)
@given(frames=st.lists(valid, max_size=8), cuts=CUTS)
def test_splits_change_nothing(frames: list[bytes], cuts: list[float]) -> None:
    """However a stream of good frames is split, the same messages and the same pongs follow."""
    stream = b"".join(frames)
    reference = Reference(300)
    reference.receive(stream)
    for pieces in (cut(stream, cuts), frames, [stream]):
        bench = Bench()
        bench.receive(*pieces)
        assert bench.desk.texts == reference.texts
        assert bench.paper.written == reference.written
        assert bench.desk.calls == ["opened"]


@settings(max_examples=300, deadline=None)
@given(frames=st.lists(st.one_of(valid, faulty), max_size=6), cuts=CUTS)
def test_the_fast_path_agrees_with_the_library_on_any_bytes(
    frames: list[bytes], cuts: list[float]
) -> None:
    """Good and bad frames: messages, answers and the moment of the end are the library's."""
    stream = b"".join(frames)
    reference = Reference(300)
    reference.receive(stream)
    for pieces in (cut(stream, cuts), frames):
        compare(Bench(), pieces, reference)


def compare(bench: Bench, pieces: list[bytes], reference: Reference) -> None:
    bench.receive(*pieces)
    assert bench.desk.texts == reference.texts
    if bench.paper.eof or not reference.wire.eof_sent:
        assert bench.paper.written == reference.written
        assert bench.paper.eof == reference.wire.eof_sent
    else:  # the library refuses some frames before they are complete, and this one never was
        assert bench.connection._pending
        assert reference.written.startswith(bench.paper.written)


def test_every_byte_may_come_alone() -> None:
    """A frame in pieces of one byte, then one at once: both arrive, in order."""
    bench = Bench()
    framed = text("Käse".encode())
    bench.receive(*(framed[n : n + 1] for n in range(len(framed))), text(b"second"))
    assert bench.desk.texts == ["Käse".encode(), b"second"]


def test_every_frame_may_be_cut_in_two_anywhere() -> None:
    """Around each change of the header's form, each place to cut is tried."""
    for size in (0, 1, 2, 124, 125, 126, 127, 130, 300):
        framed = text(b"x" * size)
        for n in range(1, len(framed)):
            bench = Bench()
            bench.receive(framed[:n], framed[n:], text(b"second"))
            assert bench.desk.texts == [b"x" * size, b"second"]


def test_a_piece_of_a_frame_is_not_taken_for_a_frame() -> None:
    """A payload that looks like a frame, and arrives alone, stays a payload."""
    key = b"\x80" * 4
    inner = b"\x81\x85" + key + apply_mask(b"hello", key)
    bench = Bench()
    bench.receive(b"\x81\x8b" + key, inner)
    assert bench.desk.texts == [b"\x01\x05\x00\x00\x00\x00hello"]


def test_a_message_inside_a_message_is_an_error() -> None:
    """While fragments are pending, a whole text frame that comes alone is not delivered."""
    bench = Bench()
    bench.receive(masked(Opcode.TEXT, b"one ", fin=False), text(b"another"))
    assert (bench.desk.texts, bench.desk.calls) == ([], ["opened", "closed"])


def test_a_ping_between_fragments_is_answered_at_once() -> None:
    """The pong goes out before the message is whole, and the message is whole afterwards."""
    bench = Bench()
    bench.receive(masked(Opcode.TEXT, b"one ", fin=False), masked(Opcode.PING, b"?"))
    assert bench.paper.written == unmasked(Opcode.PONG, b"?")
    assert bench.desk.texts == []
    bench.receive(masked(Opcode.CONT, b"message"))
    assert bench.desk.texts == [b"one message"]


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        pytest.param(unmasked(Opcode.TEXT, b"hi"), 1002, id="unmasked"),
        pytest.param(b"\xc1" + text(b"hi")[1:], 1002, id="a reserved bit"),
        pytest.param(b"\x83" + text(b"hi")[1:], 1002, id="an unknown opcode"),
        pytest.param(masked(Opcode.CONT, b"hi"), 1002, id="a fragment of nothing"),
        pytest.param(b"\x89" + text(b"x" * 126)[1:], 1002, id="a long ping"),
        pytest.param(masked(Opcode.BINARY, b"hi"), 1003, id="binary"),
        pytest.param(text(b"\xff"), 1007, id="no UTF-8"),
        pytest.param(text(b"\xff" * 200), 1007, id="no UTF-8, longer"),
        pytest.param(
            masked(Opcode.TEXT, b"\xc3", fin=False) + masked(Opcode.CONT, b"\x28"),
            1007,
            id="no UTF-8 across fragments",
        ),
        pytest.param(text(b"x" * 301), 1009, id="too long"),
        pytest.param(
            masked(Opcode.TEXT, b"x" * 200, fin=False) + masked(Opcode.CONT, b"x" * 101),
            1009,
            id="too long in fragments",
        ),
    ],
)
@pytest.mark.parametrize("whole", [True, False], ids=["at once", "byte by byte"])
def test_who_breaks_the_rules_is_told_which(stream: bytes, code: int, whole: bool) -> None:
    """The close frame has the code of the fault, the handler hears nothing but the end."""
    bench = Bench()
    bench.receive(*([stream] if whole else (stream[n : n + 1] for n in range(len(stream)))))
    bench.receive(text(b"too late"))
    assert bench.paper.written[0] == 0x88
    assert int.from_bytes(bench.paper.written[2:4]) == code
    assert bench.paper.eof
    assert (bench.desk.texts, bench.desk.calls) == ([], ["opened", "closed"])
    assert bench.gate.counters.protocol_errors == 1


def test_a_character_may_be_split_between_fragments() -> None:
    """Only the whole message has to be UTF-8."""
    bench = Bench()
    bench.receive(masked(Opcode.TEXT, b"\xc3", fin=False), masked(Opcode.CONT, b"\xa4"))
    assert bench.desk.texts == ["ä".encode()]


def test_nothing_is_delivered_or_sent_after_a_close() -> None:
    """The handler's close ends both directions at once; only the other close is waited for."""
    bench = Bench()
    bench.receive(text(b"please close"), text(b"late"), text(b"late") * 2)
    bench.receive(masked(Opcode.TEXT, b"late", fin=False))
    bench.connection.send(b"late")
    assert bench.paper.written == goodbye(1000, "asked")
    assert not bench.paper.eof
    bench.receive(masked(Opcode.CONT) + masked(Opcode.CLOSE, Close(1000, "").serialize()))
    assert bench.paper.eof
    assert bench.desk.texts == [b"please close"]
    assert bench.desk.calls == ["opened", "closed"]
    bench.connection.connection_lost(None)
    assert bench.desk.calls == ["opened", "closed"]
    assert bench.gate.counters.protocol_errors == 0
    assert not bench.gate.guests


def test_a_long_reason_is_cut_between_characters() -> None:
    """A close frame has room for 123 bytes of reason; a character is not halved."""
    bench = Bench()
    bench.connection.close(1001, "ä" * 100)
    assert bench.paper.written == goodbye(1001, "ä" * 61)


def test_who_does_not_answer_a_close_is_cut() -> None:
    """The closing handshake has its time, and no more; talking does not extend it."""
    bench = Bench()
    bench.connection.close(1001, "")
    bench.receive(text(b"still here"))
    bench.tick(4.9)
    assert not bench.paper.aborted
    bench.receive(text(b"still here"))
    bench.tick(5.0)
    assert bench.paper.aborted


def test_a_silent_peer_is_asked_then_cut() -> None:
    """One ping after 15 s of silence, the end 10 s after it; any byte starts anew."""
    bench = Bench()
    ping = unmasked(Opcode.PING, b"")
    bench.tick(14)
    assert bench.paper.written == b""
    bench.tick(15)
    bench.tick(16)
    assert bench.paper.written == ping
    bench.receive(masked(Opcode.PONG))
    bench.tick(20)
    bench.tick(35)
    assert bench.paper.written == ping * 2
    bench.tick(44)
    assert not bench.paper.aborted
    bench.tick(45)
    assert bench.paper.aborted
    assert bench.gate.counters.cut_silent == 1


def test_nobody_is_cut_unasked() -> None:
    """A server that stood still for a minute asks first: the silence may have been its own."""
    bench = Bench()
    bench.tick(60)
    assert bench.paper.written == unmasked(Opcode.PING, b"")
    bench.tick(69)
    assert not bench.paper.aborted
    bench.tick(70)
    assert bench.paper.aborted


def test_a_blocked_peer_has_its_time() -> None:
    """Blocked for 5 s is the end; taking data again in time is not, and the handler hears of it."""
    bench = Bench()
    bench.connection.pause_writing()
    assert bench.connection.blocked
    bench.tick(4)
    bench.connection.resume_writing()
    assert not bench.connection.blocked
    assert bench.desk.calls == ["opened", "writable"]
    bench.tick(6)
    bench.connection.pause_writing()
    bench.tick(10)
    assert not bench.paper.aborted
    bench.tick(11)
    assert bench.paper.aborted
    assert bench.gate.counters.cut_slow == 1


@pytest.mark.parametrize("by_pongs", [False, True], ids=["messages", "pongs"])
def test_a_full_buffer_is_cut_at_once(by_pongs: bool) -> None:
    """More than 64 KiB unread is nobody's game, whether messages or pongs filled it."""
    bench = Bench()
    bench.connection.pause_writing()
    for waiting, aborted in ((65_536, False), (65_537, True)):
        bench.paper.waiting = waiting
        if by_pongs:
            bench.receive(masked(Opcode.PING))
        else:
            bench.connection.send(b"one more")
        assert bench.paper.aborted is aborted


def test_a_flood_of_control_frames_is_cut() -> None:
    """Pings have a budget for each tick, empty ones too; plain text in any pieces has none."""
    bench = Bench(Limits(control_bytes=1000))
    for now in range(3):
        bench.receive(masked(Opcode.PING) * 20)
        bench.tick(now)
    whole = text(b"x" * 100)
    bench.receive(*(whole[n : n + 1] for n in range(len(whole))), whole * 50)
    assert not bench.paper.aborted
    bench.receive(masked(Opcode.PING) * 2000)
    assert bench.paper.aborted
    assert len(bench.paper.written) < 500
    assert bench.gate.counters.cut_flood == 1


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"", id="never answers the close"),
        pytest.param(masked(Opcode.CLOSE, b"\x03\xe8"), id="answers, and keeps the line"),
    ],
)
def test_who_floods_is_gone_soon(answer: bytes) -> None:
    """Two seconds after its farewell the line is cut, whatever the general time to close is."""
    bench = Bench(Limits(close_timeout=60))
    bench.tick(10)
    bench.now = 10.5
    bench.connection.close(1008, "flood")
    bench.receive(answer + text(b"more") * 50)
    bench.tick(11)
    assert not bench.paper.aborted
    bench.tick(12)
    assert bench.paper.aborted


def test_empty_fragments_cost_as_well() -> None:
    """A message that never ends is a flood, even if it never grows."""
    bench = Bench(Limits(control_bytes=1000))
    bench.receive(masked(Opcode.TEXT, fin=False) + masked(Opcode.CONT, fin=False) * 100)
    assert bench.paper.aborted


def test_the_same_frame_serves_many() -> None:
    """A frame made once is written as it is, and what is sent is counted."""
    bench = Bench()
    framed = frame(b"shared", b" private")
    bench.connection.send_frame(framed)
    bench.connection.send(b"shared private")
    assert bench.paper.written == framed * 2
    assert bench.gate.counters.sent == 2


class Watcher(Struct):
    """Somebody who is shown things."""

    line: Connection
    own: bytes


def test_one_thing_is_shown_to_many() -> None:
    """Each gets the shared part and its own, as `show` writes it; who cannot take it is named."""
    benches = [Bench() for _ in range(4)]
    shared = b"s" * 5000
    watchers = [Watcher(it.connection, b"x" * n) for n, it in enumerate(benches)]
    benches[1].connection.pause_writing()
    benches[2].connection.close(1000, "bye")
    before = [len(it.paper.written) for it in benches]
    assert show_all(shared, watchers) == watchers[1:3]
    written = [it.paper.written[at:] for it, at in zip(benches, before, strict=True)]
    assert written == [frame(shared), b"", b"", frame(shared, b"xxx")]
    benches[1].connection.resume_writing()
    assert show_all(shared, watchers) == watchers[2:3]
    assert benches[1].paper.written.endswith(frame(shared, b"x"))


def test_strangers_cannot_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """A few short lines a tick, then a number; never a traceback or a word of theirs."""
    caplog.set_level(logging.DEBUG)
    bench = Bench(Limits(log_lines=3))
    for _ in range(50):
        other = Connection(
            bench.gate, Paper(), new_wire(100), Request("GET", "/", "", "", "", "192.0.2.7")
        )
        other.data_received(masked(Opcode.CLOSE, Close(1000, "forged").serialize()[:-1] + b"\xff"))
    bench.tick(1)
    assert len(caplog.records) == 4
    assert caplog.messages[-1] == "47 more like these"
    assert not any(record.exc_info or "forged" in record.getMessage() for record in caplog.records)


def test_an_ipv6_household_is_one_address() -> None:
    """The last 64 bits are the household's own; IPv4 addresses stand for themselves."""
    assert household("2001:db8::1") == household("2001:db8::ffff:1")
    assert household("2001:db8::1") != household("2001:db8:0:1::1")
    assert household("192.0.2.1") != household("192.0.2.2")
    assert household("fe80::1%eth0") == household("fe80::2")
