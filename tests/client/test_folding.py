"""Plain mode's lines on a terminal of any width: broken between words, never inside one."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from client.scenes import finished, lobby, played, snapshot_of
from nana_client.folding import folded
from nana_client.plain import MENU
from nana_client.rules import RULES
from nana_client.spoken import HELP
from nana_client.telling import table

WIDTHS = range(20, 131)
WIDE = "日本" * 6


def told() -> Iterator[str]:
    """Tell what plain mode says at length."""
    yield from (*MENU, *HELP)
    yield from (f"{title}: {text}" for title, text in RULES)
    for shot in (snapshot_of(played(5, "c1")), snapshot_of(finished(5)), lobby()):
        yield from table(shot)
    yield "  nana join wss://nana.example.org:8765/r/KQ7MX"
    yield f"B {WIDE}: {WIDE} {WIDE} {WIDE}"


def test_no_word_is_broken_at_any_width() -> None:
    """Only a word that is wider by itself passes the edge, and no word is lost or torn."""
    for line in told():
        for width in WIDTHS:
            lines = folded(line, width)
            assert " ".join(lines).split() == line.split()
            for part in lines:
                assert cell_len(part) <= width or len(part.split()) == 1, (width, part)
                assert part == part.rstrip() or part == line
            assert all(part.startswith("  ") for part in lines[1:]), (width, lines)


def test_what_fits_is_left_alone() -> None:
    """A line that is no wider than the terminal keeps every space it has."""
    for line in told():
        assert folded(line, max(1, cell_len(line))) == [line]


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        ("a table of words", 9, ["a table", "  of", "  words"]),
        ("  play    against three bots", 30, ["  play    against three bots"]),
        ("go      continue: clear the last attempt", 30,
         ["go      continue: clear the", "        last attempt"]),
        ("go      continue: clear", 20, ["go      continue:", "  clear"]),
        ("see https://example.org/a/long/link now", 20,
         ["see", "  https://example.org/a/long/link", "  now"]),
        ("", 40, [""]),
    ],
)  # fmt: skip
def test_how_lines_are_folded(line: str, width: int, lines: list[str]) -> None:
    """What goes on is set in, below its column where there is room; a link stays whole."""
    assert folded(line, width) == lines


@pytest.mark.parametrize("width", [40, 60, None])
def test_plain_mode_folds_on_a_terminal_alone(width: int | None, tmp_path: Path) -> None:
    """The real program: on a terminal no line is wider than it, through a pipe all stay whole."""
    said = plain(tmp_path, width)
    if width is None:
        assert [*said] == [*MENU]
    else:
        assert len(said) > len(MENU)
        assert all(cell_len(line) <= width for line in said)
        assert " ".join(said).split() == " ".join(MENU).split()


def plain(home: Path, width: int | None) -> list[str]:
    """Run plain mode until its input ends; return what it wrote, line by line."""
    command = [sys.executable, "-m", "nana_client", "--plain"]
    environ = {**os.environ, "NANA_HOME": str(home)}
    if width is None:
        done = subprocess.run(command, input=b"", capture_output=True, env=environ, check=True)
        return done.stdout.decode().splitlines()
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    subprocess.run(command, input=b"", stdout=theirs, env=environ, check=True)
    os.close(theirs)
    seen = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return seen.decode().splitlines()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux tells the end
        return b""
