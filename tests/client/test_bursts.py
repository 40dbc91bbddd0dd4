"""Keys in one burst, sent before anything has answered: a box closes once, and it alone."""

import os
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen

from client.scenes import model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text, until
from client.test_app import Visits
from client.test_frames import cases
from client.test_games_screen import fill
from nana_client.address import parse_room
from nana_client.app import NanaApp
from nana_client.screens.games import GamesScreen
from nana_client.screens.help import HelpScreen
from nana_client.screens.menu import MenuScreen
from nana_client.screens.opening import OpeningScreen
from nana_client.screens.replay import ReplayScreen
from nana_client.screens.settings import SettingsScreen
from nana_client.screens.sure import SureScreen
from nana_client.screens.table import TableScreen
from nana_client.start import JoinRoom, OpenScreen
from nana_client.store import Folders, Store

KEYS = ("escape", "enter", "m", "y", "l", "k", "p", "ctrl+c")


class _Beneath(Screen[None]):
    """Writes down the keys that reach it."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def on_key(self, event: events.Key) -> None:
        self.heard.append(event.key)


async def burst(pilot: Pilot[Any], *keys: str) -> None:
    """Send keys as a terminal does: all of them before the first is answered."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    for _ in range(3):
        await pilot.pause()


@pytest.mark.parametrize("key", KEYS)
async def test_every_box_closes_once(key: str) -> None:
    """Whatever closes it, sent five times: what lies beneath stays, is alive, and heard once."""
    beneath = _Beneath()
    stage = Stage(beneath)
    closed = 0
    async with stage.run_test() as pilot:
        await pilot.pause()
        for scene, title in cases():
            box, answers = scene.make(), list[Any]()
            await stage.push_screen(box, answers.append)
            await pilot.pause()
            await burst(pilot, *scene.keys)
            await burst(pilot, *[key] * 5)
            assert stage.screen_stack[1:2] == [beneath], title
            assert len(answers) == (box not in stage.screen_stack), title
            closed += len(answers)
            if isinstance(box, MenuScreen):
                assert isinstance(box.play, Recorder)
                assert len(box.play.deeds) <= 1, title
            while stage.screen is not beneath:
                await stage.pop_screen()
            beneath.heard.clear()
            await burst(pilot, "a")
            assert beneath.heard == ["a"], title
        assert closed == len(cases()) or key != "escape"


@pytest.mark.parametrize("key", ["escape", "enter"])
async def test_a_box_under_another_takes_nothing(key: str) -> None:
    """Keys that come to the lower one late close neither."""
    beneath = _Beneath()
    stage = Stage(beneath)
    async with stage.run_test() as pilot:
        await pilot.pause()
        for scene, title in cases():
            lower, upper = scene.make(), HelpScreen()
            await stage.push_screen(lower)
            await stage.push_screen(upper)
            await pilot.pause()
            lower.post_message(events.Key(key, None))
            lower.dismiss()
            await pilot.pause()
            assert stage.screen_stack[1:] == [beneath, lower, upper], title
            await burst(pilot, "escape")
            assert stage.screen is lower, title
            await burst(pilot, *["escape"] * 2)
            assert stage.screen is beneath, title


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(Folders(tmp_path / "config", tmp_path / "data", tmp_path / "state"))


@pytest.mark.parametrize(
    ("before", "keys"),
    [
        ((), ("?", *["escape"] * 4)),
        (("?",), ["escape"] * 4),
        (("m",), ["escape"] * 4),
        (("m",), ["enter"] * 3),
        (("m",), ("s", *["escape"] * 4)),
        (("m", "s"), ["escape"] * 4),
    ],
)
async def test_over_a_game(before: tuple[str, ...], keys: tuple[str, ...], store: Store) -> None:
    """A box closed in a burst leaves the table, which answers."""
    visits = Visits()
    app = NanaApp(JoinRoom(parse_room("ws://192.0.2.7:8765/r/KQ7MX")), store, visits)
    async with app.run_test() as pilot:
        await until(pilot, lambda: visits.play is not None)
        visits.show(model_of(snapshot_of(played(3, "c1"))))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        table = app.screen
        await pilot.press(*before)
        await pilot.pause()
        await burst(pilot, *keys)
        assert table in app.screen_stack
        while app.screen is not table:
            await pilot.press("escape")
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))


async def test_in_the_list_of_games(store: Store) -> None:
    """One question answered, one replay opened, one replay closed; the list stays."""
    fill(store.records, 3)
    app = NanaApp(OpenScreen("Ann"), store, Visits())
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, OpeningScreen))
        await pilot.press("g")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        games = app.screen
        assert isinstance(games, GamesScreen)
        for keys, left in (("yyyyy", 2), (("enter",) * 2, 2), (("escape",) * 5, 2), ("yy", 1)):
            await pilot.press("x")
            await until(pilot, lambda: isinstance(app.screen, SureScreen))
            await burst(pilot, *keys)
            assert len(games.games) == left
            assert app.screen_stack[2:] == [games]
        await burst(pilot, "enter", "enter", "enter")
        assert [type(each) for each in app.screen_stack[2:]] == [GamesScreen, ReplayScreen]
        await burst(pilot, "escape", "escape", "escape")
        assert app.screen is games
        await burst(pilot, "escape", "escape", "escape")
        assert isinstance(app.screen, OpeningScreen)
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))


def _lay(folder: Path, *names: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / os.fsdecode(name)).touch()


async def test_a_path_that_is_no_utf_8_is_copied_as_shown(store: Store) -> None:
    """Nothing breaks, and the note says so; a path that is text is copied as it is."""
    _lay(store.records, b"bad\xff\xfe.json")
    app = NanaApp(OpenScreen("Ann"), store, Visits())
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, OpeningScreen))
        await pilot.press("g")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("c")
        assert app.clipboard == str(store.records / "bad.json")
        assert "no UTF-8" in screen_text(pilot)
        plain = store.records / "b\u00a0d.json"
        _lay(store.records, os.fsencode(plain.name))
        await pilot.press("escape", "g", "c")
        copied = app.clipboard
        await pilot.press("down", "c")
        assert str(plain) in {copied, app.clipboard}
