"""A few bytes beside the journal: the last entry that anybody was told is kept.

SQLite takes a broken end of its write-ahead log for a commit that never completed,
and goes on without it: an older history, and nobody would know. The receipt knows.
It is written after each commit and before anyone is told, and never synced: after a
power loss it may be older than the journal, never newer.
"""

import os
import struct
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from nana_server.sqlite.chain import HASH_BYTES

NAME: Final = "receipt"
_LAYOUT: Final = struct.Struct(f"<Q{HASH_BYTES}s")
_CHECK_BYTES: Final = 8


class Receipt(NamedTuple):
    n: int  # row of the entry
    hash: bytes


class ReceiptBook:
    """The file, held open."""

    def __init__(self, folder: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(folder / NAME, flags, 0o600), "r+b", buffering=0)

    def last(self) -> Receipt | None:
        """Return what was written last; None if that was nothing, or cannot be trusted."""
        self._file.seek(0)
        data = self._file.read(_LAYOUT.size + _CHECK_BYTES)
        body, check = data[: _LAYOUT.size], data[_LAYOUT.size :]
        if len(body) < _LAYOUT.size or check != _check(body):
            return None
        return Receipt(*_LAYOUT.unpack(body))

    def write(self, receipt: Receipt) -> None:
        body = _LAYOUT.pack(*receipt)
        self._file.seek(0)
        self._file.write(body + _check(body))

    def close(self) -> None:
        self._file.close()


def _check(body: bytes) -> bytes:
    return blake2b(body, digest_size=_CHECK_BYTES).digest()
