"""`nana arena`: what it prints, and how it ends."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nana_bots.arena import Contest, Round, Tally, entrant
from nana_bots.arena.contest import play_round
from nana_client.arena.command import played, run_arena
from nana_client.arena.sheet import as_text
from nana_client.cli import parse_args


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
    assert capsys.readouterr().err.startswith("nana: No bot is called grandmaster")


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

    report, ended = played(contest, coming())
    assert report is not None
    assert (report.games, ended) == (2, False)
    assert as_text(report, ended=ended).startswith("Interrupted; this is what was played.")


def test_an_interruption_before_the_first_deal_reports_nothing() -> None:
    """There is no share of no games."""
    contest = Contest((entrant("random"),), 2)

    def coming() -> Iterator[Round]:
        raise KeyboardInterrupt
        yield

    assert played(contest, coming()) == (None, False)
    assert Tally(contest).rounds == 0
