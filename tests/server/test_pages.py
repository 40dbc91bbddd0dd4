"""The plain pages: health, and invitations that lead where they say."""

import re
from typing import Any, get_args

import msgspec
import pytest

from nana_server.gateway import Request, Response
from nana_server.pages import Pages, Status


def get(pages: Pages, path: str, host: str = "nana.test:8765") -> Response:
    answer = pages.answer(Request("GET", path, "", host, "", "192.0.2.1"))
    assert answer is not None
    return answer


def status_of(answer: Response) -> Any:
    return msgspec.json.decode(answer.body)["status"]


@pytest.mark.parametrize("status", get_args(Status))
def test_ready_and_live(status: Status) -> None:
    """Ready: 200 only while games can go on, else 503 with why. Live: whatever answers, is."""
    pages = Pages(list, None, status=lambda: status)
    for path in ("/healthz", "/healthz/ready"):
        answer = get(pages, path)
        assert (answer.status == 200) == (status == "ok")
        assert answer.status in {200, 503}
        assert status_of(answer) == status
    live = get(pages, "/healthz/live")
    assert (live.status, status_of(live)) == (200, "ok")


@pytest.mark.parametrize("path", ["/healthz/", "/healthz/x", "/metrics", "/r/", "/r/A-B", "/x"])
def test_other_paths_are_nothing(path: str) -> None:
    """Without numbers to tell, /metrics is no page either."""
    assert Pages(list, None).answer(Request("GET", path, "", "x", "", "127.0.0.1")) is None


def test_an_invitation_names_the_public_url() -> None:
    """What the host set, path and all; else what the browser asked for."""
    assert (
        b"nana join wss://x.test/nana/r/KQ7MX\n"
        in get(Pages(list, "wss://x.test/nana"), "/r/kq7mx").body
    )
    assert b"nana join ws://nana.test:8765/r/KQ7MX\n" in get(Pages(list, None), "/r/KQ7MX").body


@pytest.mark.parametrize("host", ["", "<script>", 'x" onload="', "a b", "x" * 300, "x\x1b"])
def test_a_strange_host_is_not_repeated(host: str) -> None:
    """A page never carries what a stranger wrote into his request."""
    page = get(Pages(list, None), "/r/KQ7MX", host).body.decode()
    assert "ws://localhost/r/KQ7MX" in page
    assert "script" not in page
    assert "onload" not in page


@pytest.mark.parametrize(
    ("url", "prefix"), [(None, ""), ("wss://x.test", ""), ("wss://x.test/a/b", "/a/b")]
)
def test_links_between_pages_hold_beneath_a_path(url: str | None, prefix: str) -> None:
    """Relative ones would lead astray from a path without a slash at its end."""
    page = get(Pages(list, url), "/").body.decode()
    assert re.findall(r'href="([^"]*)"', page) == [f"{prefix}/rooms", f"{prefix}/schema"]
