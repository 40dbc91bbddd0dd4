"""The scenes that a bot is led through, each with the bot started anew."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from nana_client.conformance.bots import script
from nana_client.conformance.bots.guest import HELLO, Guest
from nana_client.conformance.bots.house import House
from nana_client.conformance.bots.odd import ODD, false_promise, opened
from nana_client.conformance.bots.referee import WATCHED, Referee
from nana_client.conformance.bots.table import ROOM, Table, now_ms
from nana_client.conformance.codes import explained
from nana_client.conformance.findings import SceneOver
from nana_client.conformance.verdict import Broken, Check, require
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Bye, ChatLine, Notice, Welcome
from nana_core.text import NAME_CELLS, flaw_in

Scene: TypeAlias = Callable[[House], Awaitable[None]]
CHECKS: Final = (
    Check("waits-for-hello", "9.1", "It says nothing before `hello`."),
    Check("entrance", "16", "It joins the room of its link, with a clean name."),
    Check("kind", "6.1", "It says what it is: `kind` is bot."),
    Check("token", "3", "It makes a new token for each room."),
    Check("well-formed", "6", "All that it sends are messages of the protocol."),
    Check("rights", "5.1", "It does not ask for what only the host may do."),
    Check("alive", "2.3", "It answers pings, also on its own turn."),
    Check("lobby", "5.1", "It plays only when there is a game."),
    Check("open", "13.3", "It opens the nonce that it has committed to."),
    Check("false-promise", "13.3", "It opens nothing when the server's commitment has changed."),
    Check("turn", "16", "It acts on its own turn, and not on another's."),
    Check("legal", "6.2", "It does what `legal` lists."),
    Check("step", "6.2", "Its actions carry the `step` of the newest snapshot."),
    Check("once", "16", "It sends one action for each step."),
    Check("pace", "12.1", "It does not continue before `not_before`."),
    Check("plays", "4", "It plays: each turn that is its own comes to an end."),
    Check("stale", "11", "Told stale, it decides again on the snapshot that follows."),
    Check("too-early", "11", "Told too_early, it sends the same again a little later."),
    Check("old-snapshot", "3", "It ignores a snapshot with a lower version."),
    Check("pause", "6.4", "In a pause it waits, and goes on afterwards."),
    Check("missed", "10.3", "Attempts in `missed` do not disturb it."),
    Check("over", "16", "When a game is over it sends `rematch` or `leave`.", must=False),
    Check("no-winner", "7.2", "A game that ends without a winner does not disturb it."),
    Check("next-game", "5", "Ready for a rematch, it plays the next game, too."),
    Check("unknown", "3", "Types, fields and codes that it does not know do not disturb it."),
    Check("empty-hand", "4", "Without cards in its hand it plays on."),
    Check("beside", "6.1", "Let in without a seat, it acts for nobody."),
    Check("never", "7.7", "After `bye` with `never` it does not come back."),
    Check("after-ms", "7.7", "After `bye` with `after_ms` it waits as long as it was told."),
    Check("resume", "10.1", "After a lost connection it comes back to its seat.", must=False),
    Check("refused", "6.1", "Refused at the door, it does not try again and again."),
)
BACK: Final = 12.0  # seconds to come back in
EMPTY: Final = (  # a game so far: B has no cards any more, and is to continue
    "4.4.4.5.6.7.7.9.10.10/1.1.1.2.2.2.3.3.3.8 | 8.8.5.5.6.6.7.9.9.10 | B : "
    "b< b< b< . b< b< b< . b< b< b< . b< c1 c2"
)


async def entered(house: House, guest: Guest) -> Table:
    """Greet a bot, and take its entrance; the table is a lobby with it in seat B."""
    with house.check("waits-for-hello"):
        early = await guest.quiet(0.25)
        require(not early, "it sent something before it was greeted")
    await guest.say(HELLO)
    with house.check("entrance", vital=True):
        heard = await guest.hear("entering the room")
        join = heard.message
        if not isinstance(join, i.Join):
            raise Broken(f"it sent `{join.__struct_config__.tag}`, and not `join`")
        path = guest.socket.path.rstrip("/")
        require(path == f"/r/{ROOM}", f"it connected to {path}, and not to /r/{ROOM}")
        require(join.protocol == 1, f"it speaks version {join.protocol}; `hello` names 1")
        why = flaw_in(join.name, NAME_CELLS)
        require(why is None, f"the name {join.name!r} will not do: {why}")
    with house.check("kind"):
        require(join.kind == "bot", f"its `kind` is {join.kind}, and not bot")
    with house.check("token"):
        require(join.token not in house.tokens, "it came with a token that it has used before")
        require(len(set(join.token)) > 4, f"the token {join.token} is not random")
        house.tokens.add(join.token)
    guest.join = join
    return Table(join.name, join.nonce_hash)


async def seated(house: House, what: str) -> Referee:
    """Start the bot, and seat it in the lobby."""
    guest = await house.bot(what)
    table = await entered(house, guest)
    return Referee(house, guest, table, guest.join)


async def evening(house: House) -> None:
    """A game with an odd thing on each of the bot's turns, then two more."""
    referee = await seated(house, "A whole evening")
    table, guest = referee.table, referee.guest
    await referee.welcome(ChatLine(seq=1, name="Ann", seat="A", text="Hello, bot"))
    with house.check("lobby"):
        await referee.idle(0.3)
    await opened(house, referee)
    odd = list(ODD)
    with house.check("plays", vital=True):
        while table.phase == "playing":
            if table.bots_turn:
                await (odd.pop(0)(house, referee) if odd else referee.bot_turn())
            else:
                await referee.script_turn(collect=not odd)
    if not await _again(house, referee):
        return
    await opened(house, referee)
    with house.check("next-game", vital=True):
        for _ in range(2):
            await (referee.bot_turn() if table.bots_turn else referee.script_turn())
    with house.check("no-winner", vital=True):
        table.end("cap")
        await referee.show()
        await referee.idle(0.3)
        require(guest.ended is None or referee.left, "it hung up when nobody had won")
    if referee.left:
        return
    with house.check("never"):
        await guest.say(Bye(code="closed", text="The room is closed.", retry="never"))
        await guest.gone(1.0)  # it may be saying something, and has to read this first
        await guest.close()
        require(await house.nobody(2.0), "after `bye` with `never` it connected again")


async def _again(house: House, referee: Referee) -> bool:
    """Have the bot say what it will do next; tell whether it plays again."""
    table, guest = referee.table, referee.guest
    with house.check("over"):
        while not referee.left and not (referee.ready and referee.ready.ready):
            await referee.take(await guest.hear("saying `rematch` or `leave`"))
    if referee.left or referee.ready is None:
        return False
    table.commitment, table.ready = referee.ready.nonce_hash, True
    table.change()
    await referee.show()
    table.number += 1
    return True


async def strangers(house: House) -> None:
    """A server of a later day: it says more than this protocol knows."""
    referee = await seated(house, "A newer server")
    referee.strange = True
    notice = Notice(code="moonrise", seat="Z", name=None, text="The moon is up.")
    await referee.guest.say(notice)
    with house.all_for("unknown", WATCHED), house.check("unknown", vital=True):
        await referee.welcome()
        await opened(house, referee)
        for _ in range(3):
            await referee.guest.say(notice)
            await (referee.bot_turn() if referee.table.bots_turn else referee.script_turn())


async def promise(house: House) -> None:
    """A server that changes its commitment when it has seen the bot's."""
    referee = await seated(house, "A false promise")
    await referee.welcome()
    if referee.table.commitment is not None:
        await false_promise(house, referee)


async def empty(house: House) -> None:
    """Late in a game in which all cards of the bot have been collected."""
    referee = await seated(house, "An empty hand")
    table = referee.table
    await referee.welcome()
    with house.all_for("empty-hand", WATCHED), house.check("empty-hand", vital=True):
        table.begin_at(EMPTY)
        await referee.show()
        await referee.bot_turn()


async def beside(house: House) -> None:
    """Nobody gave it a seat: a game is running."""
    referee = await seated(house, "Beside the table")
    table = referee.table
    table.seat = None
    table.begin()
    with house.check("beside"):
        await referee.welcome()
        for word in script.miss(table.running):
            table.act(word)
            await referee.show()
            await referee.idle(0.5)


async def broken_line(house: House) -> None:
    """The connection breaks on the bot's turn, and a stand-in asks its hand meanwhile."""
    referee = await seated(house, "A broken line")
    await referee.welcome()
    await opened(house, referee)
    if not referee.table.bots_turn:
        await referee.script_turn()
    referee.guest.cut()
    table = referee.table
    table.stand_in = True
    for word in (".", "b<") if table.running.table.shown else ("b<",):
        table.act(word)
    with house.check("resume"):
        guest = await house.guest(BACK)
        await _resumed(guest, referee)
        with house.check("plays"):
            again = Referee(house, guest, table, referee.join)
            again.asked_for = referee.asked_for  # what it did not see acknowledged may come again
            await again.bot_turn()


async def restart(house: House) -> None:
    """The server stops, and says when to come back."""
    referee = await seated(house, "A restart")
    await referee.welcome()
    wait = 1500
    bye = Bye(code="restart", text="The server is stopping.", retry="after_ms", after_ms=wait)
    said = now_ms()
    await referee.guest.say(bye)
    await referee.guest.close()
    with house.check("after-ms"):
        left = max(0, said + wait - now_ms()) / 1000
        patient = await house.nobody(left, exactly=True)
        require(patient, f"it was back before the {wait} ms were over")


async def _resumed(guest: Guest, referee: Referee) -> None:
    await guest.say(HELLO)
    heard = await guest.hear("coming back to its seat")
    message = heard.message
    if not isinstance(message, i.Entering):
        raise Broken(f"it came back with `{message.__struct_config__.tag}`")
    require(message.token == referee.join.token, "it came back with another token: a new member")
    require(isinstance(message, i.Resume), "it came back with `join`; `resume` is the way")
    welcome = Welcome(id=message.id, room=ROOM, seat="B", name=referee.table.name, resumed=True)
    await guest.say(welcome, referee.table.snapshot())


async def refused(house: House) -> None:
    """No seat is free, and no place beside the table."""
    guest = await house.bot("No room")
    await guest.say(HELLO)
    heard = await guest.hear("entering the room")
    with house.check("refused"):
        tries = 0
        await guest.refuse(heard.message, "room_full")
        for _ in range(4):
            for again in await guest.quiet(0.5):
                tries += 1
                await guest.refuse(again.message, "room_full")
        while not await house.nobody(0.05):
            tries += 1
        text = f"it tried {tries} times more in 2 s, having been told {explained('room_full')}"
        require(tries <= 2, text)


SCENES: Final[tuple[Scene, ...]] = (
    evening, strangers, promise, empty, beside, broken_line, restart, refused,
)  # fmt: skip


async def lead_through(house: House, scenes: Sequence[Scene] = SCENES) -> None:
    """Lead a bot through the scenes; raise NoBot when none comes to the first."""
    for scene in scenes:
        try:
            await scene(house)
        except SceneOver:
            pass
        except Broken as error:
            house.broken("plays", str(error))
        finally:
            await house.clear()
