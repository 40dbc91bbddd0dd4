"""Check a server: play all scenes at it, one after the other, and put together what came out."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from nana_client.address import Target
from nana_client.conformance import away, clock, entrances, games, rooms, tables
from nana_client.conformance.findings import SceneOver
from nana_client.conformance.kit import Kit
from nana_client.conformance.verdict import Broken, Check, Verdict, verdicts

Scene: TypeAlias = Callable[[Kit], Awaitable[None]]
WATCHED: Final = (
    Check("json", "2.2", "Every frame is a JSON object with a `type`."),
    Check("hello", "9.1", "`hello` comes first, and once."),
    Check("fields", "3", "Every field of a message is there, and of its type."),
    Check("tables", "4", "Every snapshot shows a table that can be."),
    Check("phases", "8.1", "Each field has a value in the phases where it has one."),
    Check("secrecy", "8.2", "No snapshot shows what its viewer may not know."),
    Check("versions", "9.1", "`version` and `step` never fall."),
    Check("ack-first", "9.1", "An ack comes before the snapshot that shows its effect."),
    Check("ids-repeated", "7.3", "An answer repeats the id of its message."),
    Check("in-between", "6", "What is done between the other checks is answered as it should be."),
    Check("bye-last", "9.1", "After `bye` nothing comes but the close."),
)
SCENES: Final[tuple[Scene, ...]] = (
    entrances.frames,
    entrances.refusals,
    entrances.second_tries,
    entrances.flood,
    rooms.doors,
    rooms.house_rules,
    rooms.talk,
    games.evening,
    tables.growing,
    clock.deadlines,
    away.coming_back,
    away.lost_answers,
    away.pages,
)
SLOW: Final[tuple[Scene, ...]] = (clock.stand_ins,)  # half a minute
CHECKS: Final = (
    *WATCHED, *entrances.CHECKS, *rooms.CHECKS, *games.CHECKS, *tables.CHECKS, *clock.CHECKS,
    *away.CHECKS,
)  # fmt: skip


async def examine(
    target: Target,
    password: str | None = None,
    scenes: Sequence[Scene] = SCENES,
    checks: Sequence[Check] = CHECKS,
    say: Callable[[str], object] = str,  # hears how far it has come
) -> tuple[str, tuple[Verdict, ...]]:
    """Return what a server calls itself, and the verdicts. Raise Broken if none is there."""
    kit = Kit(target.at(None), password)
    await kit.connect("a client")
    await kit.hang_up()
    kit.reached |= {check.name for check in WATCHED}
    for scene in scenes:
        say(f"{(scene.__doc__ or '').partition('.')[0]} …")
        try:
            await scene(kit)
        except SceneOver:
            pass
        except Broken as error:
            kit.broken("in-between", str(error))
        finally:
            await kit.hang_up()
    return kit.server, verdicts(checks, kit.found, kit.reached)
