"""The coach of somebody's first game: three hints, each at its moment, and never again. Pure.

A hint stays until the next moment comes. Once all three were given, the next turn of
one's own ends the round; so does the game's end, and so does its person at any time.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from nana_client.aim import sources
from nana_core.protocol.outbound import Snapshot

Moment: TypeAlias = Literal["begin", "match", "end"]

MOMENTS: Final = 3
_WATCH: Final = "Watch what the others turn over: you may need it soon. Your turn will come."
_BEGIN: Final = (
    "Turn over any card: a digit takes one of the center, a letter somebody's lowest, "
    "CAPITAL the highest. Press once to aim, again to reveal."
)
_BEGIN_TYPED: Final = (
    "Turn over any card: 3 takes the third of the center, b< the lowest of B's hand, b> the "
    "highest. Your own hand counts too."
)
_MATCH: Final = (
    "Now find another {0}. Hands are sorted: whose lowest or highest card could be a {0}? "
    "Your own counts too. You go on as long as they match."
)
_SET: Final = (
    "Three alike are a set and stay with who found them. Three sets win, or the 7s alone, or "
    "two sets that add up to 7 or differ by 7."
)
_MISS: Final = (
    "They differ, so they all go back where they were. Remember them: that is the game. "
    "Whoever is next goes on with {0}."
)


class Coach(Struct, frozen=True):
    """What was said so far; `text` is the hint that stands now."""

    seen: tuple[Moment, ...] = ()
    text: str = _WATCH
    done: bool = False
    typed: bool = False  # whether commands are typed, as in plain mode


def coached(coach: Coach, snapshot: Snapshot) -> Coach:
    """Return the coach after a look at the table."""
    if coach.done or snapshot.you.seat is None or snapshot.phase in {"lobby", "opening"}:
        return coach
    moment = _moment(snapshot)
    finished = len(coach.seen) == MOMENTS and moment == "begin"
    if finished or snapshot.phase == "over":
        return Coach(coach.seen, coach.text, done=True, typed=coach.typed)
    if moment is None or moment in coach.seen:
        return coach
    text = _text(moment, snapshot, typed=coach.typed)
    return Coach((*coach.seen, moment), text, typed=coach.typed)


def _moment(snapshot: Snapshot) -> Moment | None:
    attempt = snapshot.attempt
    if attempt is not None and attempt.outcome is not None:
        return "end"
    if not sources(snapshot):
        return None
    return "match" if attempt is not None and attempt.cards else "begin"


def _text(moment: Moment, snapshot: Snapshot, *, typed: bool) -> str:
    attempt = snapshot.attempt
    match moment:
        case "begin":
            return _BEGIN_TYPED if typed else _BEGIN
        case "match":
            return _MATCH.format(attempt.cards[0].number if attempt else "")
        case "end":
            found = attempt is not None and attempt.outcome == "set"
            return _SET if found else _MISS.format("go" if typed else "Space")
