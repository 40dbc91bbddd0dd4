"""A small bot that does everything right, but for one thing."""

import asyncio
import json
import os
import random
from contextlib import suppress
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from nana_client.conformance.bots import scenes
from nana_core.fair import nonce_hash

Message = dict[str, Any]
TOKEN: Final = "5" * 31 + "0"


class Stops(Exception):  # noqa: N818 - what it does
    """The bot has had enough."""


class Bot:
    """Plays like the least bot that keeps to the protocol; `wrong` says what it does instead."""

    def __init__(self, wrong: str = "") -> None:
        self.wrong = wrong
        self.token = TOKEN if wrong == "the same token" else os.urandom(16).hex()
        self.nonce = os.urandom(32)
        self.room = ""
        self.newest, self.answered, self.seed = -1, -1, ""
        self.games = 0
        self.said: list[str] = []
        self._task: asyncio.Task[None] | None = None

    async def ended(self) -> None:
        assert self._task is not None
        await asyncio.wait({self._task})

    async def end(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def go(self, url: str) -> "Bot":
        self._task = asyncio.create_task(self._run(url))
        return self

    async def _run(self, url: str) -> None:
        pause, again = 0.0, True
        with suppress(Stops, OSError):
            while again:
                await asyncio.sleep(pause)
                async with connect(url, ping_interval=None) as server:
                    pause, again = await self._sit(server)

    async def _sit(self, server: ClientConnection) -> tuple[float, bool]:
        """Be there until it is over; return how long to wait, and whether to come back."""
        if self.wrong == "speaks first":
            await self._say(server, {"type": "leave"})
        with suppress(ConnectionClosed):
            async for frame in server:
                got = json.loads(frame)
                if got["type"] == "bye":
                    return self._bye(got)
                await self._hear(server, got)
            raise Stops
        return 0.1, True

    def _bye(self, got: Message) -> tuple[float, bool]:
        if got["retry"] == "never":
            return 0.1, self.wrong == "comes back after never"
        return (0.1 if self.wrong == "is impatient" else got["after_ms"] / 1000 + 0.1), True

    async def _say(self, server: ClientConnection, message: Message) -> None:
        if self.wrong == "has a field too many":
            message["mood"] = "merry"
        await server.send(json.dumps(message))

    async def _hear(self, server: ClientConnection, got: Message) -> None:
        match got["type"]:
            case "hello":
                await self._say(server, self._entrance())
            case "welcome":
                self.room, self.answered = got["room"], -1  # an answer may have been lost
                if self.wrong == "plays the host":
                    await self._say(server, {"type": "start"})
            case "snapshot":
                await self._see(server, got)
            case "error" if got["code"] == "too_early":
                self._stop_if("stops when told too_early")
                await asyncio.sleep(0.2)
                await self._say(server, {"type": "continue", "step": self.answered})
            case "error" if got["code"] == "room_full" and self.wrong == "hammers":
                await self._say(server, self._entrance())
            case "error" if got["code"] not in {"stale", "not_your_turn", "paused"}:
                raise Stops
            case "error" if got["code"] == "stale":
                self._stop_if("stops when told stale")
            case "ack" | "chat" | "notice":
                pass
            case _:
                self._stop_if("knows all types")

    def _stop_if(self, wrong: str) -> None:
        if self.wrong == wrong:
            raise Stops

    def _entrance(self) -> Message:
        if self.room and self.wrong != "comes back as another":
            return {"type": "resume", "protocol": 1, "token": self.token}
        name = "A  bot" if self.wrong == "has a bad name" else "A bot"
        kind = "person" if self.wrong == "is a person" else "bot"
        token = os.urandom(16).hex() if self.room else self.token
        commitment = nonce_hash(self.nonce)
        return {"type": "join", "protocol": 1, "token": token, "name": name, "kind": kind,
                "nonce_hash": commitment}  # fmt: skip

    async def _see(self, server: ClientConnection, got: Message) -> None:
        old = got["version"] < self.newest
        if old and self.wrong != "answers old snapshots":
            return
        self.newest = max(self.newest, got["version"])
        me = got["you"]["seat"]
        if got["missed"]:
            self._stop_if("expects no missed")
        if got["phase"] == "lobby":
            self.seed = got["deal"]["seed_hash"]
            if self.wrong == "plays in the lobby":
                await self._say(server, {"type": "reveal", "source": "c1", "step": got["step"]})
        if got["phase"] == "opening" and me in got["deal"]["to_open"]:
            await self._open(server, got)
        if got["phase"] == "over":
            await self._over(server, got)
        if got["phase"] == "playing":
            await self._play(server, got, old=old)

    async def _open(self, server: ClientConnection, got: Message) -> None:
        if self.wrong == "does not open":
            return
        kept = got["deal"]["seed_hash"] == self.seed or self.wrong == "trusts any promise"
        nonce = bytes(32) if self.wrong == "opens another nonce" else self.nonce
        if kept:
            await self._say(server, {"type": "open", "nonce": nonce.hex()})

    async def _over(self, server: ClientConnection, got: Message) -> None:
        if got["result"]["seat"] is None:
            self._stop_if("expects a winner")
        if got["game"] == self.games or self.wrong == "says nothing when it is over":
            return
        self.games, self.seed = got["game"], got["next_seed_hash"]
        self.nonce = os.urandom(32)
        await self._say(server, {"type": "rematch", "nonce_hash": nonce_hash(self.nonce)})

    async def _play(self, server: ClientConnection, got: Message, *, old: bool) -> None:
        me, step, legal = got["you"]["seat"], got["step"], got["legal"]
        mine = got["on_turn"] == me and me is not None
        if self.wrong == "acts for others":
            mine = got["on_turn"] is not None and (me is not None)
        if self.wrong == "acts without a seat":
            mine = True
        if self.wrong == "acts in a pause" and got["paused"] and mine:
            legal = ["c1"]
        if not mine or not legal or (step == self.answered and not old):
            return
        self.answered = step
        if not got["you"]["hand"]:
            self._stop_if("needs a hand")
        if got["game"] > 1:
            self._stop_if("plays one game only")
        self._stop_if("does not play")
        for _ in range(2 if self.wrong == "answers twice" else 1):
            await self._say(server, await self._choice(got, legal))

    async def _choice(self, got: Message, legal: list[str]) -> Message:
        step = got["step"] - (1 if self.wrong == "is a step behind" else 0)
        if legal == ["continue"] and self.wrong != "forgets to continue":
            if self.wrong != "does not wait":
                await asyncio.sleep(max(0, got["not_before"] - got["now"]) / 1000)
            return {"type": "continue", "step": step}
        source = random.choice(legal) if legal != ["continue"] else "a<"
        if self.wrong == "turns over what is not there":
            source = "e>"
        return {"type": "reveal", "step": step, "source": source}


EVENING: Final = scenes.evening
WRONG: Final = {
    "speaks first": ("waits-for-hello", EVENING),
    "has a field too many": ("well-formed", EVENING),
    "has a bad name": ("entrance", EVENING),
    "is a person": ("kind", EVENING),
    "the same token": ("token", scenes.beside),
    "plays the host": ("rights", EVENING),
    "plays in the lobby": ("lobby", EVENING),
    "does not open": ("open", EVENING),
    "opens another nonce": ("open", EVENING),
    "trusts any promise": ("false-promise", scenes.promise),
    "acts for others": ("turn", EVENING),
    "turns over what is not there": ("legal", EVENING),
    "forgets to continue": ("legal", EVENING),
    "is a step behind": ("step", EVENING),
    "answers twice": ("once", EVENING),
    "does not wait": ("pace", EVENING),
    "does not play": ("plays", EVENING),
    "stops when told stale": ("stale", EVENING),
    "stops when told too_early": ("too-early", EVENING),
    "answers old snapshots": ("old-snapshot", EVENING),
    "acts in a pause": ("pause", EVENING),
    "expects no missed": ("missed", EVENING),
    "says nothing when it is over": ("over", EVENING),
    "expects a winner": ("no-winner", EVENING),
    "plays one game only": ("next-game", EVENING),
    "knows all types": ("unknown", scenes.strangers),
    "needs a hand": ("empty-hand", scenes.empty),
    "acts without a seat": ("beside", scenes.beside),
    "comes back after never": ("never", EVENING),
    "is impatient": ("after-ms", scenes.restart),
    "comes back as another": ("resume", scenes.broken_line),
    "hammers": ("refused", scenes.refused),
}
