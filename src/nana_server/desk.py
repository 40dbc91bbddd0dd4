"""Between the gateway and the rooms: decodes, limits, and leads everyone to their room.

It owns what a connection may ask for and who it is; a room owns everything else.
"""

import hashlib
import hmac
import logging
import re
from collections.abc import Callable
from typing import Final, Literal, get_args

from nana_core import __version__
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import Malformed, decode_inbound, encode, is_foreign
from nana_core.protocol.outbound import Bye, ByeCode, Error, ErrorCode, Hello, LimitsView
from nana_core.text import CHAT_CELLS, NAME_CELLS
from nana_server.allowance import Allowance
from nana_server.config import Config
from nana_server.gateway import Peer as Connection
from nana_server.gateway import Request, Response
from nana_server.journal import DamagedRoom
from nana_server.lobby import Lobby
from nana_server.pages import Pages
from nana_server.room.refusals import REFUSALS
from nana_server.room.room import Room
from nana_server.room.state import Key
from nana_server.tally import Tally

ROOM_PATH: Final = re.compile(r"/r/([A-Za-z0-9]{1,16})/?")
COSTED_PER_SECOND: Final = 10
COSTED_BURST: Final = 30
CREATE_PER_SECOND: Final = 0.2  # rooms per address
FLOOD_RETRY_MS: Final = 5000
OUTSIDE_MOST_MS: Final = 60_000  # a connection that enters no room is sent away
_IDLE: Final = Bye(code=ByeCode.IDLE, text="You have not entered a room.", retry="never")

log = logging.getLogger("nana.desk")


class Client:
    """One connection, as its room sees it."""

    __slots__ = (
        "_allowance",
        "_clock",
        "_tally",
        "gone",
        "key",
        "line",
        "place",
        "room",
        "send",
        "show",
    )

    def __init__(self, connection: Connection, clock: Callable[[], int], tally: Tally) -> None:
        self.send = connection.send
        self.show = connection.show
        self.gone = False
        self.key: Key = ""
        self.room: Room | None = None
        self.place: Literal["outside", "at the door", "inside"] = "outside"
        self.line = connection
        self._clock = clock
        self._tally = tally
        self._allowance = Allowance(COSTED_PER_SECOND, COSTED_BURST, clock())

    @property
    def path(self) -> str:
        return self.line.path

    @property
    def address(self) -> str:
        return self.line.address

    @property
    def blocked(self) -> bool:
        return self.line.blocked

    def close(self, code: int, reason: str) -> None:
        self.line.close(code, reason)

    def abort(self) -> None:
        self.line.abort()

    def entered(self) -> None:
        self.place = "inside"

    def turned_away(self) -> None:
        self.place, self.room = "outside", None

    def charge(self) -> bool:
        """Count a message that costs; say goodbye and return False when there were too many."""
        if self._allowance.spend(self._clock()):
            return True
        self._tally.floods += 1
        text = REFUSALS[ErrorCode.RATE_LIMITED]
        bye = Bye(code=ByeCode.FLOOD, text=text, retry="after_ms", after_ms=FLOOD_RETRY_MS)
        self.send(encode(bye))
        self.close(1008, "flood")
        return False

    def error(self, id: str | None, code: ErrorCode, text: str | None = None) -> None:  # noqa: A002
        self._tally.refused[code] += 1
        self.send(encode(Error(id=id, code=code, text=text or REFUSALS[code])))
        self.charge()


class Desk:
    """The handler behind the gateway."""

    def __init__(
        self,
        lobby: Lobby,
        config: Config,
        clock: Callable[[], int],
        pages: Pages,
        epoch: int = 1,
    ) -> None:
        self._lobby = lobby
        self._clock = clock
        self._pages = pages
        self._tally = lobby.tally
        self._password = config.password
        self._create_burst = config.create_burst
        self._creations: dict[str, Allowance] = {}
        self._hello = encode(_hello(config, epoch))
        self._outside: dict[Client, int] = {}  # not in a room yet, and since when (ms)

    def http(self, request: Request) -> Response | None:
        return self._pages.answer(request)

    def opened(self, peer: Connection) -> None:
        peer.context = client = Client(peer, self._clock, self._tally)
        self._outside[client] = self._clock()
        peer.send(self._hello)

    def received(self, peer: Connection, frame: bytes) -> None:
        client: Client = peer.context  # type: ignore[assignment] # from `opened` on
        try:
            message = decode_inbound(frame)
        except Malformed as error:
            code = ErrorCode.UNSUPPORTED_PROTOCOL if is_foreign(frame) else ErrorCode.MALFORMED
            text = None if code is ErrorCode.UNSUPPORTED_PROTOCOL else str(error)
            client.error(error.id, code, text)
            return
        if type(message) is i.Reveal or type(message) is i.Continue:  # these cost nothing
            room = client.room
            if room is not None:
                room.play(client.key, client, message)
            else:
                client.error(message.id, ErrorCode.NOT_JOINED)
        elif not client.charge():
            return
        elif isinstance(message, i.Entrance):
            self._enter(client, message)
        else:
            self._pass_on(client, message)

    def writable(self, peer: Connection) -> None:
        client = peer.context
        if isinstance(client, Client) and client.room is not None:
            client.room.writable(client.key)

    def closed(self, peer: Connection) -> None:
        client = peer.context
        if isinstance(client, Client):
            client.gone = True
            self._outside.pop(client, None)
            if client.room is not None:
                client.room.lost(client.key, client)

    def sweep(self) -> None:
        """Send away who never entered a room; forget addresses that created none for a while."""
        now = self._clock()
        for client, since in tuple(self._outside.items()):
            if client.place == "inside":
                del self._outside[client]
            elif now - since >= OUTSIDE_MOST_MS:
                client.send(encode(_IDLE))
                client.close(1000, ByeCode.IDLE)
        self._creations = {a: it for a, it in self._creations.items() if not it.is_full(now)}

    def _pass_on(self, client: Client, message: i.Inside) -> None:
        if client.room is None:
            client.error(message.id, ErrorCode.NOT_JOINED)
        else:
            client.room.receive(client.key, client, message)

    def _enter(self, client: Client, message: i.Entering) -> None:
        if client.place != "outside":
            client.error(message.id, ErrorCode.ALREADY_JOINED)
        elif message.protocol != i.PROTOCOL:
            client.error(message.id, ErrorCode.UNSUPPORTED_PROTOCOL)
        elif not self._knows_password(message):
            text = None if message.password else "This server asks for a password."
            client.error(message.id, ErrorCode.WRONG_PASSWORD, text)
        elif isinstance(message, i.Create):
            self._create(client, message)
        else:
            self._find(client, message)

    def _create(self, client: Client, message: i.Create) -> None:
        key = key_of(message.token)
        code = self._lobby.created_by(key)
        if code is not None:
            self._fetch(client, code, message)
        elif self._lobby.full:
            client.error(message.id, ErrorCode.SERVER_FULL)
        elif not self._may_create(client.address):
            text = "Too many new rooms from your address; please wait a little."
            client.error(message.id, ErrorCode.RATE_LIMITED, text)
        else:
            self._lead(client, self._lobby.create(key, message.options), key, message)

    def _find(self, client: Client, message: i.Entering) -> None:
        path = ROOM_PATH.fullmatch(client.path)
        if path is None:
            client.error(message.id, ErrorCode.NO_SUCH_ROOM)
        else:
            self._fetch(client, path[1], message)

    def _fetch(self, client: Client, code: str, message: i.Entering) -> None:
        """Lead to a room, which may have to be read first."""
        client.place = "at the door"
        self._lobby.fetch(code, lambda found: self._found(client, found, message))

    def _found(self, client: Client, found: Room | DamagedRoom | None, message: i.Entering) -> None:
        if client.gone:
            return
        if isinstance(found, Room):
            self._lead(client, found, key_of(message.token), message)
            return
        client.place = "outside"
        if found is None and isinstance(message, i.Create):
            self._create(client, message)  # what this token created before has ended
        elif found is None:
            client.error(message.id, ErrorCode.NO_SUCH_ROOM)
        else:
            client.error(message.id, ErrorCode.UNAVAILABLE, f"{found} Please tell the host.")

    def _lead(self, client: Client, room: Room, key: Key, message: i.Entering) -> None:
        client.room, client.key, client.place = room, key, "at the door"
        room.receive(key, client, message)

    def _knows_password(self, message: i.Entering) -> bool:
        if self._password is None:
            return True
        given = (message.password or "").encode()
        return hmac.compare_digest(given, self._password.encode())

    def _may_create(self, address: str) -> bool:
        now = self._clock()
        allowance = self._creations.get(address)
        if allowance is None:
            allowance = Allowance(CREATE_PER_SECOND, self._create_burst, now)
            self._creations[address] = allowance
        return allowance.spend(now)


def key_of(token: str) -> Key:
    """Return what the server keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _hello(config: Config, epoch: int) -> Hello:
    return Hello(
        protocols=(i.PROTOCOL,),
        server=f"nana {__version__}",
        epoch=epoch,
        limits=LimitsView(
            message_bytes=config.message_bytes,
            name_cells=NAME_CELLS,
            chat_cells=CHAT_CELLS,
            costed_per_second=COSTED_PER_SECOND,
            costed_burst=COSTED_BURST,
        ),
        bot_levels=get_args(i.Level),
        password_required=config.password is not None,
    )
