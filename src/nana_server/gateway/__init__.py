"""The connection layer: moves text frames between sockets and a handler, quickly and safely.

It alone imports `websockets` here, and it knows nothing of the game.
"""

from nana_server.gateway.connection import show_all
from nana_server.gateway.frames import frame
from nana_server.gateway.limits import Counters, Limits
from nana_server.gateway.listener import Listener
from nana_server.gateway.peer import Handler, Peer, Request, Response
from nana_server.gateway.proxies import Proxies

__all__ = [
    "Counters", "Handler", "Limits", "Listener", "Peer", "Proxies", "Request", "Response", "frame",
    "show_all",
]  # fmt: skip
