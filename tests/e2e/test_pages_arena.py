"""What docs/bots.md and the README say of the arena: each command is run as it is written."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS: Final = re.findall(r"^nana arena (.+)$", PAGE + README, re.MULTILINE)
ROWS: Final = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\d) \| [\d,]+ \|", PAGE, re.MULTILINE)
FEW: Final = ("--games", "2", "--processes", "1")  # of an option given twice the last counts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder as somebody has it who follows the page."""
    parrot = re.search(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert parrot
    (tmp_path / "parrot.py").write_text(parrot[1])
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def arena(folder: Path, *args: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "nana_client", "arena", *args],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "NANA_HOME": str(folder)},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


@pytest.mark.parametrize("command", [line for line in COMMANDS if "remote" not in line])
def test_a_command_of_the_page_plays(command: str, folder: Path) -> None:
    """It ends well, and reports each bot that it names."""
    if "perl" in command and shutil.which("perl") is None:
        pytest.skip("there is no perl here")
    words = shlex.split(command)
    out = arena(folder, *words, *FEW)
    bots = words[: next((at for at, word in enumerate(words) if word[:2] == "--"), len(words))]
    assert len(bots) > 1
    for bot in bots:
        assert re.search(rf"^{re.escape(bot)} +\d+\.\d%", out, re.MULTILINE)


def test_there_are_such_commands() -> None:
    """The patterns above find them."""
    assert len(COMMANDS) > 5
    assert len(ROWS) > 7


@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_a_row_of_the_figures_can_be_asked_for(row: tuple[str, str, str], folder: Path) -> None:
    """By the command that stands above the table."""
    one, others, players = row
    assert "`nana arena ONE OTHERS --players N --games 4000 --seed 1`" in PAGE
    out = arena(folder, one, others, "--players", players, "--seed", "1", *FEW)
    assert f" games at tables for {players}: 1 deal, seed 1." in out


def test_the_report_that_is_shown_is_the_one() -> None:
    """The first command prints what stands under it, but for the times."""
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    out = arena(ROOT, *shlex.split(COMMANDS[0]))
    times = re.compile(r" +\d+\.\d\d  \d+\.\d\d$", re.MULTILINE)
    assert times.sub("", out) == times.sub("", shown)
