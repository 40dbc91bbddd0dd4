"""From a bot and a link to games: `play`, inside a running loop; what goes wrong is raised.

Without a link it starts a server of its own, on this machine alone, and plays there
against this house's bots.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, Unpack

from nana_bots import mind
from nana_client import hosting
from nana_client.address import parse
from nana_client.entrance import Creating, Joining, Way
from nana_client.robot.bot import NoTable, name_of
from nana_client.robot.saying import aloud, why_no_table
from nana_client.robot.seat import THINKING, Played, Robot
from nana_client.robot.wishes import Wishes, examine
from nana_client.session import Ending
from nana_client.store import Secret, folders
from nana_core.protocol.inbound import OptionChanges

GAMES: Final = 1  # at a table of its own, where no host ends the evening


async def play(
    bot: mind.Bot, url: str | None = None, **wishes: Unpack[Wishes]
) -> tuple[Played, ...]:
    """Do what `run` does, inside a running event loop, and end nothing but itself.

    Raise BadWish for what can come to nothing, BadAddress for a bad link, CannotHost when
    there is no server to be had, NoTable when the bot never came in, IllegalChoice for a
    choice that is not legal, and whatever the bot raises.
    """
    async with at_table(bot, url, **wishes) as robot:
        await seated(robot)
    return tuple(robot.played.values())


@contextlib.asynccontextmanager
async def at_table(
    bot: mind.Bot, url: str | None = None, **wishes: Unpack[Wishes]
) -> AsyncIterator[Robot]:
    """Prepare a robot for a table, and that table's server if it is to have its own."""
    examine(bot, url, wishes)
    target = None if url is None else parse(url)
    name = wishes.get("name") or name_of(bot)
    said = wishes.get("password")
    secret = None if said is None else Secret(said)
    games = wishes.get("games")
    way: Way = Joining(name=name, kind="bot", password=secret)
    if target is None or target.room is None:
        bots, level = wishes.get("bots", 1), wishes.get("against", "memory")
        options = OptionChanges(seats=bots + 1, pace=0)
        way = Creating(
            name=name, kind="bot", password=secret, options=options, bots=bots, level=level
        )
        games = games or GAMES
    async with contextlib.AsyncExitStack() as stack:
        if target is None:
            hosted = await stack.enter_async_context(await hosting.private(folders(os.environ)))
            target = hosted.target
        thinking, say = wishes.get("thinking", THINKING), wishes.get("say", aloud)
        yield Robot(target, bot, name=name, games=games, way=way, thinking=thinking, say=say)


async def seated(robot: Robot) -> Ending:
    """Let a robot play until it has ended; Ctrl+C makes it leave, as do others. Raise NoTable."""
    loop = asyncio.get_running_loop()
    held = [number for number in _stopping() if _handled(loop, number, robot.leave)]
    try:
        ending = await robot.run()
    finally:
        for number in held:
            loop.remove_signal_handler(number)
    if robot.session.model.snapshot is None and not robot.leaving:
        raise NoTable(why_no_table(ending, robot.session.target))
    return ending


def _stopping() -> Iterator[signal.Signals]:
    """Name the signals by which a program is told to stop; `nohup` wants one to be ignored."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has two of them
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            yield number


def _handled(
    loop: asyncio.AbstractEventLoop, number: signal.Signals, do: Callable[[], None]
) -> bool:
    """Take a signal where that can be done: not on Windows, and in the main thread only."""
    with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
        loop.add_signal_handler(number, do)
        return True
    return False
