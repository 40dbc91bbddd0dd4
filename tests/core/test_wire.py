"""The game's own types as the wire says them: letters for seats, names for sources."""

import pytest

from core.games import played
from nana_core.game import Ended, Result, Win, Won, end
from nana_core.ledger import Ledger
from nana_core.notation import parse_position
from nana_core.protocol.outbound import AttemptView, CardView, LedgerView, ResultView, WinView
from nana_core.protocol.wire import (
    attempt_view,
    ledger_view,
    legal_names,
    letter,
    result_view,
)

RUNNING = "1.2/- | 5.x.6 | -,4 | A c1=5 | A 3"


def test_letters() -> None:
    """Seat 0 is A, which is not the same as no seat."""
    assert [letter(seat) for seat in (0, 1, 4, None)] == ["A", "B", "E", None]


def test_an_attempt() -> None:
    """Each card says its source and its number, and the attempt how it ended."""
    table = played(RUNNING, "a>").table
    cards = (CardView("c1", 5), CardView("a>", 2))
    assert attempt_view(table.attempt, table.turn) == AttemptView(
        turn=3, seat="A", cards=cards, outcome="miss"
    )
    running = attempt_view(parse_position(RUNNING).table.attempt, 3)
    assert running == AttemptView(turn=3, seat="A", cards=cards[:1], outcome=None)


def test_what_is_legal() -> None:
    """Sources while revealing, continue while an attempt is shown, nothing when it is over."""
    assert legal_names(parse_position(RUNNING).table) == ("c3", "a<", "a>")
    assert legal_names(played(RUNNING, "a>").table) == ("continue",)
    assert legal_names(played(RUNNING, "a> .").table) == ("c1", "c3", "a<", "a>")
    assert legal_names(end(parse_position(RUNNING), "host").table) == ()
    assert legal_names(end(played(RUNNING, "a>"), "host").table) == ()


@pytest.mark.parametrize(
    ("result", "view"),
    [
        (
            Won(0, (Win("sevens", (7,)), Win("sum", (2, 5)))),
            ResultView(
                kind="won",
                seat="A",
                wins=(WinView("sevens", (7,)), WinView("sum", (2, 5))),
                why=None,
            ),
        ),
        (Ended("host"), ResultView(kind="ended", seat=None, wins=(), why="host")),
        (Ended("cap"), ResultView(kind="ended", seat=None, wins=(), why="cap")),
    ],
)
def test_results(result: Result, view: ResultView) -> None:
    """A win names its seat and every reason; any other end says why and names nobody."""
    assert result_view(result) == view


def test_a_ledger() -> None:
    """The public memory goes over as it is."""
    ledger = Ledger((None, 5), ((1, 1), ()))
    assert ledger_view(ledger) == LedgerView(center=(None, 5), hands=((1, 1), ()))
