"""The settings while the app runs: changed in one place, remembered, and in force at once."""

import os
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from textual.app import App

from nana_client.motion import wants_calm
from nana_client.naming import name_for
from nana_client.options import Option
from nana_client.screens.opening import OpeningScreen
from nana_client.screens.settings import SettingsScreen
from nana_client.screens.table import TableScreen
from nana_client.settings import Settings
from nana_client.shelf import at_home
from nana_client.shell import mouse_mode
from nana_client.store import Store
from nana_client.tuning import tunings


class Tuner:
    """Holds the settings; `player` is the name that holds now, remembered or not."""

    def __init__(
        self, app: App[int], store: Store, name: str | None, to_terminal: Callable[[str], None]
    ) -> None:
        self._app, self._store, self._to_terminal = app, store, to_terminal
        self.settings = store.settings()
        self.player = name_for(name, self.settings.name)

    @property
    def shown(self) -> Settings:
        """The settings as they hold now, what was never chosen too."""
        return replace(self.settings, theme=self._app.theme, name=self.player)

    @property
    def rows(self) -> tuple[Option, ...]:
        return tunings(sorted(self._app.available_themes))

    def open(self) -> None:
        """Show the settings over whatever is on screen."""
        files = at_home(self._store.settings_file), at_home(self._store.keys_file)
        self._app.push_screen(SettingsScreen(self.shown, self.rows, files))

    def remember(self, **changes: str | int | bool) -> None:
        settings = replace(self.settings, **changes)
        if settings != self.settings:
            self.settings = settings
            self._store.remember(settings)

    def change(self, name: str, value: Any) -> None:
        """Change a setting: it is remembered, and holds at once."""
        if name == "theme":
            self._app.theme = value
        elif name == "name":
            self.player = value
        elif name == "mouse":
            self._to_terminal(mouse_mode(on=value))
        self.remember(**{name: value})
        for screen in self._app.screen_stack:
            self.suit(screen)

    def suit(self, screen: object) -> None:
        """Let a screen know what it draws or obeys by."""
        match screen:
            case SettingsScreen():
                screen.show(self.shown)
            case OpeningScreen():
                screen.rename(self.player)
            case TableScreen():
                screen.at_once = self.settings.at_once
            case _:
                pass

    def moves(self) -> bool:
        """Tell whether cards may be seen to move, as things are now."""
        calm = self._app.animation_level == "none" or wants_calm(os.environ)
        return self.settings.motion and not calm

    def woken(self) -> None:
        """After a suspension the library turns the mouse on again."""
        if not self.settings.mouse:
            self._to_terminal(mouse_mode(on=False))
