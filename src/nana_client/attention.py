"""Drawing somebody's eye to the table: bell, notification and title of the terminal.

Bytes for the terminal, and when to send them. What they say is the table's own words
and its room's code; nothing that a player typed gets in here.
"""

import os
from collections.abc import Callable, Mapping
from typing import Final

from nana_client.model import Model, seat_view
from nana_client.settings import Settings
from nana_client.widgets.sheet import printable

_BELL: Final = "\a"
_SAVE_TITLE: Final = "\x1b[22;2t"
_RESTORE_TITLE: Final = "\x1b[23;2t"
_OSC_9: Final = frozenset({"iTerm.app", "WezTerm", "ghostty"})  # by TERM_PROGRAM


def notification(text: str, environ: Mapping[str, str]) -> str:
    """Return what makes this terminal notify; nothing where it is not known to."""
    term = environ.get("TERM", "")
    if environ.get("TMUX") or environ.get("STY"):
        return ""  # a multiplexer keeps it to itself; the bell marks its window
    if environ.get("TERM_PROGRAM") in _OSC_9 or "KITTY_WINDOW_ID" in environ:
        return f"\x1b]9;{printable(text)}\a"
    if term.startswith(("foot", "rxvt")) or "VTE_VERSION" in environ:
        return f"\x1b]777;notify;nana;{printable(text)}\a"
    return ""


def title(text: str, environ: Mapping[str, str]) -> str:
    """Return what sets the terminal's title; consoles have none."""
    if environ.get("TERM", "") in {"", "dumb", "linux"}:
        return ""
    return f"\x1b]2;{printable(text)}\a"


class Attention:
    """Says each thing once: when a turn begins, and when the title is another one."""

    def __init__(
        self, write: Callable[[str], None], environ: Mapping[str, str] = os.environ
    ) -> None:
        self._write, self._environ = write, environ
        self._was_yours = False
        self._title: str | None = None

    def heed(self, model: Model, settings: Settings, *, looked_at: bool) -> None:
        """Hear what is true now; ring if a turn begins that nobody looks at."""
        yours = is_yours(model)
        if yours and not self._was_yours and not looked_at and model.snapshot is not None:
            self._ring(f"Your turn at table {model.snapshot.room}", settings)
        self._was_yours = yours
        self._entitle(words(model) if settings.title else None)

    def done(self) -> str:
        """Return what gives the terminal its own title back."""
        had, self._title = self._title, None
        return _RESTORE_TITLE if had is not None else ""

    def _ring(self, text: str, settings: Settings) -> None:
        if settings.bell:
            self._write(_BELL)
        if settings.notify and (sequence := notification(text, self._environ)):
            self._write(sequence)

    def _entitle(self, text: str | None) -> None:
        if text == self._title:
            return
        sequence = title(text, self._environ) if text is not None else self.done()
        if sequence:
            self._write(
                sequence if self._title is not None or text is None else _SAVE_TITLE + sequence
            )
            self._title = text


def is_yours(model: Model) -> bool:
    """Tell whether the table waits for this person."""
    shot = model.snapshot
    if shot is None or shot.phase != "playing" or shot.paused or not model.my_turn:
        return False
    me = seat_view(shot, shot.you.seat)
    return me is not None and not me.stand_in


def words(model: Model) -> str:
    """Say the state of the table in a few words."""
    shot = model.snapshot
    if shot is None:
        return "nana"
    if model.connection != "open":
        return f"nana {shot.room} · no line"
    if shot.paused:
        return f"nana {shot.room} · paused"
    return f"▶ your turn · nana {shot.room}" if is_yours(model) else f"nana {shot.room}"
