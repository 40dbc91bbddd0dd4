"""Looking back: at the game that is just over, over its table until the next one; at any other."""

import time
from collections.abc import Callable
from typing import Any

from textual.app import App

from nana_client.knowable import margin
from nana_client.model import Model
from nana_client.play import Play
from nana_client.played import Shelf
from nana_client.replay_tape import Tape
from nana_client.screens.games import GamesScreen
from nana_client.screens.replay import ReplayScreen
from nana_client.screens.sure import SureScreen
from nana_core.record import Record


class Lookback:
    """Whether a replay was asked for, and the screens that show what has been played."""

    def __init__(self, app: App[Any], moves: Callable[[], bool], shelf: Shelf) -> None:
        self._app, self._moves, self._shelf = app, moves, shelf
        self._asked = False

    def ask(self, play: Play) -> None:
        """Show the last game, now or as soon as its record is here."""
        self._asked = True
        if not self.heed(play.model):
            play.recall()

    def heed(self, model: Model) -> bool:
        """Show what was asked for, and take all of it away when the next game begins."""
        shot, record = model.snapshot, model.record
        if shot is None or shot.phase != "over":
            self._asked = False
            self._clear()
        elif self._asked and record is not None and record.game == shot.game:
            self._asked = False
            self.look(record, from_end=True)
            return True
        return False

    def look(self, record: Record, *, from_end: bool = False) -> None:
        """Show a game over whatever is on screen."""
        tape = Tape(record)
        at = max(0, tape.last - 1) if from_end else 0
        self._app.push_screen(ReplayScreen(tape, at=at, margin=margin, moves=self._moves))

    def browse(self, *, kept: bool) -> None:
        """Show the games that were played; `kept` tells whether they come there by themselves."""
        if not isinstance(self._app.screen, GamesScreen):
            self._app.push_screen(GamesScreen(self._shelf, kept=kept, clock=time.time))

    def close(self, kind: type[ReplayScreen | GamesScreen]) -> None:
        """Take away what was left, once: its kind tells, for none lies over its own kind."""
        if isinstance(self._app.screen, kind):
            self._app.pop_screen()

    def _clear(self) -> None:
        while isinstance(self._app.screen, ReplayScreen | GamesScreen | SureScreen):
            self._app.pop_screen()
