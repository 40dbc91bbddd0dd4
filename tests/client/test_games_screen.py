"""The list of games played: empty, one, many, damaged; by keys, by mouse, at every size."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual import events
from textual.pilot import Pilot

from client.scenes import finished, model_of, refused, snapshot_of
from client.stage import Recorder, Stage, rested, screen_text, stage_of, until
from client.tables import WELCOME
from client.test_app import Visits
from client.test_played import NOW, keeper, put, sent
from client.test_replay import played as game_of
from client.test_replay_table import HOSTILE, MATCHING
from core.test_record import GOOD, good_record
from nana_client.address import parse_room
from nana_client.app import NanaApp
from nana_client.keyboard import Keyboard
from nana_client.model import advance
from nana_client.palette import entries
from nana_client.played import Shelf, played
from nana_client.screens.games import GamesScreen, games_rects
from nana_client.screens.help import HelpScreen
from nana_client.screens.opening import OpeningScreen
from nana_client.screens.replay import ReplayScreen
from nana_client.screens.sure import SureScreen
from nana_client.screens.table import TableScreen
from nana_client.settings import Settings
from nana_client.start import BrowseGames, JoinRoom, OpenScreen
from nana_client.store import Folders, Store
from nana_client.widgets.sheet import Sheet, Words
from nana_core.record import save

SIZES = [(80, 24), (140, 40), (100, 30), (44, 13), (40, 10), (76, 9), (30, 6), (200, 60)]


class _Stage(Stage):
    def on_games_screen_chosen(self, event: GamesScreen.Chosen) -> None:
        self.posted.append(event.game.path.name)

    def on_games_screen_left(self) -> None:
        self.posted.append("left")


@asynccontextmanager
async def listed(
    folder: Path, size: tuple[int, int] = (80, 24), *, kept: bool = True
) -> AsyncIterator[tuple[Pilot[Any], GamesScreen]]:
    screen = GamesScreen(Shelf(folder), kept=kept, clock=lambda: NOW)
    async with _Stage(screen).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot, screen


def fill(folder: Path, count: int) -> None:
    for at in range(count):
        record = replace(game_of(2 + at % 4, at), game=at + 1)
        keeper(folder, at=NOW - 3600 * at).keep(sent(record), MATCHING, "")


async def test_an_empty_list_says_how_a_game_gets_there(tmp_path: Path) -> None:
    """Also where none is kept by itself; no key does anything but leave."""
    for kept, says in ((True, "comes here by itself"), (False, "The settings say that none")):
        async with listed(tmp_path / "none", kept=kept) as (pilot, _):
            assert says in " ".join(screen_text(pilot).split())
            await pilot.press("enter", "x", "c", "down", "end", "pageup", "delete")
            assert stage_of(pilot).posted == []
            assert pilot.app.screen is stage_of(pilot).first
            await pilot.press("escape")
            assert stage_of(pilot).posted == ["left"]


async def test_one_game_says_all_of_it(tmp_path: Path) -> None:
    """When, where, who, who won and why, how long, and the file; Enter looks at it."""
    keeper(tmp_path).keep(sent(GOOD), MATCHING, "wss://nana.example.org/")
    async with listed(tmp_path, (140, 40)) as (pilot, _):
        text = screen_text(pilot)
        for said in (
            "▸ today ", "KQ7MX · 2", "★", "8 turns", "room KQ7MX, game 2, on nana.example.org",
            "A Ann (you), B Bo, C Cy", " won: ", "nana-KQ7MX-2.json",
        ):  # fmt: skip
            assert said in text
        await pilot.press("enter")
        assert stage_of(pilot).posted == ["nana-KQ7MX-2.json"]


@pytest.mark.parametrize("size", SIZES)
async def test_every_game_can_be_reached(tmp_path: Path, size: tuple[int, int]) -> None:
    """The pointer stays in sight, up and down, by page, and at both ends."""
    fill(tmp_path, 30)
    async with listed(tmp_path, size) as (pilot, screen):
        for key in (*["down"] * 31, "home", "end", "pageup", "pageup", "pagedown", "up", "home"):
            await pilot.press(key)
            rows = [line for line in screen_text(pilot).splitlines() if "▸" in line]
            assert len(rows) == 1, key
        assert screen.at == 0
        await pilot.press("end", "enter")
        assert screen.at == 29
        assert stage_of(pilot).posted == ["nana-KQ7MX-30.json"]


def test_nothing_lies_over_another() -> None:
    """At every size the parts fit on the screen, one below the other."""
    for width in range(30, 200, 7):
        for height in range(4, 60):
            for details in (True, False):
                rects = sorted(
                    games_rects(width, height, details=details).values(), key=lambda r: r.y
                )
                assert all(a.y + a.height <= b.y for a, b in pairwise(rects))
                assert rects[-1].y + rects[-1].height == height
                assert all(rect.x >= 0 and rect.x + rect.width <= width for rect in rects)


async def test_a_damaged_file_is_shown_as_such(tmp_path: Path) -> None:
    """It says why, is not looked at, and can be deleted; the others are not touched."""
    put(tmp_path, "broken.json", b'{"record":"nana","format":1,')
    put(tmp_path, "good.json", save(GOOD), NOW - 60)
    async with listed(tmp_path) as (pilot, _):
        assert "broken.json: This record is damaged" in screen_text(pilot)
        await pilot.press("enter")
        assert "cannot be looked at" in screen_text(pilot)
        assert stage_of(pilot).posted == []
        await pilot.press("x", "y")
        await until(pilot, lambda: "Deleted." in screen_text(pilot))
        assert [game.path.name for game in played(tmp_path)] == ["good.json"]
        await pilot.press("enter")
        assert stage_of(pilot).posted == ["good.json"]


@pytest.mark.parametrize(
    ("answer", "stays"),
    [
        pytest.param(("escape",), True, id="escape"),
        pytest.param(("enter",), True, id="no stands first"),
        pytest.param(("down", "up", "enter"), True, id="back to no"),
        pytest.param(("down", "enter"), False, id="yes chosen"),
        pytest.param(("y",), False, id="yes"),
    ],
)
async def test_deleting_is_asked(tmp_path: Path, answer: tuple[str, ...], stays: bool) -> None:
    """Only a yes deletes, and the pointer goes to what is next."""
    fill(tmp_path, 3)
    async with listed(tmp_path) as (pilot, screen):
        await pilot.press("down", "x")
        await until(pilot, lambda: isinstance(pilot.app.screen, SureScreen))
        assert "Delete this game?" in screen_text(pilot)
        await pilot.press(*answer)
        await until(pilot, lambda: pilot.app.screen is screen)
        names = [game.path.name for game in screen.games]
        assert ("nana-KQ7MX-2.json" in names) == stays
        assert (tmp_path / "nana-KQ7MX-2.json").exists() == stays
        assert screen.chosen is not None
        assert screen.chosen.path.name == f"nana-KQ7MX-{2 if stays else 3}.json"


async def test_what_cannot_be_deleted_is_said(tmp_path: Path) -> None:
    """A folder that is called like a record stays, and the screen says so."""
    (tmp_path / "x.json").mkdir()
    async with listed(tmp_path) as (pilot, screen):
        await pilot.press("delete", "y")
        await until(pilot, lambda: "could not be deleted" in screen_text(pilot))
        assert len(screen.games) == 1


async def test_the_path_is_copied(tmp_path: Path) -> None:
    """The whole path, as another program would need it."""
    fill(tmp_path, 1)
    async with listed(tmp_path) as (pilot, _):
        await pilot.press("c")
        assert pilot.app.clipboard == str(tmp_path / "nana-KQ7MX-1.json")
        assert "path is copied" in screen_text(pilot)


async def test_every_key_is_told(tmp_path: Path) -> None:
    """The help names the keys of this list first."""
    async with listed(tmp_path) as (pilot, screen):
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        assert "deletes the game, after asking" in screen_text(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)


async def test_by_mouse(tmp_path: Path) -> None:
    """A click chooses, a second one looks; the wheel moves; hints and answers are buttons."""
    fill(tmp_path, 5)
    async with listed(tmp_path) as (pilot, screen):
        rows = screen.query_one("#games", Sheet)
        await pilot.click(rows, offset=(8, 3))
        assert (screen.at, stage_of(pilot).posted) == (3, [])
        await pilot.click(rows, offset=(8, 3))
        await pilot.pause()
        assert stage_of(pilot).posted == ["nana-KQ7MX-4.json"]
        await pilot._post_mouse_events([events.MouseScrollUp], rows, offset=(8, 1))
        assert screen.at == 2
        await pilot._post_mouse_events([events.MouseScrollDown], rows, offset=(8, 1))
        assert screen.at == 3
        footer = screen.query_one("#footer", Sheet)
        (hint,) = [w for w in footer.items if isinstance(w, Words) and w.press == "delete-game"]
        await pilot.click(footer, offset=(hint.x + 1, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, SureScreen))
        await pilot.click(offset=(0, 0))
        await until(pilot, lambda: pilot.app.screen is screen)
        assert len(screen.games) == 5


async def test_hostile_names(tmp_path: Path) -> None:
    """Nothing in a file, nor its own name, is obeyed by the terminal or read as markup."""
    for at, name in enumerate(HOSTILE):
        seats = tuple(replace(seat, name=name) for seat in GOOD.seats)
        put(tmp_path, f"{at}.json", save(replace(GOOD, room=name, seats=seats)))
    put(tmp_path, "\x1b[31m[b]\u202e.json", b"{}")
    put(tmp_path, os.fsdecode(b"\xff\xfe.json"), b"{}")
    async with listed(tmp_path, (140, 40)) as (pilot, screen):
        for _ in screen.games:
            text = screen_text(pilot)
            assert "\x1b" not in text
            assert "\u202e" not in text
            text.encode()
            await pilot.press("down")
        await pilot.press("home", "x")
        await until(pilot, lambda: isinstance(pilot.app.screen, SureScreen))
        screen_text(pilot).encode()


async def test_a_long_file_name_fits(tmp_path: Path) -> None:
    """A path of many lines is cut where the details end."""
    put(tmp_path, f"{'x' * 240}.json", save(GOOD))
    async with listed(tmp_path, (40, 13)) as (pilot, _):
        screen_text(pilot)


# In the app.


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(Folders(tmp_path / "config", tmp_path / "data", tmp_path / "state"))


async def test_from_the_opening_screen_and_back(store: Store) -> None:
    """One key leads there, Enter to the replay, Escape back to the list, and to the opening."""
    keeper(store.records).keep(sent(GOOD), MATCHING, "")
    app = NanaApp(OpenScreen("Ann"), store, Visits())
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, OpeningScreen))
        await pilot.press("g")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        assert isinstance(app.screen, ReplayScreen)
        assert app.screen.tape.record == GOOD
        assert app.screen.at == 0
        await pilot.press("b", "end", "escape")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, OpeningScreen))


async def test_keys_of_ones_own(store: Store) -> None:
    """The screen is reached, and left, by the keys that hold; they stand in its footer."""
    keeper(store.records).keep(sent(GOOD), MATCHING, "")
    store.keys_file.parent.mkdir(parents=True)
    store.keys_file.write_text('games = "v"\ncopy-path = "k"\n')
    app = NanaApp(OpenScreen("Ann"), store, Visits())
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, OpeningScreen))
        assert "v games" in screen_text(pilot)
        await pilot.press("g")
        await pilot.pause()
        assert isinstance(app.screen, OpeningScreen)
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        assert "k copy its path" in screen_text(pilot)


async def test_nana_replay_alone(store: Store) -> None:
    """It opens the list; a replay leads back to it, and the list to the shell."""
    keeper(store.records).keep(sent(GOOD), MATCHING, "")
    app = NanaApp(BrowseGames(), store, Visits())
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("escape")
        await pilot.pause()
    assert app.return_value == 0


async def test_between_two_games_of_an_evening(store: Store) -> None:
    """From the palette, over the table; the next game takes it away, a question included."""
    fill(store.records, 2)
    visits = Visits()
    app = NanaApp(JoinRoom(parse_room("ws://192.0.2.7:8765/r/KQ7MX")), store, visits)
    over = replace(snapshot_of(finished(3)), game=2)
    async with app.run_test() as pilot:
        await until(pilot, lambda: visits.play is not None)
        visits.show(model_of(over))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await rested(pilot)
        table = app.screen
        entry = next(each for each in app.get_system_commands(table) if "Games" in each.title)
        entry.callback()
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, SureScreen))
        visits.show(model_of(replace(over, game=3, phase="opening", result=None)))
        await until(pilot, lambda: app.screen is table)


@pytest.mark.parametrize("key", ["left", "right"])
async def test_who_watched_is_told_who_has_the_record(key: str) -> None:
    """Its players get the record, and the prompt says so; the key asks no server in vain."""
    play = Recorder(model_of(snapshot_of(finished(3), None)))
    async with Stage(TableScreen(play, now=lambda: 0)).run_test() as pilot:
        await pilot.pause()
        assert "players get the record" in screen_text(pilot)
        await pilot.press(key)
        assert "goes to who played it" in screen_text(pilot)
        assert play.deeds == []


async def test_who_sat_down_after_a_game_is_not_offered_it() -> None:
    """A seat that was taken when the game was over is no way to its record; the answer goes by."""
    over, now = snapshot_of(finished(3)), [0]
    watched = advance(model_of(None), snapshot_of(finished(3), None))
    seated = advance(watched, replace(over, version=over.version + 1))
    assert not seated.sat
    assert advance(watched, replace(over, version=over.version + 1, game=2)).sat
    play = Recorder(seated)
    table = TableScreen(play, now=lambda: now[0])
    async with Stage(table).run_test() as pilot:
        await pilot.pause()
        assert "play again" in screen_text(pilot)
        assert "replay" not in screen_text(pilot)
        assert "save it" not in screen_text(pilot)
        for key in ("left", "s"):
            await pilot.press(key)
            assert "goes to who played it" in screen_text(pilot)
            table.tick()
            now[0] += 8_000
            table.tick()
            assert "goes to who played it" not in screen_text(pilot)
        assert play.deeds == []


async def test_a_refusal_after_a_game_goes_by() -> None:
    """It stands long enough to be read, and does not come back with the next look."""
    now, model = [0], model_of(snapshot_of(finished(3)), error=refused("not now"))
    table = TableScreen(Recorder(model), now=lambda: now[0])
    async with Stage(table).run_test() as pilot:
        await pilot.pause()
        table.tick()
        assert "Not now." in screen_text(pilot)
        now[0] += 8_000
        table.tick()
        assert "Not now." not in screen_text(pilot)
        table.show(replace(model, latency_ms=9))
        await pilot.pause()
        assert "Not now." not in screen_text(pilot)
        assert "YOU WIN" in screen_text(pilot)


def test_who_comes_when_a_game_is_over_did_not_play_it() -> None:
    """A seat had by joining then is not one of that game; one come back to is."""
    for resumed in (False, True):
        came = advance(model_of(None), replace(WELCOME, resumed=resumed))
        assert advance(came, snapshot_of(finished(3))).sat == resumed


@pytest.mark.parametrize(("phase", "there"), [("", True), ("over", True), ("playing", False)])
def test_the_palette_offers_it(phase: str, there: bool) -> None:
    """Wherever no game is on; with its key."""
    titles = [entry.title for entry in entries(Keyboard(), Settings(), (), phase)]
    assert ("Games played  (g)" in titles) == there


async def test_every_kind_of_game_is_drawn(tmp_path: Path) -> None:
    """Two to five players, bots among them, on a list of any width."""
    for at, players in enumerate((2, 3, 4, 5)):
        record = good_record(players)
        seats = (record.seats[0], *(replace(each, kind="bot") for each in record.seats[1:]))
        put(tmp_path, f"{at}.json", save(replace(record, seats=seats)), NOW - at)
    async with listed(tmp_path) as (pilot, _):
        text = screen_text(pilot)
        assert "Ann, Bo" in text.replace("★", "")
        assert "B Bo (bot)" in text
