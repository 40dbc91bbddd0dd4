"""A terminal as far as Textual needs one: bytes in, cells out. For recordings, not for use.

It knows where the cursor goes, colours and weight, and how to erase. Whatever else a
program asks of a terminal is skipped.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

_PIECES: Final = re.compile(
    r"\x1b\[(?P<parameters>[0-9;:<=>?]*)[ -/]*(?P<command>[@-~])"
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\)"
    r"|\x1b[ -/]*[0-~]"
    r"|(?P<control>[\x00-\x1f\x7f])"
    r"|(?P<text>[^\x00-\x1f\x7f]+)",
    re.DOTALL,
)
_UNFINISHED: Final = re.compile(r"\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?$")


class Pen(Struct, frozen=True):
    """How a character is written; a colour of None is the terminal's own."""

    ink: str | None = None
    ground: str | None = None
    bold: bool = False
    reverse: bool = False


class Cell(Struct, frozen=True):
    char: str = " "  # empty behind a wide character
    pen: Pen = Pen()


Row = tuple[Cell, ...]


class Terminal:
    """What stands on the screen after everything that was fed to it."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows = [[Cell()] * width for _ in range(height)]
        self._x = self._y = 0
        self._pen = Pen()
        self._rest = ""

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(map(tuple, self._rows))

    @property
    def text(self) -> str:
        return "\n".join("".join(cell.char for cell in row) for row in self._rows)

    def feed(self, text: str) -> None:
        """Write; a sequence that is not whole yet waits for its rest."""
        text, self._rest = self._rest + text, ""
        if unfinished := _UNFINISHED.search(text):
            text, self._rest = text[: unfinished.start()], unfinished[0]
        for piece in _PIECES.finditer(text):
            if piece["text"]:
                self._write(piece["text"])
            elif piece["control"]:
                self._control(piece["control"])
            elif piece["command"]:
                self._command(piece["command"], piece["parameters"])

    def _write(self, text: str) -> None:
        for char in text:
            wide = cell_len(char)
            if wide and self._x + wide <= self.width:
                row = self._rows[self._y]
                row[self._x] = Cell(char, self._pen)
                for at in range(self._x + 1, self._x + wide):
                    row[at] = Cell("", self._pen)
                self._x += wide

    def _control(self, char: str) -> None:
        match char:
            case "\r":
                self._x = 0
            case "\n":
                self._y = min(self._y + 1, self.height - 1)
            case "\b":
                self._x = max(0, self._x - 1)
            case _:
                pass

    def _command(self, command: str, parameters: str) -> None:
        if parameters[:1] in {"?", "<", "=", ">"}:
            return
        numbers = [int(part) if part.isdigit() else 0 for part in parameters.split(";")]
        first = numbers[0]
        match command:
            case "H" | "f":
                self._y = min(max(first, 1), self.height) - 1
                self._x = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.width) - 1
            case "A":
                self._y = max(0, self._y - max(first, 1))
            case "B":
                self._y = min(self.height - 1, self._y + max(first, 1))
            case "C":
                self._x = min(self.width - 1, self._x + max(first, 1))
            case "D":
                self._x = max(0, self._x - max(first, 1))
            case "G":
                self._x = min(max(first, 1), self.width) - 1
            case "J":
                self._rows = [[Cell()] * self.width for _ in range(self.height)]
            case "K":
                self._rows[self._y][self._x :] = [Cell()] * (self.width - self._x)
            case "m":
                for change in _changes(numbers):
                    self._pen = Pen() if change is None else replace(self._pen, **change)
            case _:
                pass


def _changes(numbers: list[int]) -> Iterator[dict[str, str | bool | None] | None]:
    """Read a list of colours and weights; None is a new pen."""
    left = iter(numbers)
    for number in left:
        match number:
            case 0:
                yield None
            case 1 | 22:
                yield {"bold": number == 1}
            case 7 | 27:
                yield {"reverse": number == 7}
            case 38 | 48:
                kind = next(left, 0)
                parts = [next(left, 0) for _ in range(3 if kind == 2 else 1)]
                colour = "#" + "".join(f"{part:02x}" for part in parts) if kind == 2 else None
                yield {"ink" if number == 38 else "ground": colour}
            case 39 | 49:
                yield {"ink" if number == 39 else "ground": None}
            case _:
                pass
