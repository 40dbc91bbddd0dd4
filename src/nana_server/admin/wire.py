"""What goes over the admin socket: one line of JSON asks, one line answers."""

from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

SOCKET: Final = "admin.sock"  # in the data folder
LINE_MOST: Final = 16_384  # bytes of a request

Code: TypeAlias = Literal[
    "done", "bad_request", "busy", "no_such_room", "damaged", "not_kept", "no_backup", "bad_text"
]


class Backup(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="backup"):
    path: str  # absolute; the server writes it


class Rooms(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="rooms"):
    all: bool = False  # those at rest, too


class Close(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="close"):
    room: str


class Announce(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="announce"):
    text: str


Request: TypeAlias = Backup | Rooms | Close | Announce


class RoomLine(Struct, frozen=True):
    """One room. Of one at rest only its code and age are known."""

    room: str
    phase: str  # as in the protocol, or "resting" or "damaged"
    seats: int | None = None
    taken: int | None = None  # by people and bots who have not left
    connected: int | None = None  # of those who sit there
    watching: int | None = None
    idle: int | None = None  # s since anybody was there; None while somebody is


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`text` is for people; whatever else there is depends on what was asked."""

    ok: bool
    code: Code
    text: str
    rooms: tuple[RoomLine, ...] | None = None
    resting: int | None = None
    path: str | None = None
    told: int | None = None  # people


_requests: Final = msgspec.json.Decoder(Request)
_answers: Final = msgspec.json.Decoder(Answer)


def read_request(line: bytes) -> Request:
    """Raise msgspec.MsgspecError, or UnicodeDecodeError, when it is none."""
    return _requests.decode(line)


def read_answer(line: bytes) -> Answer:
    """Raise msgspec.MsgspecError when it is none."""
    return _answers.decode(line)


def written(message: Request | Answer) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def done(text: str) -> Answer:
    return Answer(ok=True, code="done", text=text)


def refused(code: Code, text: str) -> Answer:
    return Answer(ok=False, code=code, text=text)


def socket_in(data: Path) -> Path:
    return data / SOCKET
