"""A person at the real app: a Pilot presses keys, and what comes of it is read off the screen.

Two people are two apps with a folder each, as on two machines.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from e2e.drawn import Choose, answer, is_over
from nana_client.app import NanaApp
from nana_client.hosting import Hosted
from nana_client.model import Model
from nana_client.session import Ending, OnChange, Session
from nana_client.settings import Settings
from nana_client.start import Start
from nana_client.store import Store, folders
from nana_client.visit import Goal, OnEnter, Passport, visit
from nana_core.protocol.outbound import Outbound

if TYPE_CHECKING:
    from textual.pilot import Pilot

PATIENCE: Final = 45  # seconds; whatever is waited for takes one or two
LOOK_AGAIN: Final = 0.25  # seconds after which a screen is read again though nobody spoke


class Person:
    """Someone at an app of their own; a newcomer is coached through a first game."""

    def __init__(self, start: Start, home: Path, *, newcomer: bool) -> None:
        store = Store(folders({"NANA_HOME": str(home)}))
        # A card that is on its way has no key on it: whoever reads wants it to lie still.
        store.remember(Settings(coached=not newcomer, motion=False))
        self.app = NanaApp(start, store, self._visit)
        self.model = Model()
        self.hosted: Hosted | None = None
        self.on_change: Callable[[Model], None] = lambda _: None
        self._session: Session | None = None
        self._pilot: Pilot[Any] | None = None
        self._changed = asyncio.Event()

    @property
    def session(self) -> Session:
        assert self._session is not None
        return self._session

    @property
    def text(self) -> str:
        """What stands on the screen."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join(line.text for line in lines)

    async def press(self, *keys: str) -> None:
        assert self._pilot is not None
        await self._pilot.press(*keys)

    async def write(self, text: str) -> None:
        await self.press(*("space" if char == " " else char for char in text))

    async def until(self, holds: Callable[[str], bool]) -> str:
        """Look at the screen, again after every change, until something holds; return it."""
        assert self._pilot is not None
        async with self._patience():
            while True:
                self._changed.clear()
                await self._pilot.pause()
                if holds(text := self.text):
                    return text
                await self._something()

    async def sees(self, *words: str) -> str:
        """Wait until all these words stand on the screen."""
        return await self.until(lambda text: all(word in text for word in words))

    async def play(self, choose: Choose) -> str:
        """Press what the screen asks for until the game is over; return the last screen."""
        async with self._patience():
            while not is_over(text := self.text):
                self._changed.clear()
                key = answer(text, choose)
                if key is not None:
                    await self.press(key)
                else:
                    await self._something()
        return await self.until(is_over)

    async def chooses(self, option: str, value: str) -> None:
        """Go to an option of the lobby with the arrows, and change it until it is so."""
        on_it = re.compile(rf"▸ +{option} ")
        so = re.compile(rf"{option} +◂ +{value} +▸")
        while not on_it.search(await self.until(lambda text: option in text)):
            await self.press("down")
        while not so.search(self.text):
            before = self.model.snapshot
            await self.press("right")
            await self.until(lambda _, before=before: self.model.snapshot is not before)  # type: ignore[misc]

    @asynccontextmanager
    async def _patience(self) -> AsyncIterator[None]:
        """Bound a wait that should be short, and show what stood there instead."""
        try:
            async with asyncio.timeout(PATIENCE):
                yield
        except TimeoutError:
            pytest.fail(f"it never came:\n{self.text}")

    async def _something(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), LOOK_AGAIN)

    async def _visit(
        self, goal: Goal, passport: Passport, on_enter: OnEnter, on_change: OnChange
    ) -> Ending:
        def entered(session: Session, hosted: Hosted | None) -> None:
            self._session, self.hosted = session, hosted
            on_enter(session, hosted)

        def heard(model: Model, message: Outbound | None) -> None:
            on_change(model, message)
            self.model = model
            self.on_change(model)
            self._changed.set()

        return await visit(goal, passport, entered, heard)


@asynccontextmanager
async def person(
    start: Start, home: Path, *, newcomer: bool = False, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Person]:
    """Sit somebody down before a terminal of this size."""
    someone = Person(start, home, newcomer=newcomer)
    async with someone.app.run_test(size=size) as pilot:
        someone._pilot = pilot
        yield someone


def anything(seed: int) -> Choose:
    """Choose any of the keys that the screen offers."""
    return Random(seed).choice
