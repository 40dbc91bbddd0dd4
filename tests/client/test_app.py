"""The app: which screen is shown when, leaving in every way, and what it leaves behind."""

import asyncio
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import Input

from client.scenes import finished, lobby, model_of, played, snapshot_of
from client.stage import Recorder, rested, screen_text, until
from nana_client.address import parse_room, target_of
from nana_client.app import NanaApp
from nana_client.model import Line, Model
from nana_client.running import last_words
from nana_client.screens.help import HelpScreen
from nana_client.screens.join import JoinScreen
from nana_client.screens.leave import LeaveScreen
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.menu import MenuScreen
from nana_client.screens.opening import OpeningScreen
from nana_client.screens.rooms import RoomsScreen
from nana_client.screens.settings import SettingsScreen
from nana_client.screens.table import TableScreen
from nana_client.screens.waiting import WaitingScreen
from nana_client.session import Ending
from nana_client.settings import Settings
from nana_client.start import (
    BrowseRooms,
    ComeBack,
    HostRoom,
    JoinRoom,
    OpenScreen,
    PlayBots,
    Start,
    WatchRoom,
)
from nana_client.store import Folders, SavedSeat, Secret, Store
from nana_client.visit import Goal, Passport
from nana_core.protocol.outbound import Bye

GAME = snapshot_of(played(3, "c1"))
OVER = snapshot_of(finished(3))
HERE = target_of("192.0.2.7", 8765, "KQ7MX")
SEAT = SavedSeat(server="ws://192.0.2.7:8765/", room="KQ7MX", token=Secret("0" * 32), name="A")


class Visits:
    """Stands where the network would: visits that go as a test says."""

    def __init__(self, ending: Ending | None = None) -> None:
        self.goals: list[tuple[Goal, str]] = []
        self.ending = ending  # of visits that never begin
        self.farewell = Ending("left", "You left.")  # of those that do
        self.play: Recorder | None = None
        self.hosted: Any = None
        self._over = asyncio.Event()
        self._tell: Any = None

    async def __call__(self, goal: Goal, passport: Passport, enter: Any, tell: Any) -> Ending:
        self.goals.append((goal, passport.name))
        if self.ending is not None:
            return self.ending
        self._over.clear()
        self.play, self._tell = _Leaving(self), tell
        enter(self.play, self.hosted)
        await self._over.wait()
        return self.farewell

    def show(self, model: Model) -> None:
        assert self.play is not None
        self.play.model = model
        self._tell(model, None)

    def end(self) -> None:
        self._over.set()


class _Leaving(Recorder):
    """Leaves when it is told to."""

    def __init__(self, visits: Visits) -> None:
        super().__init__(Model())
        self.visits = visits

    def leave(self) -> None:
        super().leave()
        self.visits.end()

    def close(self) -> None:
        super().close()
        self.visits.end()

    def close_room(self) -> bool:
        self.visits.end()
        return super().close_room()


class _Hosting:
    """A server that was started here, for friends."""

    shared = started = True

    def links(self, _room: str | None) -> tuple[str, ...]:
        return (HERE.url,)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(Folders(tmp_path / "config", tmp_path / "data", tmp_path / "state"))


def app_of(store: Store, visits: Visits, start: Start | None = None) -> NanaApp:
    return NanaApp(start or OpenScreen("Ann"), store, visits)


async def entered(pilot: Pilot[Any], visits: Visits) -> None:
    await until(pilot, lambda: visits.play is not None)


async def test_it_opens_on_the_opening_screen(store: Store) -> None:
    """`nana` alone shows the ways to a table."""
    async with app_of(store, Visits()).run_test() as pilot:
        await pilot.pause()
        assert isinstance(pilot.app.screen, OpeningScreen)


async def test_enter_plays_against_three_bots(store: Store) -> None:
    """One key leads from nothing to a game."""
    visits = Visits()
    async with app_of(store, visits).run_test() as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await entered(pilot, visits)
        assert visits.goals == [(PlayBots(3, "novice"), "Ann")]
        assert isinstance(pilot.app.screen, WaitingScreen)
        visits.show(model_of(GAME))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))


async def test_the_screen_follows_the_phase(store: Store) -> None:
    """Lobby, table, result and the next game come by themselves, over whatever is open."""
    visits = Visits()
    async with app_of(store, visits, HostRoom()).run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(lobby()))
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        visits.show(model_of(replace(GAME, phase="opening")))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        visits.show(model_of(OVER))
        await rested(pilot)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))


async def test_leaving_a_game_is_asked(store: Store) -> None:
    """Escape asks while a game is on; the answer is done, and the opening screen comes back."""
    visits = Visits()
    async with app_of(store, visits, HostRoom()).run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(GAME))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LeaveScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LeaveScreen))
        await pilot.press("l")
        await until(pilot, lambda: isinstance(pilot.app.screen, OpeningScreen))
        assert visits.play is not None
        assert visits.play.deeds == [("leave",)]


@pytest.mark.parametrize(
    ("keys", "deed"),
    [
        pytest.param(("escape", "k"), "close", id="kept for the next time"),
        pytest.param(("ctrl+q", "l"), "close_room", id="closed for everybody"),
        pytest.param(("ctrl+q", "ctrl+q"), "close", id="twice is the gentlest"),
    ],
)
@pytest.mark.parametrize("phase", ["lobby", "over"])
async def test_a_host_is_asked_before_others_are_left_alone(
    store: Store, keys: tuple[str, str], deed: str, phase: str
) -> None:
    """The server stops with who hosts: while others are here that is said, and asked."""
    visits = Visits()
    visits.hosted = _Hosting()
    async with app_of(store, visits, HostRoom()).run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(lobby() if phase == "lobby" else OVER))
        wanted = LobbyScreen if phase == "lobby" else TableScreen
        await until(pilot, lambda: isinstance(pilot.app.screen, wanted))
        if phase == "over":
            await rested(pilot)
        await pilot.press(keys[0])
        await until(pilot, lambda: isinstance(pilot.app.screen, LeaveScreen))
        await pilot.pause()
        assert "Others are still here" in screen_text(pilot)
        await pilot.press(keys[1])
        assert visits.play is not None
        await until(pilot, lambda: bool(visits.play and visits.play.deeds))
        assert visits.play.deeds == [(deed,)]


async def test_a_table_of_ones_own_is_kept(store: Store) -> None:
    """With nobody else here nothing is asked, and the table is there again the next time."""
    visits = Visits()
    visits.hosted = _Hosting()
    app = app_of(store, visits, HostRoom())
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(lobby(people=1, watching=())))
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert visits.play is not None
    assert visits.play.deeds == [("close",)]


async def test_a_server_that_dies_is_started_again(store: Store) -> None:
    """Nobody has to press a key for it; one that dies again and again is left alone."""
    visits = Visits()
    visits.farewell = Ending("server_died", "The server stopped by itself.")
    app = app_of(store, visits, HostRoom())
    async with app.run_test() as pilot:
        for times in range(1, 5):
            await until(pilot, lambda times=times: len(visits.goals) == times)  # type: ignore[misc]
            await entered(pilot, visits)
            visits.show(model_of(GAME))
            visits.end()
        await until(pilot, lambda: app.stay.model.connection == "closed")
        await pilot.pause()
        assert "The server stopped by itself." in screen_text(pilot)
        assert len(visits.goals) == 4


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
async def test_twice_leaves_for_good(store: Store, key: str) -> None:
    """The same key asks first and goes the second time, keeping the seat."""
    visits = Visits()
    app = app_of(store, visits, HostRoom())
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(GAME))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, LeaveScreen))
        await pilot.press(key)
        await until(pilot, lambda: not app.is_running)
    assert visits.play is not None
    assert visits.play.deeds == [("close",)]
    assert app.return_value == 0


async def test_quitting_from_the_opening_screen(store: Store) -> None:
    """Where no game is on nothing is asked."""
    app = app_of(store, Visits())
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert app.return_value == 0


async def test_leaving_before_there_is_a_room(store: Store) -> None:
    """Escape while nothing answers yet goes back."""
    visits = Visits()
    async with app_of(store, visits, HostRoom()).run_test() as pilot:
        await entered(pilot, visits)
        visits.show(Model(connection="waiting", trouble="Nobody answers.", retry_in=2))
        await pilot.pause()
        assert "Nobody answers." in screen_text(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, OpeningScreen))


async def test_what_cannot_be_is_a_sentence(store: Store) -> None:
    """A visit that fails to begin leads back, with its reason."""
    visits = Visits(Ending(None, "Port 8765 is taken by another program."))
    async with app_of(store, visits, HostRoom()).run_test() as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, OpeningScreen))
        await pilot.pause()
        assert "Port 8765 is taken" in screen_text(pilot)


async def test_a_table_that_was_closed_stays_until_one_goes(store: Store) -> None:
    """When the server ends it the table stays with its reason; r tries again."""
    visits = Visits()
    target = parse_room("ws://192.0.2.7:8765/r/KQ7MX")
    app = app_of(store, visits, JoinRoom(target))
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(GAME))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        visits.farewell = Ending("expired", "The room has expired.")
        visits.end()
        await until(pilot, lambda: app.stay.model.connection == "closed")
        await pilot.pause()
        assert "The room has expired." in screen_text(pilot)
        await pilot.press("r")
        await until(pilot, lambda: len(visits.goals) == 2)


async def test_joining_remembers_name_and_server(store: Store) -> None:
    """What was typed is there again the next time."""
    visits = Visits()
    async with app_of(store, visits).run_test() as pilot:
        await pilot.pause()
        await pilot.press("j")
        await until(pilot, lambda: isinstance(pilot.app.screen, JoinScreen))
        await pilot.pause()
        await pilot.press(*"192.0.2.7/r/KQ7MX", "enter")
        await entered(pilot, visits)
    settings = store.settings()
    assert (settings.name, settings.server) == ("Ann", "ws://192.0.2.7:8765/")


@pytest.mark.parametrize(
    ("goal", "code", "link"),
    [
        pytest.param(JoinRoom(HERE), "no_such_room", HERE.url, id="a link to nowhere"),
        pytest.param(WatchRoom(HERE), "wrong_password", HERE.url, id="a password to watch"),
        pytest.param(SEAT, "wrong_password", HERE.url, id="a password to come back"),
        pytest.param(JoinRoom(HERE.at(None)), "unreachable", HERE.server, id="a server"),
        pytest.param(SEAT, "no_such_room", None, id="a seat that is gone"),
        pytest.param(HostRoom(), "cannot_host", None, id="no server"),
    ],
)
async def test_a_link_is_never_typed_twice(
    store: Store, goal: Any, code: str, link: str | None
) -> None:
    """Whoever could not get in is where the link is, or the password; else on the first screen."""
    app = app_of(store, Visits(Ending(code, "So it is.")), goal)
    async with app.run_test() as pilot:
        shown = OpeningScreen if link is None else JoinScreen
        await until(pilot, lambda: isinstance(app.screen, shown))
        await pilot.pause()
        assert "So it is." in screen_text(pilot)
        if link is not None:
            assert app.screen.query_one("#link", Input).value == link
            focused = "password" if code == "wrong_password" else "link"
            assert app.screen.focused is app.screen.query_one(f"#{focused}")


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(("n", "ctrl+u", *"Zoe", "enter"), id="Enter"),
        pytest.param(("n", "ctrl+u", *"Zoe", "escape"), id="Escape"),
        pytest.param(("j", "down", "ctrl+u", *"Zoe", "escape"), id="where friends are joined"),
    ],
)
async def test_a_typed_name_is_the_name(store: Store, typed: tuple[str, ...]) -> None:
    """It is the setting at once: settings begin with it, change others, and leave it alone."""
    async with app_of(store, Visits()).run_test() as pilot:
        await pilot.pause()
        await pilot.press(*typed)
        await until(pilot, lambda: isinstance(pilot.app.screen, OpeningScreen))
        await until(pilot, lambda: store.settings().name == "Zoe")
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        await pilot.pause()
        assert "Zoe" in screen_text(pilot)
        await pilot.press("down", "right", "escape")
        await pilot.pause()
        assert pilot.app.screen.query_one("#name", Input).value == "Zoe"
    async with app_of(store, Visits(), OpenScreen()).run_test() as pilot:
        await pilot.pause()
        assert pilot.app.screen.query_one("#name", Input).value == "Zoe"


async def test_a_name_half_typed_is_taken_into_the_settings(store: Store) -> None:
    """A click on `settings` while one types is enough; a name that will not do stays out."""
    async with app_of(store, Visits()).run_test() as pilot:
        await pilot.pause()
        for typed, name in (("Zoe", "Zoe"), ("", "Zoe")):
            screen = pilot.app.screen
            assert isinstance(screen, OpeningScreen)
            await pilot.press("n", "ctrl+u", *typed)
            screen.press("settings")
            await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
            await pilot.pause()
            assert name in screen_text(pilot)
            assert store.settings().name == name
            await pilot.press("escape", "escape")
            await pilot.pause()


async def test_a_name_that_nobody_changed_is_not_written_down(store: Store) -> None:
    """Going through the field is no choice: the login's name stays the login's."""
    async with app_of(store, Visits()).run_test() as pilot:
        await pilot.pause()
        await pilot.press("n", "enter", "s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
    assert store.settings().name == ""


async def test_tables_of_a_server_are_browsed(store: Store) -> None:
    """From the opening screen and from the command line; what is chosen there is gone to."""
    visits = Visits()
    async with app_of(store, visits).run_test() as pilot:
        await pilot.pause()
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, RoomsScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, OpeningScreen))
    target = parse_room("ws://192.0.2.7:8765/r/KQ7MX")
    app = NanaApp(BrowseRooms(target.at(None), "Ann"), store, visits)
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, RoomsScreen))
        pilot.app.screen.post_message(RoomsScreen.Going(target, watch=False))
        await entered(pilot, visits)
        assert visits.goals == [(JoinRoom(target), "Ann")]
    assert store.settings().server == "ws://192.0.2.7:8765/"


async def test_a_kept_seat_is_offered(store: Store) -> None:
    """A seat that was kept is one key away."""
    kept = store.save(SEAT)
    visits = Visits()
    async with app_of(store, visits).run_test() as pilot:
        await pilot.pause()
        assert "KQ7MX" in screen_text(pilot)
        await pilot.press("r")
        await entered(pilot, visits)
        assert visits.goals[0][0] == kept


async def test_resuming_from_the_command_line(store: Store) -> None:
    """`nana resume` goes to the seat used last; without one the opening screen says so."""
    visits = Visits()
    async with app_of(store, visits, ComeBack()).run_test() as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, OpeningScreen))
        await pilot.pause()
        assert "No seat is saved." in screen_text(pilot)
    kept = store.save(SEAT)
    async with app_of(store, visits, ComeBack()).run_test() as pilot:
        await entered(pilot, visits)
        assert visits.goals[0][0] == kept


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
async def test_resuming_what_is_open_in_another_terminal(store: Store) -> None:
    """It is said, and how to take the seat over; `--here` goes there."""
    kept, other, visits = store.save(SEAT), Store(store.folders), Visits()
    assert other.hold(kept)
    async with app_of(store, visits, ComeBack()).run_test() as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, OpeningScreen))
        await pilot.pause()
        assert "nana resume --here" in screen_text(pilot)
    async with app_of(store, visits, ComeBack(here=True)).run_test() as pilot:
        await entered(pilot, visits)
        assert visits.goals[0][0] == kept
    other.release(kept)


async def test_a_seat_on_our_own_server_starts_it_again(store: Store) -> None:
    """Who hosted comes back by hosting: the room is where that server keeps it."""
    store.save(replace(SEAT, server="ws://127.0.0.1:9876/", own_server=True))
    visits = Visits()
    async with app_of(store, visits).run_test() as pilot:
        await pilot.pause()
        await pilot.press("r")
        await entered(pilot, visits)
        assert visits.goals[0][0] == HostRoom(9876)


async def test_the_menu_mutes_and_switches_for_good(store: Store) -> None:
    """What is chosen in the menu shows at once, and is there again the next time."""
    for times in range(2):
        visits = Visits()
        app = app_of(store, visits, HostRoom())
        async with app.run_test() as pilot:
            await entered(pilot, visits)
            visits.show(model_of(GAME))
            await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
            await pilot.press("m")
            await until(pilot, lambda: isinstance(pilot.app.screen, MenuScreen))
            if not times:
                await pilot.press("u", "1")
                await pilot.pause()
                assert "muted" in screen_text(pilot)
                await pilot.press("escape", "s")
                await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
                await pilot.press(*["down"] * 4, "enter")
                await until(pilot, lambda: not store.settings().bell)
            assert app.stay.model.muted == {"Bo"}
            assert not app.tuner.settings.bell
            assert app.tuner.settings.notify


async def test_settings_hold_at_once(store: Store) -> None:
    """Changed over a running game: one press reveals from then on, and the name is the new one."""
    visits = Visits()
    app = app_of(store, visits, HostRoom())
    store.remember(Settings(coached=True))
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        mine = snapshot_of(played(3))
        visits.show(model_of(mine))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        app.tuner.change("at_once", value=True)
        app.tuner.change("name", "Bea")
        await pilot.press("b")
        await pilot.pause()
        assert visits.play is not None
        assert visits.play.deeds == [("reveal", "b<", mine.step)]
    assert (store.settings().at_once, store.settings().name) == (True, "Bea")


async def test_the_palette_names_keys_and_settings(store: Store) -> None:
    """Everything is there by its name, with the key that holds; a setting changes from there."""
    store.keys_file.parent.mkdir(parents=True)
    store.keys_file.write_text('help = "f2"')
    app = app_of(store, Visits())
    async with app.run_test() as pilot:
        await pilot.pause()
        commands = {command.title: command for command in app.get_system_commands(app.screen)}
        assert "Keys and rules  (F2)" in commands
        assert "Talk  (t)" not in commands
        commands["Colours: paper"].callback()
        commands["Mouse: off"].callback()
        await until(pilot, lambda: store.settings().theme == "paper")
        assert not store.settings().mouse
        commands["Settings"].callback()
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))


async def test_a_name_that_is_a_letter_is_a_name(store: Store) -> None:
    """In the menu a name is meant, never the seat of that letter."""
    visits = Visits()
    app = app_of(store, visits, HostRoom())
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(replace(GAME, watching=("B",))))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        await pilot.press("m")
        await until(pilot, lambda: isinstance(pilot.app.screen, MenuScreen))
        await pilot.press("u", "2")
        await pilot.pause()
        assert app.stay.model.muted == {"B"}


async def test_the_menu_goes_with_its_table(store: Store) -> None:
    """A new phase takes the menu away with the screen below it."""
    visits = Visits()
    async with app_of(store, visits, HostRoom()).run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(lobby()))
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        await pilot.press("m", "x")
        await until(pilot, lambda: isinstance(pilot.app.screen, MenuScreen))
        visits.show(model_of(GAME))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))


async def test_unread_talk_survives_the_start(store: Store) -> None:
    """What was said in the lobby unseen is still counted at the table."""
    visits = Visits()
    async with app_of(store, visits, HostRoom()).run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(lobby(), lines=()))
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        line = Line("chat", "psst", "Bo", "B", 1)
        visits.show(model_of(lobby(), lines=(line,), seq=1))
        visits.show(model_of(GAME, lines=(line,), seq=1))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        await pilot.pause()
        assert " 1 new " in screen_text(pilot)


async def test_hints_are_skipped_for_good(store: Store) -> None:
    """The first game is coached until somebody says no; the next table has no hints."""
    for times in range(2):
        visits = Visits()
        async with app_of(store, visits, HostRoom()).run_test() as pilot:
            await entered(pilot, visits)
            visits.show(model_of(GAME))
            await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
            await pilot.pause()
            assert ("FIRST GAME" in screen_text(pilot)) == (not times)
            await pilot.press("x", "x")
            await pilot.pause()
    assert store.settings().coached


async def test_after_a_suspension_the_line_is_looked_at(store: Store) -> None:
    """Back from Ctrl+Z the session hurries."""
    visits = Visits()
    app = app_of(store, visits, HostRoom())
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        visits.show(model_of(GAME))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        app.app_resume_signal.publish(app)
        await pilot.pause()
        assert visits.play is not None
        assert visits.play.deeds == [("hurry",)]


async def test_being_replaced_says_so_and_stops(store: Store) -> None:
    """Who came in elsewhere is told where the seat is, and may take it back by hand."""
    visits = Visits()
    bye = Bye(code="replaced", text="You have come in from somewhere else.", retry="never")
    app = app_of(store, visits, JoinRoom(parse_room("ws://192.0.2.7:8765/r/KQ7MX")))
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        assert visits.play is not None
        visits.play.restorable = SEAT
        visits.show(model_of(GAME, bye=bye))
        visits.farewell = Ending("replaced", bye.text)
        visits.end()
        await until(pilot, lambda: app.stay.model.connection == "closed")
        await pilot.pause()
        assert "You have come in from somewhere else." in screen_text(pilot)
        assert "take it back to here" in screen_text(pilot)
        assert len(visits.goals) == 1
        await pilot.press("r")
        await until(pilot, lambda: len(visits.goals) == 2)
        assert visits.goals[1][0] == SEAT


async def test_the_table_after_a_game_has_the_link(store: Store) -> None:
    """A host whose friends have left reads on the table what others join by."""
    visits = Visits()
    over = snapshot_of(finished(3), seats={"B": {"left": True, "online": False}})
    app = app_of(store, visits, JoinRoom(parse_room("ws://192.0.2.7:8765/r/KQ7MX")))
    async with app.run_test(size=(100, 30)) as pilot:
        await entered(pilot, visits)
        visits.show(model_of(replace(over, you=replace(over.you, host=True))))
        await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
        await pilot.pause()
        assert "this link: ws://192.0.2.7:8765/r/KQ7MX" in screen_text(pilot)


async def test_themes_are_ours_and_remembered(store: Store) -> None:
    """Only themes made for the table are offered; the chosen one stays."""
    app = app_of(store, Visits())
    async with app.run_test() as pilot:
        await pilot.pause()
        assert set(app.available_themes) == {"night", "paper", "contrast"}
        app.theme = "paper"
        await until(pilot, lambda: store.settings().theme == "paper")


async def test_the_palette_opens(store: Store) -> None:
    """Ctrl+P offers what has no key of its own."""
    async with app_of(store, Visits()).run_test() as pilot:
        await pilot.pause()
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert "Games played  (g)" in screen_text(pilot)
        await pilot.press(*"keys")
        await until(pilot, lambda: "Keys and rules" in screen_text(pilot))


async def test_a_fault_is_a_sentence_and_a_file(store: Store) -> None:
    """A bug shows no traceback; what happened is in a file."""

    class Broken(Visits):
        async def __call__(self, goal: Goal, passport: Passport, enter: Any, tell: Any) -> Ending:
            raise ZeroDivisionError("planted")

    app = app_of(store, Broken(), HostRoom())
    with pytest.raises(Exception, match="planted"):
        async with app.run_test() as pilot:
            await until(pilot, lambda: not app.is_running)
    assert "planted" in (store.folders.state / "client.log").read_text()
    assert app.return_code == 1


async def test_a_signal_before_there_is_a_table_is_no_fault(store: Store) -> None:
    """The visit that it ends shows no further screen in an app that is closing."""
    visits = Visits()
    app = app_of(store, visits, JoinRoom(parse_room("ws://192.0.2.7:8765/r/KQ7MX")))
    async with app.run_test() as pilot:
        await entered(pilot, visits)
        app._end(128 + signal.SIGTERM)
        await until(pilot, lambda: not app.is_running)
    assert app.return_code == 128 + signal.SIGTERM
    assert not (store.folders.state / "client.log").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of another kind")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    """Killed politely, the app leaves the alternate screen and mouse mode before it goes."""
    ours, theirs = pty.openpty()
    environ = {**os.environ, "NANA_HOME": str(tmp_path), "TERM": "xterm-256color"}
    with subprocess.Popen(
        [sys.executable, "-m", "nana_client"],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environ,
    ) as process:  # fmt: skip
        os.close(theirs)
        seen = _read_until(ours, b"Your name")
        process.send_signal(number)
        seen += _read_until(ours, b"\x1b[?1049l")
        assert process.wait(20) == 128 + number
    os.close(ours)
    assert b"\x1b[?1000l" in seen
    assert b"Traceback" not in seen


def _read_until(descriptor: int, wanted: bytes) -> bytes:
    seen = b""
    while wanted not in seen:
        assert select.select([descriptor], [], [], 20)[0], f"{wanted!r} never came"
        seen += os.read(descriptor, 65536)
    return seen


async def test_what_is_wrong_with_own_files_is_told(store: Store) -> None:
    """The first flaw stands on the opening screen with how many more; all are said at the end."""
    store.keys_file.parent.mkdir(parents=True)
    store.keys_file.write_text('talk = "m"\nbogus = "x"\n')
    app = app_of(store, Visits())
    async with app.run_test() as pilot:
        await pilot.pause()
        text = " ".join(screen_text(pilot).split())
        assert "keys.toml: There is nothing called 'bogus'. And 1 more" in text
        await pilot.press("enter")  # the game begins nevertheless
        await until(pilot, lambda: isinstance(pilot.app.screen, WaitingScreen))
    assert [*last_words(app, store)] == [
        "nana: keys.toml: There is nothing called 'bogus'.",
        "nana: keys.toml: talk keeps t: m is the key of menu.",
    ]
