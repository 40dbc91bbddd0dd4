"""TLS by files: who has the wrong ones is told, and new ones come in while games go on."""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from nana_server.tls import BadCertificate, Certificate
from server.program import HELLO, PATIENCE, Authority, Running, ask, running, visit

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here")
HOSTS: Final = ("localhost", "127.0.0.1")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def files(authority: Authority, tmp_path: Path) -> tuple[Path, Path]:
    """Give a certificate and key that may be overwritten."""
    return put(authority.issue("first", *HOSTS), tmp_path)


def put(pair: tuple[Path, Path], folder: Path) -> tuple[Path, Path]:
    chain, key = folder / "chain.pem", folder / "key.pem"
    shutil.copy(pair[0], chain)
    shutil.copy(pair[1], key)
    return chain, key


@pytest.fixture
def server(files: tuple[Path, Path], tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, "--tls-cert", str(files[0]), "--tls-key", str(files[1])) as server:
        yield server


def name_of(server: Running, authority: Authority) -> str:
    """Return whose certificate the server shows to a new connection."""
    with (
        socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plain,
        authority.trust().wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        shown = secure.getpeercert()
    assert shown is not None
    return str(dict(pair for part in shown["subject"] for pair in part)["commonName"])  # type: ignore[misc]


def wait_for(server: Running, words: str) -> str:
    """Wait until the log says so; a new connection each time gives the server its turn."""
    for _ in range(2000):
        if words in (text := server.log.read_text()):
            return text
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE):
            pass
    raise AssertionError(f"the log does not say {words!r}: {server.log.read_text()}")


async def test_clients_come_by_wss(server: Running, authority: Authority) -> None:
    """It says wss in its first line, and serves sockets and pages over TLS 1.2 and 1.3."""
    assert server.scheme == "wss"
    async with visit(f"wss://localhost:{server.port}/", ssl=authority.trust()) as first:
        assert first == HELLO
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = authority.trust()
        context.minimum_version = context.maximum_version = version
        assert ask(server.port, "/healthz", tls=context)[0] == 200
    page = ask(server.port, "/", tls=authority.trust())[1]
    assert "nana host wss://localhost/" in page
    assert server.stop() == 0


def test_friends_trust_a_certificate_of_ones_own_by_a_file(
    server: Running, authority: Authority, tmp_path: Path
) -> None:
    """As the page for hosts says: SSL_CERT_FILE names it; without it the client says why not."""
    link = f"wss://localhost:{server.port}/r/KQ7MX"
    command = [sys.executable, "-m", "nana_client", "watch", "--plain", link]

    def said(**env: str) -> str:
        env = {**os.environ, "NANA_HOME": str(tmp_path / "home"), **env}
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=env, check=False, timeout=30
        )
        assert done.returncode == 1
        return done.stdout.decode()

    assert "The certificate of localhost cannot be trusted" in said()
    assert "There is no such room" in said(SSL_CERT_FILE=str(authority.root))


def test_old_tls_and_no_tls_are_turned_away(server: Running, authority: Authority) -> None:
    """They get nothing, make no noise in the log, and disturb nobody."""
    context = authority.trust()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("AES128-SHA")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        ask(server.port, "/healthz", tls=context)
    for rubbish in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x00", b"\x00" * 100):
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plain:
            plain.sendall(rubbish)
            plain.shutdown(socket.SHUT_WR)
            assert not plain.recv(10).startswith(b"HTTP")
    status, numbers = ask(server.port, "/metrics", tls=authority.trust())
    assert status == 200
    assert "nana_faults_total 0.0" in numbers
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()
    assert "unexpected" not in server.log.read_text()


async def test_a_new_certificate_is_read_while_sockets_stay(
    server: Running, authority: Authority, tmp_path: Path
) -> None:
    """SIGHUP: new connections see the new one, old connections do not notice."""
    assert name_of(server, authority) == "first"
    async with visit(f"wss://localhost:{server.port}/", ssl=authority.trust()) as first:
        assert first == HELLO
        put(authority.issue("second", *HOSTS), tmp_path)
        assert name_of(server, authority) == "first"
        server.process.send_signal(signal.SIGHUP)
        wait_for(server, "the certificate was read again")
        assert name_of(server, authority) == "second"
    assert server.stop() == 0


def test_a_bad_certificate_is_not_taken(
    server: Running, authority: Authority, files: tuple[Path, Path]
) -> None:
    """After a SIGHUP with files that do not fit, or are gone, the old one stays."""
    chain, key = files
    for spoil in (lambda: shutil.copy(authority.issue("third", *HOSTS)[0], chain), key.unlink):
        server.log.write_text("")
        spoil()
        server.process.send_signal(signal.SIGHUP)
        wait_for(server, "the certificate stays the old one")
        assert name_of(server, authority) == "first"
    assert server.process.poll() is None


@pytest.mark.parametrize("spoiled", ["swapped", "missing", "other", "encrypted", "empty"])
def test_files_that_do_not_fit_are_a_sentence(
    spoiled: str, authority: Authority, files: tuple[Path, Path]
) -> None:
    """It names the files; an encrypted key is not asked for at a terminal."""
    chain, key = files
    match spoiled:
        case "swapped":
            chain, key = key, chain
        case "missing":
            key.unlink()
        case "other":
            shutil.copy(authority.issue("other", *HOSTS)[1], key)
        case "encrypted":
            authority._openssl(f"ec -in {key} -aes128 -passout pass:sesame -out {key}.enc")
            key = key.with_suffix(".pem.enc")
        case _:
            chain.write_text("")
    with pytest.raises(BadCertificate, match=r"cannot be read|are not a certificate and its key"):
        Certificate(chain, key)
