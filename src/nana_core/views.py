"""What a viewer may know: the table and, in a seat, one's own hand.

A view is selected, never stripped: it is built from the public table and one
hand, so there is nothing in it to forget to remove. After the game everything
is open to everyone (`open_cards`).
"""

from msgspec import Struct

from nana_core.deck import Cards, Seat
from nana_core.game import Game, Slot, Table


class View(Struct, frozen=True):
    """The whole truth for one viewer."""

    table: Table
    hand: Cards  # the viewer's own, sorted; empty for a spectator


class OpenCards(Struct, frozen=True):
    """Every card, shown to everyone once the game is over."""

    hands: tuple[Cards, ...]  # by seat: what is left, cards of an ended attempt not among them
    center: tuple[Slot, ...]  # by slot; "gone" where a card was collected


def hand_for(game: Game, seat: Seat) -> Cards:
    """Select a seat's own hand: the one door through which a running game's cards go out."""
    return game.secrets.hands[seat]


def own_hands(game: Game) -> tuple[Cards, ...]:
    """Select every seat's hand, each to be given to that seat alone."""
    return game.secrets.hands


def view_for(game: Game, seat: Seat | None) -> View:
    """Select what the seat, or a spectator (None), may see."""
    return View(game.table, () if seat is None else hand_for(game, seat))


def open_cards(game: Game) -> OpenCards:
    """Open every hand and the center of a finished game."""
    if game.table.result is None:
        raise AssertionError("cards are opened only when the game is over")
    center: tuple[Slot, ...] = tuple(
        "gone" if state == "gone" else number
        for state, number in zip(game.table.center, game.secrets.center, strict=True)
    )
    return OpenCards(hands=game.secrets.hands, center=center)
