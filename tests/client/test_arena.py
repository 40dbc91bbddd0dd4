"""`nana arena`: what it prints, and how it ends."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nana_bots.arena import Contest, Round, entrant
from nana_bots.arena.contest import play_round
from nana_bots.mind import LEVELS
from nana_client.arena.command import counted, run_arena
from nana_client.arena.sheet import as_text
from nana_client.cli import parse_args

NANA = (sys.executable, "-m", "nana_client")
EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"


def test_a_contest_is_reported_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each bot, then the turns and whether it can be repeated; no bar in a pipe."""
    asked = ["arena", "memory", "novice", "--players", "3", "--games", "3", "--processes", "1"]
    assert run_arena(parse_args(asked)) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "3 games at tables for 3: 1 deal, seed 1."
    assert [line.split()[0] for line in lines[3:5]] == ["memory", "novice"]
    assert lines[6].startswith("Half of the games took ")
    assert lines[7].startswith("No time budget was hit")
    assert err == ""


def test_a_contest_is_reported_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object, with what the lines say and more."""
    asked = ["arena", "memory", "random", "--games", "2", "--json", "--processes", "1"]
    assert run_arena(parse_args(asked)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["complete"] is True
    assert [one["name"] for one in report["standings"]] == ["memory", "random"]


def test_a_wrong_bot_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, as for every wrong command line."""
    assert run_arena(parse_args(["arena", "grandmaster"])) == 2
    err = capsys.readouterr().err
    assert err.startswith("nana: No bot is called grandmaster")
    assert err.endswith(" See: nana arena --help\n")
    assert all(name in err for name in (*LEVELS, "MODULE:CLASS", "exec:COMMAND", "remote"))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("perl bot.pl", "If that is a program, write 'exec:perl bot.pl'."),
        ("./bot.sh", "If that is a program, write 'exec:./bot.sh'."),
        ("ws://127.0.0.1:8765/r/KQ7MX", "with remote it prints a link for your bot."),
        ("epxert", "Is expert meant?"),
        ("parrot.py", "For a class in parrot.py write parrot:CLASS, for a program 'exec:python"),
        ("mybots.Parrot", "If that is a class, write mybots:Parrot."),
    ],
)
def test_what_is_meant_is_guessed(
    given: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who names a bot as other commands take it is told how it is named here."""
    assert arena(given, "random") == 2
    assert says in capsys.readouterr().err


def test_a_bot_of_ones_own_is_found_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """MODULE:CLASS needs no installation, in this process and in others."""
    (tmp_path / "onlyhere.py").write_text(
        "class First:\n    def choose(self, view, history):\n        return view.legal[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *sys.path])
    asked = ["arena", "onlyhere:First", "memory", "--games", "4", "--processes", "2"]
    assert run_arena(parse_args(asked)) == 0
    assert "onlyhere:First" in capsys.readouterr().out


def test_what_was_played_before_an_interruption_is_reported() -> None:
    """Ctrl+C in a long contest loses nothing."""
    contest = Contest((entrant("random"),), 2, games=8)

    def coming() -> Iterator[Round]:
        yield play_round(contest, 0)
        raise KeyboardInterrupt

    tally, early = counted(contest, coming())
    assert tally is not None
    report = tally.report()
    assert report.games == 2
    assert isinstance(early, KeyboardInterrupt)
    assert as_text(report, ended=False, chance="seed").startswith(
        "Interrupted; this is what was played."
    )


def test_an_interruption_before_the_first_deal_reports_nothing() -> None:
    """There is no share of no games."""
    contest = Contest((entrant("random"),), 2)

    def coming() -> Iterator[Round]:
        raise KeyboardInterrupt
        yield

    tally, early = counted(contest, coming())
    assert tally is not None
    assert tally.rounds == 0
    assert isinstance(early, KeyboardInterrupt)


# programs


def arena(*args: str) -> int:
    return run_arena(parse_args(["arena", *args]))


def program(folder: Path, text: str) -> str:
    """Write a program in Python; return its spec."""
    file = folder / "program.py"
    file.write_text(text)
    return f"exec:{sys.executable} {file}"


FIRST = """
import json, sys
for line in sys.stdin:
    view = json.loads(line)
    print(view["legal"][0], flush=True)
"""
SOMETIMES = FIRST.replace('view["legal"][0]', '"c99" if view["turn"] < 3 else view["legal"][0]')


HASTY = """
class Hasty:
    def __init__(self):
        self.cut_short = 0
    def choose(self, view, history):
        self.cut_short += 1
        return view.legal[0]
"""


def test_a_program_plays_in_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its games are played here, its time is told, and its chance is nobody's promise."""
    spec = program(tmp_path, FIRST)
    assert arena(spec, "memory", "--games", "4", "--json", "--processes", "1") == 0
    report = json.loads(capsys.readouterr().out)
    theirs = report["standings"][0]
    assert (theirs["name"], theirs["faults"]) == (spec, 0)
    assert theirs["mean_ms"] > 0
    assert report["repeatable"] is False


def test_a_programs_faults_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another card is drawn by the contest's own chance: it comes out the same again."""
    spec = program(tmp_path, SOMETIMES)
    outcomes = []
    for _ in "12":
        assert arena(spec, "memory", "--games", "2", "--json", "--processes", "1") == 0
        outcomes.append(json.loads(capsys.readouterr().out))
    assert outcomes[0]["results"] == outcomes[1]["results"]
    assert outcomes[0]["standings"][0]["faults"] >= 2
    assert arena(spec, "memory", "--games", "2", "--processes", "1") == 0
    assert "were made for it" in capsys.readouterr().out


def test_a_program_that_knows_no_card_spoils_the_contest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One sentence says what it wrote; there is nothing to measure, and no traceback of ours."""
    assert arena("exec:cat", "random", "--games", "2", "--processes", "1") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.match(r"nana: exec:cat failed in game 1 \(deal 1 of seed 1\), turn \d, as A: ", err)
    assert "Traceback" not in err


def test_a_program_has_the_time_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second, and not the ten of the usual."""
    spec = program(tmp_path, "import time\ntime.sleep(3600)\n")
    assert arena(spec, "random", "--games", "2", "--processes", "1", "--within", "1") == 1
    assert "It has not answered within 1 s" in capsys.readouterr().err


def test_a_program_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is played, with exit code 2."""
    assert arena("exec:nowhere/at_all", "random") == 2
    assert "There is no program nowhere/at_all" in capsys.readouterr().err


def test_what_a_bot_raises_is_shown_to_its_author(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line in the bot's own file, also from another process."""
    (tmp_path / "broken.py").write_text(
        "class Bot:\n    def choose(self, view, history):\n        return view.cards[7]\n"
        "class Unborn(Bot):\n    def __init__(self):\n        raise KeyError('brain')\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *sys.path])
    assert arena("broken:Bot", "random", "--games", "2", "--processes", "2") == 1
    err = capsys.readouterr().err
    assert "return view.cards[7]" in err
    assert "broken:Bot failed in game 1 (deal 1 of seed 1), turn " in err
    assert ": AttributeError: 'Snapshot' object has no attribute 'cards'" in err
    assert arena("broken:Unborn", "random", "--games", "2", "--processes", "2") == 1
    err = capsys.readouterr().err
    assert "raise KeyError('brain')" in err
    told = "nana: broken:Unborn failed in game 1 (deal 1 of seed 1): KeyError: 'brain'\n"
    assert err.endswith(told)


ILL = """
class Ill:
    def choose(self, view, history):
        return "c99" if view.game == 3 and view.turn > 4 else view.legal[-1]
"""


@pytest.fixture
def ill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bot that does something wrong in the third game, and not before."""
    (tmp_path / "ill.py").write_text(ILL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *sys.path])
    return "ill:Ill"


@pytest.mark.parametrize("at", ["--processes=1", "--processes=2", "--sockets"])
def test_what_was_played_before_a_fault_is_reported(
    at: str, ill: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The figures of the deals before it, then one sentence of what it did, and exit code 1."""
    assert arena(ill, "memory", "--games", "8", at) == 1
    out, err = capsys.readouterr()
    assert out.startswith("Interrupted; this is what was played.\n2 games at tables for 2: 1 deal")
    assert err.count("\n") == 1
    assert re.match(r"nana: ill:Ill failed .*in game 3.*, turn \d+, as [AB]: It chose 'c99', ", err)
    assert re.search(r"it had: (\S+ )*\S+\.$", err)


MOODY = """
import random
class Moody:
    def choose(self, view, history):
        return random.choice(view.legal)
"""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_pythons_own_chance_is_the_seeds(
    processes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Who draws from `random` plays the same again, which is what the report says of it."""
    (tmp_path / "moody.py").write_text(MOODY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *sys.path])
    said, kept = [], random.getstate()
    for _ in "12":
        assert arena("moody:Moody", "random", "--games", "6", "--processes", processes) == 0
        said.append(capsys.readouterr().out.split("\n\n")[2])
    assert said[0] == said[1]
    assert "the same seed gives the same results (" in said[0]
    assert said[0].endswith(
        "),\nif your bot draws from the Random that it is given, or from `random`.\n"
    )
    assert random.getstate() == kept
    assert arena("moody:Moody", "random", "--games", "2", "--sockets") == 0
    assert "bots that are not ours may play otherwise" in capsys.readouterr().out


@pytest.mark.parametrize("at", ["--processes=2", "--sockets"])
def test_faults_can_be_forgiven(at: str, ill: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With --forgive all is played; how often, and what was wrong first, is told."""
    assert arena(ill, "memory", "--games", "8", "--forgive", at) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("8 games")
    assert re.search(
        r"\d+ of \d+ choices of ill:Ill were made for it; the first in game 3, turn \d+, "
        r"as [AB]: It chose 'c99', which is not legal now; it had: ", out,
    )  # fmt: skip


def test_a_program_can_be_forgiven(capsys: pytest.CaptureFixture[str]) -> None:
    """It is never given up."""
    spec = "exec:cat"
    assert arena(spec, "memory", "--games", "2", "--forgive", "--processes", "1") == 0
    out = capsys.readouterr().out
    assert "exec:cat were made for it; the first in game 1, turn " in out
    assert "Its answer names no `source`" in out


# at a table


def test_levels_play_at_a_server_as_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The same word, the same deals, the same chance: the same games, over real sockets."""
    outcomes = []
    for _ in "12":
        assert arena("memory", "random", "--sockets", "--games", "4", "--json") == 0
        outcomes.append(json.loads(capsys.readouterr().out))
    one, other = outcomes
    assert (one["games"], one["deals"], one["repeatable"]) == (4, 2, True)
    assert one["results"] == other["results"]
    assert [bot["name"] for bot in one["standings"]] == ["memory", "random"]
    assert one["standings"][0]["choices"] > 0


def test_choices_cut_short_at_a_table_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What our own bots say of their choices comes through, game by game."""
    (tmp_path / "hasty.py").write_text(HASTY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *sys.path])
    assert arena("hasty:Hasty", "memory", "--sockets", "--games", "24", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    hasty, memory = report["standings"]
    assert hasty["cut_short"] == hasty["choices"] > 24
    assert memory["cut_short"] == 0
    assert report["repeatable"] is False


def test_a_table_has_no_more_bots_than_seats(capsys: pytest.CaptureFixture[str]) -> None:
    """A league is for bots that play here."""
    assert arena("memory", "random", "remote", "--players", "2") == 2
    assert "no place for 3 bots" in capsys.readouterr().err


def test_a_program_that_fails_at_a_table_spoils_the_contest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nobody waits for it for ever."""
    assert arena("exec:cat", "random", "--sockets", "--games", "2") == 1
    assert re.search(
        r"exec:cat failed at the table, in game 1, turn \d, as [AB]: cat: ", capsys.readouterr().err
    )


def test_a_bot_from_outside_joins_by_the_link(tmp_path: Path) -> None:
    """The arena prints it; one that leaves after each game may come again."""
    contest = subprocess.Popen(
        [*NANA, "arena", "remote", "random", "--games", "4", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "NANA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert contest.stderr is not None
    said = contest.stderr.readline()
    link = said.removeprefix("A bot from outside joins: ").strip()
    for _ in range(4):
        subprocess.run([sys.executable, EXAMPLE, link, "Scripty"], check=True, capture_output=True)
    out, err = contest.communicate(timeout=30)
    report = json.loads(out)
    assert err == ""
    assert [(one["name"], one["games"]) for one in report["standings"]] == [
        ("random", 4),
        ("Scripty", 4),
    ]
    assert (report["games"], report["repeatable"]) == (4, False)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_at_a_table_reports_what_was_played(tmp_path: Path) -> None:
    """And leaves no server behind."""
    contest = subprocess.Popen(
        [*NANA, "arena", "remote", "random", "--games", "99"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "NANA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert contest.stderr is not None
    link = contest.stderr.readline().removeprefix("A bot from outside joins: ").strip()
    for _ in range(3):
        subprocess.run([sys.executable, EXAMPLE, link, "Scripty"], check=True, capture_output=True)
    contest.send_signal(signal.SIGINT)
    out, err = contest.communicate(timeout=30)
    assert contest.returncode == 130
    assert out.startswith("Interrupted; this is what was played.\n2 games at tables for 2: 1 deal")
    assert err == ""
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(link.split(":")[2].split("/")[0])))
