"""The app: one visit to a table at a time, and the screen that fits what is true now.

It owns the visit and the choice of the screen; screens own what they show. A change
of the model goes to the screen that shows the room, and nowhere else.
"""

import contextlib
import os
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import ClassVar, Final, TypeAlias

from textual.app import App, SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from nana_client.attention import Attention
from nana_client.breath import Breath
from nana_client.coach import Coach
from nana_client.ears import Ears
from nana_client.knowable import margin
from nana_client.model import Model
from nana_client.own_looks import own_looks
from nana_client.palette import Entry, entries
from nana_client.play import Play
from nana_client.played import Shelf
from nana_client.replay_says import keys_told as replay_keys
from nana_client.replay_tape import Tape
from nana_client.screens.games import GamesScreen
from nana_client.screens.help import HelpScreen
from nana_client.screens.join import JoinScreen
from nana_client.screens.leave import Answer, LeaveScreen, why_ask
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.lookback import Lookback
from nana_client.screens.menu import MenuScreen
from nana_client.screens.opening import OpeningScreen
from nana_client.screens.porch import Porch
from nana_client.screens.replay import ReplayScreen
from nana_client.screens.room import RoomScreen
from nana_client.screens.rooms import RoomsScreen
from nana_client.screens.settings import SettingsScreen
from nana_client.screens.table import TableScreen
from nana_client.screens.tuner import Tuner
from nana_client.screens.waiting import WaitingScreen
from nana_client.session import Ending, OnChange
from nana_client.shell import (
    can_be_woken,
    obey_signals,
    stop_until_woken,
    write_down_fault,
)
from nana_client.start import (
    BrowseGames,
    BrowseRooms,
    ComeBack,
    HostRoom,
    LookBack,
    OpenScreen,
    PlayBots,
    Start,
)
from nana_client.stay import Parting, Stay
from nana_client.store import Store
from nana_client.visit import Goal, OnEnter, Passport, Revivals, visit
from nana_client.wardrobe import PALETTE_CSS, dress
from nana_client.widgets.name_field import NameField
from nana_core.protocol.outbound import Outbound, Snapshot

Beginning: TypeAlias = Start | LookBack | BrowseRooms | BrowseGames
Visiting: TypeAlias = Callable[[Goal, Passport, OnEnter, OnChange], Awaitable[Ending]]

_DOING: Final = {
    PlayBots: "Setting up a table with bots …",
    HostRoom: "Starting the server for your table …",
}


class NanaApp(App[int]):
    """What a person plays with."""

    TITLE = "nana"
    CSS: ClassVar[str] = PALETTE_CSS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", "Leave", priority=True, show=False, id="quit"),
        Binding("ctrl+p", "command_palette", "Palette", priority=True, show=False, id="palette"),
        Binding("ctrl+c", "interrupt", "Leave", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", "Suspend", priority=True, show=False),
    ]

    def __init__(self, start: Beginning, store: Store, visiting: Visiting = visit) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)  # else: greys
        self._start, self._store, self._visiting = start, store, visiting
        self.tuner = Tuner(self, store, start.name, self._to_terminal)
        self.keyboard = store.keyboard()
        self._porch = Porch(store, self.tuner, self._put)
        self._ears = Ears(store)
        self._lookback = Lookback(self, self.tuner.moves, Shelf(store.records))
        self.stay = Stay(None, self._ears)
        self._place: RoomScreen | WaitingScreen | None = None
        self._quitting = False
        self._revivals = Revivals()
        self.attention = Attention(self._to_terminal)
        self.last_link: str | None = None
        own, flaws = own_looks(store.themes)
        store.troubles += flaws
        dress(self, self.tuner.settings.theme, own)

    def get_driver_class(self) -> type[Driver]:
        """Read what a terminal sends without stopping at a byte, where we have our own reader."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        from nana_client.driver import TolerantDriver  # noqa: PLC0415 - there is none on Windows

        return TolerantDriver

    # where one is

    def on_mount(self) -> None:
        obey_signals(self._end)
        own = {name: ",".join(self.keyboard.keys(name)) for name in ("quit", "palette")}
        self.set_keymap(own)
        self.app_suspend_signal.subscribe(self, self._rests)
        self.app_resume_signal.subscribe(self, self._woken)
        self.theme_changed_signal.subscribe(self, self._remember_theme)
        match self._start:
            case OpenScreen():
                self._open()
            case ComeBack(here=here):
                self.call_after_refresh(self._come_back, here=here)
            case BrowseRooms(server):
                self._put(RoomsScreen(server))
            case BrowseGames():
                self._browse_games()
            case LookBack(record, seat):
                self._put(ReplayScreen(Tape(record), seat, margin=margin, moves=self.tuner.moves))
            case goal:
                self._put(WaitingScreen(_DOING.get(type(goal), "Going to the table …")))
                self.call_after_refresh(self._go, goal)

    def _come_back(self, *, here: bool) -> None:
        """Go to the seat used last."""
        self._go_if(self._porch.back(here=here))

    def _open(self, trouble: str = "") -> None:
        self._place = None
        self._porch.open(trouble)

    def _put(self, screen: Screen[None]) -> None:
        """Make a screen the one at the bottom; whatever lay over the last one goes."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def _go(self, goal: Goal, doing: str | None = None) -> None:
        """Begin a stay."""
        self.stay = Stay(goal, self._ears)
        usual = _DOING.get(type(goal), "Going to the table …")
        self._place = WaitingScreen(doing or usual)
        self._put(self._place)
        self.run_worker(self._visit(goal, self.stay), group="visit", exclusive=True)

    async def _visit(self, goal: Goal, stay: Stay) -> None:
        passport = self._porch.passport
        ending = await self._visiting(goal, passport, stay.enter, self._heard)
        trouble = stay.end(ending)
        if self._quitting:
            self.exit(0)
        elif stay.leaving:
            self._open()
        elif self._revivals.allow(goal, ending):
            self.call_later(self._go, goal, "The server stopped by itself: starting it again …")
        elif stay.snapshot is None:
            self._place = None
            self._porch.turned_back(stay, ending, trouble)
        elif self._place is not None:
            self._show()

    def _heard(self, model: Model, _message: Outbound | None) -> None:
        """Show what is true now, on the screen that fits it."""
        stay = self.stay
        stay.hear(model)
        if stay.session is None or stay.leaving:
            return
        self.last_link = next(iter(stay.links), self.last_link)
        if stay.snapshot is not None:
            self._settle(stay.snapshot, stay.session)
        self._lookback.heed(model)
        self._show()

    def _show(self) -> None:
        """Let everything that shows the model show it as it is now."""
        model = self.stay.model
        self.attention.heed(model, self.tuner.settings, looked_at=self.app_focus)
        if self._place is not None:
            self._place.show(model)
        for screen in self.screen_stack:
            if isinstance(screen, MenuScreen):
                screen.show(model)

    def _settle(self, snapshot: Snapshot, play: Play) -> None:
        """Change to the lobby or the table when the phase asks for it."""
        wanted = LobbyScreen if snapshot.phase == "lobby" else TableScreen
        options_open = isinstance(self._place, LobbyScreen) and snapshot.phase == "over"
        if isinstance(self._place, wanted) or options_open:
            return
        lobby = wanted is LobbyScreen
        self._take(self._lobby(play) if lobby else self._table(play, Breath()))

    def _lobby(self, play: Play) -> LobbyScreen:
        return LobbyScreen(play, self.stay.links, private=self.stay.alone)

    def _table(self, play: Play, breath: Breath | None = None) -> TableScreen:
        """Lay a table; at one that somebody comes to the end of a game is yet to be seen."""
        settings = self.tuner.settings
        coach = Coach(keyboard=self.keyboard, at_once=settings.at_once)
        told = None if settings.coached else coach
        link = None if self.stay.alone else next(iter(self.stay.links), None)
        table = TableScreen(play, coach=told, moves=self.tuner.moves, breath=breath, link=link)
        self.tuner.suit(table)
        return table

    def _take(self, place: RoomScreen) -> None:
        """Show the room on this screen from now on; what was read stays read."""
        if isinstance(self._place, RoomScreen):
            place.read = self._place.read
        self._place = place
        self._put(place)
        place.show(self.stay.model)

    # what the screens ask for

    def _go_if(self, goal: Goal | None) -> None:
        if goal is not None:
            self._go(goal)

    def on_opening_screen_chosen(self, event: OpeningScreen.Chosen) -> None:
        self._go_if(self._porch.chosen(event))

    def on_opening_screen_asked(self, event: OpeningScreen.Asked) -> None:
        if event.what == "settings":
            self.tuner.open()
        elif event.what == "games":
            self._browse_games()
        else:
            self.push_screen(HelpScreen(rules_first=True, at_once=self.tuner.settings.at_once))

    def on_rooms_screen_left(self) -> None:
        self._open()

    def on_rooms_screen_going(self, event: RoomsScreen.Going) -> None:
        self._go(self._porch.found(event))

    def on_join_screen_left(self) -> None:
        self._open()

    def on_join_screen_going(self, event: JoinScreen.Going) -> None:
        self._go(self._porch.named(event))

    def on_room_screen_wished(self, event: RoomScreen.Wished) -> None:
        match event.wish:
            case "leave":
                self._leave()
            case "retry":
                self._retry()
            case "help":
                self.action_help()
            case "options" if self.stay.session is not None:
                self._take(self._lobby(self.stay.session))
            case "menu":
                self.action_menu()
            case "replay" if self.stay.session is not None:
                self._lookback.ask(self.stay.session)
            case "coached":
                self.tuner.remember(coached=True)
            case "copy" if self.last_link is not None:
                self.copy_to_clipboard(next(iter(self.stay.links), self.last_link))
            case _:
                pass

    def _retry(self) -> None:
        """Try again now: the connection, or the whole visit where it has ended."""
        if self.stay.session is not None:
            self.stay.session.hurry()
        else:
            self._go_if(self.stay.again(self._store))

    def _browse_games(self) -> None:
        self._lookback.browse(kept=self.tuner.settings.keep_games)

    def on_games_screen_chosen(self, event: GamesScreen.Chosen) -> None:
        if isinstance(self.screen, GamesScreen):  # not asked twice in one burst
            self._lookback.look(event.record)

    def on_games_screen_left(self) -> None:
        self.exit(0) if isinstance(self._start, BrowseGames) else self._lookback.close(GamesScreen)

    def on_replay_screen_closed(self) -> None:
        if isinstance(self._start, LookBack):
            self.exit(0)
        else:
            self._lookback.close(ReplayScreen)

    def on_replay_screen_asked(self) -> None:
        self.push_screen(HelpScreen(keys=replay_keys(self.keyboard)))

    # leaving

    def action_leave(self) -> None:
        self._leave(quitting=True)

    def action_suspend_process(self) -> None:
        """Ctrl+Z: back to the shell until `fg`; where there is none nothing happens."""
        with contextlib.suppress(SuspendNotSupported):
            if can_be_woken():
                with self.suspend():
                    stop_until_woken()

    def action_interrupt(self) -> None:
        """Ctrl+C: copies what is selected, else leaves."""
        selected = self.screen.get_selected_text()
        if selected:
            self.copy_to_clipboard(selected)
            self.screen.clear_selection()
        else:
            self._leave(quitting=True)

    def _leave(self, *, quitting: bool = False) -> None:
        """Leave the table, or the app; ask before, while a game is on or others stay behind."""
        stay, snapshot = self.stay, self.stay.snapshot
        between = isinstance(self._place, LobbyScreen) and snapshot and snapshot.phase == "over"
        if isinstance(self.screen, LeaveScreen):
            if quitting:  # else it was pressed at the table, before the question was there
                self.screen.dismiss("leave" if stay.alone else "keep")
        elif between and not quitting:
            self._back_to_table()
        elif stay.in_game or stay.leaves_others:

            def answered(answer: Answer | None) -> None:
                if answer in {"keep", "leave"}:
                    self.call_later(self._part, answer, quitting=quitting)  # once it is closed

            self.push_screen(LeaveScreen(why_ask(stay)), answered)
        else:
            self._part(stay.gentlest, quitting=quitting)

    def _back_to_table(self) -> None:
        if self.stay.session is not None:
            self._take(self._table(self.stay.session))

    def _part(self, how: Parting, *, quitting: bool) -> None:
        """End the stay; the app goes on, or ends, when its session has."""
        self._quitting = self._quitting or quitting
        if not self.stay.part(how):
            self.workers.cancel_group(self, "visit")
            self.exit(0) if quitting else self._open()

    def _end(self, code: int) -> None:
        if self.stay.session is not None:
            self.stay.session.close()
        self.workers.cancel_group(self, "visit")  # it would show the next screen, to nobody
        self.exit(code, return_code=code)

    # around the game

    def action_menu(self) -> None:
        stay = self.stay
        if stay.session is not None and stay.snapshot is not None:
            self.push_screen(MenuScreen(stay.session, stay.model))

    def on_menu_screen_chose(self, event: MenuScreen.Chose) -> None:
        verb, _, what = event.what.partition(" ")
        if verb == "options":
            self.on_room_screen_wished(RoomScreen.Wished("options"))
        elif verb == "mute":
            self.stay.mute(what)
        elif verb == "settings":
            self.tuner.open()
        self._show()

    def _rests(self, _app: object) -> None:
        """Before a suspension, give the terminal its title back."""
        self._to_terminal(self.attention.done())

    def _woken(self, _app: object) -> None:
        """After a suspension, look at once whether the line still holds."""
        self.tuner.woken()
        if self.stay.session is not None:
            self.stay.session.hurry()
        self._show()

    def _to_terminal(self, text: str) -> None:
        if self._driver is not None and text:
            self._driver.write(text)

    def action_help(self) -> None:
        self.push_screen(HelpScreen(at_once=self.tuner.settings.at_once))

    def on_name_field_named(self, event: NameField.Named) -> None:
        self.tuner.change("name", event.name)

    def on_settings_screen_changed(self, event: SettingsScreen.Changed) -> None:
        self.tuner.change(event.name, event.value)

    def _remember_theme(self, _theme: object) -> None:
        self.tuner.remember(theme=self.theme)

    def get_system_commands(
        self,
        screen: Screen[object],  # noqa: ARG002 - the library's signature
    ) -> Iterable[SystemCommand]:
        """List what the palette offers."""
        in_room = self.stay.session is not None and isinstance(self._place, RoomScreen)
        room = self.stay.snapshot if in_room else None
        phase = "" if room is None else room.phase
        for entry in entries(self.keyboard, self.tuner.shown, self.tuner.rows, phase):
            yield SystemCommand(entry.title, entry.says, partial(self._do, entry))

    def _do(self, entry: Entry) -> None:
        """Do what was chosen in the palette."""
        match entry.what.split():
            case ["set", name]:
                self.tuner.change(name, entry.value)
            case ["settings"]:
                self.tuner.open()
            case ["games"]:
                self._browse_games()
            case ["help"]:
                self.action_help()
            case ["quit"]:
                self.action_leave()
            case [deed] if isinstance(self._place, RoomScreen):
                self._place.press(deed)
            case _:
                pass

    def _fatal_error(self) -> None:
        """Say in a sentence that there was a fault; what it was goes to a file, without secrets."""
        self._return_value = 1
        self.panic(write_down_fault(self._store.folders.state / "client.log"))
