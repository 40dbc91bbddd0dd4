"""Scenes at the door: frames, greetings, and what is said to who is not in a room."""

from typing import Final

from nana_client.conformance.kit import Kit, Member, new_token
from nana_client.conformance.line import told
from nana_client.conformance.verdict import Broken, Check, require
from nana_client.conformance.wire import Ended
from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import PROTOCOL
from nana_core.protocol.outbound import Bye, Error, Outbound

CHECKS: Final = (
    Check("plain-websocket", "2.2", "No extension and no subprotocol is negotiated."),
    Check("origin", "2.2", "A request with a foreign Origin gets HTTP 403."),
    Check("protocols", "7.1", "`hello` names version 1, and limits that can be kept."),
    Check("fragments", "2.2", "A message in several fragments is one message."),
    Check("binary", "2.2", "A binary frame ends the connection with 1003."),
    Check("utf-8", "2.2", "Text that is not UTF-8 ends the connection with 1007."),
    Check("too-long", "2.2", "A message longer than `message_bytes` ends it with 1009."),
    Check("malformed", "3", "What is no message of the protocol is refused as malformed."),
    Check("malformed-id", "3", "The refusal repeats the id, where one can be read."),
    Check("not-joined", "11", "Who is in no room is told not_joined."),
    Check("no-such-room", "6.1", "An unknown room, and an unknown token, are no_such_room."),
    Check("other-version", "15", "Another version of the protocol is unsupported_protocol."),
    Check("second-try", "6.1", "After a refused entrance another one may be tried."),
    Check("bad-name", "14.3", "A name that is no clean text is bad_name."),
    Check("flood", "14.2", "Who sends too much gets `bye` flood, and 1008."),
)
# Each is refused as malformed; where it has an id, that is x.
MALFORMED: Final = (
    ("null", None),
    ("[]", None),
    ("7", None),
    ('"chat"', None),
    ("{", None),
    ("", None),
    ("{}", None),
    ('{"type": "chat", "id": "x"}', "x"),
    ('{"type": "chat", "id": "x", "text": 7}', "x"),
    ('{"type": "chat", "id": "x", "text": null}', "x"),
    ('{"type": "chat", "id": "x", "text": ""}', "x"),
    ('{"type": "chat", "id": "x", "text": "hello", "to": "A"}', "x"),
    ('{"type": "sing", "id": "x"}', "x"),
    ('{"type": "reveal", "id": "x", "step": 0, "source": "c11"}', "x"),
    ('{"type": "reveal", "id": "x", "step": 0, "source": "A<"}', "x"),
    ('{"type": "reveal", "id": "x", "step": -1, "source": "c1"}', "x"),
    ('{"type": "reveal", "id": "x", "step": "0", "source": "c1"}', "x"),
    ('{"type": "reveal", "id": "x", "step": 9007199254740992, "source": "c1"}', "x"),
    ('{"type": "sit", "id": "x", "seat": "F"}', "x"),
    ('{"type": "open", "id": "x", "nonce": "00"}', "x"),
    ('{"type": "leave", "id": ""}', None),
    ('{"type": "leave", "id": "' + "x" * 37 + '"}', None),
    ('{"type": "leave", "id": 7}', None),
)
BAD_NAMES: Final = (" Ann", "Ann  B", "A\x1b[2J", "A\u202eB", "A\u200bB", "a" * 79)
NOWHERE: Final = "ZZZZZ"


async def frames(kit: Kit) -> None:
    """What WebSocket itself carries, and how."""
    with kit.check("plain-websocket", vital=True):
        line = await kit.connect("a client")
        named = line.socket.extensions
        require(not named, f"it has agreed to {named}")
    with kit.check("protocols"):
        hello = line.hello
        require(PROTOCOL in hello.protocols, f"`protocols` is {hello.protocols}")
        limits = hello.limits
        require(limits.message_bytes >= 1024, f"`message_bytes` is {limits.message_bytes}")
        require(limits.costed_burst >= 10, f"`costed_burst` is {limits.costed_burst}")
    with kit.check("fragments"):
        await line.socket.send_pieces('{"type": "ch', 'at", "id": "f", "text', '": "hi"}')
        _is_error(await line.next(), "not_joined", "f", "a message in three fragments")
    for name, send, code in (("binary", _binary, 1003), ("utf-8", _garbled, 1007)):
        with kit.check(name):
            await _ends(await kit.connect("a client"), send, code)
    with kit.check("too-long"):
        line = await kit.connect("a client")
        await line.socket.send(" " * line.hello.limits.message_bytes + "{}")
        require(_code(await _end_of(line)) == 1009, "the connection did not end with 1009")
    with kit.check("origin"):
        try:
            await kit.connect("a web page", origin="http://evil.example")
        except Broken as error:
            require("403" in str(error), f"{error}, not 403")
        else:
            raise Broken("a connection with a foreign Origin was let in")


async def refusals(kit: Kit) -> None:
    """What is said before a room was entered."""
    line = await kit.connect("a client", NOWHERE)
    with kit.check("malformed"):
        for text, _ in MALFORMED:
            line = await _fresh(kit, line)
            await _malformed(line, text)
    with kit.check("malformed-id"):
        for text, id in MALFORMED:  # noqa: A001 - the wire's name
            line = await _fresh(kit, line)
            answer = await line.raw(text)
            repeated = answer.id if isinstance(answer, Error) else None
            require(repeated == id, f"the id of {text} was repeated as {repeated!r}")
    line = await kit.connect("a client", NOWHERE)
    with kit.check("not-joined"):
        for message in (i.Chat(text="hi"), i.Start(), i.Leave(), i.Continue(step=0)):
            await line.refused(message, "not_joined")
    with kit.check("no-such-room"):
        await line.refused(kit.joining("Ann"), "no_such_room")
        await line.refused(kit.watching("Ann"), "no_such_room")
        await line.refused(_resuming(kit), "no_such_room")
        await (await kit.connect("a client")).refused(kit.joining("Ann"), "no_such_room")
    with kit.check("other-version"):
        other = i.Join(protocol=999, token=new_token(), name="Ann")
        await line.refused(other, "unsupported_protocol")


async def second_tries(kit: Kit) -> None:
    """Names that will not do, and one that does, on one connection."""
    line = await kit.connect("a client")
    with kit.check("bad-name"):
        for name in BAD_NAMES:
            await line.refused(_creating(kit, name), "bad_name", "malformed")
    with kit.check("second-try"):
        await line.enter(_creating(kit, "Ann"))
        await line.does(i.Close())


async def flood(kit: Kit) -> None:
    """A client that does not stop."""
    line = await kit.connect("a flooder", NOWHERE)
    with kit.check("flood"):
        for _ in range(line.hello.limits.costed_burst * 3):
            await line.socket.send("{}")
        bye = await line.until(Bye)
        require(bye.code == "flood", f"it was told {told(bye)}")
        require(bye.retry == "after_ms" and bye.after_ms, "it was not told when to come back")
        require(_code(await _end_of(line)) == 1008, "the connection did not end with 1008")


def _creating(kit: Kit, name: str) -> i.Create:
    return i.Create(protocol=PROTOCOL, token=new_token(), password=kit.password, name=name)


def _resuming(kit: Kit) -> i.Resume:
    return i.Resume(protocol=PROTOCOL, token=new_token(), password=kit.password)


async def _fresh(kit: Kit, line: Member) -> Member:
    """Take a new connection now and then: each refusal costs."""
    line.refusals += 1
    if line.refusals < line.hello.limits.costed_burst // 2:
        return line
    await line.close()
    return await kit.connect("a client", NOWHERE)


async def _malformed(line: Member, text: str) -> None:
    answer = await line.raw(text)
    if not isinstance(answer, Error) or answer.code != "malformed":
        sent = text or "an empty message"
        raise Broken(f"{sent} should be malformed; the answer was {told(answer)}")


def _is_error(answer: Outbound | Ended, code: str, id: str, what: str) -> None:  # noqa: A002 - the wire's name
    good = isinstance(answer, Error) and (answer.code, answer.id) == (code, id)
    text = f"{what} should be answered with error {code}, id {id}; the answer was {told(answer)}"
    require(good, text)


async def _binary(line: Member) -> None:
    await line.socket.send(b'{"type": "leave"}')


async def _garbled(line: Member) -> None:
    await line.socket.send_broken_text(b'{"type": "\xff\xfe"}')


async def _ends(line: Member, send: object, code: int) -> None:
    await send(line)  # type: ignore[operator]
    ended = _code(await _end_of(line))
    require(ended == code, f"the connection ended with {ended}, not with {code}")


async def _end_of(line: Member) -> Ended:
    while True:
        message = await line.next()
        if isinstance(message, Ended):
            return message


def _code(ended: Ended) -> int | None:
    return ended.code
