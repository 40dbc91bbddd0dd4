"""A frame of a recorded game as a snapshot, so that the table's own widgets draw it. Pure.

Through a seat's eyes a snapshot is made of that seat's view and nothing else until the
game is over. With all hands open everything is in it: the hands, and what lies face
down in the center as that which is known of it.
"""

from typing import Final

from msgspec.structs import replace

from nana_client.replay_tape import Tape
from nana_core.deck import LETTERS, Seat
from nana_core.game import Game, Table
from nana_core.protocol.outbound import (
    DealView,
    LedgerView,
    OptionsView,
    SeatView,
    Snapshot,
    You,
)
from nana_core.protocol.wire import attempt_view, letter, result_view
from nana_core.views import open_cards, own_hands, view_for

_DEAL: Final = DealView(seed_hash="", nonce_hashes=(), to_open=())


def shown(tape: Tape, at: int, seat: Seat | None) -> Snapshot:
    """Return what lies on the table in a frame, for one seat's eyes or (None) for all."""
    game = tape.frames[at]
    table, over = game.table, game.table.result is not None
    opened = open_cards(game) if over else None
    hands = opened.hands if opened else (own_hands(game) if seat is None else None)
    return Snapshot(
        epoch=1,
        version=at,
        step=at,
        now=0,
        deadline=None,
        not_before=None,
        turn=table.turn,
        on_turn=None if over else letter(table.attempt.seat),
        legal=(),
        center=opened.center if opened else table.center,
        attempt=attempt_view(table.attempt, table.turn),
        ledger=_all_known(game) if seat is None and not over else None,
        seats=tuple(_seat(tape, table, at, each) for each in range(table.players)),
        room=tape.room,
        game=tape.record.game,
        phase="over" if over else "playing",
        frozen=False,
        paused=False,
        host=None,
        options=_options(table.players),
        watching=(),
        result=result_view(table.result) if table.result else None,
        hands=hands,
        deal=_DEAL,
        opened=None,
        next_seed_hash=None,
        missed=(),
        you=_you(tape, game, seat),
    )


def face_up(shot: Snapshot) -> Snapshot:
    """Return the frame with the center lying open: for cards too small for a key and a number."""
    if shot.ledger is None:
        return shot
    center = zip(shot.center, shot.ledger.center, strict=True)
    return replace(shot, center=tuple(state if known is None else known for state, known in center))


def _you(tape: Tape, game: Game, seat: Seat | None) -> You:
    name = tape.names[seat] if seat is not None else ""
    return You(seat=letter(seat), name=name, host=False, hand=view_for(game, seat).hand)


def _seat(tape: Tape, table: Table, at: int, seat: Seat) -> SeatView:
    stood_in = tape.stood_in(at) and table.attempt.seat == seat
    return SeatView(
        seat=LETTERS[seat],
        kind=tape.record.seats[seat].kind,
        name=tape.names[seat],
        level=None,
        online=True,
        left=False,
        stand_in=stood_in,
        ready=False,
        won=0,
        cards=table.hand_sizes[seat],
        sets=table.sets[seat],
    )


def _all_known(game: Game) -> LedgerView:
    """Say what lies face down in the center; hands lie open and need no ledger."""
    center: tuple[int | None, ...] = tuple(
        number if state == "down" else None
        for state, number in zip(game.table.center, game.secrets.center, strict=True)
    )
    return LedgerView(center=center, hands=((),) * game.table.players)


def _options(players: int) -> OptionsView:
    return OptionsView(seats=players, memory="none", turn_time=0, pace=0, public=False, bots=True)
