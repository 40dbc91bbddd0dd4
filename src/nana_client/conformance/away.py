"""Scenes of those who lose their connection, or close it; and the pages beside the rooms."""

import asyncio
import http.client
from functools import partial
from typing import Final

import msgspec

from nana_client.conformance.kit import Kit, new_token
from nana_client.conformance.verdict import Broken, Check, require
from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import PROTOCOL
from nana_core.protocol.outbound import ChatLine, Snapshot

CHECKS: Final = (
    Check("away", "10.1", "Who loses the connection keeps the seat, and is shown as away."),
    Check("resume", "10.1", "`resume` brings back the seat, the hand and the missing chat."),
    Check("no-past", "8.2", "Nothing that was revealed meanwhile is repeated on resume."),
    Check("token-is-key", "10.1", "Another token does not get the seat, and harms nobody."),
    Check("lost-create", "6.1", "A `create` that is sent again leads to the same room."),
    Check("pages", "2.4", "`/healthz`, `/rooms`, `/schema` and `/r/CODE` answer as they should."),
    Check("no-page", "2.4", "Other paths are 404, other methods 405."),
)
GET: Final = {"/healthz": dict, "/rooms": list, "/schema": dict}


async def coming_back(kit: Kit) -> None:
    """A connection that breaks in the middle of a game."""
    ann = await kit.create("Ann", seats=2, pace=0, turn_time=0)
    bo = await kit.join(ann.room, "Bo")
    await ann.does(i.Start())
    for line in (ann, bo):
        await line.see(lambda s: s.phase == "opening", "the opening")
        await line.does(i.Open(nonce=line.nonces[-1].hex()))
    for line in (ann, bo):
        await line.see(lambda s: s.phase == "playing", "the game")
    idle, active = (bo, ann) if ann.newest.on_turn == "A" else (ann, bo)
    hand, letter = idle.newest.you.hand, idle.newest.you.seat
    with kit.check("away", vital=True):
        idle.cut()
        shot = await active.see(
            lambda s: not all(seat.online for seat in s.seats), f"that {idle.who} is away"
        )
        kept = next(seat for seat in shot.seats if seat.seat == letter)
        require(kept.name == idle.who and not kept.left, f"{idle.who} has lost the seat")
    await active.does(i.Chat(text="Where are you?"))
    while active.newest.legal != ("continue",):
        source = active.newest.legal[0]
        version = await active.does(i.Reveal(step=active.newest.step, source=source))  # type: ignore[arg-type]
        await active.see(partial(_since, version), "what it has turned over")
    with kit.check("token-is-key"):
        line = await kit.connect("a thief", ann.room)
        wrong = i.Resume(protocol=PROTOCOL, token=new_token(), password=kit.password)
        await line.refused(wrong, "no_such_room")
    with kit.check("resume", vital=True):
        back = await kit.resume(idle)
        welcome, shot = back.welcome, back.newest
        require(welcome.seat == letter, f"`welcome` gives seat {welcome.seat}, not {letter}")
        require(welcome.resumed, "`resumed` is false after a `resume`")
        require(list(shot.you.hand) == _left(hand, letter, shot), "the hand is another")
        said = [got.text for got in back.log if isinstance(got, ChatLine)]
        require(said == ["Where are you?"], f"the chat since the drop is {said}")
    with kit.check("no-past"):
        require(shot.missed == (), "`missed` tells of what was revealed meanwhile")
    await back.quiet()
    seq = 1
    with kit.check("resume"):
        again = await kit.resume(back, seq, token=idle.token)
        said = [got.text for got in again.log if isinstance(got, ChatLine)]
        require(said == [], f"with `seq` {seq} it is sent the lines {said} again")
    host = again if idle is ann else ann
    await host.does(i.End())
    await host.does(i.Close())


def _since(version: int, snapshot: Snapshot) -> bool:
    return snapshot.version >= version


def _left(hand: tuple[int, ...], letter: str | None, shot: Snapshot) -> list[int]:
    """Return a hand without what lies in the attempt."""
    left = list(hand)
    for card in shot.attempt.cards if shot.attempt else ():
        if card.source[0].upper() == letter and not card.source[1:].isdigit():
            left.remove(card.number)
    return left


async def lost_answers(kit: Kit) -> None:
    """An entrance whose answer never came."""
    ann = await kit.create("Ann", seats=2)
    with kit.check("lost-create"):
        ann.cut()
        line = await kit.connect("Ann")
        again = i.Create(protocol=PROTOCOL, token=ann.token, password=kit.password, name="Ann")
        welcome = await line.enter(again)
        require(welcome.room == ann.room, f"the same `create` made {welcome.room}, too")
        require(welcome.seat == "A", f"and its place is {welcome.seat}")
        await line.does(i.Close())


async def pages(kit: Kit) -> None:
    """Plain HTTP on the same port."""
    with kit.check("pages"):
        for path, kind in GET.items():
            status, body = await _asked(kit, "GET", path)
            require(status == 200, f"GET {path} answers {status}")
            require(isinstance(_json(path, body), kind), f"GET {path} is no JSON {kind.__name__}")
            status, body = await _asked(kit, "HEAD", path)
            require(
                (status, body) == (200, b""), f"HEAD {path} answers {status}, {len(body)} bytes"
            )
        require(_json("/healthz", (await _asked(kit, "GET", "/healthz"))[1])["status"] == "ok",
                "`status` of /healthz is not ok")  # fmt: skip
        known = await _asked(kit, "GET", "/r/ZZZZZ")
        require(known[0] == 200, f"GET /r/CODE answers {known[0]}")
    with kit.check("no-page"):
        status, _ = await _asked(kit, "GET", "/none-such")
        require(status == 404, f"GET /none-such answers {status}, not 404")
        status, _ = await _asked(kit, "POST", "/healthz")
        require(status == 405, f"POST /healthz answers {status}, not 405")


async def _asked(kit: Kit, method: str, path: str) -> tuple[int, bytes]:
    return await asyncio.to_thread(_ask, kit, method, path)


def _ask(kit: Kit, method: str, path: str) -> tuple[int, bytes]:
    target = kit.target
    make = http.client.HTTPSConnection if target.secure else http.client.HTTPConnection
    prefix = target.server.partition("://")[2].partition("/")[2].rstrip("/")
    connection = make(target.host, target.port, timeout=5)
    try:
        connection.request(method, f"/{prefix}{path}" if prefix else path)
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException) as error:
        raise Broken(f"{method} {path} was not answered: {error}") from None
    finally:
        connection.close()


def _json(path: str, body: bytes) -> dict[str, object]:
    try:
        read: dict[str, object] = msgspec.json.decode(body)
    except msgspec.DecodeError:
        raise Broken(f"GET {path} is not JSON") from None
    return read
