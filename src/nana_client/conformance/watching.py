"""What must hold of every message of a server, whatever is tried meanwhile.

A watch sits on one connection, reads each frame before anybody else does, and tells
`broken` of what does not hold. It trusts nothing: a message may be of any shape.
"""

from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from nana_client.plausible import flaw_in_table
from nana_core.protocol.codec import Malformed, decode_outbound
from nana_core.protocol.outbound import Bye, Outbound, Snapshot

_KINDS: Final = {kind.__struct_config__.tag: kind for kind in get_args(Outbound)}
_EMPTY: Final = {  # protocol.md § "The snapshot in each phase": what has no value, by phase
    "lobby": ("deadline", "not_before", "on_turn", "legal", "center", "attempt", "ledger", "result",
              "hands", "opened", "next_seed_hash", "missed"),
    "opening": ("not_before", "on_turn", "legal", "center", "attempt", "ledger", "result", "hands",
                "opened", "next_seed_hash", "missed"),
    "playing": ("result", "hands", "opened", "next_seed_hash"),
    "over": ("deadline", "not_before", "on_turn", "legal"),
}  # fmt: skip
_FULL: Final = {
    "lobby": ("seats", "options", "deal", "you"),
    "opening": ("deadline", "seats", "options", "deal", "you"),
    "playing": ("seats", "options", "deal", "you", "on_turn", "center", "attempt", "turn"),
    "over": ("seats", "options", "deal", "you", "center", "attempt", "turn", "result", "hands",
             "opened", "next_seed_hash"),
}  # fmt: skip


class Watch:
    def __init__(self, who: str, broken: Callable[[str, str], None]) -> None:
        self._who, self._broken = who, broken
        self._count = 0
        self._newest: Snapshot | None = None
        self._gone: str | None = None

    def see(self, frame: bytes) -> Outbound | None:
        """Look at a frame; return the message in it, or None where there is none to speak of."""
        self._count += 1
        try:
            raw = msgspec.json.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._say("json", f"a frame is not JSON: {frame[:60]!r}")
            return None
        if not isinstance(raw, dict) or not isinstance(raw.get("type"), str):
            self._say("json", f"a message is no object with a type: {frame[:60]!r}")
            return None
        try:
            message = decode_outbound(frame)
        except Malformed as error:
            self._say("fields", str(error))
            return None
        self._order(raw["type"])
        if message is not None:
            for path in missing(raw, _KINDS[raw["type"]]):
                self._say("fields", f"`{raw['type']}` has no field `{path}`")
        if isinstance(message, Bye):
            self._gone = message.code
        if isinstance(message, Snapshot):
            self._table(message)
        return message

    def _order(self, kind: str) -> None:
        if self._count == 1 and kind != "hello":
            self._say("hello", f"the first message is `{kind}`")
        if self._count > 1 and kind == "hello":
            self._say("hello", "`hello` came again")
        if self._gone is not None:
            self._say("bye-last", f"`{kind}` came after `bye` {self._gone}")

    def _table(self, snapshot: Snapshot) -> None:
        if why := flaw_in_table(snapshot):
            self._say("tables", f"a snapshot shows what cannot be: {why}")
        for text in _out_of_phase(snapshot):
            self._say("phases", text)
        for text in leaks(snapshot):
            self._say("secrecy", text)
        newest, self._newest = self._newest, snapshot
        if newest is None or newest.room != snapshot.room:
            return
        if (snapshot.epoch, snapshot.version) < (newest.epoch, newest.version):
            self._say("versions", f"version {snapshot.version} came after {newest.version}")
        if snapshot.epoch == newest.epoch and snapshot.step < newest.step:
            self._say("versions", f"step {snapshot.step} came after {newest.step}")

    def _say(self, check: str, text: str) -> None:
        self._broken(check, f"{self._who}: {text}")


def missing(raw: Any, kind: Any, path: str = "") -> Iterator[str]:
    """Name the fields that a message of this kind must have, and has not."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        if not isinstance(raw, dict):
            return
        hints = msgspec.structs.fields(kind)
        for field in hints:
            at = f"{path}{field.encode_name}"
            if field.encode_name not in raw:
                yield at
            else:
                yield from missing(raw[field.encode_name], field.type, f"{at}.")
    elif get_origin(kind) in {Union, UnionType}:
        for part in get_args(kind):
            yield from missing(raw, part, path)
    elif get_origin(kind) is tuple and isinstance(raw, list):
        for item in raw:
            yield from missing(item, get_args(kind)[0], path)


def _out_of_phase(snapshot: Snapshot) -> Iterator[str]:
    phase = snapshot.phase
    for name in _EMPTY.get(phase, ()):
        value = getattr(snapshot, name)
        if value not in (None, (), 0):
            yield f"in {phase}, `{name}` is {value!r} instead of empty"
    for name in _FULL.get(phase, ()):
        if getattr(snapshot, name) in (None, (), 0):
            yield f"in {phase}, `{name}` is {getattr(snapshot, name)!r}"
    shown = snapshot.attempt is not None and snapshot.attempt.outcome is not None
    if phase == "playing" and (snapshot.not_before is not None) != shown:
        yield "`not_before` is there when no attempt is shown, or is not when one is"


def leaks(snapshot: Snapshot) -> Iterator[str]:
    """Say what a running game's snapshot shows that its viewer may not know."""
    if snapshot.phase == "over":
        return
    for name in ("hands", "opened"):
        if getattr(snapshot, name) is not None:
            yield f"`{name}` is open before the game is over"
    cards = snapshot.attempt.cards if snapshot.attempt is not None else ()
    lies = {card.source for card in cards}
    for slot, state in enumerate(snapshot.center, 1):
        if isinstance(state, int) and f"c{slot}" not in lies:
            yield f"slot {slot} shows its number, and is not in the attempt"
    if snapshot.you.seat is None and snapshot.you.hand:
        yield "a watcher is shown a hand"
    if snapshot.options.memory != "open" and snapshot.ledger is not None:
        yield "`ledger` is there without open memory"
