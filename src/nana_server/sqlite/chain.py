"""Hashes that tie a room's entries to each other, and its head to the last of them.

They tell damage from history; whoever can write the file can also make them anew.
"""

from hashlib import blake2b
from typing import Final

from msgspec import Struct

HASH_BYTES: Final = 16
SEAL_BYTES: Final = 8


class Tip(Struct, frozen=True):
    """The end of a room's chain."""

    epoch: int  # of who appended last
    n: int  # row of the last entry
    seq: int  # of the last entry
    hash: bytes
    at: int  # wall clock, s
    creator: str


def root(room: str) -> bytes:
    """Return what the first entry of a room is tied to."""
    return blake2b(room.encode(), digest_size=HASH_BYTES).digest()


def link(before: bytes, entry: bytes) -> bytes:
    """Return the hash of a chain that is one entry longer."""
    return blake2b(before + entry, digest_size=HASH_BYTES).digest()


def seal(room: str, tip: Tip) -> bytes:
    """Return what a room's head must carry, so that no field of it can change alone."""
    head = f"{room} {tip.epoch} {tip.n} {tip.seq} {tip.at} {tip.creator} ".encode()
    return blake2b(head + tip.hash, digest_size=SEAL_BYTES).digest()


def census_of(room: str) -> int:
    """Return a room's share in the census, which is the shares of all rooms, xored."""
    return int.from_bytes(blake2b(room.encode(), digest_size=7).digest(), "big")
