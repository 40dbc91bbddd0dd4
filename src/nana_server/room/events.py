"""What can happen to a room: the words of its journal.

An entry is one atomic step: everything that one message, or one timer, led to.
Entries hold the whole truth, the hidden cards included, and go nowhere but into
the journal.
"""

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from nana_core.deck import Deal, Seat
from nana_server.room.state import Key, Options, RoomState

JOURNAL_FORMAT: Final = 2  # 2: summaries
LeaveReason: TypeAlias = Literal["left", "removed", "gone"]


class Event(Struct, frozen=True, array_like=True):
    """One thing that happened."""


class Created(Event, frozen=True, tag="created"):
    code: str
    options: Options
    seed: bytes
    fixed: bool = False


class Joined(Event, frozen=True, tag="joined"):
    member: Key
    name: str
    kind: Literal["person", "bot"]
    seat: Seat | None
    nonce_hash: str | None


class Sat(Event, frozen=True, tag="sat"):
    member: Key
    seat: Seat
    nonce_hash: str | None


class Left(Event, frozen=True, tag="left"):
    member: Key
    why: LeaveReason


class HostGiven(Event, frozen=True, tag="host"):
    member: Key | None


class OptionsSet(Event, frozen=True, tag="options"):
    options: Options


class BotAdded(Event, frozen=True, tag="bot"):
    seat: Seat
    level: str
    name: str


class BotRemoved(Event, frozen=True, tag="no_bot"):
    seat: Seat


class Readied(Event, frozen=True, tag="ready"):
    member: Key
    ready: bool
    nonce_hash: str | None


class Started(Event, frozen=True, tag="started"):
    """Seats are closed up in the order given; the list of commitments is frozen."""

    order: tuple[Seat, ...]
    first: Seat | None
    next_seed: bytes


class Opened(Event, frozen=True, tag="opened"):
    seat: Seat
    nonce: bytes


class Dealt(Event, frozen=True, tag="dealt"):
    deal: Deal


class Revealed(Event, frozen=True, gc=False, tag="revealed"):
    seat: Seat
    source: str
    wait: int  # ms that the attempt is shown at least, if this reveal ends it


class Continued(Event, frozen=True, gc=False, tag="continued"):
    seat: Seat


class StoodIn(Event, frozen=True, tag="stood_in"):
    seat: Seat
    why: Literal["time", "away"]


class Back(Event, frozen=True, tag="back"):
    seat: Seat


class Paused(Event, frozen=True, tag="paused"):
    on: bool


class GameEnded(Event, frozen=True, tag="ended"):
    pass


class Said(Event, frozen=True, tag="said"):
    member: Key
    text: str


class Closed(Event, frozen=True, tag="closed"):
    why: Literal["closed", "expired"]


class Over(Struct, frozen=True, array_like=True):
    """A game that is over: who may have its record, and what that record's digest is."""

    game: int
    players: tuple[Key, ...]
    digest: bytes


class Summary(Event, frozen=True, tag="summary"):
    """All that a room is between two games: the entries before need not be kept for it."""

    seq: int  # of its own entry
    state: RoomState
    ids: dict[Key, dict[str, bytes]]  # encoded entries by id, oldest first
    games: tuple[Over, ...]
    record: bytes | None  # of the last game


AnyEvent: TypeAlias = (
    Created | Joined | Sat | Left | HostGiven | OptionsSet | BotAdded | BotRemoved | Readied
    | Started | Opened | Dealt | Revealed | Continued | StoodIn | Back | Paused | GameEnded
    | Said | Closed | Summary
)  # fmt: skip


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """One atomic step of a room."""

    at: int  # room time, ms
    version: int  # of the snapshot that shows it
    events: tuple[AnyEvent, ...]
    member: Key | None = None  # whose message it was
    id: str | None = None
    digest: bytes | None = None  # of that message


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    return _encoder.encode(entry)


def decode_entry(data: bytes) -> Entry:
    """Read an entry; raise msgspec.MsgspecError when it is damaged."""
    return _decoder.decode(data)
