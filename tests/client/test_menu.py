"""The table's menu: what it offers to whom and when, and what its rows do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from client.scenes import finished, lobby, model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text, stage_of
from nana_client import menu
from nana_client.model import Model
from nana_client.screens.menu import MenuScreen
from nana_core.protocol.outbound import Snapshot

GAME = snapshot_of(played(4, "c1"))
OVER = snapshot_of(finished(4), seats={"B": {"won": 2}, "A": {"won": 1}})
GUEST = replace(GAME, you=replace(GAME.you, host=False), host="B")


class _Stage(Stage):
    def on_menu_screen_chose(self, event: MenuScreen.Chose) -> None:
        self.posted.append(event.what)


@asynccontextmanager
async def opened(
    model: Model, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[Any], Recorder]]:
    play = Recorder(model)
    async with _Stage(MenuScreen(play, model)).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot, play


def answers(shot: Snapshot, page: str = "", **changes: Any) -> set[str]:
    found = menu.choices(page, model_of(shot, **changes))
    return {row.answer for row in found.rows} if found is not None else set()


@pytest.mark.parametrize(
    ("shot", "there", "absent"),
    [
        pytest.param(GAME, {"pause on", "page sure end"}, {"options"}, id="in a game"),
        pytest.param(replace(GAME, paused=True), {"pause off"}, {"pause on"}, id="paused"),
        pytest.param(OVER, {"options", "page remove"}, {"pause on", "page sure end"}, id="after"),
        pytest.param(lobby(), {"page sure close", "page host"}, {"pause on"}, id="before"),
        pytest.param(GUEST, {"page mute", "settings"}, {"pause on", "page remove"}, id="guest"),
        pytest.param(lobby(None), {"sit"}, {"page host"}, id="beside the table"),
    ],
)
def test_what_is_offered(shot: Snapshot, there: set[str], absent: set[str]) -> None:
    """A host gets what a host may do in this phase, a guest only what is their own."""
    assert there <= answers(shot)
    assert not absent & answers(shot)


def test_who_can_be_removed() -> None:
    """People at any time, the server's bots between games, oneself never, who left not again."""
    assert answers(GAME, "remove") == {"page sure B", "page sure D"}
    assert answers(OVER, "remove") == {"page sure B", "remove C", "page sure D"}
    gone = replace(GAME, seats=tuple(replace(seat, left=True) for seat in GAME.seats))
    assert answers(gone, "remove") == set()


def test_who_can_be_host() -> None:
    """Only people who are there for the game inherit."""
    assert answers(GAME, "host") == {"host B", "host D"}


def test_a_guest_opens_no_page_of_the_hosts() -> None:
    """Pages of deeds that only a host may do are empty for everybody else."""
    assert all(not answers(GUEST, page) for page in ("remove", "host", "sure end", "sure B"))


@pytest.mark.parametrize(
    ("shot", "keys", "deed"),
    [
        pytest.param(GAME, ("p",), ("pause", True), id="pause"),
        pytest.param(replace(GAME, paused=True), ("p",), ("pause", False), id="go on"),
        pytest.param(GAME, ("e", "y"), ("end_game",), id="end"),
        pytest.param(GAME, ("e", "down", "enter"), ("end_game",), id="end by arrows"),
        pytest.param(GAME, ("r", "b", "y"), ("remove", "B"), id="remove a person"),
        pytest.param(OVER, ("r", "c"), ("remove", "C"), id="remove a bot"),
        pytest.param(GAME, ("h", "d"), ("give_host", "D"), id="give the host on"),
        pytest.param(GAME, ("x", "y"), ("close_room",), id="close"),
        pytest.param(lobby(None), ("f",), ("sit", None), id="sit"),
    ],
)
async def test_a_key_for_each_deed(
    shot: Snapshot, keys: tuple[str, ...], deed: tuple[Any, ...]
) -> None:
    """Every deed is a key or two away, and the menu is gone after it."""
    async with opened(model_of(shot)) as (pilot, play):
        await pilot.press(*keys)
        await pilot.pause()
        assert play.deeds == [deed]
        assert not isinstance(pilot.app.screen, MenuScreen)


@pytest.mark.parametrize("first", ["e", "x"])
async def test_what_cannot_be_undone_is_asked(first: str) -> None:
    """Enter on the question means no, and Escape leads back, then out."""
    async with opened(model_of(GAME)) as (pilot, play):
        await pilot.press(first, "enter", first, "escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, MenuScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(pilot.app.screen, MenuScreen)
        assert play.deeds == []


async def test_settings_and_mutes_are_the_apps() -> None:
    """What is kept on one's own side goes to the app, and the menu stays open."""
    async with opened(model_of(GAME, muted=frozenset({"Will"}))) as (pilot, play):
        await pilot.press("s", "u", "1", "4")
        await pilot.pause()
        assert stage_of(pilot).posted == ["settings", "mute Bo", "mute Will"]
        assert play.deeds == []


async def test_the_menu_follows_the_table() -> None:
    """What can no longer be done is gone while one looks at it."""
    async with opened(model_of(GAME)) as (pilot, play):
        await pilot.press("e")
        menu_screen = pilot.app.screen
        assert isinstance(menu_screen, MenuScreen)
        assert "End this game?" in screen_text(pilot)
        menu_screen.show(model_of(OVER))
        await pilot.press("y")
        await pilot.pause()
        assert "End this game?" not in screen_text(pilot)
        assert play.deeds == []


async def test_the_cursor_stays_on_its_row() -> None:
    """Rows that come or go above it put nothing else under the key that is about to be pressed."""
    async with opened(model_of(OVER)) as (pilot, play):
        await pilot.press("down")
        screen = pilot.app.screen
        assert isinstance(screen, MenuScreen)
        wanted = screen.choices.rows[1].key
        screen.show(model_of(GAME))
        assert screen.choices.rows[1].key != wanted
        await pilot.press("enter")
        await pilot.pause()
        assert "Remove whom?" in screen_text(pilot)
        assert play.deeds == []


async def test_it_says_who_is_host_and_how_it_stands() -> None:
    """Host, games won and what was agreed on stand above the rows."""
    async with opened(model_of(OVER)) as (pilot, _):
        text = screen_text(pilot)
        assert "You are the host." in text
        assert "Bo 2, Ann 1" in text
        assert "turn time 60 s" in text


@pytest.mark.parametrize("name", ["[/]", "[@click=app.quit]x[/]", "a\x1b[2J", "\u202ex", "日" * 30])
@pytest.mark.parametrize("size", [(80, 24), (44, 13)])
async def test_hostile_names_in_the_menu(name: str, size: tuple[int, int]) -> None:
    """Names are only text on every page, and lead to the seat they belong to."""
    shot = replace(snapshot_of(played(4, "c1"), seats={"B": {"name": name}}), watching=(name,))
    for keys in ((), ("r",), ("r", "b"), ("h",), ("u",)):
        async with opened(model_of(shot), size) as (pilot, _):
            await pilot.press(*keys)
            await pilot.pause()
            text = screen_text(pilot)
            assert all(char.isprintable() or char == "\n" for char in text)
