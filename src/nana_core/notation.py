"""Text for sources, actions, positions and whole games: what makes a test one line.

    source     c4  b<  b>         center slot 4, B's lowest card, B's highest card
    action     a source, or .     . is continue
    position   1.2.7/3.3/4.9 | 4.x.8.5 | 2,-,10.3 | B c3=8 b>=8 | B 7
               hands | center | sets | attempt | who acts and turn
    game       1.2.7/... | 4.4.8.5 | A : c1 b< . c2
               dealt hands | center | first seat : actions

In a position a slot that is gone is `x`; the cards of an attempt lie outside the
hands; an ended attempt has `!` (a set) or `?` (a miss) behind its cards.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from nana_core.actions import Action, CenterSlot, Continue, End, HandEnd, Reveal, Source
from nana_core.deck import LETTERS, MIN_PLAYERS, SIZES, Cards, Deal, Seat
from nana_core.game import Attempt, Game, Outcome, Secrets, Shown, Slot, Table, apply, begin

CONTINUE: Final = "."
_ENDS: Final[dict[str, End]] = {"<": "low", ">": "high"}
_MARKS: Final[dict[Outcome | None, str]] = {None: "", "set": " !", "miss": " ?"}
_MOST_SLOTS: Final = max(size.center for size in SIZES.values())

SOURCES: Final[dict[str, Source]] = {
    **{f"c{slot}": CenterSlot(slot) for slot in range(1, _MOST_SLOTS + 1)},
    **{
        f"{letter.lower()}{sign}": HandEnd(owner, end)
        for owner, letter in enumerate(LETTERS)
        for sign, end in _ENDS.items()
    },
}
SOURCE_NAMES: Final[dict[Source, str]] = {source: name for name, source in SOURCES.items()}


class Malformed(ValueError):  # noqa: N818 - it is what the text is
    """The text is not notation; the message says where."""


def parse_source(text: str) -> Source:
    """Read a source; raise Malformed for anything else."""
    try:
        return SOURCES[text]
    except KeyError:
        raise Malformed(f"{text!r} is not a source such as c4, b< or b>") from None


def source_name(source: Source) -> str:
    return SOURCE_NAMES[source]


def parse_action(text: str) -> Action:
    """Read a source to reveal, or `.`; raise Malformed for anything else."""
    return Continue() if text == CONTINUE else Reveal(parse_source(text))


def action_name(action: Action) -> str:
    match action:
        case Reveal(source):
            return SOURCE_NAMES[source]
        case Continue():
            return CONTINUE
        case _:
            assert_never(action)


def parse_seat(text: str) -> Seat:
    """Read a seat's letter, either case; raise Malformed for anything else."""
    seat = LETTERS.find(text.upper()) if len(text) == 1 else -1
    if seat < 0:
        raise Malformed(f"{text!r} is not a seat; seats are A-{LETTERS[-1]}")
    return seat


def position(game: Game) -> str:
    """Write a position; a finished one is read back as running (its result is not in it)."""
    table, secrets = game.table, game.secrets
    hands = "/".join(_join(hand) for hand in secrets.hands)
    slots = ".".join(
        "x" if state == "gone" else str(number)
        for state, number in zip(table.center, secrets.center, strict=True)
    )
    sets = ",".join(_join(seat_sets) for seat_sets in table.sets)
    cards = "".join(f" {source_name(c.source)}={c.number}" for c in table.attempt.cards)
    attempt = LETTERS[table.attempt.seat] + cards + _MARKS[table.attempt.outcome]
    return f"{hands} | {slots} | {sets} | {attempt} | {LETTERS[table.on_turn]} {table.turn}"


def parse_position(text: str) -> Game:
    """Read what `position` writes. Counts need not be those of a full deal; raise Malformed."""
    fields = [field.strip() for field in text.split("|")]
    if len(fields) != 5:
        raise Malformed(f"a position has five fields between bars, not {len(fields)}")
    hands = tuple(_cards(part) for part in fields[0].split("/"))
    attempt = _attempt(fields[3])
    open_slots = {
        card.source.slot: card.number
        for card in attempt.cards
        if isinstance(card.source, CenterSlot)
    }
    slots: list[Slot] = []
    numbers: list[int] = []
    for slot, part in enumerate(fields[1].split(".") if fields[1] != "-" else (), start=1):
        numbers.append(0 if part == "x" else _number(part))
        slots.append("gone" if part == "x" else open_slots.get(slot, "down"))
    turn = fields[4].split()
    if len(turn) != 2:
        raise Malformed(f"{fields[4]!r} does not say who acts and which turn it is")
    table = Table(
        hand_sizes=tuple(len(hand) for hand in hands),
        center=tuple(slots),
        sets=tuple(_cards(part) for part in fields[2].split(",")),
        attempt=attempt,
        turn=_number(turn[1]),
        on_turn=parse_seat(turn[0]),
    )
    game = Game(table, Secrets(hands, tuple(numbers)))
    if why := _contradiction(game):
        raise Malformed(why)
    return game


def game_text(deal: Deal, actions: Iterable[Action]) -> str:
    """Write a whole game: its deal and every action."""
    hands = "/".join(_join(hand) for hand in deal.hands)
    played = " ".join(action_name(action) for action in actions)
    return f"{hands} | {_join(deal.center)} | {LETTERS[deal.first]} : {played}".rstrip()


def parse_game(text: str) -> tuple[Deal, tuple[Action, ...]]:
    """Read what `game_text` writes; the actions are not tried. Raise Malformed."""
    head, colon, played = text.partition(":")
    fields = [field.strip() for field in head.split("|")]
    if not colon or len(fields) != 3:
        raise Malformed("a game is `hands | center | first seat : actions`")
    deal = Deal(
        hands=tuple(_cards(part) for part in fields[0].split("/")),
        center=_cards(fields[1]),
        first=parse_seat(fields[2]),
    )
    if deal.first >= len(deal.hands):
        raise Malformed(f"there is no seat {fields[2]} to begin: there are {len(deal.hands)} hands")
    return deal, tuple(parse_action(word) for word in played.split())


def play(deal: Deal, actions: Iterable[Action]) -> Game:
    """Play actions in order, each by the seat on turn; raise Refused at the first illegal one."""
    game = begin(deal)
    for action in actions:
        game = apply(game, game.table.on_turn, action)
    return game


def _contradiction(game: Game) -> str | None:
    """Say where a position contradicts itself, so that none breaks the rules' code later."""
    table, hands = game.table, game.secrets.hands
    if not MIN_PLAYERS <= table.players <= len(LETTERS):
        return f"{table.players} hands; the game is for {MIN_PLAYERS}-{len(LETTERS)}"
    if len(table.sets) != table.players:
        return f"{table.players} hands but sets for {len(table.sets)} seats"
    if max(table.on_turn, table.attempt.seat) >= table.players:
        return "a seat has no hand"
    if any(tuple(sorted(hand)) != hand for hand in hands):
        return "a hand is not sorted"
    if len(table.center) > _MOST_SLOTS:
        return f"the center has more than {_MOST_SLOTS} slots"
    for card in table.attempt.cards:
        if not _is_from(card, game):
            return f"the attempt shows {source_name(card.source)}={card.number}, which is not there"
    return None


def _is_from(card: Shown, game: Game) -> bool:
    match card.source:
        case CenterSlot(slot):
            return game.secrets.center[slot - 1 : slot] == (card.number,)
        case HandEnd(owner, _):
            return owner < game.table.players
        case _:
            assert_never(card.source)


def _attempt(text: str) -> Attempt:
    words = text.split()
    if not words:
        raise Malformed("the attempt does not say whose it is")
    outcome: Outcome | None = {"!": "set", "?": "miss"}.get(words[-1])  # type: ignore[assignment]
    cards: list[Shown] = []
    for word in words[1:-1] if outcome else words[1:]:
        source, equals, number = word.partition("=")
        if not equals:
            raise Malformed(f"{word!r} is not a shown card such as c3=8")
        cards.append(Shown(parse_source(source), _number(number)))
    return Attempt(parse_seat(words[0]), tuple(cards), outcome)


def _join(cards: Cards) -> str:
    return ".".join(map(str, cards)) or "-"


def _cards(text: str) -> Cards:
    text = text.strip()
    return () if text == "-" else tuple(_number(part) for part in text.split("."))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 4:
        raise Malformed(f"{text!r} is not a number")
    return int(text)
