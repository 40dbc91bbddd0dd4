"""What a viewer is sent: the part that all share, encoded once, and each one's own end.

Everything here is made from the public table, the ledger of an open memory, and
`view_for`; hidden cards can only come in when the game is over.
"""

from collections.abc import Iterable, Sequence
from itertools import compress
from operator import is_not
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from nana_core.deck import LETTERS, MAX_PLAYERS, Cards, Seat
from nana_core.fair import seed_hash
from nana_core.game import Attempt, Table
from nana_core.protocol.outbound import (
    AttemptView,
    DealView,
    OpenedDeal,
    OptionsView,
    ResultView,
    SeatView,
    You,
)
from nana_core.protocol.wire import (
    attempt_json,
    ends_of,
    ledger_view,
    legal_json,
    letter,
    result_view,
    slots_of,
)
from nana_core.views import hand_for, open_cards, own_hands
from nana_server.room.state import Key, Member, RoomState, Sitter, seat_of, to_open, watchers

_encoder: Final = msgspec.json.Encoder()
NULL: Final = b"null"
NOTHING: Final = b"[]"
CONTINUE_JSON: Final = b'["continue"]'
LETTERS_JSON: Final = tuple(_encoder.encode(letter) for letter in LETTERS)
# The first fields of a Snapshot, in its order: what nearly every action changes.
HEAD: Final = (
    b'"version":%d,"step":%d,"now":%d,"deadline":%b,'
    b'"not_before":%b,"turn":%d,"on_turn":%b,"legal":%b,"center":%b,"attempt":%b,"ledger":%b'
)
RESTS_MOST: Final = 32
NOT_DEALT_IN: Final = (0,) * MAX_PLAYERS
NO_TABLE: Final = Table(
    hand_sizes=(), center=(), sets=(), attempt=Attempt(seat=0), turn=0, on_turn=0
)


class Moment(Struct, frozen=True, gc=False):
    """What a snapshot says beside the state of its room."""

    version: int
    now: int  # ms on the server's monotonic clock
    offset: int  # what the server's clock is ahead of room time, ms
    frozen: bool
    connected: frozenset[Key]


class Settled(Struct, frozen=True, kw_only=True):
    """The fields behind the seats, in a Snapshot's order: what a game hardly ever changes."""

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


class Rest(dict[tuple[int, ...], bytes]):
    """The seats and what stands behind them, by the number of cards in each hand."""

    __slots__ = ("_template",)

    def __init__(self, template: bytes) -> None:
        super().__init__()
        self._template = template

    def __missing__(self, sizes: tuple[int, ...]) -> bytes:
        if len(self) >= RESTS_MOST:
            self.clear()
        made = self[sizes] = self._template % sizes
        return made


class Sheet:
    """The shared part of one room's snapshots: what nearly every action changes, and the rest.

    The rest is kept. It is made anew when one of the values that it is made from is another
    one, so it can be stale only if it is made from something that is not in its key.
    """

    __slots__ = ("_head", "_key", "_rest", "sets")

    def __init__(self, epoch: int) -> None:
        self._head = b'{"type":"snapshot","epoch":%d,' % epoch + HEAD
        self._key: tuple[object, ...] = ()
        self._rest = Rest(b"")
        self.sets: tuple[Cards, ...] | None = None  # those in the rest

    def shared_part(self, state: RoomState, moment: Moment) -> bytes:
        """Encode what every viewer gets, open at its end: `own_part` closes it."""
        table = state.game.table if state.game else NO_TABLE
        key = (  # the phase ends with the game, so a finished game is told by it
            state.phase,
            state.number,
            state.seats,
            state.members,
            moment.connected,
            state.host,
            state.options,
            state.nonces,
            moment.frozen,
            state.paused,
            table.sets,
        )
        if key != self._key:
            self._key, self.sets = key, table.sets
            self._rest = Rest(_template(state, moment))
        return self._filled(state, table, moment)

    def part_after_play(
        self, state: RoomState, table: Table, version: int, now: int, offset: int
    ) -> bytes:
        """Encode the same after a play that leaves the game on and has given nobody a set.

        Nobody has come, gone or changed since the last time, and the seat on turn can play.
        """
        first = (version, state.step, now)
        return self._head % (first + moving(state, table, offset)) + self._rest[table.hand_sizes]

    def _filled(self, state: RoomState, table: Table, moment: Moment) -> bytes:
        can_play = state.phase == "playing" and not state.paused and not moment.frozen
        fields = moving(state, table, moment.offset) if can_play else resting(state, moment)
        sizes = table.hand_sizes + NOT_DEALT_IN[len(table.hand_sizes) : len(state.seats)]
        first = (moment.version, state.step, moment.now)
        return self._head % (first + fields) + self._rest[sizes]


# What a play changes, as JSON: deadline, not_before, turn, on_turn, legal, center, attempt, ledger.
Fields: TypeAlias = tuple[bytes, bytes, int, bytes, bytes, bytes, bytes, bytes]


def moving(state: RoomState, table: Table, offset: int) -> Fields:
    """Say what a play changes, of a game in which the seat on turn can play."""
    deadline, not_before, attempt = state.deadline, state.not_before, table.attempt
    slots, outcome, turn = slots_of(table.center), attempt.outcome, table.turn
    return (
        NULL if deadline is None else b"%d" % (deadline + offset),
        NULL if not_before is None else b"%d" % (not_before + offset),
        turn,
        LETTERS_JSON[table.on_turn],
        legal_json(slots, ends_of(table.hand_sizes)) if outcome is None else CONTINUE_JSON,
        slots.center,
        attempt_json(attempt, turn),
        NULL if state.ledger is None else _encoder.encode(ledger_view(state.ledger)),
    )


def resting(state: RoomState, moment: Moment) -> Fields:
    """Say the same of a room in which nobody can play: no game, a frozen or paused one, its end."""
    game, deadline = state.game, None if moment.frozen else state.deadline
    if game is None:
        wall = NULL if deadline is None else b"%d" % (deadline + moment.offset)
        return wall, NULL, 0, NULL, NOTHING, NOTHING, NULL, NULL
    table = game.table
    fields = moving(replace(state, deadline=deadline), table, moment.offset)
    not_before = NULL if moment.frozen else fields[1]
    if table.result is None:
        return fields[0], not_before, *fields[2:4], NOTHING, *fields[5:]
    center = _encoder.encode(open_cards(game).center)
    return fields[0], not_before, table.turn, NULL, NOTHING, center, *fields[6:]


def _template(state: RoomState, moment: Moment) -> bytes:
    """Make a snapshot from the seats to each viewer's own end, with places for numbers of cards."""
    seats = b",".join(_seat(state, at, moment.connected) for at in range(len(state.seats)))
    settled = _encoder.encode(_settled(state, moment))[1:-1].replace(b"%", b"%%")
    return b',"seats":[%b],%b' % (seats, settled)


def _seat(state: RoomState, seat: Seat, connected: frozenset[Key]) -> bytes:
    """Encode a SeatView with a place for the number of cards in its hand."""
    sitter = state.seats[seat]
    view = _free_seat(seat) if sitter is None else _taken_seat(state, seat, sitter, connected)
    head, tail = _encoder.encode(view).replace(b"%", b"%%").rsplit(b'"cards":0', 1)
    return b'%b"cards":%%d%b' % (head, tail)


def _settled(state: RoomState, moment: Moment) -> Settled:
    finished = state.game if state.phase == "over" else None
    result = finished.table.result if finished else None
    return Settled(
        room=state.code,
        game=state.number,
        phase=state.phase,
        frozen=moment.frozen,
        paused=state.paused,
        host=letter(seat_of(state, state.host)),
        options=_options(state),
        watching=_watching(state, moment.connected),
        result=result_view(result) if result else None,
        hands=open_cards(finished).hands if finished else None,
        deal=_deal(state),
        opened=_opened(state) if finished else None,
        next_seed_hash=_next_seed_hash(state) if finished else None,
    )


class Eye(Protocol):
    """Somebody who looks: a member, its seat if it has one, and its own end of the snapshots."""

    key: Key
    seat: Seat | None
    own: bytes


class OwnParts:
    """Every viewer's own end of the snapshots, encoded anew only when it has changed."""

    __slots__ = ("_dealt_in", "_hands", "_host", "_members", "_seats")

    def __init__(self) -> None:
        self._seats: tuple[Sitter | None, ...] | None = None
        self._members: dict[Key, Member] | None = None
        self._host: Key | None = None
        self._hands: tuple[Cards, ...] = ()
        self._dealt_in: list[Eye | None] = []  # by seat

    def forget(self) -> None:
        """Begin anew: somebody has come."""
        self._seats = None

    def refresh(self, state: RoomState, eyes: Iterable[Eye]) -> None:
        """Bring the seat and the own end of each viewer up to date."""
        hands, old = own_hands(state.game) if state.game else (), self._hands
        if (
            state.seats is not self._seats
            or state.members is not self._members
            or state.host is not self._host
            or len(hands) != len(old)
        ):
            self._begin(state, hands, eyes)
        else:
            self.deal(hands)

    def deal(self, hands: tuple[Cards, ...]) -> None:
        """Give each seat its own hand, where it is another one than before."""
        if hands is self._hands:
            return
        changed = map(is_not, hands, self._hands)
        for eye, hand in compress(zip(self._dealt_in, hands, strict=False), changed):
            if eye is not None:
                eye.own = with_hand(eye.own, hand)
        self._hands = hands

    def deal_one(self, seat: Seat, hands: tuple[Cards, ...]) -> None:
        """Do the same where no hand but this seat's has changed."""
        eye = self._dealt_in[seat]
        if eye is not None:
            eye.own = with_hand(eye.own, hands[seat])
        self._hands = hands

    def _begin(self, state: RoomState, hands: tuple[Cards, ...], eyes: Iterable[Eye]) -> None:
        self._seats, self._members, self._host = state.seats, state.members, state.host
        self._hands = hands
        self._dealt_in = [None] * len(hands)
        for eye in eyes:
            eye.seat = seat_of(state, eye.key)
            eye.own = own_part(state, eye.seat, eye.key, ())
            if eye.seat is not None and eye.seat < len(hands):
                self._dealt_in[eye.seat] = eye


def own_part(
    state: RoomState, seat: Seat | None, key: Key | None, missed: Sequence[AttemptView]
) -> bytes:
    """Encode a viewer's own end: its seat, None for a watcher, and the hand of that seat."""
    you = You(
        seat=letter(seat),
        name=_own_name(state, seat, key),
        host=key is not None and key == state.host,
        hand=own_hand(state, seat),
    )
    return b',"missed":%b,"you":%b}' % (_encoder.encode(missed), _encoder.encode(you))


def with_hand(own: bytes, hand: Cards) -> bytes:
    """Put another hand into an own end that has missed nothing: the hand stands last there."""
    return own[: own.rindex(b"[")] + _encoder.encode(hand) + b"}}"


def own_hand(state: RoomState, seat: Seat | None) -> Cards:
    """Select the hand that a seat may see; nobody else's can come out of here."""
    game = state.game
    if seat is None or game is None or seat >= len(game.table.hand_sizes):
        return ()
    return hand_for(game, seat)


def _own_name(state: RoomState, seat: Seat | None, key: Key | None) -> str:
    if key is not None:
        return state.members[key].name
    sitter = None if seat is None else state.seats[seat]
    return sitter.name if sitter else ""


def _options(state: RoomState) -> OptionsView:
    options = state.options
    return OptionsView(
        seats=options.seats,
        memory=options.memory,
        turn_time=options.turn_time,
        pace=options.pace,
        public=options.public,
        bots=options.bots,
    )


def _free_seat(seat: Seat) -> SeatView:
    return SeatView(
        seat=LETTERS[seat],
        kind="free",
        name=None,
        level=None,
        online=False,
        left=False,
        stand_in=False,
        ready=False,
        cards=0,
        sets=(),
        won=0,
    )


def _taken_seat(
    state: RoomState, seat: Seat, sitter: Sitter, connected: frozenset[Key]
) -> SeatView:
    sets = state.game.table.sets if state.game else ()
    member = state.members[sitter.member] if sitter.member is not None else None
    return SeatView(
        seat=LETTERS[seat],
        kind=sitter.kind,
        name=sitter.name,
        level=sitter.level,
        online=sitter.member in connected if member else not sitter.left,
        left=sitter.left,
        stand_in=sitter.stand_in,
        ready=member.ready if member else not sitter.left,
        cards=0,
        sets=sets[seat] if seat < len(sets) else (),
        won=member.won if member else sitter.won,
    )


def _watching(state: RoomState, connected: frozenset[Key]) -> tuple[str, ...]:
    return tuple(state.members[key].name for key in watchers(state) if key in connected)


def _deal(state: RoomState) -> DealView:
    return DealView(
        seed_hash=seed_hash(state.code, state.number, state.seed),
        nonce_hashes=state.nonce_hashes,
        to_open=tuple(LETTERS[seat] for seat in to_open(state)) if state.phase == "opening" else (),
        fixed=state.fixed,
    )


def _opened(state: RoomState) -> OpenedDeal:
    deal = state.deal
    if deal is None:
        raise AssertionError("a finished game was dealt")
    return OpenedDeal(
        seed=state.seed.hex(),
        nonces=tuple(nonce.hex() if nonce else None for nonce in state.nonces),
        rotated=state.first is not None,
        hands=deal.hands,
        center=deal.center,
        first=LETTERS[deal.first],
    )


def _next_seed_hash(state: RoomState) -> str | None:
    if state.next_seed is None:
        return None
    return seed_hash(state.code, state.number + 1, state.next_seed)
