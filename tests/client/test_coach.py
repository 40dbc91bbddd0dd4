"""The coach of a first game: four hints at their moments, and gone for good."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from client.scenes import finished, model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text, stage_of
from nana_client.coach import Coach, coached
from nana_client.planning import plan
from nana_client.screens.table import TableScreen
from nana_client.widgets.hint import band_items, rows_for, with_hint
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Words
from nana_core.protocol.outbound import Snapshot

MINE = snapshot_of(played(3))
MATCH = snapshot_of(played(3, "c1"))
MISS = snapshot_of(played(3, "c2 b<"))
THEIRS = snapshot_of(played(3, first=1))
SET = snapshot_of(played(3, "a< a< c<"))
OVER = snapshot_of(finished(3))


def after(shots: Sequence[Snapshot], coach: Coach | None = None) -> Coach:
    coach = coach or Coach()
    for shot in shots:
        coach = coached(coach, shot)
    return coach


@pytest.mark.parametrize(
    ("shots", "seen", "says"),
    [
        pytest.param((THEIRS,), (), "Watch what the others turn", id="others first"),
        pytest.param((THEIRS, MINE), ("begin",), "Turn over any card", id="one's turn"),
        pytest.param((MINE, MATCH), ("begin", "match"), "find another 2", id="a first card"),
        pytest.param((MISS,), ("miss",), "They differ", id="a miss"),
        pytest.param((SET,), ("set",), "Three alike are a set", id="a set"),
        pytest.param((MISS, SET), ("miss", "set"), "Three alike", id="how one wins, told in time"),
        pytest.param((SET, MISS, SET), ("set", "miss"), "Three alike", id="true of what lies open"),
    ],
)
def test_each_hint_at_its_moment(
    shots: tuple[Snapshot, ...], seen: tuple[str, ...], says: str
) -> None:
    """A hint comes when it is needed, and stays until the next one is."""
    coach = after(shots)
    assert coach.seen == seen
    assert says in coach.text
    assert not coach.done


def test_it_ends_with_the_next_turn_or_the_game() -> None:
    """After all four hints one's next turn ends the round; the game's end does at any time."""
    assert not after((MINE, MATCH, MISS, MINE)).done
    assert not after((MINE, MATCH, MISS, MINE, SET)).done
    assert after((MINE, MATCH, MISS, MINE, SET, MINE)).done
    assert after((MINE, OVER)).done


def test_who_watches_is_not_coached() -> None:
    """Beside the table, and before the cards are dealt, there is nothing to hint at."""
    watching = snapshot_of(played(3), None)
    assert (
        after((watching, replace(MINE, phase="opening"), replace(MINE, phase="lobby"))).seen == ()
    )


def test_a_hint_tells_nothing_that_is_not_public() -> None:
    """What a hint says follows from what lies open, not from the hand or the deal."""
    other = replace(MATCH, you=replace(MATCH.you, hand=(11, 11, 12)))
    assert after((MINE, MATCH)).text == after((MINE, other)).text


@pytest.mark.parametrize("width", range(44, 201, 3))
def test_every_hint_fits_its_band(width: int) -> None:
    """No hint is cut at any width that a table has."""
    for shots in ((THEIRS,), (MINE,), (MATCH,), (MISS,), (SET,)):
        coach = after(shots)
        lines = broken(coach.text, width - 3)
        assert len(lines) <= rows_for(width) - 1
        items = band_items(coach, width, rows_for(width))
        assert all(isinstance(item, Words) and item.x + item.width <= width for item in items)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40), (44, 18)])
def test_the_band_lies_between_table_and_prompt(size: tuple[int, int]) -> None:
    """Nothing overlaps, and the last row is still the keys'."""
    rows = rows_for(size[0])
    plain = plan(size[0], size[1] - rows, 4, seated=True)
    assert plain is not None
    moved, hint = with_hint(plain, rows)
    assert moved.hand is not None
    assert moved.hand.bottom <= hint.y
    assert hint.bottom == moved.prompt.y
    assert moved.footer.y == size[1] - 1


async def shown(keys: Sequence[str], *shots: Snapshot, **options: Any) -> tuple[str, list[str]]:
    play = Recorder(model_of(MINE))
    screen = TableScreen(play, coach=Coach(), now=lambda: 0)
    async with Stage(screen).run_test(size=options.get("size", (80, 24))) as pilot:
        for shot in (MINE, *shots):
            screen.show(model_of(shot))
        await pilot.press(*keys)
        await pilot.pause()
        return screen_text(pilot), stage_of(pilot).wishes


async def test_the_table_gives_hints() -> None:
    """The hint stands above the prompt with its count and the way to be rid of it."""
    text, wishes = await shown((), MATCH)
    assert "FIRST GAME · 2 of 4" in text
    assert "find another 2" in text
    assert "x no more hints" in text
    assert wishes == []


async def test_x_ends_the_hints_for_good() -> None:
    """Pressed twice, one key takes the band away and has it remembered; a slip does nothing."""
    text, wishes = await shown(("x",), MATCH)
    assert "x again: no more hints, ever" in text
    assert wishes == []
    text, wishes = await shown(("x", "1", "x"), MATCH)
    assert "FIRST GAME" in text
    assert wishes == []
    text, wishes = await shown(("x", "x"), MATCH)
    assert "FIRST GAME" not in text
    assert wishes == ["coached"]


async def test_the_end_of_the_round_is_remembered() -> None:
    """A round that was seen to its end does not come again."""
    text, wishes = await shown((), MATCH, MISS, SET, MINE)
    assert "FIRST GAME" not in text
    assert wishes == ["coached"]


async def test_where_there_is_no_room_the_game_goes_on_without_hints() -> None:
    """The least table is a table, hints or not."""
    text, _ = await shown((), size=(44, 13))
    assert "needs more room" not in text
    assert "FIRST GAME" not in text
