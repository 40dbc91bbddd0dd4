"""From a bot and a link to games: `run` for a script, `play` inside a running loop.

Without a link it starts a server of its own, on this machine alone, and plays there
against this house's bots.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, TypedDict, Unpack

from nana_bots import mind
from nana_client import hosting
from nana_client.address import parse
from nana_client.entrance import Creating, Joining, Way
from nana_client.robot.bot import known_level, name_of
from nana_client.robot.seat import THINKING, Played, Robot
from nana_client.session import Ending
from nana_client.store import Secret, folders
from nana_core.protocol.inbound import Level, OptionChanges

GAMES: Final = 1  # at a table of its own, where no host ends the evening
MOST_BOTS: Final = 4  # and the bot itself: as many as a table seats


class NoTable(Exception):  # noqa: N818 - what there is
    """The bot never came in; the message says why."""


class Wishes(TypedDict, total=False):
    """What may be said beside the bot and the link."""

    games: int | None  # leave after so many; None: 1 at a table of its own, else until it ends
    name: str | None  # at the table; None: the bot's own
    password: str | None  # the server's; None: NANA_PASSWORD, if it asks for one
    against: Level  # at a table of its own: the level of the others (memory)
    bots: int  # and how many of them (1)
    thinking: float  # seconds that a card takes at least, where people watch (0.8)
    say: Callable[[str], None]  # hears in lines what happens (print)


def run(bot: mind.Bot, url: str | None = None, **wishes: Unpack[Wishes]) -> tuple[Played, ...]:
    """Let a bot play; return the games that it has played. Ctrl+C makes it leave.

    `url` is a room's link, to join it; or a server's, to open a room there; or None, for
    a server of its own. `Wishes` are the keywords.

    Raise NoTable when it never came in, BadAddress for a bad link, CannotHost when there
    is no server to be had, ValueError for bots that there are not, and whatever the bot
    raises. A lost connection raises nothing: it comes back by itself.
    """
    return asyncio.run(play(bot, url, **wishes))


async def play(
    bot: mind.Bot, url: str | None = None, **wishes: Unpack[Wishes]
) -> tuple[Played, ...]:
    """Do what `run` does, inside a running event loop."""
    async with at_table(bot, url, **wishes) as robot:
        await seated(robot)
    return tuple(robot.played.values())


@contextlib.asynccontextmanager
async def at_table(
    bot: mind.Bot, url: str | None = None, **wishes: Unpack[Wishes]
) -> AsyncIterator[Robot]:
    """Prepare a robot for a table, and that table's server if it is to have its own."""
    target = None if url is None else parse(url)
    name = wishes.get("name") or name_of(bot)
    said = wishes.get("password")
    secret = None if said is None else Secret(said)
    games = wishes.get("games")
    way: Way = Joining(name=name, kind="bot", password=secret)
    if target is None or target.room is None:
        bots, level = _company(wishes)
        options = OptionChanges(seats=bots + 1, pace=0)
        way = Creating(
            name=name, kind="bot", password=secret, options=options, bots=bots, level=level
        )
        games = games or GAMES
    async with contextlib.AsyncExitStack() as stack:
        if target is None:
            hosted = await stack.enter_async_context(await hosting.private(folders(os.environ)))
            target = hosted.target
        thinking, say = wishes.get("thinking", THINKING), wishes.get("say", print)
        yield Robot(target, bot, name=name, games=games, way=way, thinking=thinking, say=say)


def _company(wishes: Wishes) -> tuple[int, Level]:
    """Return how many bots of which level sit down too; with a wrong one no game would begin."""
    bots, level = wishes.get("bots", 1), wishes.get("against", "memory")
    if not 1 <= bots <= MOST_BOTS:
        raise ValueError(f"bots is a number from 1 to {MOST_BOTS}, not {bots}")
    return bots, known_level(level)


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
        raise NoTable(ending.text)
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
