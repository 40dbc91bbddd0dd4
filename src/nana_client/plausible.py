"""Whether a snapshot can be a table of this game at all: what every screen and bot relies on.

A client cannot know that it talks to an honest server. Types are checked by the codec;
here are the letters, sources, card numbers and counts, so that nothing behind this needs
to ask whether seat Z, slot 4000 or card -1 exists. Whether the story told is true is not
asked: that is `proof`'s business. Codes, phases, kinds and reasons stay open, as the
protocol wants it.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from nana_core.deck import COPIES, LETTERS, SIZES, Cards
from nana_core.notation import SOURCES
from nana_core.protocol.outbound import AttemptView, OpenedDeal, Snapshot

_TOP: Final = max(size.top for size in SIZES.values())
_HAND: Final = max(size.hand for size in SIZES.values())
_CENTER: Final = max(size.center for size in SIZES.values())
_CHOICES: Final = frozenset({*SOURCES, "continue"})


def flaw_in_table(snapshot: Snapshot) -> str | None:
    """Say what cannot be, or None when all of it can."""
    letters = [view.seat for view in snapshot.seats]
    if not letters or letters != list(LETTERS[: len(letters)]):
        return "its seats are not A to E"
    return next(
        chain(
            _strangers(snapshot, letters),
            _odd_cards(snapshot),
            _odd_attempts(snapshot, letters),
            _odd_ends(snapshot),
            _contradictions(snapshot),
        ),
        None,
    )


def _strangers(snapshot: Snapshot, letters: list[str]) -> Iterator[str]:
    """Find seats named that are none, and sources that are none."""
    result = snapshot.result.seat if snapshot.result else None
    named = {snapshot.on_turn, snapshot.host, snapshot.you.seat, result} - {None}
    if not named.issubset(letters) or not set(snapshot.deal.to_open).issubset(letters):
        yield "it names a seat that is not there"
    if not _CHOICES.issuperset(snapshot.legal):
        yield "it allows a source that there is not"


def _odd_cards(snapshot: Snapshot) -> Iterator[str]:
    faces = [slot for slot in snapshot.center if not isinstance(slot, str)]
    if len(snapshot.center) > _CENTER or not _are_cards(faces):
        yield "its center is none"
    for view in snapshot.seats:
        if not 0 <= view.cards <= _HAND or len(view.sets) > COPIES or not _are_cards(view.sets):
            yield f"seat {view.seat} has cards that there are not"
    if not _are_hands(snapshot.hands or ()) or not _are_hands((snapshot.you.hand,)):
        yield "there is no such hand"
    if snapshot.phase == "playing":
        own = next((view for view in snapshot.seats if view.seat == snapshot.you.seat), None)
        if own is not None and own.cards != len(snapshot.you.hand):
            yield "your hand has more or fewer cards than it shows to all"
    if snapshot.ledger is not None:
        seen = [number for number in snapshot.ledger.center if number is not None]
        slots = len(snapshot.ledger.center)
        if slots > _CENTER or not _are_cards(seen) or not _are_hands(snapshot.ledger.hands):
            yield "it marks cards that there are not"


def _odd_attempts(snapshot: Snapshot, letters: list[str]) -> Iterator[str]:
    shown = () if snapshot.attempt is None else (snapshot.attempt,)
    for attempt in (*snapshot.missed, *shown):
        if attempt.seat not in letters or not _is_attempt(attempt):
            yield "nobody can have made such an attempt"


def _odd_ends(snapshot: Snapshot) -> Iterator[str]:
    if snapshot.result is not None:
        wins = snapshot.result.wins
        if not all(len(win.sets) <= COPIES and _are_cards(win.sets) for win in wins):
            yield "nobody wins by such sets"
    opened = snapshot.opened
    if len(snapshot.deal.nonce_hashes) > len(LETTERS) or not _is_small(opened):
        yield "it was dealt to more than there are seats"


def _contradictions(snapshot: Snapshot) -> Iterator[str]:
    """Compare what a running game shows in one place with what it shows in another."""
    if snapshot.phase != "playing":
        return
    size = SIZES.get(len(snapshot.seats))
    if size is None or snapshot.attempt is None or len(snapshot.center) != size.center:
        yield "so many do not play at such a table"
        return
    attempt = snapshot.attempt
    taken = [number for view in snapshot.seats for number in view.sets]
    lie = [card.number for card in attempt.cards] if attempt.outcome != "set" else []
    if len(set(taken)) < len(taken) or not set(taken).isdisjoint({*snapshot.you.hand, *lie}):
        yield "a set that was collected is there again"
    if max((*taken, *lie, *snapshot.you.hand, *_remembered(snapshot)), default=0) > size.top:
        yield "it has a number that is not in this game"
    cards = sum(view.cards for view in snapshot.seats) + COPIES * len(taken)
    cards += sum(slot != "gone" for slot in snapshot.center)
    cards += sum(card.source[1] in "<>" for card in attempt.cards)
    cards -= COPIES if attempt.outcome == "set" else 0  # they are counted as a set, too
    if cards != COPIES * size.top:
        yield "cards are missing, or too many"
    if not _may(snapshot).issuperset(snapshot.legal):
        yield "it allows to reveal what is not there"


def _remembered(snapshot: Snapshot) -> Iterator[int]:
    """List the numbers of the past: those of missed attempts, and those that the ledger marks."""
    for attempt in snapshot.missed:
        yield from (card.number for card in attempt.cards)
    if snapshot.ledger is not None:
        yield from (number for number in snapshot.ledger.center if number is not None)
        yield from chain.from_iterable(snapshot.ledger.hands)


def _may(snapshot: Snapshot) -> set[str]:
    down = {f"c{at}" for at, slot in enumerate(snapshot.center, 1) if slot == "down"}
    held = {view.seat.lower() + end for view in snapshot.seats if view.cards for end in "<>"}
    return {"continue"} | down | held


def _is_attempt(attempt: AttemptView) -> bool:
    known = all(card.source in SOURCES for card in attempt.cards)
    ended = attempt.outcome is None or bool(attempt.cards)
    return (
        known
        and ended
        and len(attempt.cards) <= COPIES
        and _are_cards(card.number for card in attempt.cards)
    )


def _is_small(opened: OpenedDeal | None) -> bool:
    """Whether no more was opened than there can be: whether it is a deal, the proof asks."""
    return opened is None or max(len(opened.nonces), len(opened.hands)) <= len(LETTERS)


def _are_hands(hands: Iterable[Cards]) -> bool:
    hands = tuple(hands)
    return len(hands) <= len(LETTERS) and all(
        len(hand) <= _HAND and _are_cards(hand) for hand in hands
    )


def _are_cards(numbers: Iterable[int]) -> bool:
    return all(1 <= number <= _TOP for number in numbers)
