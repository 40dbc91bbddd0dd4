"""Arrows: where each leads from where."""

import pytest

from nana_client.arrows import Spot, moved

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
