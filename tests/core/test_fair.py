"""The fair deal: to the byte as the protocol says it, even, and bound to all that it is made of."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
import pytest

from core.vectors import make
from nana_core.deck import LETTERS, SIZES, flaw
from nana_core.fair import (
    below,
    deal_key,
    fair_deal,
    fixed_deal,
    fixed_seed,
    nonce_hash,
    seed_hash,
    shuffled,
    words,
)

FILE: Final = Path(__file__).parent / "vectors" / "fair_deal.json"


class Vector(msgspec.Struct, forbid_unknown_fields=True):
    room: str
    game: int
    seed: str
    seed_hash: str
    nonces: list[str | None]
    nonce_hashes: list[str]
    key: str
    rotated: bool
    hands: tuple[tuple[int, ...], ...]
    center: tuple[int, ...]
    first: str


VECTORS: Final = msgspec.json.decode(FILE.read_bytes(), type=list[Vector])


def test_the_vectors_are_as_made() -> None:
    """The file is what its script writes."""
    assert FILE.read_text(encoding="ascii") == make.text()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v.room}-{v.game}-{len(v.nonces)}")
def test_the_vectors(vector: Vector) -> None:
    """Commitments, key and deal are those of a second implementation."""
    seed = bytes.fromhex(vector.seed)
    nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in vector.nonces]
    assert seed_hash(vector.room, vector.game, seed) == vector.seed_hash
    for nonce, committed in zip(nonces, vector.nonce_hashes, strict=True):
        assert nonce is None or nonce_hash(nonce) == committed
    assert deal_key(vector.room, vector.game, seed, nonces).hex() == vector.key
    first = LETTERS.index(vector.first) if vector.rotated else None
    deal = fair_deal(vector.room, vector.game, seed, nonces, first)
    assert (deal.hands, deal.center) == (vector.hands, vector.center)
    assert LETTERS[deal.first] == vector.first
    assert flaw(deal) is None


def test_the_vectors_cover_the_cases() -> None:
    """Every number of players, silent seats, and first seats drawn and given."""
    assert {len(vector.nonces) for vector in VECTORS} == set(SIZES)
    assert {vector.rotated for vector in VECTORS} == {True, False}
    assert any(None in vector.nonces for vector in VECTORS)


@pytest.mark.parametrize(
    ("bound", "stream", "drawn", "used"),
    [
        pytest.param(10, [0], 0, 1, id="the least"),
        pytest.param(10, [4_294_967_289], 9, 1, id="the last of the last whole ten"),
        pytest.param(10, [4_294_967_290, 7], 7, 2, id="the first beyond is thrown away"),
        pytest.param(10, [4_294_967_295, 4_294_967_291, 13], 3, 3, id="as often as it takes"),
        pytest.param(2, [4_294_967_295], 1, 1, id="two throws nothing away"),
        pytest.param(1, [4_294_967_295], 0, 1, id="nor does one, which takes its word"),
        pytest.param(36, [4_294_967_292, 35], 35, 2, id="thirty-six throws four away"),
        pytest.param(36, [4_294_967_291], 35, 1, id="and no more"),
    ],
)
def test_below_has_no_bias(bound: int, stream: list[int], drawn: int, used: int) -> None:
    """Words past the last whole multiple of the bound are not used."""
    feed = iter(stream)
    assert below(bound, feed) == drawn
    assert len(stream) - len(list(feed)) == used


def test_a_stream_that_ends_is_a_bug() -> None:
    """No bound is drawn from nothing."""
    with pytest.raises(AssertionError):
        below(10, iter([4_294_967_295]))


def test_words_are_cut_from_blocks_in_order() -> None:
    """Eight words a block, the high byte first, and the counter goes on."""
    key = bytes(range(32))
    drawn = list(islice(words(key), 20))
    other = make.Words(key)
    assert drawn == [other.below(2**32) for _ in range(20)]


def test_the_shuffle_goes_down_and_swaps() -> None:
    """Card i changes places with the card that is drawn below i + 1; the deck given is kept."""
    deck = [1, 2, 3, 4]
    assert shuffled(deck, iter([0, 1, 1])) == [4, 3, 2, 1]  # the ends, the middle, then none
    assert deck == [1, 2, 3, 4]


SEED: Final = bytes(32)
NONCES: Final = (b"\x01" * 32, b"\x02" * 32, b"\x03" * 32)


def _flipped(secret: bytes, bit: int) -> bytes:
    return bytes(byte ^ (1 << bit % 8) * (at == bit // 8) for at, byte in enumerate(secret))


def test_every_bit_matters() -> None:
    """Another bit of the seed or of any nonce, another room, game or order: another key."""
    keys = [deal_key("KQ7MX", 1, SEED, NONCES)]
    keys += [deal_key("KQ7MX", 1, _flipped(SEED, bit), NONCES) for bit in range(256)]
    for seat in range(3):
        for bit in range(256):
            nonces = [*NONCES[:seat], _flipped(NONCES[seat], bit), *NONCES[seat + 1 :]]
            keys.append(deal_key("KQ7MX", 1, SEED, nonces))
        keys.append(deal_key("KQ7MX", 1, SEED, [*NONCES[:seat], None, *NONCES[seat + 1 :]]))
    keys += [deal_key(room, 1, SEED, NONCES) for room in ("KQ7MY", "KQ7M", "kq7mx")]
    keys += [deal_key("KQ7MX", game, SEED, NONCES) for game in (0, 2, 11, 2**53)]
    keys += [deal_key("KQ7MX", 1, SEED, NONCES[::-1]), deal_key("KQ7MX", 1, SEED, NONCES[:2])]
    assert len(set(keys)) == len(keys)


def test_commitments_are_bound() -> None:
    """A seed's hash is of its room and game; a nonce's hash is no other text's."""
    hashes = [
        seed_hash("KQ7MX", 1, SEED),
        seed_hash("KQ7MX", 2, SEED),
        seed_hash("KQ7MY", 1, SEED),
        seed_hash("KQ7MX", 1, _flipped(SEED, 255)),
        nonce_hash(SEED),
        nonce_hash(_flipped(SEED, 0)),
    ]
    assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize("first", range(3))
def test_a_given_first_seat_changes_no_card(first: int) -> None:
    """Who begins is drawn after the shuffle, so that a rematch deals as a first game would."""
    drawn = fair_deal("KQ7MX", 1, SEED, NONCES, None)
    given = fair_deal("KQ7MX", 1, SEED, NONCES, first)
    assert (given.hands, given.center, given.first) == (drawn.hands, drawn.center, first)


def _chi_square(counts: Counter[int], outcomes: int) -> float:
    expected = counts.total() / outcomes
    return sum((counts[each] - expected) ** 2 / expected for each in range(outcomes))


@pytest.mark.parametrize("players", SIZES)
def test_deals_are_even(players: int) -> None:
    """Over many seeds each number is equally often in each center slot, and each seat begins.

    The bounds are six standard deviations of chi-square, and the seeds are fixed.
    """
    size, rounds = SIZES[players], 1200
    slots: list[Counter[int]] = [Counter() for _ in range(size.center)]
    hands: list[Counter[int]] = [Counter() for _ in range(players)]
    firsts: Counter[int] = Counter()
    for game in range(rounds):
        deal = fair_deal("EVENS", game, SEED, [None] * players, None)
        firsts[deal.first] += 1
        for slot, number in enumerate(deal.center):
            slots[slot][number - 1] += 1
        for seat, hand in enumerate(deal.hands):
            hands[seat].update(number - 1 for number in hand)
    for counts, outcomes in [(firsts, players), *((c, size.top) for c in (*slots, *hands))]:
        freedom = outcomes - 1
        assert _chi_square(counts, outcomes) < freedom + 6 * (2 * freedom) ** 0.5


class Fixed(msgspec.Struct, forbid_unknown_fields=True):
    word: str
    game: int
    players: int
    seed: str
    hands: tuple[tuple[int, ...], ...]
    center: tuple[int, ...]
    first: str


FIXED: Final = FILE.with_name("fixed_deals.json")


def test_the_fixed_vectors_are_as_made() -> None:
    """The file is what its script writes."""
    assert FIXED.read_text(encoding="ascii") == make.fixed_text()


@pytest.mark.parametrize(
    "vector",
    msgspec.json.decode(FIXED.read_bytes(), type=list[Fixed]),
    ids=lambda v: f"{v.word}-{v.game}-{v.players}",
)
def test_the_fixed_vectors(vector: Fixed) -> None:
    """Word, game and players decide the deal, as a second implementation has it."""
    seed = fixed_seed(vector.word)
    assert seed.hex() == vector.seed
    deal = fixed_deal(vector.game, seed, vector.players)
    assert (deal.hands, deal.center) == (vector.hands, vector.center)
    assert LETTERS[deal.first] == vector.first
    assert flaw(deal) is None


@pytest.mark.parametrize("players", SIZES)
def test_a_fixed_deal_comes_once_from_every_side(players: int) -> None:
    """In as many games as there are seats, every seat has every hand once; then comes another."""
    seed = fixed_seed("sides")
    deals = [fixed_deal(game, seed, players) for game in range(1, 2 * players + 1)]
    for again in (deals[:players], deals[players:]):
        assert len({deal.center for deal in again}) == 1
        assert {deal.first for deal in again} == set(range(players))
        first = [deal.hands[deal.first] for deal in again]
        assert len(set(first)) == 1  # who begins has the hand of who begins
        for seat in range(players):
            assert {deal.hands[seat] for deal in again} == set(again[0].hands)
    assert deals[0].center != deals[-1].center
