"""One place in one room, without any I/O: messages and times in, messages out.

A place keeps what a drop must not lose: its token, its nonces, and the actions that
nobody acknowledged, which go out again under the same id after a resume. Randomness
and time (ms on our monotonic clock) are handed in; what is to be sent waits in `outbox`.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from nana_client.entrance import Creating, Resuming, Way, message_for, resume
from nana_client.knowable import summaries
from nana_client.model import Model, acted, advance, remembered
from nana_client.proof import Witness, verdict, watch
from nana_client.retry import Orders
from nana_client.shelf import is_of
from nana_client.store import SavedSeat, Secret
from nana_client.words import stood_in
from nana_core.deck import LETTERS
from nana_core.fair import SECRET_BYTES, nonce_hash
from nana_core.protocol.inbound import (
    PROTOCOL,
    AddBot,
    Continue,
    Export,
    Inbound,
    Message,
    Open,
    Reveal,
    Start,
)
from nana_core.protocol.outbound import (
    Ack,
    Bye,
    Error,
    Hello,
    Outbound,
    Recorded,
    Snapshot,
    Welcome,
)
from nana_core.record import Unreadable, dealt, load

TOKEN_BYTES: Final = 16
KEPT_NONCES: Final = 4
MOST_UNACKNOWLEDGED: Final = 64  # as many ids as a server keeps
TRY_AGAIN_MS: Final = 150  # after a continue that was too early by the server's clock
MOST_AFTER: Final = 60.0  # seconds that a server may have us wait
_PASSING: Final = frozenset({"rate_limited", "unavailable"})  # refusals of the moment
_GONE: Final = frozenset({"left", "removed", "closed", "expired", "no_such_room"})


class Place:
    def __init__(
        self,
        way: Way,
        random_bytes: Callable[[int], bytes],
        saved: SavedSeat | None = None,
    ) -> None:
        """Take a place; `saved` is a seat to try before the way itself is gone."""
        if isinstance(way, Resuming):
            saved = way.saved
        self.way, self.model = way, Model()
        self.outbox: list[Inbound] = []
        self.orders: Orders | None = None  # what the link must do now
        self.code: str | None = None  # of the refusal or the farewell that ended it
        self.room: str | None = None
        self._inside = False  # from a connection's welcome on, actions may follow
        self.held: tuple[int, int] | None = None  # a continue: its step, when it goes out
        self._random_bytes = random_bytes
        self._prefix, self._count = random_bytes(4).hex(), 0
        self._returning = saved is not None
        self._unacknowledged: dict[str, Message] = {}
        self._own: set[str] = set()  # ids of what no person asked for: not their errors
        self.curious = False  # look back over each game of one's own as soon as it is over
        self._looked_back = 0  # the newest game of which the record was asked for by itself
        self._recalls: set[str] = set()  # ids of records asked for only to be looked at
        self._entrance_id: str | None = None
        self._to_set_up = isinstance(way, Creating)
        self.token = saved.token if saved else Secret(random_bytes(TOKEN_BYTES).hex())
        self.nonces: tuple[Secret, ...] = saved.nonces if saved else ()
        self.witness = Witness(saved.commitments if saved else ())
        if not self.nonces:
            self.new_nonce()

    @property
    def gone(self) -> bool:
        """Whether there is nothing to come back to."""
        return self.code in _GONE

    def new_nonce(self) -> str:
        """Make the nonce for the next game; return its hash, the commitment."""
        nonce = self._random_bytes(SECRET_BYTES)
        self.nonces = (*self.nonces, Secret(nonce.hex()))[-KEPT_NONCES:]
        return nonce_hash(nonce)

    def receive(self, message: Outbound, now_ms: int) -> None:
        """Take a message from the server in."""
        if isinstance(message, Error) and self._takes(message, now_ms):
            return
        before = self.model.snapshot
        self.model = advance(self.model, message, now_ms)
        match message:
            case Hello():
                self._greet(message)
            case Welcome():
                self._settle(message)
            case Snapshot():
                if self.model.snapshot is not before:
                    self._look(message)
            case Ack(id):
                self._unacknowledged.pop(id, None)
            case Recorded(id=id):
                self._unacknowledged.pop(id or "", None)
            case Bye():
                self._part(message)
            case _:
                pass

    def act(self, message: Message, *, own: bool = False) -> bool:
        """Send an action, and keep it until it is acknowledged.

        False when too many are on their way, or when this step has its answer already:
        the second press of a key would only be refused as stale.
        """
        if len(self._unacknowledged) >= MOST_UNACKNOWLEDGED or self._answered(message):
            return False
        message = replace(message, id=self._next_id())
        if message.id is None:
            raise AssertionError("an action has an id")
        self._unacknowledged[message.id] = message
        if own:
            self._own.add(message.id)
        else:
            self.model = acted(self.model)
        if self._inside:
            self.outbox.append(message)  # type: ignore[arg-type]
        return True

    def _answered(self, message: Message) -> bool:
        if not isinstance(message, Reveal | Continue):
            return False
        answers = (on for on in self._unacknowledged.values() if isinstance(on, Reveal | Continue))
        return any(answer.step == message.step for answer in answers)

    def recall(self, *, own: bool = False) -> bool:
        """Ask for the record of the last game, for the model; one question at a time."""
        if self._recalls & self._unacknowledged.keys() or not self.act(Export(), own=own):
            return False
        self._recalls.add(f"{self._prefix}-{self._count}")
        return True

    def recalled(self, message: Recorded) -> bool:
        return message.id in self._recalls

    def look_back(self, message: Recorded) -> bool:
        """Put a record that was asked for into the model, if it is that of the game shown."""
        self._recalls.discard(message.id or "")
        try:
            record = load(bytes(message.record))
            dealt(record)
        except Unreadable as error:
            self.model = replace(self.model, kept=str(error))
            return False
        if not is_of(record, self.model.snapshot):
            self.model = replace(self.model, kept="The server sent the record of another game.")
            return False
        if self.model.record is None:
            self.model = remembered(self.model, summaries(record))
        self.model = replace(self.model, record=record)
        return True

    def proceed(self, now_ms: int) -> bool:
        """Continue now, or hold it until the table may go on. False when it is not ours to do."""
        shot = self.model.snapshot
        if shot is None or not self.model.must_continue:
            return False
        at = self.model.server_now(now_ms)
        early = (shot.not_before or 0) - (at or 0)
        if shot.not_before is None or early <= 0:
            self._hold(None)
            return self.act(Continue(step=shot.step))
        self._hold((shot.step, now_ms + early))
        return True

    def take_over(self) -> bool:
        """Say that one is back: any continue does, and a refusal of it means nothing else."""
        shot = self.model.snapshot
        if shot is None or not stood_in(shot):
            return False
        return self.act(Continue(step=shot.step), own=True)

    def tick(self, now_ms: int) -> None:
        """Send what was held, if its time has come."""
        if self.held is not None and now_ms >= self.held[1]:
            step, _ = self.held
            self._hold(None)
            self.act(Continue(step=step))

    def _greet(self, hello: Hello) -> None:
        self._inside = False
        if PROTOCOL not in hello.protocols:
            newer = min(hello.protocols, default=0) > PROTOCOL
            what = "update nana here" if newer else "the server must be updated"
            spoken = ", ".join(map(str, hello.protocols)) or "none"
            why = f"This server speaks protocol {spoken}, this client {PROTOCOL}: {what}."
            self._stop("unsupported_protocol", why)
            return
        self._entrance_id = self._next_id()
        if not hello.password_required:  # a password is for the server that asks for it
            self.way = replace(self.way, password=None)
        if self.room is not None or self._returning:
            again = resume(self.token, self.model.seq, self._entrance_id, self.way.password)
            self.outbox.append(again)
        else:
            self._enter()

    def _enter(self) -> None:
        commitment = nonce_hash(bytes.fromhex(self.nonces[-1].value))
        self._entrance_id = self._next_id() if self._entrance_id is None else self._entrance_id
        entrance = message_for(self.way, self.token, commitment, self._entrance_id)
        self.outbox.append(entrance)  # type: ignore[arg-type]

    def _settle(self, welcome: Welcome) -> None:
        """Take the place, and say again whatever was said and not acknowledged."""
        self.room, self._entrance_id, self._returning = welcome.room, None, False
        self._inside = True
        self.outbox.extend(self._unacknowledged.values())  # type: ignore[arg-type]

    def _takes(self, error: Error, now_ms: int) -> bool:
        """Deal with an error that is not a person's to see; everything else goes to the model."""
        if self._entrance_id is not None and error.id in {self._entrance_id, None}:
            self._refused(error)
            return True
        message = self._unacknowledged.pop(error.id or "", None)
        shot = self.model.snapshot
        if isinstance(message, Continue) and error.code == "too_early" and shot is not None:
            if shot.step == message.step:
                self._hold((message.step, now_ms + TRY_AGAIN_MS))
            return True
        if error.id in self._own:
            self._own.discard(error.id)
            return isinstance(message, Open | Export | Continue)
        return False

    def _refused(self, error: Error) -> None:
        """Hear that a way in is closed: for the moment, for a saved seat, or for good."""
        if error.code in _PASSING:
            self.orders = Orders("again", error.text, after=1.0)
        elif self.room is None and self._returning and not isinstance(self.way, Resuming):
            self._returning, self._entrance_id = False, None
            self.token = Secret(self._random_bytes(TOKEN_BYTES).hex())
            self.nonces, self.witness = (), Witness()
            self.new_nonce()
            self._enter()
        else:
            self.model = advance(self.model, error)
            self._stop(error.code, error.text)

    def _look(self, snapshot: Snapshot) -> None:
        self.witness = watch(self.witness, snapshot)
        if self.held is not None and self.held[0] != snapshot.step:
            self._hold(None)
        if self._to_set_up:
            self._set_up(snapshot)
        if snapshot.phase == "opening":
            self._open(snapshot)
        if snapshot.phase == "over" and self.model.proof == "unknown":
            nonces = [bytes.fromhex(nonce.value) for nonce in self.nonces]
            proof, text = verdict(self.witness, snapshot, nonces)
            self.model = replace(self.model, proof=proof, proof_text=text)
        if snapshot.phase == "over" and self.curious and self.model.sat:
            self._be_curious(snapshot)

    def _be_curious(self, snapshot: Snapshot) -> None:
        if self._looked_back != snapshot.game:
            self._looked_back = snapshot.game
            self.recall(own=True)

    def _open(self, snapshot: Snapshot) -> None:
        """Open the nonce that this seat is committed to; another one's hash is not ours.

        Nothing is opened to a server whose own commitment is no longer the one shown before:
        it would choose the deal, knowing ours (protocol.md § "The fair deal").
        """
        promise = dict(self.witness.commitments).get(snapshot.game)
        if promise != snapshot.deal.seed_hash:
            return
        waiting = any(isinstance(message, Open) for message in self._unacknowledged.values())
        seat, promised = snapshot.you.seat, snapshot.deal.nonce_hashes
        if seat is None or seat not in snapshot.deal.to_open or waiting:
            return
        at = LETTERS.find(seat)
        for nonce in reversed(self.nonces):
            if at < len(promised) and nonce_hash(bytes.fromhex(nonce.value)) == promised[at]:
                self.act(Open(nonce=nonce.value), own=True)
                return

    def _set_up(self, snapshot: Snapshot) -> None:
        """Seat the bots that the room was made for, and start."""
        self._to_set_up = False
        if not isinstance(self.way, Creating) or snapshot.phase != "lobby":
            return
        for _ in range(self.way.bots):
            self.act(AddBot(level=self.way.level), own=True)
        if self.way.start:
            self.act(Start(), own=True)

    def _part(self, bye: Bye) -> None:
        match bye.retry:
            case "never":
                self._stop(bye.code, bye.text)
            case "after_ms":
                after = max(0, bye.after_ms or 0) / 1000
                text = bye.text
                if after > MOST_AFTER:  # nobody sits before a dead screen for an hour
                    after = MOST_AFTER
                    text = f"{text} It asks for a long wait; we look again every minute."
                self.orders = Orders("again", text, after, bye.url)
            case _:
                self.orders = Orders("again", bye.text, url=bye.url)

    def _stop(self, code: str, why: str) -> None:
        self.code = code
        self.orders = Orders("never", why)

    def _hold(self, held: tuple[int, int] | None) -> None:
        self.held = held
        self.model = replace(self.model, held=held is not None)

    def _next_id(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count}"
