"""What every screen draws from: the newest truth from the server, and what was said.

`advance(model, message)` is pure. Nothing here remembers the values of earlier
attempts: the table is no memory aid unless the game is played with open memory.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nana_core.protocol.outbound import (
    Ack,
    Bye,
    ChatLine,
    Error,
    Hello,
    Notice,
    Outbound,
    Snapshot,
    Welcome,
)

KEPT_LINES: Final = 200

Connection: TypeAlias = Literal["connecting", "open", "waiting", "closed"]
Proof: TypeAlias = Literal["unknown", "verified", "unproven", "false"]


class Line(Struct, frozen=True):
    """One line of the talk panel: what somebody said, or what happened."""

    kind: Literal["chat", "notice", "game"]
    text: str
    name: str | None = None
    seat: str | None = None


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
    error: Error | None = None  # the newest refusal; cleared by the next snapshot
    bye: Bye | None = None
    proof: Proof = "unknown"  # of the finished game's deal
    proof_text: str = ""


def advance(model: Model, message: Outbound) -> Model:
    """Return the model after a message from the server."""
    match message:
        case Hello():
            return replace(model, hello=message)
        case Welcome():
            return replace(model, welcome=message, bye=None, error=None)
        case Snapshot():
            return _advance_snapshot(model, message)
        case Error():
            return replace(model, error=message)
        case ChatLine():
            line = Line("chat", message.text, message.name, message.seat)
            return replace(_said(model, line), seq=max(model.seq, message.seq))
        case Notice():
            return _said(model, Line("notice", message.text, message.name, message.seat))
        case Bye():
            return replace(model, bye=message)
        case Ack():
            return model


def _advance_snapshot(model: Model, snapshot: Snapshot) -> Model:
    newest = model.snapshot
    if newest and (newest.epoch, newest.version) > (snapshot.epoch, snapshot.version):
        return model
    return replace(model, snapshot=snapshot, error=None)


def _said(model: Model, line: Line) -> Model:
    return replace(model, lines=(*model.lines, line)[-KEPT_LINES:])
