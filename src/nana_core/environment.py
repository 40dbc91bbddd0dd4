"""The game as an environment for research: reset, legal, step, and what a seat sees. Pure.

A state is a value, and a step returns another: search may go back and branch. Actions are
sources by their names; clearing an attempt that has ended is no decision, so a step does
it at once, and the attempt stays to be seen in the history. A state hides nothing; give
players what `view` gives them.
"""

from typing import Final

from msgspec import Struct

from nana_core.actions import Continue, Refusal, Refused, Reveal
from nana_core.deck import SIZES, Cards, Deal, Seat
from nana_core.fair import fixed_deal, fixed_seed
from nana_core.game import Attempt, Game, Table, Won, advance, apply, begin, sources
from nana_core.ledger import Ledger, blank_for, remember
from nana_core.notation import SOURCE_NAMES, parse_source
from nana_core.views import view_for

ENDS: Final = 2  # of each hand


class State(Struct, frozen=True):
    """A game with its history: everything, hidden cards included."""

    game: Game
    attempts: tuple[Attempt, ...]  # ended, oldest first
    ledger: Ledger  # where the public history says that cards lie

    @property
    def on_turn(self) -> Seat:
        return self.game.table.on_turn

    @property
    def over(self) -> bool:
        return self.game.table.result is not None


class View(Struct, frozen=True):
    """What a seat knows: the table, its own hand, and what it has seen."""

    seat: Seat
    table: Table
    hand: Cards
    attempts: tuple[Attempt, ...]
    ledger: Ledger


def reset(players: int, seed: int) -> State:
    """Begin the game of a seed: the first deal of `nana-server --fixed-deals SEED`."""
    return of_deal(fixed_deal(1, fixed_seed(str(seed)), players))


def of_deal(deal: Deal) -> State:
    """Begin a game with this deal, which must be one of the game (see `deck.flaw`)."""
    return State(begin(deal), (), blank_for(deal))


def legal(state: State) -> tuple[str, ...]:
    """Name the sources that the seat on turn may reveal; none when the game is over."""
    if state.over:
        return ()
    return tuple(SOURCE_NAMES[source] for source in sources(state.game.table))


def step(state: State, source: str) -> State:
    """Reveal a card for the seat on turn; raise Refused, or Malformed for what is no source."""
    game = apply(state.game, state.on_turn, Reveal(parse_source(source)))
    attempt = game.table.attempt
    if attempt.outcome is None:
        return State(game, state.attempts, state.ledger)
    if game.table.result is None:
        game = advance(game, Continue())
    return State(game, (*state.attempts, attempt), remember(state.ledger, attempt))


def view(state: State, seat: Seat) -> View:
    """Select what a seat may know."""
    if not 0 <= seat < state.game.table.players:
        raise Refused(Refusal.NO_SUCH_SEAT)
    seen = view_for(state.game, seat)
    return View(seat, seen.table, seen.hand, state.attempts, state.ledger)


def rewards(state: State) -> tuple[float, ...]:
    """Return each seat's reward: 1 for the winner, the others share -1; 0 while nobody has won."""
    table = state.game.table
    if not isinstance(table.result, Won):
        return (0.0,) * table.players
    loss = -1.0 / (table.players - 1)
    return tuple(1.0 if seat == table.result.seat else loss for seat in range(table.players))


def action_names(players: int, seat: Seat = 0) -> tuple[str, ...]:
    """Number all sources as a seat sees them: the center, then hands clockwise from its own.

    For players who are to learn: an index means the same to every seat.
    """
    size = SIZES[players]
    center = [f"c{slot}" for slot in range(1, size.center + 1)]
    owners = [(seat + on) % players for on in range(players)]
    return (*center, *(f"{'abcde'[owner]}{end}" for owner in owners for end in "<>"))
