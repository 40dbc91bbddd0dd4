"""How many keys each thing takes, and that every key that is named can be clicked instead."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from client.scenes import finished, lobby, model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text, stage_of
from nana_client.aim import sources
from nana_client.deeds import DEEDS
from nana_client.keyboard import USUAL, Keyboard
from nana_client.model import Model
from nana_client.screens.lobby import LobbyScreen, level_after
from nana_client.screens.room import RoomScreen
from nana_client.screens.table import TableScreen
from nana_client.widgets.sheet import Sheet, Words
from nana_core.protocol.inbound import OptionChanges
from nana_core.protocol.outbound import Snapshot

SHOWN = snapshot_of(played(3, "c2 b<", first=2))  # a miss, and it is on A to go on
OVER = snapshot_of(finished(3))


class _Stage(Stage):
    def __init__(self, screen: RoomScreen, keyboard: Keyboard = USUAL) -> None:
        super().__init__(screen)
        self.keyboard = keyboard


def legal(players: int) -> Iterator[tuple[Snapshot, str]]:
    """Yield every reveal that is legal at the beginning and after one card."""
    for actions in ("", "c1"):
        shot = snapshot_of(played(players, actions))
        yield from ((shot, source) for source in sources(shot))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
async def test_any_card_in_two_keys(players: int) -> None:
    """Every card that may be revealed is, by the key on it pressed twice; by one, where set so."""
    screen = TableScreen(Recorder(model_of(SHOWN)), now=lambda: 0)
    async with _Stage(screen).run_test() as pilot:
        for at_once, presses in ((False, 2), (True, 1)):
            screen.at_once = at_once
            for step, (begun, source) in enumerate(legal(players), start=1 + 1000 * at_once):
                shot = replace(begun, step=step, version=step)
                play = Recorder(model_of(shot))
                screen.play = play
                screen.show(model_of(shot))
                await pilot.press(*[USUAL.on_card(source)] * presses)
                assert play.deeds == [("reveal", source, step)]


async def test_from_what_is_shown_to_a_card_in_three() -> None:
    """One key goes on, two reveal; the same key that reveals goes on, too."""
    for keys in (("space", "b", "b"), ("enter", "4", "enter"), ("enter", "enter", "enter")):
        play = Recorder(model_of(SHOWN))
        screen = TableScreen(play, now=lambda: 0)
        async with _Stage(screen).run_test() as pilot:
            await pilot.pause()
            await pilot.press(keys[0])
            mine = snapshot_of(played(3, "c2 b< ."), version=99)
            screen.show(model_of(replace(mine, on_turn="A", you=SHOWN.you)))
            await pilot.press(*keys[1:])
            assert [deed[0] for deed in play.deeds] == ["proceed", "reveal"]


async def test_who_presses_enter_sees_what_it_does() -> None:
    """Enter without an aim takes one; nothing is revealed that was not shown before."""
    play = Recorder(model_of(snapshot_of(played(3))))
    async with _Stage(TableScreen(play, now=lambda: 0)).run_test() as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert "1 or Enter reveals" in screen_text(pilot)
        assert play.deeds == []


async def test_a_key_that_means_nothing_says_so() -> None:
    """Who tries keys reads that this one does nothing, and which one tells all."""
    keyboard = Keyboard({"help": ("f2",)})
    play = Recorder(model_of(snapshot_of(played(3))))
    async with _Stage(TableScreen(play, now=lambda: 0), keyboard).run_test() as pilot:
        await pilot.pause()
        await pilot.press("z")
        await pilot.pause()
        assert "z does nothing here; F2 shows the keys." in screen_text(pilot)
        await pilot.press("1")
        await pilot.pause()
        assert "Reveal slot 1?" in screen_text(pilot)


OWN = Keyboard({
    "talk": ("y",), "menu": ("f5",), "help": ("f2",), "back": ("f9",), "continue": ("g",),
    "reveal": ("f3",), "center-4": ("f4",), "b-low": ("v",), "again": ("u",), "deal": ("f6",),
    "record": ("k",), "options": ("w",), "add-bot": ("n",), "copy-link": ("z",), "quit": ("f8",),
    "level": ("q",), "remove": ("f7",), "sit": ("j",), "retry": ("i",), "left": ("f10",),
})  # fmt: skip


@pytest.mark.parametrize(
    ("model", "keys", "says", "deeds"),
    [
        pytest.param(
            model_of(snapshot_of(played(3))), ("v", "f3"), ("y talk", "F5 menu", "F9 leave"),
            ["reveal"], id="a hand",
        ),
        pytest.param(
            model_of(snapshot_of(played(3))), ("f4",), ("F4 or F3 reveals", "F9 clears the aim"),
            [], id="a slot",
        ),
        pytest.param(model_of(SHOWN), ("g",), ("g ", "F8 quit"), ["proceed"], id="go on"),
        pytest.param(
            model_of(OVER), ("k", "u"), ("u or F6", "play again", "k save", "w options"),
            ["export", "rematch"], id="after a game",
        ),
        pytest.param(
            replace(model_of(OVER), connection="waiting", retry_in=2.0), ("i",), ("i now",), [],
            id="offline",
        ),
        pytest.param(
            model_of(lobby()), ("n", "f6"), ("F6 ", "n adds", "q level", "z copies", "y talk"),
            ["add_bot", "start"], id="the lobby",
        ),
        pytest.param(model_of(lobby(None)), ("j",), ("j sits down",), ["sit"], id="beside"),
    ],
)  # fmt: skip
async def test_the_screens_name_the_keys_that_hold(
    model: Model, keys: tuple[str, ...], says: tuple[str, ...], deeds: list[str]
) -> None:
    """With keys of one's own each does its deed, and no usual key that was given up is named."""
    play = Recorder(model)
    shot = model.snapshot
    assert shot is not None
    screen = LobbyScreen(play) if shot.phase == "lobby" else TableScreen(play, now=lambda: 0)
    async with _Stage(screen, OWN).run_test(size=(110, 24)) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        assert [deed[0] for deed in play.deeds] == deeds
        text = screen_text(pilot)
        for words in says:
            assert words in text
        for gone in ("Enter", "Space", "Esc ", " t talk", "^Q"):
            assert gone not in text


CASES = [
    pytest.param(model_of(snapshot_of(played(3))), id="your turn"),
    pytest.param(model_of(SHOWN), id="shown"),
    pytest.param(model_of(OVER), id="over"),
    pytest.param(model_of(snapshot_of(finished(3), None)), id="over, watched"),
    pytest.param(model_of(lobby()), id="lobby"),
    pytest.param(model_of(lobby(None)), id="lobby, watched"),
    pytest.param(replace(model_of(OVER), connection="waiting", retry_in=2.0), id="offline"),
]
# A click on these leaves no deed of the room and no wish: the panel opens, or the app acts.
ELSEWHERE = {"talk", "quit", "level", "palette", "skip-hints"}


def hints(pilot: Pilot[Any]) -> list[tuple[Sheet, Words]]:
    return [
        (sheet, item)
        for sheet in pilot.app.screen.query(Sheet)
        for item in sheet.items
        if isinstance(item, Words) and item.press in DEEDS
    ]


@pytest.mark.parametrize("size", [(80, 24), (44, 13)])
@pytest.mark.parametrize("model", CASES)
async def test_every_hint_is_a_button(model: Model, size: tuple[int, int]) -> None:
    """What is named in prompt and footer, clicked, does what its key does."""
    shot = model.snapshot
    assert shot is not None
    seen = set[str]()
    while True:
        play = Recorder(model)
        screen = LobbyScreen(play) if shot.phase == "lobby" else TableScreen(play, now=lambda: 0)
        async with _Stage(screen).run_test(size=size) as pilot:
            await pilot.pause()
            stage_of(pilot).wishes.clear()
            left = [(sheet, word) for sheet, word in hints(pilot) if word.press not in seen]
            if not left:
                break
            sheet, word = left[0]
            what = str(word.press)
            seen.add(what)
            await pilot.click(sheet, offset=(word.x, word.y))
            await pilot.pause()
            if what == "talk":
                assert screen.focused is not None
            elif what not in ELSEWHERE:
                assert play.deeds or stage_of(pilot).wishes, what
    assert "talk" in seen or model.connection != "open"
    assert seen >= ({"menu", "help"} if shot.phase != "lobby" or size != (44, 13) else {"menu"})


@pytest.mark.parametrize(
    ("what", "deeds"),
    [
        ("add D", [("add_bot", "memory", "D")]),
        ("drop B", [("remove", "B")]),
        ("drop C", [("remove", "C")]),
        ("more memory", [("options", OptionChanges(memory="open"))]),
        ("more public", [("options", OptionChanges(public=True))]),
        ("deal", [("start",)]),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_the_lobby_by_mouse(
    what: str, deeds: list[tuple[Any, ...]], size: tuple[int, int]
) -> None:
    """Seats and options have buttons of their own."""
    play = Recorder(model_of(lobby()))
    async with _Stage(LobbyScreen(play)).run_test(size=size) as pilot:
        await pilot.pause()
        for sheet in pilot.app.screen.query(Sheet):
            for item in sheet.items:
                if isinstance(item, Words) and item.press == what and not play.deeds:
                    await pilot.click(sheet, offset=(item.x, item.y))
                    await pilot.pause()
        assert play.deeds == deeds


@pytest.mark.parametrize(
    ("keys", "deeds"),
    [
        (("down", "down", "right"), [("remove", "C"), ("add_bot", level_after("memory", 1), "C")]),
        (("down", "down", "left"), [("remove", "C"), ("add_bot", level_after("memory", -1), "C")]),
        (("down", "down", "down", "left", "b"), [("add_bot", level_after("memory", -1), "D")]),
    ],
)
async def test_bots_of_another_level(keys: tuple[str, ...], deeds: list[tuple[Any, ...]]) -> None:
    """← and → on a bot's seat change how strong it is; on a free one, what b will add."""
    play = Recorder(model_of(lobby()))
    async with _Stage(LobbyScreen(play)).run_test() as pilot:
        await pilot.pause()
        assert "adds a strong bot" in screen_text(pilot)
        await pilot.press(*keys)
        await pilot.pause()
        assert play.deeds == deeds
        assert "adds a expert" not in screen_text(pilot)


async def test_a_guest_has_no_buttons_of_the_host() -> None:
    """Who is not host is offered nothing that would be refused."""
    play = Recorder(model_of(lobby(1)))
    async with _Stage(LobbyScreen(play)).run_test() as pilot:
        await pilot.pause()
        presses = {
            item.press
            for sheet in pilot.app.screen.query(Sheet)
            for item in sheet.items
            if isinstance(item, Words) and item.press
        }
        assert not {press for press in presses if press.startswith(("add", "drop", "stronger"))}
