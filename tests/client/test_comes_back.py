"""Real clients of a real server that is killed and stopped: they come back by themselves."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Final

from e2e.programs import Program, a_room, free_port, nana, program
from nana_client.address import Target, parse

CARDS: Final = (*(f"c{number}" for number in range(1, 11)), "a<", "b<", "a>", "b>")
LISTENING: Final = "listening on "


class Host:
    """Somebody who runs a server on one port and one folder, and starts it again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._stack = AsyncExitStack()
        self._server: Program | None = None

    async def start(self) -> Target:
        command = ("--port", str(self._port), "--data", str(self._folder))
        self._server = await self._stack.enter_async_context(
            program(sys.executable, "-m", "nana_server", *command, home=self._folder)
        )
        return parse((await self._server.until(LISTENING)).partition(LISTENING)[2])

    async def end(self, number: int) -> int:
        assert self._server is not None
        self._server.process.send_signal(number)
        return await self._server.ends()

    async def close(self) -> None:
        await self._stack.aclose()


@asynccontextmanager
async def hosting(folder: Path) -> AsyncIterator[tuple[Host, Target]]:
    host = Host(folder)
    try:
        yield host, await host.start()
    finally:
        await host.close()


async def play(plain: Program, lines: asyncio.Semaphore) -> None:
    """Type some card whenever one is asked for, until the game is over and its deal proven."""
    cards = cycle(CARDS)
    while True:
        line = await plain.until("YOUR TURN", "No: ", "Deal verified")
        if "Deal verified" in line:
            return
        await lines.acquire()
        plain.type("go" if "go continues" in line else next(cards))


async def test_a_game_outlives_its_server(tmp_path: Path) -> None:
    """Killed twice and stopped once: a line mode, a bot and two sessions end proven games."""
    async with AsyncExitStack() as stack:
        host, server = await stack.enter_async_context(hosting(tmp_path / "data"))
        ann, cleo = [await stack.enter_async_context(a_room(server, seats=2)) for _ in range(2)]
        link, lines = ann.session.target.url, asyncio.Semaphore(1)
        plain = await stack.enter_async_context(nana(tmp_path / "bo", "join", link, "--plain"))
        playing = asyncio.create_task(play(plain, lines))
        await ann.until(lambda shot: shot.phase == "playing")
        link = cleo.session.target.url
        bot = await stack.enter_async_context(nana(tmp_path / "bot", "bot", link, "--games", "1"))
        await cleo.until(lambda shot: shot.phase == "playing")
        for epoch, number in enumerate((signal.SIGKILL, signal.SIGTERM, signal.SIGKILL), 2):
            await host.end(number)
            await host.start()
            for friend in (ann, cleo):
                await friend.until(lambda shot, epoch=epoch: shot.epoch == epoch)  # type: ignore[misc]
            lines.release()
        for _ in range(1000):
            lines.release()
        await playing
        for friend in (ann, cleo):
            await friend.until(lambda shot: shot.phase == "over")
            assert friend.last is not None
            assert friend.last.proof == "verified"
        assert await bot.ends() == 0
        for guest in (plain, bot):
            assert "Trying again" in guest.text
            assert "Traceback" not in guest.text
