"""One bot's choices: asked for in its own thread, one at a time, and handed on in time.

Owns the history that the bot is given, and the calls to the bot. Refuses a choice
that is not legal; whatever the bot raises goes to `fail`, once.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from nana_bots import mind
from nana_bots.history import History
from nana_client.robot.bot import Bot, checked
from nana_client.robot.thinking import Thinking
from nana_core.protocol.outbound import Snapshot

LAST_WORDS: Final = 2.0  # seconds for what the bot is still told when its connection has ended


class Choosing:
    def __init__(
        self,
        bot: mind.Bot,
        *,
        choose: Callable[[str, Snapshot], None],
        fail: Callable[[Exception, Snapshot], None],
    ) -> None:
        """Prepare; `choose` gets each choice with the view that it was made from.

        So does `fail` with what the bot raised.
        """
        self._bot, self._choose, self._fail = bot, choose, fail
        self._thinking, self._history = Thinking(), History()
        self._wanted: tuple[Snapshot, float] | None = None
        self._asked: Snapshot | None = None  # the view of the newest question
        self._deciding: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Future[None]] = set()
        self._chosen: tuple[int, int, str] | None = None  # game, step, and the newest choice
        self._began = 0

    def see(self, snapshot: Snapshot) -> None:
        """Take in what a snapshot shows; the bot hears of a game that begins in it."""
        self._history.see(snapshot)
        seated = snapshot.phase == "playing" and snapshot.you.seat is not None
        if seated and self._began != snapshot.game:
            self._began = snapshot.game
            if isinstance(self._bot, Bot):
                bot = self._bot
                self._tell(snapshot, lambda: bot.begin(snapshot))

    def plays_in(self, game: int) -> bool:
        """Tell whether the bot had a seat in this game, the newest."""
        return self._began == game

    def over(self, snapshot: Snapshot) -> None:
        """Let the bot hear how its game ended."""
        if isinstance(self._bot, Bot):
            bot, history = self._bot, self._so_far()
            self._tell(snapshot, lambda: bot.end(snapshot, history))

    def want(self, view: Snapshot, pause: float) -> None:
        """Ask for a card, to be handed on after `pause` seconds at the earliest.

        A newer view takes the place of an older one whose turn has not come yet.
        """
        self._wanted = (view, pause)
        if self._deciding is None or self._deciding.done():
            self._deciding = asyncio.create_task(self._decide())
            self._deciding.add_done_callback(self._decided)

    async def close(self) -> None:
        """Drop what is being thought of; what the bot is being told it may still hear."""
        if self._deciding is not None:
            self._deciding.cancel()
            await asyncio.wait({self._deciding})  # what it raised has been heard
        self._thinking.close()
        if self._telling:
            await asyncio.wait(self._telling, timeout=LAST_WORDS)

    async def _decide(self) -> None:
        clock, bot = asyncio.get_running_loop().time, self._bot
        while self._wanted is not None:
            (view, pause), self._wanted, began = self._wanted, None, clock()
            self._asked = view
            if self._chosen is None or self._chosen[:2] != (view.game, view.step):
                choosing = partial(_choice, bot, view, self._so_far())
                self._chosen = (view.game, view.step, await self._thinking.of(choosing))
            choice = self._chosen[2]
            await asyncio.sleep(max(0.0, pause - (clock() - began)))
            self._choose(choice, view)

    def _so_far(self) -> History:
        """Copy the history: the bot reads it while the table goes on."""
        return History(self._history.attempts, self._history.game)

    def _tell(self, view: Snapshot, telling: Callable[[], None]) -> None:
        told = self._thinking.of(telling)
        self._telling.add(told)
        told.add_done_callback(self._telling.discard)
        told.add_done_callback(partial(self._hear, view))

    def _decided(self, done: "asyncio.Future[None]") -> None:
        if self._asked is not None:
            self._hear(self._asked, done)

    def _hear(self, view: Snapshot, done: "asyncio.Future[None]") -> None:
        error = None if done.cancelled() else done.exception()
        if isinstance(error, Exception):  # whatever a bot raises comes as one
            self._fail(error, view)


def _choice(bot: mind.Bot, view: Snapshot, history: History) -> str:
    return checked(bot.choose(view, history), view)
