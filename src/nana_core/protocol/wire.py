"""The game's own types as the wire says them: letters for seats, names for sources.

Everything here takes public types, or what `views` has selected; nothing takes Secrets.
"""

from functools import lru_cache
from typing import Final, assert_never

import msgspec
from msgspec import Struct

from nana_core.actions import CenterSlot, Continue, HandEnd, Reveal
from nana_core.deck import LETTERS, MAX_PLAYERS, Seat
from nana_core.game import Attempt, Ended, Result, Shown, Slot, Table, Won
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


_encoder: Final = msgspec.json.Encoder()
_OUTCOMES: Final = {
    None: b'],"outcome":null}',
    "set": b'],"outcome":"set"}',
    "miss": b'],"outcome":"miss"}',
}
REVEALS: Final = {name: Reveal(source) for name, source in SOURCES.items()}
CONTINUE: Final = Continue()


def letter(seat: Seat | None) -> str | None:
    return None if seat is None else LETTERS[seat]


class Slots(Struct, frozen=True, gc=False):
    """A center: which of its slots can be revealed, and how the wire says and shows it."""

    names: tuple[str, ...]
    legal: bytes  # JSON strings, each with a comma behind it
    center: bytes  # JSON


class Ends(Struct, frozen=True, gc=False):
    """Hands of these sizes: which of their ends can be revealed, and how the wire says it."""

    names: tuple[str, ...]
    legal: bytes  # JSON strings, with commas between them


def attempt_view(attempt: Attempt, turn: int) -> AttemptView:
    """Say an attempt; `turn` is its number in the game."""
    return AttemptView(
        turn=turn,
        seat=LETTERS[attempt.seat],
        cards=tuple([CardView(SOURCE_NAMES[card.source], card.number) for card in attempt.cards]),
        outcome=attempt.outcome,
    )


def legal_names(table: Table) -> tuple[str, ...]:
    """Name the sources that may be revealed; ("continue",) while an attempt is shown."""
    if table.result is not None:
        return ()
    if table.attempt.outcome is not None:
        return ("continue",)
    return slots_of(table.center).names + ends_of(table.hand_sizes).names


@lru_cache(maxsize=4096)  # a game comes back to the same places again and again
def slots_of(center: tuple[Slot, ...]) -> Slots:
    names = tuple(SLOT_NAMES[at] for at, state in enumerate(center) if state == "down")
    legal = b"".join(b'"%b",' % name.encode() for name in names)
    return Slots(names, legal, _encoder.encode(center))


@lru_cache(maxsize=4096)
def ends_of(hand_sizes: tuple[int, ...]) -> Ends:
    names = tuple(
        name for owner, size in enumerate(hand_sizes) if size for name in END_NAMES[owner]
    )
    return Ends(names, _encoder.encode(names)[1:-1])


def legal_json(slots: Slots, ends: Ends) -> bytes:
    """Encode what `legal_names` says, on a table where an attempt may go on."""
    if ends.legal:
        return b"[%b%b]" % (slots.legal, ends.legal)
    return b"[%b]" % slots.legal[:-1]


def attempt_json(attempt: Attempt, turn: int) -> bytes:
    """Encode what `attempt_view` says: it is asked at every action."""
    cards = b",".join(map(_card_json, attempt.cards))
    return _attempt_head(turn, attempt.seat) + cards + _OUTCOMES[attempt.outcome]


@lru_cache(maxsize=4096)  # every action of a turn begins with it
def _attempt_head(turn: int, seat: Seat) -> bytes:
    return b'{"turn":%d,"seat":"%b","cards":[' % (turn, LETTERS[seat].encode())


@lru_cache(maxsize=512)  # more than there are: 25 sources with up to 12 numbers each
def _card_json(card: Shown) -> bytes:
    return _encoder.encode(CardView(SOURCE_NAMES[card.source], card.number))


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
        case inbound.Reveal():
            return REVEALS[message.source]
        case inbound.Continue():
            return CONTINUE
        case _:
            assert_never(message)
