"""By which addresses others can reach this machine, found without asking anybody.

No packet leaves: a UDP socket that is only connected tells which of our addresses
the system would use, and the interfaces tell the rest.
"""

import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from nana_client.address import Target, target_of

if sys.platform != "win32":
    import fcntl

_FAR: Final = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254", "2001:db8::1")
# Bridges and tunnels of containers and virtual machines: nobody's friends live there.
_INNER: Final = ("lo", "docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "podman", "cni")
_GET_ADDRESS: Final = {"linux": 0x8915, "darwin": 0xC0206921}  # SIOCGIFADDR


def links(port: int, room: str | None, host: str | None = None) -> tuple[str, ...]:
    """Every link to a room here, the likeliest first; with `host`, how a server is bound, only its.

    Loopback alone when there is no network at all.
    """
    if host is not None and not _is_any(host):
        return (target_of(host, port, room).url,)
    targets: list[Target] = [target_of(address, port, room) for address in addresses()]
    name = socket.gethostname()
    if _is_name(name):
        targets.append(target_of(name, port, room))
    if not targets:
        targets.append(target_of("127.0.0.1", port, room))
    return tuple(target.url for target in targets)


def addresses() -> tuple[str, ...]:
    """Our addresses, the likeliest first: no loopback; link-local ones only if nothing else."""
    return chosen([*_used(), *_of_interfaces(), *_of_name()])


def chosen(found: Iterable[str]) -> tuple[str, ...]:
    """Put addresses in order, each once: private IPv4 before other IPv4 before IPv6."""
    every = {ipaddress.ip_address(text) for text in found}
    order = {text: at for at, text in enumerate(dict.fromkeys(found))}
    usable = [one for one in every if not (one.is_loopback or one.is_unspecified)]
    near = [one for one in usable if one.is_link_local and one.version == 4]
    far = [one for one in usable if not one.is_link_local]
    ranked = sorted(
        far or near, key=lambda one: (one.version, not one.is_private, order.get(str(one), 0))
    )
    return tuple(map(str, ranked))


def _used() -> Iterator[str]:
    """Yield the addresses that the system would send from."""
    for far in _FAR:
        family = socket.AF_INET6 if ":" in far else socket.AF_INET
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            yield probe.getsockname()[0]


def _of_interfaces() -> Iterator[str]:
    """Yield what the interfaces have, where this system tells (Linux, macOS for IPv4)."""
    request = _GET_ADDRESS.get(sys.platform)
    if sys.platform != "win32" and request is not None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            for _, name in socket.if_nameindex():
                if name.startswith(_INNER):
                    continue
                with contextlib.suppress(OSError):
                    asked = struct.pack("256s", name.encode()[:15])
                    yield socket.inet_ntoa(fcntl.ioctl(probe, request, asked)[20:24])
    with contextlib.suppress(OSError):
        for line in Path("/proc/net/if_inet6").read_text().splitlines():
            fields = line.split()
            if len(fields) == 6 and fields[3] == "00" and not fields[5].startswith(_INNER):
                yield str(ipaddress.IPv6Address(bytes.fromhex(fields[0])))


def _of_name() -> Iterator[str]:
    """Yield what our own name leads to; only where it is local knowledge, not a slow look-up."""
    if sys.platform != "win32":
        return
    with contextlib.suppress(OSError, UnicodeError):
        for *_, place in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            yield str(place[0]).partition("%")[0]


def _is_any(host: str) -> bool:
    return host in {"0.0.0.0", "::"}  # noqa: S104 - read, not bound


def _is_name(name: str) -> bool:
    return bool(name) and name.isascii() and not name.startswith("localhost") and "_" not in name
