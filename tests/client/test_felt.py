"""The table as one sees it: who sits where around it, and what its rim tells."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from client.scenes import finished, played, snapshot_of
from nana_client.planning import plan
from nana_client.sight import Sight
from nana_client.theme import Tone
from nana_client.widgets.board import board_items
from nana_client.widgets.felt import felt_items, rim
from nana_client.widgets.sheet import Card, Item, Patch, Words
from nana_core.protocol.outbound import Snapshot

GAME = snapshot_of(played(4, "c1"))
MISSED = snapshot_of(played(4, "c2 b<", first=3))  # D missed, A is next
OTHERS_MISS = snapshot_of(played(4, "c2 b<", first=1))  # B missed, C is next


@pytest.mark.parametrize("seated", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_center_and_attempt_lie_inside_the_rim(players: int, seated: bool) -> None:
    """At every size that has a rim, what is revealed and what can be lies within it."""
    for width in range(44, 201, 6):
        for height in range(13, 61, 4):
            found = plan(width, height, players, seated=seated)
            assert found is not None
            felt = found.felt
            if felt is None:
                continue
            for rect in (found.center, found.attempt):
                assert felt.x < rect.x, (width, height)
                assert rect.right < felt.right, (width, height)
                assert felt.y < rect.y, (width, height)
                assert rect.bottom < felt.bottom, (width, height)
            if found.hand is not None:
                assert found.hand.y == felt.bottom - 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seats_lie_clockwise_around_a_watcher_s_table(players: int) -> None:
    """Far seats go from left to right, near ones from right to left, and each is at its edge."""
    found = plan(140, 40, players, seated=False)
    assert found is not None
    assert found.felt is not None
    far = [seat for seat in found.seats if seat.y < found.center.y]
    near = [seat for seat in found.seats if seat.y > found.center.y]
    assert (*far, *near) == found.seats
    assert len(far) - len(near) in {0, 1}
    assert [seat.x for seat in far] == sorted(seat.x for seat in far)
    assert [seat.x for seat in near] == sorted((seat.x for seat in near), reverse=True)
    assert {seat.bottom - 1 for seat in far} == {found.felt.y}
    assert {seat.y for seat in near} == {found.felt.bottom - 1}


@pytest.mark.parametrize(
    ("shot", "tone", "heavy"),
    [
        pytest.param(GAME, "accent", True, id="your turn"),
        pytest.param(snapshot_of(played(4, "c1", first=1)), "faint", False, id="waiting"),
        pytest.param(MISSED, "bad", True, id="a miss waits for you"),
        pytest.param(OTHERS_MISS, "bad", False, id="a miss waits for others"),
        pytest.param(replace(GAME, paused=True, legal=()), "warn", False, id="paused"),
        pytest.param(snapshot_of(played(4, "c1"), None), "faint", False, id="watching"),
        pytest.param(snapshot_of(finished(4)), "accent", True, id="you won"),
        pytest.param(snapshot_of(finished(4, 2)), "edge", False, id="somebody won"),
    ],
)
def test_the_rim_tells_what_is_going_on(shot: Snapshot, tone: Tone, heavy: bool) -> None:
    """Heavy where one is to act, or has won; in the colour of what happened."""
    assert rim(Sight(shot)) == (tone, heavy)


@pytest.mark.parametrize("you", [0, None], ids=["seated", "watching"])
def test_the_rim_is_lit_before_whoever_is_on_turn(you: int | None) -> None:
    """Without colours, too: the stretch before that seat is heavy, and no other is."""
    for first in range(1, 4):
        sight = Sight(snapshot_of(played(4, "c1", first=first), you))
        found = plan(80, 24, 4, seated=you is not None)
        assert found is not None
        lit = [item for item in felt_items(sight, found) if "━" in text_of(item)]
        on_turn = [seat.seat for seat in sight.others if sight.on_turn(seat)]
        rects = dict(zip((seat.seat for seat in sight.others), found.seats, strict=True))
        rect = rects[on_turn[0]]
        assert [item.y in {rect.y, rect.bottom - 1} for item in lit] == [True]
        assert rect.x <= lit[0].x <= lit[0].region.right <= rect.right


def text_of(item: Item) -> str:
    return "".join(piece.text for piece in item.pieces) if isinstance(item, Words) else ""


def test_what_lies_on_the_table_has_its_ground() -> None:
    """Cards and words between the rim's rows are drawn on felt, those beyond are not."""
    sight, found = Sight(GAME), plan(80, 24, 4, seated=True)
    assert found is not None
    assert found.felt is not None
    for item in board_items(sight, found):
        if not isinstance(item, Patch):
            y = item.y + found.board.y
            assert (item.ground == "felt") == (found.felt.y <= y < found.felt.bottom), item


@pytest.mark.parametrize("you", [0, None], ids=["seated", "watching"])
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40), (44, 13)])
def test_games_won_stand_by_the_names(size: tuple[int, int], you: int | None) -> None:
    """At every size one sees who has won how many games; nothing before the first."""
    seats: dict[str, dict[str, Any]] = {"A": {"won": 2}, "B": {"won": 3}}
    sight = Sight(snapshot_of(played(4, "c1"), you, seats=seats))
    found = plan(*size, 4, seated=you is not None)
    assert found is not None
    said = " ".join(text_of(item) for item in board_items(sight, found))
    assert "★2" in said
    assert "★3" in said
    assert said.count("★") == 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_count_that_has_no_room_is_left_out(players: int) -> None:
    """Beside a winner's sets nothing is cut: the star by the name tells the games won."""
    seats: dict[str, dict[str, Any]] = {"B": {"won": 12}}
    sight = Sight(snapshot_of(finished(players, 1), seats=seats))
    for width in range(60, 201, 5):
        found = plan(width, 24, players, seated=True)
        assert found is not None
        said = " ".join(text_of(item) for item in board_items(sight, found))
        assert "★12" in said
        cut = [text_of(item) for item in board_items(sight, found) if is_cut(item)]
        assert not [words for words in cut if "★12" in words or "won" in words], width


def is_cut(item: Item) -> bool:
    return isinstance(item, Words) and len(text_of(item)) > item.width


@pytest.mark.parametrize("aim", ["", "b<", "b>"])
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40)])
@pytest.mark.parametrize("players", [2, 4, 5])
def test_an_aimed_end_hides_no_card(players: int, size: tuple[int, int], aim: str) -> None:
    """Of every card in a fan an edge shows, and all of the one that is aimed at."""
    shot = snapshot_of(played(players))
    found = plan(*size, players, seated=True)
    assert found is not None
    items = board_items(Sight(shot, aim=aim or None), found)
    fan = [item for item in items if isinstance(item, Card) and item.name.startswith("b@")]
    tops = {x: card for card in fan for x in range(card.x, card.region.right)}
    seen = Counter(card.name for card in tops.values())
    assert len(seen) == len(fan) == len(shot.you.hand)
    aimed = [card for card in fan if card.face.mark == "aim"]
    assert [seen[card.name] for card in aimed] == [card.size.width for card in aimed]
    assert len(aimed) == bool(aim)
