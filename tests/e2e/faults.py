"""Servers with one fault each: what a proxy changes, and the check that must name it."""

from collections.abc import Callable
from copy import deepcopy
from typing import Final, NamedTuple

from e2e.proxy import Alter, Message
from nana_client.conformance import away, clock, entrances, games, rooms, tables
from nana_client.conformance.server import Scene


class Fault(NamedTuple):
    what: str
    named: str  # the check that must fail
    scene: Scene
    out: Alter | None = None
    inward: Alter | None = None


def of(kind: str, change: Callable[[Message], None], *phases: str) -> Alter:
    """Change messages of a kind; snapshots in these phases only, if any are given."""

    def alter(message: Message) -> list[Message]:
        if message["type"] == kind and (not phases or message["phase"] in phases):
            change(message)
        return [message]

    return alter


def without(kind: str, field: str) -> Alter:
    return of(kind, lambda message: message.pop(field))


def put(kind: str, *phases: str, **fields: object) -> Alter:
    return of(kind, lambda message: message.update(fields), *phases)


def code(told: str, instead: str) -> Alter:
    def change(message: Message) -> None:
        if message["code"] == told:
            message["code"] = instead

    return of("error", change)


class LateAcks:
    """An ack comes behind the next snapshot."""

    def __init__(self) -> None:
        self.held: list[Message] = []

    def fresh(self) -> "LateAcks":
        return LateAcks()

    def __call__(self, message: Message) -> list[Message]:
        if message["type"] == "ack":
            self.held.append(message)
            return []
        if message["type"] == "snapshot":
            held, self.held = self.held, []
            return [message, *held]
        return [message]


class OldCards:
    """What lay open in the center goes on lying open."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}

    def fresh(self) -> "OldCards":
        return OldCards()

    def __call__(self, message: Message) -> list[Message]:
        if message["type"] == "snapshot" and message["phase"] == "playing":
            for at, slot in enumerate(message["center"]):
                if isinstance(slot, int):
                    self.seen[at] = slot
                elif slot == "down" and at in self.seen:
                    message["center"][at] = self.seen[at]
        return [message]


class Swapped:
    """The third snapshot of a connection comes before the second."""

    def __init__(self) -> None:
        self.count, self.held = 0, list[Message]()

    def fresh(self) -> "Swapped":
        return Swapped()

    def __call__(self, message: Message) -> list[Message]:
        if message["type"] != "snapshot":
            return [message]
        self.count += 1
        if self.count == 2:
            self.held = [message]
            return []
        held, self.held = self.held, []
        return [message, *held]


class Retries:
    """Each message is taken for a new one, whatever its id."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self) -> "Retries":
        return Retries()

    def __call__(self, message: Message) -> list[Message]:
        self.count += 1
        if message.get("id"):
            message["id"] += f"#{self.count}"
        return [message]


class Impatient:
    """The time of a turn runs on in a pause."""

    def __init__(self) -> None:
        self.paused = False

    def fresh(self) -> "Impatient":
        return Impatient()

    def __call__(self, message: Message) -> list[Message]:
        if message["type"] == "snapshot":
            self.paused |= message["paused"]
            if self.paused and message["deadline"]:
                message["deadline"] -= 1000
        return [message]


class Sticky:
    """Who was played for once is played for until the end."""

    def __init__(self) -> None:
        self.seats: set[str] = set()

    def fresh(self) -> "Sticky":
        return self  # also for who comes back on another connection

    def __call__(self, message: Message) -> list[Message]:
        if message["type"] == "snapshot" and message["phase"] == "playing":
            for seat in message["seats"]:
                if seat["stand_in"]:
                    self.seats.add(seat["seat"])
                seat["stand_in"] = seat["seat"] in self.seats
        return [message]


def same_ids(message: Message) -> list[Message]:
    if message.get("id"):
        message["id"] = message["id"].partition("#")[0]
    return [message]


def no_stranger_fields(message: Message) -> list[Message]:
    """A server that overlooks fields that it does not know."""
    if message.get("type") == "chat":
        message = {name: message[name] for name in ("type", "id", "text") if name in message}
    return [message]


def _twice(message: Message) -> list[Message]:
    return [message, deepcopy(message)] if message["type"] == "hello" else [message]


def _chatter(message: Message) -> list[Message]:
    more = {"type": "notice", "code": "left", "seat": None, "name": None, "text": "He left."}
    return [message, more] if message["type"] == "bye" else [message]


def _snapshot_first(message: Message) -> list[Message]:
    if message["type"] == "welcome":
        notice = {"type": "notice", "code": "sat", "seat": None, "name": None, "text": "Hi."}
        return [notice, message]
    return [message]


def _shorter(message: Message) -> None:
    if len(message["legal"]) > 1:
        message["legal"].pop()


def _another_winner(message: Message) -> None:
    if message["result"]["seat"]:
        message["result"]["seat"] = "B" if message["result"]["seat"] == "A" else "A"


def _backwards(message: Message) -> None:
    message["you"]["hand"].reverse()


def _first_cut(message: Message) -> None:
    actions = message["record"]["actions"].split()
    message["record"]["actions"] = " ".join(actions[:-1])


def _another_seed(message: Message) -> None:
    message["opened"]["seed"] = message["opened"]["seed"][::-1]


def _for_watchers(message: Message) -> None:
    if message["you"]["seat"] is None:
        message["you"]["hand"] = [1, 2, 3]


def _to_others(message: Message) -> None:
    """Somebody else's table: a seat more is online there than here."""
    if message["you"]["seat"] is None:
        message["watching"] = [*message["watching"], "Nobody"]


def _again(message: Message) -> None:
    attempt = message["attempt"]
    if attempt["cards"]:
        message["missed"] = [{**attempt, "turn": 1, "outcome": "miss"}]


def _deaf(message: Message) -> list[Message]:
    return [] if message["type"] == "chat" and message["seat"] == "A" else [message]


def _never(message: Message) -> None:
    if message["code"] == "replaced":
        message["retry"] = "now"


def _no_id(message: Message) -> None:
    message["id"] = None


def _always_a(message: Message) -> None:
    message["attempt"]["seat"] = "A"


def _forgetful(message: Message) -> None:
    if message["ledger"]:
        message["ledger"]["center"] = [None] * len(message["center"])


def _ever_new(message: Message) -> None:
    if message["deadline"]:
        message["deadline"] = message["now"] + 30_000


def _longer(message: Message) -> None:
    if message["deadline"] and message["not_before"]:
        message["deadline"] += 5_000


def _renamed(message: Message) -> None:
    message["seats"][1]["name"] = "Zed"


def _nobody_stands_in(message: Message) -> None:
    for seat in message["seats"]:
        seat["stand_in"] = False


def _all_stand_in(message: Message) -> None:
    for seat in message["seats"]:
        seat["stand_in"] = True


EVENING: Final = games.evening
FAULTS: Final = (
    Fault("late acks", "ack-first", rooms.house_rules, LateAcks()),
    Fault("a field is missing", "fields", rooms.doors, without("snapshot", "paused")),
    Fault("a field of a part is missing", "fields", rooms.doors,
          of("snapshot", lambda message: message["seats"][0].pop("won"))),
    Fault("a field of another type", "fields", rooms.doors, put("snapshot", version="7")),
    Fault("greeted twice", "hello", entrances.second_tries, _twice),
    Fault("words after bye", "bye-last", rooms.doors, _chatter),
    Fault("something before welcome", "welcome-order", rooms.doors, _snapshot_first),
    Fault("snapshots out of order", "versions", rooms.house_rules, Swapped()),
    Fault("unknown fields are accepted", "malformed", entrances.refusals, None, no_stranger_fields),
    Fault("ids are not repeated", "malformed-id", entrances.refusals, of("error", _no_id)),
    Fault("another code", "room-full", rooms.doors, code("room_full", "server_full")),
    Fault("two clients fight", "replaced", rooms.doors, of("bye", _never)),
    Fault("the host cannot hear himself", "chat", rooms.talk, _deaf),
    Fault("a retry is done twice", "retry", rooms.talk, same_ids, Retries()),
    Fault("hands are open", "secrecy", EVENING, put("snapshot", "playing", hands=[[1], [2]])),
    Fault("old cards lie open", "secrecy", EVENING, OldCards()),
    Fault("a watcher has a hand", "secrecy", EVENING, of("snapshot", _for_watchers, "playing")),
    Fault("a source is not legal", "legal", EVENING, of("snapshot", _shorter, "playing")),
    Fault("a hand is not sorted", "deal", EVENING, of("snapshot", _backwards, "playing")),
    Fault("stale is told otherwise", "stale", EVENING, code("stale", "not_your_turn")),
    Fault("no pace", "phases", EVENING, put("snapshot", "playing", not_before=None)),
    Fault("another winner", "rules", EVENING, of("snapshot", _another_winner, "over")),
    Fault("another seed", "fair-deal", EVENING, of("snapshot", _another_seed, "over")),
    Fault("a record without its end", "record", EVENING, of("record", _first_cut)),
    Fault("watchers see another table", "viewers", EVENING, of("snapshot", _to_others, "playing")),
    Fault("turns go to one seat", "three-to-five", tables.growing,
          of("snapshot", _always_a, "playing")),
    Fault("the ledger forgets the center", "ledger", tables.growing,
          of("snapshot", _forgetful, "playing")),
    Fault("no ledger", "ledger", tables.growing, put("snapshot", "playing", ledger=None)),
    Fault("another sits there", "gaps-close", tables.growing,
          of("snapshot", _renamed, "playing")),
    Fault("a deadline where there is none", "no-deadline", tables.growing,
          put("snapshot", "playing", deadline=10**12)),
    Fault("no deadline", "deadline", clock.deadlines, put("snapshot", "playing", deadline=None)),
    Fault("a deadline for each card", "deadline", clock.deadlines,
          of("snapshot", _ever_new, "playing")),
    Fault("more time than was said", "deadline", clock.deadlines,
          of("snapshot", _longer, "playing")),
    Fault("a pause takes time", "deadline-pause", clock.deadlines, Impatient()),
    Fault("nobody plays for who has left", "left", clock.deadlines,
          of("snapshot", _nobody_stands_in, "playing")),
    Fault("what was missed is repeated", "no-past", away.coming_back,
          of("snapshot", _again, "playing")),
)  # fmt: skip
SLOW_FAULTS: Final[
    dict[tuple[str, ...], Alter]
] = {  # by the checks that must fail; each takes half a minute
    ("stand-in-away", "stand-in"): of("snapshot", _nobody_stands_in, "playing"),
    ("stand-in-away",): of("snapshot", _all_stand_in, "playing"),
    ("back-by-acting", "back-by-entrance"): Sticky(),
}
