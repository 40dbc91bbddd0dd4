"""One client of the kit: what it says, what it hears, in order; and what it may expect."""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

from msgspec.structs import replace

from nana_client.conformance.verdict import Broken, require
from nana_client.conformance.watching import Watch
from nana_client.conformance.wire import Ended, Socket
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import encode
from nana_core.protocol.outbound import (
    Ack,
    Bye,
    Error,
    Hello,
    Outbound,
    Recorded,
    Snapshot,
    Welcome,
)

_T = TypeVar("_T", bound=Outbound)
WITHIN: Final = 5.0  # seconds for each answer
QUIET: Final = 0.25  # seconds in which nothing more should come
AGAIN: Final = 2.0  # seconds to wait where too many rooms have been opened already
TRIES: Final = 30


class Purse:
    """What a connection may still send: the kit keeps to the limits that `hello` names."""

    def __init__(self, burst: int, per_second: int) -> None:
        self._burst, self._per_second = max(burst - 2, 1), max(per_second, 1)
        self.left: float = self._burst
        self._at = monotonic()

    async def pay(self) -> None:
        now = monotonic()
        self.left = min(self._burst, self.left + (now - self._at) * self._per_second)
        self._at = now
        if self.left < 1:
            await asyncio.sleep((1 - self.left) / self._per_second)
        self.left -= 1


class Line:
    def __init__(self, socket: Socket, who: str, broken: Callable[[str, str], None]) -> None:
        self.socket, self.who = socket, who
        self._watch = Watch(who, broken)
        self._broken = broken
        self._heard: deque[Outbound | Ended] = deque()
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())
        self._ids, self._mark = 0, os.urandom(4).hex()
        self._acked: set[str | None] = set()
        self._purse: Purse | None = None
        self.version = -1
        self.log: list[Outbound | Ended] = []  # all that was taken out of the queue
        self.snapshots: list[Snapshot] = []  # of that
        self.token = ""

    @property
    def newest(self) -> Snapshot:
        if not self.snapshots:
            raise Broken(f"{self.who} has got no snapshot")
        return self.snapshots[-1]

    async def close(self) -> None:
        self._reading.cancel()
        await self.socket.close()

    def cut(self) -> None:
        self._reading.cancel()
        self.socket.cut()

    async def next(self) -> Outbound | Ended:
        """Return what came next; raise Broken when nothing comes."""
        try:
            async with asyncio.timeout(WITHIN):
                while not self._heard:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Broken(f"{self.who} has waited {WITHIN:g} s for an answer") from None
        message = self._heard.popleft()
        self.log.append(message)
        if isinstance(message, Snapshot):
            self.version = max(self.version, message.version)
            self.snapshots.append(message)
        return message

    async def until(self, kind: type[_T], holds: Callable[[_T], bool] = lambda _: True) -> _T:
        """Read on to a message of a kind of which something holds."""
        wanted = kind.__struct_config__.tag
        while True:
            try:
                message = await self.next()
            except Broken as error:
                raise Broken(
                    f"{error}, and never got the `{wanted}` that should have come"
                ) from None
            if isinstance(message, kind) and holds(message):
                return message
            if isinstance(message, Ended):
                raise Broken(f"{self.who} met {told(message)} instead of a `{wanted}`")

    async def see(self, holds: Callable[[Snapshot], bool], what: str) -> Snapshot:
        """Read on to a snapshot in which something holds, if the newest is not such a one."""
        if self.snapshots and holds(self.newest):
            return self.newest
        try:
            return await self.until(Snapshot, holds)
        except Broken:
            raise Broken(f"{self.who} was never shown {what}") from None

    async def quiet(self) -> list[Outbound | Ended]:
        """Take what still comes until nothing has come for a moment."""
        got: list[Outbound | Ended] = []
        while True:
            if not self._heard:
                self._news.clear()
                try:
                    async with asyncio.timeout(QUIET):
                        await self._news.wait()
                except TimeoutError:
                    return got
            got.append(await self.next())
            if isinstance(got[-1], Ended):
                return got

    def _settle(self, message: i.Message, answer: Outbound, *, retry: bool) -> None:
        """Accepted reveals and continues were free."""
        if isinstance(answer, Ack):
            self._acked.add(answer.id)
            if isinstance(message, i.Reveal | i.Continue) and self._purse and not retry:
                self._purse.left += 1

    async def say(self, message: i.Inbound) -> None:
        if self._purse is not None:
            await self._purse.pay()
        await self.socket.send(encode(message).decode())

    async def raw(self, text: str) -> Outbound | Ended:
        """Send any text, and return the error that answers it, or whatever ends the line."""
        await self.socket.send(text)
        while True:
            message = await self.next()
            if isinstance(message, Error | Bye | Ended | Ack):
                return message

    async def ask(self, message: i.Message) -> Ack | Error | Welcome | Recorded:
        """Send a message with an id, and return its answer; what comes before it is read."""
        if message.id is None:
            message = replace(message, id=self.next_id())
        before, showed = self.version, -1
        await self.say(message)  # type: ignore[arg-type]
        retry = message.id in self._acked
        while True:
            got = await self.next()
            if isinstance(got, Ended):
                raise Broken(f"{self.who} met {told(got)} after `{_said(message)}`")
            if isinstance(got, Snapshot):
                showed = got.version
            if isinstance(got, Ack | Error | Welcome | Recorded) and got.id == message.id:
                if isinstance(got, Ack) and before < got.version <= showed and not retry:
                    text = f"{self.who} got the snapshot of its `{_said(message)}` before the ack"
                    self._broken("ack-first", text)
                self._settle(message, got, retry=retry)
                return got
            if isinstance(got, Error) and got.id is None:
                text = f"{self.who}: {told(got)} on `{_said(message)}` does not repeat its id"
                self._broken("ids-repeated", text)
                return got

    async def does(self, message: i.Message) -> int:
        """Ask for something that must be done; return the version of its ack."""
        answer = await self.ask(message)
        require(
            isinstance(answer, Ack),
            f"{self.who}'s `{_said(message)}` was answered with {told(answer)}, not with an ack",
        )
        return answer.version if isinstance(answer, Ack) else -1

    async def refused(self, message: i.Message, *codes: str) -> Error:
        """Ask for something that must be refused, with one of these codes."""
        answer = await self.ask(message)
        if not isinstance(answer, Error) or answer.code not in codes:
            wanted = " or ".join(codes)
            raise Broken(
                f"{self.who}'s `{_said(message)}` should be refused with {wanted}; "
                f"the answer was {told(answer)}"
            )
        return answer

    async def enter(self, message: i.Entering) -> Welcome:
        """Take a place, and read on to the first snapshot; wait while no more may be opened."""
        self.token = message.token
        answer = await self.ask(message)
        for _ in range(TRIES):
            if not isinstance(answer, Error) or answer.code != "rate_limited":
                break
            await asyncio.sleep(AGAIN)
            answer = await self.ask(message)
        if not isinstance(answer, Welcome):
            raise Broken(f"{self.who}'s `{_said(message)}` was answered with {told(answer)}")
        await self.until(Snapshot)
        return answer

    async def greeted(self) -> Hello:
        message = await self.next()
        if not isinstance(message, Hello):
            raise Broken(f"{self.who} was not greeted with `hello`, but with {told(message)}")
        self._purse = Purse(message.limits.costed_burst, message.limits.costed_per_second)
        return message

    def next_id(self) -> str:
        self._ids += 1
        return f"{self._mark}-{self._ids}"

    async def _read(self) -> None:
        while True:
            frame = await self.socket.receive()
            if isinstance(frame, Ended):
                self._heard.append(frame)
                self._news.set()
                return
            message = self._watch.see(frame)
            if message is not None:
                self._heard.append(message)
                self._news.set()


def _named(kind: type[Outbound]) -> str:
    return str(kind.__struct_config__.tag)


def _said(message: i.Message) -> str:
    return str(message.__struct_config__.tag)


def told(answer: Outbound | Ended) -> str:
    """Say an answer in a report: its code, and the sentence that came with it."""
    match answer:
        case Error():
            return f"error {answer.code} ({answer.text})"
        case Ended():
            why = f", {answer.reason}" if answer.reason else ""
            return f"the end of the connection ({answer.code or 'cut'}{why})"
        case Bye():
            return f"bye {answer.code} ({answer.text})"
        case _:
            return f"`{_named(type(answer))}`"
