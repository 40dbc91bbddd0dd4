"""Draw a picture of a terminal: line characters as lines, blocks as blocks, words as text.

Textual exports a screen as SVG that leaves every card's edge to the fonts of whoever
looks: gaps, wrong widths, a font fetched from elsewhere. Here edges and big digits become
shapes, and every word gets its own place.
"""

import html
import re
from collections.abc import Iterator
from typing import Final

WIDTH: Final = 12.2  # of a cell in Textual's export
HEIGHT: Final = 24.4
_RISE: Final = 18.5  # from a cell's top to its letters' base line
_MIDDLE: Final = (WIDTH / 2, HEIGHT / 2)
_ROUND: Final = 5.0  # a corner's radius
_THIN, _THICK = 1.4, 3.0

# Left, top, width and height of what is filled, in halves of a cell.
_BLOCKS: Final = {
    "▀": (0, 0, 2, 1), "▄": (0, 1, 2, 1), "█": (0, 0, 2, 2), "▌": (0, 0, 1, 2), "▐": (1, 0, 1, 2),
}  # fmt: skip
# The sides of the cell that lines go to from its middle; two that meet around a corner are bent.
_THIN_LINES: Final = {"─": "lr", "│": "tb", "╭": "rb", "╮": "lb", "╰": "tr", "╯": "tl"}
_THICK_LINES: Final = {"━": "lr", "┃": "tb", "┏": "rb", "┓": "lb", "┗": "tr", "┛": "tl"}
_DASHES: Final = {"╌": "lr", "╎": "tb"}
_SHADE: Final = "░"
_WORD: Final = re.compile(r"[^ ]+")
_TEXT: Final = re.compile(
    r'<text class="(?P<style>[\w-]+-r\d+)" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)"[^>]*>'
    r"(?P<text>[^<]*)</text>"
)
_INK: Final = re.compile(r"\.([\w-]+-r\d+) \{ fill: (#[0-9a-f]{6})")
_FONTS: Final = "font-family: ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"


def drawn(svg: str) -> str:
    """Return Textual's export of a screen, redrawn; it fetches nothing."""
    inks = dict(_INK.findall(svg))
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<clipPath id="[\w-]+-line-\d+">.*?</clipPath>\s*', "", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace", _FONTS)

    def redrawn(found: re.Match[str]) -> str:
        text = html.unescape(found["text"])
        top = float(found["y"]) - _RISE
        style = f'class="{found["style"]}" '
        return "".join(shapes(text, float(found["x"]), top, inks[found["style"]], style))

    return _TEXT.sub(redrawn, svg)


def shapes(text: str, left: float, top: float, ink: str, style: str = "") -> Iterator[str]:
    """Draw a piece of text in one ink; `style` goes to each word."""
    cells = [(char, left + at * WIDTH) for at, char in enumerate(text)]
    for word in _WORD.finditer("".join(" " if _is_drawn(char) else char for char in text)):
        x, wide = left + word.start() * WIDTH, len(word[0]) * WIDTH
        place = f'x="{_number(x)}" y="{_number(top + _RISE)}" textLength="{_number(wide)}"'
        yield f"<text {style}{place}>{html.escape(word[0])}</text>"
    blocks = "".join(_block(_BLOCKS[char], x, top) for char, x in cells if char in _BLOCKS)
    if blocks:
        yield f'<path d="{blocks}" fill="{ink}"/>'
    shade = "".join(_block((0, 0, 2, 2), x, top) for char, x in cells if char == _SHADE)
    if shade:
        yield f'<path d="{shade}" fill="{ink}" fill-opacity=".3"/>'
    kinds = ((_THIN_LINES, _THIN, ""), (_THICK_LINES, _THICK, ""), (_DASHES, _THIN, "3 3.1"))
    for lines, width, dashes in kinds:
        path = "".join(_line(lines[char], x, top, lines) for char, x in cells if char in lines)
        if path:
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
            yield f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{width}"{dashed}/>'


def _is_drawn(char: str) -> bool:
    return char.isspace() or any(
        char in known for known in (_BLOCKS, _THIN_LINES, _THICK_LINES, _DASHES, _SHADE)
    )


def _block(halves: tuple[int, int, int, int], x: float, top: float) -> str:
    left, down, wide, high = halves
    x, y = x + left * _MIDDLE[0], top + down * _MIDDLE[1]
    wider, higher = wide * _MIDDLE[0] + 0.2, high * _MIDDLE[1] + 0.2  # no hair between two
    return f"M{_number(x)} {_number(y)}h{_number(wider)}v{_number(higher)}h-{_number(wider)}z"


def _line(sides: str, left: float, top: float, lines: dict[str, str]) -> str:
    """Draw the line of one cell from the first of its sides to the second."""
    x, y = left + _MIDDLE[0], top + _MIDDLE[1]
    ends = {"l": (left, y), "r": (left + WIDTH, y), "t": (x, top), "b": (x, top + HEIGHT)}
    start, end = ends[sides[0]], ends[sides[1]]
    if sides in {"lr", "tb"}:
        return f"M{_pair(start)}L{_pair(end)}"
    turn = 0.0 if lines is _THICK_LINES else _ROUND
    near = [_near(side, (x, y), turn) for side in (start, end)]
    return f"M{_pair(start)}L{near[0]}Q{_pair((x, y))} {near[1]}L{_pair(end)}"


def _near(end: tuple[float, float], middle: tuple[float, float], distance: float) -> str:
    """Say the point that lies this far from the middle on the way to an end."""
    (x, y), (far_x, far_y) = middle, end
    along = abs(far_x - x) + abs(far_y - y)
    share = distance / along
    return _pair((x + (far_x - x) * share, y + (far_y - y) * share))


def _pair(point: tuple[float, float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
