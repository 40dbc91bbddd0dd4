"""What a person may type or paste as a link, and how everything else is refused."""

import pytest

from nana_client.address import BadAddress, Target, parse, parse_room, target_of


@pytest.mark.parametrize(
    ("text", "url"),
    [
        pytest.param("ws://host:8765/r/KQ7MX", "ws://host:8765/r/KQ7MX", id="the link itself"),
        pytest.param("ws://host/r/KQ7MX", "ws://host:80/r/KQ7MX", id="the scheme's port"),
        pytest.param("wss://a.example/r/KQ7MX", "wss://a.example:443/r/KQ7MX", id="TLS"),
        pytest.param("http://host:8765/r/KQ7MX", "ws://host:8765/r/KQ7MX", id="from a browser"),
        pytest.param("https://a.example/r/KQ7MX/", "wss://a.example:443/r/KQ7MX", id="with TLS"),
        pytest.param("host:9000/r/kq7mx", "ws://host:9000/r/KQ7MX", id="no scheme, lower case"),
        pytest.param("host/r/KQ7MX", "ws://host:8765/r/KQ7MX", id="no port: nana's own"),
        pytest.param("host/KQ7MX", "ws://host:8765/r/KQ7MX", id="short"),
        pytest.param("host:9000/kq7mx", "ws://host:9000/r/KQ7MX", id="short with port"),
        pytest.param("192.168.1.5/KQ7MX", "ws://192.168.1.5:8765/r/KQ7MX", id="IPv4"),
        pytest.param("[::1]:8765/r/KQ7MX", "ws://[::1]:8765/r/KQ7MX", id="IPv6"),
        pytest.param("ws://[2001:DB8::5]/r/KQ7MX", "ws://[2001:db8::5]:80/r/KQ7MX", id="IPv6 case"),
        pytest.param("[fe80::1%eth0]/KQ7MX", "ws://[fe80::1%eth0]:8765/r/KQ7MX", id="IPv6 zone"),
        pytest.param("wss://a.example/nana/r/KQ7MX", "wss://a.example:443/nana/r/KQ7MX", id="path"),
        pytest.param(" <WS://Host:1/R/kq7mx> ", "ws://host:1/r/KQ7MX", id="pasted from a chat"),
        pytest.param("ws://bücher/r/KQ7MX", "ws://xn--bcher-kva:80/r/KQ7MX", id="IDN"),
        pytest.param("host", "ws://host:8765/", id="a server"),
        pytest.param("wss://a.example/nana", "wss://a.example:443/nana/", id="a server on a path"),
        pytest.param("ws://host/KQ7MX", "ws://host:80/KQ7MX/", id="with a scheme that is a path"),
        pytest.param("local", "ws://local:8765/", id="a host of five letters that is likelier"),
    ],
)  # fmt: skip
def test_links(text: str, url: str) -> None:
    """Each form leads to one canonical URL, which reads as itself."""
    target = parse(text)
    assert target.url == url
    assert parse(url) == target


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "There is no link", id="nothing"),
        pytest.param("   ", "There is no link", id="blank"),
        pytest.param("KQ7MX", "a room's code alone", id="a code alone"),
        pytest.param("ftp://host/r/KQ7MX", "does not begin with ftp://", id="scheme"),
        pytest.param("ws:///r/KQ7MX", "does not name a host", id="no host"),
        pytest.param("://host", "does not begin with ://", id="empty scheme"),
        pytest.param("ws://ho st/r/KQ7MX", "does not name a host", id="space"),
        pytest.param("ws://-host/r/KQ7MX", "does not name a host", id="dash"),
        pytest.param("ws://a..b/r/KQ7MX", "does not name a host", id="dots"),
        pytest.param("ws://1.2.3.999/r/KQ7MX", "is not an IP address", id="IPv4"),
        pytest.param("ws://::1:8765/r/KQ7MX", "stands in brackets", id="IPv6 bare"),
        pytest.param("ws://[host]/r/KQ7MX", "in brackets", id="brackets"),
        pytest.param("ws://[::1/r/KQ7MX", "in brackets", id="half a bracket"),
        pytest.param("ws://[::1]x:80/r/KQ7MX", "in brackets", id="behind the bracket"),
        pytest.param("ws://host:0/r/KQ7MX", "no good port", id="port 0"),
        pytest.param("ws://host:99999/r/KQ7MX", "no good port", id="port too high"),
        pytest.param("ws://host:/r/KQ7MX", "no good port", id="port empty"),
        pytest.param("ws://host:eight/r/KQ7MX", "no good port", id="port word"),
        pytest.param("ws://host/r/KQ7M", "KQ7M is not a room's code", id="code short"),
        pytest.param("ws://host/r/KQ7MXX", "is not a room's code", id="code long"),
        pytest.param("ws://host/r/KQ-MX", "is not a room's code", id="code odd"),
        pytest.param("ws://host/r/", "code is missing", id="code missing"),
        pytest.param("ws://host/a b/r/KQ7MX", "odd in the path", id="path"),
        pytest.param("ws://host/%2e/r/KQ7MX", "odd in the path", id="path escape"),
        pytest.param("ws://host/r/KQ7MX?x=1", "has no ?, # or @", id="query"),
        pytest.param("ws://host/r/KQ7MX#x", "has no ?, # or @", id="fragment"),
        pytest.param("ws://ann:pw@host/r/KQ7MX", "has no ?, # or @", id="user"),
        pytest.param("ws://host/" + "a" * 400, "too long", id="long"),
        pytest.param("ws://\udcff/r/KQ7MX", "does not name a host", id="no Unicode at all"),
        pytest.param("ws://h\x1b!t/r/KQ7MX", "does not name a host", id="escape sequence"),
    ],
)
def test_everything_else_is_refused(text: str, says: str) -> None:
    """A refusal says what is wrong, and shows what a good link looks like."""
    with pytest.raises(BadAddress) as refused:
        parse(text)
    assert says in str(refused.value)
    assert "ws://" in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_a_code_is_enough_where_the_server_is_known() -> None:
    """With a server at hand a room's code alone leads to the room."""
    server = parse("wss://a.example/nana")
    assert parse("kq7mx", server=server).url == "wss://a.example:443/nana/r/KQ7MX"
    assert parse("host/KQ7MX", server=server).host == "host"


def test_some_ways_need_a_room() -> None:
    """Where a room is needed, a server alone is refused by name."""
    with pytest.raises(BadAddress, match="host:8765 names a server, but no room in it"):
        parse_room("host:8765")
    assert parse_room("host/KQ7MX").room == "KQ7MX"


def test_targets_of_one_server() -> None:
    """Every room of a server has the same server, and leads to any other room of it."""
    target = parse("wss://a.example/nana/r/KQ7MX")
    assert target.server == "wss://a.example:443/nana/"
    assert target.at(None) == parse("wss://a.example/nana")
    assert target.at("AAAAA").at("KQ7MX") == target
    assert target_of("::1", 8765, "KQ7MX") == Target(
        "ws://[::1]:8765/r/KQ7MX", "::1", 8765, "KQ7MX", secure=False
    )
