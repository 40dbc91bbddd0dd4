"""The rules: a position, what is legal in it, and the position after an action.

A game is a public table and its secrets. Every rule that decides whether an
action is legal reads the table alone, so a refusal can tell nobody anything.
The commonest case stands first in each match: a Struct is told by its exact type
at once, and by anything else only slowly. What is made anew at every action is
left out of garbage collection (`gc=False`): positions hold no cycles.
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from nana_core.actions import (
    Action,
    CenterSlot,
    Continue,
    HandEnd,
    Refusal,
    Refused,
    Reveal,
    Source,
)
from nana_core.deck import Cards, Deal, Number, Seat

_T = TypeVar("_T")

SET_SIZE: Final = 3
SETS_TO_WIN: Final = 3
SEVEN: Final = 7
TURN_CAP: Final = 2000  # attempts; failed turns are unbounded in the rules

Slot: TypeAlias = Number | Literal["down", "gone"]  # face up, face down, or collected
Outcome: TypeAlias = Literal["set", "miss"]
Reason: TypeAlias = Literal["three_sets", "sevens", "sum", "difference"]


class Shown(Struct, frozen=True, gc=False):
    """A card that lies face up in the attempt, and where it came from."""

    source: Source
    number: Number


class Attempt(Struct, frozen=True, gc=False):
    """One turn: the cards revealed so far and, once it has ended, how."""

    seat: Seat
    cards: tuple[Shown, ...] = ()
    outcome: Outcome | None = None


class Win(Struct, frozen=True):
    """A reason to have won, with the numbers of the sets that make it."""

    reason: Reason
    sets: Cards


class Won(Struct, frozen=True, tag="won"):
    """One seat has won, for every reason that holds."""

    seat: Seat
    wins: tuple[Win, ...]


class Ended(Struct, frozen=True, tag="ended"):
    """The game ended without a winner."""

    why: Literal["host", "cap"]


Result: TypeAlias = Won | Ended


class Table(Struct, frozen=True, gc=False):
    """What everyone sees."""

    hand_sizes: tuple[int, ...]  # cards in each hand; revealed ones lie outside it
    center: tuple[Slot, ...]
    sets: tuple[Cards, ...]  # numbers of the sets each seat has, in the order collected
    attempt: Attempt
    turn: int  # attempts begun so far, this one included
    on_turn: Seat  # who acts next: reveals, or continues when the attempt has ended
    result: Result | None = None

    @property
    def players(self) -> int:
        return len(self.hand_sizes)

    @property
    def shown(self) -> bool:
        """Whether an ended attempt lies open and waits for the next seat's continue."""
        return self.attempt.outcome is not None


class Secrets(Struct, frozen=True, gc=False):
    """What the table hides. No message to a viewer can be made from this type."""

    hands: tuple[Cards, ...]  # sorted; revealed cards are outside
    center: tuple[Number, ...]  # by slot; kept after a slot is gone, for the opening at the end


class Game(Struct, frozen=True, gc=False):
    table: Table
    secrets: Secrets


def begin(deal: Deal) -> Game:
    """Set up the table; the deal must be a deal of the game (see `deck.flaw`)."""
    return Game(
        table=Table(
            hand_sizes=tuple(len(hand) for hand in deal.hands),
            center=_face_down(len(deal.center)),
            sets=((),) * len(deal.hands),
            attempt=Attempt(seat=deal.first),
            turn=1,
            on_turn=deal.first,
        ),
        secrets=Secrets(hands=deal.hands, center=deal.center),
    )


def _face_down(slots: int) -> tuple[Slot, ...]:
    down: Slot = "down"
    return (down,) * slots


def refusal(table: Table, seat: Seat, action: Action) -> Refusal | None:
    """Say why this action is illegal now, or None when it is legal."""
    if table.result is not None:
        return Refusal.GAME_OVER
    if seat != table.on_turn:
        return Refusal.NOT_YOUR_TURN
    shown = table.attempt.outcome is not None
    match action:
        case Reveal():
            return Refusal.CONTINUE_FIRST if shown else unavailable(table, action.source)
        case Continue():
            return None if shown else Refusal.NOTHING_TO_CONTINUE
        case _:
            assert_never(action)


def unavailable(table: Table, source: Source) -> Refusal | None:
    """Say why there is no card to reveal there, or None when there is one."""
    if type(source) is HandEnd:
        if not 0 <= source.owner < len(table.hand_sizes):
            return Refusal.NO_SUCH_SEAT
        return None if table.hand_sizes[source.owner] else Refusal.EMPTY_HAND
    if type(source) is CenterSlot:
        if not 1 <= source.slot <= len(table.center):
            return Refusal.NO_SUCH_SLOT
        state = table.center[source.slot - 1]
        if state == "down":
            return None
        return Refusal.SLOT_GONE if state == "gone" else Refusal.SLOT_OPEN
    raise AssertionError("there is no other source")


def sources(table: Table) -> Iterator[Source]:
    """Every source that has a card to reveal, whoever is on turn: center, then hands."""
    for slot, state in enumerate(table.center, start=1):
        if state == "down":
            yield CenterSlot(slot)
    for owner, size in enumerate(table.hand_sizes):
        if size:
            yield HandEnd(owner, "low")
            yield HandEnd(owner, "high")


def legal(table: Table) -> tuple[Action, ...]:
    """Every legal action of the seat on turn: exactly what `refusal` lets through."""
    if table.result is not None:
        return ()
    if table.shown:
        return (Continue(),)
    return tuple(Reveal(source) for source in sources(table))


def apply(game: Game, seat: Seat, action: Action) -> Game:
    """Return the game after a legal action; raise Refused, changing nothing, otherwise."""
    if why := refusal(game.table, seat, action):
        raise Refused(why)
    return advance(game, action)


def advance(game: Game, action: Action) -> Game:
    """Return the game after an action that `refusal` has let through; it is not asked again."""
    match action:
        case Reveal():
            return reveal(game, action.source)
        case Continue():
            return go_on(game)
        case _:
            assert_never(action)


def end(game: Game, why: Literal["host", "cap"]) -> Game:
    """End a running game without a winner."""
    if game.table.result is not None:
        raise Refused(Refusal.GAME_OVER)
    return Game(replace(game.table, result=Ended(why)), game.secrets)


def reveal(game: Game, source: Source) -> Game:
    """Turn over a card that `refusal` has let through."""
    table, secrets = game.table, game.secrets
    hand_sizes, center, hands = table.hand_sizes, table.center, secrets.hands
    if type(source) is HandEnd:
        owner = source.owner
        hand = hands[owner]
        number, rest = (hand[0], hand[1:]) if source.end == "low" else (hand[-1], hand[:-1])
        hands = put(hands, owner, rest)
        hand_sizes = tuple(map(len, hands))
    elif type(source) is CenterSlot:
        number = secrets.center[source.slot - 1]
        center = put(center, source.slot - 1, number)
    else:
        raise AssertionError("there is no other source")
    attempt = table.attempt
    cards = (*attempt.cards, Shown(source, number))
    outcome: Outcome | None = None
    if number != cards[0].number:
        outcome = "miss"
    elif len(cards) == SET_SIZE:
        outcome = "set"
    table = Table(
        hand_sizes=hand_sizes,
        center=center,
        sets=table.sets,
        attempt=Attempt(attempt.seat, cards, outcome),
        turn=table.turn,
        on_turn=table.on_turn if outcome is None else (attempt.seat + 1) % len(hand_sizes),
    )
    if outcome == "set":
        table = _collect(table, number)
    elif outcome is not None and table.turn >= TURN_CAP:
        table = replace(table, result=Ended("cap"))
    if hands is not secrets.hands:
        secrets = Secrets(hands, secrets.center)
    return Game(table, secrets)


def _collect(table: Table, number: Number) -> Table:
    """Give the seat its set, and the win if that makes one."""
    seat = table.attempt.seat
    sets = (*table.sets[seat], number)
    result: Result | None = None
    if wins := wins_of(sets):
        result = Won(seat, wins)
    elif table.turn >= TURN_CAP:
        result = Ended("cap")
    return replace(table, sets=put(table.sets, seat, sets), result=result)


def go_on(game: Game) -> Game:
    """Clear the shown attempt: a set leaves play, missed cards go back where they were."""
    table, secrets = game.table, game.secrets
    hand_sizes, center, hands = table.hand_sizes, table.center, secrets.hands
    missed = table.attempt.outcome == "miss"
    for card in table.attempt.cards:
        source = card.source
        if type(source) is CenterSlot:
            center = put(center, source.slot - 1, "down" if missed else "gone")
        elif missed and type(source) is HandEnd:
            hand = sorted((*hands[source.owner], card.number))
            hands = put(hands, source.owner, tuple(hand))
            hand_sizes = tuple(map(len, hands))
    table = Table(
        hand_sizes=hand_sizes,
        center=center,
        sets=table.sets,
        attempt=Attempt(table.on_turn),
        turn=table.turn + 1,
        on_turn=table.on_turn,
    )
    return Game(table, Secrets(hands, secrets.center))


def wins_of(sets: Cards) -> tuple[Win, ...]:
    """Every reason for which these sets win, as the rulebook lists them."""
    wins: list[Win] = []
    if len(sets) >= SETS_TO_WIN:
        wins.append(Win("three_sets", sets))
    if SEVEN in sets:
        wins.append(Win("sevens", (SEVEN,)))
    for at, one in enumerate(sets):
        for other in sets[at + 1 :]:
            low, high = min(one, other), max(one, other)
            if low + high == SEVEN:
                wins.append(Win("sum", (low, high)))
            if high - low == SEVEN:
                wins.append(Win("difference", (low, high)))
    return tuple(wins)


def put(items: tuple[_T, ...], at: int, item: _T) -> tuple[_T, ...]:
    """Return the tuple with one item exchanged."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)
