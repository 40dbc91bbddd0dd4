"""`nana export LINK`: come back to a saved seat for a moment, and save a record from there."""

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import Final

from nana_client.address import Target
from nana_client.entrance import Resuming
from nana_client.model import Model
from nana_client.played import Shelf, spare
from nana_client.session import Session
from nana_client.store import SavedSeat, Store
from nana_core.protocol.outbound import Error, Outbound, Recorded, Snapshot

LIST: Final = "`nana replay` lists the games that are kept here."


def run_export(target: Target, game: int | None, store: Store | None = None) -> int:
    """Save the record of a game (None: the last that is over) and print where; 0 or 1."""
    store = store or Store()
    seats = store.seats_in(target.server, target.room)
    seat = next(filter(store.is_free, seats), None)
    if seat is None:
        if not seats and (kept := _kept(target, game, store)):
            spare(kept)
            print(kept)
            return 0
        key = store.keyboard().label("record")
        why = (
            f"nana is open at that table. When the game is over, {key} saves the record there."
            if seats
            else "No seat of yours is saved for that room, and only its players get records."
        )
        print(f"nana: {why} {LIST}", file=sys.stderr)
        return 1
    return asyncio.run(Export(target, seat, store, game).run())


def _kept(target: Target, game: int | None, store: Store) -> Path | None:
    """Return the file of a game of that room that was kept by itself, the last if none is named."""
    with contextlib.suppress(OSError):
        found = [
            (each.record.game, each.at, each.path)
            for each in Shelf(store.records).games()
            if each.record is not None
            and each.record.room == target.room
            and game in {None, each.record.game}
        ]
        return max(found)[2] if found else None
    return None


class Export:
    """One question and its answer."""

    def __init__(self, target: Target, seat: SavedSeat, store: Store, game: int | None) -> None:
        self._game, self._asked, self._why = game, False, ""
        way = Resuming(saved=seat)
        self.session = Session(target, way, store=store, on_change=self._hear)

    async def run(self) -> int:
        ending = await self.session.run()
        kept = self.session.kept
        if kept is not None and kept.path is not None:
            print(kept.path)
            return 0
        why = kept.text if kept is not None else self._why or ending.text
        print(f"nana: {why} {LIST}", file=sys.stderr)
        return 1

    def _hear(self, _model: Model, message: Outbound | None) -> None:
        """Ask as soon as one is inside; go, without giving the seat up, when it is answered."""
        match message:
            case Snapshot() if not self._asked:
                self._asked = True
                self.session.export(self._game)
            case Error(text=text) if self._asked:
                self._why = text
                self.session.close()
            case Recorded():
                self.session.close()
            case _:
                pass
