"""The server's composition root: wires clock, randomness, journal, rooms and sockets."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from nana_server import checks, logs
from nana_server.config import Config
from nana_server.descriptors import raise_limit
from nana_server.settings import Settings, parse, shown
from nana_server.tls import BadCertificate, Certificate

if TYPE_CHECKING:
    from nana_server.house import Server

BROKEN: Final = -1  # for `run`: the disk failed, and the process ends with exit code 1
_HANGUP: Final = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows has none
SWITCH_SECONDS: Final = 0.0005  # how long the loop and the journal's thread wait for each other

log = logging.getLogger("nana.server")


def run(args: Sequence[str]) -> int:
    """Do what the command line asks for; return the exit code."""
    if args[:1] == ["admin"]:
        from nana_server.admin import command  # noqa: PLC0415 - a server need not have it

        return command.main(args[1:], os.environ)
    settings = parse(args, os.environ)
    if settings.check:
        return _check(settings)
    config = settings.config
    logs.configure(config.log_level, config.log_format)
    code = _runner()(serve(config))
    if code == BROKEN:
        # An ordinary end would close SQLite's file, which would write and sync once more.
        logging.shutdown()
        os._exit(1)
    return code


def _check(settings: Settings) -> int:
    """Print the configuration as it would be; return 2 if it cannot be used."""
    for line in shown(settings):
        print(line)
    for warning in checks.warnings(settings):
        print(f"nana-server: warning: {warning}.", file=sys.stderr)
    flaws = list(checks.errors(settings.config))
    for flaw in flaws:
        print(f"nana-server: error: {flaw}", file=sys.stderr)
    return 2 if flaws else 0


def _runner() -> Callable[[Coroutine[Any, Any, int]], int]:
    """Use uvloop where it exists: the same loop, faster."""
    try:
        import uvloop  # noqa: PLC0415 - not on every platform
    except ImportError:
        return asyncio.run
    return uvloop.run


async def serve(config: Config) -> int:
    """Serve until a signal, or the end of standard input; return the exit code."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        certificate = _certificate(config)
        server = _server(config, loop, certificate)
    except _refusals() as error:
        return _cannot(str(error))
    server.failed = stop.set
    _listen_to_signals(loop, stop, certificate)
    try:
        port = await server.start()
    except OSError as error:
        return _cannot(_cannot_listen(config, error))
    if config.until_stdin_ends:
        _stop_at_end_of_input(loop, stop)
    _spare_the_collector()
    _announce(config, port)
    await stop.wait()
    log.info("stopping")
    await server.stop()
    log.info("stopped")
    return BROKEN if server.is_broken else 0


def _certificate(config: Config) -> Certificate | None:
    if config.tls_cert is None or config.tls_key is None:
        return None
    return Certificate(config.tls_cert, config.tls_key)


def _server(
    config: Config, loop: asyncio.AbstractEventLoop, certificate: Certificate | None
) -> "Server":
    from nana_server.house import Server  # noqa: PLC0415 - `--help` need not wait for it

    if sentence := raise_limit(config.sockets * 2):
        log.warning("%s", sentence)
    context = certificate.context if certificate else None
    server = Server(config, loop, clock=_clock, entropy=os.urandom, ssl_context=context)
    loop.set_exception_handler(logs.Faults(server.tally, loop.time))
    return server


def _refusals() -> tuple[type[Exception], ...]:
    from nana_server.sqlite.refusals import JournalRefused  # noqa: PLC0415 - the same

    return JournalRefused, BadCertificate


def _cannot(sentence: str) -> int:
    print(f"nana-server: {sentence}", file=sys.stderr)
    return 1


def _listen_to_signals(
    loop: asyncio.AbstractEventLoop, stop: asyncio.Event, certificate: Certificate | None
) -> None:
    """Stop at the first signal, and at once at the second; read the certificate anew at a HUP.

    A HUP also comes when the terminal goes away, which is none any more by then: then it stops,
    unless whoever started it had it ignore that.
    """
    had_terminal = os.isatty(0) and signal.getsignal(_HANGUP) is not signal.SIG_IGN

    def end(number: int) -> None:
        if stop.is_set():
            os._exit(128 + number)
        stop.set()

    def hang_up() -> None:
        if had_terminal and (certificate is None or not os.isatty(0)):
            stop.set()
        elif certificate is not None:
            _reload(certificate)
        else:
            log.info("there is no certificate to read again")

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end, number)
    if sys.platform != "win32":
        loop.add_signal_handler(_HANGUP, hang_up)


def _reload(certificate: Certificate) -> None:
    try:
        certificate.reload()
    except BadCertificate as error:
        log.error("the certificate stays the old one: %s", error)  # noqa: TRY400 - all is said
    else:
        log.info("the certificate was read again")


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
    scheme = "wss" if config.tls_cert else "ws"
    for host in config.hosts:
        place = f"[{host}]" if ":" in host else host
        print(f"listening on {scheme}://{place}:{port}/", flush=True)
    if config.public_url:
        print(f"friends reach it at {config.public_url}/", flush=True)
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
