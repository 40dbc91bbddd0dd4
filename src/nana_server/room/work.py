"""What a room is given by the process it runs in, and what it has under way."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Struct

from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import Continue, Reveal
from nana_core.protocol.outbound import Notice
from nana_server.journal import Journal
from nana_server.records import NO_RECORDS, Records
from nana_server.room.events import Entry
from nana_server.room.state import Key, RoomState
from nana_server.room.viewer import Peer, Viewer, show_each
from nana_server.tally import Tally

if TYPE_CHECKING:
    from nana_server.room.room import Room


# Shows viewers the shared part with each one's own behind it; returns those who cannot take it.
ShowAll: TypeAlias = Callable[[bytes, Iterable[Viewer]], list[Viewer]]


Answer: TypeAlias = Reveal | Continue | None
Think: TypeAlias = Callable[[Callable[[], Answer], Callable[[Answer], None]], None]
"""Work out an answer, and hand it on later, in the event loop; None: there is none."""


def think_at_once(work: Callable[[], Answer], done: Callable[[Answer], None]) -> None:
    done(work())


class House(Struct, frozen=True):
    """What a room is given by the process it runs in."""

    journal: Journal
    clock: Callable[[], int]  # monotonic ms
    entropy: Callable[[int], bytes]
    alarm: Callable[["Room"], None]  # called when `wake_at` has become earlier
    ended: Callable[["Room"], None]  # called when a room closed, or never came to be
    url_of: Callable[[str], str | None]
    show_all: ShowAll = show_each
    epoch: int = 1  # which run of the server this is; versions rise within one
    tally: Tally = msgspec.field(default_factory=Tally)
    records: Records = NO_RECORDS
    fixed_seed: bytes | None = None  # of every game in rooms made now; None: drawn for each
    trouble: Callable[[], Notice | None] = lambda: None  # what whoever comes in has to know
    think: Think = think_at_once


class Request(Struct, frozen=True):
    """A message that waits for its turn, and whose it is."""

    key: Key
    peer: Peer
    message: i.Inbound
    at: int  # when it came; server's clock, ms


# What is in the journal's hands: the entry, the state after it, who asked, as which viewer, and
# the entry encoded.
Proposal: TypeAlias = tuple[Entry, RoomState, Request | None, Viewer | None, bytes]
