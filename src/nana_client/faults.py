"""Why a server could not be reached, as a sentence that tells a person what to look at.

Owns the system's own errors (names, routes, TLS); what the WebSocket library
raises is `link`'s.
"""

import errno
import socket
import ssl
from typing import Final

from nana_client.address import Target

_REFUSED: Final = f"[Errno {errno.ECONNREFUSED}]"
_NO_ROUTE: Final = frozenset({errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN})


def place(target: Target) -> str:
    """Name where a target is: host and port, IPv6 in brackets."""
    return (
        f"[{target.host}]:{target.port}" if ":" in target.host else f"{target.host}:{target.port}"
    )


def sentence(error: OSError | UnicodeError, target: Target) -> str:
    """Say why no connection came about."""
    match error:
        case UnicodeError() | socket.gaierror():
            return f"No host called {target.host} was found; is it spelled right, are you online?"
        case TimeoutError():
            return f"{place(target)} did not answer in time; is a firewall between you and it?"
        case ssl.SSLCertVerificationError():
            return f"The certificate of {target.host} cannot be trusted: {error.verify_message}."
        case ssl.SSLError():
            return f"{place(target)} does not speak TLS; try ws:// instead of wss://."
        case ConnectionRefusedError():
            return refused(target)
        case ConnectionResetError() | BrokenPipeError() | ConnectionAbortedError():
            what = "does it speak TLS? Try ws://" if target.secure else "try again in a moment"
            return f"{place(target)} hung up while we were connecting; {what}."
        case _:
            return _by_number(error, target)


def refused(target: Target) -> str:
    return f"Nothing answers at {place(target)}; is the server running?"


def not_nana(target: Target) -> str:
    return f"Something answers at {place(target)}, but it is not a nana server."


def _by_number(error: OSError, target: Target) -> str:
    if _REFUSED in str(error):  # several addresses failed: asyncio joins them into one text
        return refused(target)
    if error.errno in _NO_ROUTE or any(f"[Errno {number}]" in str(error) for number in _NO_ROUTE):
        return f"There is no way from here to {target.host}; are you online?"
    why = error.strerror or str(error) or type(error).__name__
    return f"Connecting to {place(target)} failed: {why}."
