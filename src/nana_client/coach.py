"""The coach of somebody's first game: four hints, each at its moment. Pure.

A hint stays until the next moment comes, and is there again when its moment is: none may
stand beside a table that says otherwise. Once all four were given, the next turn of one's
own ends the round; so does the game's end, and so does its person at any time.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nana_client.aim import sources
from nana_client.keyboard import USUAL, Keyboard
from nana_core.protocol.outbound import Snapshot

Moment: TypeAlias = Literal["begin", "match", "set", "miss"]

MOMENTS: Final = 4
_WATCH: Final = "Watch what the others turn over: you may need it soon. Your turn will come."
_BEGIN: Final = "Turn over any card: {which} {how}"
_WHICH: Final = "a digit takes one of the center, a letter somebody's lowest, CAPITAL the highest."
_WHICH_OWN: Final = "press the key that stands on it; your own hand counts too."
_AIMED: Final = "Press once to aim, again to reveal."
_AT_ONCE: Final = "One press reveals it."
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
    keyboard: Keyboard = USUAL
    at_once: bool = False  # whether the first press reveals


def coached(coach: Coach, snapshot: Snapshot) -> Coach:
    """Return the coach after a look at the table."""
    if coach.done or snapshot.you.seat is None or snapshot.phase in {"lobby", "opening"}:
        return coach
    moment = _moment(snapshot)
    finished = len(coach.seen) == MOMENTS and moment == "begin"
    if finished or snapshot.phase == "over":
        return replace(coach, done=True)
    if moment is None:
        return coach
    seen = coach.seen if moment in coach.seen else (*coach.seen, moment)
    return replace(coach, seen=seen, text=_text(moment, snapshot, coach))


def _moment(snapshot: Snapshot) -> Moment | None:
    attempt = snapshot.attempt
    if attempt is not None and attempt.outcome is not None:
        return "set" if attempt.outcome == "set" else "miss"
    if not sources(snapshot):
        return None
    return "match" if attempt is not None and attempt.cards else "begin"


def _text(moment: Moment, snapshot: Snapshot, coach: Coach) -> str:
    attempt = snapshot.attempt
    match moment:
        case "begin":
            return _BEGIN_TYPED if coach.typed else _begin(coach)
        case "match":
            return _MATCH.format(attempt.cards[0].number if attempt else "")
        case "set":
            return _SET
        case "miss":
            return _MISS.format("go" if coach.typed else coach.keyboard.label("continue"))


def _begin(coach: Coach) -> str:
    """Say how a card is turned over with this keyboard."""
    which = _WHICH if coach.keyboard.usual_cards else _WHICH_OWN
    return _BEGIN.format(which=which, how=_AT_ONCE if coach.at_once else _AIMED)
