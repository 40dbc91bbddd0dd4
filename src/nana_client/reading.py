"""`nana replay` and `nana verify`: from a file to lines on standard output, and an exit code.

Exit codes: 0, it is in order; 1, something in the record is wrong; 2, the file is not
there or is no record that this version can read.
"""

import io
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TextIO

from nana_client.replay import Line, Page, Replay, plain
from nana_client.shelf import at_home
from nana_client.start import LookBack
from nana_client.store import Store
from nana_core.deck import LETTERS, Seat
from nana_core.record import RECORD_BYTES, Finding, Record, Unreadable, dealt, load, verify
from nana_core.text import cleaned, clipped

_TONES: Final = {
    "bold": "bold",
    "dim": "dim",
    "good": "bold green",
    "bad": "bold red",
    "": "none",
}
COLUMNS: Final = 80
_CHANGED: Final = "This record is WRONG: it was changed, or the game was not played as it says."
_AGREES: Final = (
    "The record agrees with itself: the cards follow from the secret numbers of the server and "
    "the players, and every action follows the rules, up to the result."
)
_FIXED: Final = (
    "The deals were fixed: whoever ran the server chose the cards, the same for every room. That "
    "measures players; it was no fair deal. What is recorded agrees with itself."
)
_OPEN: Final = "Where one is open, a number is missing: that player had no part in the shuffle."
_CANNOT: Final = (
    "What no file can prove: that this game took place. Whoever makes up seed, hashes and deal "
    "together makes a record that agrees with itself, too. Only a player's own nana saw the "
    "server's promise before the deal, and says when the game is over whether it was kept."
)


class Missing(Unreadable):
    """There is no such file."""


def run_verify(file: Path) -> int:
    """Check a record, and say in plain words what that proves."""
    return said(lambda: _verify(file))


def run_replay(file: Path, seat: str | None, *, step: bool) -> int:
    """Tell a recorded game, waiting for Enter after each turn if `step`."""
    return said(lambda: _replay(file, seat, step=step))


def run_drawn(file: Path, seat: str | None, *, mouse: bool = True) -> int:
    """Show a recorded game on the table, to be stepped through."""
    try:
        record = look_up(file)
        at = _seat_at(record, seat)
        dealt(record)  # what has none cannot be drawn
    except Unreadable as error:
        print(f"nana: {error}", file=sys.stderr)
        return 2
    from nana_client.running import run_app  # noqa: PLC0415 - Textual takes half a second

    code = run_app(LookBack(record, at), mouse=mouse)
    return code or _code(record)


def read(file: Path) -> Record:
    """Read a record; raise Unreadable with a sentence."""
    try:
        with file.open("rb") as opened:
            data = opened.read(RECORD_BYTES + 1)
    except FileNotFoundError:
        raise Missing(f"There is no file {cleaned(str(file))}.") from None
    except OSError as error:
        raise Unreadable(f"{cleaned(str(file))} cannot be read: {error.strerror}.") from None
    return load(data)


def look_up(file: Path) -> Record:
    """Read what a person named: a bare name that is no file here is that of a game kept."""
    try:
        return read(file)
    except Missing:
        if file.name != str(file):
            raise
    folder = Store().records
    try:
        return read(folder / file.name)
    except Missing:
        raise Missing(
            f"There is no file {cleaned(file.name)} here or in {at_home(folder)}; "
            "`nana replay` without a FILE lists the games kept there."
        ) from None


def said(task: Callable[[], int]) -> int:
    """Run something that prints; who stops reading has seen enough."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        code = task()
        sys.stdout.flush()
    except Unreadable as error:
        print(f"nana: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the exit flushes once more
        return 0
    except KeyboardInterrupt:
        print()
        return 130
    return code


def _verify(file: Path) -> int:
    record = look_up(file)
    findings = verify(record)
    room = clipped(cleaned(record.room), 16)
    print(f"Room {room}, game {record.game}, {len(record.seats)} players")
    for finding in findings:
        print(f"  {_mark(finding)}  {finding.text}")
    for paragraph in _verdict(findings, fixed=record.deal.fixed):
        print("\n" + textwrap.fill(paragraph, COLUMNS))
    return 0 if all(finding.ok for finding in findings) else 1


def _mark(finding: Finding) -> str:
    if not finding.ok:
        return "WRONG"
    return "ok   " if finding.proven else "open "


def _verdict(findings: Sequence[Finding], *, fixed: bool) -> Iterator[str]:
    """Say what the findings come to, a paragraph each."""
    if not all(finding.ok for finding in findings):
        yield _CHANGED
        return
    if fixed:
        yield _FIXED
        return
    yield _AGREES
    if not all(finding.proven for finding in findings):
        yield _OPEN
    yield _CANNOT


def _replay(file: Path, seat: str | None, *, step: bool) -> int:
    record = look_up(file)
    at = _seat_at(record, seat)
    try:
        if not _page_by_page(Replay(record, at).pages(), step=step):
            return 0
    except Unreadable as error:
        print(f"WRONG: {error}")
        return 1
    return _code(record)


def _code(record: Record) -> int:
    return 0 if all(finding.ok for finding in verify(record)) else 1


def _seat_at(record: Record, seat: str | None) -> Seat | None:
    """Return the seat that a letter names; raise Unreadable where nobody sat there."""
    at = None if seat is None else LETTERS.index(seat)
    if at is not None and at >= len(record.seats):
        last = LETTERS[max(0, len(record.seats) - 1)]
        raise Unreadable(f"Nobody sat at {seat} in this game; its seats are A-{last}.")
    return at


def _page_by_page(pages: Iterable[Page], *, step: bool) -> bool:
    """Show the pages; False when the reader had enough before the last."""
    show, waits = _Printer(sys.stdout), step
    by_hand = step and sys.stdin.isatty() and sys.stdout.isatty()
    if by_hand:
        print("Enter goes on, q ends.\n")
    for page in pages:
        show(page, end="" if by_hand and waits else "\n")  # then Enter itself ends the line
        if waits:
            said = sys.stdin.readline()
            if said.strip().lower() in {"q", "quit"}:
                return False
            waits = bool(said)  # at the end of input the rest follows without waiting
    return True


class _Printer:
    """Writes pages: styled on a terminal, else the bare text."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._style: Callable[[Line], str] = plain
        if out.isatty() and os.environ.get("TERM") != "dumb":
            self._style = _styled(out)

    def __call__(self, page: Page, *, end: str) -> None:
        self._out.write("\n".join(self._style(line) for line in page) + end)
        self._out.flush()


def _styled(out: TextIO) -> Callable[[Line], str]:
    """Return what writes a line in the terminal's own colours; NO_COLOR leaves weight alone."""
    from rich.console import Console  # noqa: PLC0415 - not for pipes
    from rich.text import Text  # noqa: PLC0415

    console = Console(file=out, highlight=False)

    def style(line: Line) -> str:
        text = Text.assemble(*((piece.text, _TONES[piece.tone]) for piece in line))
        with console.capture() as capture:
            console.print(text, end="", soft_wrap=True)
        return capture.get().rstrip()

    return style
