"""The game's own types as the wire says them: letters for seats, names for sources.

Everything here takes public types, or what `views` has selected; nothing takes Secrets.
"""

from typing import Final, assert_never

from nana_core.actions import CenterSlot, Continue, HandEnd, Reveal
from nana_core.deck import LETTERS, MAX_PLAYERS, Seat
from nana_core.game import Attempt, Ended, Result, Table, Won
from nana_core.ledger import Ledger
from nana_core.notation import SOURCE_NAMES, SOURCES
from nana_core.protocol import inbound
from nana_core.protocol.outbound import (
    AttemptView,
    CardView,
    LedgerView,
    ResultView,
    WinView,
)

SLOT_NAMES: Final = tuple(
    name for name, source in SOURCES.items() if isinstance(source, CenterSlot)
)
END_NAMES: Final = tuple(
    tuple(name for name, s in SOURCES.items() if isinstance(s, HandEnd) and s.owner == owner)
    for owner in range(MAX_PLAYERS)
)


def letter(seat: Seat | None) -> str | None:
    return None if seat is None else LETTERS[seat]


def attempt_view(attempt: Attempt, turn: int) -> AttemptView:
    """Say an attempt; `turn` is its number in the game."""
    return AttemptView(
        turn=turn,
        seat=LETTERS[attempt.seat],
        cards=tuple(CardView(SOURCE_NAMES[card.source], card.number) for card in attempt.cards),
        outcome=attempt.outcome,
    )


def legal_names(table: Table) -> tuple[str, ...]:
    """Name the sources that may be revealed; ("continue",) while an attempt is shown."""
    if table.result is not None:
        return ()
    if table.attempt.outcome is not None:
        return ("continue",)
    names = [SLOT_NAMES[at] for at, state in enumerate(table.center) if state == "down"]
    for owner, size in enumerate(table.hand_sizes):
        if size:
            names += END_NAMES[owner]
    return tuple(names)


def result_view(result: Result) -> ResultView:
    match result:
        case Won(seat, wins):
            named = tuple(WinView(win.reason, win.sets) for win in wins)
            return ResultView(kind="won", seat=LETTERS[seat], wins=named, why=None)
        case Ended(why):
            return ResultView(kind="ended", seat=None, wins=(), why=why)
        case _:
            assert_never(result)


def ledger_view(ledger: Ledger) -> LedgerView:
    return LedgerView(center=ledger.center, hands=ledger.hands)


def action_of(message: inbound.Reveal | inbound.Continue) -> Reveal | Continue:
    """Return the rules' action that a message asks for."""
    match message:
        case inbound.Reveal(source=name):
            return Reveal(SOURCES[name])
        case inbound.Continue():
            return Continue()
        case _:
            assert_never(message)
