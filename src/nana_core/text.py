"""Names and chat that are safe to show: what is refused, and how wide text is.

The server refuses hostile text (`flaw_in`); a client drops what a foreign server
lets through (`cleaned`). Both ask `_is_hostile`: control, format, bidi and
zero-width characters, line breaks, private and unassigned ones, blank letters.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

NAME_CELLS: Final = 20
CHAT_CELLS: Final = 200
MARKS_IN_A_ROW: Final = 2  # combining marks; more of them climb out of their line

_HOSTILE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Hangul fillers, Braille blank, Khmer inherent vowels, CGJ: they print nothing.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Terminals disagree about what these do to a width.
_SKIN_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_SELECTORS: Final = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_JOINER: Final = "\u200d"
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})
# Vowels and finals of conjoining Hangul: like marks they join the letter before them.
_JOINING: Final = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD7FC))))
_PLAIN: Final = frozenset(map(chr, range(0x20, 0x7F)))


def flaw_in(text: str, most_cells: int) -> str | None:
    """Say what is wrong with a name or a line of chat, or None when it is clean."""
    if not text.strip():
        return "it is empty"
    if text != text.strip() or "  " in text:
        return "it has spaces at its ends or more than one in a row"
    if any(_is_hostile(char) for char in text):
        return "it has characters that cannot be shown safely"
    if any(_excess_marks(text)):
        return f"it has combining marks on nothing, or more than {MARKS_IN_A_ROW} in a row"
    if width(text) > most_cells:
        return f"it is wider than {most_cells} columns"
    return None


def cleaned(text: str) -> str:
    """Return the text with everything hostile left out and white space folded.

    What comes out is clean by `flaw_in`, unless it is empty or too wide.
    """
    safe = [" " if c.isspace() else c for c in text if c.isspace() or not _is_hostile(c)]
    kept = [c for c, excess in zip(safe, _excess_marks(safe), strict=True) if not excess]
    return " ".join("".join(kept).split())


def plain_emoji(text: str) -> str:
    """Return the text without what joins, colours and styles emoji: a family stands in a row."""
    return "".join(c for c in text if c != _JOINER and c not in _SKIN_TONES | _SELECTORS)


def clipped(text: str, most_cells: int) -> str:
    """Return the text cut to a width, with an ellipsis where something was cut."""
    if width(text) <= most_cells:
        return text
    kept, used = "", 0
    for char in text:
        used += char_width(char)
        if used > most_cells - 1:
            break
        kept += char
    return kept.rstrip() + "…" if most_cells > 0 else ""


def width(text: str) -> int:
    """How many terminal cells the text takes."""
    return len(text) if _PLAIN.issuperset(text) else sum(map(char_width, text))


def char_width(char: str) -> int:
    if char in _PLAIN:
        return 1
    if _is_mark(char) or unicodedata.category(char) in {"Cf", "Cc"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _is_hostile(char: str) -> bool:
    if char in _PLAIN:
        return False
    if char.isspace():  # the plain space is in _PLAIN; every other one hides or breaks lines
        return True
    return (
        unicodedata.category(char) in _HOSTILE_CATEGORIES
        or char in _BLANK
        or char in _SKIN_TONES
        or char in _SELECTORS
    )


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in _MARKS or char in _JOINING


def _excess_marks(text: Iterable[str]) -> Iterator[bool]:
    """Say of each character whether it is a mark that piles up, or that stands on no letter."""
    run = MARKS_IN_A_ROW  # at the start and after a space there is nothing to stand on
    for char in text:
        if _is_mark(char):
            run += 1
            yield run > MARKS_IN_A_ROW
        else:
            run = MARKS_IN_A_ROW if char == " " else 0
            yield False
