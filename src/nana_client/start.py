"""What a person asked for on the command line: the first screen to show, and with what.

Pure data that `cli` makes and the app (or plain mode) acts on. A name of None was
not given: the one remembered is used, or the person is asked.
"""

from typing import TypeAlias

from msgspec import Struct

from nana_client.address import Target
from nana_core.deck import Seat
from nana_core.record import Record


class OpenScreen(Struct, frozen=True):
    """`nana`: the opening screen, where everything else begins."""

    name: str | None = None


class PlayBots(Struct, frozen=True):
    """`nana play`: a private table with bots, dealt at once."""

    bots: int = 3  # 1-4
    level: str = "novice"  # one of protocol.inbound.Level; a strong one wins 97 games of 100
    name: str | None = None


class HostRoom(Struct, frozen=True):
    """`nana host`: a server on this machine and a room in it, for friends."""

    port: int = 8765
    name: str | None = None


class JoinRoom(Struct, frozen=True):
    """`nana join LINK`: a seat in a room; of a server alone, a new room there."""

    target: Target
    name: str | None = None


class WatchRoom(Struct, frozen=True):
    """`nana watch LINK`: a place beside the table; the target always names a room."""

    target: Target
    name: str | None = None


class BrowseRooms(Struct, frozen=True):
    """`nana rooms SERVER`: the open tables of a server."""

    server: Target
    name: str | None = None


class ComeBack(Struct, frozen=True):
    """`nana resume`: the seat that was used last."""

    name: str | None = None
    here: bool = False  # also one that is open in another terminal: it is taken over


class BrowseGames(Struct, frozen=True):
    """`nana replay`: the games that were played here, to look at one again."""

    name: str | None = None


class LookBack(Struct, frozen=True):
    """`nana replay FILE`: a game that was played, step by step; no server is asked."""

    record: Record
    seat: Seat | None = None  # through whose eyes first; None: all hands open
    name: str | None = None


Start: TypeAlias = OpenScreen | ComeBack | PlayBots | HostRoom | JoinRoom | WatchRoom
