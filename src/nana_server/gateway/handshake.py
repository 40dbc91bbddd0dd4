"""HTTP around the WebSockets: reads a request's head, writes responses. Bytes in, bytes out.

The library reads what is between; it would also answer by itself, but it knows neither HEAD nor
405, says nothing at all to garbage, and lets a head grow to a megabyte.
"""

import re
from email.utils import formatdate
from http import HTTPStatus

from websockets.exceptions import HeaderLineTooLong, RequestLineTooLong, TooManyHeaders
from websockets.http11 import Request as Head
from websockets.streams import StreamReader

from nana_server.gateway.peer import Request, Response

REQUEST_LINE = re.compile(rb"([A-Z]{1,20}) [^ \r\n]+ HTTP/1\.[01]\r\n")
ALLOW = ("Allow", "GET, HEAD")
FORWARDED = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")

NOT_FOUND = Response(404, b"There is nothing here.\n")
FOREIGN = Response(403, b"Pages of other sites cannot connect.\n")
BAD_REQUEST = Response(400, b"That is not a request this server understands.\n")
WRONG_METHOD = Response(405, b"Only GET and HEAD.\n", headers=(ALLOW,))
URI_TOO_LONG = Response(414, b"The address is too long.\n")
HEAD_TOO_LARGE = Response(431, b"The request has too many or too long headers.\n")


def read_head(received: bytes, limit: int) -> tuple[Head, bytes] | Response | None:
    """Return a request's head and what came after it, or a refusal, or None for more bytes."""
    before, complete, after = received.partition(b"\r\n\r\n")
    if len(before) > limit:
        return HEAD_TOO_LARGE
    line = REQUEST_LINE.match(received)
    if line is None and (b"\n" in received or not received[:1].isupper()):
        return BAD_REQUEST
    if line is not None and line[1] not in {b"GET", b"HEAD"}:
        return WRONG_METHOD
    if not complete:
        return None
    head = parse(before + complete)
    return head if isinstance(head, Response) else (head, after)


def parse(head: bytes) -> Head | Response:
    """Let the library read a complete head; it has its own limits and its own exceptions."""
    reader = StreamReader()
    reader.feed_data(head)
    reader.feed_eof()
    try:
        next(Head.parse(reader.read_line))
    except StopIteration as done:
        request: Head = done.value
        return request
    except RequestLineTooLong:
        return URI_TOO_LONG
    except (HeaderLineTooLong, TooManyHeaders):
        return HEAD_TOO_LARGE
    except (ValueError, EOFError, NotImplementedError):
        return BAD_REQUEST
    raise AssertionError("a complete head needs no more bytes")


def request_of(head: Head, address: str, prefix: str = "", *, unproven: bool = False) -> Request:
    """Gather what matters of a head; the path is without the prefix, which may be there or not."""
    path, _, query = head.path.partition("?")
    if prefix and f"{path}/".startswith(f"{prefix}/"):
        path = path[len(prefix) :] or "/"
    host, accept = (",".join(head.headers.get_all(name)) for name in ("Host", "Accept"))
    return Request(head.method, path, query, host, accept, address, unproven)


def is_forwarded(head: Head) -> bool:
    """Tell whether a proxy says that it speaks for somebody else."""
    return any(name in head.headers for name in FORWARDED)


def wants_upgrade(head: Head) -> bool:
    """Tell a WebSocket's request from a plain one: other upgrades are ignored, as HTTP allows."""
    upgrade = ",".join(head.headers.get_all("Upgrade")).lower()
    return head.method == "GET" and "websocket" in upgrade


def is_foreign(head: Head, origins: frozenset[str]) -> bool:
    """Tell whether a web page that is not on the list sent this; other clients send no Origin."""
    return any(origin not in origins for origin in head.headers.get_all("Origin"))


def serialize(response: Response, method: str = "GET") -> bytes:
    """Write a response out; a HEAD gets the very headers of a GET, length included, and no body."""
    phrase = HTTPStatus(response.status).phrase
    lines = [
        f"HTTP/1.1 {response.status} {phrase}",
        f"Date: {formatdate(usegmt=True)}",
        "Connection: close",
        f"Content-Length: {len(response.body)}",
        f"Content-Type: {response.content_type}",
        "X-Content-Type-Options: nosniff",
        *(f"{name}: {value}" for name, value in response.headers),
    ]
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    return head if method == "HEAD" else head + response.body
