"""Binds listening sockets: all addresses of all hosts, IPv4 and IPv6, at one and the same port."""

import contextlib
import errno
import os
import socket
from collections.abc import Sequence

PORT_TRIES = 8  # a port that is free for one address may be taken for the next
ABSENT = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}


def bind(hosts: Sequence[str], port: int, send_buffer: int) -> list[socket.socket]:
    """Bind every address of the hosts to the same port; a free one is looked for if it is 0."""
    addresses = resolve(hosts)
    for left in reversed(range(PORT_TRIES if port == 0 else 1)):
        try:
            return bind_all(addresses, port, send_buffer)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or not left:
                raise
    raise AssertionError("the last try returns or raises")


def resolve(hosts: Sequence[str]) -> list[tuple[socket.AddressFamily, str]]:
    """Look the hosts up; an empty name means every address of this machine."""
    found = [
        (family, str(address[0]))
        for host in hosts
        for family, _, _, _, address in socket.getaddrinfo(
            host or None, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    ]
    return list(dict.fromkeys(found))


def bind_all(
    addresses: Sequence[tuple[socket.AddressFamily, str]], port: int, send_buffer: int
) -> list[socket.socket]:
    """Bind the addresses that this machine has, all or none, to one port."""
    with contextlib.ExitStack() as opened:
        bound: list[socket.socket] = []
        missing: OSError | None = None
        for family, address in addresses:
            try:
                listening = opened.enter_context(bind_one(family, address, port, send_buffer))
            except OSError as error:
                if error.errno not in ABSENT:
                    raise
                missing = error
            else:
                bound.append(listening)
                port = listening.getsockname()[1]
        if not bound:
            raise missing or OSError(errno.EADDRNOTAVAIL, "there is no address to listen on")
        opened.pop_all()
        return bound


def bind_one(
    family: socket.AddressFamily, address: str, port: int, send_buffer: int
) -> socket.socket:
    with contextlib.ExitStack() as opened:
        listening = opened.enter_context(socket.socket(family, socket.SOCK_STREAM))
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        listening.bind((address, port))
        opened.pop_all()
        return listening
