"""Two thousand hostile strings, and the look at what would leave for the terminal."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from textual.pilot import Pilot

from client.stage import screen_text

COUNT: Final = 2_000
PARTS: Final = (
    # escape sequences and controls, of seven bits and of eight
    "\x1b[2J", "\x1b[31m", "\x1b]0;owned\x07", "\x1b]8;;http://evil.example\x1b\\x\x1b]8;;\x1b\\",
    "\x1bP1$r\x1b\\", "\x1b]52;c;ZXZpbA==\x07", "\x1bc", "\x1b[?1049l", "\x9b31m", "\x9d0;x\x9c",
    "\x90q\x9c", "\x84", "\x00", "\x07", "\x08\x08\x08", "\x0b", "\x0c", "\x0e", "\x7f", "\r", "\n",
    "\r\n", "\t", "\x85", "\u2028", "\u2029",
    # bidi, zero width, blank letters, private and unassigned ones
    "\u202e", "\u2066", "\u2069", "\u200b", "\u200d", "\u200e", "\ufeff", "\u2060", "\u00ad",
    "\u034f", "\u115f", "\u3164", "\u2800", "\ue000", "\U000e0041", "\U000f0000", "\uffff",
    # markup and links
    "[/]", "[b]", "[@click=app.quit]x[/]", "[link=http://evil.example]x[/link]", "[red on blue]",
    "[", "]", "\\[", "[[", "{", "}", "{0}", "{name!r}", "%s", "%(x)s", "$accent", ":smile:", "`",
    "<b>",
    # wide, joined, stacked
    "好" * 9, "\uff37", "👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "❤️", "☠", "é", "क्षि",
    "e\u0301\u0302\u0303\u0304" * 3,
    "각", "\u0e33", "\u0e01\u0e33", "ﷺ", "𒐫", "꧅", "\u1100\u1161\u11a8",
    "x" * 300, "W" * 40,
    # what a name may be
    "Ann", "Bo", " ", "  ", "'", '"', "\\", "/", "..", "-", "#", "0", "",
)  # fmt: skip
_STYLES: Final = re.compile(r"\x1b\[[0-9;]*m")
_MAY_STAND: Final = frozenset({" "})


def strings() -> tuple[str, ...]:
    """Return the strings: each part alone, then mixtures of them, the same every time."""
    chance = Random("hostile")
    mixed = ("".join(chance.choices(PARTS, k=chance.randint(2, 5))) for _ in range(COUNT))
    return (*PARTS, *mixed)[:COUNT]


def taken(count: int) -> Iterator[tuple[str, ...]]:
    """Take so many at a time, until all were taken."""
    all_of_them = strings()
    for at in range(0, COUNT, count):
        some = all_of_them[at : at + count]
        yield (*some, *all_of_them[: count - len(some)])


def harmless(text: str) -> bool:
    """Tell whether a terminal would print all of it, and obey none."""
    return all(char.isprintable() or char in _MAY_STAND for char in text)


def look(pilot: Pilot[Any]) -> None:
    """See that what is drawn is harmless down to its bytes, as wide as the screen, and no link."""
    text = screen_text(pilot)
    assert all(map(harmless, text.split("\n"))), ascii(text)
    app = pilot.app
    for strip in app.screen._compositor.render_strips():
        written = _STYLES.sub("", strip.render(app.console))
        assert harmless(written), ascii(written)
        for segment in strip:
            style = segment.style
            assert style is None or (not style.link and "@click" not in style.meta), segment
