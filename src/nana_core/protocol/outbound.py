"""Messages from the server to a client.

Clients read them leniently: fields that they do not know are skipped, and codes,
phases, kinds and reasons are plain strings, so that a newer server can say more.
"""

from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Raw, Struct

SlotView: TypeAlias = int | Literal["down", "gone"]


class ErrorCode(StrEnum):
    """Why a message was refused. protocol.md § "Errors" says what to do about each."""

    MALFORMED = "malformed"
    UNSUPPORTED_PROTOCOL = "unsupported_protocol"
    NOT_YET = "not_yet"
    RATE_LIMITED = "rate_limited"
    ID_REUSED = "id_reused"
    UNAVAILABLE = "unavailable"
    # ways in
    NOT_JOINED = "not_joined"
    ALREADY_JOINED = "already_joined"
    WRONG_PASSWORD = "wrong_password"  # noqa: S105 - a code, not a password
    NO_SUCH_ROOM = "no_such_room"
    ROOM_FULL = "room_full"
    SERVER_FULL = "server_full"
    BOTS_REFUSED = "bots_refused"
    BAD_NAME = "bad_name"
    # in a room
    NOT_HOST = "not_host"
    NOT_SEATED = "not_seated"
    WRONG_PHASE = "wrong_phase"
    NO_RECORD = "no_record"
    NO_FREE_SEAT = "no_free_seat"
    SEAT_TAKEN = "seat_taken"
    TOO_FEW_PLAYERS = "too_few_players"
    BAD_OPTION = "bad_option"
    BAD_NONCE = "bad_nonce"
    BAD_TEXT = "bad_text"
    PAUSED = "paused"
    # in a game; the rules' own refusals have the codes of `actions.Refusal`
    STALE = "stale"
    TOO_EARLY = "too_early"
    NOT_YOUR_TURN = "not_your_turn"
    CONTINUE_FIRST = "continue_first"
    NOTHING_TO_CONTINUE = "nothing_to_continue"
    NO_SUCH_SLOT = "no_such_slot"
    SLOT_GONE = "slot_gone"
    SLOT_OPEN = "slot_open"
    NO_SUCH_SEAT = "no_such_seat"
    EMPTY_HAND = "empty_hand"
    GAME_OVER = "game_over"


class ByeCode(StrEnum):
    """Why the server ends a connection."""

    LEFT = "left"
    REPLACED = "replaced"
    REMOVED = "removed"
    CLOSED = "closed"
    EXPIRED = "expired"
    RESTART = "restart"
    FLOOD = "flood"
    IDLE = "idle"


class LimitsView(Struct, frozen=True, kw_only=True):
    message_bytes: int
    name_cells: int
    chat_cells: int
    costed_per_second: int
    costed_burst: int


class Hello(Struct, frozen=True, tag="hello", kw_only=True):
    protocols: tuple[int, ...]
    server: str
    epoch: int
    limits: LimitsView
    bot_levels: tuple[str, ...]
    password_required: bool


class Welcome(Struct, frozen=True, tag="welcome", kw_only=True):
    id: str | None = None
    room: str
    seat: str | None
    name: str
    resumed: bool
    url: str | None = None


class OptionsView(Struct, frozen=True, kw_only=True):
    seats: int
    memory: str
    turn_time: int
    pace: int
    public: bool
    bots: bool


class SeatView(Struct, frozen=True, kw_only=True):
    seat: str
    kind: str
    name: str | None
    level: str | None
    online: bool
    left: bool
    stand_in: bool
    ready: bool
    won: int
    cards: int
    sets: tuple[int, ...]


class CardView(Struct, frozen=True, gc=False):
    source: str
    number: int


class AttemptView(Struct, frozen=True, gc=False, kw_only=True):
    turn: int
    seat: str
    cards: tuple[CardView, ...]
    outcome: str | None


class WinView(Struct, frozen=True):
    reason: str
    sets: tuple[int, ...]


class ResultView(Struct, frozen=True, kw_only=True):
    kind: str
    seat: str | None
    wins: tuple[WinView, ...]
    why: str | None


class LedgerView(Struct, frozen=True, kw_only=True):
    center: tuple[int | None, ...]
    hands: tuple[tuple[int, ...], ...]


class DealView(Struct, frozen=True, kw_only=True):
    seed_hash: str
    nonce_hashes: tuple[str | None, ...]
    to_open: tuple[str, ...]
    fixed: bool = False  # not drawn, but chosen by whoever runs the server


class OpenedDeal(Struct, frozen=True, kw_only=True):
    """What a game was dealt from, opened when it is over. Its hash is in the game's DealView."""

    seed: str
    nonces: tuple[str | None, ...]
    rotated: bool
    hands: tuple[tuple[int, ...], ...]
    center: tuple[int, ...]
    first: str


class You(Struct, frozen=True, gc=False, kw_only=True):
    seat: str | None
    name: str
    host: bool
    hand: tuple[int, ...]


class Snapshot(Struct, frozen=True, tag="snapshot", kw_only=True):
    """The whole truth for one viewer. What moves comes first, what differs by viewer last."""

    epoch: int
    version: int
    step: int
    now: int
    deadline: int | None
    not_before: int | None
    turn: int
    on_turn: str | None
    legal: tuple[str, ...]
    center: tuple[SlotView, ...]
    attempt: AttemptView | None
    ledger: LedgerView | None
    seats: tuple[SeatView, ...]
    room: str
    game: int
    phase: str
    frozen: bool
    paused: bool
    host: str | None
    options: OptionsView
    watching: tuple[str, ...]
    result: ResultView | None
    hands: tuple[tuple[int, ...], ...] | None
    deal: DealView
    opened: OpenedDeal | None
    next_seed_hash: str | None
    missed: tuple[AttemptView, ...]
    you: You


class Ack(Struct, frozen=True, gc=False, tag="ack"):
    id: str
    version: int


class Error(Struct, frozen=True, tag="error", kw_only=True):
    id: str | None
    code: str
    text: str


class ChatLine(Struct, frozen=True, tag="chat", kw_only=True):
    seq: int
    name: str
    seat: str | None
    text: str


class Notice(Struct, frozen=True, tag="notice", kw_only=True):
    code: str
    seat: str | None
    name: str | None
    text: str


class Recorded(Struct, frozen=True, tag="record", kw_only=True):
    """The record of a finished game, as `nana_core.record` reads it."""

    id: str | None
    game: int
    record: Raw  # a client that keeps it need not know its newest fields


class Bye(Struct, frozen=True, tag="bye", kw_only=True):
    code: str
    text: str
    retry: str
    after_ms: int | None = None
    url: str | None = None


Outbound: TypeAlias = Hello | Welcome | Snapshot | Ack | Error | ChatLine | Notice | Recorded | Bye
