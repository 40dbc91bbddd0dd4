"""Opening, joining, lobby, help and leaving: what keys and mouse do, and what is said."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import Input

from client.scenes import lobby, model_of
from client.stage import Recorder, Stage, screen_text, stage_of
from nana_client.keyboard import USUAL
from nana_client.rules import RULES, keys_told
from nana_client.screens.help import HelpScreen
from nana_client.screens.join import JoinScreen, Tried
from nana_client.screens.leave import LeaveScreen
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.opening import Opening, OpeningScreen
from nana_client.widgets.sheet import Sheet, Words
from nana_core.protocol.inbound import OptionChanges
from nana_core.protocol.outbound import Snapshot


@asynccontextmanager
async def staged(screen: Any, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[Any]]:
    async with Stage(screen).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


async def press(pilot: Pilot[Any], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def click(pilot: Pilot[Any], what: str) -> None:
    for sheet in pilot.app.screen.query(Sheet):
        for item in sheet.items:
            if isinstance(item, Words) and item.press == what:
                await pilot.click(sheet, offset=(item.x + (item.width > 1), item.y))
                await pilot.pause()
                return
    raise AssertionError(f"{what} is not on the screen")


@pytest.mark.parametrize(
    ("key", "choice"),
    [("enter", "play"), ("h", "host"), ("j", "join"), ("w", "watch"), ("r", "resume")],
)
async def test_one_key_each(key: str, choice: str) -> None:
    """From the opening screen every way to a table is one key."""
    async with staged(OpeningScreen("Ann", Opening(kept="KQ7MX"))) as pilot:
        await press(pilot, key)
        (chosen,) = stage_of(pilot).posted
        assert (chosen.choice, chosen.name) == (choice, "Ann")


async def test_arrows_choose_and_set_the_bots() -> None:
    """Up and down choose a way, left and right the number of bots, l their level."""
    async with staged(OpeningScreen("Ann", Opening())) as pilot:
        await press(pilot, "right", "l", "down", "up", "enter")
        (chosen,) = stage_of(pilot).posted
        assert (chosen.choice, chosen.opening.bots) == ("play", 4)
        assert chosen.opening.level == "memory"


async def test_the_mouse_chooses() -> None:
    """A click on a line goes there."""
    async with staged(OpeningScreen("Ann", Opening())) as pilot:
        await click(pilot, "host")
        assert stage_of(pilot).posted[0].choice == "host"


async def test_the_mouse_chooses_the_bots() -> None:
    """The arrows and the level in the row of the bots are buttons; the row itself plays."""
    async with staged(OpeningScreen("Ann", Opening())) as pilot:
        for what in ("right", "level", "left", "left", "settings"):
            await click(pilot, what)
        assert [type(posted).__name__ for posted in stage_of(pilot).posted] == ["Asked"]
        await click(pilot, "play")
        chosen = stage_of(pilot).posted[-1]
        assert (chosen.opening.bots, chosen.opening.level) == (2, "memory")


async def test_nothing_to_come_back_to() -> None:
    """Without a kept seat there is no such line, and r does nothing."""
    async with staged(OpeningScreen("Ann", Opening())) as pilot:
        assert "go back" not in screen_text(pilot)
        await press(pilot, "r")
        assert stage_of(pilot).posted == []


async def test_the_name_is_edited_in_place_and_checked() -> None:
    """Typing replaces the name; one that no server takes is told why, and one stays on it."""
    async with staged(OpeningScreen("Ann", Opening())) as pilot:
        await press(pilot, "n", "h", "j")
        assert pilot.app.screen.query_one("#name", Input).value == "hj"
        await press(pilot, *["backspace"] * 5, "escape", "enter")
        assert stage_of(pilot).posted == []
        assert "That name will not do" in screen_text(pilot)
        assert pilot.app.screen.focused is not None


async def test_trouble_is_told_on_the_opening_screen() -> None:
    """Why one is back is a sentence below the menu."""
    async with staged(OpeningScreen("Ann", Opening(trouble="The port is taken."))) as pilot:
        assert "The port is taken." in screen_text(pilot)


async def test_a_bad_link_is_told_in_place() -> None:
    """A link that leads nowhere is told why under its field, and one stays there."""
    async with staged(JoinScreen("Ann", watch=True)) as pilot:
        await press(pilot, *"ws://somewhere", "enter")
        assert stage_of(pilot).posted == []
        assert "names a server, but no room" in " ".join(screen_text(pilot).split())
        assert pilot.app.screen.focused is pilot.app.screen.query_one("#link")


async def test_a_good_link_goes() -> None:
    """A pasted link, with name and password as they are."""
    async with staged(JoinScreen("Ann", watch=True)) as pilot:
        pilot.app.screen.query_one("#link", Input).value = " ws://192.0.2.7:8765/r/kq7mx "
        await press(pilot, "enter")
        (going,) = stage_of(pilot).posted
        assert going.target.url == "ws://192.0.2.7:8765/r/KQ7MX"
        assert (going.name, going.watch) == ("Ann", True)


async def test_a_code_is_enough_for_the_last_server() -> None:
    """Where the server is known, the room's code alone will do."""
    async with staged(JoinScreen("Ann", "ws://192.0.2.7:8765/")) as pilot:
        pilot.app.screen.query_one("#link", Input).value = "KQ7MX"
        await press(pilot, "enter")
        assert stage_of(pilot).posted[0].target.url == "ws://192.0.2.7:8765/r/KQ7MX"


async def test_a_servers_address_opens_a_room_there() -> None:
    """It goes like a link; whoever wants to watch needs a room."""
    async with staged(JoinScreen("Ann")) as pilot:
        assert "a server's address for a new room there" in " ".join(screen_text(pilot).split())
        await press(pilot, *"wss://nana.example.org", "enter")
        (going,) = stage_of(pilot).posted
        assert (going.target.url, going.target.room) == ("wss://nana.example.org:443/", None)


@pytest.mark.parametrize("size", [(80, 24), (44, 13)])
async def test_a_link_that_led_nowhere_is_there_to_be_put_right(size: tuple[int, int]) -> None:
    """It stands in its field with the reason; where a password is missing, one types that."""
    tried = Tried("ws://a:1/r/KQ7MX", "This server asks for a password.", locked=True)
    async with staged(JoinScreen("Ann", tried=tried), size) as pilot:
        assert tried.trouble in screen_text(pilot)
        await press(pilot, *"tanuki", "enter")
        (going,) = stage_of(pilot).posted
        assert (going.target.url, going.password) == ("ws://a:1/r/KQ7MX", "tanuki")


async def test_why_no_server_could_start_is_told_in_full() -> None:
    """The reason and what to do about it, however long: the logo makes room."""
    trouble = "The server did not start: " + " ".join(f"word{n}" for n in range(30)) + " at last."
    async with staged(OpeningScreen("Ann", Opening(trouble=trouble))) as pilot:
        assert trouble in " ".join(screen_text(pilot).split())


async def test_escape_goes_back_from_joining() -> None:
    """Escape leaves the fields as they are and goes back."""
    async with staged(JoinScreen("Ann")) as pilot:
        await press(pilot, "escape")
        assert stage_of(pilot).posted == ["left"]


def test_a_password_is_in_no_repr() -> None:
    """A traceback that prints what was entered does not print the password."""
    from nana_client.address import parse_room  # noqa: PLC0415 - only here

    target = parse_room("ws://a:1/r/KQ7MX")
    assert "geheim" not in repr(JoinScreen.Going(target, "Ann", "geheim", watch=False))


LINKS = ("ws://192.0.2.7:8765/r/KQ7MX", "ws://[2001:db8::7]:8765/r/KQ7MX")


@asynccontextmanager
async def in_lobby(
    shot: Snapshot, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[Any], Recorder]]:
    play = Recorder(model_of(shot))
    async with staged(LobbyScreen(play, LINKS), size) as pilot:
        yield pilot, play


@pytest.mark.parametrize("size", [(80, 24), (44, 13), (140, 40)])
async def test_the_lobby_says_who_and_where(size: tuple[int, int]) -> None:
    """The link is there in full, and every seat with who sits in it."""
    async with in_lobby(lobby(), size) as (pilot, _):
        text = screen_text(pilot)
        for words in (LINKS[0], "Ann", "you host", "Bo", "strong bot", "free", "READY"):
            assert words in text


@pytest.mark.parametrize(
    ("keys", "deed"),
    [
        pytest.param(("enter",), ("start",), id="Enter starts"),
        pytest.param(("b",), ("add_bot", "memory", None), id="b adds a bot"),
        pytest.param(("l", "b"), ("add_bot", "expert", None), id="of another level"),
        pytest.param(("down", "down", "down", "b"), ("add_bot", "memory", "D"), id="in a seat"),
        pytest.param(("down", "x"), ("remove", "B"), id="x removes"),
        pytest.param(
            ("up", "up", "up", "up", "up", "right"),
            ("options", OptionChanges(memory="open")),
            id="an option changes",
        ),
    ],
)
async def test_what_a_host_does(keys: tuple[str, ...], deed: tuple[Any, ...]) -> None:
    """One key for each thing that a host may do."""
    async with in_lobby(lobby()) as (pilot, play):
        await press(pilot, *keys)
        assert play.deeds == [deed]


@pytest.mark.parametrize(
    ("ready", "people", "keys", "deeds"),
    [
        pytest.param(False, 2, ("enter",), [("rematch", True)], id="Enter is ready first"),
        pytest.param(False, 2, ("r",), [("rematch", True)], id="so is r"),
        pytest.param(True, 2, ("r",), [("rematch", False)], id="r again is not"),
        pytest.param(True, 2, ("enter",), [("start",)], id="then Enter deals"),
        pytest.param(False, 1, ("enter",), [("rematch", True), ("start",)], id="bots alone"),
    ],
)
async def test_between_two_games(
    ready: bool, people: int, keys: tuple[str, ...], deeds: list[Any]
) -> None:
    """Among the options the same keys play again as at the table, and the prompt says which."""
    shot = lobby(people=people, watching=())
    seats = (replace(shot.seats[0], ready=ready), *shot.seats[1:])
    async with in_lobby(replace(shot, phase="over", seats=seats)) as (pilot, play):
        text = screen_text(pilot)
        assert ("r or Enter play again" in text) is not ready
        assert ("Enter deals" in text) is ready
        assert "Esc back" in text
        await press(pilot, *keys)
        assert play.deeds == deeds


async def test_a_private_table_has_no_link_to_share() -> None:
    """Who plays against bots alone is not told that friends may join where nobody can."""
    play = Recorder(model_of(replace(lobby(people=1), phase="over")))
    async with staged(LobbyScreen(play, LINKS, private=True)) as pilot:
        text = screen_text(pilot)
        assert "A table of your own" in text
        assert "ws://" not in text
        assert "copy" not in text


async def test_who_left_is_marked_between_two_games() -> None:
    """A seat that its player left is not told like one that somebody sits in."""
    shot = lobby()
    seats = (shot.seats[0], replace(shot.seats[1], left=True, online=False), *shot.seats[2:])
    async with in_lobby(replace(shot, phase="over", seats=seats)) as (pilot, _):
        assert "Bo left" in screen_text(pilot)


async def test_the_mouse_changes_options() -> None:
    """A click on the arrow beside an option changes it."""
    async with in_lobby(lobby()) as (pilot, play):
        await click(pilot, "less turn_time")
        assert play.deeds == [("options", OptionChanges(turn_time=30))]


async def test_a_host_does_not_remove_herself_or_start_alone() -> None:
    """What makes no sense is not sent."""
    async with in_lobby(lobby(people=1, bots=0)) as (pilot, play):
        await press(pilot, "x", "enter")
        assert play.deeds == []
        assert "two are needed" in screen_text(pilot)


async def test_a_guest_sees_whom_the_table_waits_for() -> None:
    """Who is not host changes nothing, and reads who starts."""
    async with in_lobby(lobby(1)) as (pilot, play):
        await press(pilot, "enter", "b", "x", "right", "s")
        assert play.deeds == []
        assert "Ann starts the game." in screen_text(pilot)


async def test_the_cursor_is_always_somewhere() -> None:
    """It passes over the seats that there are and the options, and stays on what it changes."""
    shot = lobby()
    async with in_lobby(replace(shot, seats=shot.seats[:3])) as (pilot, play):
        screen = pilot.app.screen
        assert isinstance(screen, LobbyScreen)
        for _ in range(3 + 6):
            sheets = (screen.query_one(name, Sheet) for name in ("#seats", "#options"))
            words = [item for sheet in sheets for item in sheet.items if isinstance(item, Words)]
            assert sum(item.pieces[0].text == " ▸ " for item in words) == 1
            await press(pilot, "down")
        assert screen.cursor == "A"
        await press(pilot, "down", "down", "down", "right")
        assert play.deeds == [("options", OptionChanges(seats=2))]
        screen.show(model_of(replace(shot, seats=shot.seats[:2])))
        assert screen.cursor == "seats"


async def test_a_watcher_sits_down() -> None:
    """A watcher takes a seat with one key."""
    async with in_lobby(lobby(None)) as (pilot, play):
        assert "s sits down" in screen_text(pilot)
        await press(pilot, "s")
        assert play.deeds == [("sit", None)]


async def test_talk_in_the_lobby() -> None:
    """Letters in the line of talk do nothing else."""
    async with in_lobby(lobby()) as (pilot, play):
        await press(pilot, "t", "b", "s", "enter", "escape")
        assert play.deeds == [("chat", "bs")]


async def test_the_link_is_copied_once_for_a_host() -> None:
    """The host's first look at the lobby asks for the link to be copied."""
    shot = lobby()
    async with in_lobby(shot) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, LobbyScreen)
        for version in (4, 5):
            screen.show(model_of(replace(shot, version=version)))
        await pilot.pause()
        assert stage_of(pilot).wishes == ["copy"]
        await press(pilot, "c")
        assert stage_of(pilot).wishes == ["copy", "copy"]


@pytest.mark.parametrize("name", ["[/]", "[@click=app.quit]x[/]", "a\x1b[2J", "\u202ex"])
async def test_hostile_names_in_the_lobby(name: str) -> None:
    """Names, watchers and links are only text."""
    shot = lobby()
    seats = (replace(shot.seats[0], name=name), *shot.seats[1:])
    play = Recorder(model_of(replace(shot, seats=seats, watching=(name,))))
    async with staged(LobbyScreen(play, (f"ws://{name}/r/KQ7MX",))) as pilot:
        assert all(char.isprintable() or char == "\n" for char in screen_text(pilot))


@pytest.mark.parametrize("rules_first", [False, True])
async def test_the_rules_are_all_there(rules_first: bool) -> None:
    """The help page holds every rule and key, scrolls, and any other key closes it."""
    keys = keys_told(USUAL)
    async with staged(HelpScreen(rules_first=rules_first), (100, 100)) as pilot:
        drawn = screen_text(pilot)
        assert (drawn.index(RULES[0][0]) < drawn.index(keys[-1][1])) is rules_first
        assert all(f"{key:<12}{what}" in drawn for key, what in keys if key), "none is broken"
        text = " ".join(screen_text(pilot).replace("│", " ").split())
        for title, rule in RULES:
            assert title in text
            assert rule in text
        await press(pilot, "down")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "x")
        assert not isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        pytest.param(("escape",), "stay", id="Escape stays"),
        pytest.param(("enter",), "stay", id="Enter stays at first"),
        pytest.param(("k",), "keep", id="k keeps the seat"),
        pytest.param(("l",), "leave", id="l leaves"),
        pytest.param(("down", "down", "enter"), "leave", id="arrows"),
        pytest.param(("x", "z", "l"), "leave", id="other keys do nothing"),
    ],
)
async def test_leaving_is_asked(keys: tuple[str, ...], answer: str) -> None:
    """Each key gives the answer that stands beside it."""
    async with staged(LeaveScreen("hosting a game")) as pilot:
        await press(pilot, *keys)
        assert stage_of(pilot).answers == [answer]


async def test_leaving_by_mouse() -> None:
    """A click on an answer gives it."""
    async with staged(LeaveScreen("alone")) as pilot:
        await click(pilot, "leave")
        assert stage_of(pilot).answers == ["leave"]
