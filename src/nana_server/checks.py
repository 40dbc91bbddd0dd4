"""What can be told of a configuration before it serves: the files it names, who reads them."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from nana_server.config import Config
from nana_server.settings import Settings
from nana_server.tls import BadCertificate, Certificate

SEND_BUFFER: Final = 65_536  # bytes; any will do


def errors(config: Config) -> Iterator[str]:
    """Say what would keep the server from starting."""
    if config.tls_cert and config.tls_key:
        try:
            Certificate(config.tls_cert, config.tls_key)
        except BadCertificate as error:
            yield str(error)
    if flaw := _flaw_of_hosts(config.hosts):
        yield flaw
    if config.data is not None and (flaw := _flaw_of_folder(config.data)):
        yield flaw


def warnings(settings: Settings) -> Iterator[str]:
    """Say what works, and is probably not what was meant."""
    config = settings.config
    place = settings.places.get("password")
    if place and place != "NANA_PASSWORD" and _is_read_by_all(Path(place)):
        yield f"{place} holds a password, and everybody on this machine can read it"
    if config.fixed_deals is not None:
        yield "fixed_deals is set: whoever knows the word knows every card"
    if config.public_url and config.public_url.startswith("wss://"):
        alone = not (config.tls_cert or config.trusted_proxy)
        if alone:
            yield (
                "public_url says wss://, but there is neither a certificate nor a trusted proxy: "
                "behind a proxy that is not trusted all clients share one address's limits"
            )
    elif config.public_url and config.tls_cert:
        yield "public_url says ws://, but with a certificate clients must come by wss://"


def _flaw_of_hosts(hosts: Sequence[str]) -> str | None:
    """Say why nothing could listen there; whether the port is free may be another matter later."""
    from nana_server.gateway.sockets import bind  # noqa: PLC0415 - `--help` need not wait for it

    try:
        listening = bind(hosts, 0, SEND_BUFFER)
    except OSError as error:
        return f"{', '.join(hosts)} cannot be listened on: {error.strerror or error}."
    for socket in listening:
        socket.close()
    return None


def _flaw_of_folder(folder: Path) -> str | None:
    """Say why rooms could not be kept there; the server makes the folder, if it has to."""
    nearest = next(it for it in (folder, *folder.absolute().parents) if it.exists())
    if not nearest.is_dir():
        return f"{nearest} is a file, not a folder for the journal."
    if not os.access(nearest, os.W_OK | os.X_OK):
        return f"{nearest} cannot be written to."
    return None


def _is_read_by_all(file: Path) -> bool:
    return os.name == "posix" and bool(file.stat().st_mode & stat.S_IROTH)
