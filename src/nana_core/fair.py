"""The fair deal: commitments, openings, and the deal that follows from them.

Byte-exact and normative together with protocol.md § "The fair deal". The seed
and every nonce are 32 random bytes made elsewhere; this module only hashes.

Fixed deals are the opposite, for measuring players: everything follows from a word
that somebody chose, and whoever knows it knows every card.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from nana_core.deck import Deal, Number, Seat, deal_out, full_deck

SECRET_BYTES: Final = 32
_WORD: Final = 1 << 32
_ANY_ROOM: Final = ""


def seed_hash(room: str, game: int, seed: bytes) -> str:
    """Return the server's commitment to its seed for one game of one room, in hex."""
    return hashlib.sha256(b"nana seed v1\n%b\n%d\n%b" % (room.encode(), game, seed)).hexdigest()


def nonce_hash(nonce: bytes) -> str:
    """Return a seat's commitment to its nonce, in hex; `deal_key` binds room, game and seat."""
    return hashlib.sha256(b"nana nonce v1\n%b" % nonce).hexdigest()


def deal_key(room: str, game: int, seed: bytes, nonces: Sequence[bytes | None]) -> bytes:
    """Bind room, game, seed and every seat's opened nonce (None: not opened) into one key."""
    key = hashlib.sha256(b"nana deal v1\n%b\n%d\n%d\n" % (room.encode(), game, len(nonces)))
    key.update(seed)
    for nonce in nonces:
        key.update(b"\x00" if nonce is None else b"\x01" + nonce)
    return key.digest()


def words(key: bytes) -> Iterator[int]:
    """32-bit words, big-endian: the blocks SHA-256(key || counter as 8 bytes), in order."""
    counter = 0
    while True:
        block = hashlib.sha256(key + counter.to_bytes(8)).digest()
        for at in range(0, len(block), 4):
            yield int.from_bytes(block[at : at + 4])
        counter += 1


def below(bound: int, stream: Iterator[int]) -> int:
    """Draw evenly from 0..bound-1: words past the last whole multiple are thrown away."""
    limit = _WORD - _WORD % bound
    for word in stream:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of words does not end")


def shuffled(deck: list[Number], stream: Iterator[int]) -> list[Number]:
    """Fisher-Yates from the last card down: card i changes places with one of 0..i."""
    deck = list(deck)
    for at in range(len(deck) - 1, 0, -1):
        other = below(at + 1, stream)
        deck[at], deck[other] = deck[other], deck[at]
    return deck


def fair_deal(
    room: str, game: int, seed: bytes, nonces: Sequence[bytes | None], first: Seat | None
) -> Deal:
    """Derive the deal of a game.

    `first` is the seat that begins when an earlier game decides it (one seat
    clockwise of its first seat); None draws it from the same stream, after the shuffle.
    """
    players = len(nonces)
    stream = words(deal_key(room, game, seed, nonces))
    deck = shuffled(full_deck(players), stream)
    return deal_out(deck, players, below(players, stream) if first is None else first)


def fixed_seed(word: str) -> bytes:
    """Return the seed of every game where deals are fixed by a word."""
    return hashlib.sha256(b"nana fixed v1\n" + word.encode()).digest()


def fixed_deal(game: int, seed: bytes, players: int) -> Deal:
    """Deal a game where deals are fixed: the same in every room.

    Each deal comes `players` times running, turned by one seat more each time: so every
    seat plays it from every side.
    """
    number, turned = divmod(game - 1, players)
    deal = fair_deal(_ANY_ROOM, number + 1, seed, (None,) * players, None)
    hands = tuple(deal.hands[(seat - turned) % players] for seat in range(players))
    return Deal(hands, deal.center, (deal.first + turned) % players)
