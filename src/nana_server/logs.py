"""How lines of the log look, for people or for programs, and what never gets into them.

One record is one line. Nothing that came from outside can forge another, colour a terminal
or turn the writing round. Of an exception its type and place are told: its text and the
values around it may hold a card, a token or what somebody said.
"""

import asyncio
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec

from nana_server.tally import Tally

PLACES: Final = 6  # of an exception's way through our code, the innermost first
FAULTS_LOGGED: Final = 5  # in one second; the rest is counted

log = logging.getLogger("nana.fault")


def configure(level: str, form: str) -> None:
    """Send the log to standard error; for the whole process."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Human())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.raiseExceptions = False  # a log that cannot be written disturbs nobody
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread


def escaped(text: str) -> str:
    """Replace what moves a cursor, hides or begins a line; everything else stays as it is."""
    if text.isprintable():
        return text
    return "".join(it if it.isprintable() else ascii(it)[1:-1] for it in text)


class Human(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = f"{_time(record)} {record.levelname} {record.name}: {escaped(record.getMessage())}"
        return f"{line}: {fault}" if (fault := _fault_in(record)) else line


class Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": escaped(record.getMessage()),
        }
        if fault := _fault_in(record):
            line["fault"] = fault
        return msgspec.json.encode(line).decode()


def _time(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _fault_in(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return "" if error is None else fault(error)


def fault(error: BaseException) -> str:
    """Name an exception's type and where it came from, innermost first; nothing that it says."""
    frames = traceback.extract_tb(error.__traceback__, limit=-PLACES)
    places = [f"{Path(it.filename).name}:{it.lineno} {it.name}" for it in reversed(frames)]
    return escaped(f"{type(error).__name__} at {' < '.join(places) or 'no place'}")


class Faults:
    """The loop's last resort: a bug ends what met it, is counted, and makes one line."""

    def __init__(self, tally: Tally, clock: Callable[[], float]) -> None:
        self._tally = tally
        self._clock = clock
        self._second = 0
        self._lines = 0

    def __call__(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._tally.faults += 1
        second = int(self._clock())
        if second != self._second:
            self._second, self._lines = second, 0
        self._lines += 1
        if self._lines <= FAULTS_LOGGED:
            error = context.get("exception")
            what = fault(error) if isinstance(error, BaseException) else "no exception"
            log.error("unexpected: %s", what)


def _uncaught(_: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("unexpected, and the end: %s", fault(error.with_traceback(trace)))


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        log.critical("unexpected, and a thread's end: %s", fault(args.exc_value))
