"""Ctrl+Z in a real terminal: the shell comes back, whatever started the program; then `fg`."""

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.test_terminal import PATIENCE, Terminal, nana

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    try:
        yield terminal
    finally:
        terminal.tmux("kill-server")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(nana("play", "--bots", "1"), id="from the shell"),
        pytest.param(f"sh -c '{nana('play', '--bots', '1')}; true'", id="as make does"),
    ],
)
def test_back_to_the_shell_and_to_the_table(pane: Terminal, command: str) -> None:
    """The terminal is the shell's until `fg`, and then the table stands there as it was."""
    pane.run(command)
    pane.sees("turn 1", "Ann (you)")
    for _ in range(2):
        pane.press("C-z")
        pane.until(lambda _: pane.says("alternate_on") == "0")
        pane.is_as_it_was()
        pane.run("fg")
        pane.sees("turn 1", "Ann (you)")
    pane.press("C-c")
    pane.sees("A game is on. Leave?")
    pane.press("C-c")
    pane.until(lambda _: pane.says("alternate_on") == "0")
    pane.is_as_it_was()


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
def test_no_shell_no_stop(tmp_path: Path) -> None:
    """The first program of a terminal goes on: nobody is there to wake it."""
    ours, theirs = os.openpty()
    environ = {**os.environ, "NANA_HOME": str(tmp_path), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "nana_client"]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            shows(ours, "play against")
            os.write(ours, b"\x1a?")
            shows(ours, "Keys and rules")
        finally:
            process.kill()
            os.close(ours)


def shows(terminal: int, words: str) -> None:
    """Read what is drawn until some words are among it."""
    drawn = ""
    while words not in drawn:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        assert ready, f"{words!r} never came"
        drawn += os.read(terminal, 65536).decode(errors="replace")
