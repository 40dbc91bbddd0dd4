"""Record a game, from the opening screen to the replay: `python docs/make_recording.py`.

A real game, in a real terminal of its own, against the server's bots: keys go in as they
do from a keyboard, and what comes out is written down with its time. It is played anew
until it is won in a time that somebody would watch. Out come session.cast, for players
of asciicasts, and session.svg, which moves by itself.
"""

import codecs
import contextlib
import fcntl
import json
import os
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct

from cast_svg import Frame, moving
from nana_client.keyboard import USUAL
from terminal import Terminal

WIDTH, HEIGHT = 80, 24
FOLDER: Final = Path(__file__).parent / "pictures"
PLAYER: Final = Path(__file__).parent / "recorded_player.py"
TITLE: Final = "nana: a game against two bots, and its replay"
LONGEST: Final = 75.0  # seconds
SHORTEST: Final = 30.0
TRIES: Final = 20
IDLE: Final = 1.2  # seconds; what lasts longer is shortened
FRAME: Final = 0.22  # seconds that a frame of the picture stays at least
LOOK: Final = 2.5  # seconds that the last frame stays
_FAREWELL: Final = 10.0
_BACK: Final = "\x1b[D"
_UP: Final = "\x1b[5~"


class Piece(Struct, frozen=True):
    """What was written, and when, in seconds."""

    at: float
    text: str


class Recorder:
    """One game: what is still to be pressed, and what was written."""

    def __init__(self, chance: Random) -> None:
        self.pieces: list[Piece] = []
        self.won = False
        self._keys: list[tuple[float, str]] = []  # with the time that they are pressed
        self._chance = chance
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._began = time.monotonic()
        self._turns = 0

    def record(self) -> None:
        with tempfile.TemporaryDirectory() as home, _terminal(home) as (screen, wishes, process):
            self._press("\r", 2.2)
            while process.poll() is None and self._now < LONGEST + _FAREWELL:
                self._listen(screen, wishes)
                while self._keys and self._keys[0][0] <= self._now:
                    os.write(screen, self._keys.pop(0)[1].encode())
            process.terminate()

    @property
    def _now(self) -> float:
        return time.monotonic() - self._began

    def _press(self, key: str, after: float) -> None:
        last = self._keys[-1][0] if self._keys else self._now
        self._keys.append((max(last, self._now) + after, key))

    def _listen(self, screen: int, wishes: int) -> None:
        """Take in what was written, and what the player is to do."""
        pause = min(0.05, max(0.0, self._keys[0][0] - self._now)) if self._keys else 0.05
        ready, _, _ = select.select([screen, wishes], [], [], pause)
        if screen in ready:
            with contextlib.suppress(OSError):  # Linux says so when the other side is closed
                self.pieces.append(Piece(self._now, self._decode(os.read(screen, 1 << 16))))
        if wishes in ready:
            for word in os.read(wishes, 1 << 12).decode().splitlines():
                self._do(word)

    def _do(self, word: str) -> None:
        """Plan the keys for a wish, at the pace of a person."""
        verb, _, source = word.partition(" ")
        match verb:
            case "continue":
                self._press(" ", self._chance.uniform(0.9, 1.3))
            case "reveal":
                self._turns += 1
                if self._turns == 2:
                    self._press("t", 0.4)
                    self._press("2", 0.9)
                self._press(USUAL.on_card(source), self._chance.uniform(0.5, 0.9))
                self._press("\r", self._chance.uniform(0.4, 0.6))
            case _:
                self.won = verb == "won"
                for key, after in ((_BACK, 2.5), (_BACK, 1.2), (_UP, 0.9), (_UP, 0.9)):
                    self._press(key, after)
                for key, after in (("b", 1.2), (_UP, 1.2), ("\x1b", 1.5), ("\x11", 1.5)):
                    self._press(key, after)


@contextlib.contextmanager
def _terminal(home: str) -> Iterator[tuple[int, int, subprocess.Popen[bytes]]]:
    """Start the player in a terminal of its own; yield its screen, its wishes, and itself."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    wishes, wish = os.pipe()
    environ = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "USER": "ann"}

    process = subprocess.Popen(
        [sys.executable, str(PLAYER), home, str(wish)],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environ,
        pass_fds=(wish,), start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    os.close(wish)
    try:
        yield ours, wishes, process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(ours)
        os.close(wishes)


def shortened(pieces: list[Piece]) -> list[Piece]:
    """Return the recording without its long pauses, from its first sign on."""
    told, last, at = list[Piece](), pieces[0].at, 0.0
    for piece in pieces:
        at += min(piece.at - last, IDLE)
        told.append(Piece(round(at, 3), piece.text))
        last = piece.at
    return told


def cast(pieces: list[Piece]) -> str:
    """Write an asciicast, version 2."""
    head = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": TITLE}
    lines = [json.dumps(head), *(json.dumps([p.at, "o", p.text]) for p in pieces)]
    return "\n".join(lines) + "\n"


def frames(pieces: list[Piece]) -> list[Frame]:
    """Return what stood there whenever it stood for long enough, to where the app ends."""
    terminal = Terminal(WIDTH, HEIGHT)
    found: list[Frame] = []
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        if "\x1b[?1049l" in piece.text:
            break
        terminal.feed(piece.text)
        stays = after is None or after.at - piece.at >= FRAME
        if stays and terminal.text.strip() and (not found or found[-1].rows != terminal.rows):
            found.append(Frame(piece.at, terminal.rows))
    return found


def picture(pieces: list[Piece]) -> str:
    told = frames(pieces)
    first = told[0].at
    told = [Frame(frame.at - first, frame.rows) for frame in told]
    still = max(range(len(told)), key=lambda at: "MATCH" in _text(told[at]))
    return moving(told, told[-1].at + LOOK, TITLE, still)


def _text(frame: Frame) -> str:
    return "\n".join("".join(cell.char for cell in row) for row in frame.rows)


def main() -> int:
    for seed in range(TRIES):
        recorder = Recorder(Random(seed))
        recorder.record()
        pieces = shortened(recorder.pieces)
        lasts = pieces[-1].at
        print(f"{'won' if recorder.won else 'not won'} after {lasts:.0f} s")
        if recorder.won and SHORTEST < lasts < LONGEST:
            FOLDER.mkdir(parents=True, exist_ok=True)
            (FOLDER / "session.cast").write_text(cast(pieces), encoding="utf-8")
            (FOLDER / "session.svg").write_text(picture(pieces), encoding="utf-8")
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
