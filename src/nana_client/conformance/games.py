"""Scenes at the table: a deal, odd tries in the middle of a game, a whole game, and a rematch."""

from random import Random
from typing import Final

from nana_client.conformance.dealing import all_over, dealt, judge
from nana_client.conformance.kit import Kit
from nana_client.conformance.line import told
from nana_client.conformance.story import Story
from nana_client.conformance.verdict import Broken, Check, require
from nana_core import record
from nana_core.deck import LETTERS
from nana_core.notation import SOURCES
from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import OptionChanges
from nana_core.protocol.outbound import Error, Recorded, Snapshot

CHECKS: Final = (
    Check("start", "5", "`start` leads to opening, with the commitments frozen and shown."),
    Check("open", "13.3", "A nonce that was committed to is taken; another one is bad_nonce."),
    Check("nonces-hidden", "13.3", "Nobody is shown another's nonce before the game is over."),
    Check("deal", "4", "Hands, sorted, and center have the sizes of the game."),
    Check("legal", "6.2", "`legal` is what the rules allow; everything else is refused, rightly."),
    Check(
        "order-of-refusals",
        "6.2",
        "stale comes before not_your_turn, which comes before the rules.",
    ),
    Check("stale", "9.1", "A stale action is refused, and its sender gets the table as it is."),
    Check("retried-reveal", "9.2", "A reveal sent again with its id turns over nothing more."),
    Check("step", "3", "A watcher's coming and chat change no `step`."),
    Check("pace", "12.1", "A `continue` before `not_before` is too_early, and may be sent again."),
    Check("forgotten", "8.2", "After the continue nothing tells what the missed cards were."),
    Check("wrong-phase", "5.1", "During a game what belongs in the lobby is wrong_phase."),
    Check("pause", "6.4", "In a pause nothing is legal, and a reveal is paused."),
    Check("end", "6.4", "The host may end the game; it is over, without a winner, and opened."),
    Check("rematch", "5", "Who is ready plays the next game; the first seat moves on."),
    Check("win", "4", "A game that is played out has a winner, for every reason that holds."),
    Check("viewers", "8.2", "Everybody is shown the same table, but for their own hand."),
    Check("rules", "4", "Every snapshot is what the rules make of the deal and the actions."),
    Check("fair-deal", "13.4", "The deal follows from the seed and the nonces committed to."),
    Check("next-seed", "13.1", "`next_seed_hash` is the `seed_hash` of the next game."),
    Check("record", "13.6", "`export` gives its players a record that agrees with itself."),
    Check("not-their-record", "6.3", "Who did not sit in a game is not given its record."),
)
PACE: Final = 400


async def evening(kit: Kit) -> None:
    """Two games with the same people: the first full of odd tries, the second played out."""
    ann = await kit.create("Ann", seats=2, pace=PACE, turn_time=0)
    bo = await kit.join(ann.room, "Bo")
    eve = await kit.watch(ann.room, "Eve")
    await kit.calm(ann, bo, eve)
    story, commitments = await dealt(kit, (ann, bo), eve)
    await _odd(kit, story)
    with kit.check("end", vital=True):
        await ann.does(i.End())
        over = await all_over(story)
        kind = over.result.kind if over.result else None
        require(kind == "ended", f"`result` is {kind}, and the host has ended the game")
        require(over.result is not None and over.result.why == "host", "`why` is not host")
    judge(kit, story, commitments)
    await _record(kit, story)
    first, next_seed = over.opened.first if over.opened else "A", over.next_seed_hash
    await ann.does(i.SetOptions(options=OptionChanges(pace=0)))
    with kit.check("rematch", vital=True):
        for line in (ann, bo):
            await line.does(i.Rematch(nonce_hash=line.new_nonce()))
        await ann.see(lambda s: all(seat.ready for seat in s.seats), "both ready")
        await kit.calm(ann, bo, eve)
    story, commitments = await dealt(kit, (ann, bo), eve)
    with kit.check("rematch"):
        moved = LETTERS[(LETTERS.index(first) + 1) % 2]
        turn = ann.newest.on_turn
        require(turn == moved, f"{first} began, so {moved} begins next, not {turn}")
        require(ann.newest.game == 2, f"the second game has the number {ann.newest.game}")
    with kit.check("next-seed"):
        told = commitments["seed"]
        require(told == next_seed, "the next game's seed is not the one that was committed to")
    with kit.check("win", vital=True):
        await story.play_out(Random(7))
        over = await all_over(story)
        require(over.result and over.result.kind == "won", "the game is over and nobody has won")
    judge(kit, story, commitments)
    await _record(kit, story)
    await ann.does(i.Close())


async def _odd(kit: Kit, story: Story) -> None:
    """Everything that can be tried in the middle of a game."""
    ann, eve = story.players[0], story.watcher
    idle = next(line for line in story.players if line is not story.on_turn)
    with kit.check("legal"):
        await _refused_sources(story)
        await story.on_turn.refused(i.Continue(step=ann.newest.step), "nothing_to_continue")
    with kit.check("order-of-refusals"):
        step = ann.newest.step
        await eve.refused(i.Reveal(step=step, source="c1"), "not_seated")
        await idle.refused(i.Reveal(step=step, source="e>"), "not_your_turn")
        await idle.refused(i.Reveal(step=step + 9, source="e>"), "stale")
        await kit.calm(*story.everybody)
    with kit.check("wrong-phase"):
        for message in (
            i.Start(),
            i.SetOptions(options=OptionChanges(pace=0)),
            i.AddBot(),
            i.Rematch(),
        ):
            await ann.refused(message, "wrong_phase")
        await ann.refused(i.Export(), "wrong_phase", "no_record")
        await eve.refused(i.Sit(), "wrong_phase")
    with kit.check("stale"):
        await _stale(kit, story)
    with kit.check("step"):
        step, version = ann.newest.step, ann.version
        cleo = await kit.watch(ann.room, "Cleo")
        await ann.see(lambda s: s.version > version, "that Cleo has come")
        require(ann.newest.step == step, "somebody who comes to watch changes `step`")
        await cleo.say(i.Leave())
        await ann.see(lambda s: "Cleo" not in s.watching, "that Cleo has gone")
        await kit.calm(*story.everybody)
    with kit.check("pause"):
        await _paused(kit, story)
    with kit.check("retried-reveal", vital=True):
        await _retried(story)
    while ann.newest.legal != ("continue",):
        await story.reveal(ann.newest.legal[-1])
    with kit.check("pace"):
        await _paced(story)
    with kit.check("forgotten"):
        for line in story.everybody:
            shot = line.newest
            require(shot.attempt and not shot.attempt.cards, f"{line.who} still sees old cards")
            require(shot.missed == (), f"{line.who} is told of a missed attempt again")
            open_slots = [slot for slot in shot.center if isinstance(slot, int)]
            require(not open_slots, f"{line.who} sees {open_slots} lie open in the center")
    with kit.check("legal"):
        await _refused_sources(story)


async def _refused_sources(story: Story) -> None:
    line = story.on_turn
    shot = line.newest
    down = [f"c{at}" for at, state in enumerate(shot.center, 1) if state == "down"]
    ends = [f"{seat.seat.lower()}{end}" for seat in shot.seats if seat.cards for end in "<>"]
    text = f"`legal` is {' '.join(shot.legal)}, by the rules {' '.join([*down, *ends])}"
    require(set(shot.legal) == {*down, *ends} and len(set(shot.legal)) == len(shot.legal), text)
    for name in SOURCES:
        if name in shot.legal:
            continue
        code = "no_such_slot" if name[1:].isdigit() else "no_such_seat"
        code = "slot_open" if name in {f"c{at}" for at in range(1, len(shot.center) + 1)} else code
        await line.refused(i.Reveal(step=shot.step, source=name), code)  # type: ignore[arg-type]


async def _stale(kit: Kit, story: Story) -> None:
    line = story.on_turn
    other = next(one for one in story.players if one is not line)
    await kit.calm(*story.everybody)
    await line.say(i.Reveal(id="late", step=line.newest.step - 1, source="c1"))
    got = await line.next()
    good = isinstance(got, Error) and (got.code, got.id) == ("stale", "late")
    require(good, f"an action with an old step is not answered with error stale, but {told(got)}")
    got = await line.next()
    require(isinstance(got, Snapshot), "after error stale there comes no snapshot")
    await kit.calm(line)
    require(not [got for got in await other.quiet() if isinstance(got, Snapshot)],
            "the snapshot after error stale went to others, too")  # fmt: skip


async def _paused(kit: Kit, story: Story) -> None:
    host, line = story.players[0], story.on_turn
    await host.does(i.Pause())
    for each in story.everybody:
        shot = await each.see(lambda s: s.paused, "the pause")
        require(shot.legal == (), f"in a pause `legal` is {shot.legal}")
        require(shot.deadline is None, "in a pause there is a deadline")
    await line.refused(i.Reveal(step=line.newest.step, source="c1"), "paused")
    await host.does(i.Pause(on=False))
    for each in story.everybody:
        await each.see(lambda s: not s.paused, "that the game goes on")
    await kit.calm(*story.everybody)


async def _retried(story: Story) -> None:
    line = story.on_turn
    step = line.newest.step
    reveal = i.Reveal(id="twice", step=step, source="c1")
    version = await line.does(reveal)
    again = await line.does(reveal)
    require(version == again, f"the ack said version {version}, and {again} when sent again")
    await story.shown(version, "c1")
    cards = line.newest.attempt.cards if line.newest.attempt else ()
    require(len(cards) == 1, f"one reveal, sent twice, has turned over {len(cards)} cards")


async def _paced(story: Story) -> None:
    line = story.on_turn
    shot = line.newest
    before = (shot.not_before or 0) - shot.now
    require(0 < before <= PACE, f"an attempt is shown for {before} ms, the pace is {PACE}")
    early = i.Continue(id="early", step=shot.step)
    await line.refused(early, "too_early")
    await line.refused(i.Reveal(step=shot.step, source="c2"), "continue_first")
    await story.proceed()


async def _record(kit: Kit, story: Story) -> None:
    with kit.check("record"):
        answer = await story.players[1].ask(i.Export(game=story.game))
        require(isinstance(answer, Recorded), "`export` is not answered with a record")
        if isinstance(answer, Recorded):
            _check_record(bytes(answer.record), story)
    with kit.check("not-their-record"):
        await story.watcher.refused(i.Export(game=story.game), "not_seated")


def _check_record(data: bytes, story: Story) -> None:
    try:
        kept = record.load(data)
    except record.Unreadable as error:
        raise Broken(str(error)) from None
    wrong = [finding.text for finding in record.verify(kept) if not finding.ok]
    require(not wrong, f"the record does not agree with itself: {'; '.join(wrong)}")
    played = " ".join(word for _, word in story.actions)
    require(kept.actions == played, f"the record has the actions {kept.actions}, not {played}")
    names = [seat.name for seat in kept.seats]
    require(names == [line.who for line in story.players], f"the record names {names}")
