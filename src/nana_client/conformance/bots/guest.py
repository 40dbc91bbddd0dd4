"""The bot, as the scripted table hears it: what it sends, when, and what is wrong with it."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from nana_client.conformance.bots.table import now_ms
from nana_client.conformance.codes import MEANINGS, explained
from nana_client.conformance.verdict import Broken
from nana_client.conformance.wire import Ended, Socket
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import Malformed, decode_inbound, encode
from nana_core.protocol.outbound import Ack, Error, Hello, LimitsView, Outbound

PATIENCE: Final = 10.0  # seconds for whatever a bot is to do
SLOWNESS: Final = 1.0  # of the moments in which a bot should do nothing
_FREE: Final = (i.Chat, i.Leave, i.Rematch, i.Open, i.Export)  # what nobody takes amiss
HELLO: Final = Hello(
    protocols=(1,),
    server="nana conformance",
    epoch=1,
    limits=LimitsView(
        message_bytes=4096, name_cells=20, chat_cells=200, costed_per_second=10, costed_burst=30
    ),
    bot_levels=(),
    password_required=False,
)


class Heard(Struct, frozen=True):
    message: i.Inbound
    at: int  # ms on the table's clock


class Guest:
    def __init__(self, socket: Socket, broken: Callable[[str, str], None]) -> None:
        self.socket, self._broken = socket, broken
        self._heard: deque[Heard] = deque()
        self.ended: Ended | None = None
        self.told: str | None = None  # the code of a refusal to which it has not yet reacted
        self.join: i.Join  # once it has entered
        self.over = asyncio.Event()
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def say(self, *messages: Outbound) -> None:
        for message in messages:
            await self.socket.send(encode(message).decode())

    async def raw(self, text: str) -> None:
        await self.socket.send(text)

    async def hear(self, what: str, within: float | None = None) -> Heard:
        """Return what it sends next; raise Broken when it sends nothing."""
        within = within or PATIENCE
        told = f", having been told {explained(self.told)}" if self.told else ""
        try:
            async with asyncio.timeout(within):
                while not self._heard:
                    if self.ended is not None:
                        raise Broken(f"it hung up instead of {what}{told}")
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Broken(f"it did nothing for {within:g} s instead of {what}{told}") from None
        self.told = None
        return self._heard.popleft()

    async def quiet(self, seconds: float) -> list[Heard]:
        """Let some time pass; return what it sent meanwhile."""
        await asyncio.sleep(seconds * SLOWNESS)
        heard = list(self._heard)
        self._heard.clear()
        return heard

    def put_back(self, heard: Heard) -> None:
        """Leave something for the next to hear."""
        self._heard.appendleft(heard)

    async def gone(self, within: float) -> bool:
        """Wait until it has hung up."""
        try:
            async with asyncio.timeout(within):
                while self.ended is None:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def acknowledge(self, message: i.Message, version: int) -> None:
        if message.id is not None:
            await self.say(Ack(message.id, version))

    async def refuse(self, message: i.Message, code: str) -> None:
        self.told = code
        await self.say(Error(id=message.id, code=code, text=MEANINGS[code].says))

    async def close(self) -> None:
        self.over.set()
        self._reading.cancel()
        await self.socket.close()

    def cut(self) -> None:
        """Drop the line as a broken network does."""
        self.over.set()
        self._reading.cancel()
        self.socket.cut()

    async def _read(self) -> None:
        while True:
            frame = await self.socket.receive()
            if isinstance(frame, Ended):
                self.ended = frame
                self.over.set()
                self._news.set()
                return
            try:
                message = decode_inbound(frame)
            except Malformed as error:
                self._broken("well-formed", f"{error} It sent {frame[:80]!r}")
                await self.say(Error(id=error.id, code="malformed", text=str(error)))
                continue
            self._heard.append(Heard(message, now_ms()))
            self._news.set()


def is_free(message: i.Inbound) -> bool:
    """Tell whether it may come at any time without being an answer to the table."""
    return isinstance(message, _FREE)
