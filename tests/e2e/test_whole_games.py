"""Whole games: a real server, bots on real sockets, and a person who presses keys.

The person hosts as `nana host` does, so the server is a process of its own on a port
of its own. Somebody watches, and sees no card that does not lie on the table.
"""

import asyncio
from collections import deque
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

from e2e.drawn import (
    BACK,
    FAIR,
    aimed_key,
    asked,
    chosen,
    is_over,
    numbers,
    prompt,
    sentence,
    value_of,
)
from e2e.person import Person, anything, person
from e2e.programs import bots, silent
from nana_client.start import HostRoom, WatchRoom
from nana_core.deck import SIZES
from nana_core.protocol.outbound import Snapshot

WON: Final = ("wins", "YOU WIN")
RECENT: Final = 8  # snapshots of which a screen may still show an earlier one


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
async def test_a_whole_game(seats: int, tmp_path: Path) -> None:
    """Opened, filled with bots, watched, played to a proven end, and dealt once more."""
    async with person(HostRoom(0, "Ann"), tmp_path / "ann") as ann:
        await set_up(ann, seats)
        target = ann.session.target
        async with (
            bots(target, seats - 1, games=2) as said,
            person(WatchRoom(target, "Eve"), tmp_path / "eve") as eve,
        ):
            await ann.sees(f"{seats} sit at the table", "Eve")
            looking = asyncio.create_task(look_on(eve))
            await ann.press("enter")
            end = await ann.play(anything(seats))
            check_the_end(ann, end)
            check_the_end(eve, await looking)
            assert all(any(" wins: " in line for line in lines) for lines in said)
            assert all("Deal verified: nobody chose it." in lines for lines in said)
            await play_again(ann, eve, seats)
        port = target.port
        await ann.press("ctrl+q")
        await ann.press("ctrl+q")
        await silent(port)


async def set_up(ann: Person, seats: int) -> None:
    await ann.chooses("Seats", str(seats))
    await ann.chooses("Pace", "0 s")


async def look_on(eve: Person) -> str:
    """Watch until the end; whatever lies open on the screen lies open in the center."""
    lay: deque[list[int]] = deque([[]], RECENT)
    eve.on_change = lambda model: lay.append(open_slots(model.snapshot))

    def holds(text: str) -> bool:
        if is_end(text):
            return True
        shot = eve.model.snapshot
        assert shot is None or (shot.hands is None and shot.you.hand == ())
        assert sorted(numbers(text)) in lay, text
        return False

    return await eve.until(holds)


def open_slots(shot: Snapshot | None) -> list[int]:
    return sorted(slot for slot in shot.center if isinstance(slot, int)) if shot else []


def is_end(text: str) -> bool:
    return any(word in prompt(text) for word in WON)


def check_the_end(someone: Person, text: str) -> None:
    """The winner, every hand, and that the deal was proven stand on the screen."""
    shot = someone.model.snapshot
    assert shot is not None
    assert shot.result is not None
    assert shot.hands is not None
    assert any(word in prompt(text) for word in WON), text
    assert FAIR in text
    assert BACK not in text
    cards = [number for hand in shot.hands for number in hand] + open_slots(shot)
    assert sorted(numbers(text)) == sorted(cards), text


async def play_again(ann: Person, eve: Person, seats: int) -> None:
    """Ready, dealt again with the score kept, and the next game is a new one."""
    await ann.press("r")
    await ann.until(lambda text: "deals next" in prompt(text) and all_ready(ann))
    await ann.press("enter")
    await ann.sees("game 2 · turn")
    await eve.sees("game 2 · turn")
    shot = ann.model.snapshot
    assert shot is not None
    assert sum(view.won for view in shot.seats) == 1
    assert len(shot.you.hand) <= SIZES[seats].hand


def all_ready(someone: Person) -> bool:
    shot = someone.model.snapshot
    return shot is not None and all(view.ready for view in shot.seats if view.kind != "free")


def test_the_end_can_be_told_from_the_middle() -> None:
    """The reading of a screen is one that can fail."""
    assert numbers("│ 7 │ │11 │ │░░░│ │ 2│ 5│") == [7, 11, 2, 5]
    assert not is_over("▌ Ann's turn\n▌ t talk")


def test_a_prompt_that_is_half_drawn_asks_for_nothing() -> None:
    """Its rows are read together: what only one of them says was meant for an older picture."""
    aimed = "▌  YOUR TURN   Reveal slot 4?", "▌ 4 or Enter reveals · another key re-aims"
    mine = "▌  YOUR TURN   Find another 7.", "▌ 1-9 center card · a-c lowest of a hand"
    sent = "▌  YOUR TURN   Turning slot 4 …", "▌ t talk · ? help"
    missed = "▌  MISS   Cy turned 8, then 3.", "▌ Space  your turn is next: go on"
    won = "▌  YOU WIN   The set of 7s.", "▌ look how it ended"
    whole = [asked("\n".join(rows)) for rows in (aimed, mine, sent, missed, won)]
    assert whole == ["to reveal", "a card", None, "to go on", None]
    assert aimed_key("\n".join(aimed)) == "4"
    assert aimed_key("\n".join(mine)) is None
    for new, old in permutations((aimed, mine, sent, missed, won), 2):
        assert asked(f"{new[0]}\n{old[1]}") is None


def test_time_alone_makes_no_other_prompt() -> None:
    """A clock that counts down answers no key."""
    said = [f"▌  MISS   Cy turned 8, then 3.   {left}\n▌ t talk" for left in ("0:42", "0:41")]
    assert sentence(said[0]) == sentence(said[1])
    assert sentence(said[0]) != sentence(said[0].replace("3", "4"))


def test_a_cursor_is_read_off_the_screen() -> None:
    """One in each list while it moves from one to the other; the arrows of a value are none."""
    lists = " ▸  A  Ann  ◂ ▸ ✕   Turn time     ◂    none    ▸\n"
    assert chosen(lists + "    B  Bo    ◂ ▸ ✕ ▸ Turn time     ◂    none    ▸") == ["A", "Turn time"]
    assert value_of(lists, "Turn time") == "none"
    assert value_of(lists, "Pace") == ""
