"""An evening's games in a real terminal: played, left, found again and looked at."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.test_terminal import Terminal, end_the_game, is_the_end, nana, set_the_pace

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    try:
        yield terminal
    finally:
        terminal.close()


def records(pane: Terminal) -> list[Path]:
    return sorted((pane.home / "nana" / "data" / "records").glob("*.json"))


def test_an_evenings_games_are_there_again(pane: Terminal) -> None:
    """Two games against bots, kept unasked; from the opening screen each opens, one is deleted."""
    pane.run(nana("--no-motion"))
    pane.sees("play against")
    pane.press("Left", "Left", "enter")
    pane.sees("turn 1", "Ann (you)")
    end_the_game(pane)
    set_the_pace(pane)
    pane.sees("game 2 · turn")
    pane.play(seed=3)
    pane.until(is_the_end)
    pane.press("escape")
    pane.sees("play against", "g games")
    assert len(records(pane)) == 2
    pane.press("g")
    pane.sees("Games played  2", "▸ today", "game 2, against bots", "A Ann (you), B ")
    pane.press("enter")
    pane.sees("replay", "game 2", "all hands open", "✓ verified", "DEALT")
    pane.press("End")
    pane.until(lambda text: "wins" in text or "YOU WIN" in text)
    pane.press("escape")
    pane.sees("Games played  2")
    pane.press("Down", "x")
    pane.sees("Delete this game?")
    pane.press("y")
    pane.sees("Games played  1", "Deleted.")
    (left,) = records(pane)
    pane.press("escape")
    pane.sees("play against")
    pane.press("C-q")
    pane.is_as_it_was()
    pane.run(nana("replay", "| cat"))
    pane.sees(f"{left.name.split('-')[1]} game 2  ")
    pane.run("clear")
    pane.is_at_the_shell()
    pane.run(nana("replay"))
    pane.sees("Games played  1")
    pane.press("escape")
    pane.is_as_it_was()
