"""The states of a link, and how long it pauses before it tries again. Pure."""

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct


class Connecting(Struct, frozen=True):
    pass


class Open(Struct, frozen=True):
    latency_ms: int | None = None  # one ping's way there and back


class Waiting(Struct, frozen=True):
    retry_in: float  # seconds
    why: str


class Closed(Struct, frozen=True):
    """The end of a link: nobody will try again."""

    why: str


State: TypeAlias = Connecting | Open | Waiting | Closed


class Timing(Struct, frozen=True, kw_only=True):
    """Seconds. A peer that went silent is noticed within `ping_every + ping_timeout`."""

    open: float = 10.0  # for the handshake, and again for the first frame
    ping_every: float = 10.0
    ping_timeout: float = 10.0
    base: float = 0.5  # the first pause is between 0 and this
    cap: float = 8.0  # no pause is longer
    steady: float = 10.0  # a connection that lived so long starts the pauses afresh
    patience: float = 900.0  # after pauses of so much together, give up


class Orders(Struct, frozen=True):
    """What to do when the connection that runs now has ended."""

    retry: Literal["never", "again"]
    why: str
    after: float = 0.0
    url: str | None = None


def backoff(tries: int, timing: Timing, draw: Callable[[], float]) -> float:
    """Return the pause before the next try; `tries` failed ones came before.

    The jitter is full and comes after the cap, so that clients that all sit at the
    cap are still spread over it.
    """
    return draw() * min(timing.cap, timing.base * float(1 << min(tries, 30)))
