"""Talk: quick phrases, what was not read yet, and people one would rather not hear."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from client.scenes import lobby, model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text
from nana_client.model import KEPT_LINES, Line, Model, advance
from nana_client.phrases import PHRASES, phrase_of
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.room import RoomScreen
from nana_client.screens.table import TableScreen
from nana_client.widgets.sheet import Sheet, Words
from nana_client.widgets.talk import line_pieces
from nana_core.protocol.outbound import ChatLine, Notice
from nana_core.text import CHAT_CELLS, flaw_in

GAME = snapshot_of(played(4))
LOBBY = lobby()


@asynccontextmanager
async def room(
    screen: type[RoomScreen] = TableScreen, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[Any], Recorder, RoomScreen]]:
    play = Recorder(model_of(GAME if screen is TableScreen else LOBBY, lines=()))
    shown = screen(play)
    async with Stage(shown).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot, play, shown


def talked(model: Model, *names: str) -> Model:
    """Let these people say something, one after the other."""
    for name in names:
        line = ChatLine(seq=model.seq + 1, name=name, seat=None, text=f"it is {name}")
        model = advance(model, line)
    return model


@pytest.mark.parametrize("screen", [TableScreen, LobbyScreen])
@pytest.mark.parametrize("at", range(len(PHRASES)))
async def test_two_keys_say_something(screen: type[RoomScreen], at: int) -> None:
    """Talk's key and a digit say a quick phrase, and one is back at the table."""
    async with room(screen) as (pilot, play, shown):
        await pilot.press("t", str(at + 1))
        await pilot.pause()
        assert play.deeds == [("chat", PHRASES[at])]
        assert shown.focused is None


async def test_a_digit_in_a_line_is_a_digit() -> None:
    """Only the first key of a line is a phrase; behind anything else it is what it is."""
    async with room() as (pilot, play, _):
        await pilot.press("t", "c", "4", "enter", "space", "7", "enter")
        await pilot.pause()
        assert play.deeds == [("chat", "c4"), ("chat", " 7")]


@pytest.mark.parametrize("size", [(80, 24), (120, 30), (140, 40)])
async def test_the_phrases_stand_there_while_they_can_be_said(size: tuple[int, int]) -> None:
    """The list is there in an empty line and gone in any other; a click says one."""
    async with room(size=size) as (pilot, play, _):
        assert PHRASES[-1] not in screen_text(pilot)
        await pilot.press("t")
        await pilot.pause()
        assert all(phrase in screen_text(pilot) for phrase in PHRASES)
        await pilot.press("h")
        await pilot.pause()
        assert PHRASES[-1] not in screen_text(pilot)
        await pilot.press("backspace")
        await pilot.pause()
        sheet = pilot.app.screen.query_one("#phrases", Sheet)
        item = next(item for item in sheet.items if isinstance(item, Words) and item.press == "3")
        await pilot.click(sheet, offset=(item.x, item.y))
        await pilot.pause()
        assert play.deeds == [("chat", PHRASES[2])]


async def test_a_low_panel_keeps_its_lines() -> None:
    """Where rows are few the list gives way to what was said; its keys work all the same."""
    async with room(size=(44, 13)) as (pilot, play, _):
        await pilot.press("t")
        await pilot.pause()
        assert PHRASES[-1] not in screen_text(pilot)
        await pilot.press("9")
        assert play.deeds == [("chat", PHRASES[8])]


def test_phrases_can_be_sent() -> None:
    """Every phrase is a text that a server takes, and only digits mean one."""
    assert all(flaw_in(phrase, CHAT_CELLS) is None for phrase in PHRASES)
    assert [phrase_of(key) for key in ("0", "a", "", "12", None)] == [None] * 5


@pytest.mark.parametrize("screen", [TableScreen, LobbyScreen])
async def test_what_was_not_read_is_counted(screen: type[RoomScreen]) -> None:
    """Others' talk behind a closed panel is counted until it is opened; one's own is not."""
    async with room(screen, (80, 24) if screen is TableScreen else (80, 16)) as (pilot, _, shown):
        model = talked(shown.model, "Bo", "Ann", "Wanda")
        shown.show(model)
        await pilot.pause()
        assert " 2 new " in screen_text(pilot)
        await pilot.press("t", "escape")
        await pilot.pause()
        assert " new " not in screen_text(pilot)
        shown.show(talked(model, "Bo"))
        await pilot.pause()
        assert " 1 new " in screen_text(pilot)


async def test_an_open_panel_leaves_nothing_unread() -> None:
    """Beside the table talk is read as it comes."""
    async with room(size=(140, 40)) as (pilot, _, shown):
        shown.show(talked(shown.model, "Bo"))
        await pilot.pause()
        assert "it is Bo" in screen_text(pilot)
        assert " new " not in screen_text(pilot)


@pytest.mark.parametrize("screen", [TableScreen, LobbyScreen])
@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_who_is_muted_is_not_heard(screen: type[RoomScreen], size: tuple[int, int]) -> None:
    """A muted person's lines are nowhere and count for nothing; notices about them stay."""
    async with room(screen, size) as (pilot, _, shown):
        model = talked(shown.model, "Bo", "Wanda")
        notice = Line("notice", "Bo has left.", "Bo", "B")
        shown.show(replace(model, lines=(*model.lines, notice), muted=frozenset({"Bo"})))
        await pilot.pause()
        assert " 2 new " not in screen_text(pilot)
        await pilot.press("t")
        await pilot.pause()
        text = screen_text(pilot)
        assert "it is Bo" not in text
        assert "it is Wanda" in text
        assert "Bo has left." in text


@pytest.mark.parametrize("screen", [TableScreen, LobbyScreen])
@pytest.mark.parametrize("code", ["announcement", "read_only", "saving"])
async def test_what_the_server_says_stands_out(screen: type[RoomScreen], code: str) -> None:
    """Who comes and goes is dim; what concerns everybody is not, and is read whole."""
    text = "From the server: it restarts at ten, and your tables will be there again."
    async with room(screen, (140, 40)) as (pilot, _, shown):
        said = Notice(code=code, seat=None, name=None, text=text)
        shown.show(model := advance(shown.model, said))
        await pilot.pause()
        assert "! From the server: it" in screen_text(pilot)
        (piece,) = line_pieces(model.lines[-1])
        assert piece.tone == "warn"
        joined = Notice(code="joined", seat=None, name="Bo", text="Bo watches.")
        (piece,) = line_pieces(advance(model, joined).lines[-1])
        assert (piece.text, piece.tone) == ("· Bo watches.", "dim")


async def test_what_stands_in_the_log_is_read() -> None:
    """A log of several rows shows what is said; only what ran out of it is counted."""
    async with room(LobbyScreen) as (pilot, _, shown):
        shown.show(model := talked(shown.model, "Bo", "Wanda"))
        await pilot.pause()
        assert "it is Bo" in screen_text(pilot)
        assert " new " not in screen_text(pilot)
        shown.show(talked(model, *(["Bo"] * 20)))
        await pilot.pause()
        assert " 20 new " in screen_text(pilot)


def test_history_is_bounded() -> None:
    """However much is said, only the newest lines are kept."""
    model = talked(model_of(GAME, lines=()), *(["Bo"] * (KEPT_LINES + 50)))
    assert len(model.lines) == KEPT_LINES
    assert model.unread(0) == KEPT_LINES
