"""A place in a room, live: the link, the place and the store, wired together.

The one object that a front end holds. It is told of every change by `on_change`,
acts through plain methods that never wait, and comes back by itself after a drop.
"""

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nana_client.address import BadAddress, Target, parse
from nana_client.entrance import Joining, Resuming, Watching, Way, with_password
from nana_client.faults import not_nana
from nana_client.foreign import clean, is_plain
from nana_client.link import Link
from nana_client.model import Model, remembered
from nana_client.naming import tidied
from nana_client.place import Place
from nana_client.plausible import flaw_in_table
from nana_client.played import Keeper
from nana_client.retry import Closed, Connecting, Open, Orders, State, Timing, Waiting
from nana_client.shelf import Kept
from nana_client.store import SavedSeat, Store
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import Malformed, decode_outbound, encode
from nana_core.protocol.outbound import Hello, Outbound, Recorded, Snapshot, Welcome

LEAVE_SECONDS: Final = 3.0  # how long a farewell may take
OnChange = Callable[[Model, Outbound | None], None]


UNREACHABLE: Final = "unreachable"
PASSWORD: Final = "Set NANA_PASSWORD to it and try again."  # noqa: S105 - a sentence


class Ending(Struct, frozen=True):
    """How a session ended for good, with a sentence.

    The code is the server's (of a refusal or a farewell), UNREACHABLE when no connection
    came about or came back, None when somebody here closed it.
    """

    code: str | None
    text: str


class Session:
    def __init__(
        self,
        target: Target,
        way: Way,
        *,
        store: Store | None,
        on_change: OnChange,
        own_server: bool = False,
        shelf: Path | None = None,
        curious: bool = False,
        keeps: Callable[[], bool] = lambda: False,
        timing: Timing | None = None,
        clock: Callable[[], float] = time.monotonic,
        random_bytes: Callable[[int], bytes] = os.urandom,
        draw: Callable[[], float] = random.random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Prepare a place; `run` takes it. Without a store nothing is kept on disk by itself.

        `shelf` is the folder for records that a person asks for (default: the store's).

        With `curious` the record of each own game is looked at as soon as it is over; `keeps`
        is asked then whether it is to be kept on the shelf, too.

        `on_change(model, message)` is called on the event loop after every message, and
        with None after every other change: of the connection, or by one's own action.
        """
        way = with_password(way, os.environ)
        self._store, self._on_change, self._clock = store, on_change, clock
        self._own_server = own_server
        shelf = shelf or (None if store is None else store.records)
        self._keeper = None if shelf is None else Keeper(shelf, keeps)
        self.kept: Kept | None = None  # what became of the record asked for last
        self._saved = self._take_up(target, way)
        self._place = Place(way, random_bytes, self._saved)
        self._place.curious = curious
        self._link = Link(
            target,
            self._hear_state,
            self._hear_frame,
            timing=timing,
            clock=clock,
            draw=draw,
            sleep=sleep,
        )
        self._timer: asyncio.TimerHandle | None = None
        self._farewell: asyncio.TimerHandle | None = None

    @property
    def model(self) -> Model:
        return self._place.model

    @property
    def target(self) -> Target:
        """Where the room is, as this client reaches it; it names the room once that is known."""
        return self._link.target

    @property
    def link(self) -> str | None:
        """The URL to share: what the server says of itself, else the address used; None before."""
        if self._place.room is None:
            return None
        said = self.model.welcome.url if self.model.welcome else None
        with suppress(BadAddress):
            return parse(said or "").url
        return self.target.url

    @property
    def restorable(self) -> SavedSeat | None:
        """The seat that `nana` can come back to; None beside the table or without a store."""
        return None if self._place.gone else self._saved

    async def run(self) -> Ending:
        """Be there until it is over for good; cancelling keeps the seat for later."""
        try:
            closed = await self._link.run()
        finally:
            self._stop_timers()
            self._let_go()
        lost = None if self._link.asked_to_close else UNREACHABLE
        return Ending(self._place.code or lost, closed.why)

    def reveal(self, source: str, step: int | None = None) -> bool:
        """Turn a card over; `step` is the snapshot's that it was aimed at (default: the newest).

        False when nothing was sent: no table yet, or this step has its answer already.
        """
        shot = self.model.snapshot
        if shot is None:
            return False
        aimed = shot.step if step is None else step
        return self._act(i.Reveal(step=aimed, source=source))  # type: ignore[arg-type]

    def proceed(self) -> bool:
        """Continue, or as soon as the table may go on; False when it is not ours to do."""
        done = self._place.proceed(self._now())
        self._after(None)
        return done

    def take_over(self) -> bool:
        """Play again where a stand-in plays one's seat; False when none does."""
        done = self._place.take_over()
        self._after(None)
        return done

    def chat(self, text: str) -> bool:
        """Say something, without what a keyboard put there unseen; False if nothing is left."""
        clean = tidied(text)
        return bool(clean) and self._act(i.Chat(text=clean))

    def start(self) -> bool:
        return self._act(i.Start())

    def set_options(self, options: i.OptionChanges) -> bool:
        return self._act(i.SetOptions(options=options))

    def add_bot(self, level: i.Level = "memory", seat: i.Letter | None = None) -> bool:
        return self._act(i.AddBot(level=level, seat=seat))

    def remove(self, seat: i.Letter) -> bool:
        return self._act(i.Remove(seat=seat))

    def give_host(self, seat: i.Letter) -> bool:
        return self._act(i.GiveHost(seat=seat))

    def rematch(self, *, ready: bool = True) -> bool:
        """Be ready for the next game, or no longer; a new nonce is committed to."""
        nonce_hash = self._place.new_nonce() if ready else None
        return self._act(i.Rematch(ready=ready, nonce_hash=nonce_hash))

    def sit(self, seat: i.Letter | None = None) -> bool:
        return self._act(i.Sit(seat=seat, nonce_hash=self._place.new_nonce()))

    def export(self, game: int | None = None) -> bool:
        """Ask for the record of a game that is over, the last if none is named, and save it."""
        self.kept = None
        return self._act(i.Export(game=game))

    def recall(self) -> bool:
        """Ask for the record of the game that is over, to look at in the model; kept nowhere."""
        done = self._place.recall()
        self._after(None)
        return done

    def pause(self, *, on: bool = True) -> bool:
        return self._act(i.Pause(on=on))

    def end_game(self) -> bool:
        return self._act(i.End())

    def close_room(self) -> bool:
        return self._act(i.Close())

    def leave(self) -> None:
        """Give the place up and end; without a connection the seat stays saved."""
        if self.model.connection != "open" or self._place.room is None:
            self._link.close()
            return
        loop = asyncio.get_running_loop()
        self._farewell = loop.call_later(LEAVE_SECONDS, self._link.close)  # whatever comes now
        self._act(i.Leave())

    def close(self) -> None:
        """End here without leaving: the server sees a drop, and the seat stays saved."""
        self._link.close()

    def hurry(self) -> None:
        """Try to connect again at once, or look whether the line still holds."""
        self._link.hurry()

    def _act(self, message: i.Message) -> bool:
        done = self._place.act(message)
        self._after(None)
        return done

    def _hear_state(self, state: State) -> None:
        model = self.model
        match state:
            case Connecting():
                model = replace(model, connection="connecting", retry_in=None, latency_ms=None)
            case Open(latency):
                model = replace(
                    model, connection="open", trouble=None, retry_in=None, latency_ms=latency
                )
            case Waiting(retry_in, why):
                model = replace(model, connection="waiting", trouble=why, retry_in=retry_in)
            case Closed(why):
                model = replace(model, connection="closed", trouble=why, retry_in=None)
        self._place.model = model
        self._on_change(model, None)

    def _hear_frame(self, frame: bytes) -> None:
        try:
            message = decode_outbound(frame)
        except Malformed as error:
            known = self.model.hello is not None
            self._link.obey(Orders("never", str(error) if known else not_nana(self.target)))
            return
        if self.model.hello is None and not isinstance(message, Hello):
            self._link.obey(Orders("never", not_nana(self.target)))
            return
        if message is None:
            return
        if isinstance(message, Snapshot) and (why := flaw_in_table(message)):
            self._link.obey(Orders("never", f"The server sent a table that cannot be: {why}."))
            return
        message = message if is_plain(frame) else clean(message)
        self._place.receive(message, self._now())
        if isinstance(message, Welcome):
            self._arrive(message)
        elif isinstance(message, Recorded) and self._place.recalled(message):
            if self._place.look_back(message):
                self._keep(message)
        elif isinstance(message, Recorded) and self._keeper is not None:
            self.kept = self._keeper.save(message, self.model.snapshot, self._server)
            self._place.model = replace(self.model, kept=self.kept.text)
        self._after(message)

    @property
    def _server(self) -> str:
        """The server that a record names; none where nobody comes back to."""
        return "" if self._store is None else self.target.server

    def _keep(self, message: Recorded) -> None:
        """Keep a game of one's own; what goes wrong is told beside the table, which it spares."""
        shot = self.model.snapshot
        if self._keeper is None or shot is None:
            return
        if wrong := self._keeper.keep(message, shot, self._server):
            self._place.model = remembered(self.model, (wrong,))

    def _after(self, message: Outbound | None) -> None:
        """Do what the place wants done: send, obey, save, wait; then tell of the change."""
        outbox, self._place.outbox = self._place.outbox, []
        for out in outbox:  # taken out before: what cannot be encoded keeps no farewell back
            self._link.send(encode(out))
        if self._place.orders is not None:
            self._link.obey(self._place.orders)
            self._place.orders = None
        self._save()
        self._set_timer()
        self._on_change(self.model, message)

    def _arrive(self, welcome: Welcome) -> None:
        self._link.target = self._link.target.at(welcome.room)

    def _take_up(self, target: Target, way: Way) -> SavedSeat | None:
        """Find the seat that this way leads back to, and hold it against other clients."""
        if self._store is None:
            return None
        if isinstance(way, Resuming):
            self._store.hold(way.saved)
            return way.saved
        if not isinstance(way, Joining) or target.room is None:
            return None
        seats = self._store.seats_in(target.server, target.room)
        return next((seat for seat in seats if self._store.hold(seat)), None)

    def _save(self) -> None:
        place, store = self._place, self._store
        if store is None or place.room is None or isinstance(place.way, Watching):
            return
        welcome = self.model.welcome
        seat = SavedSeat(
            server=self.target.server,
            room=place.room,
            token=place.token,
            name=welcome.name if welcome else "",
            seat=self.model.seat or (welcome.seat if welcome else None),
            nonces=place.nonces,
            commitments=place.witness.commitments,
            own_server=self._own_server or (self._saved is not None and self._saved.own_server),
        )
        store.hold(seat)  # again, too: whoever had it before this client lets it go only now
        if self._saved is not None:
            if replace(self._saved, at=0) == seat:
                return
            if (self._saved.server, self._saved.token) != (seat.server, seat.token):
                store.forget(self._saved)
        self._saved = store.save(seat)

    def _let_go(self) -> None:
        if self._store is None or self._saved is None:
            return
        if self._place.gone:
            self._store.forget(self._saved)
        else:
            self._store.release(self._saved)

    def _set_timer(self) -> None:
        """Wake when a held continue may go out."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._place.held is not None:
            pause = max(0, self._place.held[1] - self._now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(pause, self._wake)

    def _wake(self) -> None:
        self._place.tick(self._now())
        self._after(None)

    def _stop_timers(self) -> None:
        for timer in (self._timer, self._farewell):
            if timer is not None:
                timer.cancel()

    def _now(self) -> int:
        return int(self._clock() * 1000)
