"""What a seat is shown of a game without a room: the snapshots that a server would send.

All that is of a room and not of the game is plain: nobody is there but bots.
"""

from typing import Final

from nana_core.deck import LETTERS, Seat
from nana_core.game import Game, Table
from nana_core.protocol.outbound import (
    AttemptView,
    DealView,
    OptionsView,
    SeatView,
    Snapshot,
    You,
)
from nana_core.protocol.wire import attempt_view, legal_names, letter, result_view
from nana_core.views import open_cards, view_for

_OPTIONS: Final = OptionsView(seats=5, memory="none", turn_time=0, pace=0, public=False, bots=True)
_DEAL: Final = DealView(seed_hash="0" * 64, nonce_hashes=(), to_open=())


def snapshot_for(
    game: Game,
    seat: Seat,
    step: int = 0,
    missed: tuple[AttemptView, ...] = (),
    number: int = 1,
) -> Snapshot:
    """Show a game to a seat as a server would; all that is of the room is plain."""
    seen = view_for(game, seat)
    table = seen.table
    cards = None if table.result is None else open_cards(game)
    return Snapshot(
        epoch=1,
        version=step,
        step=step,
        room="ARENA",
        game=number,
        phase="playing" if table.result is None else "over",
        now=0,
        deadline=None,
        not_before=None,
        frozen=False,
        paused=False,
        host=None,
        options=_OPTIONS,
        seats=tuple([_seat_view(table, other) for other in range(table.players)]),
        watching=(),
        turn=table.turn,
        on_turn=None if table.result else letter(table.on_turn),
        legal=legal_names(table),
        center=table.center if cards is None else cards.center,
        attempt=attempt_view(table.attempt, table.turn),
        ledger=None,
        result=None if table.result is None else result_view(table.result),
        hands=None if cards is None else cards.hands,
        deal=_DEAL,
        opened=None,
        next_seed_hash=None,
        missed=missed,
        you=You(seat=LETTERS[seat], name=LETTERS[seat], host=False, hand=seen.hand),
    )


def _seat_view(table: Table, seat: Seat) -> SeatView:
    return SeatView(
        seat=LETTERS[seat],
        kind="bot",
        name=LETTERS[seat],
        level=None,
        online=True,
        left=False,
        stand_in=False,
        ready=True,
        cards=table.hand_sizes[seat],
        sets=table.sets[seat],
        won=0,
    )
