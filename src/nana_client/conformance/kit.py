"""What the scenes at a server share: connections under watch, and members with their secrets."""

import asyncio
import os

from nana_client.address import Target
from nana_client.conformance.findings import Findings
from nana_client.conformance.line import Line
from nana_client.conformance.wire import dial
from nana_core.fair import SECRET_BYTES, nonce_hash
from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import PROTOCOL, OptionChanges
from nana_core.protocol.outbound import Hello, Welcome


class FixedDeals(Exception):  # noqa: N818 - what the server has
    """The server deals fixed cards: then much of what is to be checked does not take place."""

    def __init__(self) -> None:
        super().__init__(
            "its deals are fixed, so that nothing is committed to or opened; "
            "start it without --fixed-deals to check it"
        )


class Member(Line):
    """A line with a token and nonces: what a client keeps."""

    hello: Hello
    welcome: Welcome
    nonces: list[bytes]
    refusals: int = 0

    @property
    def room(self) -> str:
        return self.welcome.room

    def new_nonce(self) -> str:
        self.nonces.append(os.urandom(SECRET_BYTES))
        return nonce_hash(self.nonces[-1])


class Kit(Findings):
    def __init__(self, target: Target, password: str | None = None) -> None:
        super().__init__()
        self.target, self.password = target, password
        self.lines: list[Line] = []
        self.server = ""

    async def connect(
        self, who: str, room: str | None = None, *, origin: str | None = None
    ) -> Member:
        """Connect to the room's address, or the server's; it is greeted."""
        socket = await dial(self.target.at(room).url, origin=origin)
        line = Member(socket, who, self.broken)
        line.nonces = []
        self.lines.append(line)
        line.hello = await line.greeted()
        self.server = line.hello.server
        return line

    async def create(self, who: str, **options: object) -> Member:
        """Open a room; the kit's own name stands before it so that people see what it is."""
        line = await self.connect(who)
        message = i.Create(
            protocol=PROTOCOL,
            token=new_token(),
            password=self.password,
            name=who,
            nonce_hash=line.new_nonce(),
            options=OptionChanges(**options),  # type: ignore[arg-type]
        )
        line.welcome = await line.enter(message)
        if line.newest.deal.fixed:
            raise FixedDeals
        return line

    async def join(self, room: str, who: str, kind: i.Kind = "person") -> Member:
        line = await self.connect(who, room)
        line.welcome = await line.enter(self.joining(who, line.new_nonce(), kind))
        return line

    def joining(self, who: str, commitment: str | None = None, kind: i.Kind = "person") -> i.Join:
        return i.Join(
            protocol=PROTOCOL,
            token=new_token(),
            password=self.password,
            name=who,
            kind=kind,
            nonce_hash=commitment,
        )

    async def watch(self, room: str, who: str) -> Member:
        line = await self.connect(who, room)
        line.welcome = await line.enter(self.watching(who))
        return line

    def watching(self, who: str) -> i.Watch:
        return i.Watch(protocol=PROTOCOL, token=new_token(), password=self.password, name=who)

    async def resume(self, lost: Member, seq: int = 0, *, token: str | None = None) -> Member:
        """Come back to a member's place on a new connection."""
        line = await self.connect(lost.who, lost.room)
        message = i.Resume(
            protocol=PROTOCOL, token=token or lost.token, password=self.password, seq=seq
        )
        line.welcome = await line.enter(message)
        line.nonces = lost.nonces
        return line

    async def calm(self, *lines: Line) -> None:
        """Wait until nothing more comes to any of them."""
        await asyncio.gather(*(line.quiet() for line in lines))

    async def hang_up(self) -> None:
        for line in self.lines:
            await line.close()
        self.lines.clear()


def new_token() -> str:
    return os.urandom(16).hex()
