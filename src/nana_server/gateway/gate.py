"""What all sockets of a gateway share: who is here, the limits, the counters, the log.

It opens no socket and asks no clock: the listener carries both in.
"""

import logging
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address
from typing import Protocol

from nana_server.gateway.limits import Counters, Limits
from nana_server.gateway.peer import Handler
from nana_server.gateway.proxies import Proxies

SPARE = 2  # so many sockets for each WebSocket allowed: requests, and room to say no in

log = logging.getLogger(__name__)


class Guest(Protocol):
    """One socket, a WebSocket or not yet."""

    address: str

    def tick(self, now: float) -> None:
        """Look at whatever has its time; about once a second."""

    def close(self, code: int, reason: str) -> None:
        """End it, in as friendly a way as there is."""

    def abort(self) -> None:
        """End it at once."""


class Gate:
    __slots__ = (
        "_guests_of",
        "_lines",
        "_peers",
        "_peers_of",
        "clock",
        "counters",
        "guests",
        "handler",
        "limits",
        "on_empty",
        "origins",
        "prefix",
        "proxies",
        "shut",
    )

    def __init__(
        self,
        handler: Handler,
        limits: Limits,
        origins: frozenset[str],
        clock: Callable[[], float],
        *,
        proxies: Proxies | None = None,
        prefix: str = "",
    ) -> None:
        self.handler = handler
        self.limits = limits
        self.origins = origins
        self.clock = clock
        self.proxies = proxies or Proxies()
        self.prefix = prefix  # of paths, which a proxy may leave on or take off
        self.counters = Counters()
        self.guests: set[Guest] = set()
        self.shut = False
        self.on_empty: Callable[[], None] | None = None
        self._guests_of: Counter[str] = Counter()
        self._peers = 0
        self._peers_of: Counter[str] = Counter()
        self._lines = 0

    def enter(self, guest: Guest) -> bool:
        """Note a new socket; False when there are so many that not even a word can be spared."""
        self.guests.add(guest)
        count(self._guests_of, guest.address, 1)
        return (
            not self.shut
            and len(self.guests) <= self.limits.sockets * SPARE
            and (self.proxies.trusts(guest.address) or not self._are_too_many(guest.address))
        )

    def recognise(self, guest: Guest, address: str) -> bool:
        """Count a socket for whom its proxy speaks; False when that one has too many."""
        count(self._guests_of, guest.address, -1)
        guest.address = address
        count(self._guests_of, address, 1)
        return not self._are_too_many(address)

    def _are_too_many(self, address: str) -> bool:
        most = self.limits.sockets_per_address * SPARE
        return self._guests_of[household(address)] > most

    def upgrade(self, guest: Guest, peer: Guest) -> bool:
        """Note that a socket is a WebSocket now; False when it is one too many.

        Only WebSockets count for that: who is slow to shake hands takes nobody's place.
        """
        self.guests.remove(guest)
        self.guests.add(peer)
        self._peers += 1
        count(self._peers_of, peer.address, 1)
        return not self.shut and (
            self._peers_of[household(peer.address)] <= self.limits.sockets_per_address
            and self._peers <= self.limits.sockets
        )

    def leave(self, guest: Guest, *, upgraded: bool) -> None:
        self.guests.remove(guest)
        count(self._guests_of, guest.address, -1)
        if upgraded:
            self._peers -= 1
            count(self._peers_of, guest.address, -1)
        if not self.guests and self.on_empty is not None:
            self.on_empty()

    def tick(self, now: float) -> None:
        """Look after everybody; once in `limits.tick` seconds."""
        for guest in tuple(self.guests):
            guest.tick(now)
        if (more := self._lines - self.limits.log_lines) > 0:
            log.info("%d more like these", more)
        self._lines = 0

    def note(self, address: str, what: str) -> None:
        """Log one line about a stranger: our words only, and only so many of them."""
        self._lines += 1
        if self._lines <= self.limits.log_lines:
            log.info("%s: %s", address, what)


def count(of: Counter[str], address: str, more: int) -> None:
    key = household(address)
    of[key] += more
    if not of[key]:
        del of[key]


def household(address: str) -> str:
    """Return whom an address counts for: an IPv6 household has 2^64 of them."""
    return IPv6Address(address).packed[:8].hex() if ":" in address else address
