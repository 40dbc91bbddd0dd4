"""What a bot's author tests with: the fixtures as pytest finds them, and what they play."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from nana_bots.history import History
from nana_client.robot import BadWish, Bot, IllegalChoice, View
from nana_client.robot.testing import Table, server

ROOT: Final = Path(__file__).parents[2]
PLUGIN: Final = "nana_client.pytest_plugin"
PYTEST: Final = str(Path(sys.executable).with_name("pytest"))


class First(Bot):
    """Takes the first card; keeps what it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def begin(self, view: View) -> None:
        self.said.append(f"begin {view.you.seat}")

    def choose(self, view: View, history: History) -> str:
        assert history.attempts == sorted(history.attempts, key=lambda attempt: attempt.turn)
        return view.legal[0]

    def end(self, view: View, history: History) -> None:
        assert view.result is not None
        self.said.append(f"end {len(history.attempts)}")


OURS: Final = ("-p", PLUGIN, "-p", "no:cacheprovider")


@pytest.mark.parametrize(
    ("command", "checkout", "folder"),
    [
        pytest.param((sys.executable, "-m", "pytest", *OURS), False, ".", id="installed"),
        pytest.param((sys.executable, "-m", "pytest"), True, ".", id="in a checkout"),
        pytest.param((sys.executable, "-m", "pytest"), True, "mine", id="in a folder of one"),
        pytest.param((PYTEST,), True, ".", id="pytest alone in a checkout"),
    ],
)
def test_the_pages_tests_pass(
    command: tuple[str, ...], checkout: bool, folder: str, tmp_path: Path
) -> None:
    """The tests that the page shows, saved as it says, are found by pytest, and hold."""
    page = (ROOT / "docs" / "bots.md").read_text()
    blocks = re.findall(r"^```python[^\n]*\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (tests,) = [block for block in blocks if "nana_table" in block]
    environ = {**os.environ, "PYTEST_ADDOPTS": ""}
    if checkout:  # its pytest is the developers', with all that they have set up
        shutil.copy(ROOT / "pyproject.toml", tmp_path)
    else:
        environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    there = tmp_path / folder
    there.mkdir(exist_ok=True)
    (there / "test_parrot.py").write_text(tests)
    (there / "parrot.py").write_text(blocks[0])
    run = subprocess.run(
        [*command, "-q", "test_parrot.py"],
        cwd=there, capture_output=True, text=True, check=False, env=environ,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    assert "3 passed" in run.stdout


def test_the_plugin_is_found_where_nana_is_installed() -> None:
    """The package names it, and loading it loads nothing of the game."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"nana": PLUGIN}
    assert hasattr(import_module(PLUGIN), "nana_table")
    loaded = subprocess.run(
        [sys.executable, "-c", f"import sys, {PLUGIN}; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert not {"msgspec", "websockets", "asyncio", "nana_bots"} & set(loaded)


def test_games_at_a_table_are_the_same_again() -> None:
    """The same seed plays the same games, another one others; the seat moves on."""
    bot = First()
    score = Table().play(bot, "memory", "novice", games=3, seed=4)
    assert score == Table().play(First(), "memory", "novice", games=3, seed=4)
    assert score != Table().play(First(), "memory", "novice", games=3, seed=5)
    assert [word for word in bot.said if "begin" in word] == ["begin A", "begin B", "begin C"]
    assert sum(int(word[4:]) for word in bot.said if "end" in word) == score.turns
    assert score.share == score.won / 3


def test_an_illegal_choice_fails() -> None:
    """At a table in the test as at one with others."""

    class Wrong(First):
        def choose(self, view: View, history: History) -> str:
            return "c11"

    with pytest.raises(IllegalChoice, match="c11"):
        Table().play(Wrong())


def test_a_class_is_no_bot_yet() -> None:
    """Who forgets the brackets is told so, as by `run`."""
    with pytest.raises(BadWish, match=r"write First\(\)"):
        Table().play(First)  # type: ignore[arg-type]


def test_a_situation_is_what_the_seat_sees() -> None:
    """The hand, what lies open and what was seen; a shown attempt is cleared."""
    view, history = Table().situation("1.2.5/3.4.5 | 5.9 | A : c1 a<")
    assert (view.on_turn, view.you.seat, view.you.hand) == ("B", "B", (3, 4, 5))
    assert view.center == ("down", "down")
    assert view.legal == ("c1", "c2", "a<", "a>", "b<", "b>")
    assert [card.number for card in history.attempts[0].cards] == [5, 1]
    view, _ = Table().situation("1.2.5/3.4.5 | 5.9 | A : c1")
    assert view.center == (5, "down")
    assert view.attempt is not None
    assert [card.source for card in view.attempt.cards] == ["c1"]


async def test_a_server_of_ones_own() -> None:
    """It plays inside a running loop, too, in any number of rooms, and ends with its block."""
    with server() as own:
        for _ in range(2):
            (game,) = await own.play(First(), bots=1)
            assert game.proof == "verified"
    assert sum(" wins: " in line for line in own.said) == 2
