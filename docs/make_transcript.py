"""Write the transcript and the worked deal of protocol.md: `python docs/make_transcript.py`.

The transcript is what really goes over the sockets: two players at the server's own
desk and room, with seeded randomness, a clock that moves when told to, and no I/O.
"""

import hashlib
import json
import random
import textwrap
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from nana_core.deck import LETTERS, full_deck
from nana_core.fair import deal_key, fair_deal, nonce_hash, seed_hash, shuffled, words
from nana_server.config import Config
from nana_server.desk import Desk
from nana_server.journal import MemoryJournal
from nana_server.lobby import Lobby
from nana_server.pages import Pages
from nana_server.room.room import Room
from nana_server.room.state import RoomState
from nana_server.room.work import House

States: TypeAlias = dict[str, RoomState]
FILE: Final = Path(__file__).parents[1] / "protocol.md"
RANDOMNESS: Final = 119  # a deal that B wins on the fourth turn, by 1 and 8
WIDTH: Final = 96
BLINK: Final = 40  # ms between two messages
PACE: Final = 1200
TOKENS: Final = {"Ann": "00112233445566778899aabbccddeeff", "Bo": "a1" * 16}
NONCES: Final = {who: hashlib.sha256(f"{who}'s nonce".encode()).digest() for who in TOKENS}


class Socket:
    """A connection that notes what it is sent."""

    host = "nana.example"
    blocked = False

    def __init__(self, who: str, path: str, note: Callable[[str, dict[str, Any]], None]) -> None:
        self.who, self.path, self.address = who, path, "198.51.100.7"
        self.context: object | None = None
        self.closed: tuple[int, str] | None = None
        self._note = note

    def send(self, payload: bytes) -> None:
        self._note(self.who, json.loads(payload))

    def show(self, shared: bytes, own: bytes, ahead: bytes | None = None) -> bool:
        if ahead is not None:
            self.send(ahead)
        if not self.blocked:
            self.send(shared + own)
        return not self.blocked

    def send_frame(self, framed: bytes) -> None:
        for payload in _unframed(framed):
            self.send(payload)

    def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)

    def abort(self) -> None:
        raise AssertionError("nobody is slow here")


class Evening:
    """A server's desk and two players, and the text that tells of them."""

    def __init__(self) -> None:
        self.now = 86_400_000
        self.states: States = {}  # by phase, for whoever asks what was allowed
        self.got: list[tuple[str, dict[str, Any]]] = []  # everything that was sent, in order
        self._chance = random.Random(RANDOMNESS)
        self._soon: list[Callable[[], object]] = []
        self._sockets: dict[str, Socket] = {}
        self._told = 0
        self._lines: list[str] = []
        self._ann: dict[str, Any] = {}  # her newest snapshot
        self._bos: dict[str, Any] = {}  # how his last one differed from it
        house = House(
            journal=MemoryJournal(self._soon.append),
            clock=lambda: self.now,
            entropy=self._chance.randbytes,
            alarm=_nothing_is_late,
            ended=_nothing_is_late,
            url_of=lambda code: f"wss://nana.example/r/{code}",
        )
        self._lobby = Lobby(house, 1)
        pages = Pages(self._lobby.listed, None)
        self._desk = Desk(self._lobby, Config(), lambda: self.now, pages)

    @property
    def table(self) -> dict[str, Any]:
        return self._ann

    def says(self, text: str) -> None:
        self._lines.append(textwrap.fill(text, WIDTH + 4, break_on_hyphens=False) + "\n")

    def connects(self, who: str, path: str, *, tell: bool = True) -> None:
        socket = self._sockets[who] = Socket(who, path, lambda *got: self.got.append(got))
        self._desk.opened(socket)
        if tell:
            self._tell()
        self._told = len(self.got)

    def sends(self, who: str, **message: object) -> None:
        self.now += BLINK
        self._lines.append(f"**{who} sends**\n")
        self._lines.append(_block("in", message))
        self._desk.received(self._sockets[who], json.dumps(message).encode())
        while self._soon:
            self._soon.pop(0)()
        self.states |= {room.state.phase: room.state for room in self._lobby}
        self._tell()
        if closed := self._sockets[who].closed:
            self.says(
                f"The server closes {who}'s connection with {closed[0]}, reason `{closed[1]}`."
            )

    def plays(self, who: str, *sources: str) -> None:
        """Reveal, or continue with `.`, at the step on the table."""
        for source in sources:
            act = {"type": "continue"} if source == "." else {"type": "reveal", "source": source}
            self.sends(who, **act, step=self._ann["step"])

    def waits(self, ms: int) -> None:
        self.now += ms

    def text(self) -> str:
        return "\n".join(self._lines)

    def _tell(self) -> None:
        new, self._told = self.got[self._told :], len(self.got)
        for at in range(1, len(new)):  # each connection has an order of its own: Ann's comes first
            (who, message), (next_who, next_message) = new[at - 1 : at + 1]
            together = message.get("version", 0) == next_message.get("version")
            if (who, next_who) == ("Bo", "Ann") and together:
                new[at - 1 : at + 1] = new[at], new[at - 1]
        while new:
            who, message = new.pop(0)
            if message["type"] == "snapshot":
                self._tell_snapshot(who, message)
                continue
            if message["type"] == "record":
                self._lines.append(f"**{who} gets** the `record` that § 7.3 shows.\n")
                continue
            both = new[:1] == [("Bo", message)]
            if both:
                new.pop(0)
            self._lines.append("**both get**\n" if both else f"**{who} gets**\n")
            self._lines.append(_block("out", message))

    def _tell_snapshot(self, who: str, snapshot: dict[str, Any]) -> None:
        """Tell Ann's in full at a new phase, else what changed; Bo's beside hers."""
        if who == "Ann":
            before, self._ann = self._ann, snapshot
            if before.get("phase") == snapshot["phase"]:
                self._lines.append("**Ann gets** a snapshot, in which this is new:\n")
                self._lines.append(_block("changes", _changed(before, snapshot)))
            else:
                self._lines.append("**Ann gets**\n")
                self._lines.append(_block("out", snapshot))
            return
        other = _changed(self._ann, snapshot)
        if other != self._bos:
            self._bos = other
            self._lines.append("**Bo gets** his snapshot, which differs from Ann's in:\n")
            self._lines.append(_block("bo", other))


def _unframed(framed: bytes) -> Iterator[bytes]:
    """Take a server's text frames apart (RFC 6455 §5.2)."""
    at = 0
    while at < len(framed):
        size, at = framed[at + 1], at + 2
        if more := {126: 2, 127: 8}.get(size):
            size, at = int.from_bytes(framed[at : at + more]), at + more
        yield framed[at : at + size]
        at += size


def _nothing_is_late(_: Room) -> None:
    """Nobody is slow, and no timer runs out, in an evening this short."""


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _block(mark: str, message: dict[str, Any]) -> str:
    return f"```json {mark}\n{wrapped(message)}\n```\n"


def wrapped(message: dict[str, Any]) -> str:
    """Write JSON with as many fields in a line as fit."""
    lines, line = [], ""
    for text in _pieces(message):
        if line and len(line) + len(text) > WIDTH:
            lines.append(line.rstrip())
            line = " "
        line += text
    return "\n".join((*lines, line.rstrip()))


def _pieces(value: Any) -> Iterator[str]:
    """Cut JSON where a line may end: into values that are short enough, and their commas."""
    whole = json.dumps(value, ensure_ascii=False)
    if len(whole) <= WIDTH - 16 or not isinstance(value, dict | list):
        yield whole
        return
    if isinstance(value, dict):
        items = [(f"{json.dumps(name)}: ", item) for name, item in value.items()]
    else:
        items = [("", item) for item in value]
    for at, (name, item) in enumerate(items):
        first, *more = _pieces(item)
        *cut, last = [(whole[0] if at == 0 else "") + name + first, *more]
        yield from cut
        yield last + (whole[-1] if at == len(items) - 1 else ", ")


def evening() -> Evening:
    """Play the whole of it."""
    it = Evening()
    it.says("Ann connects to `ws://nana.example:8765/` and is greeted.")
    it.connects("Ann", "/")
    it.says("She makes a token and a nonce, keeps both, and opens a room with two seats.")
    it.sends(
        "Ann",
        type="create",
        id="1",
        protocol=1,
        token=TOKENS["Ann"],
        name="Ann",
        nonce_hash=nonce_hash(NONCES["Ann"]),
        options={"seats": 2},
    )
    it.says(
        "The table is empty and so is her hand, but the server has committed to its seed. "
        "She sends the link to Bo. His program connects to it, is greeted by the same `hello`, "
        "and joins; it needs no acknowledgements and leaves `id` out. From here on, what a "
        "snapshot does not change is left out, and Bo's are told beside Ann's."
    )
    it.connects("Bo", f"/r/{it.table['room']}", tell=False)
    it.sends(
        "Bo",
        type="join",
        protocol=1,
        token=TOKENS["Bo"],
        name="Bo",
        nonce_hash=nonce_hash(NONCES["Bo"]),
    )
    it.sends("Bo", type="chat", text="hello! shall we?")
    it.says("Only the host starts a game.")
    it.sends("Bo", type="start", id="hurry")
    it.sends("Ann", type="start", id="2")
    it.says(
        "Both have committed to a nonce, so the room waits for both: the list of commitments is "
        "frozen, and each opens its own. Nobody knows a card yet; there are none."
    )
    it.sends("Bo", type="open", nonce=NONCES["Bo"].hex())
    it.sends("Ann", type="open", id="3", nonce=NONCES["Ann"].hex())
    it.says("The second opening was the last: the cards are dealt, and A begins.")
    it.plays("Ann", "a<")
    it.says(
        "Her lowest card is a 1. It lies outside her hand now, so that the next lowest could be "
        "revealed: `a<` is still legal. She tries the fifth slot of the center."
    )
    it.plays("Ann", "c5")
    it.says(
        "A miss. Both cards stay where they lie, and the turn is B's, who is to `continue`: not "
        "before `not_before`, so that everyone has the time to look. Bo is hasty, twice: first "
        "he forgets to continue, then he does not wait."
    )
    step = it.table["step"]
    it.sends("Bo", type="reveal", id="b1", source="c8", step=step)
    it.sends("Bo", type="continue", id="b2", step=step)
    it.waits(PACE)
    it.says("A moment later the same message is in order, under the same `id`.")
    it.sends("Bo", type="continue", id="b2", step=step)
    it.says(
        "Both cards are back, and nothing in the snapshot tells any more what they were. An "
        "answer of Bo's to an older table is stale; the table as it stands follows for him alone."
    )
    it.sends("Bo", type="reveal", source="a<", step=step)
    it.plays("Bo", "c8", "a<", "b<")
    it.says(
        "Three 1s: Bo has a set. The cards lie there until Ann continues. She has seen a 10 in "
        "slot 5, has one at the high end of her own hand, and believes in Bo's."
    )
    it.waits(PACE)
    it.plays("Ann", ".", "c5", "a>", "b>")
    it.says("She was right. Slot 8 is gone by now, and slot 5 follows. Bo tries the eights.")
    it.waits(PACE)
    it.plays("Bo", ".", "c2", "a>", "a>")
    it.says(
        "8 - 1 = 7: Bo has won. All cards are open, and so is what they were dealt from: § 13.5 "
        "checks this very deal. `next_seed_hash` commits to the seed of a rematch, for which Bo "
        "is ready, with the hash of a new nonce; but Ann has to go. She takes the record of the "
        "game with her."
    )
    it.sends("Bo", type="rematch", nonce_hash=nonce_hash(NONCES["Bo"] * 2))
    it.sends("Ann", type="export", id="x-1")
    it.sends("Ann", type="leave", id="4")
    it.says("Bo is the host of the room now, and the only one in it.")
    return it


def vector(table: dict[str, Any]) -> dict[str, Any]:
    """Work the deal of a finished game out, with what lies on the way to it."""
    room, game, opened = table["room"], table["game"], table["opened"]
    seed = bytes.fromhex(opened["seed"])
    nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in opened["nonces"]]
    key = deal_key(room, game, seed, nonces)
    deal = fair_deal(room, game, seed, nonces, None)
    return {
        "room": room,
        "game": game,
        "seed": opened["seed"],
        "seed_hash": seed_hash(room, game, seed),
        "nonces": opened["nonces"],
        "nonce_hashes": [None if nonce is None else nonce_hash(nonce) for nonce in nonces],
        "rotated": opened["rotated"],
        "key": key.hex(),
        "words": list(islice(words(key), 8)),
        "deck": shuffled(full_deck(len(nonces)), words(key)),
        "hands": deal.hands,
        "center": deal.center,
        "first": LETTERS[deal.first],
    }


def rewritten(text: str) -> str:
    """Return protocol.md with its made parts made anew."""
    played = evening()
    made = {
        "transcript": played.text(),
        "vector": _block("vector", vector(played.table)),
        "record": _block("out", next(got for _, got in played.got if got["type"] == "record")),
    }
    for name, part in made.items():
        before, _, rest = text.partition(f"<!-- {name} -->\n")
        _, _, after = rest.partition(f"<!-- end of {name} -->\n")
        text = f"{before}<!-- {name} -->\n\n{part}\n<!-- end of {name} -->\n{after}"
    return text


if __name__ == "__main__":
    FILE.write_text(rewritten(FILE.read_text(encoding="utf-8")), encoding="utf-8")
