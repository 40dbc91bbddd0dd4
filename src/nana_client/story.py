"""What happened between two snapshots, in sentences: pure, and the same in every front end.

`told` is everything a player at the table would have noticed, values included, for
front ends that append lines. `durable` is the part that may stay in a log: who took
which set, which bots came and went, how the game ended; never a card of an attempt that missed.
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from nana_client.options import a_bot
from nana_core.protocol.outbound import (
    AttemptView,
    ResultView,
    SeatView,
    Snapshot,
    WinView,
)
from nana_core.text import clipped

EventKind: TypeAlias = Literal[
    "people", "bots", "phase", "turn", "reveal", "miss", "set", "over", "score", "options"
]
_NAME_CELLS: Final = 14
_REASONS: Final = {
    "three_sets": "three sets",
    "sevens": "the set of 7s",
    "sum": "{0} + {1} = 7",
    "difference": "{1} - {0} = 7",
}


class Event(Struct, frozen=True):
    """One thing that happened."""

    kind: EventKind
    text: str
    seat: str | None = None


def named(snapshot: Snapshot, letter: str | None) -> str:
    """Name a seat's player with its letter: `B Bo`."""
    view = next((view for view in snapshot.seats if view.seat == letter), None)
    return f"{letter} {view.name}" if view is not None and view.name else f"{letter}"


def source_words(source: str) -> str:
    """Say a source in words: `c4` is #4, `b<` is B low."""
    if source.startswith("c") and source[1:].isdigit():
        return f"#{source[1:]}"
    ends = {"<": "low", ">": "high"}
    return f"{source[:1].upper()} {ends.get(source[1:], source[1:])}"


def result_words(snapshot: Snapshot, result: ResultView) -> str:
    """Say how a game ended, with every reason."""
    if result.kind != "won":
        why = {"host": "the host ended it", "cap": "2,000 turns were played"}
        return f"The game ended without a winner: {why.get(result.why or '', result.why)}."
    return f"{named(snapshot, result.seat)} wins: {', and '.join(map(_reason, result.wins))}."


def _reason(win: WinView) -> str:
    words = _REASONS.get(win.reason)
    if words is None:  # newer than we are: said as it came, never taken for a form to fill in
        return win.reason
    return words.format(*(*win.sets, "", ""))


def score_words(snapshot: Snapshot) -> str:
    """Say who won how many games, the most first: `Bo 2, Ann 1`; nothing before the first."""
    seats = [seat for seat in snapshot.seats if seat.kind != "free" and seat.name]
    if not any(seat.won for seat in seats):
        return ""
    seats.sort(key=lambda seat: -seat.won)
    return ", ".join(f"{clipped(seat.name or '', _NAME_CELLS)} {seat.won}" for seat in seats)


def durable(before: Snapshot | None, after: Snapshot) -> Iterator[Event]:
    """Tell what a log may keep of the way from one snapshot to the next."""
    if before is None or before.room != after.room:
        return
    kept = {"bots", "set", "over", "score", "phase"}
    yield from (event for event in told(before, after) if event.kind in kept)


def told(before: Snapshot | None, after: Snapshot) -> Iterator[Event]:
    """Tell everything noticeable between two snapshots, in the order in which it happened."""
    if before is None or before.room != after.room or before.version == after.version:
        return
    if before.game == after.game:
        yield from _people(before, after)
    yield from _phases(before, after)
    yield from _attempts(before, after)
    if after.result is not None and (before.result is None or before.game != after.game):
        yield Event("over", result_words(after, after.result), after.result.seat)
        if after.game > 1 and (won := score_words(after)):
            yield Event("score", f"Games won: {won}.")
    yield from _turns(before, after)
    if before.options != after.options:
        yield Event("options", "The options changed.")


def _phases(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    if before.phase == after.phase:
        return
    if before.you.seat is not None and after.you.seat is None:
        yield Event("phase", "You were not ready, so you watch this game.")
    if after.phase == "opening":
        yield Event("phase", "Dealing: every player opens the number they committed to.")
    elif after.phase == "playing":
        count = sum(1 for seat in after.seats if seat.kind != "free")
        yield Event("phase", f"Game {after.game} begins, {count} players.")


def _people(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    was = {view.seat: view for view in before.seats}
    for view in after.seats:
        old = was.get(view.seat)
        if old is not None and after.phase == before.phase:
            yield from (Event("bots", text, view.seat) for text in _bots(old, view))
            yield from (Event("people", text, view.seat) for text in _moves(old, view))


def _bots(old: SeatView, new: SeatView) -> Iterator[str]:
    """Tell of the server's own bots, as the server's notices do of people."""
    if (old.name, old.level) == (new.name, new.level):
        return
    if old.level is not None:
        yield f"{old.name} leaves seat {old.seat}."
    if new.level is not None:
        yield f"{new.name}, {a_bot(new.level)}, takes seat {new.seat}."


def _moves(old: SeatView, new: SeatView) -> Iterator[str]:
    """Tell what the server has no notice for: who is away, who is ready."""
    who = f"{new.seat} {new.name}"
    if (old.name, old.level) != (new.name, new.level):
        return
    if old.online and not new.online and not new.left:
        yield f"{who} is away."
    elif new.online and not old.online and not old.stand_in:
        yield f"{who} is back."
    elif new.ready and not old.ready:
        yield f"{who} is ready."


def _attempts(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Tell the cards that the first snapshot did not show yet, attempt by attempt."""
    fresh = before.game != after.game
    shown = None if fresh or before.attempt is None else before.attempt
    attempts = [*after.missed, *([after.attempt] if after.attempt is not None else [])]
    for attempt in attempts:
        same = shown is not None and shown.turn == attempt.turn
        yield from _cards(after, attempt, shown if same else None)


def _cards(after: Snapshot, attempt: AttemptView, shown: AttemptView | None) -> Iterator[Event]:
    who = named(after, attempt.seat)
    for card in attempt.cards[len(shown.cards) if shown else 0 :]:
        text = f"{who} reveals {source_words(card.source)}: {card.number}"
        yield Event("reveal", text, attempt.seat)
    if attempt.outcome is None or (shown is not None and shown.outcome is not None):
        return
    if attempt.outcome == "set" and attempt.cards:
        text = f"{who} collects the {attempt.cards[0].number}s."
        yield Event("set", text, attempt.seat)
    else:
        yield Event("miss", f"{who} misses.", attempt.seat)


def shown(snapshot: Snapshot) -> bool:
    """Whether an ended attempt lies open and waits for a continue."""
    return snapshot.attempt is not None and snapshot.attempt.outcome is not None


def _turns(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    was = (before.phase, before.game, before.on_turn, shown(before))
    now = (after.phase, after.game, after.on_turn, shown(after))
    if after.on_turn is None or after.phase != "playing" or was == now:
        return
    if after.on_turn == after.you.seat:
        what = "continue, then reveal" if shown(after) else "reveal"
        yield Event("turn", f"Your turn: {what}.", after.on_turn)
    elif before.on_turn != after.on_turn or before.phase != "playing":
        yield Event("turn", f"{named(after, after.on_turn)} is on turn.", after.on_turn)
