"""What surrounds the app: its themes, the signals of the system, the file for a fault."""

import asyncio
import contextlib
import signal
import traceback
from collections.abc import Callable
from pathlib import Path

from textual.app import App

from nana_client.theme import DEFAULT, LOOKS, themes


def dress(app: App[int], wanted: str) -> None:
    """Offer our own themes and no others, and put on the wanted one if it is among them."""
    for theme in themes():
        app.register_theme(theme)
    app.theme = wanted if wanted in LOOKS else DEFAULT
    for name in tuple(app.available_themes):
        if name not in LOOKS:
            app.unregister_theme(name)


def obey_signals(end: Callable[[int], None]) -> None:
    """End well when the terminal goes or somebody asks, so that it is left as it was."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, end, 128 + number)


def write_down_fault(log: Path) -> str:
    """Write the exception that is being handled into a file; say so in a sentence.

    What holds a secret shows none in its repr.
    """
    with contextlib.suppress(OSError):
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with log.open("a") as file:
            traceback.print_exc(file=file)
    return f"nana stopped because of a fault of its own. It is written down in {log}."
