"""What a group of appends and forgets comes to: rows to write, without writing them."""

from collections.abc import Callable, Container, Mapping
from typing import TypeAlias

from nana_server.sqlite.chain import Tip, census_of, link, root
from nana_server.sqlite.orders import Append, Forget, StaleOwner, Step
from nana_server.sqlite.schema import NO_ROW

EntryRow: TypeAlias = tuple[int, str, int, int, bytes, bytes]  # n, room, seq, prev, entry, hash
EndRow: TypeAlias = tuple[int, bytes]  # n, hash: the last entry of a chain that has ended


class Batch:
    """Steps taken in order on top of what is kept. It refuses what does not follow."""

    def __init__(
        self,
        kept: Mapping[str, Tip],
        barred: Container[str],
        last: int,
        at: int,
        creator_of: Callable[[bytes], str],
    ) -> None:
        self.entries: list[EntryRow] = []
        self.tips: dict[str, Tip | None] = {}  # of rooms that changed; None: forgotten
        self.ended: list[EndRow] = []  # of chains to be deleted
        self.census = 0  # what to xor into the census
        self.last = last  # highest row
        self._kept = kept
        self._barred = barred
        self._at = at
        self._creator_of = creator_of

    def take(self, step: Step) -> StaleOwner | None:
        match step:
            case Append():
                return self._append(step)
            case Forget(room):
                self._forget(room)
                return None

    def _tip(self, room: str) -> Tip | None:
        return self.tips[room] if room in self.tips else self._kept.get(room)

    def _append(self, step: Append) -> StaleOwner | None:
        room, entry = step.room, step.entry
        tip = self._tip(room)
        if tip is None:
            if step.seq or room in self._barred:
                return StaleOwner(room, step.epoch, step.seq, 0, 0)
            prev, before, creator = NO_ROW, root(room), self._creator_of(entry)
            self.census ^= census_of(room)
        elif step.seq != tip.seq + 1 or step.epoch < tip.epoch:
            return StaleOwner(room, step.epoch, step.seq, tip.epoch, tip.seq + 1)
        elif step.anew:
            prev, before, creator = NO_ROW, root(room), tip.creator
            self.ended.append((tip.n, tip.hash))
        else:
            prev, before, creator = tip.n, tip.hash, tip.creator
        self.last = n = self.last + 1
        hashed = link(before, entry)
        self.entries.append((n, room, step.seq, prev, entry, hashed))
        self.tips[room] = Tip(step.epoch, n, step.seq, hashed, self._at, creator)
        return None

    def _forget(self, room: str) -> None:
        tip = self._tip(room)
        if tip is not None:
            self.tips[room] = None
            self.ended.append((tip.n, tip.hash))
            self.census ^= census_of(room)
