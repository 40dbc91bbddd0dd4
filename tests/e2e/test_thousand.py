"""Bot games over real sockets: the short form of `make thousand`, and that it can complain."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from client.scenes import finished, played, snapshot_of
from guests import Table, too_much
from nana_core.protocol.outbound import CardView, LedgerView, Snapshot
from thousand import Held, leaks, wrongs

BENCH: Final = Path(__file__).parents[2] / "bench" / "thousand.py"
RUNNING: Final = snapshot_of(played(3, "c1"))
OVER: Final = snapshot_of(finished(3))


def test_games_over_sockets_end_without_a_complaint() -> None:
    """At tables for two to five: no error, no refusal, no leak."""
    command = [sys.executable, str(BENCH), "--games", "24"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert run.stdout.splitlines()[-1] == "no error, no refusal, no leak"
    assert run.returncode == 0


@pytest.mark.parametrize(
    ("shown", "complaint"),
    [
        (replace(RUNNING, hands=OVER.hands), "an opening before the end"),
        (replace(RUNNING, result=OVER.result), "an opening before the end"),
        (replace(RUNNING, center=(*RUNNING.center[:-1], 4)), "slots "),
        (replace(RUNNING, center=("down", *RUNNING.center[1:])), "slots "),
        (replace(RUNNING, ledger=LedgerView(center=(), hands=())), "a memory"),
        (replace(RUNNING, you=replace(RUNNING.you, hand=(1,) * 9)), "a hand of 9 cards"),
    ],
)
def test_what_a_seat_may_not_see_is_named(shown: Snapshot, complaint: str) -> None:
    """Each planted leak leads to one complaint."""
    (found,) = too_much(shown)
    assert found.startswith(complaint)


def test_what_a_seat_may_see_is_no_leak() -> None:
    """Slots and hand ends in an attempt, one's own hand, and everything once it is over."""
    attempt = RUNNING.attempt
    assert attempt is not None
    ends = replace(attempt, cards=(*attempt.cards, CardView("c<", 7)))
    for shown in (RUNNING, replace(RUNNING, attempt=ends), OVER):
        assert list(too_much(shown)) == []


async def test_numbers_and_bots_are_believed() -> None:
    """A refusal, a room that stays, a game too few, a descriptor, memory: each is told."""
    table = Table(0, players=2, games=1)
    table.complaints.append("a bot's word")
    told = {'nana_refusals_total{code="stale"}': 2.0, 'nana_rooms{phase="over"}': 1.0, "x": 5.0}
    assert list(wrongs([table], told)) == [
        "a bot's word",
        "0 games were played instead of 1",
        'nana_refusals_total{code="stale"} is 2',
        'nana_rooms{phase="over"} is still 1',
    ]
    before, mib = Held(40 << 20, 10), 1 << 20
    assert list(leaks(before, before, Held(41 * mib, 10))) == []
    assert len(list(leaks(before, before, Held(90 * mib, 11)))) == 2
