"""Whether a deal was fair, checked with what this client saw itself. Pure.

A `Witness` notes, on the way, what the server must stand by when it opens the deal:
its commitment as seen before the deal, the frozen list of the seats' commitments,
the hand dealt, and every card that lay open. `verdict` compares.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nana_client.story import named, source_words
from nana_core.deck import LETTERS, Cards, Deal, flaw
from nana_core.fair import SECRET_BYTES, fair_deal, fixed_deal, nonce_hash, seed_hash
from nana_core.protocol.outbound import OpenedDeal, Snapshot

Verdict: TypeAlias = tuple[Literal["unknown", "verified", "unproven", "false"], str]
KEPT_COMMITMENTS: Final = 3


class Witness(Struct, frozen=True):
    """What was seen of the game that runs, and the commitments seen before each deal."""

    commitments: tuple[tuple[int, str], ...] = ()  # game, seed hash; newest last
    game: int = 0
    hashes: tuple[str | None, ...] | None = None  # the frozen list, as first shown
    seat: str | None = None
    hand: Cards | None = None  # as dealt
    cards: frozenset[tuple[str, int]] = frozenset()  # source and number of what lay open


def watch(witness: Witness, snapshot: Snapshot) -> Witness:
    """Note what this snapshot shows."""
    if snapshot.game != witness.game:
        witness = Witness(witness.commitments, snapshot.game)
    if snapshot.phase in {"lobby", "opening"}:
        witness = _note(witness, snapshot.game, snapshot.deal.seed_hash)
    if snapshot.phase == "over" and snapshot.next_seed_hash is not None:
        witness = _note(witness, snapshot.game + 1, snapshot.next_seed_hash)
    if snapshot.phase == "opening" and witness.hashes is None:
        witness = replace(witness, hashes=snapshot.deal.nonce_hashes, seat=snapshot.you.seat)
    if snapshot.phase == "playing" or (snapshot.phase == "over" and snapshot.attempt is not None):
        witness = _note_cards(witness, snapshot)
    return witness


def _note(witness: Witness, game: int, commitment: str) -> Witness:
    """Keep the first commitment seen for a game; a later one must not replace it."""
    if any(known == game for known, _ in witness.commitments):
        return witness
    kept = (*witness.commitments, (game, commitment))
    return replace(witness, commitments=kept[-KEPT_COMMITMENTS:])


def _note_cards(witness: Witness, snapshot: Snapshot) -> Witness:
    attempts = [*snapshot.missed, *([snapshot.attempt] if snapshot.attempt else [])]
    cards = witness.cards.union(
        (card.source, card.number) for attempt in attempts for card in attempt.cards
    )
    dealt = not cards and snapshot.turn == 1 and snapshot.you.seat is not None
    if dealt and witness.hand is None and snapshot.phase == "playing":
        witness = replace(witness, hand=snapshot.you.hand)
    if witness.seat is None and snapshot.phase == "playing":
        witness = replace(witness, seat=snapshot.you.seat)
    return replace(witness, cards=cards)


def verdict(witness: Witness, snapshot: Snapshot, nonces: Sequence[bytes]) -> Verdict:
    """Judge a finished game's opened deal; `nonces` are our own, whichever game they were for."""
    opened = snapshot.opened
    if opened is None:
        return "unknown", ""
    own = {nonce_hash(nonce): nonce for nonce in nonces}
    for wrong in _wrongs(witness, snapshot, opened, own):
        return "false", f"The deal is NOT proven fair: {wrong}."
    if snapshot.deal.fixed:
        return "unproven", "Fixed deals: chosen by whoever runs this server."
    doubts = list(_doubts(witness, snapshot, opened))
    if doubts:
        return "unproven", f"Deal not proven: {'; '.join(doubts)}."
    if witness.seat is None:  # without a number of one's own, all players together may have
        return "verified", "Deal verified: it follows from the players' numbers."
    return "verified", "Deal verified: nobody chose it."


def _wrongs(
    witness: Witness, snapshot: Snapshot, opened: OpenedDeal, own: Mapping[str, bytes]
) -> Iterator[str]:
    seed = _secret(opened.seed)
    committed = dict(witness.commitments).get(snapshot.game, snapshot.deal.seed_hash)
    promised = {committed, snapshot.deal.seed_hash}
    if seed is None or {seed_hash(snapshot.room, snapshot.game, seed)} != promised:
        yield "the server's seed is not the one that it committed to"
        return
    if snapshot.deal.fixed:
        yield from _fixed_wrongs(snapshot, opened, seed)
        yield from _card_wrongs(witness, opened)
        return
    hashes = snapshot.deal.nonce_hashes
    if witness.hashes is not None and witness.hashes != hashes:
        yield "the players' commitments were changed after they were frozen"
    if len(hashes) != len(opened.nonces):
        yield "commitments and openings are not of the same seats"
        return
    nonces = [None if nonce is None else _secret(nonce) for nonce in opened.nonces]
    for seat, (said, nonce, promise) in enumerate(zip(opened.nonces, nonces, hashes, strict=True)):
        if said is not None and (nonce is None or nonce_hash(nonce) != promise):
            yield f"{named(snapshot, LETTERS[seat])} opened another number than the committed one"
    yield from _own_wrongs(witness, hashes, own)
    yield from _deal_wrongs(snapshot, opened, seed, nonces)
    yield from _card_wrongs(witness, opened)


def _fixed_wrongs(snapshot: Snapshot, opened: OpenedDeal, seed: bytes) -> Iterator[str]:
    first = LETTERS.find(opened.first) if len(opened.first) == 1 else -1
    deal = Deal(opened.hands, opened.center, first)
    if why := flaw(deal):
        yield f"what was opened is no deal: {why}"
    elif fixed_deal(snapshot.game, seed, len(opened.hands)) != deal:
        yield "the deal is not the one that the seed fixes"


def _own_wrongs(
    witness: Witness, hashes: Sequence[str | None], own: Mapping[str, bytes]
) -> Iterator[str]:
    seat = LETTERS.find(witness.seat) if witness.seat else -1
    if not own or seat < 0:
        return
    if seat >= len(hashes) or hashes[seat] not in own:
        yield "your own number was not used"


def _deal_wrongs(
    snapshot: Snapshot, opened: OpenedDeal, seed: bytes, nonces: Sequence[bytes | None]
) -> Iterator[str]:
    first = LETTERS.find(opened.first) if len(opened.first) == 1 else -1
    deal = Deal(opened.hands, opened.center, first)
    if why := flaw(deal):
        yield f"what was opened is no deal: {why}"
    elif len(nonces) != len(opened.hands):
        yield "openings and hands are not of the same seats"
    elif opened.rotated and snapshot.game == 1:
        yield "the first game's first player was chosen, not drawn"
    else:
        rotated = first if opened.rotated else None
        if fair_deal(snapshot.room, snapshot.game, seed, nonces, rotated) != deal:
            yield "the deal does not follow from the seed and the numbers"


def _card_wrongs(witness: Witness, opened: OpenedDeal) -> Iterator[str]:
    """Compare what lay on the table with what was opened."""
    seat = LETTERS.find(witness.seat) if witness.seat else -1
    if witness.hand is not None and not (
        0 <= seat < len(opened.hands) and opened.hands[seat] == witness.hand
    ):
        yield "you were dealt another hand than the one opened"
    for source, number in sorted(witness.cards):
        if number not in _where(source, opened):
            yield f"{source_words(source)} showed a {number} that is not in the opened deal"


def _where(source: str, opened: OpenedDeal) -> Cards:
    """Return the cards that a source can have shown."""
    if source[:1] == "c" and source[1:].isdecimal():
        slot = int(source[1:])
        return opened.center[slot - 1 : slot] if slot else ()
    owner = LETTERS.find(source[:1].upper())
    return opened.hands[owner] if 0 <= owner < len(opened.hands) else ()


def _doubts(witness: Witness, snapshot: Snapshot, opened: OpenedDeal) -> Iterator[str]:
    if snapshot.game not in dict(witness.commitments):
        yield "you came after the deal was made"
    for seat, (nonce, promise) in enumerate(
        zip(opened.nonces, snapshot.deal.nonce_hashes, strict=True)
    ):
        letter = LETTERS[seat]
        if nonce is None and letter == witness.seat:
            yield "you did not open" if promise is not None else "you did not commit to a number"
        elif nonce is None and promise is not None:
            yield f"{named(snapshot, letter)} did not open"


def _secret(text: str) -> bytes | None:
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        return None
    return secret if len(secret) == SECRET_BYTES else None
