"""Lines folded for a terminal: broken between words, what goes on set in.

A word is never cut, however narrow the terminal: a link has to be whole to be of use.
"""

import os
import re
from typing import Final, TextIO

from nana_core.text import width as cells

_WORDS: Final = re.compile(r"(\s*)(\S+)")
_COLUMN: Final = re.compile(r"\S.*?  +(?=\S)")  # a first column, with the gap behind it
_INDENT: Final = 2
_LEAST: Final = 20  # columns that are left for words beside an indent


def columns(stream: TextIO) -> int | None:
    """Return how wide a terminal is now; None for a pipe or a file, whose lines stay whole."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except OSError:
        return None


def folded(line: str, width: int) -> list[str]:
    """Break a line where it is wider than a terminal; its second column keeps its place."""
    if cells(line) <= width:
        return [line]
    indent = " " * _indent_of(line, width)
    lines, now = list[str](), ""
    for gap, word in _WORDS.findall(line):
        if now.strip() and cells(now + gap + word) > width:
            lines.append(now)
            now = indent + word
        else:
            now += gap + word
    return [*lines, now]


def _indent_of(line: str, width: int) -> int:
    """Return how far what goes on is set in: below its column, or a little."""
    own = len(line) - len(line.lstrip())
    column = _COLUMN.match(line, own)
    indent = cells(column[0]) + own if column else own + _INDENT
    return indent if width - indent >= _LEAST else min(_INDENT, max(0, width - 1))
