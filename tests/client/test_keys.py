"""Keys: what each means, on every keyboard, and where arrows lead."""

import pytest

from nana_client.keys import Spot, key_of, moved, source_of
from nana_core.notation import SOURCES


@pytest.mark.parametrize(
    ("char", "source"),
    [
        pytest.param("1", "c1", id="a digit is a slot"),
        pytest.param("9", "c9", id="the last digit"),
        pytest.param("0", "c10", id="zero is slot ten"),
        pytest.param("b", "b<", id="small is lowest"),
        pytest.param("B", "b>", id="capital is highest"),
        pytest.param("&", "c1", id="AZERTY 1"),
        pytest.param("é", "c2", id="AZERTY 2"),
        pytest.param("è", "c7", id="AZERTY 7"),
        pytest.param("à", "c10", id="AZERTY 0"),
        pytest.param("f", None, id="no such seat"),
        pytest.param("ß", None, id="a letter whose capital is two"),
        pytest.param("", None, id="nothing"),
        pytest.param("ab", None, id="two characters"),
        pytest.param(None, None, id="no character"),
    ],
)
def test_what_a_character_means(char: str | None, source: str | None) -> None:
    """A character stands for one source or none."""
    assert source_of(char) == source


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_has_a_key_that_means_it(source: str) -> None:
    """What is printed on a card, pressed, is that card."""
    assert source_of(key_of(source)) == source


SPOTS = (
    Spot("b<", 10, 3),
    Spot("b>", 30, 3),
    Spot("c<", 50, 3),
    Spot("c1", 12, 10),
    Spot("c2", 20, 10),
    Spot("c3", 12, 14),
    Spot("a<", 20, 20),
    Spot("a>", 60, 20),
)


@pytest.mark.parametrize(
    ("aim", "direction", "leads_to"),
    [
        pytest.param("b<", "right", "b>", id="along a row"),
        pytest.param("c<", "right", "c<", id="the row ends"),
        pytest.param("c<", "left", "b>", id="back"),
        pytest.param("b<", "down", "c1", id="to the row below"),
        pytest.param("c1", "down", "c3", id="within the center"),
        pytest.param("c3", "down", "a<", id="to the hand"),
        pytest.param("a>", "up", "c3", id="up from the hand"),
        pytest.param("b<", "up", "b<", id="the screen ends"),
        pytest.param(None, "up", "b<", id="without an aim, the first"),
        pytest.param("e<", "left", "b<", id="an aim that is gone"),
    ],
)
def test_arrows_go_to_the_nearest(aim: str | None, direction: str, leads_to: str) -> None:
    """An arrow leads to the nearest source that way, or nowhere."""
    assert moved(aim, direction, SPOTS) == leads_to  # type: ignore[arg-type]


def test_arrows_without_any_source() -> None:
    """Where nothing can be revealed an arrow aims at nothing."""
    assert moved(None, "left", ()) is None
