"""Themes for the app: the looks that come with nana, and those of the person's own.

A theme carries its look, as this terminal can show it; widgets ask the app's theme for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from textual.app import App
from textual.theme import Theme
from textual.widget import Widget

from nana_client.looks import DEFAULT, LOOKS, NO_COLOURS, for_colours, is_dark
from nana_client.theme import Look, ink_on

# The library's palette in the frame that every box over the table has.
PALETTE_CSS: Final = """
CommandPalette > Vertical { max-width: 76; margin: 1 1 0 1; }
CommandPalette #--input, CommandPalette #--input.--list-visible {
    border: round $accent; border-title-color: $accent; border-title-style: bold;
    background: $panel; }
CommandPalette #--input.--list-visible { border-bottom: none; }
CommandPalette SearchIcon { display: none; }
CommandPalette CommandInput, CommandPalette CommandInput:focus { padding: 0 1; }
CommandPalette CommandList, CommandPalette CommandList.--populating {
    border: round $accent; border-top: none; background: $panel;
    max-height: 60vh; scrollbar-size-vertical: 1; scrollbar-color: $faint; }
"""
_NO_LOOKS: Final[Mapping[str, Look]] = {}


@dataclass
class Worn(Theme):
    """A theme of the library that remembers what it was made from."""

    look: Look = LOOKS[DEFAULT]


def look_of(widget: Widget) -> Look:
    """Return the look of the app's theme."""
    theme = widget.app.current_theme
    return theme.look if isinstance(theme, Worn) else LOOKS[DEFAULT]


def themes(
    own: Mapping[str, Look] = _NO_LOOKS, system: str | None = None, *, no_colour: bool = False
) -> tuple[Theme, ...]:
    """Make themes of all looks, for a terminal of that colour system (rich's names)."""
    looks = {**own, **LOOKS}
    worn = ((name, look, for_colours(name, look, system)) for name, look in looks.items())
    return tuple(_theme(name, fit, NO_COLOURS if no_colour else fit) for name, _, fit in worn)


def dress(app: App[int], wanted: str, own: Mapping[str, Look] = _NO_LOOKS) -> None:
    """Offer our themes and no others, and put on the wanted one if it is among them."""
    ours = themes(own, app.console.color_system, no_colour=app.no_color)
    for theme in ours:
        app.register_theme(theme)
    names = {theme.name for theme in ours}
    app.theme = wanted if wanted in names else DEFAULT
    for name in tuple(app.available_themes):
        if name not in names:
            app.unregister_theme(name)


def _theme(name: str, look: Look, drawn: Look) -> Theme:
    """Make a theme for the library's own widgets, with the look that ours draw by."""
    return Worn(
        name=name,
        look=drawn,
        dark=is_dark(look),
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
