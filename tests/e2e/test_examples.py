"""The example and the bot of the command line, as programs of their own at a real server."""

import resource
import shutil
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from e2e.programs import a_room, nana, program, serving
from nana_bots.arena import snapshot_for
from nana_bots.history import History
from nana_client.robot.lines import line_for
from nana_core import notation
from nana_core.protocol.outbound import SeatView, Snapshot
from nana_core.protocol.wire import attempt_view

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "bot.py"
MISS: Final = "1.3.3.4.5.6.7.8.8.10/1.2.2.2.3.4.5.5.7.10 | 4.8.6.7.10.9.6.1.9.9 | A : a< c5"
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


@pytest.mark.parametrize("command", ["perl examples/bot.pl", "examples/bot.pl", "examples/bot.sh"])
async def test_an_example_in_another_language(command: str, tmp_path: Path) -> None:
    """`nana bot LINK --exec CMD` plays a whole game with it, without one turn told off."""
    if shutil.which("perl") is None and "bot.pl" in command:
        pytest.skip("there is no perl here")
    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        friend = await stack.enter_async_context(a_room(server, seats=2))
        link = friend.session.target.url
        bot = await stack.enter_async_context(
            nana(tmp_path, "bot", link, "--exec", command, "--games", "1")
        )
        assert await bot.ends() == 0, bot.text
        assert sum(" wins: " in line for line in bot.lines) == 1
        assert bot.lines[0] == "bot takes seat B."
        assert not [line for line in bot.lines if line.startswith(("!", "Refused"))]


def test_the_example_in_shell_is_quick() -> None:
    """Late in a long game its lines are long; a shell that read them by letters took 14 ms each."""
    game = notation.play(*notation.parse_game(MISS))
    attempts = [replace(attempt_view(game.table.attempt, 1), turn=turn) for turn in range(700)]
    line = line_for(snapshot_for(game, 0), History(attempts))
    assert len(line) > 70_000
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["examples/bot.sh"], input=line * 120, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout == b"continue\n" * 120
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.6


async def test_the_example_for_the_sdk(tmp_path: Path) -> None:
    """`python examples/first_bot.py` plays a game here, against one of ours, and leaves."""
    command = (sys.executable, "examples/first_bot.py")
    async with program(*command, home=tmp_path) as bot:
        assert await bot.ends() == 0, bot.text
    assert sum(" wins: " in line for line in bot.lines) == 1
    assert bot.lines[-1] == "Goodbye."


async def test_a_program_that_fails_is_told_off_and_given_up(tmp_path: Path) -> None:
    """Its faults stand among the lines, the last one ends it: it leaves, with exit code 1."""
    options = ("--exec", "cat", "--against", "random", "--name", "Echo")
    async with nana(tmp_path, "bot", *options) as bot:
        assert await bot.ends() == 1
    faults = [
        line for line in bot.lines if line.startswith("! cat: Its answer names no `source`: {")
    ]
    assert len(faults) == 3
    assert "That was too often in one game." in bot.text
    assert "Goodbye." in bot.lines


async def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """It is said at once, in one line, with exit code 2."""
    async with nana(tmp_path, "bot", "--exec", "none-such") as bot:
        assert await bot.ends() == 2
    assert bot.lines == [
        "nana: There is no program none-such; if it is in this folder, write ./none-such."
    ]


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


async def test_the_example_trains(tmp_path: Path) -> None:
    """`examples/train.py` comes through a generation, and says how well it plays then."""
    async with AsyncExitStack() as stack:
        script = EXAMPLE.with_name("train.py")
        run = program(sys.executable, str(script), "1", "2", home=tmp_path)
        trained = await stack.enter_async_context(run)
        assert await trained.ends() == 0
        first, _, last = trained.lines
        assert first.startswith("generation 1: ")
        assert last.startswith("trained, it wins ")
