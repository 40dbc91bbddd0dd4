"""The table of options: one name for each, for the file, the environment and the command line.

`room_idle` in TOML is NANA_ROOM_IDLE in the environment and --room-idle as a flag.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from nana_server import values
from nana_server.config import Config


class Option(Struct, frozen=True):
    name: str
    read: Callable[[str], object]
    metavar: str
    help: str
    needed: bool = False  # a list that may not be empty
    repeats: bool = False  # a list in TOML, commas in the environment, several flags
    choices: tuple[str, ...] = ()
    secret: bool = False  # not shown, and no flag: command lines are read by everybody
    field: str = ""  # of Config, where it is not called like the option

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "NANA_" + self.name.upper()

    @property
    def target(self) -> str:
        return self.field or self.name

    @property
    def is_switch(self) -> bool:
        return self.read is values.switch

    @property
    def default(self) -> object:
        return getattr(Config(), self.target, None)


def _choice(*choices: str) -> Callable[[str], str]:
    def read(said: str) -> str:
        if said not in choices:
            raise values.BadValue(f"that is {' or '.join(choices)}, not {said!r}")
        return said

    return read


def _one_of(name: str, choices: tuple[str, ...], about: str) -> Option:
    return Option(name, _choice(*choices), "|".join(choices), about, choices=choices)


_OF = Option
OPTIONS: Final = (
    _OF("host", values.text, "ADDRESS",
        "address to listen on", repeats=True, needed=True, field="hosts"),
    _OF("port", values.port, "PORT", "port, 0 for any that is free"),
    _OF("public_url", values.public_url, "URL",
        "how friends reach this server, e.g. wss://example.org/nana; for the links it gives"),
    _OF("trusted_proxy", values.network, "NETWORK",
        "address or network of a proxy whose X-Forwarded-For is believed", repeats=True),
    _OF("tls_cert", values.path, "FILE", "certificate with its chain, PEM: then it speaks wss://"),
    _OF("tls_key", values.path, "FILE", "the certificate's key, PEM, not encrypted"),
    _OF("allow_origin", values.origin, "ORIGIN",
        "web page that may connect, e.g. https://example.org", repeats=True),
    _OF("password", values.password, "WORD", "what everybody is asked for", secret=True),
    _OF("password_file", values.path, "FILE",
        "what everybody is asked for: the first line of this file"),
    _OF("fixed_deals", values.text, "WORD",
        "deal every room the same cards, decided by this word: to measure bots, not to play"),
    _OF("data", values.path, "FOLDER",
        "keep rooms here, so that they outlive the server; without it, in memory only"),
    _OF("room_idle", values.seconds, "TIME",
        "without --data: end a room that no player has been in for this time"),
    _OF("rooms_expire_days", values.count, "DAYS",
        "with --data: end a room that no player has been in for so many days"),
    _OF("records_kept_days", values.count, "DAYS",
        "with --data: keep records of finished games, and the names in them, so many days"),
    _OF("rooms", values.count, "N", "rooms in all"),
    _OF("create_burst", values.count, "N",
        "rooms that one address may open at once, then one every 5 s"),
    _OF("sockets", values.count, "N", "connections in all"),
    _OF("sockets_per_address", values.count, "N", "connections of one address"),
    _OF("message_bytes", values.message_size, "N", "length of a message to the server"),
    _OF("open_timeout", values.seconds, "TIME", "how long a request, or a TLS handshake, may take"),
    _OF("stall_timeout", values.seconds, "TIME", "how long a client may read nothing"),
    _OF("ping_after", values.seconds, "TIME", "silence until a client is asked whether it lives"),
    _OF("pong_timeout", values.seconds, "TIME", "how long it may take to answer that"),
    _OF("metrics_allow", values.network, "NETWORK",
        "who may read /metrics; none is nobody", repeats=True),
    _one_of("log_format", ("human", "json"), "how lines of the log look"),
    _one_of("log_level", ("debug", "info", "warning", "error"), "how much is logged"),
    _OF("restart_after", values.seconds, "TIME",
        "how long clients are told to wait when the server stops"),
    _OF("stop_timeout", values.seconds, "TIME", "how long a stop waits for clients' goodbyes"),
    _OF("until_stdin_ends", values.switch, "BOOL",
        "stop when standard input ends: for a parent that must not leave a server behind"),
)  # fmt: skip
BY_NAME: Final = {option.name: option for option in OPTIONS}
