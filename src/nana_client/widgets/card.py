"""One card, drawn: what lies on it, how large it is, and its cells row by row.

The number stands in the middle and the key that reveals the card in its lower edge;
a back is woven. So a face-down card 6 and an open 6 never look alike, in any colours.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from rich.style import Style

from nana_client.theme import Look, Tone, style

Cell: TypeAlias = tuple[str, Style]  # one column
Row: TypeAlias = tuple[Cell, ...]
Kind: TypeAlias = Literal["back", "up", "gone", "place", "side"]
EdgePlace: TypeAlias = Literal["left", "mid", "right"]
Mark: TypeAlias = Literal["", "aim", "match", "odd"]


class Size(Struct, frozen=True):
    """Columns and rows of a card."""

    width: int
    height: int


TINY: Final = Size(4, 1)
FAN: Final = Size(4, 3)  # narrower, for hands that overlap
SMALL: Final = Size(5, 3)
LARGE: Final = Size(7, 5)
HUGE: Final = Size(11, 7)


class Face(Struct, frozen=True):
    """What one card shows."""

    kind: Kind
    number: int | None = None  # of an open card; on a back, what open memory knows of it
    key: str = ""  # what to press to reveal it
    at: EdgePlace = "mid"  # where in the edge the key stands
    live: bool = False  # it may be revealed now
    mark: Mark = ""


# Digits of three rows, in half blocks. Every two-digit number begins with a 1: one column.
_DIGITS: Final = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
}
_LEADING_ONE: Final = ("█", "█", "▀")
# Digits of five rows, for the largest cards: strokes of two columns, or of one row.
_TALL_DIGITS: Final = {
    "0": ("▄███▄", "██ ██", "██ ██", "██ ██", "▀███▀"),
    "1": ("▄██  ", "▀██  ", " ██  ", " ██  ", "▄██▄ "),
    "2": ("▄███▄", "▀▀ ██", " ▄██▀", "██▀  ", "█████"),
    "3": ("▄███▄", "▀▀ ██", "  ██▄", "▄▄ ██", "▀███▀"),
    "4": ("██ ██", "██ ██", "▀████", "   ██", "   ██"),
    "5": ("█████", "██   ", "████▄", "▄▄ ██", "▀███▀"),
    "6": ("▄███▄", "██   ", "████▄", "██ ██", "▀███▀"),
    "7": ("█████", "   ██", "  ██▀", " ██  ", " ██  "),
    "8": ("▄███▄", "██ ██", "▄███▄", "██ ██", "▀███▀"),
    "9": ("▄███▄", "██ ██", "▀████", "   ██", "▀███▀"),
}
_TALL_ONE: Final = ("██", "██", "██", "██", "██")
_LIGHT: Final = tuple("╭─╮│╰╯")
_HEAVY: Final = tuple("┏━┓┃┗┛")
_DASHED: Final = tuple("╭╌╮╎╰╯")
_SIGNS: Final[dict[Mark, str]] = {"": "", "aim": "", "match": "✓", "odd": "✗"}
_TONES: Final[dict[Mark, str]] = {"": "edge", "aim": "accent", "match": "good", "odd": "bad"}


@lru_cache(maxsize=1024)
def drawn(face: Face, size: Size, look: Look) -> tuple[Row, ...]:
    """Return the card's cells, row by row."""
    if face.kind == "side":
        return _side(face, size, look)
    if size.height == 1:
        return (_tiny(face, look),)
    if face.kind == "gone":
        return _gone(size, look)
    rows = [_top(face, size, look), *_middle(face, size, look), _bottom(face, size, look)]
    return tuple(rows)


def _ground(face: Face, look: Look) -> str:
    match face.kind:
        case "up":
            return look.colour(face.number or 1)
        case "back":
            return look.back
        case _:
            return look.table


def _edge(face: Face, look: Look) -> Style:
    """Return the style of the card's edge: its mark's, else a shade of its own."""
    ground = _ground(face, look)
    if face.kind == "up":  # as the numeral: a row of one style is written in one piece
        return style(look.ink_on(ground), ground, bold=True)
    tone = "faint" if face.kind == "place" and not face.mark else _TONES[face.mark]
    return style(look.colour(tone), ground, bold=bool(face.mark))


def _lines(face: Face) -> tuple[str, ...]:
    if face.mark == "aim":
        return _HEAVY
    return _DASHED if face.kind == "place" else _LIGHT


def _top(face: Face, size: Size, look: Look) -> Row:
    left, line, right, *_ = _lines(face)
    edge = _edge(face, look)
    sign = _SIGNS[face.mark]
    middle = sign.center(size.width - 2, line) if sign else line * (size.width - 2)
    return tuple((char, edge) for char in (left, *middle, right))


def _bottom(face: Face, size: Size, look: Look) -> Row:
    _, line, _, _, left, right = _lines(face)
    edge = _edge(face, look)
    inner = [(char, edge) for char in line * (size.width - 2)]
    if face.key:
        room = len(inner) - len(face.key)
        at = {"left": 0, "mid": (room + 1) // 2, "right": room}[face.at]
        key = _key(face, look)
        inner[at : at + len(face.key)] = [(char, key) for char in face.key]
    return ((left, edge), *inner, (right, edge))


def _key(face: Face, look: Look) -> Style:
    """Return the style of a key: bright where it can be pressed now."""
    ground = _ground(face, look)
    if face.kind == "up":
        ink = look.ink_on(ground)
        return style(ground, ink, bold=True) if face.live else style(ink, ground, bold=True)
    if face.mark == "aim":
        return style(look.ink_on(look.accent), look.accent, bold=True)
    return style(look.accent if face.live else look.edge, ground, bold=face.live)


def _middle(face: Face, size: Size, look: Look) -> Iterator[Row]:
    side = (_lines(face)[3], _edge(face, look))
    texts = _texts(face, size)
    ground = _ground(face, look)
    if face.kind == "up":
        inner = style(look.ink_on(ground), ground, bold=True)
    else:
        inner = style(look.weave if face.kind == "back" else look.faint, ground)
    known = style(look.text, ground, italic=True)
    for text in texts:
        cells = (
            (char, known if char.isdigit() and face.kind == "back" else inner) for char in text
        )
        yield (side, *cells, side)


def _texts(face: Face, size: Size) -> tuple[str, ...]:
    """Return what stands inside the edges, row by row."""
    width, height = size.width - 2, size.height - 2
    if face.kind == "up" and face.number is not None:
        return _numeral(face.number, width, height)
    fill = "░" if face.kind == "back" else " "
    texts = [fill * width] * height
    if face.kind == "back" and face.number is not None:
        texts[height // 2] = str(face.number).center(width, fill)
    return tuple(texts)


def _numeral(number: int, width: int, height: int) -> tuple[str, ...]:
    if height >= 5 and width >= 8:
        return tuple(line.center(width) for line in _digits(str(number), _TALL_DIGITS, _TALL_ONE))
    if height >= 3 and width >= 5:
        return tuple(line.center(width) for line in _digits(str(number), _DIGITS, _LEADING_ONE))
    text = f"{number:>2}".ljust(width) if width < 3 or number > 9 else f" {number}".ljust(width)
    rows = [" " * width] * height
    rows[height // 2] = text
    return tuple(rows)


def _digits(
    text: str, digits: Mapping[str, tuple[str, ...]], leading_one: tuple[str, ...]
) -> Iterator[str]:
    """Write a number with one of the two alphabets, row by row."""
    glyphs = [leading_one if len(text) == 2 and not at else digits[d] for at, d in enumerate(text)]
    yield from (" ".join(rows) for rows in zip(*glyphs, strict=True))


def _side(face: Face, size: Size, look: Look) -> tuple[Row, ...]:
    """Draw a card that is just being turned: one sees its edge."""
    tone = look.back if face.number is None else look.colour(face.number)
    bar, blank = (style(tone, look.table), style(look.faint, look.table))
    left = (size.width - 1) // 2
    row = (*((" ", blank),) * left, ("█", bar), *((" ", blank),) * (size.width - left - 1))
    return (row,) * size.height


def _gone(size: Size, look: Look) -> tuple[Row, ...]:
    """Draw the empty place of a collected card."""
    faint = style(look.faint, look.table)
    blank = ((" ", faint),) * size.width
    middle = tuple((char, faint) for char in "·".center(size.width))
    return tuple(middle if at == size.height // 2 else blank for at in range(size.height))


def _tiny(face: Face, look: Look) -> Row:
    """Draw a card of one row; a half block on each side keeps neighbours apart."""
    if face.kind == "gone" or (face.kind == "place" and not face.mark):
        faint = style(look.faint, look.table)
        return tuple((char, faint) for char in (" ·  " if face.kind == "gone" else " ╌╌ "))
    if face.kind == "place":
        aimed = style(look.accent, look.table, bold=True)
        return tuple((char, aimed) for char in "▸╌╌◂")
    tone: Tone = "accent" if face.mark == "aim" else "back"
    ground = _ground(face, look) if face.kind == "up" else look.colour(tone)
    side = style(ground, look.table)
    if face.kind == "up":
        inner = style(look.ink_on(ground), ground, bold=True)
        text = [(char, inner) for char in f"{face.number:>2}"]
    else:
        weave = style(look.ink_on(ground) if face.mark else look.weave, ground)
        fill = "░" if face.number is None else ""
        known = style(look.text, ground, italic=True)
        text = [(char, _tiny_key(face, look, ground)) for char in face.key[:2]]
        text += [(char, weave) for char in fill] or [(str(face.number)[-1:], known)]
        text = [*text, ("░", weave)][:2] if text else [("░", weave)] * 2
    return (
        ("▸" if face.mark == "aim" else "▐", side),
        *text,
        ("◂" if face.mark == "aim" else "▌", side),
    )


def _tiny_key(face: Face, look: Look, ground: str) -> Style:
    if face.mark == "aim":
        return style(look.ink_on(ground), ground, bold=True)
    return style(look.accent if face.live else look.text, ground, bold=face.live)
