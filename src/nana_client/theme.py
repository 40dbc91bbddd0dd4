"""A look: every colour that the table draws with, and how colours become styles.

A number is told by its numeral; its colour only helps. What the colours are stands in
`looks`. A look for terminals without colours has words where others have colours: there
text is plain, dim, or reversed.
"""

from functools import cache, lru_cache
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace
from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color

Tone: TypeAlias = str | int  # a colour of the Look by its name, or a card's number

PLAIN: Final = "plain"
DIM: Final = "dim"
REVERSED: Final = "reversed"  # as an ink: light and dark change places
_INKS: Final = ("#ffffff", "#000000")
_FADE: Final = 0.62  # how far a table out of touch sinks into its ground


class Look(Struct, frozen=True):
    """Every colour that the table draws with, #rrggbb in lower case."""

    table: str  # the ground
    felt: str  # the table that cards lie on
    raised: str  # panels and the prompt
    text: str
    dim: str
    faint: str
    accent: str  # whose turn it is, and what is aimed at
    good: str
    bad: str
    warn: str
    back: str  # a card face down
    weave: str  # its pattern
    edge: str  # its edge
    ramp: tuple[str, ...]  # the twelve numbers
    inks: tuple[str, str] = _INKS  # what is written on a colour: the light one, the dark one
    glow: float = 0.16  # how much of a tone a panel takes on
    sunk: tuple[str, str] | None = None  # out of touch: of words, of cards; None: blended

    def ink_on(self, colour: str) -> str:
        """Return the ink that reads better on the colour."""
        light, dark = self.inks
        return light if colour[:1] != "#" or ink_on(colour) == _INKS[0] else dark

    def colour(self, tone: Tone) -> str:
        """Return a tone's colour; `~accent` is a panel that glows in the accent."""
        if isinstance(tone, int):
            return self.ramp[(tone - 1) % len(self.ramp)]
        if tone.startswith("~"):
            return _blended(self.raised, str(getattr(self, tone[1:])), self.glow)
        return str(getattr(self, tone))


@cache
def _blended(ground: str, colour: str, share: float) -> str:
    if not share:
        return ground
    return Color.parse(ground).blend(Color.parse(colour), share).hex.lower()


@cache
def faded(look: Look) -> Look:
    """Return the look of a table that is out of touch: everything sinks into the ground."""
    if look.sunk is not None:
        return _sunk(look, *look.sunk)
    ground = Color.parse(look.table)

    def sink(colour: str) -> str:
        return Color.parse(colour).monochrome.blend(ground, _FADE).hex.lower()

    colours = {name: sink(value) for name, value in asdict(look).items() if isinstance(value, str)}
    light, dark = map(sink, look.inks)
    grounds = {"table": look.table, "felt": look.felt}
    return replace(
        look, **(colours | grounds), inks=(light, dark), ramp=tuple(map(sink, look.ramp))
    )


def _sunk(look: Look, words: str, cards: str) -> Look:
    """Sink where colours are too few to be blended."""
    inks = ("text", "dim", "faint", "accent", "good", "bad", "warn", "weave", "edge")
    colours = dict.fromkeys(inks, words)
    paper = look.table if words[:1] == "#" else words
    return replace(look, **colours, inks=(paper, paper), ramp=(cards,) * len(look.ramp))


@cache
def grounded(look: Look, ground: Tone) -> Look:
    """Return the look of cards that lie on another ground than the bare one."""
    return look if ground == "table" else replace(look, table=look.colour(ground))


@cache
def ink_on(colour: str) -> str:
    """Return black or white, whichever reads better on the colour."""
    return max(_INKS, key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(part) for part in Color.parse(colour).normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


@lru_cache(maxsize=512)
def style(ink: str, ground: str, *, bold: bool = False, italic: bool = False) -> Style:
    """Return a style; both are #rrggbb, or words of a look without colours."""
    if ink[:1] != "#" or ground[:1] != "#":
        return Style(reverse=ink == REVERSED, dim=ink == DIM, bold=bold, italic=italic)
    return Style(
        color=RichColor.parse(ink), bgcolor=RichColor.parse(ground), bold=bold, italic=italic
    )
