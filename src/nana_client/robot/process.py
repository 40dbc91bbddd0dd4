"""A program that runs beside this one: found, started, asked line by line, ended for sure."""

import atexit
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from nana_client.robot.lines import Fault, shown

LONGEST: Final = 1 << 16  # bytes of an answer


class NoProgram(Exception):  # noqa: N818 - what there is
    """The program cannot be run at all; the message says why, and what may help."""


class Process:
    """The process, with a thread that starts it and reads what it writes.

    Signals interrupt the main thread alone: no process comes into being that nobody knows
    of, whenever one comes.
    """

    def __init__(self, argv: list[str]) -> None:
        self._argv = argv
        self._process: subprocess.Popen[bytes] | None = None
        self._why: OSError | None = None
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._started = threading.Event()
        _running.add(self)
        threading.Thread(target=self._run, name="reading", daemon=True).start()
        self._started.wait()
        if self._why is not None:
            raise NoProgram(_why_not(argv, self._why))

    def ask(self, line: bytes, within: float) -> bytes:
        """Write one line, and read one; raise Fault."""
        if not self._lines.empty():
            if not (early := self._lines.get()):
                raise Fault(self._ended())
            raise Fault(f"It wrote a line that nobody had asked for: {shown(early)}.")
        if self._process is None or self._process.stdin is None:
            raise AssertionError("it was started, and its input asked for")
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            answer = self._lines.get(timeout=within)
        except (OSError, ValueError):
            raise Fault(self._ended()) from None
        except Empty:
            raise Fault(
                f"It has not answered within {within:g} s; does it take one line at a time, "
                "write a whole one, and flush?"
            ) from None
        if not answer:
            raise Fault(self._ended())
        return answer

    def end(self) -> None:
        """End it with all that it has started."""
        self._started.wait()
        _running.discard(self)
        if self._process is None:
            return
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _run(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - what the person here wants to run
                self._argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=sys.platform != "win32",  # so that it ends with its children
            )
        except OSError as error:
            self._why = error
            _running.discard(self)
        self._started.set()
        if self._process is not None:
            self._read(self._process)

    def _read(self, process: "subprocess.Popen[bytes]") -> None:
        """Hand lines over; an empty one says that there will be no more."""
        with contextlib.suppress(OSError, ValueError):
            while process.stdout is not None:
                line = process.stdout.readline(LONGEST)
                self._lines.put(line)
                if not line:
                    break
            if process.stdout is not None:
                process.stdout.close()

    def _ended(self) -> str:
        """Say how it ended; one that only closed its output has a moment to do so."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(timeout=0.5) if self._process is not None else 0
            if code < 0:
                return f"It was ended by {signal.Signals(-code).name}."
            more = "; it is asked more than once: does it read on?" if code == 0 else "."
            return f"It ended, with exit code {code}, instead of answering{more}"
        return "It has closed its output instead of answering."


_running: Final[set[Process]] = set()


@atexit.register
def end_all() -> None:
    """End every program that this one has started, and that runs still."""
    while _running:
        next(iter(_running)).end()


def parse_command(command: str | Sequence[str]) -> list[str]:
    """Split a command line, and see that its program is there; raise NoProgram."""
    try:
        argv = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise NoProgram(f"{command!r} is no command line: {error}.") from None
    if not argv:
        raise NoProgram("There is no program named.")
    if shutil.which(argv[0]) is None:
        raise NoProgram(_why_not(argv, None))
    return argv


def _why_not(argv: Sequence[str], error: OSError | None) -> str:
    program = argv[0]
    if Path(program).is_dir():
        return f"{program} is a folder, not a program."
    if error is None and not Path(program).exists():
        here = f"; if it is in this folder, write ./{program}" if "/" not in program else ""
        return f"There is no program {program}{here}."
    if error is None and Path(program).exists() and "/" not in program:
        return (
            f"{program} is not on the PATH; if you mean the one in this folder, write ./{program}."
        )
    return (
        f"{program} cannot be run ({error.strerror if error else 'not executable'}): make it "
        f"executable and let it begin with #!, or name what runs it, as in 'python3 {program}'."
    )
