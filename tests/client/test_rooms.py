"""The open tables of a server: asked for, shown, joined, and nothing believed of what comes."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input

from client.stage import Stage, screen_text, stage_of, until
from nana_client.address import Target, target_of
from nana_client.rooms import ANSWER_BYTES, NoRooms, OpenRoom, lines, rooms_of
from nana_client.screens.rooms import RoomsScreen, rooms_rects
from nana_client.widgets.sheet import Sheet, Words
from nana_client.widgets.tables import columns, table_items

FREE = OpenRoom("KQ7MX", "lobby", 4, 2, 1)
FULL = OpenRoom("AAAAA", "playing", 3, 3, 0, "open")
BETWEEN = OpenRoom("BBBBB", "over", 5, 4)
ROOMS = (FREE, BETWEEN, FULL)
BODY = b'[{"room":"KQ7MX","phase":"lobby","seats":4,"taken":2,"watching":1,"memory":"none"}]'
LONG = BODY + b" " * ANSWER_BYTES  # a good list, but for its length
SERVER = target_of("192.0.2.7", 8765)


@asynccontextmanager
async def answering(
    answer: bytes, *, hold: bool = False
) -> AsyncIterator[tuple[Target, bytearray]]:
    """Serve these bytes to whoever asks; `hold` keeps the line open behind them."""
    asked = bytearray()
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.extend(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        if hold:
            await gone.wait()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield target_of("127.0.0.1", server.sockets[0].getsockname()[1]), asked
        gone.set()


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(http(BODY, f"Content-Length: {len(BODY)}"), id="with its length"),
        pytest.param(http(BODY), id="to the end"),
        pytest.param(
            http(
                b"5;x=1\r\n" + BODY[:5] + b"\r\n" + f"{len(BODY) - 5:x}\r\n".encode() + BODY[5:]
                + b"\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked",
            ),
            id="in chunks",
        ),
    ],
)  # fmt: skip
async def test_a_server_is_asked(answer: bytes) -> None:
    """The list comes in any form that HTTP has; the question names path and host."""
    async with answering(answer) as (server, asked):
        assert await rooms_of(server) == (FREE,)
        assert asked.startswith(b"GET /rooms HTTP/1.1\r\nHost: 127.0.0.1:")


async def test_a_server_below_a_path() -> None:
    """Where a proxy has the game beneath a path, the list is there, too."""
    async with answering(http(b"[]")) as (server, asked):
        below = Target(f"{server.url}play/", server.host, server.port, None, secure=False)
        assert await rooms_of(below) == ()
        assert asked.startswith(b"GET /play/rooms ")


ROOM = BODY.decode()[1:-1]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param(b"", "is not a nana server", id="nothing"),
        pytest.param(b"SSH-2.0-OpenSSH\r\n", "is not a nana server", id="another protocol"),
        pytest.param(b"\x00" * 9000, "is not a nana server", id="bytes without a line"),
        pytest.param(http(b"<html>"), "is not a nana server", id="a web page"),
        pytest.param(http(b"{}"), "is not a nana server", id="no list"),
        pytest.param(http(b"[" * 9000), "is not a nana server", id="deep"),
        pytest.param(http(b"", status="404 Not Found"), "shows no list", id="no such page"),
        pytest.param(http(b"", status="503 x"), "cannot tell its tables now", id="trouble"),
        pytest.param(http(b"", status="9" * 5000), "is not a nana server", id="a huge status"),
        pytest.param(http(LONG), "is not a nana server", id="too long"),
        pytest.param(
            http(LONG, f"Content-Length: {len(LONG)}"), "is not a nana server", id="says too long"
        ),
        pytest.param(http(b"", *["A: b"] * 200), "is not a nana server", id="headers"),
        pytest.param(
            http(
                b"%x\r\n%s\r\n0\r\n\r\n" % (len(LONG), LONG), "Transfer-Encoding: chunked"
            ),
            "is not a nana server",
            id="a huge chunk",
        ),
        pytest.param(
            http(b"-5\r\n", "Transfer-Encoding: chunked"), "is not a nana server", id="a chunk < 0"
        ),
        pytest.param(
            http(f"[{ROOM.replace('KQ7MX', 'x' * 300)}]".encode()), "is not a nana server",
            id="a long code",
        ),
        pytest.param(
            http(f"[{ROOM.replace('KQ7MX', '[/]ab')}]".encode()), "is not a nana server",
            id="markup",
        ),
        pytest.param(
            http(f"[{ROOM.replace('lobby', chr(92) + 'u001b[2J')}]".encode()),
            "is not a nana server", id="a control character",
        ),
        pytest.param(
            http(f"[{ROOM.replace(':4', ':' + '9' * 4000)}]".encode()), "is not a nana server",
            id="a huge number",
        ),
        pytest.param(
            http(f"[{ROOM.replace(':4', ':-1')}]".encode()), "is not a nana server", id="minus",
        ),
    ],
)  # fmt: skip
async def test_what_is_no_list_is_a_sentence(answer: bytes, says: str) -> None:
    """Whatever a server sends, who asked gets a sentence, soon."""
    async with answering(answer) as (server, _):
        with pytest.raises(NoRooms) as none:
            await rooms_of(server)
        assert says in str(none.value)


async def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    """A server that holds the line is given up."""
    async with answering(http(b"["), hold=True) as (server, _):
        with pytest.raises(NoRooms, match="did not answer in time"):
            await rooms_of(server, seconds=0.05)


async def test_many_rooms_are_cut() -> None:
    """No list is longer than anybody reads, and no room is in it twice."""
    codes = [f"A{at:04}" for at in range(1000)]
    rooms = [ROOM.replace("KQ7MX", code) for code in (*codes[:9], *codes)]
    async with answering(http(f"[{','.join(rooms)}]".encode())) as (server, _):
        assert [room.room for room in await rooms_of(server)] == codes[:200]


def test_the_list_in_lines() -> None:
    """In lines each table has its link; without tables there is a sentence."""
    assert lines(ROOMS, SERVER) == [
        "ws://192.0.2.7:8765/r/KQ7MX  2 of 4 seats free; 1 watching",
        "ws://192.0.2.7:8765/r/BBBBB  1 of 5 seats free, between games",
        "ws://192.0.2.7:8765/r/AAAAA  a game of 3 is on; open memory",
    ]
    assert "No open table" in lines((), SERVER)[0]


class _Stage(Stage):
    def on_rooms_screen_going(self, event: RoomsScreen.Going) -> None:
        self.posted.append((event.target.url.removeprefix(SERVER.url), event.watch))

    def on_rooms_screen_left(self) -> None:
        self.posted.append("left")


Answers = Callable[[Target], Awaitable[tuple[OpenRoom, ...]]]


@asynccontextmanager
async def browsing(
    *answers: tuple[OpenRoom, ...] | str,
    server: Target | None = SERVER,
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[tuple[Pilot[None], list[Target]]]:
    left, asked = list(answers), list[Target]()

    async def ask(target: Target) -> tuple[OpenRoom, ...]:
        asked.append(target)
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, str):
            raise NoRooms(answer)
        return answer

    app: App[None] = _Stage(RoomsScreen(server, ask))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        yield pilot, asked


@pytest.mark.parametrize("size", [(80, 24), (44, 13), (140, 40)])
async def test_tables_are_seen(size: tuple[int, int]) -> None:
    """Each table with what goes on there, and below what to press."""
    async with browsing(ROOMS, size=size) as (pilot, _):
        text = screen_text(pilot)
        for words in ("KQ7MX", "2 of 4 seats free", "a game of 3 is on", "Enter sit down"):
            assert words in text


@pytest.mark.parametrize(
    ("keys", "goes"),
    [
        pytest.param(("enter",), ("r/KQ7MX", False), id="Enter sits down"),
        pytest.param(("w",), ("r/KQ7MX", True), id="w watches"),
        pytest.param(("down", "enter"), ("r/BBBBB", False), id="the second"),
        pytest.param(("up", "enter"), ("r/AAAAA", True), id="where a game is on one watches"),
        pytest.param(("escape",), "left", id="back"),
    ],
)
async def test_one_key_each(keys: tuple[str, ...], goes: Any) -> None:
    """A table is one key away, its neighbours two."""
    async with browsing(ROOMS) as (pilot, _):
        await pilot.press(*keys)
        await pilot.pause()
        assert stage_of(pilot).posted == [goes]


async def test_the_pointer_stays_on_its_table() -> None:
    """A table that is listed ahead of it meanwhile is not the one that Enter goes to."""
    async with browsing(ROOMS, ROOMS[::-1]) as (pilot, asked):
        await pilot.press("r")
        await until(pilot, lambda: len(asked) == 2)
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert stage_of(pilot).posted == [("r/KQ7MX", False)]


async def click(pilot: Pilot[None], what: str) -> None:
    for sheet in pilot.app.screen.query(Sheet):
        for item in sheet.items:
            if isinstance(item, Words) and item.press == what:
                await pilot.click(sheet, offset=(item.x + 1, item.y))
                await pilot.pause()
                return
    raise AssertionError(f"{what} is not on the screen")


async def test_by_mouse() -> None:
    """A click chooses, a second one goes there; the hints below are buttons."""
    async with browsing(ROOMS) as (pilot, asked):
        await click(pilot, "room BBBBB")
        assert stage_of(pilot).posted == []
        await click(pilot, "room BBBBB")
        await click(pilot, "watch")
        assert stage_of(pilot).posted == [("r/BBBBB", False), ("r/BBBBB", True)]
        before = len(asked)
        await click(pilot, "refresh")
        await until(pilot, lambda: len(asked) > before)
        await click(pilot, "back")
        assert stage_of(pilot).posted[-1] == "left"


async def test_no_table_and_no_server_are_told() -> None:
    """Empty and broken are sentences; r looks again, and the pointer stays where it was."""
    async with browsing((), "Nothing answers.", ROOMS, (FULL, FREE)) as (pilot, _):
        assert "No open table here now." in screen_text(pilot)
        await pilot.press("r")
        await until(pilot, lambda: "Nothing answers." in screen_text(pilot))
        await pilot.press("r")
        await until(pilot, lambda: "KQ7MX" in screen_text(pilot))
        await pilot.press("down", "down", "r")
        await until(pilot, lambda: "BBBBB" not in screen_text(pilot))
        await pilot.press("w")
        await pilot.pause()
        assert stage_of(pilot).posted == [("r/AAAAA", True)]


async def test_a_server_is_named() -> None:
    """Without a server one is asked for; a link to a room there will do, a bad one is told."""
    async with browsing(ROOMS, server=None) as (pilot, asked):
        field = pilot.app.screen.query_one("#server", Input)
        assert pilot.app.screen.focused is field
        await pilot.press(*"http:x", "enter")
        await pilot.pause()
        assert "has no good port" in screen_text(pilot)
        field.value = "ws://192.0.2.7:8765/r/KQ7MX"
        await pilot.press("enter")
        await until(pilot, lambda: "BBBBB" in screen_text(pilot))
        assert asked == [SERVER]
        await pilot.press("o")
        await pilot.pause()
        assert pilot.app.screen.focused is field
        await pilot.press("escape", "enter")
        await pilot.pause()
        assert stage_of(pilot).posted == [("r/KQ7MX", False)]


LEAST_WIDTH = 44
MATTERS = re.compile(r"\d+ of \d+ seats free|every seat is taken|a game of \d+ is on")


@pytest.mark.parametrize("watching", [0, 7, 1_000_000])
@pytest.mark.parametrize("phase", ["lobby", "over", "playing", "newer"])
def test_what_one_chooses_by_is_never_cut(phase: str, watching: int) -> None:
    """At every width of the sweep a row holds the room, its seats, and that memory is open."""
    rooms = [OpenRoom("KQ7MX", phase, 5, taken, watching, "open") for taken in (0, 4, 5)]
    for width in range(LEAST_WIDTH, 201):
        across = rooms_rects(width, 24)["rooms"].width
        items = [item for item in table_items(rooms, 1, across, 9) if isinstance(item, Words)]
        rows = ["".join(piece.text for piece in item.pieces) for item in items]
        for row in rows:
            assert cell_len(row) <= across, (width, row)
            assert "KQ7MX" in row
            assert MATTERS.search(row), row
            assert "open memory" in row
        assert len({row.index("open memory") for row in rows}) == 1, rows


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (66, "1 of 5 seats free, between games  open memory  12 watching"),
        (50, "1 of 5 seats free, between games  open memory"),
        (34, "1 of 5 seats free  open memory"),
    ],
)
def test_what_yields_where_columns_are_few(width: int, words: str) -> None:
    """First how many watch, then that a table is between two games."""
    room = OpenRoom("KQ7MX", "over", 5, 4, 12, "open")
    assert "".join(column[0] for column in columns([room], width)).strip() == words
