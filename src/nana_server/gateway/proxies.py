"""Whose address a request has, when proxies that we trust stand in between.

Anybody can send an X-Forwarded-For. Each proxy adds, at its end, the address that spoke to it;
so the header is read from its end, as far as those who wrote it are trusted.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network


class Proxies:
    def __init__(self, trusted: Sequence[Network] = ()) -> None:
        self._trusted = tuple(trusted)

    def trusts(self, address: str) -> bool:
        """Whether a peer of this address speaks for others."""
        if not self._trusted:
            return False
        found = _address(address)
        return found is not None and self._is_trusted(found)

    def origin(self, peer: str, forwarded: Sequence[str]) -> str:
        """Return the last address that is not a trusted proxy's; `forwarded` are header lines.

        The first one where all are trusted, and the last good one before what is no address.
        """
        if not self.trusts(peer):
            return peer
        last = peer
        for hop in reversed(",".join(forwarded).split(",")):
            address = _address(hop.strip())
            if address is None:
                break
            last = str(address)
            if not self._is_trusted(address):
                break
        return last

    def _is_trusted(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)


def _address(said: str) -> Address | None:
    """Read an address, with a port behind it or without, in brackets or not."""
    if said.startswith("["):
        said = said[1:].partition("]")[0]
    elif said.count(":") == 1:
        said = said.partition(":")[0]
    try:
        found = ip_address(said.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
