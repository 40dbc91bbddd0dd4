"""What a viewer is sent: the part that all share, encoded once, and each one's own end.

Everything here is made from the public table, the ledger of an open memory, and
`view_for`; hidden cards can only come in when the game is over.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from nana_core.deck import LETTERS, MAX_PLAYERS, Cards, Seat
from nana_core.fair import seed_hash
from nana_core.game import Attempt, Table
from nana_core.protocol.outbound import (
    AttemptView,
    DealView,
    LedgerView,
    OpenedDeal,
    OptionsView,
    ResultView,
    SeatView,
    SlotView,
    You,
)
from nana_core.protocol.wire import attempt_view, ledger_view, legal_names, letter, result_view
from nana_core.views import hand_for, open_cards, own_hands
from nana_server.room.state import Key, Member, RoomState, Sitter, seat_of, to_open, watchers

_encoder: Final = msgspec.json.Encoder()
NOT_DEALT_IN: Final = (0,) * MAX_PLAYERS
NO_TABLE: Final = Table(
    hand_sizes=(), center=(), sets=(), attempt=Attempt(seat=0), turn=0, on_turn=0
)


class Moment(Struct, frozen=True, gc=False):
    """What a snapshot says beside the state of its room."""

    epoch: int
    version: int
    now: int  # ms on the server's monotonic clock
    room_now: int  # ms of room time
    frozen: bool
    connected: frozenset[Key]


class Moving(Struct, frozen=True, gc=False, tag="snapshot", kw_only=True):
    """The first fields of a Snapshot, in its order: what nearly every action changes."""

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


class Sheet:
    """The shared part of one room's snapshots; what has not changed is kept encoded.

    Keys hold the very values that a part is made from, so a part can be stale only
    if it is made from something that is not in its key.
    """

    __slots__ = (
        "_counted",
        "_heads",
        "_seats",
        "_sets",
        "_settled",
        "_settled_key",
        "_sitting",
        "_sizes",
        "_tails",
    )

    def __init__(self) -> None:
        self._sitting: tuple[object, ...] = ()
        self._heads: list[bytes] = []  # by seat: who sits there
        self._tails: list[bytes] = []  # by seat: its sets
        self._sets: tuple[Cards, ...] = ()
        self._sizes: tuple[int, ...] = ()
        self._seats: list[bytes] = []  # by seat: head, cards in hand, tail
        self._counted = b""  # all of them
        self._settled_key: tuple[object, ...] = ()
        self._settled = b""

    def shared_part(self, state: RoomState, moment: Moment) -> bytes:
        """Encode what every viewer gets, open at its end: `own_part` closes it."""
        seats, settled = self._seats_part(state, moment), self._settled_part(state, moment)
        moving = _encoder.encode(_moving(state, moment))
        return b'%b,"seats":[%b],%b' % (moving[:-1], seats, settled)

    def part_after_play(self, state: RoomState, moment: Moment) -> bytes:
        """Encode the same after a play: nobody came, went or changed since the last time."""
        if state.game is None or state.game.table.sets is not self._sets:
            return self.shared_part(state, moment)
        sizes = state.game.table.hand_sizes
        if sizes is not self._sizes:
            self._count(sizes)
        moving = _encoder.encode(_moving(state, moment))
        return b'%b,"seats":[%b],%b' % (moving[:-1], self._counted, self._settled)

    def _seats_part(self, state: RoomState, moment: Moment) -> bytes:
        sitting = (state.seats, state.members, moment.connected)
        table = state.game.table if state.game else NO_TABLE
        if sitting != self._sitting or table.sets is not self._sets:
            self._sitting, self._sets = sitting, table.sets
            self._heads = [_seat_head(state, at, moment.connected) for at in _places(state)]
            self._tails = [b',"sets":%b}' % _encoder.encode(sets) for sets in _sets_of(state)]
            self._sizes = (-1,) * len(state.seats)
            self._seats = [b""] * len(state.seats)
        if table.hand_sizes is not self._sizes:
            self._count(table.hand_sizes)
        return self._counted

    def _count(self, sizes: tuple[int, ...]) -> None:
        """Say anew what changes most: how many cards each hand has."""
        seats, heads, tails = self._seats, self._heads, self._tails
        everybody = sizes + NOT_DEALT_IN[len(sizes) : len(heads)]
        for at, size in enumerate(everybody):
            if size != self._sizes[at]:
                seats[at] = b'%b,"cards":%d%b' % (heads[at], size, tails[at])
        self._sizes = everybody if len(everybody) > len(sizes) else sizes
        self._counted = b",".join(seats)

    def _settled_part(self, state: RoomState, moment: Moment) -> bytes:
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
        )
        if key != self._settled_key:
            self._settled_key = key
            self._settled = _encoder.encode(_settled(state, moment))[1:-1]
        return self._settled


def _moving(state: RoomState, moment: Moment) -> Moving:
    table = state.game.table if state.game else None
    if table is None:
        return Moving(
            epoch=moment.epoch,
            version=moment.version,
            step=state.step,
            now=moment.now,
            deadline=_wall(state.deadline, moment),
            not_before=None,
            turn=0,
            on_turn=None,
            legal=(),
            center=(),
            attempt=None,
            ledger=None,
        )
    can_act = state.phase == "playing" and not state.paused and not moment.frozen
    over = table.result is not None
    deadline, not_before = state.deadline, state.not_before
    return Moving(
        epoch=moment.epoch,
        version=moment.version,
        step=state.step,
        now=moment.now,
        deadline=None if deadline is None else _wall(deadline, moment),
        not_before=None if not_before is None else _wall(not_before, moment),
        turn=table.turn,
        on_turn=None if over else LETTERS[table.on_turn],
        legal=legal_names(table) if can_act else (),
        center=open_cards(state.game).center if over and state.game else table.center,
        attempt=attempt_view(table.attempt, table.turn),
        ledger=ledger_view(state.ledger) if state.ledger else None,
    )


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

    __slots__ = ("_hands", "_host", "_members", "_seated", "_seats")

    def __init__(self) -> None:
        self._seats: tuple[Sitter | None, ...] | None = None
        self._members: dict[Key, Member] | None = None
        self._host: Key | None = None
        self._hands: tuple[Cards, ...] = ()
        self._seated: list[tuple[Seat, Eye]] = []  # those who were dealt in

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
        elif hands is not old:
            self.deal(hands)

    def deal(self, hands: tuple[Cards, ...]) -> None:
        """Give each seat its own hand, where it is another one than before."""
        old, self._hands = self._hands, hands
        for seat, eye in self._seated:
            if hands[seat] is not old[seat]:
                eye.own = with_hand(eye.own, hands[seat])

    def _begin(self, state: RoomState, hands: tuple[Cards, ...], eyes: Iterable[Eye]) -> None:
        self._seats, self._members, self._host = state.seats, state.members, state.host
        self._hands, self._seated = hands, []
        for eye in eyes:
            eye.seat = seat_of(state, eye.key)
            eye.own = own_part(state, eye.seat, eye.key, ())
            if eye.seat is not None and eye.seat < len(hands):
                self._seated.append((eye.seat, eye))


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
    return b"%b%b}}" % (own[: own.rindex(b"[")], _encoder.encode(hand))


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


def _wall(room_time: int | None, moment: Moment) -> int | None:
    """Turn room time into the server's clock; a clock that stands still has no deadline."""
    if room_time is None or moment.frozen:
        return None
    return room_time - moment.room_now + moment.now


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


def _sets_of(state: RoomState) -> tuple[Cards, ...]:
    """Every seat's sets; a seat that was not dealt in has none."""
    sets = state.game.table.sets if state.game else ()
    return sets + ((),) * (len(state.seats) - len(sets))


def _places(state: RoomState) -> range:
    return range(len(state.seats))


def _seat_head(state: RoomState, seat: Seat, connected: frozenset[Key]) -> bytes:
    """Encode a SeatView up to its last two fields, which are counted at every action."""
    sitter = state.seats[seat]
    view = _free_seat(seat) if sitter is None else _taken_seat(state, seat, sitter, connected)
    return _encoder.encode(view).removesuffix(b',"cards":0,"sets":[]}')


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
        sets=(),
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
