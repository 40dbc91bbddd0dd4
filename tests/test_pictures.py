"""The documentation's pictures: of a game really played; nothing in them from elsewhere."""

import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest

import make_pictures
from make_pictures import PICTURES, Scene
from terminal_svg import drawn

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"


@pytest.fixture(scope="module")
def scenes() -> dict[str, Scene]:
    return make_pictures.scenes()


def test_the_game_is_played_to_its_end(scenes: dict[str, Scene]) -> None:
    """The last scene is of a game that somebody won, with a deal that the client verified."""
    model = scenes["over"].model
    assert model.snapshot is not None
    assert model.snapshot.result is not None
    assert model.snapshot.result.kind == "won"
    assert model.proof == "verified"


def test_it_is_the_same_game_every_time(scenes: dict[str, Scene]) -> None:
    """Nothing in the scenes comes from a clock or from chance."""
    assert make_pictures.scenes() == scenes


def test_every_picture_is_there_and_no_other() -> None:
    """The folder holds what the script makes: after a change of it, `make pictures`."""
    made = {picture.name for picture in PICTURES} | {"session"}  # that one by `make recording`
    assert {file.stem for file in FOLDER.glob("*.svg")} == made


@pytest.mark.parametrize("name", [picture.name for picture in PICTURES])
def test_a_picture_is_whole_and_fetches_nothing(name: str) -> None:
    """Each is well-formed SVG without a script, an address or a font from elsewhere."""
    text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    tree = ET.fromstring(text)  # noqa: S314 - our own file
    assert {element.tag.rpartition("}")[2] for element in tree.iter()} <= {
        "svg", "style", "defs", "clipPath", "rect", "text", "g", "circle", "path",
    }  # fmt: skip
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", text)


async def test_a_picture_says_what_the_screen_says(scenes: dict[str, Scene]) -> None:
    """No word is lost on the way from the screen."""
    picture = next(picture for picture in PICTURES if picture.name == "table")
    text = await make_pictures.rendered(picture, scenes[picture.scene])
    words = re.findall(r"<text[^>]*>([^<]*)</text>", text)
    said = " ".join(words)
    assert "YOUR TURN Reveal Cy&#x27;s lowest card? " in said
    assert "▶ A Ann (you)" in said
    assert "slot 5 D low" in said


def test_lines_and_blocks_become_shapes() -> None:
    """An edge is a line, a digit is made of blocks, what is left is text at its own place."""
    svg = (
        "<style>.t-r1 { fill: #ffffff }</style>"
        '<text class="t-r1" x="12.2" y="20" textLength="61">╭─█&#160;a</text>'
    )
    shapes = drawn(svg).partition("</style>")[2]
    assert shapes.count("<path") == 2
    assert 'stroke="#ffffff"' in shapes
    assert '<text class="t-r1" x="61" y="20" textLength="12.2">a</text>' in shapes
