"""Behind proxies: whose address counts, which paths lead in, deploy/ at work."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nana_server.gateway import Limits, Proxies, Response
from nana_server.gateway.door import Door
from nana_server.gateway.gate import SPARE, Gate
from nana_server.gateway.handshake import parse, request_of
from server.program import HELLO, PATIENCE, Authority, Running, ask, running, visit
from server.test_gateway_machine import Desk, Paper

ROOT: Final = Path(__file__).parents[2]
TRUSTED: Final = Proxies([ip_network("10.0.0.0/8"), ip_network("::1/128")])

PATH: Final = f"{os.environ.get('PATH', '/usr/bin:/bin')}:/usr/sbin"
NGINX: Final = shutil.which("nginx", path=PATH)
CADDY: Final = shutil.which("caddy", path=PATH)
needs_nginx = pytest.mark.skipif(NGINX is None, reason="nginx is not here")
needs_caddy = pytest.mark.skipif(CADDY is None, reason="caddy is not here")


# The rule.


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin"),
    [
        pytest.param("192.0.2.1", ["203.0.113.9"], "192.0.2.1", id="forged by a stranger"),
        pytest.param("10.0.0.1", ["203.0.113.9"], "203.0.113.9", id="by a trusted proxy"),
        pytest.param("10.0.0.1", ["6.6.6.6, 203.0.113.9"], "203.0.113.9", id="forged before it"),
        pytest.param("10.0.0.1", ["6.6.6.6", "203.0.113.9"], "203.0.113.9", id="in two lines"),
        pytest.param("10.0.0.1", ["203.0.113.9, 10.9.9.9"], "203.0.113.9", id="by two proxies"),
        pytest.param("10.0.0.1", ["10.1.1.1, 10.2.2.2"], "10.1.1.1", id="all of them trusted"),
        pytest.param("10.0.0.1", [], "10.0.0.1", id="no header"),
        pytest.param("10.0.0.1", [""], "10.0.0.1", id="an empty header"),
        pytest.param("10.0.0.1", ["unknown"], "10.0.0.1", id="no address"),
        pytest.param("10.0.0.1", ["6.6.6.6, junk, 10.2.2.2"], "10.2.2.2", id="junk ends it"),
        pytest.param("10.0.0.1", ["203.0.113.9:1234"], "203.0.113.9", id="with a port"),
        pytest.param("10.0.0.1", ["[2001:db8::1]:80"], "2001:db8::1", id="IPv6 with a port"),
        pytest.param("10.0.0.1", ["2001:DB8:0::1"], "2001:db8::1", id="IPv6 in one form"),
        pytest.param("10.0.0.1", ["::ffff:6.6.6.6"], "6.6.6.6", id="IPv4 in IPv6"),
        pytest.param("10.0.0.1", ["fe80::1%eth0"], "fe80::1", id="a zone"),
        pytest.param("::1", ["203.0.113.9"], "203.0.113.9", id="over IPv6"),
        pytest.param("", ["203.0.113.9"], "", id="a peer without address"),
    ],
)
def test_the_last_address_that_is_not_a_proxys(
    peer: str, forwarded: list[str], origin: str
) -> None:
    """Only what trusted proxies wrote is believed, and they write at the end."""
    assert TRUSTED.origin(peer, forwarded) == origin


def test_by_default_nobody_is_trusted() -> None:
    """Not even this machine: any program on it could claim anything."""
    assert Proxies().origin("127.0.0.1", ["203.0.113.9"]) == "127.0.0.1"


@given(st.lists(st.text(max_size=30), max_size=4))
def test_no_header_upsets_the_rule(forwarded: list[str]) -> None:
    """Whatever comes, there is an address; a stranger's is always his own."""
    assert TRUSTED.origin("10.0.0.1", forwarded)
    assert TRUSTED.origin("192.0.2.1", forwarded) == "192.0.2.1"


# The limits.


class Wire(Paper):
    """A transport that knows its peer's address."""

    def __init__(self, peer: str) -> None:
        super().__init__()
        self.peer = peer
        self.protocol: Any = None

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self.peer, 1) if name == "peername" else default

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol


def upgrade(gate: Gate, peer: str, forwarded: str = "") -> Wire:
    """Ask for a WebSocket through a door of the gate."""
    wire, door = Wire(peer), Door(gate)
    wire.protocol = door
    door.connection_made(wire)
    door.data_received(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + (f"X-Forwarded-For: {forwarded}\r\n" if forwarded else "").encode()
        + b"\r\n"
    )
    return wire


def gate(most: int = 2, total: int = 100) -> tuple[Gate, Desk]:
    desk = Desk()
    limits = Limits(sockets_per_address=most, sockets=total)
    return Gate(desk, limits, frozenset(), lambda: 0.0, proxies=TRUSTED), desk


def test_limits_count_whom_the_proxy_speaks_for() -> None:
    """One client behind the proxy cannot shut the others out; its own limit holds."""
    made, desk = gate()
    for client in range(50):
        upgrade(made, "10.0.0.1", f"203.0.113.{client}")
    assert desk.calls == ["opened"] * 50
    upgrade(made, "10.0.0.1", "203.0.113.7")
    assert desk.calls == ["opened"] * 51
    third = upgrade(made, "10.0.0.1", "203.0.113.7")
    assert desk.calls == ["opened"] * 51
    assert b"too many connections" in third.written


def test_a_stranger_is_counted_as_himself_whatever_he_claims() -> None:
    """A new address in each header gives nobody a new allowance, and costs no victim anything."""
    made, desk = gate()
    for claim in range(20):
        upgrade(made, "192.0.2.1", f"203.0.113.{claim}")
    assert desk.calls == ["opened"] * 2
    upgrade(made, "10.0.0.1", "203.0.113.1")
    assert desk.calls == ["opened"] * 3


def test_sockets_of_one_client_have_an_end_behind_a_proxy_too() -> None:
    """Past twice its limit a client's sockets are cut without a word, the proxy's others not."""
    made, _ = gate(most=2)
    wires = [upgrade(made, "10.0.0.1", "203.0.113.7") for _ in range(2 * SPARE + 1)]
    assert [wire.aborted for wire in wires] == [False] * 2 * SPARE + [True]
    assert not upgrade(made, "10.0.0.1", "203.0.113.8").aborted


def test_a_proxy_may_hold_many_sockets_whose_request_has_not_come() -> None:
    """Until then nobody knows for whom they are: the limit in all holds, and a stranger his own."""
    made, _ = gate(most=2)

    def knock(peer: str) -> bool:
        wire, door = Wire(peer), Door(made)
        door.connection_made(wire)
        return not wire.aborted

    assert [knock("10.0.0.1") for _ in range(50)] == [True] * 50
    assert [knock("192.0.2.1") for _ in range(5)] == [True] * 4 + [False]


def test_who_leaves_is_no_longer_counted() -> None:
    """The books balance: under the address that was counted, after any end."""
    made, desk = gate()
    wires = [upgrade(made, "10.0.0.1", f"203.0.113.{n % 3}") for n in range(9)]
    for wire in wires:
        wire.protocol.connection_lost(None)
    assert (made.guests, dict(made._guests_of), dict(made._peers_of)) == (set(), {}, {})
    assert desk.calls.count("closed") == desk.calls.count("opened")


# The paths.


@pytest.mark.parametrize(
    ("prefix", "asked", "path"),
    [
        ("", "/r/KQ7MX", "/r/KQ7MX"),
        ("/nana", "/nana/r/KQ7MX", "/r/KQ7MX"),
        ("/nana", "/r/KQ7MX", "/r/KQ7MX"),
        ("/nana", "/nana", "/"),
        ("/nana", "/nana/", "/"),
        ("/nana", "/nana?x=/nana/r/A", "/"),
        ("/nana", "/nanas/r/KQ7MX", "/nanas/r/KQ7MX"),
        ("/a/b", "/a/b/healthz", "/healthz"),
        ("/a/b", "/a/healthz", "/a/healthz"),
    ],
)
def test_the_prefix_may_be_there_or_not(prefix: str, asked: str, path: str) -> None:
    """A proxy takes it off or leaves it on: both lead to the same."""
    head = parse(f"GET {asked} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert not isinstance(head, Response)
    assert request_of(head, "192.0.2.1", prefix).path == path


async def test_the_server_takes_both_paths(tmp_path: Path) -> None:
    """Rooms, pages and links agree about the prefix."""
    with running(
        tmp_path, "--public-url", "wss://x.test/nana/", "--trusted-proxy", "::1"
    ) as server:
        for path in ("/healthz", "/nana/healthz", "/nana", "/nana/r/KQ7MX", "/r/KQ7MX"):
            assert server.ask(path)[0] == 200
        assert server.ask("/other/healthz")[0] == 404
        page = server.ask("/nana/r/kq7mx")[1]
        assert "nana join wss://x.test/nana/r/KQ7MX" in page
        assert 'href="/nana/rooms"' in server.ask("/nana")[1]
        assert server.process.stdout is not None
        line = server.process.stdout.readline()
        assert line == b"friends reach it at wss://x.test/nana/\n"


async def test_an_unknown_proxy_gets_no_numbers(tmp_path: Path) -> None:
    """What comes from this machine for somebody else is not from this machine."""
    with running(tmp_path) as server:
        assert server.ask("/metrics")[0] == 200
        for header in ("X-Forwarded-For: 127.0.0.1", "Forwarded: for=x", "Via: 1.1 x"):
            assert server.ask("/metrics", header)[0] == 404
        assert ask(server.port, "/metrics", source="127.0.0.9")[0] == 200
    with running(tmp_path, "--trusted-proxy", "127.0.0.1") as server:
        assert server.ask("/metrics", "X-Forwarded-For: 127.0.0.1")[0] == 200
        assert server.ask("/metrics", "X-Forwarded-For: 192.0.2.1")[0] == 404
    with running(tmp_path, "--metrics-allow", "none") as server:
        assert server.ask("/metrics")[0] == 404


async def test_only_listed_pages_may_connect(tmp_path: Path) -> None:
    """Programs send no Origin; a page that does is on the list, or refused with 403."""
    with running(tmp_path, "--allow-origin", "https://Good.test") as server:
        assert server.ask("/healthz", "Origin: https://good.test")[0] == 200
        for foreign in ("https://evil.test", "null", "http://good.test", "https://good.test:444"):
            assert server.ask("/healthz", f"Origin: {foreign}")[0] == 403
        url = f"ws://127.0.0.1:{server.port}/"
        async with visit(url, origin="https://good.test") as first:
            assert first == HELLO


# The examples, run.


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    return Authority(tmp_path_factory.mktemp("authority"))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextlib.contextmanager
def proxy(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Run a proxy in the foreground until the test is over."""
    env = {"HOME": str(folder), "PATH": PATH, "XDG_DATA_HOME": str(folder)}
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=env, cwd=folder)
    try:
        wait_for(port, process, folder / "proxy.log")
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until something listens there; a refused connection takes its time by itself."""
    while process.poll() is None:
        with (
            contextlib.suppress(ConnectionRefusedError),
            socket.create_connection(("127.0.0.1", port), PATIENCE),
        ):
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    pytest.fail(f"the proxy ended: {log.read_text()}")


def nginx_site(folder: Path, port: int, upstream: int, chain: Path, key: Path) -> list[str]:
    """Put deploy/nginx.conf, with ports and files of ours, into a whole configuration."""
    text = (ROOT / "deploy/nginx.conf").read_text()
    text, sites = re.subn(r"listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;", text)
    text, _ = re.subn(r"\n\s*listen \[::\]:443 ssl;", "", text)
    text, certificates = re.subn(r"ssl_certificate +[^;]+;", f"ssl_certificate {chain};", text)
    text, keys = re.subn(r"ssl_certificate_key +[^;]+;", f"ssl_certificate_key {key};", text)
    text, passes = re.subn(r"proxy_pass http://127\.0\.0\.1:8765;",
                           f"proxy_pass http://127.0.0.1:{upstream};", text)  # fmt: skip
    assert (sites, certificates, keys, passes) == (1, 1, 1, 1)
    places = " ".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "whole.conf"
    whole.write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; worker_processes 1;\n"
        f"events {{}}\nhttp {{ access_log off; {places}\n{text}\n}}\n"
    )
    return [str(NGINX), "-p", str(folder), "-c", str(whole)]


def caddy_site(folder: Path, port: int, upstream: int, chain: Path, key: Path) -> list[str]:
    """Give deploy/Caddyfile our port and certificate."""
    text = (ROOT / "deploy/Caddyfile").read_text()
    text, sites = re.subn(r"\{\$NANA_DOMAIN:nana\.example\.org\} \{",
                          f"https://localhost:{port} {{\n\ttls {chain} {key}", text)  # fmt: skip
    text, passes = re.subn(r"\{\$NANA_UPSTREAM:127\.0\.0\.1:8765\}", f"127.0.0.1:{upstream}", text)
    assert (sites, passes) == (1, 1)
    file = folder / "Caddyfile"
    file.write_text(
        "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + text
    )
    return [str(CADDY), "run", "--config", str(file), "--adapter", "caddyfile"]


@pytest.fixture(
    params=[
        pytest.param("nginx", marks=needs_nginx),
        pytest.param("caddy", marks=needs_caddy),
    ]
)
def front(
    request: pytest.FixtureRequest, authority: Authority, tmp_path: Path
) -> Iterator[tuple[Running, int, str]]:
    """Run an example in front of a server: the server, the proxy's port, and the path in."""
    path = "/nana" if request.param == "nginx" else ""
    port = free_port()
    options = ["--public-url", f"wss://localhost:{port}{path}", "--trusted-proxy", "127.0.0.1"]
    with running(tmp_path, *options, "--sockets-per-address", "1", "--create-burst", "1") as server:
        chain, key = authority.issue("proxied", "localhost", "127.0.0.1")
        site = nginx_site if request.param == "nginx" else caddy_site
        with proxy(site(tmp_path, port, server.port, chain, key), port, tmp_path):
            yield server, port, path


async def test_friends_come_through_the_proxy(
    front: tuple[Running, int, str], authority: Authority
) -> None:
    """By wss, at the public URL; pages work; each client is counted by its own address."""
    server, port, path = front
    url, trust = f"wss://localhost:{port}{path}/", authority.trust()
    mine: dict[str, Any] = {"ssl": trust, "host": "127.0.0.1", "port": port}
    async with (
        visit(url, **mine, local_addr=("127.0.0.2", 0)) as one,
        visit(f"{url}r/KQ7MX", **mine, local_addr=("127.0.0.3", 0)) as two,
        visit(url, **mine, local_addr=("127.0.0.2", 0)) as again,
    ):
        assert (one, two) == (HELLO, HELLO)
        assert again == 1013
    status, page = ask(port, f"{path}/r/KQ7MX", tls=trust, source="127.0.0.4")
    assert status == 200
    assert f"nana join {url}r/KQ7MX" in page
    assert ask(port, f"{path}/healthz", tls=trust, source="127.0.0.4")[0] == 200
    for source in ("127.0.0.1", "127.0.0.4"):
        assert ask(port, f"{path}/metrics", tls=trust, source=source)[0] == 404
    assert server.ask("/metrics")[0] == 200


async def test_a_client_behind_the_proxy_cannot_claim_an_address(
    front: tuple[Running, int, str], authority: Authority
) -> None:
    """Its own X-Forwarded-For changes nothing: it is counted, and reads no numbers, as itself."""
    _, port, path = front
    url, trust = f"wss://localhost:{port}{path}/", authority.trust()
    mine: dict[str, Any] = {"ssl": trust, "host": "127.0.0.1", "port": port}
    mine["local_addr"] = ("127.0.0.2", 0)
    claims = [{"X-Forwarded-For": f"203.0.113.{n}"} for n in range(2)]
    async with (
        visit(url, **mine, additional_headers=claims[0]) as one,
        visit(url, **mine, additional_headers=claims[1]) as two,
    ):
        assert (one, two) == (HELLO, 1013)
    status, _ = ask(
        port, f"{path}/metrics", "X-Forwarded-For: 127.0.0.1", tls=trust, source="127.0.0.2"
    )
    assert status == 404
