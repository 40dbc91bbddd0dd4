"""The screen of settings: every row changes, by key and by mouse, at every size."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import asdict, replace
from textual.pilot import Pilot
from textual.widgets import Input

from client.stage import Stage, screen_text, stage_of
from nana_client.screens.help import HelpScreen
from nana_client.screens.settings import NameScreen, SettingsScreen
from nana_client.settings import Settings
from nana_client.tuning import tunings
from nana_client.widgets.sheet import Sheet, Words

THEMES = ("night", "paper")
FILES = ("~/settings.toml", "~/keys.toml")
ROWS = tunings(THEMES)


class _Stage(Stage):
    def on_settings_screen_changed(self, event: SettingsScreen.Changed) -> None:
        assert isinstance(self.first, SettingsScreen)
        self.posted.append((event.name, event.value))
        self.first.show(replace(self.first.settings, **{event.name: event.value}))


@asynccontextmanager
async def opened(size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[Any]]:
    screen = SettingsScreen(Settings(name="Ann", theme="night"), ROWS, FILES)
    async with _Stage(screen).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


@pytest.mark.parametrize("size", [(80, 24), (44, 13), (140, 40), (40, 10)])
async def test_every_row_can_be_reached_and_changed(size: tuple[int, int]) -> None:
    """Down through the list: each row is seen with its value and changes to another one."""
    async with opened(size) as pilot:
        for option in ROWS:
            await pilot.press("down")
            await pilot.pause()
            assert f"▸ {option.title}" in screen_text(pilot)
            await pilot.press("right")
            await pilot.pause()
        usual = asdict(Settings(theme="night"))
        changed = [
            (option.key, next(value for value in option.values if value != usual[option.key]))
            for option in ROWS
        ]
        assert stage_of(pilot).posted == changed


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_the_list_stands_still(size: tuple[int, int]) -> None:
    """However long the note of a row is, no row moves when the pointer does."""
    async with opened(size) as pilot:
        places = set()
        for _ in range(len(ROWS) + 2):
            lines = screen_text(pilot).splitlines()
            places.add(next(y for y, line in enumerate(lines) if "Window title" in line))
            await pilot.press("down")
            await pilot.pause()
        assert len(places) == 1


async def test_a_click_changes_and_left_goes_back() -> None:
    """The mouse takes the next value, ← the one before."""
    async with opened() as pilot:
        sheet = pilot.app.screen.query_one(Sheet)
        (row,) = [w for w in sheet.items if isinstance(w, Words) and w.press == "mouse"]
        await pilot.click(sheet, offset=(row.x + 3, row.y))
        await pilot.pause()
        await pilot.press("left")
        await pilot.pause()
        assert stage_of(pilot).posted == [("mouse", False), ("mouse", True)]


async def test_the_keys_are_shown() -> None:
    """The last row leads to the page of keys, and back."""
    async with opened() as pilot:
        await pilot.press("up", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HelpScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, SettingsScreen)


async def test_the_name_is_asked_for_and_checked() -> None:
    """Enter on the name edits it; a bad one is told why, Escape keeps the old one."""
    async with opened() as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, NameScreen)
        await pilot.press(*["backspace"] * 3, "enter")
        await pilot.pause()
        assert "will not do" in screen_text(pilot)
        await pilot.press("B", "o", "enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.screen.query_one(Input).value == "Bo"
        await pilot.press("x", "escape", "escape")
        await pilot.pause()
        assert stage_of(pilot).posted == [("name", "Bo")]
        assert not isinstance(pilot.app.screen, SettingsScreen)
