"""A recording as one moving picture: frames side by side, and a window that steps along them.

Rows that look alike are drawn once. Nothing in it is fetched or runs; where motion is
not wanted, one frame stands still.
"""

import html
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from terminal import Cell, Pen, Row
from terminal_svg import HEIGHT, WIDTH, shapes

_INK, _GROUND = "#e3e8ef", "#10161f"
_MARGIN: Final = 12.0
_FONTS: Final = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"


class Frame(Struct, frozen=True):
    """What stood there from a time on, in seconds."""

    at: float
    rows: tuple[Row, ...]


def moving(frames: Sequence[Frame], lasts: float, title: str, still: int = 0) -> str:
    """Draw the frames; `lasts` is when the last one ends, `still` the one that may stand alone."""
    columns, rows = len(frames[0].rows[0]), len(frames[0].rows)
    wide, high = columns * WIDTH, rows * HEIGHT
    sheet = _Sheet()
    strip = "".join(
        f'<g transform="translate({_n(at * wide)} 0)">{sheet.uses(frame.rows)}</g>'
        for at, frame in enumerate(frames)
    )
    steps = "".join(
        f"{_n(100 * frame.at / lasts, 3)}%{{transform:translateX({_n(-at * wide)}px)}}"
        for at, frame in enumerate(frames)
    )
    style = (
        f"text{{font:20px {_FONTS};white-space:pre}}.b{{font-weight:bold}}"
        f".s{{animation:s {_n(lasts)}s step-end infinite}}@keyframes s{{{steps}}}"
        "@media (prefers-reduced-motion:reduce)"
        f"{{.s{{animation:none;transform:translateX({_n(-still * wide)}px)}}}}"
    )
    full, tall = wide + 2 * _MARGIN, high + 2 * _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(full)} {_n(tall)}">'
        f"<title>{html.escape(title)}</title><style>{style}</style>"
        f"<defs>{sheet.symbols}</defs>"
        f'<rect width="{_n(full)}" height="{_n(tall)}" rx="8" fill="{_GROUND}"/>'
        f'<svg x="{_MARGIN}" y="{_MARGIN}" width="{_n(wide)}" height="{_n(high)}">'
        f'<g class="s">{strip}</g></svg></svg>\n'
    )


class _Sheet:
    """Rows that were drawn, by what they look like."""

    def __init__(self) -> None:
        self._known: dict[Row, int] = {}
        self.symbols = ""

    def uses(self, rows: Sequence[Row]) -> str:
        return "".join(
            f'<use href="#r{self._number(row)}" y="{_n(at * HEIGHT)}"/>'
            for at, row in enumerate(rows)
        )

    def _number(self, row: Row) -> int:
        number = self._known.get(row)
        if number is None:
            number = self._known[row] = len(self._known)
            self.symbols += f'<g id="r{number}">{"".join(_drawn(row))}</g>'
        return number


def _drawn(row: Row) -> Iterator[str]:
    """Draw a row: first its grounds, then what is written on them."""
    grounds: dict[str, str] = {}
    for left, cells in _runs(row, lambda pen: _colours(pen)[1]):
        ground = _colours(cells[0].pen)[1]
        wide = _n(len(cells) * WIDTH + 0.3)  # no hair between two
        box = f"M{_n(left * WIDTH)} 0h{wide}v{_n(HEIGHT + 0.3)}h-{wide}z"
        grounds[ground] = grounds.get(ground, "") + box
    for ground, boxes in grounds.items():
        if ground != _GROUND:
            yield f'<path fill="{ground}" d="{boxes}"/>'
    for left, cells in _runs(row, lambda pen: pen):
        text, pen = "".join(cell.char for cell in cells), cells[0].pen
        if text.strip():
            weight = ' class="b"' if pen.bold else ""
            ink = _colours(pen)[0]
            drawn = "".join(shapes(text, left * WIDTH, 0.0, ink))
            yield f'<g fill="{ink}"{weight}>{drawn}</g>'


def _runs(row: Row, alike: Callable[[Pen], object]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """Split a row where its pen changes in a way that matters."""
    at = 0
    for _, run in groupby(row, lambda cell: alike(cell.pen)):
        cells = tuple(run)
        yield at, cells
        at += len(cells)


def _colours(pen: Pen) -> tuple[str, str]:
    ink, ground = pen.ink or _INK, pen.ground or _GROUND
    return (ground, ink) if pen.reverse else (ink, ground)


def _n(value: float, digits: int = 1) -> str:
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")
