"""What every screen draws from: the newest truth from the server, and what was said.

`advance(model, message, now)` is pure. Nothing here remembers the values of earlier
attempts: the table is no memory aid unless the game is played with open memory.

An error stays until the next action (`acted`), or until `ERROR_SNAPSHOTS` snapshots
came after it: a stale action's error is followed at once by its snapshot, and must
still be there when a screen draws.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nana_client.story import durable
from nana_core.protocol.outbound import (
    Ack,
    Bye,
    ChatLine,
    Error,
    Hello,
    Notice,
    Outbound,
    Recorded,
    SeatView,
    Snapshot,
    Welcome,
)
from nana_core.record import Record

KEPT_LINES: Final = 200
ERROR_SNAPSHOTS: Final = 3

Connection: TypeAlias = Literal["connecting", "open", "waiting", "closed"]
Proof: TypeAlias = Literal["unknown", "verified", "unproven", "false"]


# What concerns the whole server, and is not to be overlooked among who comes and goes.
_OF_ALL: Final = frozenset({"announcement", "read_only", "saving"})


class Line(Struct, frozen=True):
    """One line of the talk panel: what somebody said, or what happened."""

    kind: Literal["chat", "notice", "game", "server"]
    text: str
    name: str | None = None
    seat: str | None = None
    seq: int = 0  # of a line of chat


class Model(Struct, frozen=True, kw_only=True):
    connection: Connection = "connecting"
    trouble: str | None = None  # why the connection is not open, in a sentence
    retry_in: float | None = None  # seconds until the next try, while waiting
    latency_ms: int | None = None
    hello: Hello | None = None
    welcome: Welcome | None = None
    snapshot: Snapshot | None = None
    lines: tuple[Line, ...] = ()
    seq: int = 0  # newest chat line seen
    error: Error | None = None  # the newest refusal; see above for how long it stays
    error_age: int = 0  # snapshots that came after it
    bye: Bye | None = None
    proof: Proof = "unknown"  # of the finished game's deal
    proof_text: str = ""
    clock_offset: int | None = None  # server's clock minus ours, ms; never ahead of the truth
    kept: str = ""  # what became of the record that was asked for, until the next action
    record: Record | None = None  # of the game that is over, once it was asked for
    beside: int | None = None  # the newest game that was seen, or come to, without a seat in it
    held: bool = False  # a continue was pressed early and goes out by itself at `not_before`
    muted: frozenset[str] = frozenset()  # names whose chat is not to be shown

    @property
    def audible(self) -> tuple[Line, ...]:
        """The lines without the chat of those who are muted."""
        if not self.muted:
            return self.lines
        return tuple(line for line in self.lines if line.name not in self.muted or line.seq == 0)

    def unread(self, read: int) -> int:
        """Count what others said after the line of chat that was read last."""
        mine = self.snapshot.you.name if self.snapshot else None
        return sum(line.seq > read and line.name != mine for line in self.audible)

    @property
    def seat(self) -> str | None:
        """The letter of one's own seat; None beside the table."""
        return self.snapshot.you.seat if self.snapshot else None

    @property
    def sat(self) -> bool:
        """Whether one has a seat, and had it in the game shown: its record is one's own."""
        shot = self.snapshot
        return shot is not None and shot.you.seat is not None and shot.game != self.beside

    @property
    def my_turn(self) -> bool:
        shot = self.snapshot
        return shot is not None and shot.on_turn is not None and shot.on_turn == shot.you.seat

    @property
    def must_continue(self) -> bool:
        """Whether it is one's own turn and an ended attempt waits to be cleared."""
        return self.my_turn and self.snapshot is not None and self.snapshot.legal == ("continue",)

    def server_now(self, now_ms: int) -> int | None:
        """Return the server's clock for a time on ours, to compare with deadline, not_before."""
        return None if self.clock_offset is None else now_ms + self.clock_offset

    def left_ms(self, now_ms: int) -> int | None:
        """Say how long until the deadline; None when there is none."""
        at = self.server_now(now_ms)
        if self.snapshot is None or self.snapshot.deadline is None or at is None:
            return None
        return max(0, self.snapshot.deadline - at)


def seat_view(snapshot: Snapshot, letter: str | None) -> SeatView | None:
    return next((view for view in snapshot.seats if view.seat == letter), None)


def advance(model: Model, message: Outbound, now_ms: int = 0) -> Model:
    """Return the model after a message that came at `now_ms` of our monotonic clock."""
    match message:
        case Hello():
            return replace(model, hello=message, clock_offset=None, bye=None)
        case Welcome():
            return replace(model, welcome=message, bye=None, error=None, error_age=0)
        case Snapshot():
            return _advance_snapshot(model, message, now_ms)
        case Error():
            return replace(model, error=message, error_age=0)
        case ChatLine():
            return _chat(model, message)
        case Notice():
            kind: Literal["server", "notice"] = "server" if message.code in _OF_ALL else "notice"
            return _said(model, Line(kind, message.text, message.name, message.seat))
        case Bye():
            return replace(model, bye=message)
        case Ack() | Recorded():
            return model


def remembered(model: Model, texts: Iterable[str]) -> Model:
    """Return the model with what was knowable in the game that is over, said among the rest."""
    for text in texts:
        model = _said(model, Line("game", text))
    return model


def acted(model: Model) -> Model:
    """Return the model when its person does something new: the last refusal is done with."""
    return replace(model, error=None, error_age=0, kept="")


def _chat(model: Model, said: ChatLine) -> Model:
    """Add a line of chat, unless a resume repeats one."""
    if said.seq <= model.seq:
        return model
    return replace(
        _said(model, Line("chat", said.text, said.name, said.seat, said.seq)), seq=said.seq
    )


def _advance_snapshot(model: Model, snapshot: Snapshot, now_ms: int) -> Model:
    newest = model.snapshot
    if newest and (newest.epoch, newest.version) > (snapshot.epoch, snapshot.version):
        return model
    for event in durable(newest, snapshot):
        mark: Literal["notice", "game"] = "notice" if event.kind == "bots" else "game"
        model = _said(model, Line(mark, event.text, None, event.seat))
    if _beside(model, snapshot):
        model = replace(model, beside=snapshot.game)
    model = replace(model, snapshot=snapshot, clock_offset=_offset(model, snapshot, now_ms))
    if model.error is not None:
        model = replace(model, error_age=model.error_age + 1)
        if model.error_age > ERROR_SNAPSHOTS:
            model = replace(model, error=None, error_age=0)
    if newest and newest.game != snapshot.game:
        model = replace(model, proof="unknown", proof_text="", kept="", record=None)
    return model


def _beside(model: Model, snapshot: Snapshot) -> bool:
    """Tell whether the game shown is or was another's: one watches, or came when it was over."""
    if snapshot.you.seat is None:
        return snapshot.phase != "lobby"
    fresh = model.snapshot is None and model.welcome is not None and not model.welcome.resumed
    return fresh and snapshot.phase == "over"


def _offset(model: Model, snapshot: Snapshot, now_ms: int) -> int:
    """Estimate the server's clock: what a snapshot says is late by its journey, never early."""
    offset = snapshot.now - now_ms
    return offset if model.clock_offset is None else max(model.clock_offset, offset)


def _said(model: Model, line: Line) -> Model:
    return replace(model, lines=(*model.lines, line)[-KEPT_LINES:])
