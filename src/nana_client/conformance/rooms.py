"""Scenes in the lobby: who gets which place, what the host may do, talk, ids, and leaving."""

from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from nana_client.conformance.kit import Kit, Member
from nana_client.conformance.line import Line, told
from nana_client.conformance.verdict import Check, require
from nana_client.conformance.wire import Ended
from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import PROTOCOL, OptionChanges
from nana_core.protocol.outbound import Ack, Bye, ChatLine, Notice, Snapshot, Welcome

CHECKS: Final = (
    Check("create", "6.1", "`create` opens a room; its sender is the host, in seat A."),
    Check("welcome-order", "9.1", "An entrance is answered by welcome, chat, notices, snapshot."),
    Check("join", "6.1", "`join` takes the first free seat, and everybody is shown it."),
    Check("names", "14.3", "A name that somebody has already gets a number."),
    Check("watch", "6.1", "`watch` gives a place without a seat, and watchers are named."),
    Check("already-joined", "6.1", "A second entrance on a connection is already_joined."),
    Check("same-token", "6.1", "The same token gets the same place again, by any entrance."),
    Check("replaced", "10.2", "The older connection gets `bye` replaced, retry never."),
    Check("room-full", "11", "When all seats are taken, `join` is room_full."),
    Check("options", "5.2", "The host sets options, one by one, and everybody is shown them."),
    Check("bad-option", "11", "Fewer seats than are taken is bad_option."),
    Check("bots-refused", "5.2", "With `bots` off, a `join` of the kind bot is bots_refused."),
    Check("rights-lobby", "5.1", "In the lobby, who may do what is as the table says."),
    Check("add-bot", "6.4", "`add_bot` seats a bot of the server; `remove` takes it away."),
    Check("give-host", "6.4", "`give_host` makes another seat the host."),
    Check("sit", "6.3", "A watcher takes a free seat with `sit`; a taken one is seat_taken."),
    Check("remove", "6.4", "Who is removed is told `bye` removed, retry never."),
    Check("chat", "7.4", "A line of chat comes to everybody, numbered, and changes no version."),
    Check("bad-text", "14.3", "A line of chat that is no clean text is bad_text."),
    Check("retry", "9.2", "The same message with the same id has one effect and the same ack."),
    Check("id-reused", "9.2", "Another message with a kept id is id_reused, and does nothing."),
    Check("refused-id", "9.2", "A refused message uses its id not up."),
    Check("leave", "6.3", "`leave` is answered by `bye` left; the token is worth nothing then."),
    Check("close", "6.4", "`close` says `bye` closed to everybody, and the room is gone."),
)


async def doors(kit: Kit) -> None:
    """Who comes in, and to which place."""
    with kit.check("create", vital=True):
        ann = await kit.create("Ann", seats=2)
        welcome, shot = ann.welcome, ann.newest
        require(welcome.seat == "A", f"whoever creates sits at {welcome.seat}, not at A")
        require(shot.phase == "lobby", f"a new room is in {shot.phase}, not in the lobby")
        require(shot.you.host and shot.host == "A", "whoever creates is not the host")
        require(shot.options.seats == 2, "the options of `create` are not the room's")
        require(len(shot.seats) == 2, f"a room of 2 seats shows {len(shot.seats)}")
        require(not welcome.resumed, "`resumed` is true after a `create`")
    await ann.does(i.Chat(text="hello"))
    with kit.check("join", vital=True):
        bo = await kit.join(ann.room, "Bo")
        require(bo.welcome.seat == "B", f"the second to join sits at {bo.welcome.seat}, not at B")
        shot = await ann.see(lambda s: s.seats[1].name == "Bo", "Bo in seat B")
        require(shot.seats[1].kind == "person", f"the kind of Bo is {shot.seats[1].kind}")
        require(shot.seats[1].online and shot.seats[1].ready, "Bo is not online and ready")
    with kit.check("welcome-order"):
        await _in_order(kit, ann.room)
    with kit.check("room-full"):
        line = await kit.connect("a third", ann.room)
        await line.refused(kit.joining("Dee"), "room_full")
    with kit.check("names"):
        other = await kit.watch(ann.room, "Ann")
        require(other.welcome.name == "Ann 2", f"a second Ann is called {other.welcome.name!r}")
    with kit.check("already-joined"):
        await bo.refused(kit.joining("Bo"), "already_joined")
    with kit.check("same-token"):
        again = await kit.connect("Bo again", ann.room)
        got = await again.enter(replace(kit.joining("Someone"), token=bo.token))
        require(got.seat == "B", f"a known token got the place {got.seat}, not B")
        require(got.name == "Bo", f"a known token got the name {got.name!r}, not Bo")
    with kit.check("replaced"):
        bye = await bo.until(Bye)
        require(bye.code == "replaced", f"the older connection was told {told(bye)}")
        require(bye.retry == "never", f"`retry` is {bye.retry}: two clients would fight")
    await ann.does(i.Close())


async def house_rules(kit: Kit) -> None:
    """What the host may do, and others may not."""
    ann = await kit.create("Ann", seats=4)
    bo = await kit.join(ann.room, "Bo")
    with kit.check("watch"):
        eve = await kit.watch(ann.room, "Eve")
        require(eve.welcome.seat is None, f"a watcher sits at {eve.welcome.seat}")
        await ann.see(lambda s: s.watching == ("Eve",), "Eve among the watchers")
    await kit.calm(ann, bo, eve)
    with kit.check("rights-lobby"):
        await _rights(ann, bo, eve)
    with kit.check("options"):
        for change in ({"turn_time": 60}, {"pace": 700}, {"memory": "open"}, {"memory": "none"}):
            was = ann.newest.options
            version = await ann.does(i.SetOptions(options=msgspec.convert(change, OptionChanges)))
            shot = await bo.see(partial(_since, version), "the new options")
            wanted = replace(was, **change)
            require(shot.options == wanted, f"after {change} the options are {shot.options}")
            await ann.quiet()
    with kit.check("bad-option"):
        await ann.does(i.AddBot(level="random"))
        await ann.does(i.AddBot(level="random"))
        await ann.refused(i.SetOptions(options=OptionChanges(seats=2)), "bad_option")
        await ann.refused(i.AddBot(), "no_free_seat")
    with kit.check("add-bot"):
        await ann.quiet()
        robots = [seat for seat in ann.newest.seats if seat.level == "random"]
        require(len(robots) == 2, f"two bots were added, and {len(robots)} sit there")
        require(all(seat.kind == "bot" and seat.ready for seat in robots), "a bot is not ready")
        await ann.does(i.Remove(seat="D"))
        await ann.see(lambda s: s.seats[3].kind == "free", "that the bot in D is gone")
    with kit.check("sit"):
        await eve.refused(i.Sit(seat="A"), "seat_taken")
        await eve.does(i.Sit(seat="D"))
        await eve.see(lambda s: s.you.seat == "D", "that Eve sits at D")
    with kit.check("bots-refused"):
        await ann.does(i.Remove(seat="C"))
        await ann.does(i.SetOptions(options=OptionChanges(bots=False)))
        line = await kit.connect("a bot", ann.room)
        await line.refused(kit.joining("Robo", kind="bot"), "bots_refused")
    await _farewells(kit, ann, bo, eve)


async def _farewells(kit: Kit, ann: Member, bo: Member, eve: Member) -> None:
    """Who goes, who is made to go, and who inherits."""
    with kit.check("give-host"):
        await ann.does(i.GiveHost(seat="B"))
        await bo.see(lambda s: s.you.host and s.host == "B", "that Bo is the host")
        await ann.refused(i.Start(), "not_host")
    with kit.check("remove"):
        await bo.does(i.Remove(seat="D"))
        bye = await eve.until(Bye)
        require((bye.code, bye.retry) == ("removed", "never"), f"Eve was told {told(bye)}")
    with kit.check("leave"):
        await ann.say(i.Leave(id="gone"))
        bye = await ann.until(Bye)
        require((bye.code, bye.retry) == ("left", "never"), f"who leaves gets {told(bye)}")
        line = await kit.connect("Ann again", ann.room)
        lost = i.Resume(protocol=PROTOCOL, token=ann.token, password=kit.password)
        await line.refused(lost, "no_such_room")
        await bo.see(lambda s: s.seats[0].kind == "free", "that seat A is free")
    with kit.check("close"):
        await bo.say(i.Close())
        bye = await bo.until(Bye)
        require((bye.code, bye.retry) == ("closed", "never"), f"Bo was told {told(bye)}")
        ended = await bo.next()
        code = ended.code if isinstance(ended, Ended) else "another message"
        require(code == 1000, f"after the `bye` came {code}, not the close 1000")
        line = await kit.connect("Dee", ann.room)
        await line.refused(kit.joining("Dee"), "no_such_room")


async def talk(kit: Kit) -> None:
    """Chat, and what ids are for."""
    ann = await kit.create("Ann", seats=2)
    bo = await kit.join(ann.room, "Bo")
    await kit.calm(ann, bo)
    with kit.check("chat"):
        version, marks = ann.version, [len(ann.log), len(bo.log)]
        await ann.does(i.Chat(text="one"))
        await bo.does(i.Chat(text="two"))
        await kit.calm(ann, bo)
        for line, mark in zip((ann, bo), marks, strict=True):
            lines = [got for got in line.log[mark:] if isinstance(got, ChatLine)]
            said = [(got.seq, got.name, got.seat, got.text) for got in lines]
            wanted = [(1, "Ann", "A", "one"), (2, "Bo", "B", "two")]
            require(said == wanted, f"{line.who} heard {said}")
        require(ann.version == version, "chat has raised the version")
    with kit.check("bad-text"):
        for text in (" hi", "a  b", "a\x07b", "a\u202eb", "奈" * 101):
            await ann.refused(i.Chat(text=text), "bad_text")
    with kit.check("retry"):
        first = await ann.ask(i.Chat(id="r-1", text="once"))
        second = await ann.ask(i.Chat(id="r-1", text="once"))
        require(isinstance(first, Ack) and first == second, "the ack of the retry is another one")
        heard = [got.text for got in await bo.quiet() if isinstance(got, ChatLine)]
        require(heard == ["once"], f"said once and sent twice, it was heard as {heard}")
    with kit.check("id-reused"):
        await ann.refused(i.Chat(id="r-1", text="another"), "id_reused")
        heard = [got.text for got in await bo.quiet() if isinstance(got, ChatLine)]
        require(heard == [], f"what was refused was heard: {heard}")
        answer = await bo.ask(i.Chat(id="r-1", text="mine"))
        require(isinstance(answer, Ack), "another member may not use an equal id")
    with kit.check("refused-id"):
        await ann.refused(i.Chat(id="r-2", text="a  b"), "bad_text")
        answer = await ann.ask(i.Chat(id="r-2", text="a b"))
        require(isinstance(answer, Ack), "an id that was refused once is refused for ever")
    await ann.does(i.Close())


def _since(version: int, snapshot: Snapshot) -> bool:
    return snapshot.version >= version


async def _in_order(kit: Kit, room: str) -> None:
    line = await kit.connect("Cleo", room)
    await line.say(replace(kit.watching("Cleo"), id="w"))
    seen: list[int] = []
    order: list[type] = [Welcome, ChatLine, Notice, Snapshot]
    while order.index(Snapshot) not in seen:
        got = await line.next()
        kinds = [at for at, kind in enumerate(order) if isinstance(got, kind)]
        require(kinds, f"among the answers to an entrance is `{type(got).__name__}`")
        seen += kinds
    require(seen == sorted(seen) and seen[0] == 0, "the answers to an entrance are out of order")
    require(1 in seen, "who comes in is not sent the kept lines of chat")


async def _rights(host: Member, guest: Line, watcher: Line) -> None:
    """protocol.md § "Life of a room": who may send what, by its column for the lobby."""
    step = host.newest.step
    seated: tuple[i.Inside, ...] = (
        i.Reveal(step=step, source="c1"),
        i.Continue(step=step),
        i.Open(nonce="0" * 64),
        i.Rematch(),
    )
    for message in (*seated, i.Pause(), i.End()):
        await host.refused(message, "wrong_phase")
    for message in (
        i.SetOptions(options=OptionChanges(pace=0)),
        i.AddBot(),
        i.Remove(seat="A"),
        i.GiveHost(seat="B"),
        i.Start(),
        i.Close(),
    ):
        await guest.refused(message, "not_host")
        await watcher.refused(message, "not_host")
    await host.refused(i.Remove(seat="A"), "bad_option")
    await host.refused(i.Remove(seat="D"), "no_such_seat")
    await guest.refused(i.Sit(), "seat_taken")
