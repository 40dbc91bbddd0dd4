"""Colours: a help and never the only sign, readable for everybody."""

from itertools import pairwise

import pytest
from textual.color import Color

from nana_client.theme import (
    LOOKS,
    RAMP,
    RAMP_256,
    Look,
    contrast,
    faded,
    for_colours,
    ink_on,
)
from nana_client.widgets.card import LARGE, SMALL, TINY, Face, Kind, Size, drawn

EVERY = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)


@pytest.mark.parametrize("ramp", [RAMP, RAMP_256], ids=["truecolor", "256 colours"])
def test_the_ramp_is_told_apart_and_read(ramp: tuple[str, ...]) -> None:
    """Twelve different colours, each with ink of a contrast of 4.5 or more on it."""
    assert len({*ramp}) == 12
    assert all(contrast(ink_on(colour), colour) >= 4.5 for colour in ramp)


def test_the_ramp_rises_in_grey() -> None:
    """From 1 to 12 every colour is brighter than the one before, so grey keeps their order."""
    grey = [contrast("#000000", colour) for colour in RAMP]
    assert all(high > low * 1.03 for low, high in pairwise(grey))


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
def test_a_faded_table_is_grey_and_still_there(look: Look) -> None:
    """Out of touch the table has no colours, and is dimmer than before."""
    grey = faded(look)
    for colour in grey.ramp:
        red, green, blue = Color.parse(colour).rgb
        ground = Color.parse(look.table).rgb
        assert max(red, green, blue) - min(red, green, blue) <= max(ground) - min(ground) + 2
    assert contrast(grey.text, look.table) < contrast(look.text, look.table)


def test_fewer_colours_get_their_own_ramp() -> None:
    """A terminal of 256 colours gets what was picked for it."""
    assert for_colours(LOOKS["night"], "256").ramp == RAMP_256
    assert for_colours(LOOKS["night"], "truecolor").ramp == RAMP


def text_of(face: Face, size: Size) -> str:
    rows = drawn(face, size, LOOKS["night"])
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
