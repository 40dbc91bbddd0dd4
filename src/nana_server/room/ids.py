"""Which ids each member has used: a retry is one action, and gets the same answer."""

import hashlib
from typing import Final, TypeAlias

from nana_core.protocol.codec import encode
from nana_core.protocol.inbound import Inbound
from nana_server.room.state import Key

IDS_KEPT: Final = 64
ITSELF_MOST: Final = 96  # bytes; every reveal and continue with a usual id

# By id, oldest first: the encoded entry, which says what was asked and what the answer is.
Used: TypeAlias = dict[str, bytes]


class Ids:
    """The last 64 ids of each member."""

    def __init__(self) -> None:
        self.all: dict[Key, Used] = {}

    def of(self, member: Key) -> Used:
        """Return a member's ids, to look into and to `note` in."""
        return self.all.setdefault(member, {})

    def forget(self, member: Key) -> None:
        self.all.pop(member, None)


def note(used: Used, id: str, entry: bytes) -> None:  # noqa: A002 - the wire's name
    """Remember what an id was used for; the oldest one goes when there are too many."""
    used[id] = entry
    if len(used) > IDS_KEPT:
        del used[next(iter(used))]


def digest_of(message: Inbound) -> bytes:
    """Return what tells two messages with the same id apart: a short one is its own digest."""
    encoded = encode(message)
    if len(encoded) <= ITSELF_MOST:
        return encoded
    return hashlib.blake2b(encoded, digest_size=16).digest()
