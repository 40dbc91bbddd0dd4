"""The example and the bot of the command line, as programs of their own at a real server."""

import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from e2e.programs import a_room, nana, program, serving
from nana_core.protocol.outbound import SeatView, Snapshot

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "bot.py"
LEFT: Final = [False, True, True]  # all but the host


async def test_the_example_plays_a_game(tmp_path: Path) -> None:
    """`examples/bot.py LINK` joins, plays to the end, says who won, and leaves."""
    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        friend = await stack.enter_async_context(a_room(server, seats=3))
        command = (sys.executable, str(EXAMPLE), friend.session.target.url)
        first = await stack.enter_async_context(program(*command, "First", home=tmp_path))
        other = await stack.enter_async_context(program(*command, home=tmp_path))
        assert [await first.ends(), await other.ends()] == [0, 0]
        over = await friend.until(lambda shot: [view.left for view in seated(shot)] == LEFT)
        assert over.result is not None
        names = {view.seat: view.name for view in over.seats}
        assert first.lines == other.lines == [f"{names[over.result.seat or '']} won"]


def seated(shot: Snapshot) -> list[SeatView]:
    return [view for view in shot.seats if view.kind != "free"]


async def test_the_example_says_why_not(tmp_path: Path) -> None:
    """A room that is not there is a sentence."""
    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        link = server.at("ZZZZZ").url
        bot = await stack.enter_async_context(
            program(sys.executable, str(EXAMPLE), link, home=tmp_path)
        )
        assert await bot.ends() == 1
        assert len(bot.lines) == 1
        assert "room" in bot.text


async def test_a_bot_joins_from_outside(tmp_path: Path) -> None:
    """`nana bot LINK --level memory` plays two whole games, proves both deals, and leaves."""
    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        friend = await stack.enter_async_context(a_room(server, seats=2, games=2))
        link = friend.session.target.url
        options = ("--level", "novice", "--games", "2", "--name", "Outside")
        bot = await stack.enter_async_context(nana(tmp_path, "bot", link, *options))
        assert await bot.ends() == 0, bot.text
        assert sum(" wins: " in line for line in bot.lines) == 2
        assert bot.lines.count("Deal verified: nobody chose it.") == 2
        assert friend.last is not None
        assert friend.last.proof == "verified"
