"""What lies over the table reads as a box of its own: a closed frame, with air around it."""

from functools import partial
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, get_args

import pytest
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen

from client.gallery import Scene, others
from client.stage import Stage, screen_text, until
from client.test_every_size import SIZES
from nana_client import screens
from nana_client.app import NanaApp
from nana_client.looks import DEFAULT
from nana_client.screens.box import Box
from nana_client.screens.leave import LeaveScreen, Why
from nana_client.screens.sure import SureScreen
from nana_client.start import OpenScreen
from nana_client.store import Folders, Store
from nana_client.wardrobe import themes

OVER: Final = {name: scene for name, scene in others().items() if scene.under is not None}
GAME, OTHERS = "A game is on. Leave?", "Others are still here. Leave?"
TITLES: Final = {
    "help": "Keys and rules",
    "help, rules first": "Keys and rules",
    "menu": "Table KQ7MX",
    "menu, mute": "Mute whom?",
    "menu, remove": "Remove whom?",
    "menu, make host": "Who is to be the host?",
    "menu, end the game": "End this game?",
    "settings": "Settings",
    "settings, the last": "Settings",
    "settings, name": "Your name",
    "leave": GAME,
    "leave, against bots": GAME,
}
WHYS: Final[dict[Why, str]] = dict.fromkeys(get_args(Why), OTHERS) | dict.fromkeys(
    ("alone", "playing", "hosting a game"), GAME
)
AIRY: Final = (64, 24)  # columns and rows from which on every box has air around it


@pytest.mark.parametrize("size", [(80, 24), (44, 13), (140, 40)])
async def test_the_palette_is_framed(size: tuple[int, int], tmp_path: Path) -> None:
    """The library's palette, whatever it finds, is a box like ours."""
    app = NanaApp(OpenScreen(), Store(Folders(tmp_path, tmp_path, tmp_path)))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+p")
        for typed, found in (("", "A press reveals"), ("zzz", "No matches")):
            await pilot.press(*typed)
            await until(pilot, partial(stands, pilot, found))
            field = app.screen.query_one("#--input").region
            closed(screen_text(pilot), field.x, field.y, field.right - 1)


def stands(pilot: Pilot[Any], words: str) -> bool:
    return words in screen_text(pilot)


def cases() -> list[tuple[Scene, str]]:
    """Return every box that there is, with its title."""
    asked = [(Scene(partial(LeaveScreen, why)), title) for why, title in WHYS.items()]
    sure = Scene(partial(SureScreen, "Delete it?", ("It is gone then.",), "no", "delete it"))
    known = [(scene, TITLES[name]) for name, scene in OVER.items()]
    return [*known, *asked, (sure, "Delete it?")]


def test_every_screen_that_lies_over_others_is_tried() -> None:
    """Whoever adds one adds it here, and so frames it."""
    for module in iter_modules(screens.__path__, "nana_client.screens."):
        import_module(module.name)
    ours = {kind for kind in _heirs(ModalScreen) if kind.__module__.startswith("nana_client.")}
    assert ours == _heirs(Box), "one of them may close twice"
    assert {type(scene.make()) for scene, _ in cases()} == ours - {Box}


def _heirs(kind: type) -> set[type]:
    return {kind}.union(*map(_heirs, kind.__subclasses__()))


async def test_every_box_is_framed_at_every_size() -> None:
    """A heading in an edge that is closed all around, nothing beside it; without colours, too."""
    stage = Stage(Screen())
    async with stage.run_test(size=SIZES[0]) as pilot:
        for theme in themes(no_colour=True):
            stage.register_theme(theme)
        stage.theme = DEFAULT
        for scene, title in cases():
            await scene.show(stage)
            await pilot.pause()
            await pilot.press(*scene.keys)
            for size in SIZES[:-1]:
                await pilot.resize_terminal(*size)
                await pilot.pause()
                text = screen_text(pilot)
                place = box(text, title)
                if size[0] >= AIRY[0] and size[1] >= AIRY[1]:
                    assert not beside(text, *place).strip(), f"{size}\n{text}"
            while stage.screen is not stage.first:
                await stage.pop_screen()


def box(text: str, title: str) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the frame that bears a title; it must be closed."""
    lines = text.splitlines()
    top = next((y for y, line in enumerate(lines) if f"╭─ {title} " in line), None)
    assert top is not None, f"nothing bears the title {title}\n{text}"
    left = lines[top].index(f"╭─ {title} ")
    right = lines[top].index("╮", left)
    return left, top, right, closed(text, left, top, right)


def closed(text: str, left: int, top: int, right: int) -> int:
    """Return where the frame ends that begins there; every edge must be whole."""
    lines = text.splitlines()
    sides = [*takewhile(lambda line: line[left] == line[right] == "│", lines[top + 1 :])]
    bottom = top + 1 + len(sides)
    assert bottom < len(lines), text
    corners = lines[top][left] + lines[top][right] + lines[bottom][left] + lines[bottom][right]
    assert corners == "╭╮╰╯", text
    return bottom


def beside(text: str, left: int, top: int, right: int, bottom: int) -> str:
    """Return what stands directly at the left and at the right of a frame."""
    lines = text.splitlines()[top : bottom + 1]
    return "".join(line[left - 1] + line[right + 1] for line in lines)
