"""What a terminal sends: keys come through, and no byte ends the game."""

import os
import selectors
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nana_client.driver import Typed

# The app, without the last resort that ends it after a while in any case.
UNFORCED = """
from nana_client import __main__, shell
shell.FAREWELL_SECONDS = 3600.0
__main__.main()
"""
OLD_MOUSE = b"\x1b[M \xf0\xf1"


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        pytest.param([b"a\x1b[A", "é".encode()], "a\x1b[Aé", id="keys"),
        pytest.param(["é".encode()[:1], "é".encode()[1:]], "é", id="a letter in two pieces"),
        pytest.param([b"a\xf0b", b"\xff"], "a\ufffdb\ufffd", id="no UTF-8"),
        pytest.param([b"a" + OLD_MOUSE + b"b"], "ab", id="an old mouse"),
        pytest.param([OLD_MOUSE[:4], OLD_MOUSE[4:] + b"b"], "b", id="an old mouse in pieces"),
        pytest.param([OLD_MOUSE * 3], "", id="an old mouse that moves"),
        pytest.param([b"\x1b"], "\x1b", id="Escape alone does not wait"),
        pytest.param([b"\x1b[<0;3;4M"], "\x1b[<0;3;4M", id="a mouse of today"),
    ],
)
def test_bytes_become_text(pieces: list[bytes], text: str) -> None:
    """Whatever cannot be read becomes a sign that means nothing, an old mouse nothing at all."""
    typed = Typed()
    assert "".join(map(typed.read, pieces)) == text


@contextmanager
def opened(home: Path, *start: str) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """Show nana's opening screen in a terminal; yield the screen's end, which is yours to close."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(ours, (24, 80))
    environ = {**os.environ, "TERM": "xterm-256color", "NANA_HOME": str(home)}
    command = [sys.executable, *(start or ("-m", "nana_client"))]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ
    ) as process:
        os.close(theirs)
        try:
            shows(ours, "play against")
            yield ours, process
        finally:
            process.kill()


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[int]:
    """Yield the screen's end of a terminal in which nana shows its opening screen."""
    with opened(tmp_path) as (ours, _):
        yield ours
    os.close(ours)


def test_no_byte_ends_the_app(terminal: int) -> None:
    """Noise on the line is nothing to it; the next key does what it does."""
    for noise in (OLD_MOUSE, b"\xff\xfe\xc3", b"\x00\x80\x9b", OLD_MOUSE[:4], b"!!"):
        os.write(terminal, noise)
    os.write(terminal, b"?")
    shows(terminal, "What it is about")


def test_what_is_pasted_is_only_text(terminal: int) -> None:
    """Sequences in a paste do not come back out of the field that they went into."""
    os.write(terminal, b"j")
    shows(terminal, "The link")
    os.write(terminal, b"\x1b[200~ws://h\x1b]0;owned\x07\x1b[2Jost\xe2\x80\xae/r/KQ7MX\x1b[201~")
    drawn = shows(terminal, "KQ7MX")
    assert "\x1b]0;owned" not in drawn
    assert "\x1b[2Jost" not in drawn
    assert "\u202e" not in drawn


def test_a_terminal_that_is_gone_ends_the_app_at_once(tmp_path: Path) -> None:
    """Nobody hangs up and nobody reads: it sees the end itself, and waits for no write."""
    with opened(tmp_path, "-c", UNFORCED) as (ours, process):
        os.close(ours)
        assert process.wait(60) != 0


def test_who_is_woken_twice_reads_once(tmp_path: Path) -> None:
    """A SIGCONT that is told late finds the terminal taken: keys count, and quitting is the end."""
    with opened(tmp_path) as (ours, process):
        for _ in range(3):
            process.send_signal(signal.SIGCONT)
            os.write(ours, b"?")
            shows(ours, "What it is about")
            os.write(ours, b"\x1b")
            shows(ours, "play against")
        os.write(ours, b"\x11")
        shows(ours, "\x1b[?1049l")
        assert process.wait(60) == 0
    os.close(ours)


def shows(terminal: int, words: str) -> str:
    """Read what is drawn until some words are among it."""
    drawn = ""
    with selectors.DefaultSelector() as selector:
        selector.register(terminal, selectors.EVENT_READ)
        while words not in drawn:
            assert selector.select(30), f"{words!r} never came: {drawn[-2000:]}"
            drawn += os.read(terminal, 65536).decode(errors="replace")
    return drawn
