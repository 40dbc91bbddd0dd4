"""A signal ends a command as Ctrl+C does: nothing that it has started is left behind."""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
PATIENCE: Final = 30.0  # seconds
NANA: Final = (sys.executable, "-m", "nana_client")
DEAF: Final = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
with open(sys.argv[1], "w") as told:  # whoever holds this pipe lives
    told.write("here\\n")
    told.flush()
    time.sleep(3600)
"""
SLOW: Final = """
import os, time
class Slow:
    def choose(self, view, history):
        if view.game == 41:
            with open("told", "w") as told:
                told.write("here\\n")
                told.flush()
                time.sleep(3600)
        return view.legal[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a program that hears no signal, and a pipe that it holds open."""
    (tmp_path / "deaf.py").write_text(DEAF)
    (tmp_path / "slow.py").write_text(SLOW)
    os.mkfifo(tmp_path / "told")
    return tmp_path


def started(folder: Path, *command: str) -> "subprocess.Popen[str]":
    environ = {**os.environ, "NANA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        command, cwd=folder, env=environ, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@contextmanager
def at_work(folder: Path) -> Iterator[int]:
    """Wait until a child says that it is there; yields what ends with the last of them."""
    told = os.open(folder / "told", os.O_RDONLY | os.O_NONBLOCK)
    try:
        ready, _, _ = select.select([told], [], [], PATIENCE)
        assert ready, "no child has come to work"
        assert os.read(told, 5) == b"here\n"
        os.set_blocking(told, True)
        yield told
    finally:
        os.close(told)


def ends(told: int) -> bool:
    """Wait until nobody holds the other end any more."""
    while select.select([told], [], [], PATIENCE)[0]:
        if not os.read(told, 5):
            return True
    return False


def stopped(command: "subprocess.Popen[str]", folder: Path, number: int) -> tuple[str, str]:
    """Send a signal when a child is at work; return what was said once all that held on is gone."""
    with at_work(folder) as told:
        command.send_signal(number)
        said = command.communicate(timeout=PATIENCE)  # its output ends with the last that holds it
        assert ends(told)
    return said


DEAF_BOT: Final = f"{sys.executable} deaf.py told"
COMMANDS: Final = {
    "arena": (*NANA, "arena", f"exec:{DEAF_BOT}", "random", "--processes", "1"),
    "arena on two cores": (*NANA, "arena", f"exec:{DEAF_BOT}", "random", "--processes", "2"),
    "arena at a table": (*NANA, "arena", f"exec:{DEAF_BOT}", "random", "--sockets"),
    "bot": (*NANA, "bot", "--exec", DEAF_BOT),
    "conformance": (*NANA, "conformance", "--bot", f"{DEAF_BOT} {{}}"),
}
LEAVES: Final = {"bot"}  # it says goodbye, and has done what it was told


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("what", COMMANDS)
def test_nothing_is_left_behind(what: str, number: signal.Signals, folder: Path) -> None:
    """The program that it runs is gone, however deaf, and so is the server."""
    command = started(folder, *COMMANDS[what])
    _, err = stopped(command, folder, number)
    assert command.returncode == (0 if what in LEAVES else 128 + number), err
    assert err == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_was_played_is_reported(number: signal.Signals, folder: Path) -> None:
    """At once, though a bot in another process thinks for an hour."""
    command = started(folder, *NANA, "arena", "slow:Slow", "random", "--processes", "2")
    out, err = stopped(command, folder, number)
    assert err == ""
    assert out.startswith("Interrupted; this is what was played.\n")
    assert re.search(r"^\d+ games at tables for 2", out, re.MULTILINE)


def test_nohup_is_kept_to(folder: Path) -> None:
    """Who has SIGHUP ignored wants the command to go on when the terminal closes."""
    command = started(
        folder, "sh", "-c", f"trap '' HUP; exec {sys.executable} -m nana_client arena "
        f"'exec:{DEAF_BOT}' random --processes 1",
    )  # fmt: skip
    with at_work(folder):
        command.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            command.communicate(timeout=0.5)
        command.send_signal(signal.SIGTERM)
        command.communicate(timeout=PATIENCE)
    assert command.returncode == 128 + signal.SIGTERM


def test_the_crew_ends_with_its_master(folder: Path) -> None:
    """Also when that is killed, and can tell nobody."""
    command = started(folder, *NANA, "arena", "slow:Slow", "random", "--processes", "2")
    with at_work(folder) as told:
        command.kill()
        command.communicate(timeout=PATIENCE)
        assert ends(told)
