"""What whoever runs a server can choose. Flags here; the environment holds the password."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from nana_core import __version__


class Config(Struct, frozen=True, kw_only=True):
    hosts: tuple[str, ...] = ("127.0.0.1",)
    port: int = 8765
    public_url: str | None = None  # how friends reach this server, for the links it gives
    password: str | None = None
    data: Path | None = None  # the folder of the journal; None keeps rooms in memory only
    rooms: int = 10_000
    room_idle: int = 24 * 3600  # seconds until a room that nobody is in ends
    create_burst: int = 20  # rooms that one address may open at once
    message_bytes: int = 4096
    until_stdin_ends: bool = False
    log_level: str = "info"

    def __repr__(self) -> str:
        return f"Config(hosts={self.hosts}, port={self.port}, …)"


def parse(args: Sequence[str], environment: Mapping[str, str]) -> Config:
    """Read the command line; exits with a sentence (code 2) when it is wrong."""
    parser = _parser()
    given = parser.parse_args(args)
    if given.public_url and not given.public_url.startswith(("ws://", "wss://")):
        parser.error(f"--public-url begins with ws:// or wss://, unlike {given.public_url!r}")
    return Config(
        hosts=tuple(given.host or ("127.0.0.1",)),
        port=given.port,
        public_url=given.public_url.rstrip("/") if given.public_url else None,
        password=environment.get("NANA_PASSWORD") or None,
        data=given.data,
        room_idle=given.room_idle,
        create_burst=given.create_burst,
        until_stdin_ends=given.until_stdin_ends,
        log_level=given.log_level,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nana-server",
        description="Serves rooms of the card game Nana over WebSockets.",
        epilog="NANA_PASSWORD in the environment makes the server ask everyone for that password.",
    )
    parser.add_argument("--version", action="version", version=f"nana-server {__version__}")
    parser.add_argument(
        "--host",
        action="append",
        metavar="ADDRESS",
        help="address to listen on; may be given more than once (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--port", type=_port, default=8765, help="port, 0 for any that is free (default: 8765)"
    )
    parser.add_argument(
        "--public-url", metavar="URL", help="how friends reach this server, e.g. wss://example.org"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="keep rooms here, so that they outlive the server (default: in memory only)",
    )
    parser.add_argument(
        "--room-idle",
        type=_count,
        default=24 * 3600,
        metavar="SECONDS",
        help="end a room that nobody is in after this time (default: a day)",
    )
    parser.add_argument(
        "--create-burst",
        type=_count,
        default=20,
        metavar="N",
        help="rooms that one address may open at once, then one every 5 s (default: 20)",
    )
    parser.add_argument(
        "--until-stdin-ends",
        action="store_true",
        help="stop when standard input ends: for a parent that must not leave a server behind",
    )
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), default="info"
    )
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"that is a whole number from 1 on, not {text!r}")
    return int(text)
