"""Plain HTTP on the game's port: health, numbers, public rooms, the schema, an invitation."""

import html
import re
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from nana_core import __version__
from nana_core.protocol.codec import schema
from nana_server.gateway import Request, Response
from nana_server.lobby import Listed
from nana_server.values import Network

INVITATION: Final = re.compile(r"/r/([A-Za-z0-9]{1,16})/?")
HOST: Final = re.compile(r"[A-Za-z0-9.\-_:\[\]]{1,255}")
JSON: Final = "application/json"
METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"
NO_STORE: Final = (("Cache-Control", "no-store"),)
PAGE_HEADERS: Final = (
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
)
STYLE: Final = (
    "body{font:17px/1.6 system-ui,sans-serif;max-width:38rem;margin:12vh auto;padding:0 1.2rem;"
    "background:#12151c;color:#e8e6df}h1{font-weight:600}a{color:#f0c674}"
    "pre{background:#1d222d;padding:.8rem 1rem;border-radius:.4rem;overflow:auto}"
    "@media(prefers-color-scheme:light){body{background:#faf8f2;color:#20242c}"
    "pre{background:#efece2}a{color:#8a5a00}}"
)


# "read_only": there is no space, games stand still; "broken": the journal cannot be trusted.
Status: TypeAlias = Literal["ok", "read_only", "broken", "stopping"]


class Pages:
    """Answers plain requests. What it tells is public: no name, no card, no token."""

    def __init__(
        self,
        rooms: Callable[[], Sequence[Listed]],
        public_url: str | None,
        *,
        status: Callable[[], Status] = lambda: "ok",
        metrics: Callable[[], bytes] | None = None,
        metrics_allow: Sequence[Network] = (),
        scheme: str = "ws",
    ) -> None:
        self._rooms = rooms
        self._public_url = public_url
        self._scheme = scheme  # that the server itself speaks
        self._path = urlsplit(public_url).path if public_url else ""
        self._status = status
        self._metrics = metrics
        self._metrics_allow = tuple(metrics_allow)
        self._schema = msgspec.json.format(msgspec.json.encode(schema()), indent=2)

    def answer(self, request: Request) -> Response | None:
        """Return the page, or None where there is none."""
        match request.path:
            case "/healthz" | "/healthz/ready":
                status = self._status()
                return _health(200 if status == "ok" else 503, status)
            case "/healthz/live":
                return _health(200, "ok")
            case "/metrics":
                return self._numbers(request)
            case "/rooms":
                return Response(200, msgspec.json.encode(self._rooms()), JSON, NO_STORE)
            case "/schema":
                return Response(200, self._schema, JSON)
            case "/":
                return self._page("Nana", self._welcome(request))
            case _:
                return self._invitation(request)

    def _numbers(self, request: Request) -> Response | None:
        """Tell the metrics to whom they are for; to everybody else, there are none.

        A proxy on this machine looks like a neighbour; if it says that it speaks for somebody
        else, and is none that we trust, it gets nothing.
        """
        if self._metrics is None or request.unproven:
            return None
        try:
            address = ip_address(request.address)
        except ValueError:
            return None
        if not any(address in network for network in self._metrics_allow):
            return None
        return Response(200, self._metrics(), METRICS, NO_STORE)

    def _invitation(self, request: Request) -> Response | None:
        if invited := INVITATION.fullmatch(request.path):
            return self._page("You are invited to play Nana", self._invite(request, invited[1]))
        return None

    def _page(self, title: str, body: str) -> Response:
        page = (
            f'<!doctype html><html lang="en"><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1>{body}"
        )
        return Response(200, page.encode(), "text/html; charset=utf-8", PAGE_HEADERS)

    def _welcome(self, request: Request) -> str:
        url = html.escape(self._base(request))
        return (
            "<p>This is a server for the card game Nana. It is played in a terminal.</p>"
            f"{_INSTALL}<p>Open a room of your own, and send your friends its link:</p>"
            f"<pre>nana host {url}/</pre>"
            f'<p><a href="{self._path}/rooms">Public rooms</a> · '
            f'<a href="{self._path}/schema">Protocol schema</a></p>'
        )

    def _invite(self, request: Request, code: str) -> str:
        url = html.escape(f"{self._base(request)}/r/{code.upper()}")
        return (
            f"<p>A table is waiting: room <b>{html.escape(code.upper())}</b>. "
            "Nana is a game of memory for two to five friends, played in a terminal.</p>"
            f"{_INSTALL}<p>Then sit down, or just watch:</p>"
            f"<pre>nana join {url}\nnana watch {url}</pre>"
        )

    def _base(self, request: Request) -> str:
        """How this server is reached, by its own account or else by the request's."""
        if self._public_url:
            return self._public_url
        host = request.host if HOST.fullmatch(request.host) else ""
        return f"{self._scheme}://{host or 'localhost'}"


_INSTALL: Final = (
    "<p>With Python 3.11 or later, in a copy of the project:</p><pre>pip install .</pre>"
)


def _health(code: int, status: Status) -> Response:
    body = msgspec.json.encode({"status": status, "server": f"nana {__version__}"})
    return Response(code, body, JSON, NO_STORE)
