"""Every screen at every size of terminal: resized at any moment, it is drawn whole."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from client.gallery import Scene, others, tables
from client.stage import Stage, screen_text
from nana_client.widgets.sheet import Sheet

SIZES: Final = (
    (80, 24), (40, 10), (44, 13), (76, 9), (60, 16), (118, 20), (200, 60), (44, 60),
    (200, 13), (80, 24),
)  # fmt: skip
LEAST: Final = 13  # rows of the smallest terminal; below that a screen may be cut, not broken
SCENES: Final = {**others(), **{f"table of 5, {name}": scene for name, scene in tables(5).items()}}


@pytest.mark.parametrize("name", SCENES)
async def test_a_screen_at_every_size(name: str) -> None:
    """No size breaks it, nothing on it is laid where it cannot be seen, and it comes back."""
    scene: Scene = SCENES[name]
    stage = Stage(Screen())
    async with stage.run_test(size=SIZES[0]) as pilot:
        await scene.show(stage)
        await pilot.pause()
        await pilot.press(*scene.keys)
        await pilot.pause()
        first = screen_text(pilot)
        for width, height in SIZES[1:]:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            text = screen_text(pilot)
            assert text.strip(), (width, height)
            if height >= LEAST:
                assert [*_cut(pilot)] == [], f"{width}x{height}\n{text}"
        assert screen_text(pilot) == first


def _cut(pilot: Pilot[Any]) -> Iterator[str]:
    """Find what lies beyond the edge of its sheet."""
    for sheet in pilot.app.screen.query(Sheet):
        if not sheet.display or not sheet.size.height:
            continue
        whole = sheet.size.region
        for item in sheet.items:
            if item.region.area and not whole.contains_region(item.region):
                yield f"#{sheet.id} {whole} {item}"
