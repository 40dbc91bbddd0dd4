"""SIGTERM and SIGHUP end a command as Ctrl+C does: what it has started goes with it.

Left alone, either would end this process on the spot, and leave programs behind.
"""

import signal
from collections.abc import Callable
from types import FrameType
from typing import Final

INTERRUPTED: Final = 128 + signal.SIGINT
NUMBERS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Windows has one of them


def run_stoppable(do: Callable[[], int]) -> int:
    """Return the exit code of `do`; of who was interrupted, 128 and the signal's number.

    Whoever started this with SIGHUP ignored, as `nohup` does, wants that to stay so.
    """
    told: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        told.append(number)
        interrupt = signal.getsignal(signal.SIGINT)  # also that of a running event loop
        if not callable(interrupt):  # begun in the background, where Ctrl+C is ignored
            interrupt = signal.default_int_handler
        interrupt(signal.SIGINT, frame)

    held = [number for number in NUMBERS if signal.getsignal(number) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, stop)) for number in held]
    try:
        code = do()
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    return 128 + told[0] if told and code == INTERRUPTED else code
