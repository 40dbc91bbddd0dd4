"""A drawn table, read as a person reads it: the prompt, the keys on the cards, the numbers.

Pure, from the text of a screen, whether it stands in a real terminal or in a test's.
Nothing else is known to who plays by it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeAlias

from nana_client.looks import NIGHT
from nana_client.widgets.card import LARGE, Face
from nana_client.widgets.card import drawn as drawn_card

Choose = Callable[[list[str]], str]
Asked: TypeAlias = Literal["to go on", "to reveal", "a card"]
BACK: Final = "░"
FAIR: Final = "✓ fair deal"
_EDGE_KEY: Final = re.compile(r"[╰┗][─━]*([0-9a-eA-E]{1,2})(?=[─━╯┛╰┗])")
_TINY_KEY: Final = re.compile(r"[▐▸]([0-9a-eA-E])░[▌◂]")
_AIMED: Final = re.compile(r"┗━*([0-9a-eA-E]{1,2})(?=[━┛])|▸([0-9a-eA-E])░◂")
_FACE: Final = re.compile(r"[│┃] ?(\d{1,2}) ?(?=[│┃])")
_LARGE_EDGE: Final = re.compile(r"[╰┗][─━0-9a-eA-E]{5}[╯┛]")
_CAPTION: Final = re.compile(r"slot|low|high")
_CURSOR: Final = re.compile(r"▸ +(\w[\w' ]*?) {2}")
_REVEALS: Final = re.compile(r"(\S) or \S+ reveals")
_TIME_LEFT: Final = re.compile(r" +\d+:\d\d$", re.MULTILINE)
_PROMPT: Final = "▌"


def prompt(text: str) -> str:
    """Return the lines that say what is going on and what to press."""
    lines = (line for line in text.splitlines() if line.startswith(_PROMPT))
    return "\n".join(line.strip(f"{_PROMPT} ") for line in lines)


def sentence(text: str) -> str:
    """Return the prompt without the time that is left: what it says, whenever one looks."""
    return _TIME_LEFT.sub("", prompt(text))


def keys(text: str) -> list[str]:
    """Return the keys that stand in the edges of cards, of the only card of a hand both."""
    edges = "".join(_EDGE_KEY.findall(text)).replace("10", "0")
    return [*edges, *_TINY_KEY.findall(text)]


def spots(text: str) -> dict[str, tuple[int, int]]:
    """Return the column and row, from 0, in which each key on a card stands."""
    found: dict[str, tuple[int, int]] = {}
    for y, line in enumerate(text.splitlines()):
        for edge in (*_EDGE_KEY.finditer(line), *_TINY_KEY.finditer(line)):
            shown = "0" if edge[1] == "10" else edge[1]
            found |= {key: (edge.start(1), y) for key in shown}
    return found


def aimed_key(text: str) -> str | None:
    """Return the key of the card that the prompt would reveal."""
    found = _REVEALS.search(prompt(text))
    return found[1] if found is not None else None


def aimed_at(text: str) -> tuple[int, int] | None:
    """Return where the card is that is aimed at, if one is."""
    for y, line in enumerate(text.splitlines()):
        if aim := _AIMED.search(line):
            return aim.start(aim.lastindex or 0), y
    return None


def spot_of(text: str, words: str) -> tuple[int, int]:
    """Return the column and row in which words of the prompt begin."""
    for y, line in enumerate(text.splitlines()):
        if line.startswith(_PROMPT) and words in line:
            return line.index(words), y
    raise AssertionError(f"{words!r} is not in the prompt:\n{text}")


def numbers(text: str) -> list[int]:
    """Return the numbers on cards that lie open in hands and in the center."""
    return [*map(int, _FACE.findall(text)), *_large(text.splitlines())]


def _large(lines: list[str]) -> Iterator[int]:
    """Read the large cards of hands and center; those of the attempt have a caption below."""
    for at, line in enumerate(lines[:-1]):
        for edge in _LARGE_EDGE.finditer(line):
            left, right = edge.start() + 1, edge.end() - 1
            glyph = "\n".join(above[left:right] for above in lines[at - 3 : at])
            if glyph in _LARGE and not _CAPTION.search(lines[at + 1], left - 1, right + 1):
                yield _LARGE[glyph]


def chosen(text: str) -> list[str]:
    """Return what a cursor stands at: two for a moment, where the old one is not yet gone."""
    return _CURSOR.findall(text)


def value_of(text: str, option: str) -> str:
    """Return what an option is set to; nothing while it is not there to read."""
    found = re.search(rf"{option} +◂ +(.+?) +▸", text)
    return found[1] if found is not None else ""


def _glyph(number: int) -> str:
    rows = drawn_card(Face("up", number), LARGE, NIGHT)
    return "\n".join("".join(char for char, _ in row[1:-1]) for row in rows[1:-1])


def is_over(text: str) -> bool:
    return "play again" in prompt(text)


def asked(text: str) -> Asked | None:
    """Return what the prompt wants now; None while others are asked.

    A terminal may be looked at while it draws, with one row of the prompt new and the other
    old: what only one of them says is not asked.
    """
    head, _, below = prompt(text).partition("\n")
    aimed = "Reveal " in head and "Reveal any" not in head
    if "YOUR TURN" not in head:
        shown = " MISS " in f" {head} " or " SET " in f" {head} "
        return "to go on" if shown and "your turn is next" in below else None
    if "reveals" in below:
        return "to reveal" if aimed else None
    free = not aimed and "Turning " not in head
    return "a card" if free and "center" in below else None


def answer(text: str, choose: Choose) -> str | None:
    """Return the key to press now, None while others are asked."""
    match asked(text):
        case "to go on":
            return "space"
        case "to reveal":
            return "enter"
        case "a card":
            return choose(keys(text))
        case None:
            return None


_LARGE: Final = {_glyph(number): number for number in range(1, 13)}
