"""A terminal that is played in by mouse, changes its size, and is left and come back to."""

import os
import re
import shutil
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from e2e.drawn import aimed_at, aimed_key, asked, is_over, sentence, spot_of, spots
from e2e.test_terminal import (
    Terminal,
    end_the_game,
    is_the_end,
    nana,
    set_the_pace,
)

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
NOWHERE = -1, -1
SIZES = ((100, 30), (44, 13), (140, 40), (30, 8), (76, 10), (200, 60), (80, 24))


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    try:
        yield terminal
    finally:
        terminal.close()


def click(pane: Terminal, spot: tuple[int, int]) -> None:
    """Press and release the left button there, as terminals of today report it."""
    x, y = spot[0] + 1, spot[1] + 1
    for end in "Mm":
        pane.tmux("send-keys", "-H", *(f"{ord(char):02x}" for char in f"\x1b[<0;{x};{y}{end}"))


def test_a_game_by_mouse(pane: Terminal) -> None:
    """Cards are aimed at and turned, misses are sent back, and it ends: without a key."""
    pane.run(nana("play", "--bots", "2", "--level", "memory", "--no-motion"))
    pane.sees("turn 1", "Ann (you)")
    end_the_game(pane)
    set_the_pace(pane)
    text = pane.sees("game 2 · turn")
    chance = Random(3)
    while not is_over(text):
        match asked(text):
            case "to go on":
                click(pane, spot_of(text, "Space"))
                text = pane.asks_else(text)
            case "a card":
                text = aimed(pane, text, chance.choice([*spots(text)]))
            case "to reveal":
                marked = pane.until(lambda text: aimed_at(text) is not None)
                click(pane, aimed_at(marked) or NOWHERE)
                text = pane.asks_else(text)
            case None:
                text = pane.changes(text)
    pane.until(is_the_end)


def aimed(pane: Terminal, before: str, key: str) -> str:
    """Click on a card until it is aimed at; return the screen that says so.

    The board may be drawn a moment after the prompt: then the card is clicked on where it has come
    to lie. Where it has none any more, or what is asked is another thing, that is returned.
    """
    text, clicked = before, NOWHERE
    while sentence(text) == sentence(before) or aimed_key(text) not in {key, None}:
        spot = spots(text).get(key)
        if spot is None:
            return text
        if spot != clicked:
            clicked = spot
            click(pane, spot)
        text = pane.changes(text)
    return text


def test_a_game_goes_on_at_every_size(pane: Terminal) -> None:
    """Resized again and again, on one's own turn and on others', the table is drawn whole."""
    pane.run(nana("play", "--bots", "1"))
    pane.sees("turn 1", "Ann (you)")
    for width, height in SIZES:
        pane.tmux("resize-window", "-x", str(width), "-y", str(height))
        text = pane.until(lambda text, width=width, height=height: fits(text, width, height))  # type: ignore[misc]
        pane.press("space", "enter")
        assert pane.says("pane_dead") == "0", text
    pane.sees("Ann (you)")
    leave(pane)


def fits(text: str, width: int, height: int) -> bool:
    """Tell whether the footer stands in the last row, and the rim of the table is whole."""
    rows = text.splitlines()
    if width < 44 or height < 9:
        return "more room" in text
    title = rows[0].startswith(" nana ") and rows[0].rstrip().endswith("●")
    footer = len(rows) == height and rows[-1].startswith(" t talk")
    corners = [bool(re.search(sides, text)) for sides in ("[╭┏][─━].*[╮┓]", "[╰┗][─━].*[╯┛]")]
    return title and len(rows[0].rstrip()) >= width - 2 and footer and corners[0] == corners[1]


def leave(pane: Terminal) -> None:
    pane.press("C-c")
    pane.sees("A game is on. Leave?")
    pane.press("C-c")
    pane.is_as_it_was()


@contextmanager
def attached(pane: Terminal, width: int, height: int) -> Iterator[int]:
    """Attach to the pane from a terminal of this size, as somebody does who comes by SSH."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(ours, (height, width))
    command = ["tmux", "-S", pane._socket, "attach"]
    environ = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            yield ours
        finally:
            process.send_signal(signal.SIGHUP)
            drained(ours)
            process.wait(timeout=30)
            os.close(ours)


def drained(terminal: int) -> None:
    """Read until nobody writes there any more."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:  # Linux says so when the other side is closed
        pass


def test_detached_and_attached_again(pane: Terminal) -> None:
    """Left alone in tmux, and looked at again from terminals of other sizes, the game goes on."""
    pane.tmux("set-option", "-g", "window-size", "latest")
    pane.run(nana("play", "--bots", "1"))
    pane.sees("turn 1", "Ann (you)")
    for width, height in ((120, 41), (90, 31), (80, 25)):
        with attached(pane, width, height) as screen:
            pane.until(
                lambda text, width=width, height=height: fits(text, width, height - 1)  # type: ignore[misc]
            )
            os.write(screen, b"?")
            pane.sees("Keys and rules", "any other key")
            os.write(screen, b"\x1b")
            pane.sees("Ann (you)")
        pane.sees("Ann (you)")
    leave(pane)
