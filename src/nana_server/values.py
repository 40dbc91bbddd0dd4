"""Reads one value of an option from text, strictly; what is wrong is said in a sentence."""

import ipaddress
import re
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
LARGEST: Final = 999_999_999
OWN_PATHS: Final = frozenset({"r", "rooms", "schema", "healthz", "metrics"})
_SEGMENT: Final = re.compile(r"[A-Za-z0-9._~-]+")
_HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\]")


class BadValue(ValueError):  # noqa: N818 - what the text is
    """The text is no value for its option; the message says what one looks like."""


def text(said: str) -> str:
    if not said:
        raise BadValue("it is empty")
    return said


def path(said: str) -> Path:
    return Path(text(said)).expanduser()


def password(said: str) -> str:
    """Read what clients can send, too: protocol.md §6.1 takes at most 128 characters."""
    if not 1 <= len(said) <= 128 or not said.isprintable():
        raise BadValue("a password has 1 to 128 characters, none of them a control character")
    return said


def port(said: str) -> int:
    if not _is_number(said) or int(said) > 65_535:
        raise BadValue(f"a port is a number from 0 to 65535, not {said!r}")
    return int(said)


def count(said: str) -> int:
    if not _is_number(said) or int(said) < 1:
        raise BadValue(f"that is a whole number from 1 on, not {said!r}")
    return int(said)


def message_size(said: str) -> int:
    """Read a limit in bytes: below it the longest honest message would not fit."""
    if not _is_number(said) or not 1024 <= int(said) <= 65_536:
        raise BadValue(f"a message may have 1024 to 65536 bytes, not {said!r}")
    return int(said)


def seconds(said: str) -> int:
    """Read a time: seconds, or with a unit as in 90s, 15m, 24h, 30d."""
    number, unit = (said[:-1], said[-1:]) if said[-1:].isalpha() else (said, "")
    if not _is_number(number) or unit not in UNITS or int(number) < 1:
        raise BadValue(f"a time is a number of seconds, or like 90s, 15m, 24h or 30d, not {said!r}")
    if int(number) * UNITS[unit] > LARGEST:
        raise BadValue(f"{said} is longer than anybody will wait")
    return int(number) * UNITS[unit]


def switch(said: str) -> bool:
    if said not in {"true", "false"}:
        raise BadValue(f"that is true or false, not {said!r}")
    return said == "true"


def network(said: str) -> Network:
    """Read an address, or a whole network as in 10.0.0.0/8."""
    try:
        return ipaddress.ip_network(said)
    except ValueError:
        pass
    try:
        wider = ipaddress.ip_network(said, strict=False)
    except ValueError:
        example = "127.0.0.1, 10.0.0.0/8 or fd00::/8"
        raise BadValue(f"that is an address or a network like {example}, not {said!r}") from None
    raise BadValue(f"{said} names one address inside a network; did you mean {wider}?")


def public_url(said: str) -> str:
    """Read how friends reach the server; what comes back has no slash at its end."""
    if not said.startswith(("ws://", "wss://")):
        raise BadValue(f"it begins with ws:// or wss://, unlike {said!r}")
    host, path = _parts(said)
    segments = [part for part in path.split("/") if part]
    if not all(map(_SEGMENT.fullmatch, segments)):
        raise BadValue(f"a path has letters, digits and . _ ~ - between its slashes, unlike {path}")
    if segments and segments[0] in OWN_PATHS:
        raise BadValue(f"a path cannot begin with /{segments[0]}, where this server has something")
    return "/".join([f"{said.partition(':')[0]}://{host}", *segments])


def origin(said: str) -> str:
    """Read a web page's origin, as a browser sends it."""
    if not said.startswith(("http://", "https://")):
        raise BadValue(f"an origin looks like https://example.org, unlike {said!r}")
    host, path = _parts(said)
    if path.strip("/"):
        raise BadValue(f"an origin has no path: leave {path} away")
    return f"{said.partition(':')[0]}://{host.lower()}"


def _parts(said: str) -> tuple[str, str]:
    """Split an address into host (with its port) and path."""
    try:
        parts = urlsplit(said)
        number = parts.port
    except ValueError:
        raise BadValue(f"{said} has no good host and port") from None
    host = parts.netloc if number is None else parts.netloc.rpartition(":")[0]
    if not _HOST.fullmatch(host) or parts.netloc.endswith(":") or number == 0:
        raise BadValue(f"{said} has no good host and port")
    if parts.query or parts.fragment or "?" in said or "#" in said:
        raise BadValue(f"{said} has a ? or # in it")
    return parts.netloc, parts.path


def _is_number(said: str) -> bool:
    return said.isascii() and said.isdigit() and len(said) <= 9
