"""Plain HTTP on the game's port: health, public rooms, the schema, and an invitation."""

import html
import re
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec

from nana_core import __version__
from nana_core.protocol.codec import schema
from nana_server.gateway import Request, Response
from nana_server.lobby import Listed

INVITATION: Final = re.compile(r"/r/([A-Za-z0-9]{1,16})/?")
HOST: Final = re.compile(r"[A-Za-z0-9.\-_:\[\]]{1,255}")
JSON: Final = "application/json"
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


class Pages:
    """Answers plain requests. What it tells is public: no name, no card, no token."""

    def __init__(self, rooms: Callable[[], Sequence[Listed]], public_url: str | None) -> None:
        self._rooms = rooms
        self._public_url = public_url
        self._schema = msgspec.json.format(msgspec.json.encode(schema()), indent=2)

    def answer(self, request: Request) -> Response | None:
        """Return the page, or None where there is none."""
        match request.path:
            case "/healthz":
                body = msgspec.json.encode({"status": "ok", "server": f"nana {__version__}"})
                return Response(200, body, JSON, NO_STORE)
            case "/rooms":
                return Response(200, msgspec.json.encode(self._rooms()), JSON, NO_STORE)
            case "/schema":
                return Response(200, self._schema, JSON)
            case "/":
                return self._page("Nana", self._welcome(request))
            case _:
                return self._invitation(request)

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
            f"{_INSTALL}<p>Open a room of your own:</p><pre>nana</pre>"
            f"<p>and choose <b>join</b>, with this server's address: <code>{url}/</code></p>"
            '<p><a href="rooms">Public rooms</a> · <a href="schema">Protocol schema</a></p>'
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
        return f"ws://{host or 'localhost'}"


_INSTALL: Final = (
    "<p>With Python 3.11 or later, in a copy of the project:</p><pre>pip install .</pre>"
)


def origin_of(public_url: str) -> str:
    """Return the web origin that belongs to a public WebSocket address."""
    parts = urlsplit(public_url)
    return f"{'https' if parts.scheme == 'wss' else 'http'}://{parts.netloc}"
