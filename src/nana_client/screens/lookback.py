"""Looking back at the table: the game that is over, replayed over the table until the next."""

from collections.abc import Callable
from typing import Any

from textual.app import App

from nana_client.knowable import margin
from nana_client.model import Model
from nana_client.play import Play
from nana_client.replay_tape import Tape
from nana_client.screens.replay import ReplayScreen


class Lookback:
    """Whether a replay was asked for, and the screen that shows it when the record has come."""

    def __init__(self, app: App[Any], moves: Callable[[], bool]) -> None:
        self._app, self._moves = app, moves
        self._asked = False

    def ask(self, play: Play) -> None:
        """Show the last game, now or as soon as its record is here."""
        self._asked = True
        if not self.heed(play.model):
            play.recall()

    def heed(self, model: Model) -> bool:
        """Show what was asked for, and take it away when the next game begins."""
        shot, record = model.snapshot, model.record
        if shot is None or shot.phase != "over":
            self._asked = False
            self.close()
        elif self._asked and record is not None and record.game == shot.game:
            self._asked = False
            tape = Tape(record)
            self._app.push_screen(
                ReplayScreen(tape, at=max(0, tape.last - 1), margin=margin, moves=self._moves)
            )
            return True
        return False

    def close(self) -> None:
        if isinstance(self._app.screen, ReplayScreen):
            self._app.pop_screen()
