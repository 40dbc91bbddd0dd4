"""The state after an event. Pure, total on lawful events, and the only way a state changes.

Decisions were made in `decide` and `timers`; here nothing is refused, and an
event that does not fit its state is a bug.
"""

from typing import Final, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from nana_core.game import Game, Won, begin, end, go_on, put, reveal
from nana_core.ledger import blank_for, remember
from nana_core.notation import SOURCES
from nana_core.protocol.inbound import OptionChanges
from nana_core.protocol.outbound import ChatLine
from nana_server.room import events as e
from nana_server.room.state import (
    CHAT_KEPT,
    Key,
    Member,
    Options,
    RoomState,
    Sitter,
    seat_of,
)

OPENING_MS: Final = 5000


def create(event: e.Created) -> RoomState:
    """Return the state of a new room."""
    return RoomState(
        code=event.code,
        options=event.options,
        seed=event.seed,
        fixed=event.fixed,
        seats=(None,) * event.options.seats,
    )


def evolve(state: RoomState, event: e.AnyEvent, at: int) -> RoomState:
    """Return the state after an event that happened at a room time (ms)."""
    match event:
        case e.Revealed():
            return revealed(state, event, at)
        case e.Continued():
            return continued(state)
        case e.Said(member, text):
            return _said(state, member, text)
        case e.Joined():
            return _joined(state, event)
        case e.Sat(member, seat, nonce_hash):
            return _seated(state, member, seat, nonce_hash)
        case e.Left(member, _):
            return _left(state, member)
        case e.HostGiven(member):
            return replace(state, host=member)
        case e.OptionsSet(options):
            return _options_set(state, options)
        case e.BotAdded(seat, level, name):
            sitter = Sitter(name=name, kind="bot", level=level)
            return replace(state, seats=put(state.seats, seat, sitter))
        case e.BotRemoved(seat):
            return replace(state, seats=put(state.seats, seat, None))
        case e.Readied(member, ready, nonce_hash):
            return _with_member(state, member, ready=ready, nonce_hash=nonce_hash)
        case e.Started():
            return _started(state, event, at)
        case e.Opened(seat, nonce):
            nonces = put(state.nonces, seat, nonce)
            return replace(state, nonces=nonces, step=state.step + 1)
        case e.Dealt():
            return _dealt(state, event, at)
        case e.StoodIn(seat, _):
            return _stood_in(state, seat)
        case e.Back(seat):
            return _back(state, seat, at)
        case e.Paused(on):
            return _paused(state, at, on=on)
        case e.GameEnded():
            return _game_ended(state)
        case e.Closed():
            return replace(state, closed=True)
        case e.Created():
            return create(event)
        case e.Summary():
            return event.state
        case _:
            assert_never(event)


def changed(options: Options, changes: OptionChanges) -> Options:
    """Return the options with those changes that are set."""
    asked = {
        name: value
        for name in OptionChanges.__struct_fields__
        if (value := getattr(changes, name)) is not UNSET
    }
    return replace(options, **asked) if asked else options


def _joined(state: RoomState, event: e.Joined) -> RoomState:
    member = Member(event.name, event.kind, order=state.order, ready=event.seat is not None)
    state = replace(
        state,
        members={**state.members, event.member: member},
        order=state.order + 1,
        host=event.member if state.host is None else state.host,
    )
    if event.seat is None:
        return state
    return _seated(state, event.member, event.seat, event.nonce_hash)


def _seated(state: RoomState, key: Key, seat: int, nonce_hash: str | None) -> RoomState:
    member = state.members[key]
    sitter = Sitter(name=member.name, kind=member.kind, member=key)
    state = _with_member(state, key, order=state.order, ready=True, nonce_hash=nonce_hash)
    return replace(state, seats=put(state.seats, seat, sitter), order=state.order + 1)


def _left(state: RoomState, key: Key) -> RoomState:
    seat = seat_of(state, key)
    members = {other: member for other, member in state.members.items() if other != key}
    host = None if state.host == key else state.host
    seats = state.seats
    if seat is not None:
        sitter = seats[seat]
        if sitter is None:
            raise AssertionError("a seated member has a sitter")
        keeps_place = state.phase != "lobby"
        left = replace(sitter, member=None, left=True, stand_in=True) if keeps_place else None
        seats = put(seats, seat, left)
    state = replace(state, members=members, host=host, seats=seats)
    if state.phase == "playing" and state.game and state.game.table.on_turn == seat:
        return replace(state, deadline=None, turn_left=None)
    return state


def _options_set(state: RoomState, options: Options) -> RoomState:
    seats = state.seats
    if len(seats) < options.seats:
        seats += (None,) * (options.seats - len(seats))
    elif any(seats[options.seats :]):
        taken = tuple(sitter for sitter in seats if sitter is not None)
        seats = taken + (None,) * (options.seats - len(taken))
    else:
        seats = seats[: options.seats]
    return replace(state, options=options, seats=seats)


def _started(state: RoomState, event: e.Started, at: int) -> RoomState:
    """Close the gaps, freeze the commitments, and wait for the openings."""
    again = state.phase == "over"
    seats = tuple(state.seats[seat] for seat in event.order)
    hashes = tuple(_commitment(state, sitter) for sitter in seats)
    members = {
        key: replace(member, nonce_hash=None, ready=False) for key, member in state.members.items()
    }
    return replace(
        state,
        phase="opening",
        number=state.number + 1 if again else state.number,
        seed=state.next_seed if again and state.next_seed else state.seed,
        next_seed=event.next_seed,
        seats=tuple(replace(s, stand_in=False) if s else s for s in seats),
        members=members,
        nonce_hashes=hashes,
        nonces=(None,) * len(seats),
        first=event.first,
        deal=None,
        game=None,
        ledger=None,
        deadline=at + OPENING_MS,
        not_before=None,
        step=state.step + 1,
    )


def _commitment(state: RoomState, sitter: Sitter | None) -> str | None:
    if sitter is None or sitter.member is None or state.fixed:
        return None
    return state.members[sitter.member].nonce_hash


def _dealt(state: RoomState, event: e.Dealt, at: int) -> RoomState:
    game = begin(event.deal)
    state = replace(
        state,
        phase="playing",
        deal=event.deal,
        game=game,
        ledger=blank_for(event.deal) if state.options.memory == "open" else None,
        step=state.step + 1,
    )
    return replace(state, deadline=_turn_deadline(state, game, at))


def revealed(state: RoomState, event: e.Revealed, at: int) -> RoomState:
    """Turn a card over; the attempt, and with it the game, may end."""
    game = reveal(_game(state), SOURCES[event.source])
    table = game.table
    if table.attempt.outcome is None:
        return replace(state, game=game, step=state.step + 1)
    ledger = state.ledger and remember(state.ledger, table.attempt)
    if table.result is not None:
        return _over(replace(state, ledger=ledger, step=state.step + 1), game)
    return replace(
        state,
        game=game,
        step=state.step + 1,
        ledger=ledger,
        not_before=at + event.wait,
        deadline=_turn_deadline(state, game, at + event.wait),
    )


def continued(state: RoomState) -> RoomState:
    """Begin the next attempt."""
    game = go_on(_game(state))
    return replace(state, game=game, step=state.step + 1, not_before=None)


def _paused(state: RoomState, at: int, *, on: bool) -> RoomState:
    """Keep what is left of the turn while the game is paused."""
    if on:
        left = None if state.deadline is None else max(0, state.deadline - at)
        return replace(state, paused=True, deadline=None, turn_left=left)
    deadline = None if state.turn_left is None else at + state.turn_left
    return replace(state, paused=False, deadline=deadline, turn_left=None)


def _game_ended(state: RoomState) -> RoomState:
    return _over(replace(state, step=state.step + 1), end(_game(state), "host"))


def _over(state: RoomState, game: Game) -> RoomState:
    """Keep the finished table; around it the lobby of the next game begins."""
    missing = state.options.seats - len(state.seats)
    state = replace(
        state,
        phase="over",
        game=game,
        seats=(*state.seats, *(None,) * missing),
        deadline=None,
        not_before=None,
        paused=False,
        turn_left=None,
    )
    result = game.table.result
    return _score(state, result.seat) if isinstance(result, Won) else state


def _score(state: RoomState, seat: int) -> RoomState:
    sitter = state.seats[seat]
    if sitter is None:
        raise AssertionError("a winner sits")
    if sitter.member is None:
        return replace(state, seats=put(state.seats, seat, replace(sitter, won=sitter.won + 1)))
    return _with_member(state, sitter.member, won=state.members[sitter.member].won + 1)


def _stood_in(state: RoomState, seat: int) -> RoomState:
    on_turn = state.game is not None and state.game.table.on_turn == seat
    deadline = None if on_turn else state.deadline
    return replace(_with_stand_in(state, seat, on=True), deadline=deadline)


def _back(state: RoomState, seat: int, at: int) -> RoomState:
    state = _with_stand_in(state, seat, on=False)
    game = state.game
    if state.phase == "playing" and game and game.table.on_turn == seat:
        if state.paused:
            return replace(state, turn_left=_turn_deadline(state, game, 0))
        begins = max(at, state.not_before or 0)
        return replace(state, deadline=_turn_deadline(state, game, begins))
    return state


def _turn_deadline(state: RoomState, game: Game, begins: int) -> int | None:
    """One deadline covers the continue and every reveal of a turn of a member."""
    sitter = state.seats[game.table.on_turn]
    if not state.options.turn_time or sitter is None or sitter.played_by_server:
        return None
    return begins + state.options.turn_time * 1000


def _said(state: RoomState, key: Key, text: str) -> RoomState:
    seat = seat_of(state, key)
    line = ChatLine(
        seq=state.chat_seq + 1,
        name=state.members[key].name,
        seat=None if seat is None else "ABCDE"[seat],
        text=text,
    )
    return replace(state, chat=(*state.chat, line)[-CHAT_KEPT:], chat_seq=line.seq)


def _with_member(state: RoomState, key: Key, **changes: object) -> RoomState:
    member = replace(state.members[key], **changes)
    return replace(state, members={**state.members, key: member})


def _with_stand_in(state: RoomState, seat: int, *, on: bool) -> RoomState:
    sitter = state.seats[seat]
    if sitter is None:
        raise AssertionError("only a taken seat has a stand-in")
    return replace(state, seats=put(state.seats, seat, replace(sitter, stand_in=on)))


def _game(state: RoomState) -> Game:
    if state.game is None:
        raise AssertionError("no game is on")
    return state.game
