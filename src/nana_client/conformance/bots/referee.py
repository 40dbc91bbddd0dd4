"""Plays one game with the bot: does what it asks for, and notes what it should not have asked."""

import asyncio
from typing import Final

import msgspec

from nana_client.conformance.bots import script
from nana_client.conformance.bots.guest import Guest, Heard, is_free
from nana_client.conformance.bots.table import ROOM, Table, now_ms
from nana_client.conformance.codes import explained
from nana_client.conformance.findings import Findings
from nana_client.conformance.verdict import Broken
from nana_core.game import refusal
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Bye, ChatLine, Snapshot, Welcome
from nana_core.protocol.wire import action_of, legal_names

BETWEEN: Final = 0.06  # seconds between two things that the script does
WATCHED: Final = frozenset(
    {"well-formed", "rights", "turn", "legal", "step", "once", "pace"}
)  # checked by everything that the bot does
WRONG_MOST: Final = 5  # wrong actions in a row, then the scene ends


class Referee:
    def __init__(self, house: Findings, guest: Guest, table: Table, join: i.Join) -> None:
        self.house, self.guest, self.table, self.join = house, guest, table, join
        self.strange = False  # add what no client knows
        self._answered: set[int] = set()
        self._wrong = 0
        self.asked_for: set[int] = set()  # steps at which the bot was to act
        self.asking: list[Snapshot] = []  # those that have asked the bot for a card
        self.left = False
        self.ready: i.Rematch | None = None  # the last that it has said of the next game

    async def welcome(self, *chat: ChatLine) -> None:
        table = self.table
        welcome = Welcome(
            id=self.join.id, room=ROOM, seat=table.seat, name=table.name, resumed=False
        )
        await self.guest.say(welcome, *chat)
        await self.show()

    async def show(self, snapshot: Snapshot | None = None) -> Snapshot:
        snapshot = snapshot or self.table.snapshot()
        if snapshot.on_turn == snapshot.you.seat and snapshot.legal:
            self.asked_for.add(snapshot.step)
        if self.table.bots_may_turn_over:
            self.asking.append(snapshot)
        if self.strange:
            await self.guest.raw('{"type": "weather", "sky": ["blue"], "id": null}')
            raw = msgspec.to_builtins(snapshot)
            raw |= {"weather": {"sky": "blue"}, "version_2": [1, None]}
            for seat in raw["seats"]:
                seat["mood"] = "merry"
            if raw["attempt"]:
                raw["attempt"]["weather"] = None
            await self.guest.raw(msgspec.json.encode({"type": "snapshot", **raw}).decode())
        else:
            await self.guest.say(snapshot)
        return snapshot

    async def idle(self, seconds: float) -> None:
        """Let time pass; what is in order is left for who waits for it."""
        for heard in await self.guest.quiet(seconds):
            message = await self.take(heard)
            if isinstance(message, i.Reveal | i.Continue):
                self.guest.put_back(heard)

    async def script_turn(self, *, collect: bool = False) -> None:
        """Seat A takes its turn: misses, or collects the smallest number in play."""
        game = self.table.running
        for word in script.collect(game) if collect else script.miss(game):
            if word == ".":
                await asyncio.sleep(max(0, (self.table.not_before or 0) - now_ms()) / 1000)
            self.table.act(word)
            await self.show()
            if not self.table.bots_turn:
                await self.idle(BETWEEN)

    async def bot_turn(self) -> None:
        """Let the bot take a whole turn, from its continue to the end of its attempt."""
        while self.table.bots_turn:
            await self.action()

    async def action(self) -> i.Reveal | i.Continue:
        """Wait for the bot's next action, do it, and show what has become of it."""
        message = await self.asked()
        self.do(message)
        await self.guest.acknowledge(message, self.table.version)
        await self.show()
        return message

    async def asked(self) -> i.Reveal | i.Continue:
        """Wait for an action that is right; each wrong one is noted and refused."""
        legal = self.table.snapshot().legal
        what = "continuing" if legal == ("continue",) else "turning over a card"
        while True:
            heard = await self.guest.hear(f"{what}, which was its turn to do")
            message = await self.take(heard)
            if isinstance(message, i.Leave):
                raise Broken("it left in the middle of a game")
            if isinstance(message, i.Reveal | i.Continue):
                self._wrong = 0
                return message
            self._wrong += 1
            if self._wrong > WRONG_MOST:
                raise Broken(f"it did {WRONG_MOST} wrong things in a row instead of {what}")

    def do(self, message: i.Reveal | i.Continue) -> None:
        self.house.reached |= WATCHED
        self._answered.add(self.table.step)
        self.table.act(message.source if isinstance(message, i.Reveal) else ".")

    async def take(self, heard: Heard) -> i.Inbound | None:
        """Return a message that is in order; note and refuse another one."""
        message = heard.message
        if isinstance(message, i.Reveal | i.Continue):
            if (why := self._flaw(message, heard.at)) is None:
                return message
            check, code, text = why
            if check:
                self.house.broken(check, f"{text}: {explained(code)}")
            await self.guest.refuse(message, code)
            if code == "stale":
                await self.show()
            return None
        if isinstance(message, i.Leave):
            self.left = True
            await self.guest.acknowledge(message, self.table.version)
            await self.guest.say(Bye(code="left", text="Goodbye.", retry="never"))
            return message
        if isinstance(message, i.Rematch):
            self.ready = message
        if is_free(message):
            await self.guest.acknowledge(message, self.table.version)
            return message
        kind = message.__struct_config__.tag
        self.house.broken("rights", f"it sent `{kind}`: {explained('not_host')}")
        await self.guest.refuse(message, "not_host")
        return None

    def _flaw(self, message: i.Reveal | i.Continue, at: int) -> tuple[str, str, str] | None:
        """Say what is wrong with an action: the check, the code, the sentence."""
        table, kind = self.table, message.__struct_config__.tag
        fresh = message.step not in self._answered
        if fresh and message.step != table.step and message.step in self.asked_for:
            self._answered.add(message.step)
            return "", "stale", "it was in order when it was sent"
        if table.phase != "playing":
            return "lobby", "wrong_phase", f"it sent `{kind}` in {table.phase}"
        if table.seat is None:
            return "beside", "not_seated", f"it sent `{kind}`, and has no seat"
        if message.step in self._answered:
            return "once", "stale", f"it sent `{kind}` for step {message.step} a second time"
        if message.step != table.step:
            text = f"it sent `{kind}` with step {message.step}; the snapshot had {table.step}"
            return "step", "stale", text
        if table.paused:
            return "pause", "paused", f"it sent `{kind}` in a pause"
        if not table.bots_turn:
            return "turn", "not_your_turn", f"it sent `{kind}`, and it was not its turn"
        legal = legal_names(table.running.table)
        done = "continue" if isinstance(message, i.Continue) else message.source
        if done not in legal:
            why = refusal(table.running.table, table.running.table.on_turn, action_of(message))
            if why is None:
                raise AssertionError("what is not legal is refused")
            return "legal", why.value, f"it sent `{kind}` {done}; `legal` was {' '.join(legal)}"
        if isinstance(message, i.Continue) and (early := (table.not_before or 0) - at) > 0:
            return "pace", "too_early", f"it continued {early} ms before `not_before`"
        return None
