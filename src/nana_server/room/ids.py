"""Which ids each member has used: a retry is one action, and gets the same answer."""

import hashlib
from collections import OrderedDict
from typing import Final

from msgspec import Struct

from nana_core.protocol.codec import encode
from nana_core.protocol.inbound import Inbound
from nana_server.room.state import Key

IDS_KEPT: Final = 64
ITSELF_MOST: Final = 96  # bytes; every reveal and continue with a usual id


class Answered(Struct, frozen=True):
    digest: bytes
    version: int


class Ids:
    """The last 64 ids of each member, oldest first."""

    def __init__(self) -> None:
        self._members: dict[Key, OrderedDict[str, Answered]] = {}

    def find(self, member: Key, id: str) -> Answered | None:  # noqa: A002 - the wire's name
        known = self._members.get(member)
        return known.get(id) if known else None

    def add(self, member: Key, id: str, digest: bytes, version: int) -> None:  # noqa: A002
        known = self._members.get(member)
        if known is None:
            known = self._members[member] = OrderedDict()
        known[id] = Answered(digest, version)
        if len(known) > IDS_KEPT:
            known.popitem(last=False)

    def forget(self, member: Key) -> None:
        self._members.pop(member, None)


def digest_of(message: Inbound) -> bytes:
    """Return what tells two messages with the same id apart: a short one is its own digest."""
    encoded = encode(message)
    if len(encoded) <= ITSELF_MOST:
        return encoded
    return hashlib.blake2b(encoded, digest_size=16).digest()
