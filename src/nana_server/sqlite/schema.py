"""The tables of a journal, and the questions that are asked of them.

Entries are appended in the order of `n`, whatever their room, as cheaply as to a plain
log; `prev` leads from a room's last entry to its first. Heads change with every entry,
so they are short: many share a page. What is long and never changes stands apart.
"""

from functools import lru_cache
from typing import Final

LAYOUT: Final = 1  # raised when an older server could not use the tables any more
APPLICATION: Final = 0x6E616E61  # "nana"
NO_ROW: Final = 0  # the `prev` of a chain's first entry: a room's first, or one that sums it up

ENTRIES: Final = """\
CREATE TABLE entries(
  n INTEGER PRIMARY KEY,
  room TEXT NOT NULL,
  seq INTEGER NOT NULL,
  prev INTEGER NOT NULL,
  entry BLOB NOT NULL,
  hash BLOB NOT NULL
)"""
HEADS: Final = """\
CREATE TABLE heads(
  room TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  n INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seal BLOB NOT NULL
) WITHOUT ROWID"""
CREATORS: Final = """\
CREATE TABLE creators(
  room TEXT PRIMARY KEY,
  creator TEXT NOT NULL
) WITHOUT ROWID"""
ENDED: Final = """\
CREATE TABLE ended(
  n INTEGER PRIMARY KEY,
  hash BLOB NOT NULL
)"""
META: Final = """\
CREATE TABLE meta(
  one INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  last INTEGER NOT NULL,
  census INTEGER NOT NULL,
  probe BLOB
)"""
TABLES: Final = (ENTRIES, HEADS, CREATORS, ENDED, META)

# A room's rows, from row ? of hash ? back to its first, at most ?; it ends where a row does
# not precede the last one. Each question about it has an answer of one row: the interpreter
# is let go of once, and waits for a busy event loop once, not for every entry.
_CHAIN: Final = """
WITH RECURSIVE chain(n, room, seq, prev) AS (
  SELECT n, room, seq, prev FROM entries WHERE n = ? AND hash = ?
  UNION ALL
  SELECT e.n, e.room, e.seq, e.prev FROM chain CROSS JOIN entries AS e ON e.n = chain.prev
  WHERE e.room = chain.room AND e.seq = chain.seq - 1 LIMIT ?
)
"""
READ: Final = f"""{_CHAIN}
SELECT group_concat(e.seq || ':' || hex(e.entry), ' '), min(e.prev)
FROM chain CROSS JOIN entries AS e ON e.n = chain.n
"""  # noqa: S608 - made of the above
AFTER_PIECE: Final = f"""{_CHAIN}
SELECT n, hash FROM chain JOIN entries USING (n) ORDER BY chain.seq DESC LIMIT 1 OFFSET ?
"""  # noqa: S608 - made of the above
DELETE_PIECE: Final = f"{_CHAIN} DELETE FROM entries WHERE n IN (SELECT n FROM chain)"  # noqa: S608 - also

ALL_HEADS: Final = """
SELECT room, epoch, n, seq, at, creator, seal FROM heads LEFT JOIN creators USING (room)
"""
VANISHED: Final = """
SELECT DISTINCT room FROM entries
WHERE NOT EXISTS (SELECT 1 FROM heads WHERE heads.room = entries.room)
  AND NOT EXISTS (SELECT 1 FROM ended JOIN entries AS e USING (n) WHERE e.room = entries.room)
"""


@lru_cache(maxsize=256)
def values(what: str, columns: int, rows: int) -> str:
    """Return an INSERT of many rows at once."""
    row = f"({', '.join('?' * columns)})"
    return f"{what} VALUES {', '.join([row] * rows)}"
