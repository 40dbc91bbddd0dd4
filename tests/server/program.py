"""The real server as a process, and plain ways to talk to it, for tests of how it is run."""

import contextlib
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

PATIENCE: Final = 30  # seconds
LISTENING: Final = re.compile(r"listening on (wss?)://[^:]+:(\d+)/\n")


class Running:
    """A server that says where it listens; its log is in a file."""

    def __init__(self, log: Path, args: Sequence[str], env: dict[str, str]) -> None:
        command = [sys.executable, "-m", "nana_server", "--port", "0", *args]
        self.log = log
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **env}
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        match = LISTENING.fullmatch(line)
        if match is None:
            self.end()
            pytest.fail(f"it does not say where it listens: {line!r} {log.read_text()}")
        self.scheme, self.port = match[1], int(match[2])

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def ask(self, path: str, *headers: str) -> tuple[int, str]:
        return ask(self.port, path, *headers)


@contextlib.contextmanager
def running(folder: Path, *args: str, **env: str) -> Iterator[Running]:
    server = Running(folder / "server.log", args, env)
    try:
        yield server
    finally:
        server.end()


def ask(
    port: int,
    path: str,
    *headers: str,
    source: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
) -> tuple[int, str]:
    """GET a page from one of our addresses; return status and body."""
    plain = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
    with plain if tls is None else tls.wrap_socket(plain, server_hostname="localhost") as stream:
        lines = [f"GET {path} HTTP/1.1", "Host: localhost", *headers, "Connection: close", "", ""]
        stream.sendall("\r\n".join(lines).encode())
        answer = b""
        while piece := stream.recv(65_536):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


@contextlib.asynccontextmanager
async def visit(url: str, **more: Any) -> Any:
    """Open a WebSocket and yield the type of the first message, or the code it was closed with."""
    async with connect(url, compression=None, open_timeout=PATIENCE, **more) as socket:
        try:
            first = await socket.recv()
        except ConnectionClosed as closed:
            yield closed.rcvd.code if closed.rcvd else None
        else:
            assert isinstance(first, str)
            yield first[:15]


HELLO: Final = '{"type":"hello"'


class Authority:
    """A certificate authority in a folder; needs openssl."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root.pem"
        self._openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
                      " -subj /CN=root -keyout root.key -out root.pem")  # fmt: skip

    def issue(self, name: str, *hosts: str) -> tuple[Path, Path]:
        """Make a certificate, with its chain, and its key."""
        alternatives = ",".join(f"{'IP' if it[0].isdigit() else 'DNS'}:{it}" for it in hosts)
        (self.folder / "ext").write_text(f"subjectAltName={alternatives}\n")
        self._openssl(f"req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
                      f" -subj /CN={name} -keyout {name}.key -out {name}.csr")  # fmt: skip
        self._openssl(f"x509 -req -in {name}.csr -CA root.pem -CAkey root.key -CAcreateserial"
                      f" -days 2 -extfile ext -out {name}.pem")  # fmt: skip
        return self.folder / f"{name}.pem", self.folder / f"{name}.key"

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.root))

    def _openssl(self, words: str) -> None:
        subprocess.run(
            ["openssl", *words.split()], cwd=self.folder, check=True, capture_output=True
        )
