"""Names and chat: nothing hostile is let in, and nothing hostile is ever shown."""

import unicodedata
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from nana_core.text import char_width, cleaned, clipped, flaw_in, width

UNSAFE: Final = "characters that cannot be shown safely"
MARKS: Final = "combining marks"
SPACES: Final = "spaces"

HOSTILE = [
    pytest.param("\x1b[31mred", UNSAFE, id="ANSI colour"),
    pytest.param("\x1b]0;title\x07", UNSAFE, id="OSC title"),
    pytest.param("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", UNSAFE, id="OSC link"),
    pytest.param("a\x9b31m", UNSAFE, id="C1 CSI"),
    pytest.param("a\x85b", UNSAFE, id="C1 next line"),
    pytest.param("a\x00b", UNSAFE, id="NUL"),
    pytest.param("a\x08b", UNSAFE, id="backspace"),
    pytest.param("a\x7fb", UNSAFE, id="delete"),
    pytest.param("a\rb", UNSAFE, id="carriage return"),
    pytest.param("a\nb", UNSAFE, id="line break"),
    pytest.param("a\tb", UNSAFE, id="tab"),
    pytest.param("a\x0bb", UNSAFE, id="vertical tab"),
    pytest.param("a\u2028b", UNSAFE, id="line separator"),
    pytest.param("a\u2029b", UNSAFE, id="paragraph separator"),
    pytest.param("a\u202eb", UNSAFE, id="right-to-left override"),
    pytest.param("a\u2066b", UNSAFE, id="isolate"),
    pytest.param("a\u200eb", UNSAFE, id="left-to-right mark"),
    pytest.param("a\u061cb", UNSAFE, id="Arabic letter mark"),
    pytest.param("a\u200bb", UNSAFE, id="zero-width space"),
    pytest.param("a\u200db", UNSAFE, id="joiner"),
    pytest.param("a\ufeffb", UNSAFE, id="byte order mark"),
    pytest.param("a\u2060b", UNSAFE, id="word joiner"),
    pytest.param("a\u00adb", UNSAFE, id="soft hyphen"),
    pytest.param("a\u00a0b", UNSAFE, id="no-break space"),
    pytest.param("a\u3000b", UNSAFE, id="ideographic space"),
    pytest.param("a\u2007b", UNSAFE, id="figure space"),
    pytest.param("\u3164", UNSAFE, id="Hangul filler"),
    pytest.param("\u115f\u1160", UNSAFE, id="Hangul fillers"),
    pytest.param("\uffa0", UNSAFE, id="half-width filler"),
    pytest.param("\u2800", UNSAFE, id="Braille blank"),
    pytest.param("a\u034fb", UNSAFE, id="grapheme joiner"),
    pytest.param("❤\ufe0f", UNSAFE, id="emoji selector"),
    pytest.param("👍🏽", UNSAFE, id="skin tone"),
    pytest.param("👨\u200d👩\u200d👧", UNSAFE, id="family"),
    pytest.param("a\U000e0041b", UNSAFE, id="tag character"),
    pytest.param("a\U000e0100b", UNSAFE, id="ideographic selector"),
    pytest.param("a\ue000b", UNSAFE, id="private use"),
    pytest.param("a\U0010ffffb", UNSAFE, id="no character"),
    pytest.param("a\u0378b", UNSAFE, id="unassigned"),
    pytest.param("a\ud800b", UNSAFE, id="surrogate"),
    pytest.param("Z" + "\u0351" * 30, MARKS, id="zalgo"),
    pytest.param("\u0301", MARKS, id="a mark alone, which shows nothing"),
    pytest.param("\u0301Bo", MARKS, id="a mark that climbs on what stands before the name"),
    pytest.param("a \u0301b", MARKS, id="a mark on a space"),
    pytest.param("\u1161\u1161", MARKS, id="Hangul vowels without a letter"),
    pytest.param("\u1100" + "\u1161" * 9, MARKS, id="a pile of Hangul vowels"),
    pytest.param("", "empty", id="nothing"),
    pytest.param("   ", "empty", id="spaces only"),
    pytest.param("\n\t", "empty", id="white space only"),
    pytest.param(" a", SPACES, id="space before"),
    pytest.param("a ", SPACES, id="space behind"),
    pytest.param("a  b", SPACES, id="two spaces"),
    pytest.param("a" * 21, "wider than 20", id="too wide"),
    pytest.param("奈" * 11, "wider than 20", id="too wide in fewer characters"),
]


@pytest.mark.parametrize(("text", "flaw"), HOSTILE)
def test_hostile_text_is_refused(text: str, flaw: str) -> None:
    """A name that could hide, deceive or break the table is refused with the reason."""
    assert flaw in (flaw_in(text, 20) or "")


@pytest.mark.parametrize(("hostile", "flaw"), HOSTILE)
def test_hostile_text_is_cleaned(hostile: str, flaw: str) -> None:
    """What is left of it is fit to be shown, or is nothing."""
    text = cleaned(hostile)
    assert not text or flaw_in(text, 200) is None


@pytest.mark.parametrize(
    "text",
    [
        "Ann",
        "Evelyn-Marie",
        "José",
        "Jose\u0301",
        "Nguyễn Văn Ân",
        "Nguye\u0302\u0303n",
        "奈奈",
        "나나",
        "\u1102\u1161\u1102\u1161",
        "नाना",
        "ناناً",
        "Ω",
        "🍌 nana",
        "[bold]x[/bold]",
        "[@click=app.quit]x",
        "$(reboot)",
        "<script>",
        "a" * 20,
        "奈" * 10,
    ],
)
def test_honest_text_is_left_alone(text: str) -> None:
    """Names of any script are welcome, and markup is text like any other."""
    assert flaw_in(text, 20) is None
    assert cleaned(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("a\nb\r\n c", "a b c"),
        ("  a \u00a0 b ", "a b"),
        ("a\u202eb", "ab"),
        ("👍🏽", "👍"),
        ("Z" + "\u0351" * 30, "Z\u0351\u0351"),
        ("a\u0301\u0301\u200b\u0301", "a\u0301\u0301"),
        ("\u0301 a", "a"),
        (" \u0301a", "a"),
        ("\u3164", ""),
    ],
)
def test_what_is_left(text: str, left: str) -> None:
    """Only what is hostile goes, white space is folded, and marks cannot hide behind it."""
    assert cleaned(text) == left


ANYTHING: Final = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "a \t\n\u0301\u0351\u200b\u1161\u1100\u3164\u202e\x1b\x9b奈\ufe0f\U0001f3fb"
        ),
    ),
    max_size=60,
)


@given(ANYTHING)
def test_cleaned_is_clean(text: str) -> None:
    """Whatever came in, what comes out passes where it would be refused, and stays as it is."""
    left = cleaned(text)
    assert cleaned(left) == left
    assert not left or flaw_in(left, 10_000) is None


@given(ANYTHING)
def test_clean_text_is_never_changed(text: str) -> None:
    """`flaw_in` and `cleaned` agree about what is clean."""
    if flaw_in(text, 10_000) is None:
        assert cleaned(text) == text


# The planes in use; between and behind them nothing is assigned.
UNICODE: Final = tuple(map(chr, (*range(0x20, 0x32400), *range(0xE0000, 0xE0400))))


def test_no_control_character_passes() -> None:
    """Of all of Unicode, nothing that controls a terminal or reorders a line gets through."""
    controls = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    for char in UNICODE:
        if unicodedata.category(char) in controls:
            assert flaw_in(f"a{char}b", 20) is not None, hex(ord(char))
            assert char.isspace() or cleaned(f"a{char}b") == "ab", hex(ord(char))


# Unicode 16 made these wide: trigrams, digrams, hexagrams, counting rods and the like.
# Rich knows it, Python 3.11 and most terminals do not yet.
WIDE_SINCE_16: Final = (
    range(0x2630, 0x2638),
    range(0x268A, 0x2690),
    range(0x4DC0, 0x4E00),
    range(0x1D300, 0x1D377),
)


def test_width_agrees_with_the_table() -> None:
    """Every character that may be shown takes the cells that Rich and Textual give it."""
    for char in UNICODE:
        if cleaned(char) != char and cleaned(f"a{char}") != f"a{char}":
            continue
        if not any(ord(char) in block for block in WIDE_SINCE_16):
            assert char_width(char) == cell_len(char), hex(ord(char))


@given(ANYTHING, st.integers(0, 70))
def test_clipped_text_fits(text: str, cells: int) -> None:
    """Clipped text is never wider than asked, and text that fits is not touched."""
    text = cleaned(text)
    short = clipped(text, cells)
    assert width(short) <= cells
    assert short == text if width(text) <= cells else short.endswith("…"[: bool(cells)])


@pytest.mark.parametrize(
    ("text", "cells", "short"),
    [
        ("nana", 4, "nana"),
        ("nana", 3, "na…"),
        ("nana", 1, "…"),
        ("nana", 0, ""),
        ("奈奈奈", 5, "奈奈…"),
        ("奈奈奈", 4, "奈…"),
        ("na na", 4, "na…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
    ],
)
def test_clipped(text: str, cells: int, short: str) -> None:
    """A cut is marked, and never falls into a wide character or before a mark."""
    assert clipped(text, cells) == short
