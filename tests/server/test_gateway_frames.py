"""The pure parts of the gateway: frames, and the HTTP around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.http11 import Request as Head

from nana_server.gateway import Response, frame
from nana_server.gateway.frames import apply_mask, is_text, span_of
from nana_server.gateway.handshake import is_foreign, read_head, request_of, serialize

HEAD = b"GET /r/KQ7MX?x=1 HTTP/1.1\r\nHost: nana.test\r\nAccept: text/html\r\n\r\n"


def read(received: bytes, limit: int = 1000) -> tuple[Head, bytes]:
    answer = read_head(received, limit)
    assert isinstance(answer, tuple)
    return answer


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_frames_out_are_what_the_library_would_write(size: int) -> None:
    """All three lengths of a header equal the library's, with and without a tail."""
    payload = b"x" * size
    expected = Frame(Opcode.TEXT, payload).serialize(mask=False)
    assert frame(payload) == frame(payload[: size // 2], payload[size // 2 :]) == expected


@given(payload=st.binary(max_size=300), before=st.binary(max_size=3), after=st.binary(max_size=3))
def test_a_span_is_found_where_the_library_put_it(
    payload: bytes, before: bytes, after: bytes
) -> None:
    """The key and the end lead back to the payload, whatever stands before and behind."""
    framed = Frame(Opcode.TEXT, payload).serialize(mask=True)
    data = before + framed + after
    span = span_of(data, len(before), 300)
    assert span is not None
    key, end = span
    assert apply_mask(data[key + 4 : end], data[key : key + 4]) == payload
    assert data[end:] == after


def test_no_part_of_a_frame_is_a_frame() -> None:
    """Each prefix of a whole frame asks for more."""
    for size in (5, 200):
        framed = Frame(Opcode.TEXT, b"x" * size).serialize(mask=True)
        assert all(span_of(framed[:n], 0, 300) is None for n in range(len(framed)))
        assert span_of(framed, 0, 300) is not None


@pytest.mark.parametrize(
    ("head", "key"),
    [
        pytest.param(b"\x81\x05", 0, id="unmasked"),
        pytest.param(b"\x81\xfe\x10\x01", 0, id="one byte too long"),
        pytest.param(b"\x81\xff" + b"\xff" * 8, 0, id="absurdly long"),
    ],
)
def test_a_head_that_breaks_the_rules_waits_for_no_rest(head: bytes, key: int) -> None:
    """Such a head is complete by itself: its payload is never waited for."""
    assert span_of(head, 0, 4096) == (key, len(head))


@pytest.mark.parametrize(
    ("payload", "valid"),
    [
        (b"", True),
        (b"plain", True),
        ("Käse 🧀".encode(), True),
        (b"\xff", False),
        (b"\xed\xa0\x80", False),
        (b"\xc3", False),
    ],
)
def test_text_is_strict_utf8(payload: bytes, valid: bool) -> None:
    """Surrogates, stray bytes and halves of characters are no text."""
    assert is_text(payload) is valid


def test_a_head_is_read_as_soon_as_it_is_complete() -> None:
    """One byte less asks for more; bytes behind the head are handed back."""
    for n in range(1, len(HEAD)):
        assert read_head(HEAD[:n], 1000) is None
    head, rest = read(HEAD + b"\x81\x80")
    assert rest == b"\x81\x80"
    request = request_of(head, "192.0.2.1")
    assert (request.method, request.path, request.query) == ("GET", "/r/KQ7MX", "x=1")
    assert (request.host, request.accept) == ("nana.test", "text/html")


@pytest.mark.parametrize(
    ("received", "status"),
    [
        pytest.param(b"\x16\x03\x01\x02\x00", 400, id="TLS"),
        pytest.param(b"hello\n", 400, id="a word"),
        pytest.param(b"GET /\r\n", 400, id="no version"),
        pytest.param(b"GET / HTTP/2.0\r\n", 400, id="a wrong version"),
        pytest.param(b"GET / HTTP/1.1\nHost: x\n\n", 400, id="bare line feeds"),
        pytest.param(b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, id="no header"),
        pytest.param(b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 400, id="chunks"),
        pytest.param(b"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", 400, id="a body"),
        pytest.param("GET /ä HTTP/1.1\r\n\r\n".encode(), 400, id="a path in UTF-8"),
        pytest.param(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n", 405, id="POST"),
        pytest.param(b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", 414, id="a long address"),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431, id="many headers"),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 4000, 431, id="no end of headers"),
    ],
)
def test_what_is_no_request_is_refused(received: bytes, status: int) -> None:
    """Garbage gets its own status, as early as it can be known."""
    answer = read_head(received, 16_384)
    assert isinstance(answer, Response)
    assert answer.status == status


@given(st.binary(max_size=200))
def test_no_bytes_upset_the_reader(received: bytes) -> None:
    """Whatever comes first on a socket is a request, a refusal or incomplete."""
    for ending in (b"", b"\r\n\r\n"):
        read_head(received + ending, 150)
        read_head(b"GET / HTTP/1.1\r\n" + received + ending, 1000)


@pytest.mark.parametrize(
    ("headers", "foreign"),
    [
        ("", False),
        ("Origin: https://nana.test\r\n", False),
        ("Origin: https://evil.test\r\n", True),
        ("Origin: null\r\n", True),
        ("Origin: \r\n", True),
        ("ORIGIN: https://nana.test.evil.test\r\n", True),
        ("Origin: https://nana.test\r\nOrigin: https://evil.test\r\n", True),
    ],
)
def test_only_listed_pages_may_connect(headers: str, foreign: bool) -> None:
    """No Origin or one on the list; nothing else, not even beside one on the list."""
    head, _ = read(b"GET / HTTP/1.1\r\n" + headers.encode() + b"\r\n")
    assert is_foreign(head, frozenset({"https://nana.test"})) is foreign
    assert is_foreign(head, frozenset()) is bool(headers)


def test_head_gets_the_headers_of_get() -> None:
    """The same bytes up to the body, the body's length among them, and no body."""
    response = Response(200, b"hello", headers=(("X-Extra", "1"),))
    get, head = serialize(response), serialize(response, "HEAD")
    assert head.endswith(b"\r\n\r\n")
    assert get == head + b"hello"
    assert b"\r\nContent-Length: 5\r\n" in head
    assert b"\r\nConnection: close\r\n" in head
    assert b"\r\nX-Extra: 1\r\n" in head
