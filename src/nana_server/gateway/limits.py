"""How much a stranger may take, and what the gateway counted. Seconds and bytes throughout."""

from dataclasses import dataclass

from msgspec import Struct


class Limits(Struct, frozen=True, kw_only=True):
    sockets: int = 4096  # beyond: upgraded, then closed with 1013; twice as many in all: cut
    sockets_per_address: int = 256  # generous: a household, or a proxy, shares one
    head_size: int = 16_384  # the library would take 128 lines of 8 KiB
    max_size: int = 4096  # one message inward, all fragments together
    control_bytes: int = 8192  # a tick's worth of pings, pongs and fragments
    write_high_water: int = 16_384  # more is waiting than this: the peer is blocked
    write_buffer: int = 65_536  # more is waiting than this: the peer is cut
    send_buffer: int = 65_536  # the kernel's; else megabytes of stale snapshots hide there
    open_timeout: float = 5.0  # for the whole request
    close_timeout: float = 5.0
    flood_timeout: float = 0.9  # the same for who floods: with a tick, gone within 2 s
    stall_timeout: float = 5.0  # how long a peer may stay blocked
    ping_after: float = 15.0  # of silence
    pong_timeout: float = 10.0
    tick: float = 1.0  # everything timed is looked at this often
    log_lines: int = 5  # in one tick; the rest is counted


@dataclass(slots=True)
class Counters:
    """Plain numbers since the start. A dataclass: msgspec's structs are slower to write to."""

    opened: int = 0
    closed: int = 0
    requests: int = 0
    refused: int = 0
    protocol_errors: int = 0
    cut_slow: int = 0
    cut_flood: int = 0
    cut_silent: int = 0
    received: int = 0
    sent: int = 0  # by `send`: what is shown is not counted here
