"""What every game of the kit has: a deal that all have opened, an end, and a look back."""

import msgspec

from nana_client.conformance.kit import Kit, Member
from nana_client.conformance.story import Story
from nana_client.conformance.verdict import require
from nana_core.deck import LETTERS, SIZES
from nana_core.fair import nonce_hash
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Snapshot


async def dealt(
    kit: Kit, players: tuple[Member, ...], watcher: Member
) -> tuple[Story, dict[str, str]]:
    """Start a game, and open; return it with the commitments as they were before.

    Players come in the order of their seats; the first of them is the host.
    """
    hashes = tuple(nonce_hash(line.nonces[-1]) for line in players)
    letters = tuple(LETTERS[: len(players)])
    with kit.check("start", vital=True):
        await players[0].does(i.Start())
        for line in players:
            shot = await line.see(lambda s: s.phase == "opening", "the opening")
            require(shot.deal.nonce_hashes == hashes, "`nonce_hashes` are not those that were sent")
            require(shot.deal.to_open == letters, f"`to_open` is {shot.deal.to_open}")
    commitments = {"seed": players[0].newest.deal.seed_hash}
    commitments |= dict(zip(letters, hashes, strict=True))
    await _opened(kit, players)
    for line in (*players, watcher):
        with kit.check("open", vital=True):
            await line.see(lambda s: s.phase == "playing", "the game")
    with kit.check("deal"):
        _check_deal(players)
    return Story(players, watcher), commitments


async def _opened(kit: Kit, players: tuple[Member, ...]) -> None:
    """Have the first open, look at it, and then the others."""
    first, *others = players
    rest = tuple(LETTERS[1 : len(players)])
    with kit.check("open", vital=True):
        await first.refused(i.Open(nonce="0" * 64), "bad_nonce")
        await first.does(i.Open(nonce=first.nonces[-1].hex()))
        shot = await others[0].see(lambda s: s.deal.to_open == rest, "that A has opened")
    with kit.check("nonces-hidden"):
        shown = msgspec.json.encode(shot).decode()
        require(first.nonces[-1].hex() not in shown, f"others are shown the nonce of {first.who}")
    with kit.check("open", vital=True):
        for line in others:
            await line.does(i.Open(nonce=line.nonces[-1].hex()))


def _check_deal(players: tuple[Member, ...]) -> None:
    size = SIZES[len(players)]
    for line in players:
        shot = line.newest
        hand = shot.you.hand
        require(len(hand) == size.hand, f"{line.who} has {len(hand)} cards, not {size.hand}")
        require(list(hand) == sorted(hand), f"{line.who}'s hand is not sorted")
        require(max(hand) <= size.top, f"{line.who} has a number above {size.top}")
        require(shot.center == ("down",) * size.center, "the center does not lie face down")
        require(shot.turn == 1, f"the first turn has the number {shot.turn}")


async def all_over(story: Story) -> Snapshot:
    for line in story.everybody:
        await line.see(lambda s: s.phase == "over", "the end of the game")
    return story.players[0].newest


def judge(kit: Kit, story: Story, commitments: dict[str, str]) -> None:
    """Look back over a whole game."""
    with kit.check("viewers"):
        story.check_viewers()
    with kit.check("rules"):
        story.check_rules()
    with kit.check("ledger"):
        story.check_ledger()
    with kit.check("fair-deal"):
        story.check_deal(commitments)
