"""What surrounds the app: the signals of the system, and the file for a fault."""

import asyncio
import contextlib
import os
import signal
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

_MOUSE_MODES: Final = (1000, 1003, 1015, 1006)  # those that Textual sets
FAREWELL_SECONDS: Final = 5.0  # what ending well may take


def obey_signals(end: Callable[[int], None]) -> None:
    """End well when the terminal goes or somebody asks, so that it is left as it was."""

    def obey(code: int) -> None:
        _go_at_last(code)
        end(code)

    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, obey, 128 + number)


def _go_at_last(code: int) -> None:
    """Go in any case, later: Textual waits for ever to write to a terminal that is gone."""
    late = threading.Timer(FAREWELL_SECONDS, os._exit, (code,))
    late.daemon = True
    late.start()


def mouse_mode(*, on: bool) -> str:
    """Return what makes the terminal tell of its mouse, or no longer."""
    return "".join(f"\x1b[?{mode}{'h' if on else 'l'}" for mode in _MOUSE_MODES)


def can_be_woken() -> bool:
    """Tell whether there is a shell behind us: the first program of a terminal has none."""
    return os.getpgrp() != os.getsid(0)


def stop_until_woken() -> None:
    """Stop, and with us who waits for us in the same job, like `make`.

    A shell takes its terminal back when the whole job has stopped, not before.
    """
    os.kill(0, signal.SIGSTOP)


def write_down_fault(log: Path) -> str:
    """Write the exception that is being handled into a file; say so in a sentence.

    What holds a secret shows none in its repr.
    """
    with contextlib.suppress(OSError):
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with log.open("a") as file:
            traceback.print_exc(file=file)
    return f"nana stopped because of a fault of its own. It is written down in {log}."
