"""The table in the terminal: what a change writes, and what it takes until one sees something.

    python bench/table.py [--rounds 5]

Bytes are counted at the driver, in true colours, for one changed card, for all that a
reveal changes together, and for the largest frame of its motion. The first frame is CPU
time of a whole process, from its start, in a real terminal (a pty) of 80 by 24: that of
the opening screen, and that of an empty Textual app, in turns, so that a noisy machine
disturbs both alike.
"""

import argparse
import asyncio
import fcntl
import os
import pty
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from typing import Final

from msgspec.structs import replace

HERE: Final = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests"))

from client.counting import counted  # noqa: E402 - the path is needed first
from client.scenes import played, snapshot_of  # noqa: E402 - the same
from nana_client.widgets.card import Face  # noqa: E402 - the same

SIZES: Final = ((44, 13), (80, 24), (100, 30), (140, 40))
MOST_BYTES: Final = 1000
MOST_CPU: Final = 1.0
MOST_RATIO: Final = 1.6
REPORT: Final = "NANA_BENCH_REPORT"
_EMPTY: Final = """
from textual.app import App
class Shown(App):
    def on_ready(self): report(self)
app = Shown()
"""
_OPENING: Final = """
from nana_client.app import NanaApp
from nana_client.start import OpenScreen
from nana_client.store import Store
class Shown(NanaApp):
    def on_ready(self): report(self)
app = Shown(OpenScreen(), Store())
"""
_FRAME: Final = """
import os, time
def report(app):
    app.call_after_refresh(lambda: (
        open(os.environ["NANA_BENCH_REPORT"], "w").write(str(time.process_time())), app.exit()))
{app}
app.run()
"""


async def card_bytes(size: tuple[int, int]) -> int:
    """Return what the dearest single card takes: a slot, an end of a hand, one's own, another."""
    async with counted(snapshot_of(played(4)), size) as at:
        names = {item.name for item in at.board.items if item.press}
        cards = ("c1", "b@0" if "b@0" in names else "b<", "a@0", "place0")
        faces = (Face("up", 12, mark="odd"), Face("back", key="5", live=True))
        return max([await at.card(name, face) for name in cards for face in faces])


async def reveal_bytes(size: tuple[int, int], source: str) -> tuple[int, int, int]:
    """Return what a reveal takes without motion, its largest frame with, and the whole screen."""
    start = snapshot_of(played(4))
    now = replace(snapshot_of(played(4, source)), step=start.step + 1)
    async with counted(start, size) as at:
        at_once, whole = await at.shown(now), await at.bytes_of(at.screen.refresh)
    async with counted(start, size, motion=True) as at:
        await at.shown(now)
        return at_once, max(await at.frames()), whole


def first_frame(app: str, cache: str) -> float:
    """Run a process in a terminal until its first frame is there; return its CPU seconds.

    `cache` keeps what Python compiles, as an installed program has it.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "cpu"
        environ = {**os.environ, REPORT: str(report), "NANA_HOME": folder, "TERM": "xterm-256color"}
        environ |= {"PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [sys.executable, "-c", _FRAME.format(app=app)]
        process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
        )
        os.close(theirs)
        _drain(ours)
        process.wait(timeout=20)
        return float(report.read_text())


def _drain(terminal: int) -> None:
    """Read what is written to a terminal until nobody holds it any more."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:  # so a pty says that it is over
        pass
    finally:
        os.close(terminal)


def bytes_report() -> list[str]:
    """Count in a process whose output belongs to the apps that are counted."""
    lines = [
        "bytes to the terminal       one card     reveal, all of it   frame of motion   screen"
    ]
    for size in SIZES:
        card = asyncio.run(card_bytes(size))
        for source, what in (("c1", "a slot"), ("b>", "their end"), ("a<", "your own")):
            reveal, frame, whole = asyncio.run(reveal_bytes(size, source))
            place = f"{size[0]}x{size[1]} {what}"
            lines.append(f"  {place:24} {card:8} {reveal:14} {frame:19} {whole:14}")
    return [*lines, f"  (one card: to be less than {MOST_BYTES})"]


def frames_report(rounds: int) -> list[str]:
    empty, opening = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(rounds + 1):
            empty.append(first_frame(_EMPTY, cache))
            opening.append(first_frame(_OPENING, cache))
    empty, opening = empty[1:], opening[1:]  # in the first round Python compiles
    ratio = statistics.median(o / e for o, e in zip(opening, empty, strict=True))
    return [
        f"CPU until the first frame, median of {rounds} rounds:",
        f"  nana, the opening screen   {statistics.median(opening):5.2f} s (at most {MOST_CPU})",
        f"  Textual, an empty app      {statistics.median(empty):5.2f} s",
        f"  ratio                      {ratio:5.2f}   (at most {MOST_RATIO})",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=5, help="of the first frame")
    args = parser.parse_args()
    print("\n".join([*bytes_report(), "", *frames_report(args.rounds)]))


if __name__ == "__main__":
    main()
