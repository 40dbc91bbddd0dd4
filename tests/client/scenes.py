"""Moments of games, made by hand or played by the rules: what screens are tried and drawn with."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from nana_client.model import Line, Model
from nana_core.actions import Action, CenterSlot, Continue, HandEnd, Reveal, Source
from nana_core.deck import LETTERS, Deal, deal_out, full_deck
from nana_core.game import SEVEN, Game, apply, begin, sources
from nana_core.ledger import blank_for, remember
from nana_core.notation import parse_action
from nana_core.protocol.outbound import (
    DealView,
    Error,
    OptionsView,
    SeatView,
    Snapshot,
    You,
)
from nana_core.protocol.wire import (
    attempt_view,
    ledger_view,
    legal_names,
    letter,
    result_view,
)
from nana_core.views import open_cards

NAMES: Final = ("Ann", "Bo", "Cy", "Dee", "Evelyn-Marie Longname")
ROOM: Final = "KQ7MX"
OPTIONS: Final = OptionsView(
    seats=5, memory="none", turn_time=60, pace=1200, public=False, bots=True
)


def stacked(players: int, *, first: int = 0, turns: int = 7) -> Deal:
    """Deal a deck that was cut in a fixed way: mixed enough to look like a game."""
    deck = full_deck(players)
    mixed = [deck[(at * turns) % len(deck)] for at in range(len(deck))]
    if len(deck) % turns == 0:
        mixed = deck[::-2] + deck[-2::-2]
    return deal_out(mixed, players, first)


def played(players: int, actions: str = "", *, first: int = 0) -> Game:
    """Play actions in notation, each by whoever is on turn."""
    game = begin(stacked(players, first=first))
    for action in map(parse_action, actions.split()):
        game = apply(game, game.table.on_turn, action)
    return game


def finished(players: int, winner: int = 0) -> Game:
    """Play until a seat has won, by one who sees every card: it collects what it can reach."""
    game = played(players)
    while game.table.result is None:
        if game.table.shown:
            game = apply(game, game.table.on_turn, Continue())
        seat = game.table.on_turn
        for source in _set_for(game, seat == winner):
            game = apply(game, seat, Reveal(source))
    return game


def _set_for(game: Game, wanted: bool) -> list[Source]:
    """Return three reveals that make a set, or two that miss."""
    numbers = {_number(game, source): source for source in sources(game.table)}
    for number in sorted(numbers, key=lambda number: number == SEVEN):
        now, found = game, list[Source]()
        while len(found) < 3 and (at := _find(now, number)) is not None:
            found.append(at)
            now = apply(now, now.table.on_turn, Reveal(at))
        if len(found) == 3 and wanted:
            return found
    low, high = min(numbers), max(numbers)
    return [numbers[low], numbers[high]]


def _find(game: Game, number: int) -> Source | None:
    if game.table.shown:
        return None
    return next((at for at in sources(game.table) if _number(game, at) == number), None)


def _number(game: Game, source: Source) -> int:
    match source:
        case CenterSlot(slot):
            return game.secrets.center[slot - 1]
        case HandEnd(owner, end):
            return game.secrets.hands[owner][0 if end == "low" else -1]


def from_deal(deal: Deal, actions: Iterable[Action]) -> Game:
    game = begin(deal)
    for action in actions:
        game = apply(game, game.table.on_turn, action)
    return game


def seats_of(game: Game, **changes: dict[str, Any]) -> tuple[SeatView, ...]:
    """Name the seats; `B={...}` changes fields of seat B."""
    table = game.table
    return tuple(
        replace(
            SeatView(
                seat=LETTERS[at],
                kind="bot" if at == 2 else "person",
                name=NAMES[at],
                level="memory" if at == 2 else None,
                online=True,
                left=False,
                stand_in=False,
                ready=at == 2,
                cards=table.hand_sizes[at],
                sets=table.sets[at],
                won=0,
            ),
            **changes.get(LETTERS[at], {}),
        )
        for at in range(table.players)
    )


def snapshot_of(
    game: Game,
    you: int | None = 0,
    *,
    seats: dict[str, dict[str, Any]] | None = None,
    memory: str = "none",
    **changes: Any,
) -> Snapshot:
    """Say a position as the server would, to the seat `you` or to a watcher."""
    table, over = game.table, game.table.result is not None
    ledger = blank_for(stacked(table.players))
    if table.shown:
        ledger = remember(ledger, table.attempt)
    shot = Snapshot(
        epoch=1,
        version=table.turn * 10 + len(table.attempt.cards),
        step=table.turn * 5 + len(table.attempt.cards),
        room=ROOM,
        game=1,
        phase="over" if over else "playing",
        now=1_000_000,
        deadline=None if over else 1_042_000,
        not_before=1_000_000 if table.shown and not over else None,
        frozen=False,
        paused=False,
        host="A",
        options=replace(OPTIONS, seats=table.players, memory=memory),
        seats=seats_of(game, **(seats or {})),
        watching=("Wanda", "Will"),
        turn=table.turn,
        on_turn=None if over else letter(table.on_turn),
        legal=legal_names(table),
        center=open_cards(game).center if over else table.center,
        attempt=attempt_view(table.attempt, table.turn),
        ledger=ledger_view(ledger) if memory == "open" else None,
        result=result_view(table.result) if table.result else None,
        hands=open_cards(game).hands if over else None,
        deal=DealView(seed_hash="0" * 64, nonce_hashes=(None,) * table.players, to_open=()),
        opened=None,
        next_seed_hash="1" * 64 if over else None,
        missed=(),
        you=You(
            seat=letter(you),
            name=NAMES[you] if you is not None else "Wanda",
            host=you == 0,
            hand=() if you is None else game.secrets.hands[you],
        ),
    )
    return replace(shot, **changes)


def lobby(you: int | None = 0, people: int = 2, *, bots: int = 1, **changes: Any) -> Snapshot:
    """Say a lobby of five seats with so many people and bots in it."""
    free = SeatView(
        seat="A", kind="free", name=None, level=None, online=False, left=False,
        stand_in=False, ready=False, cards=0, sets=(), won=0,
    )  # fmt: skip
    seats = [replace(free, seat=name) for name in LETTERS]
    for at in range(people + bots):
        bot = at >= people
        seats[at] = replace(
            seats[at], kind="bot" if bot else "person", name="Momo" if bot else NAMES[at],
            level="memory" if bot else None, online=True, ready=True, won=2 if at == 1 else 0,
        )  # fmt: skip
    shot = replace(
        snapshot_of(played(5), you),
        phase="lobby", seats=tuple(seats), options=OPTIONS, on_turn=None, legal=(), center=(),
        attempt=None, turn=0, deadline=None, game=1, step=0, version=3,
    )  # fmt: skip
    return replace(shot, you=replace(shot.you, hand=()), **changes)


LINES: Final = (
    Line("game", "Game 1 begins, 5 players."),
    Line("chat", "good luck everybody", "Bo", "B"),
    Line("game", "C Cy collects the 4s."),
    Line("chat", "how did you know that?!", "Evelyn-Marie Longname", "E"),
    Line("notice", "D Dee is back."),
)


def model_of(snapshot: Snapshot | None, **changes: Any) -> Model:
    """Return an open connection's model that shows this snapshot."""
    return replace(
        Model(connection="open", latency_ms=38, snapshot=snapshot, lines=LINES), **changes
    )


def refused(text: str, code: str = "slot_gone") -> Error:
    return Error(id=None, code=code, text=text)
