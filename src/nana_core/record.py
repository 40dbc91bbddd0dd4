"""The record of a finished game: a file that a person can keep, replay and verify.

A record is JSON: the deal with what it was derived from, and every action. It
exists only for games that are over, so it hides nothing. Reading one checks its
shape; `verify` checks what it claims.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from msgspec import Struct

from nana_core.actions import Refused
from nana_core.deck import LETTERS, Cards, Deal, flaw
from nana_core.fair import SECRET_BYTES, fair_deal, fixed_deal, nonce_hash, seed_hash
from nana_core.game import Ended, Game, Result, apply, begin, end
from nana_core.notation import Malformed, parse_action
from nana_core.text import NAME_CELLS, cleaned, clipped

RULES: Final = 1  # rises when the same actions would lead elsewhere
FORMAT: Final = 1
_MARK: Final = re.compile(rb'\s*\{\s*"record"\s*:\s*"nana"')
RECORD_BYTES: Final = 1 << 20  # a game of the most turns takes about 60 kB


class RecordedSeat(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    kind: Literal["person", "bot"]
    nonce_hash: str | None = None  # the commitment, hex; None when the seat made none
    nonce: str | None = None  # the opening, hex; None when the seat did not open


class RecordedDeal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    seed_hash: str
    seed: str
    rotated: bool  # the first seat follows from an earlier game, not from the seed
    hands: tuple[Cards, ...]
    center: Cards
    first: str  # letter
    fixed: bool = False  # chosen by whoever ran the server; left out where it is not so


class Record(Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="nana"):
    format: int
    rules: int
    room: str
    game: int
    seats: tuple[RecordedSeat, ...]
    deal: RecordedDeal
    actions: str  # notation, separated by spaces
    result: Result | None  # Won with seat 0 = A, or Ended
    stand_ins: tuple[int, ...] = ()  # turns that somebody's stand-in played, or finished


class _Head(Struct, frozen=True):
    """What a record of any format has."""

    record: str
    format: int
    rules: int


class Unreadable(ValueError):  # noqa: N818 - what the file is
    """The file is not a record that this version can read; the message says why."""


class Finding(Struct, frozen=True):
    """One thing that was checked."""

    ok: bool
    text: str
    proven: bool = True  # False: nothing is wrong, and yet it leaves the deal open to doubt


def compact(record: Record) -> bytes:
    """Write a record for the wire: one line of JSON."""
    return msgspec.json.encode(record)


def save(record: Record) -> bytes:
    """Write a record for a file that a person may look into."""
    return pretty(compact(record))


def pretty(compact: bytes) -> bytes:
    return msgspec.json.format(compact, indent=2) + b"\n"


def load(data: bytes) -> Record:
    """Read a record; raise Unreadable with a sentence."""
    if len(data) > RECORD_BYTES:
        raise Unreadable("The file is far too large for the record of a game.")
    head = _head(data)
    if head.format != FORMAT or head.rules != RULES:
        theirs = _safe(f"format {head.format} and rules {head.rules}", 60)
        newer = head.format > FORMAT or head.rules > RULES
        advice = "; a newer nana made it, so update this one" if newer else ""
        ours = f"format {FORMAT} and rules {RULES}"
        raise Unreadable(f"This record has {theirs}; this version reads {ours}{advice}.")
    try:
        return msgspec.json.decode(data, type=Record)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"This record is damaged: {_safe(str(error), 160)}.") from None


def _head(data: bytes) -> _Head:
    """Read what every record begins with; tell damage from another kind of file."""
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = "record is damaged" if _MARK.match(data) else "is not the record of a game"
        raise Unreadable(f"This {what}: {_safe(str(error), 160)}.") from None
    if head.record != "nana":
        raise Unreadable(f"This is not the record of a game of Nana, but {_safe(head.record, 40)}.")
    return head


def dealt(record: Record) -> Deal:
    """Return the deal as recorded; raise Unreadable when it cannot be one."""
    first = LETTERS.find(record.deal.first) if len(record.deal.first) == 1 else -1
    deal = Deal(record.deal.hands, record.deal.center, first)
    if why := flaw(deal):
        raise Unreadable(f"The recorded deal is impossible: {why}.")
    if len(record.seats) != len(deal.hands):
        raise Unreadable("The record names more or fewer seats than were dealt.")
    return deal


def positions(record: Record) -> Iterator[Game]:
    """Every position of the game, from the deal on; raise Unreadable at an illegal action."""
    game = begin(dealt(record))
    yield game
    for count, word in enumerate(record.actions.split(), start=1):
        try:
            game = apply(game, game.table.on_turn, parse_action(word))
        except Refused as error:
            raise Unreadable(f"Action {count} ({word}) is refused: {error}.") from None
        except Malformed as error:
            raise Unreadable(f"Action {count}: {_safe(str(error), 80)}.") from None
        yield game
    if record.result == Ended("host") and game.table.result is None:  # the cap ends it by itself
        yield end(game, "host")


def verify(record: Record) -> tuple[Finding, ...]:
    """Check everything that a record claims, in the order in which it happened."""
    findings = [*_check_commitments(record)]
    try:
        deal = dealt(record)
        findings.append(_check_deal(record, deal))
        *_, last = positions(record)
    except Unreadable as error:
        return (*findings, Finding(ok=False, text=str(error)))
    count = len(record.actions.split())
    findings.append(Finding(ok=True, text=f"All {count} actions follow the rules."))
    same = last.table.result == record.result and record.result is not None
    findings.append(
        Finding(ok=True, text="The recorded result is what the actions lead to.")
        if same
        else Finding(ok=False, text="The recorded result is not what the actions lead to.")
    )
    return tuple(findings)


def _check_commitments(record: Record) -> Iterator[Finding]:
    seed = _secret(record.deal.seed)
    if seed is None or seed_hash(record.room, record.game, seed) != record.deal.seed_hash:
        yield Finding(ok=False, text="The server's seed is not the one that it committed to.")
    else:
        yield Finding(ok=True, text="The server's seed is the one that it committed to.")
    for letter, seat in zip(LETTERS, record.seats, strict=False):
        who = f"{letter} {_safe(seat.name, NAME_CELLS)}"
        if seat.nonce is not None:
            nonce = _secret(seat.nonce)
            ok = nonce is not None and nonce_hash(nonce) == seat.nonce_hash
            what = "is" if ok else "is not"
            yield Finding(ok=ok, text=f"{who}: the nonce {what} the one committed to.")
        elif seat.nonce_hash is not None:
            text = f"{who}: not proven, the nonce was not opened."
            yield Finding(ok=True, text=text, proven=False)
    if record.deal.fixed:
        text = "Fixed deals: whoever ran the server chose them, for every room alike."
        yield Finding(ok=True, text=text, proven=False)
    elif all(seat.nonce is None for seat in record.seats):
        text = "Not proven: no seat gave a nonce, the server's seed alone decided."
        yield Finding(ok=True, text=text, proven=False)


def _check_deal(record: Record, deal: Deal) -> Finding:
    seed = _secret(record.deal.seed) or b""
    if record.deal.fixed:
        if fixed_deal(record.game, seed, len(record.seats)) != deal:
            return Finding(ok=False, text="The deal is not the one that the seed fixes.")
        return Finding(ok=True, text="The deal is the one that the seed fixes for this game.")
    nonces = [None if seat.nonce is None else _secret(seat.nonce) for seat in record.seats]
    if record.deal.rotated and record.game == 1:
        return Finding(ok=False, text="The first game's first seat was chosen, not drawn.")
    first = deal.first if record.deal.rotated else None
    if fair_deal(record.room, record.game, seed, nonces, first) != deal:
        return Finding(ok=False, text="The deal does not follow from the seed and the nonces.")
    return Finding(ok=True, text="The deal follows from the seed and the nonces.")


def _secret(text: str) -> bytes | None:
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        return None
    return secret if len(secret) == SECRET_BYTES else None


def _safe(text: str, cells: int) -> str:
    """Make text from a file safe to show."""
    return clipped(cleaned(text), cells)
