"""What a viewer is sent: the part that all share, encoded once, and each one's own end.

Everything here is made from the public table, the ledger of an open memory, and
`view_for`; hidden cards can only come in when the game is over.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from nana_core.deck import LETTERS, Seat
from nana_core.fair import seed_hash
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
from nana_core.views import open_cards, view_for
from nana_server.room.state import Key, RoomState, Sitter, seat_of, to_open, watchers

_encoder: Final = msgspec.json.Encoder()


class Moment(Struct, frozen=True):
    """What a snapshot says beside the state of its room."""

    epoch: int
    version: int
    now: int  # ms on the server's monotonic clock
    room_now: int  # ms of room time
    frozen: bool
    connected: frozenset[Key]


class Shared(Struct, frozen=True, tag="snapshot", kw_only=True):
    """A Snapshot up to what differs between viewers: the same fields in the same order."""

    epoch: int
    version: int
    step: int
    room: str
    game: int
    phase: str
    now: int
    deadline: int | None
    not_before: int | None
    frozen: bool
    paused: bool
    host: str | None
    options: OptionsView
    seats: tuple[SeatView, ...]
    watching: tuple[str, ...]
    turn: int
    on_turn: str | None
    legal: tuple[str, ...]
    center: tuple[SlotView, ...]
    attempt: AttemptView | None
    ledger: LedgerView | None
    result: ResultView | None
    hands: tuple[tuple[int, ...], ...] | None
    deal: DealView
    opened: OpenedDeal | None
    next_seed_hash: str | None


def shared_part(state: RoomState, moment: Moment) -> bytes:
    """Encode what every viewer gets, open at its end: `own_part` closes it."""
    table = state.game.table if state.game else None
    over = state.phase == "over" and state.game is not None
    cards = open_cards(state.game) if over and state.game else None
    running = state.phase == "playing" and not state.paused and not moment.frozen
    shared = Shared(
        epoch=moment.epoch,
        version=moment.version,
        step=state.step,
        room=state.code,
        game=state.number,
        phase=state.phase,
        now=moment.now,
        deadline=_wall(state.deadline, moment),
        not_before=_wall(state.not_before, moment),
        frozen=moment.frozen,
        paused=state.paused,
        host=letter(seat_of(state, state.host)),
        options=_options(state),
        seats=_seats(state, moment.connected),
        watching=_watching(state, moment.connected),
        turn=table.turn if table else 0,
        on_turn=LETTERS[table.on_turn] if table and not table.result else None,
        legal=legal_names(table) if table and running else (),
        center=cards.center if cards else table.center if table else (),
        attempt=attempt_view(table.attempt, table.turn) if table else None,
        ledger=ledger_view(state.ledger) if state.ledger else None,
        result=result_view(table.result) if table and table.result else None,
        hands=cards.hands if cards else None,
        deal=_deal(state),
        opened=_opened(state) if over else None,
        next_seed_hash=_next_seed_hash(state) if over else None,
    )
    return _encoder.encode(shared)[:-1]


def own_part(
    state: RoomState, seat: Seat | None, key: Key | None, missed: Sequence[AttemptView]
) -> bytes:
    """Encode a viewer's own end of the snapshot.

    `seat` is the viewer's, None for a watcher; `key` is None where no member plays the seat.
    """
    you = You(
        seat=letter(seat),
        name=_own_name(state, seat, key),
        host=key is not None and key == state.host,
        hand=own_hand(state, seat),
    )
    return b',"missed":%b,"you":%b}' % (_encoder.encode(missed), _encoder.encode(you))


def _own_name(state: RoomState, seat: Seat | None, key: Key | None) -> str:
    if key is not None:
        return state.members[key].name
    sitter = None if seat is None else state.seats[seat]
    return sitter.name if sitter else ""


def own_hand(state: RoomState, seat: Seat | None) -> tuple[int, ...]:
    """Select the hand that a seat may see; nobody else's can come out of here."""
    if state.game is None or seat is None or seat >= state.game.table.players:
        return ()
    return view_for(state.game, seat).hand


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


def _seats(state: RoomState, connected: frozenset[Key]) -> tuple[SeatView, ...]:
    return tuple(
        _free_seat(seat) if sitter is None else _taken_seat(state, seat, sitter, connected)
        for seat, sitter in enumerate(state.seats)
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
    member = state.members[sitter.member] if sitter.member is not None else None
    table = state.game.table if state.game else None
    dealt_in = table is not None and seat < table.players
    return SeatView(
        seat=LETTERS[seat],
        kind=sitter.kind,
        name=sitter.name,
        level=sitter.level,
        online=sitter.member in connected if member else not sitter.left,
        left=sitter.left,
        stand_in=sitter.stand_in,
        ready=member.ready if member else not sitter.left,
        cards=table.hand_sizes[seat] if table and dealt_in else 0,
        sets=table.sets[seat] if table and dealt_in else (),
        won=member.won if member else sitter.won,
    )


def _watching(state: RoomState, connected: frozenset[Key]) -> tuple[str, ...]:
    return tuple(state.members[key].name for key in watchers(state) if key in connected)


def _deal(state: RoomState) -> DealView:
    return DealView(
        seed_hash=seed_hash(state.code, state.number, state.seed),
        nonce_hashes=state.nonce_hashes,
        to_open=tuple(LETTERS[seat] for seat in to_open(state)) if state.phase == "opening" else (),
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
