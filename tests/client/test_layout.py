"""The layout: over every size nothing is cut, and nothing lies on anything else."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from client.scenes import OPTIONS as AGREED
from client.scenes import finished, lobby, model_of, played, snapshot_of
from nana_client.gathering import SCALES, lobby_plan
from nana_client.layout import Plan, Rect
from nana_client.options import OPTIONS
from nana_client.planning import plan
from nana_client.screens.join import join_rects
from nana_client.screens.opening import opening_rects
from nana_client.sight import Sight
from nana_client.widgets.attempt import attempt_items
from nana_client.widgets.center import center_items
from nana_client.widgets.hand import hand_items
from nana_client.widgets.opponent import seat_items
from nana_client.widgets.seating import options_items
from nana_client.widgets.sheet import Card, Item, Words

WIDTHS = range(40, 201)
HEIGHTS = range(10, 61)
PLAYERS = (2, 3, 4, 5)


def parts(found: Plan) -> tuple[Rect, ...]:
    maybe = (found.hand, found.log, found.talk)
    fixed = (found.title, found.center, found.attempt, found.prompt, found.footer)
    return (*fixed, *found.seats, *(rect for rect in maybe if rect is not None))


def apart(one: Rect, other: Rect) -> bool:
    return (
        one.right <= other.x
        or other.right <= one.x
        or one.bottom <= other.y
        or other.bottom <= one.y
    )


def inside(rect: Rect, width: int, height: int) -> bool:
    return rect.x >= 0 and rect.y >= 0 and rect.right <= width and rect.bottom <= height


@pytest.mark.parametrize("seated", [True, False], ids=["seated", "watching"])
@pytest.mark.parametrize("players", PLAYERS)
def test_every_size_holds_the_whole_table(players: int, seated: bool) -> None:
    """Every part of every plan is on the screen, has room, and lies on no other part."""
    for width in WIDTHS:
        for height in HEIGHTS:
            found = plan(width, height, players, seated=seated)
            if found is None:
                assert width < 44 or height < 13, (width, height)
                continue
            rects = parts(found)
            for rect in rects:
                assert inside(rect, width, height), (width, height, rect)
                assert min(rect.width, rect.height) > 0, (width, height, rect)
            for one, other in combinations(rects, 2):
                assert apart(one, other), (width, height, one, other)


@pytest.mark.parametrize(
    ("width", "height", "players", "density"),
    [
        pytest.param(44, 13, 5, "compact", id="the narrowest"),
        pytest.param(76, 9, 5, "compact", id="the lowest"),
        pytest.param(80, 24, 5, "roomy", id="the usual, five"),
        pytest.param(80, 24, 2, "roomy", id="the usual, two"),
        pytest.param(100, 30, 5, "wide", id="larger"),
        pytest.param(140, 40, 5, "grand", id="large"),
        pytest.param(140, 40, 2, "large", id="large, two"),
        pytest.param(200, 60, 4, "vast", id="vast"),
    ],
)
def test_the_density_of_known_sizes(width: int, height: int, players: int, density: str) -> None:
    """Room is used: the larger the terminal, the larger the cards."""
    found = plan(width, height, players, seated=True)
    assert found is not None
    assert found.density.name == density


@pytest.mark.parametrize(("width", "height"), [(43, 30), (60, 11), (75, 8)])
def test_too_small_is_said(width: int, height: int) -> None:
    """Below the least size there is no plan."""
    assert plan(width, height, 5, seated=True) is None


def test_talk_stands_beside_a_table_that_has_room() -> None:
    """A wide terminal shows talk all the time, a narrow one on demand."""
    wide, narrow = plan(140, 40, 4, seated=True), plan(100, 30, 4, seated=True)
    assert wide is not None
    assert narrow is not None
    assert wide.talk is not None
    assert wide.talk.width >= 36
    assert narrow.talk is None


@cache
def scenes(players: int) -> tuple[Sight, ...]:
    """Return moments that fill the table in every way."""
    return tuple(_scenes(players))


def _scenes(players: int) -> Iterator[Sight]:
    for you in (0, None):
        yield Sight(snapshot_of(played(players), you))
        yield Sight(snapshot_of(played(players, "c1 b<"), you, memory="open"), "b<")
        away: dict[str, dict[str, Any]] = {"B": {"online": False}, "C": {"left": True}}
        yield Sight(snapshot_of(played(players, "b>"), you, seats=away), "b>")
        for winner in (0, players - 1):
            yield Sight(snapshot_of(finished(players, winner), you))


def laid(sight: Sight, found: Plan) -> Iterator[tuple[Rect, tuple[Item, ...]]]:
    yield found.center, tuple(center_items(sight, found))
    yield found.attempt, tuple(attempt_items(sight, found))
    if found.hand is not None:
        yield found.hand, tuple(hand_items(sight, found))
    for seat, rect in zip(sight.others, found.seats, strict=True):
        yield rect, tuple(seat_items(sight, seat, found, rect))


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_is_laid_outside_its_sheet(players: int) -> None:
    """On a sample of sizes, every card and every word is whole within its own region."""
    for width in range(44, 201, 9):
        for height in range(13, 61, 5):
            for sight in scenes(players):
                found = plan(width, height, players, seated=sight.me is not None)
                assert found is not None
                for rect, items in laid(sight, found):
                    for item in items:
                        region = item.region
                        whole = Rect(region.x, region.y, region.width, region.height)
                        assert inside(whole, rect.width, rect.height), (width, height, item)


@pytest.mark.parametrize("players", PLAYERS)
def test_words_lie_on_no_card(players: int) -> None:
    """Cards may overlap in a fan; words never lie under or over anything."""
    for width in range(44, 201, 13):
        for height in range(13, 61, 7):
            for sight in scenes(players):
                found = plan(width, height, players, seated=sight.me is not None)
                assert found is not None
                for _, items in laid(sight, found):
                    for one, other in combinations(items, 2):
                        if isinstance(one, Card) and isinstance(other, Card):
                            continue
                        assert not one.region.overlaps(other.region), (width, height, one, other)


@pytest.mark.parametrize("players", PLAYERS)
def test_numbers_stay_readable_in_every_fan(players: int) -> None:
    """Where open cards overlap, enough of each shows to read its number."""
    sight = Sight(snapshot_of(finished(players, 1)))
    for width in range(44, 201, 8):
        for height in range(13, 61, 5):
            found = plan(width, height, players, seated=True)
            assert found is not None
            for _, items in laid(sight, found):
                cards = [item for item in items if isinstance(item, Card)]
                for one, other in combinations(cards, 2):
                    if one.face.kind == "up" and one.region.overlaps(other.region):
                        assert abs(other.x - one.x) >= 3, (width, height, one, other)
                        assert one.size.height == 3, (width, height, one)


@pytest.mark.parametrize("links", [1, 4])
def test_the_lobby_at_every_size(links: int) -> None:
    """Every part of the lobby is on the screen and lies on no other."""
    for width in WIDTHS:
        for height in HEIGHTS:
            for options in (False, True):
                rects = lobby_plan(width, height, links, options=options).rects
                for rect in rects.values():
                    assert inside(rect, width, height), (width, height, rects)
                for one, other in combinations(rects.values(), 2):
                    assert apart(one, other), (width, height, one, other)


def test_opening_and_joining_at_every_size() -> None:
    """The menu and the fields are whole at every size."""
    for width in WIDTHS:
        for height in HEIGHTS:
            opening = [opening_rects(width, height, 5, note) for note in (0, 6)]
            joining = [join_rects(width, height, locked=locked) for locked in (False, True)]
            for rects in (*opening, *joining):
                shown = [rect for rect in rects.values() if rect.height]
                for rect in shown:
                    assert inside(rect, width, height), (width, height, rects)
                for one, other in combinations(shown, 2):
                    assert apart(one, other), (width, height, one, other)


def test_scenes_are_what_they_say() -> None:
    """The scenes that the sweep draws hold words, cards, a winner and a lobby."""
    sight = Sight(snapshot_of(finished(5, 4)))
    assert sight.snapshot.result is not None
    assert sight.snapshot.result.seat == "E"
    found = plan(80, 24, 5, seated=True)
    assert found is not None
    kinds = {type(item) for _, items in laid(sight, found) for item in items}
    assert kinds == {Card, Words}
    assert model_of(lobby()).snapshot is not None


def test_the_lobby_fills_what_there_is() -> None:
    """No part of the lobby is empty while another is full: what is spare stands on both sides."""
    for width in range(82, 201):
        for height in range(24, 61):
            for links in (1, 2, 4):
                rects = dict(lobby_plan(width, height, links, options=False).rects)
                prompt, log = rects.pop("prompt"), rects.pop("log", None)
                rects = {name: rects[name] for name in rects.keys() - {"title", "footer", "talk"}}
                above = min(rect.y for rect in rects.values()) - 1
                below = (log or prompt).y - max(rect.bottom for rect in rects.values())
                assert abs(above - below) <= 2, (width, height, links, rects)
                assert above <= height * 3 // 10, (width, height, links, rects)


def test_each_option_is_explained_where_there_is_room() -> None:
    """In the large lobby every option says what it means, whole and in a row of its own."""
    rects = lobby_plan(140, 40, 4, options=False).rects
    for option in OPTIONS:
        for value in option.values:
            shown = replace(AGREED, **{option.key: value})
            items = [*options_items(shown, None, rects["options"].width, SCALES[0], host=True)]
            words = [item for item in items if isinstance(item, Words)]
            meant = ["".join(piece.text for piece in item.pieces).strip() for item in words]
            assert option.meaning(value) in meant, option
            assert max(item.region.bottom for item in items) <= rects["options"].height
