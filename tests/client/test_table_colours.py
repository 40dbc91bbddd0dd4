"""Colours: a help and never the only sign, readable for everybody."""

from itertools import pairwise

import pytest
from msgspec.structs import asdict, replace
from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.app import App
from textual.color import Color

from nana_client.looks import (
    DEFAULT,
    LESSER,
    LOOKS,
    NO_COLOURS,
    RAMP,
    RAMP_16,
    RAMP_256,
    for_colours,
    is_dark,
)
from nana_client.theme import DIM, REVERSED, Look, contrast, faded, ink_on, style
from nana_client.wardrobe import dress, look_of, themes
from nana_client.widgets.card import LARGE, SMALL, TINY, Face, Kind, Size, drawn

PALETTES = {"256": EIGHT_BIT_PALETTE, "standard": STANDARD_PALETTE}


def written(colour: str, few: str) -> str:
    """Return the colour that a terminal of few colours is told to show."""
    system = ColorSystem.EIGHT_BIT if few == "256" else ColorSystem.STANDARD
    number = RichColor.parse(colour).downgrade(system).number
    assert number is not None
    return PALETTES[few][number].hex


def as_written(look: Look, few: str) -> Look:
    names = [name for name, value in asdict(look).items() if isinstance(value, str)]
    colours = {name: written(getattr(look, name), few) for name in names}
    ramp = tuple(written(colour, few) for colour in look.ramp)
    return replace(look, ramp=ramp, **colours)


NAMED = {
    **LOOKS,
    **{
        f"{name} {few}": as_written(look, few)
        for few, looks in LESSER.items()
        for name, look in looks.items()
    },
}
EVERY = pytest.mark.parametrize("look", NAMED.values(), ids=NAMED)
TRUE = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
RAMPS = pytest.mark.parametrize("ramp", [RAMP, RAMP_256, RAMP_16], ids=["true", "256", "16"])
XTERM_16 = (
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
)  # fmt: skip


@RAMPS
def test_the_ramp_is_told_apart_and_read(ramp: tuple[str, ...]) -> None:
    """Twelve different colours, each with ink of a contrast of 4.7 or more on it."""
    assert len({*ramp}) == 12
    assert min(contrast(ink_on(colour), colour) for colour in ramp) >= 4.7


@RAMPS
def test_the_ramp_rises_in_grey(ramp: tuple[str, ...]) -> None:
    """From 1 to 12 every colour is brighter than the one before, so grey keeps their order."""
    grey = [contrast("#000000", colour) for colour in ramp]
    least = 1.005 if ramp is RAMP_16 else 1.03  # of sixteen colours one has no choice
    assert all(high > low * least for low, high in pairwise(grey))


def test_no_card_has_the_ground_s_colour() -> None:
    """An open card stands out from the table that it lies on, and from a back, in every look."""
    for name, look in NAMED.items():
        for colour in look.ramp:
            assert colour not in {look.table, look.felt, look.back}, name


@pytest.mark.parametrize("few", LESSER)
def test_lesser_colours_are_entries_of_their_palettes(few: str) -> None:
    """What is written by hand reaches the terminal as it is: nothing is rounded."""
    for look in LESSER[few].values():
        words = [value for value in asdict(look).values() if isinstance(value, str)]
        for colour in (*words, *look.ramp, *look.inks):
            grey = len({colour[1:3], colour[3:5], colour[5:7]}) == 1
            assert written(colour, few) == colour or (grey and few == "256"), colour


def test_sixteen_colours_are_read_in_xterm_too() -> None:
    """A terminal's own idea of the sixteen may be another: the ink chosen is still read."""
    for colour in RAMP_16:
        number = RichColor.parse(colour).downgrade(ColorSystem.STANDARD).number
        ink = RichColor.parse(ink_on(colour)).downgrade(ColorSystem.STANDARD).number
        assert number is not None
        assert ink is not None
        assert contrast(XTERM_16[ink], XTERM_16[number]) >= 3.9, colour


@EVERY
def test_words_are_readable_on_their_grounds(look: Look) -> None:
    """Text, dim text and every tone are read on the table and on panels."""
    for ground in (look.table, look.felt, look.raised):
        assert contrast(look.text, ground) >= 7
        for tone in ("dim", "accent", "good", "bad", "warn"):
            assert contrast(look.colour(tone), ground) >= 4.4, (tone, ground)
    for tone in ("accent", "good", "bad", "warn"):
        assert contrast(look.text, look.colour(f"~{tone}")) >= 4.5


@EVERY
def test_keys_are_readable_on_backs(look: Look) -> None:
    """The key of a card that can be revealed is read in its edge; the pattern stays behind."""
    assert contrast(look.accent, look.back) >= 4.4
    assert contrast(look.edge, look.back) > contrast(look.weave, look.back) > 1.2


@TRUE
def test_a_faded_table_is_grey_and_still_there(look: Look) -> None:
    """Out of touch the table has no colours, and is dimmer than before."""
    grey = faded(look)
    for colour in grey.ramp:
        red, green, blue = Color.parse(colour).rgb
        ground = Color.parse(look.table).rgb
        assert max(red, green, blue) - min(red, green, blue) <= max(ground) - min(ground) + 2
    assert contrast(grey.text, look.table) < contrast(look.text, look.table)


@pytest.mark.parametrize("name", LOOKS)
def test_few_colours_fade_to_one(name: str) -> None:
    """Where nothing can be blended, words and cards take one grey, and stay to be seen."""
    look = LESSER["standard"][name]
    grey = faded(look)
    assert len({*grey.ramp}) == 1
    assert grey.text != look.text
    assert contrast(grey.text, grey.table) > 1.5
    assert contrast(grey.ink_on(grey.ramp[0]), grey.ramp[0]) > 1.5


def test_fewer_colours_get_their_own_table() -> None:
    """A terminal gets what was picked for it; a look of one's own what is nearest to it."""
    night = LOOKS["night"]
    assert for_colours("night", night, "256") is LESSER["256"]["night"]
    assert for_colours("night", night, "standard") is LESSER["standard"]["night"]
    assert for_colours("night", night, "windows") is LESSER["standard"]["night"]
    assert for_colours("night", night, "truecolor") is night
    mine = replace(night, accent="#abcdef")
    assert for_colours("mine", mine, "256").accent == "#abcdef"
    assert for_colours("mine", mine, "256").ramp == RAMP_256
    pale = replace(LOOKS["paper"], accent="#123456")
    assert is_dark(for_colours("mine", mine, "standard"))
    assert not is_dark(for_colours("pale", pale, "standard"))


def test_without_colours_nothing_is_written_in_any() -> None:
    """Every cell of every card is plain, dim or reversed, and open cards are reversed."""
    for face in (Face("back", key="b", live=True), Face("up", 7), Face("place", mark="aim")):
        for size in (TINY, SMALL, LARGE):
            styles = [cell for row in drawn(face, size, NO_COLOURS) for _, cell in row]
            assert all(cell.color is None and cell.bgcolor is None for cell in styles)
            assert any(cell.reverse for cell in styles) == (face.kind == "up")
    assert style(REVERSED, "plain").reverse
    assert style(DIM, "plain").dim


async def test_an_app_wears_what_its_terminal_can_show() -> None:
    """The app's widgets draw by the look that fits, and the library's by the same colours."""
    systems = {"256": ColorSystem.EIGHT_BIT, "standard": ColorSystem.STANDARD}
    for few, system in systems.items():
        look = LESSER[few]["paper"]
        app: App[int] = App()
        app.console._color_system = system
        dress(app, "paper")
        async with app.run_test() as pilot:
            assert look_of(pilot.app.screen) is look
            assert pilot.app.current_theme.background == look.table


def test_without_colours_the_app_draws_plainly() -> None:
    """Whatever the theme is, its look has no colours where none are wanted."""
    worn = themes(no_colour=True)
    assert {theme.name for theme in worn} == {*LOOKS}
    assert all(getattr(theme, "look") is NO_COLOURS for theme in worn)  # noqa: B009


def text_of(face: Face, size: Size) -> str:
    rows = drawn(face, size, LOOKS[DEFAULT])
    return "\n".join("".join(char for char, _ in row) for row in rows)


@pytest.mark.parametrize("size", [TINY, SMALL, LARGE], ids=["tiny", "small", "large"])
def test_cards_differ_without_colour(size: Size) -> None:
    """Face down, open, aimed at, collected: four shapes, whatever the colours."""
    faces = [
        Face("back", key="6"),
        Face("up", 6, key="6"),
        Face("back", key="6", mark="aim"),
        Face("gone"),
    ]
    assert len({text_of(face, size) for face in faces}) == len(faces)


@pytest.mark.parametrize("number", range(1, 13))
def test_a_number_is_written_on_its_card(number: int) -> None:
    """Every number stands whole on a small card, and each large one looks different."""
    assert str(number) in text_of(Face("up", number), SMALL)
    others = {text_of(Face("up", other), LARGE) for other in range(1, 13)}
    assert len(others) == 12


@pytest.mark.parametrize("size", [TINY, SMALL, LARGE], ids=["tiny", "small", "large"])
@pytest.mark.parametrize("kind", ["back", "up", "gone", "place"])
def test_every_card_has_its_size(kind: Kind, size: Size) -> None:
    """Rows and columns of a card are exactly its size."""
    lines = text_of(Face(kind, 10, key="0"), size).split("\n")
    assert len(lines) == size.height
    assert {len(line) for line in lines} == {size.width}
