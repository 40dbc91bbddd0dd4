"""The server's composition root: wires clock, randomness, journal, rooms and sockets."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

from nana_server.config import Config, parse

SWITCH_SECONDS: Final = 0.0005  # how long the loop and the journal's thread wait for each other

log = logging.getLogger("nana.server")


def main() -> None:
    config = parse(sys.argv[1:], os.environ)
    logging.basicConfig(
        level=config.log_level.upper(),
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    sys.exit(_runner()(serve(config)))


def _runner() -> Callable[[Coroutine[Any, Any, int]], int]:
    """Use uvloop where it exists: the same loop, faster."""
    try:
        import uvloop  # noqa: PLC0415 - not on every platform
    except ImportError:
        return asyncio.run
    return uvloop.run


async def serve(config: Config) -> int:
    """Serve until a signal, or the end of standard input; return the exit code."""
    # Imported here: `--help` need not wait for them.
    from nana_server.house import Server  # noqa: PLC0415
    from nana_server.sqlite.refusals import JournalRefused  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        server = Server(config, loop, clock=_clock, entropy=os.urandom)
    except JournalRefused as error:
        print(f"nana-server: {error}", file=sys.stderr)
        return 1
    server.failed = stop.set
    try:
        port = await server.start()
    except OSError as error:
        print(f"nana-server: {_cannot_listen(config, error)}", file=sys.stderr)
        return 1
    if config.until_stdin_ends:
        _stop_at_end_of_input(loop, stop)
    _spare_the_collector()
    _announce(config, port)
    await stop.wait()
    log.info("stopping")
    await server.stop()
    return 1 if server.is_broken else 0


def _spare_the_collector() -> None:
    """Leave modules out of garbage collection, and collect seldom: rooms make no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _clock() -> int:
    return time.monotonic_ns() // 1_000_000


def _cannot_listen(config: Config, error: OSError) -> str:
    where = ", ".join(config.hosts)
    reason = error.strerror or str(error)
    return f"cannot listen on {where} port {config.port}: {reason}. Try another --port or --host."


def _announce(config: Config, port: int) -> None:
    """Print where clients connect; the first line is for programs that wait for it."""
    for host in config.hosts:
        print(f"listening on ws://{f'[{host}]' if ':' in host else host}:{port}/", flush=True)
    log.info("listening on port %d", port)


def _stop_at_end_of_input(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """A parent that dies closes our standard input: then nobody needs us any more."""

    def read() -> None:
        with contextlib.suppress(BlockingIOError):
            if not os.read(0, 4096):
                loop.remove_reader(0)
                stop.set()

    try:
        os.set_blocking(0, False)
        loop.add_reader(0, read)
    except OSError:  # closed, a file or the null device: nothing will ever come
        stop.set()


if __name__ == "__main__":
    main()
