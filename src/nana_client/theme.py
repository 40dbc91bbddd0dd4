"""Colours: one `Look` for each theme, and the ramp of the twelve numbers.

A number is told by its numeral; its colour only helps. The ramp goes from dark to
bright, so it is monotone in grey, and its spacing was searched for: the smallest
difference between two numbers is ΔE2000 5.4 for normal sight and for each kind of
colour blindness alike, and the ink on each keeps a contrast of 4.7 or more.
"""

from functools import cache, lru_cache
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace
from rich.color import Color as RichColor
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.theme import Theme

Tone: TypeAlias = str | int  # a colour of the Look by its name, or a card's number

RAMP: Final = (
    "#440154", "#472171", "#414085", "#37598c", "#2d728e", "#25848e",
    "#21968a", "#2aaa81", "#4ec16b", "#73cf55", "#a0d938", "#fde725",
)  # fmt: skip
# Terminals of 256 colours: picked by hand, for nearest colours fall together.
RAMP_256: Final = (
    "#5f0087", "#5f00af", "#5f5fd7", "#005faf", "#0087af", "#00afaf",
    "#00af87", "#00af5f", "#5fd75f", "#87d700", "#d7ff00", "#ffff5f",
)  # fmt: skip
_INKS: Final = ("#ffffff", "#000000")
_GLOW: Final = 0.16  # how much of a tone a panel takes on
_FADE: Final = 0.62  # how far a table out of touch sinks into its ground


class Look(Struct, frozen=True):
    """Every colour that the table draws with."""

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
    inks: tuple[str, str] = ("#ffffff", "#000000")  # what is written on a colour
    ramp: tuple[str, ...] = RAMP

    def ink_on(self, colour: str) -> str:
        """Return the ink that reads better on the colour."""
        light, dark = self.inks
        return light if ink_on(colour) == _INKS[0] else dark

    def colour(self, tone: Tone) -> str:
        """Return a tone's colour; `~accent` is a panel that glows in the accent."""
        if isinstance(tone, int):
            return self.ramp[(tone - 1) % len(self.ramp)]
        if tone.startswith("~"):
            return _blended(self.raised, str(getattr(self, tone[1:])))
        return str(getattr(self, tone))


NIGHT: Final = Look(
    table="#0d131b", felt="#13202a", raised="#1a2330",
    text="#e3e8ef", dim="#94a1b3", faint="#4d5a6c",
    accent="#ffc24b", good="#58d68d", bad="#ff7d6e", warn="#f0a35e",
    back="#26364d", weave="#46618a", edge="#5f7da8",
)  # fmt: skip
PAPER: Final = Look(
    table="#ece6d8", felt="#f7f4ec", raised="#e4ddcd",
    text="#23272f", dim="#595e6a", faint="#a19d8e",
    accent="#a04408", good="#13683a", bad="#b4231f", warn="#7d5000",
    back="#c6d2e0", weave="#92a9c4", edge="#6883a5",
)  # fmt: skip
CONTRAST: Final = Look(
    table="#000000", felt="#000000", raised="#1c1c1c",
    text="#ffffff", dim="#d0d0d0", faint="#8a8a8a",
    accent="#ffd700", good="#00ff87", bad="#ff8787", warn="#ffaf5f",
    back="#262626", weave="#6c6c6c", edge="#d0d0d0",
)  # fmt: skip
LOOKS: Final = {"night": NIGHT, "paper": PAPER, "contrast": CONTRAST}
DEFAULT: Final = "night"


@cache
def _blended(ground: str, colour: str) -> str:
    return Color.parse(ground).blend(Color.parse(colour), _GLOW).hex.lower()


@cache
def faded(look: Look) -> Look:
    """Return the look of a table that is out of touch: everything sinks into the ground."""
    ground = Color.parse(look.table)

    def sink(colour: str) -> str:
        return Color.parse(colour).monochrome.blend(ground, _FADE).hex.lower()

    colours = {name: sink(value) for name, value in asdict(look).items() if isinstance(value, str)}
    light, dark = map(sink, look.inks)
    sunk = {**colours, "table": look.table, "inks": (light, dark)}
    return replace(look, **sunk, ramp=tuple(map(sink, look.ramp)))


@cache
def grounded(look: Look, ground: Tone) -> Look:
    """Return the look of cards that lie on another ground than the bare one."""
    return look if ground == "table" else replace(look, table=look.colour(ground))


@cache
def for_colours(look: Look, system: str | None) -> Look:
    """Return the look for a terminal of that colour system (rich's names)."""
    if system in {"truecolor", None}:
        return look
    return replace(look, ramp=RAMP_256)


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
    """Return a style; both colours are #rrggbb."""
    return Style(
        color=RichColor.parse(ink), bgcolor=RichColor.parse(ground), bold=bold, italic=italic
    )


def themes() -> tuple[Theme, ...]:
    """Themes for the library's own widgets, made from the looks."""
    return tuple(_theme(name, look) for name, look in LOOKS.items())


def dress(app: App[int], wanted: str) -> None:
    """Offer our own themes and no others, and put on the wanted one if it is among them."""
    for theme in themes():
        app.register_theme(theme)
    app.theme = wanted if wanted in LOOKS else DEFAULT
    for name in tuple(app.available_themes):
        if name not in LOOKS:
            app.unregister_theme(name)


def _theme(name: str, look: Look) -> Theme:
    return Theme(
        name=name,
        dark=contrast("#ffffff", look.table) > contrast("#000000", look.table),
        primary=look.accent,
        secondary=look.edge,
        accent=look.accent,
        warning=look.warn,
        error=look.bad,
        success=look.good,
        foreground=look.text,
        background=look.table,
        surface=look.table,
        panel=look.raised,
        variables={
            "dim": look.dim,
            "faint": look.faint,
            "raised": look.raised,
            "back": look.back,
            "edge": look.edge,
            "accent-ink": ink_on(look.accent),
            "input-cursor-background": look.accent,
            "input-cursor-foreground": ink_on(look.accent),
            "input-selection-background": f"{look.edge} 50%",
        },
    )
