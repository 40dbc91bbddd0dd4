"""Odd things in the middle of a game, one for each of the bot's turns, and the opening."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from nana_client.conformance.bots import script
from nana_client.conformance.bots.house import House
from nana_client.conformance.bots.referee import Referee
from nana_client.conformance.bots.table import now_ms
from nana_client.conformance.verdict import require
from nana_core.fair import nonce_hash
from nana_core.protocol import inbound as i
from nana_core.protocol.wire import attempt_view

Odd: TypeAlias = Callable[[House, Referee], Awaitable[None]]
AHEAD: Final = 150  # ms by which the server's clock is behind what the bot thinks


async def opened(house: House, referee: Referee) -> None:
    """Start a game: the bot opens what it has committed to."""
    table = referee.table
    table.open()
    await referee.show()
    if table.commitment is not None:
        with house.check("open", vital=True):
            table.nonce = await _nonce(referee)
            good = nonce_hash(table.nonce) == table.commitment
            require(good, "it has opened another nonce than the one that it committed to")
    table.begin()
    await referee.show()


async def false_promise(house: House, referee: Referee) -> None:
    """Show another commitment in the opening than in the lobby; see that nothing is opened."""
    referee.table.changed_seed = True
    referee.table.open()
    with house.check("false-promise"):
        await referee.show()
        heard = await referee.guest.quiet(1.0)
        opens = [one for one in heard if isinstance(one.message, i.Open)]
        require(not opens, "it has opened its nonce, though `deal.seed_hash` had changed")


async def _nonce(referee: Referee) -> bytes:
    while True:
        heard = await referee.guest.hear("opening its nonce")
        message = await referee.take(heard)
        if isinstance(message, i.Open):
            return bytes.fromhex(message.nonce)


async def _plain(house: House, referee: Referee) -> None:
    """Nothing is odd; while it thinks it is pinged."""
    with house.check("alive"):
        require(await referee.guest.socket.alive(2.0), "it does not answer pings")
    await referee.bot_turn()


async def _stale(house: House, referee: Referee) -> None:
    """A stand-in is quicker: the bot's card is refused, and one lies open in its name."""
    table = referee.table
    if table.running.table.shown:
        await referee.action()
    late = await referee.asked()
    table.stand_in = True
    table.act("a>")
    await referee.guest.refuse(late, "stale")
    await referee.show()
    with house.check("stale"):
        again = await referee.asked()
        referee.do(again)
        table.stand_in = False
        await referee.guest.acknowledge(again, table.version)
        await referee.show()
    await referee.bot_turn()


async def _too_early(house: House, referee: Referee) -> None:
    """The server's clock is a little behind."""
    table = referee.table
    if not table.running.table.shown:
        await referee.bot_turn()
        return
    early = await referee.asked()
    table.not_before = now_ms() + AHEAD
    await referee.guest.refuse(early, "too_early")
    table.not_before = now_ms()
    with house.check("too-early"):
        await referee.action()
    await referee.bot_turn()


async def _old_snapshot(house: House, referee: Referee) -> None:
    """A snapshot comes that is older than one which has come already."""
    table = referee.table
    if table.running.table.shown:
        await referee.action()
    before = len(house.found.get("once", []))
    await referee.guest.say(referee.asking[0])
    await referee.action()
    await referee.idle(0.2)
    with house.check("old-snapshot"):
        again = house.found.get("once", [])[before:]
        require(not again, f"it answered a snapshot of a lower version: {''.join(again[:1])}")
    await referee.bot_turn()


async def _pause(house: House, referee: Referee) -> None:
    """The host pauses the game on the bot's turn, after its continue, and lets it go on."""
    table = referee.table
    if table.running.table.shown:
        message = await referee.asked()
        referee.do(message)
        await referee.guest.acknowledge(message, table.version)
    table.paused = True
    table.change()
    await referee.show()
    with house.check("pause"):
        await referee.idle(0.5)
        table.paused = False
        table.change()
        await referee.show()
        await referee.bot_turn()


async def _missed(house: House, referee: Referee) -> None:
    """Two attempts pass between two snapshots: one is shown, the other in `missed`."""
    table = referee.table
    table.stand_in = True
    for _ in range(2):
        for word in script.miss(table.running):
            table.act(word)
        attempt, turn = table.running.table.attempt, table.running.table.turn
        table.missed = (*table.missed, attempt_view(attempt, turn))
    table.missed = table.missed[:1]
    with house.check("missed"):
        await referee.show()
        table.missed, table.stand_in = (), False
        await referee.bot_turn()


ODD: Final[tuple[Odd, ...]] = (_plain, _stale, _too_early, _old_snapshot, _pause, _missed)
