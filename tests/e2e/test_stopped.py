"""Ctrl+Z in a real terminal: the shell comes back, whatever started the program; then `fg`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.test_terminal import Terminal, nana

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


def test_no_shell_no_stop(pane: Terminal) -> None:
    """The only program of a terminal plays on: nobody could wake it."""
    pane.run(f"exec {nana('play', '--bots', '1')}")
    pane.sees("turn 1", "Ann (you)")
    pane.press("C-z", "?")
    pane.sees("Keys and rules")
