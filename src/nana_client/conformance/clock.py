"""Scenes about a turn's time: what is shown of it, who leaves it to others, and its slow end."""

import asyncio
import contextlib
from typing import Final

from nana_client.conformance.dealing import all_over, dealt
from nana_client.conformance.kit import Kit, Member
from nana_client.conformance.story import Story
from nana_client.conformance.verdict import Broken, Check, require
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import SeatView, Snapshot

CHECKS: Final = (
    Check("deadline", "12.2", "A turn has one deadline, `turn_time` after its `not_before`."),
    Check("deadline-pause", "6.4", "In a pause a turn's time stands still."),
    Check("left", "5", "The seat of who leaves a running game is played out by a bot."),
)
SLOW_CHECKS: Final = (
    Check("stand-in", "12.3", "When the deadline passes, a stand-in plays on."),
    Check("stand-in-away", "12.3", "So it does for who has been away for 20 s, on any turn."),
    Check("back-by-acting", "12.3", "Who acts gets the seat back, also when refused."),
    Check("back-by-entrance", "12.3", "Who comes back gets the seat back at once."),
)
TURN: Final = 30  # s, the shortest that there is
PACE: Final = 400
SLACK: Final = 250  # ms by which a server's clock may be read late
START: Final = 5_000  # ms, at most, of a first turn that pass before it is shown
PAUSED: Final = 1.0  # s, well above the slack
AWAY: Final = 20.0  # s
TOO_LATE: Final = 10.0  # s by which a stand-in is missed
EARLY: Final = 2.0  # s that the game may have gone on before it is waited for


async def deadlines(kit: Kit) -> None:
    """A turn with a time, as far as it can be seen without waiting for its end."""
    ann, bo, eve, story = await _at_table(kit)
    with kit.check("deadline", vital=True):
        await _one_deadline(story)
    with kit.check("deadline-pause"):
        await _standing_still(story)
    with kit.check("left", vital=True):
        await _left(story)
    await ann.does(i.End())
    await all_over(Story((ann,), eve))
    await ann.does(i.Close())
    await bo.close()


async def _at_table(kit: Kit) -> tuple[Member, Member, Member, Story]:
    ann = await kit.create("Ann", seats=2, pace=PACE, turn_time=TURN)
    bo = await kit.join(ann.room, "Bo")
    eve = await kit.watch(ann.room, "Eve")
    await kit.calm(ann, bo, eve)
    story, _ = await dealt(kit, (ann, bo), eve)
    return ann, bo, eve, story


async def _one_deadline(story: Story) -> None:
    shot = story.players[0].newest
    deadline, left = shot.deadline, _left_of(shot)
    text = f"a first turn of {TURN} s has {left} ms left when it is shown"
    require(TURN * 1000 - START < left <= TURN * 1000, text)
    while not (shot := await story.reveal(shot.legal[-1])).not_before:
        require(shot.deadline == deadline, "the deadline moves within a turn")
    for _ in range(2):
        _check_shown(shot)
        deadline = shot.deadline
        shot = await story.proceed()
        require(shot.deadline == deadline, "the deadline moves when its turn is begun")
        while not (shot := await story.reveal(shot.legal[-1])).not_before:
            require(shot.deadline == deadline, "the deadline moves within a turn")


def _check_shown(shot: Snapshot) -> None:
    time = (shot.deadline or 0) - (shot.not_before or 0)
    text = f"`deadline` is {time} ms after `not_before`, and a turn has {TURN * 1000}"
    require(time == TURN * 1000, text)


def _left_of(shot: Snapshot) -> int:
    require(shot.deadline is not None, f"a turn with a time of {TURN} s has no deadline")
    return (shot.deadline or 0) - shot.now


async def _standing_still(story: Story) -> None:
    host, old = story.players[0], story.players[0].newest
    await host.does(i.Pause())
    still = await host.see(lambda s: s.paused, "the pause")
    before = (old.deadline or 0) - still.now
    await asyncio.sleep(PAUSED)
    await host.does(i.Pause(on=False))
    after = _left_of(await host.see(lambda s: not s.paused, "that the game goes on"))
    text = f"{before} ms were left when the pause began, and {after} after it"
    require(abs(before - after) <= SLACK, text)


async def _left(story: Story) -> None:
    """Have the guest leave; the turn then is the host's again after a while."""
    host, guest = story.players
    shot = story.players[0].newest
    if story.on_turn is host:
        if shot.not_before:
            shot = await story.proceed()
        while not (shot := await story.reveal(shot.legal[-1])).not_before:
            pass
    seat, turn = guest.welcome.seat, shot.turn
    await guest.say(i.Leave())
    shot = await host.see(lambda s: _seat(s, seat).left, "that the guest has left")
    require(_seat(shot, seat).stand_in, "nobody plays the seat of who has left")
    require(_seat(shot, seat).name == guest.who, "the seat of who has left has lost its name")
    require(shot.deadline is None, "a seat that the server plays has a deadline")
    shot = await host.see(lambda s: s.turn > turn and s.on_turn != seat, "that the bot has played")
    _check_shown(shot)


def _seat(shot: Snapshot, letter: str | None) -> SeatView:
    return next(view for view in shot.seats if view.seat == letter)


async def stand_ins(kit: Kit) -> None:
    """One who does nothing until the time is up, beside another whose line is broken."""
    ann, bo, _, story = await _at_table(kit)
    idle = story.on_turn
    lost = bo if idle is ann else ann
    lost.cut()
    with kit.check("stand-in-away"):
        shot = await _played_for(idle, lost, AWAY)
        require(shot.on_turn == idle.welcome.seat, "the turn has passed before its deadline")
    with kit.check("stand-in", vital=True):
        shot = await _played_for(idle, idle, TURN - AWAY)
        turn = shot.turn
        if shot.on_turn == idle.welcome.seat:
            require(shot.deadline is None, "a seat that the server plays has a deadline")
        await idle.see(lambda s: s.turn > turn or s.not_before is not None, "its attempt")
    with kit.check("back-by-acting"):
        await idle.ask(i.Reveal(step=idle.newest.step, source="a<"))
        await idle.see(lambda s: not _seat(s, idle.welcome.seat).stand_in, "itself at play again")
    with kit.check("back-by-entrance"):
        back = await kit.resume(lost)
        mine = _seat(back.newest, lost.welcome.seat)
        require(not mine.stand_in, "who has come back is still played for")
        require(mine.online, "who has come back is shown as away")
    host = idle if idle.newest.you.host else back  # who is away long is followed
    await host.does(i.End())
    await host.does(i.Close())


async def _played_for(line: Member, whom: Member, after: float) -> Snapshot:
    """Wait until a stand-in plays; neither before its time nor long after."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    try:
        async with asyncio.timeout(after + TOO_LATE):
            shot = await _stood_in(line, whom.welcome.seat)
    except TimeoutError:
        text = f"for {after + TOO_LATE:g} s no stand-in has played for {whom.who}"
        raise Broken(text) from None
    took = loop.time() - since
    require(took > after - EARLY, f"a stand-in played after {took:.1f} s, and not after {after:g}")
    return shot


async def _stood_in(line: Member, seat: str | None) -> Snapshot:
    while True:
        with contextlib.suppress(Broken):  # nothing is said meanwhile
            return await line.see(lambda s: _seat(s, seat).stand_in, "a stand-in")
