"""Where a table is: what a person types or pastes, read strictly into a Target.

A link names a server and usually a room: `ws://host:8765/r/KQ7MX`. Browsers'
`http(s)` forms, forms without a scheme and rooms in lower case are understood;
everything else is refused with a sentence that shows what a good link looks like.
"""

import ipaddress
import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from nana_core.text import cleaned

DEFAULT_PORT: Final = 8765  # where `nana host` and `nana-server` listen
EXAMPLE: Final = "ws://192.168.1.5:8765/r/KQ7MX"

_SECURE: Final = {"ws": False, "http": False, "wss": True, "https": True}
_CODE: Final = re.compile(r"[A-Za-z0-9]{5}")
_NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.(?!-)[a-z0-9_-]{1,63})*\.?")
_BRACKETED: Final = re.compile(r"\[[^\]]*\](:[^:]*)?")
_PREFIX: Final = re.compile(r"[A-Za-z0-9._~-]+")
_LONGEST: Final = 300


class BadAddress(ValueError):  # noqa: N818 - what the text is
    """The text leads to no table; the message is a sentence for the person who typed it."""


class Target(Struct, frozen=True):
    """A server, and the room in it that a link names."""

    url: str  # canonical: ws(s)://host:port/prefix/r/CODE, or with / for a server alone
    host: str  # without brackets
    port: int
    room: str | None
    secure: bool

    @property
    def server(self) -> str:
        """The server's own URL; the same for every room of it."""
        return self.url if self.room is None else self.url.removesuffix(f"r/{self.room}")

    def at(self, room: str | None) -> "Target":
        """Return the target for a room of the same server, or for the server alone."""
        url = self.server if room is None else f"{self.server}r/{room}"
        return Target(url, self.host, self.port, room, self.secure)


def parse(text: str, *, server: Target | None = None) -> Target:
    """Read a link, or a server's address; with `server` known, a room's code alone will do.

    Without a scheme it is `ws` on port 8765; with one, the scheme's own port (80, 443).
    Raise BadAddress.
    """
    text = cleaned(text).strip("<>\"'").strip()  # what was pasted may hide characters
    if not text:
        raise BadAddress(f"There is no link. A link looks like {EXAMPLE}.")
    if len(text) > _LONGEST:
        raise BadAddress(f"That is too long for a link. A link looks like {EXAMPLE}.")
    if _CODE.fullmatch(text) and text.lower() != "local":
        if server is not None:
            return server.at(text.upper())
        raise BadAddress(
            f"{text} is a room's code alone; a link also says where the room is, like {EXAMPLE}."
        )
    return _parse_link(text)


def parse_room(text: str, *, server: Target | None = None) -> Target:
    """Read a link that must name a room. Raise BadAddress."""
    target = parse(text, server=server)
    if target.room is None:
        raise BadAddress(
            f"{cleaned(text)} names a server, but no room in it. A link looks like {EXAMPLE}."
        )
    return target


def target_of(host: str, port: int, room: str | None = None) -> Target:
    """Return the plain `ws` target for a host (a name or an IP address) and a port."""
    place = f"[{host}]" if ":" in host else host
    return Target(f"ws://{place}:{port}/", host, port, None, secure=False).at(room)


def _parse_link(text: str) -> Target:
    scheme, marked, rest = text.partition("://")
    if not marked:
        scheme, rest = "", text
    secure = _SECURE.get(scheme.lower()) if marked else False
    if secure is None:
        raise BadAddress(
            f"A link does not begin with {scheme}://, but with ws:// or wss://, like {EXAMPLE}."
        )
    parts = _split(f"//{rest}", text)
    host, port = _host(parts, text), _port(parts, text)
    if port is None:
        port = (443 if secure else 80) if marked else DEFAULT_PORT
    prefix, room = _path(parts.path, short=not marked)
    place = f"[{host}]" if ":" in host else host
    url = f"{'wss' if secure else 'ws'}://{place}:{port}/{prefix}"
    return Target(url, host, port, None, secure).at(room)


def _split(text: str, said: str) -> SplitResult:
    try:
        parts = urlsplit(text)
    except ValueError:
        raise BadAddress(
            f"{said} is not a link: an IPv6 address stands in brackets, like "
            "ws://[2001:db8::5]:8765/r/KQ7MX."
        ) from None
    if parts.query or parts.fragment or "?" in text or "#" in text or "@" in parts.netloc:
        raise BadAddress(f"A link has no ?, # or @ in it. It looks like {EXAMPLE}.")
    return parts


def _host(parts: SplitResult, said: str) -> str:
    host = parts.hostname or ""
    if parts.netloc.startswith("["):
        return _ipv6(host if _BRACKETED.fullmatch(parts.netloc) else "", said)
    if host.count(":") or parts.netloc.count(":") > 1:
        raise BadAddress(
            f"{said} is not a link: an IPv6 address stands in brackets, like "
            "ws://[2001:db8::5]:8765/r/KQ7MX."
        )
    try:
        name = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        name = ""
    if not _NAME.fullmatch(name) or len(name) > 253:
        raise BadAddress(f"{said} does not name a host. A link looks like {EXAMPLE}.")
    if name.replace(".", "").isdigit() and not _is_ipv4(name):
        raise BadAddress(f"{host} is not an IP address. A link looks like {EXAMPLE}.")
    return name


def _ipv6(host: str, said: str) -> str:
    try:
        return str(ipaddress.IPv6Address(host))
    except ValueError:
        raise BadAddress(
            f"{said} is not a link: what stands in brackets must be an IPv6 address, like "
            "ws://[2001:db8::5]:8765/r/KQ7MX."
        ) from None


def _is_ipv4(name: str) -> bool:
    try:
        ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


def _port(parts: SplitResult, said: str) -> int | None:
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0 or parts.netloc.endswith(":"):
        raise BadAddress(f"{said} has no good port: a number from 1 to 65535, like {EXAMPLE}.")
    return port


def _path(path: str, *, short: bool) -> tuple[str, str | None]:
    """Split a path into a prefix ("" or "a/b/") and the room; `short` lets host/CODE stand."""
    parts = [part for part in path.split("/") if part]
    room: str | None = None
    if len(parts) >= 2 and parts[-2] in {"r", "R"}:
        room = parts[-1]
        parts = parts[:-2]
    elif parts and parts[-1] in {"r", "R"}:
        raise BadAddress(f"The room's code is missing behind /r/. A link looks like {EXAMPLE}.")
    elif short and len(parts) == 1 and _CODE.fullmatch(parts[0]):
        room, parts = parts[0], []
    if room is not None and not _CODE.fullmatch(room):
        raise BadAddress(
            f"{room} is not a room's code: five letters and digits, like KQ7MX in {EXAMPLE}."
        )
    if not all(_PREFIX.fullmatch(part) for part in parts):
        raise BadAddress(f"There is something odd in the path. A link looks like {EXAMPLE}.")
    return "".join(f"{part}/" for part in parts), room and room.upper()
