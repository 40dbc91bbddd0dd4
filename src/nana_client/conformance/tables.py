"""Scenes at larger tables: one room that grows from three to five, first with open memory."""

import itertools
from random import Random
from typing import Final

from nana_client.conformance.dealing import all_over, dealt, judge
from nana_client.conformance.kit import Kit, Member
from nana_client.conformance.story import Story
from nana_client.conformance.verdict import Check, require
from nana_core.deck import LETTERS
from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import OptionChanges
from nana_core.protocol.outbound import Snapshot

CHECKS: Final = (
    Check("three-to-five", "4", "Three, four and five play as two do, each in turn."),
    Check("ledger", "7.2", "With open memory `ledger` is what all have seen; else it is null."),
    Check("gaps-close", "5", "At the start gaps between seats close, and letters follow."),
    Check("no-deadline", "12.2", "With `turn_time` 0 a turn has no deadline."),
)
LATER: Final = ("Fay", "Gil")


async def growing(kit: Kit) -> None:
    """Three games, each with one player more than the last."""
    ann = await kit.create("Ann", seats=5, pace=0, turn_time=0, memory="open")
    others = [await kit.join(ann.room, name) for name in ("Bo", "Cy", "Dee")]
    eve = await kit.watch(ann.room, "Eve")
    players = await _with_a_gap(kit, (ann, *others))
    await _played(kit, players, eve)
    await ann.does(i.SetOptions(options=OptionChanges(memory="none")))
    for name in LATER:
        for line in players:
            await line.does(i.Rematch(nonce_hash=line.new_nonce()))
        players = (*players, await kit.join(ann.room, name))
        await _all_ready(ann, len(players))
        await kit.calm(*players, eve)
        await _played(kit, players, eve)
    await ann.does(i.Close())


async def _with_a_gap(kit: Kit, four: tuple[Member, ...]) -> tuple[Member, ...]:
    """Have the third of four leave: whoever sits in D is to play in C."""
    ann, bo, cy, dee = four
    await cy.say(i.Leave())
    await ann.see(lambda s: s.seats[2].kind == "free", "that seat C is free")
    await kit.calm(ann, bo, dee)
    return ann, bo, dee


async def _all_ready(host: Member, count: int) -> None:
    def ready(shot: Snapshot) -> bool:
        return sum(seat.kind != "free" and seat.ready for seat in shot.seats) == count

    await host.see(ready, f"{count} seats ready")


async def _played(kit: Kit, players: tuple[Member, ...], watcher: Member) -> None:
    """Play a whole game, and look back at it."""
    with kit.check("three-to-five", vital=True):
        story, commitments = await dealt(kit, players, watcher)
        with kit.check("gaps-close"):
            _check_seats(players)
        await story.miss()
        await story.play_out(Random(len(players)))
        await all_over(story)
        _check_turns(story)
    with kit.check("no-deadline"):
        for line, shot in story.snapshots():
            require(shot.deadline is None, f"{line.who} is shown a deadline: {shot.deadline}")
    judge(kit, story, commitments)


def _check_seats(players: tuple[Member, ...]) -> None:
    for line, letter in zip(players, LETTERS, strict=False):
        seat = line.newest.you.seat
        require(seat == letter, f"{line.who} plays in seat {seat}, not in {letter}")
        named = [view.name for view in line.newest.seats]
        wanted = [each.who for each in players]
        require(named == wanted, f"the seats are those of {named}, not of {wanted}")


def _check_turns(story: Story) -> None:
    """Every turn is the next seat's, clockwise, and ends with its attempt."""
    turns = {shot.turn: shot.attempt.seat for _, shot in story.snapshots() if shot.attempt}
    seats = [turns[turn] for turn in sorted(turns)]
    letters = LETTERS[: len(story.players)]
    for before, after in itertools.pairwise(seats):
        wanted = letters[(letters.index(before) + 1) % len(letters)]
        require(after == wanted, f"after {before} it was the turn of {after}, not of {wanted}")
