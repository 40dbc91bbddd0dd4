"""What a room is: one frozen value that its events lead to.

Times are milliseconds of room time, which stands still while the room is frozen
or paused. Members are known by the SHA-256 of their token, never by the token.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from nana_core.deck import Deal, Seat
from nana_core.game import Game
from nana_core.ledger import Ledger
from nana_core.protocol.outbound import ChatLine

Key: TypeAlias = str  # hex SHA-256 of a member's token
Phase: TypeAlias = Literal["lobby", "opening", "playing", "over"]

CHAT_KEPT: Final = 50
WATCHERS_MOST: Final = 32


class Options(Struct, frozen=True):
    """What the host chooses between games."""

    seats: int = 4
    memory: Literal["none", "open"] = "none"
    turn_time: int = 90  # seconds for a turn; 0 is no limit
    pace: int = 1200  # milliseconds that an ended attempt is shown at least
    public: bool = False  # listed at /rooms
    bots: bool = True  # bots from outside may join


class Member(Struct, frozen=True):
    """Somebody who holds a token of this room: seated, or watching."""

    name: str
    kind: Literal["person", "bot"]
    order: int  # rises with each joining or sitting down; the lowest has been here longest
    nonce_hash: str | None = None  # commitment for the coming game
    ready: bool = True  # plays in the coming game
    won: int = 0


class Sitter(Struct, frozen=True):
    """Who a seat belongs to: a member, one of the server's bots, or one who has left."""

    name: str
    kind: Literal["person", "bot"]
    member: Key | None = None
    level: str | None = None  # of the server's own bot
    stand_in: bool = False  # a stand-in plays until the member acts or resumes
    left: bool = False  # the member is gone for good; a bot plays this game out
    won: int = 0  # the server's bots keep their own score

    @property
    def played_by_server(self) -> bool:
        return self.member is None or self.stand_in


class RoomState(Struct, frozen=True):
    code: str
    options: Options
    seed: bytes  # of the game in play, or of the coming one in the lobby
    fixed: bool = (
        False  # the seed is the same for every game, and alone decides (protocol.md §13.7)
    )
    host: Key | None = None
    phase: Phase = "lobby"
    number: int = 1  # of the game
    seats: tuple[Sitter | None, ...] = ()
    members: dict[Key, Member] = {}  # replaced, never changed in place
    order: int = 0
    step: int = 0
    next_seed: bytes | None = None  # drawn at the start, committed to when the game is over
    nonce_hashes: tuple[str | None, ...] = ()  # frozen at the start, by seat
    nonces: tuple[bytes | None, ...] = ()
    first: Seat | None = None  # who begins by rotation; None: the deal says
    deal: Deal | None = None
    game: Game | None = None
    ledger: Ledger | None = None  # only where the memory is open
    deadline: int | None = None
    not_before: int | None = None
    paused: bool = False
    turn_left: int | None = None  # ms of the turn that a pause interrupted
    closed: bool = False
    chat: tuple[ChatLine, ...] = ()
    chat_seq: int = 0


def seat_of(state: RoomState, key: Key | None) -> Seat | None:
    """Return the seat of a member, or None for a watcher or a stranger."""
    if key is not None:
        for seat, sitter in enumerate(state.seats):
            if sitter is not None and sitter.member == key:
                return seat
    return None


def sitter_at(state: RoomState, seat: Seat) -> Sitter | None:
    return state.seats[seat] if seat < len(state.seats) else None


def to_open(state: RoomState) -> tuple[Seat, ...]:
    """Seats that committed to a nonce and have not opened it."""
    return tuple(
        seat
        for seat, (committed, nonce) in enumerate(
            zip(state.nonce_hashes, state.nonces, strict=True)
        )
        if committed is not None and nonce is None
    )


def participants(state: RoomState) -> tuple[Seat, ...]:
    """Seats that play if the game starts now: the server's bots and members who are ready."""
    return tuple(
        seat
        for seat, sitter in enumerate(state.seats)
        if sitter is not None
        and not sitter.left
        and (sitter.member is None or state.members[sitter.member].ready)
    )


def is_free(sitter: Sitter | None) -> bool:
    """Whether somebody may sit here between games."""
    return sitter is None or sitter.left


def free_seat(state: RoomState) -> Seat | None:
    """Return the first seat that nobody has, an empty one before one that was left."""
    empty = (seat for seat, sitter in enumerate(state.seats) if sitter is None)
    left = (seat for seat, sitter in enumerate(state.seats) if sitter is not None and sitter.left)
    return next(empty, next(left, None))


def watchers(state: RoomState) -> tuple[Key, ...]:
    seated = {sitter.member for sitter in state.seats if sitter is not None}
    return tuple(key for key in state.members if key not in seated)
