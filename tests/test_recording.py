"""The recorded session: a game that was won in a terminal, and the picture that moves."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from cast_svg import Frame, moving
from make_recording import HEIGHT, IDLE, LONGEST, WIDTH, Piece, frames, shortened
from terminal import Terminal

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
MOST_BYTES: Final = 2_500_000


@pytest.fixture(scope="module")
def cast() -> list[Piece]:
    """Read the recording as any player of asciicasts does."""
    head, *lines = (FOLDER / "session.cast").read_text(encoding="utf-8").splitlines()
    told = json.loads(head)
    assert (told["version"], told["width"], told["height"]) == (2, WIDTH, HEIGHT)
    events = [json.loads(line) for line in lines]
    assert {kind for _, kind, _ in events} == {"o"}
    return [Piece(at, text) for at, _, text in events]


def test_it_is_a_game_from_its_beginning_to_its_replay(cast: list[Piece]) -> None:
    """It opens, a set is found, Ann wins with a verified deal, and the game is looked at again."""
    terminal, seen = Terminal(WIDTH, HEIGHT), list[str]()
    for piece in cast:
        terminal.feed(piece.text)
        seen.append(terminal.text)
    wanted = ["play against", "turn 1", "MATCH", "YOU WIN", "all hands open"]
    found = [next((at for at, text in enumerate(seen) if word in text), -1) for word in wanted]
    assert -1 not in found, found
    assert found == sorted(found)
    assert any("✓ fair deal" in text for text in seen)
    assert "\x1b[?1049l" in "".join(piece.text for piece in cast[-9:]), "the terminal is restored"


def test_nobody_waits_long(cast: list[Piece]) -> None:
    """It has no long pause, is not long, and is no large file."""
    gaps = [after.at - before.at for before, after in pairwise(cast)]
    assert 0 <= min(gaps) <= max(gaps) <= IDLE + 0.01
    assert cast[-1].at < LONGEST
    for name in ("session.cast", "session.svg"):
        assert (FOLDER / name).stat().st_size < MOST_BYTES


def test_nothing_of_the_machine_is_in_it(cast: list[Piece]) -> None:
    """No path, no address, no name but those at the table."""
    text = "".join(piece.text for piece in cast)
    assert "\ufffd" not in text
    assert not re.findall(r"/home/|/root/|/tmp/|https?://|\d+\.\d+\.\d+\.\d+", text)


def test_the_picture_moves_through_the_same_game(cast: list[Piece]) -> None:
    """It is well-formed, fetches and runs nothing, has a frame for each that stood long enough."""
    text = (FOLDER / "session.svg").read_text(encoding="utf-8")
    tree = ET.fromstring(text)  # noqa: S314 - our own file
    assert {element.tag.rpartition("}")[2] for element in tree.iter()} <= {
        "svg", "title", "style", "defs", "g", "rect", "path", "text", "use",
    }  # fmt: skip
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []
    assert all(link.startswith("#") for link in re.findall(r'href="([^"]*)"', text))
    assert text.count("<g transform=") == len(frames(cast))
    assert "prefers-reduced-motion" in text


# How it is made.


def test_a_terminal_writes_where_it_is_told() -> None:
    """Positions, colours, erasing, wide characters, and sequences that come in pieces."""
    terminal = Terminal(6, 3)
    terminal.feed("ab\r\n\x1b[1;38;2;255;0;16;48;2;1;2;3mc\x1b[0md\x1b[3;5H好\x1b[2;6")
    terminal.feed("Hx\x1b]0;title\x07\x1b[?25l\x1b[>1u\x1bP=1s\x1b\\")
    assert terminal.text == "ab    \ncd   x\n    好"
    pen = terminal.rows[1][0].pen
    assert (pen.ink, pen.ground, pen.bold) == ("#ff0010", "#010203", True)
    assert terminal.rows[1][1].pen.ink is None
    terminal.feed("\x1b[2;2H\x1b[K\x1b[A\x1b[7mz")
    assert terminal.text.splitlines()[:2] == ["az    ", "c     "]
    assert terminal.rows[0][1].pen.reverse
    terminal.feed("\x1b[2J")
    assert not terminal.text.strip()


def test_long_pauses_are_shortened() -> None:
    """What lasts longer than a moment lasts a moment; the rest keeps its pace."""
    told = shortened([Piece(5.0, "a"), Piece(5.5, "b"), Piece(60.0, "c")])
    assert [piece.at for piece in told] == [0.0, 0.5, 0.5 + IDLE]


def test_rows_that_look_alike_are_drawn_once() -> None:
    """Frames share their rows; each frame has its time."""
    terminal = Terminal(4, 2)
    terminal.feed("\x1b[48;2;9;9;9ma & b")
    one = Frame(0.0, terminal.rows)
    terminal.feed("\x1b[2;1Hx")
    picture = moving([one, Frame(1.0, terminal.rows)], 4.0, "<title>")
    assert picture.count("<use") == 4
    assert picture.count("<g id=") == 3
    assert "25%{transform:translateX(-48.8px)}" in picture
    assert "&lt;title&gt;" in picture
    ET.fromstring(picture)  # noqa: S314 - our own
