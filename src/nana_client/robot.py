"""`nana bot LINK`: a bot that joins like anybody else, and says in lines what happens.

It knows what its seat is shown and nothing more. At a table with people it takes
its time; a bot that finds itself host hands that on to a person.
"""

import asyncio
import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable
from random import Random
from typing import Final

from nana_bots.mind import LEVELS, Player
from nana_client.address import Target
from nana_client.entrance import Joining
from nana_client.model import Model, seat_view
from nana_client.retry import Timing
from nana_client.session import Session
from nana_client.story import told
from nana_core.protocol.inbound import Continue, Letter, Level, Reveal
from nana_core.protocol.outbound import Bye, ChatLine, Error, Notice, Outbound, SeatView, Snapshot

THINKING: Final = 0.8  # seconds before a card, where people watch
NAMES: Final[dict[Level, str]] = {"random": "Dice", "novice": "Goldfish", "memory": "Elephant"}
AGAIN: Final = 1.0  # seconds before an action that was refused for the moment
_PASSING: Final = frozenset({"rate_limited", "unavailable"})


class Robot:
    """One bot in one room, until it has played its games."""

    def __init__(
        self,
        target: Target,
        *,
        name: str,
        level: Level = "memory",
        games: int | None = None,
        say: Callable[[str], None] = print,
        random: Random | None = None,
        thinking: float = THINKING,
        timing: Timing | None = None,
    ) -> None:
        """Prepare a bot; `games` of None plays until the room ends."""
        self._say, self._games, self._thinking = say, games, thinking
        self._player = Player(LEVELS[level](random or Random()))
        self._last: Snapshot | None = None
        self._answered: tuple[int, int] | None = None
        self._over: set[int] = set()
        self._pending: asyncio.TimerHandle | None = None
        self._leaving = False
        way = Joining(name=name, kind="bot")
        self.session = Session(target, way, store=None, on_change=self._hear, timing=timing)

    async def run(self) -> int:
        """Play; return the exit code: 0 when it left by itself, 1 when it was ended."""
        try:
            ending = await self.session.run()
        finally:
            self._forget()
        if self.session.model.bye is None:
            self._say(ending.text)
        return 0 if self._leaving else 1

    def leave(self) -> None:
        if not self._leaving:
            self._leaving = True
            self.session.leave()

    def _hear(self, model: Model, message: Outbound | None) -> None:
        match message:
            case Snapshot() if message is model.snapshot:
                self._see(message, model)
            case Notice() | Bye():
                self._say(message.text)
            case ChatLine():
                self._say(f"{message.name}: {message.text}")
            case Error() if self._last is not None:
                self._refused(message, self._last)
            case None if model.connection == "waiting" and model.retry_in is not None:
                self._say(f"{model.trouble} Trying again in {model.retry_in:.1f} s.")
            case _:
                pass

    def _see(self, snapshot: Snapshot, model: Model) -> None:
        if self._last is None:
            place = snapshot.you.seat or "beside the table"
            self._say(f"{snapshot.you.name} is in room {snapshot.room}, {place}.")
        for event in told(self._last, snapshot):
            self._say(event.text)
        self._last = snapshot
        action = self._player.receive(snapshot)
        if action is not None and self._answered != (snapshot.game, snapshot.step):
            self._answered = (snapshot.game, snapshot.step)
            self._act(action, snapshot)
        elif snapshot.phase in {"lobby", "over"} and not self._leaving:
            self._between(snapshot, model)

    def _act(self, action: Reveal | Continue, snapshot: Snapshot) -> None:
        if isinstance(action, Continue):
            self.session.proceed()
            return
        watched = snapshot.watching or any(view.kind == "person" for view in snapshot.seats)
        self._later(
            self._thinking if watched else 0.0,
            lambda: self.session.reveal(action.source, action.step),
        )

    def _between(self, snapshot: Snapshot, model: Model) -> None:
        """Be ready for the next game, or go when all were played."""
        if snapshot.phase == "over" and snapshot.game not in self._over:
            self._over.add(snapshot.game)
            self._say(model.proof_text or "The deal was not opened.")
            if self._games is not None and len(self._over) >= self._games:
                self.leave()
                return
            if snapshot.you.seat is not None:
                self.session.rematch()
        free = any(view.kind == "free" or view.left for view in snapshot.seats)
        if snapshot.you.seat is None and free:
            self._once(snapshot, self.session.sit)
        elif snapshot.you.host:
            self._preside(snapshot)

    def _preside(self, snapshot: Snapshot) -> None:
        """Be host only where no person can be; then start when everybody is ready."""
        taken = [view for view in snapshot.seats if view.kind != "free"]
        person = next((view for view in taken if view.kind == "person" and view.online), None)
        full = len(taken) == snapshot.options.seats or snapshot.phase == "over"
        if person is not None:
            self._once(snapshot, lambda: self.session.give_host(_letter(person)))
        elif full and len(taken) > 1 and all(view.ready for view in taken if view.online):
            self._once(snapshot, self.session.start)

    def _once(self, snapshot: Snapshot, action: Callable[[], object]) -> None:
        """Do something between games after a moment, so that a refusal makes no storm."""
        me = seat_view(snapshot, snapshot.you.seat)
        if me is None or me.ready:
            self._later(self._thinking, action)

    def _refused(self, error: Error, last: Snapshot) -> None:
        self._say(f"Refused: {error.text}")
        if error.code in _PASSING:
            self._answered = None
            self._later(AGAIN, lambda: self._see(last, self.session.model))

    def _later(self, seconds: float, action: Callable[[], object]) -> None:
        self._forget()
        self._pending = asyncio.get_running_loop().call_later(seconds, action)

    def _forget(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None


def _letter(view: SeatView) -> Letter:
    return view.seat  # type: ignore[return-value]  # a server names seats by the wire's letters


def run_robot(
    target: Target, *, name: str | None, level: Level = "memory", games: int | None = None
) -> int:
    """Run a bot until its games are played; Ctrl+C leaves. Return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace", line_buffering=True)
    return asyncio.run(_run(target, name=name, level=level, games=games))


async def _run(target: Target, *, name: str | None, level: Level, games: int | None) -> int:
    def say(text: str) -> None:
        try:
            print(text, flush=True)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads on; play on

    robot = Robot(target, name=name or NAMES[level], level=level, games=games, say=say)
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows: KeyboardInterrupt ends it
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, robot.leave)
    return await robot.run()
