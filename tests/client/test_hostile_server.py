"""A server that sends anything at all: plain mode and bots stay up, and terminals stay clean."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

import pytest

from client.scenes import finished, lobby, played, snapshot_of
from client.tables import HELLO, ROOM, WELCOME, Peer, house
from nana_bots.mind import LEVELS
from nana_client.entrance import Joining
from nana_client.link import Link
from nana_client.plain_table import Table
from nana_client.robot import Robot
from nana_client.session import Session
from nana_core.protocol.codec import encode
from nana_core.protocol.outbound import Bye, ChatLine, Error, Notice

TABLES: Final = [
    json.loads(encode(table))
    for table in (
        lobby(),
        *(snapshot_of(played(3, actions)) for actions in ("", "c1", "a< c8", "a< c8 . c2")),
        snapshot_of(finished(3)),
    )
]
WORDS: Final = [
    json.loads(encode(message))
    for message in (
        ChatLine(seq=1, name="Bo", seat="B", text="hi"),
        Notice(code="joined", seat="B", name="Bo", text="Bo sits down."),
        Error(id=None, code="stale", text="Look again."),
        Bye(code="restart", text="Soon.", retry="after_ms", after_ms=5),
    )
]
NUMBERS: Final = [-1, 0, 3, 7, 13, 99, 2**31, 2**53, 2**64, 10**400, -(10**4000)]
STRINGS: Final = [
    "", "A", "E", "Z", "<", "c0", "c²", "c" + "9" * 5000, "playing", "over", "lobby", "{", "{9}",
    "\x1b[31m\x07", "\u202e\u200b", "[/]", "[@click=app.quit]x", "a\nb", "x" * 3000, "好" * 500,
]  # fmt: skip
HOSTILE: Final = frozenset(map(chr, (*range(32), *range(0x7F, 0xA0), 0x202E, 0x200B)))
CASES: Final = 40
FRAMES: Final = 25


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, key))
        else:
            yield (*path, key)


def _bent(value: Any, random: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return random.choice([*NUMBERS, "down"])
        case str():
            return random.choice([*STRINGS, 5])
        case list():
            return random.choice([[], value * 2, value * 40, value[::-1], value[1:]])
        case dict():
            return random.choice([None, {}, []])
        case _:
            return random.choice([None, 1, "A", [], [[1]]])


def _mutated(message: dict[str, Any], random: Random) -> str:
    changed = deepcopy(message)
    for _ in range(random.choice([0, 1, 1, 2, 5])):
        *way, last = random.choice([path for path in _places(changed) if path != ("type",)])
        holder = changed
        for key in way:
            holder = holder[key]
        holder[last] = _bent(holder[last], random)
    return json.dumps(changed, ensure_ascii=random.random() < 0.5)


def _script(random: Random) -> Callable[[Peer], Any]:
    async def script(peer: Peer) -> None:
        await peer.say(HELLO, WELCOME)
        for version in range(1, FRAMES):
            tables = [{**table, "version": version, "room": ROOM} for table in TABLES]
            await peer.raw(_mutated(random.choice([*tables, *tables, *WORDS]), random))
        await peer.say(Bye(code="closed", text="Enough.", retry="never"))
        await peer.gone()

    return script


@pytest.fixture(autouse=True)
def _one_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is seen as a farewell ends the visit: the next is another case."""
    obey = Link.obey
    monkeypatch.setattr(
        Link, "obey", lambda link, orders: obey(link, type(orders)("never", orders.why))
    )


@pytest.mark.parametrize("case", range(CASES))
async def test_plain_mode_stays_up(case: int) -> None:
    """Whatever comes, the visit ends in a sentence, and no line could touch a terminal."""
    said: list[str] = []
    table = Table(said.append)
    async with house(_script(Random(case))) as target:
        session = Session(target, Joining(name="Ann"), store=None, on_change=table.hear)
        table.enter(session, None)
        ending = await session.run()
    assert ending.text
    assert not any(HOSTILE.intersection(line) for line in [*said, ending.text])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", range(CASES // 2))
async def test_bots_stay_up(case: int, level: Any) -> None:
    """Bots think about whatever table they are shown, and end without a fault."""
    said: list[str] = []
    async with house(_script(Random(case))) as target:
        mind = LEVELS[level](Random(1))
        bot = Robot(target, mind, name="Robo", say=said.append, thinking=0.0)
        await bot.run()
        assert not bot.leaving
    assert said
    assert not any(HOSTILE.intersection(line) for line in said)
