"""Themes of one's own: what a file may say, and what is said where it may not."""

import re
from pathlib import Path

import pytest
from rich.color import ColorSystem
from textual.app import App

from nana_client import cli
from nana_client.app import NanaApp
from nana_client.looks import LOOKS, RAMP
from nana_client.own_looks import COLOURS, new_look, own_looks, read_look
from nana_client.start import OpenScreen
from nana_client.store import Folders, Store
from nana_client.theme import Look
from nana_client.themes import listed, run_themes
from nana_client.wardrobe import dress, look_of

MINE = (
    b'base = "contrast"\naccent = "#FA0"\nramp = ['
    + b", ".join(b'"#%06x"' % (0x102030 + 0x101010 * at) for at in range(12))
    + b"]\n"
)


def test_what_is_not_named_comes_from_the_base() -> None:
    """A file names what differs; short colours and capitals are taken, too."""
    look = read_look("mine", MINE)
    assert isinstance(look, Look)
    assert look.accent == "#ffaa00"
    assert look.text == LOOKS["contrast"].text
    assert len(look.ramp) == 12
    assert read_look("mine", b"") == LOOKS["night"]


@pytest.mark.parametrize(
    ("name", "text", "flaw"),
    [
        pytest.param("night", "", "a theme of nana's own", id="the name of ours"),
        pytest.param("My Theme", "", "small letters", id="a name with a space"),
        pytest.param("mine", "accent = ", "no TOML", id="not TOML"),
        pytest.param("mine", "x = " + "[" * 5000, "no TOML", id="deep"),
        pytest.param("mine", "#" * 20_000, "larger than", id="large"),
        pytest.param("mine", 'base = "dusk"', "base is one of night, paper, contrast", id="base"),
        pytest.param("mine", "base = 7", "base is one of", id="a base that is no word"),
        pytest.param("mine", 'tabel = "#000"', "no colour 'tabel'", id="an unknown colour"),
        pytest.param("mine", 'glow = "#000"', "no colour 'glow'", id="no colour of theirs"),
        pytest.param("mine", 'table = "blackish"', "not 'blackish'", id="no colour"),
        pytest.param("mine", "table = 7", "not '7'", id="a number"),
        pytest.param("mine", "table = [1]", "table is a colour", id="a list"),
        pytest.param("mine", 'ramp = ["#fff"]', "list of 12", id="a short ramp"),
        pytest.param("mine", f"ramp = {['#fff'] * 12}", "12 different", id="one colour"),
        pytest.param("mine", 'text = "#222222"', "text on table has a contrast", id="unread"),
        pytest.param("mine", f'back = "{RAMP[6]}"', "number 7 of the ramp", id="unseen"),
    ],
)
def test_what_is_wrong_is_said(name: str, text: str, flaw: str) -> None:
    """Each flaw is a sentence that says how it would be right, and there is no look."""
    said = read_look(name, text.encode())
    assert not isinstance(said, Look)
    assert flaw in "; ".join(said)


@pytest.mark.parametrize("base", LOOKS)
def test_a_new_file_is_its_base_until_it_is_changed(base: str) -> None:
    """It names every colour in lines that only wait for their # to go; each such line is good."""
    text = new_look(base)
    assert read_look("mine", text.encode()) == LOOKS[base]
    opened = re.sub(r"(?m)^# (?=\w+ = )", "", text)
    assert opened.count(" = ") == len(COLOURS) + 2
    assert read_look("mine", opened.encode()) == LOOKS[base]


def test_a_folder_is_read_and_the_bad_are_left_out(tmp_path: Path) -> None:
    """Good files are looks by their names; for each other there is a sentence with its path."""
    (tmp_path / "mine.toml").write_bytes(MINE)
    (tmp_path / "bad.toml").write_text("accent = 1", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / "folder.toml").mkdir()
    looks, troubles = own_looks(tmp_path)
    assert [*looks] == ["mine"]
    assert len(troubles) == 2
    assert str(tmp_path / "bad.toml") in troubles[0]
    assert own_looks(tmp_path / "none") == ({}, ())


async def test_an_own_theme_is_worn_and_offered(tmp_path: Path) -> None:
    """It stands beside ours, and the table is drawn by it."""
    (tmp_path / "mine.toml").write_bytes(MINE)
    looks, _ = own_looks(tmp_path)
    app: App[int] = App()
    app.console._color_system = ColorSystem.TRUECOLOR
    dress(app, "mine", looks)
    assert {*app.available_themes} == {*LOOKS, "mine"}
    async with app.run_test() as pilot:
        assert look_of(pilot.app.screen).accent == "#ffaa00"


def test_the_app_says_what_is_wrong(tmp_path: Path) -> None:
    """A theme that is chosen but broken leaves the default, and a sentence on the first screen."""
    store = Store(Folders(tmp_path, tmp_path, tmp_path))
    store.themes.mkdir()
    (store.themes / "bad.toml").write_text("accent = 1", encoding="utf-8")
    app = NanaApp(OpenScreen(), store)
    assert app.theme == "night"
    assert "bad.toml is left out" in store.troubles[-1]


def test_the_command_lists_and_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`nana themes` shows them all; --new writes a file to change, and never over one."""
    monkeypatch.setenv("NANA_HOME", str(tmp_path))
    assert cli.run(["themes", "--new", "mine", "--like", "paper"]) == 0
    assert 'base = "paper"' in (tmp_path / "config/themes/mine.toml").read_text()
    capsys.readouterr()
    assert cli.run(["themes"]) == 0
    out = capsys.readouterr().out
    assert "* night" in out
    assert "mine                 yours" in out
    assert "\x1b" not in out
    assert cli.run(["themes", "--new", "mine"]) == 2
    assert "there already" in capsys.readouterr().err
    assert cli.run(["themes", "--new", "Bad Name"]) == 2
    (tmp_path / "config/themes/bad.toml").write_text("accent = 1", encoding="utf-8")
    assert run_themes() == 1
    assert "left out" in capsys.readouterr().err


def test_a_list_in_colour_shows_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal each theme shows its twelve numbers on their colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    lines = [*listed({}, "paper", in_colour=True)]
    assert all(re.search(r"\x1b\[[0-9;]+m 12 ", line) for line in lines)
    assert lines[1].startswith("* paper")
