"""What whoever runs a server can choose. Where the values come from is not known here."""

from ipaddress import ip_network
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from nana_server.values import Network

LOOPBACK: Final = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
DAY: Final = 24 * 3600


class Config(Struct, frozen=True, kw_only=True):
    """Times are seconds, where their name does not say days."""

    # How it is reached.
    hosts: tuple[str, ...] = ("127.0.0.1",)
    port: int = 8765
    public_url: str | None = None  # how friends reach this server, for the links it gives
    trusted_proxy: tuple[Network, ...] = ()  # whose X-Forwarded-For is believed
    tls_cert: Path | None = None
    tls_key: Path | None = None
    allow_origin: tuple[str, ...] = ()  # web pages that may connect
    password: str | None = None

    # How it deals.
    fixed_deals: str | None = None  # the word that decides every deal; None: they are fair

    # What it keeps.
    data: Path | None = None  # the folder of the journal; None keeps rooms in memory only
    room_idle: int = DAY  # until a room that nobody is in ends; of rooms in memory
    rooms_expire_days: int = 30  # the same, of rooms in a journal
    records_kept_days: int = 90  # of finished games, with the names in them

    # How much it gives.
    rooms: int = 10_000
    create_burst: int = 20  # rooms that one address may open at once
    sockets: int = 4096
    sockets_per_address: int = 256
    message_bytes: int = 4096
    open_timeout: int = 5
    stall_timeout: int = 5
    ping_after: int = 15
    pong_timeout: int = 10

    # How it is looked after.
    metrics_allow: tuple[Network, ...] = LOOPBACK  # who may read /metrics
    log_format: Literal["human", "json"] = "human"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    restart_after: int = 2  # how long clients are told to wait when it stops
    stop_timeout: int = 5  # how long it waits for their goodbyes
    until_stdin_ends: bool = False

    def __repr__(self) -> str:
        return f"Config(hosts={self.hosts}, port={self.port}, …)"

    @property
    def prefix(self) -> str:
        """The path of the public URL: "" or like "/nana"."""
        return urlsplit(self.public_url).path if self.public_url else ""
