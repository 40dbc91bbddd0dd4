r"""Write fair_deal.json and fixed_deals.json: `python tests/core/vectors/make.py`.

A second implementation of the fair deal, from the text of the protocol alone; it
imports nothing of nana, so that the vectors hold the first one to the text.

    seed hash   SHA-256("nana seed v1\n" room "\n" game "\n" seed)
    nonce hash  SHA-256("nana nonce v1\n" nonce)
    key         SHA-256("nana deal v1\n" room "\n" game "\n" players "\n" seed, then for
                each seat 0x00, or 0x01 and its nonce)
    words       SHA-256(key, counter as 8 bytes big-endian), cut into 32-bit big-endian words
    below n     the next word that is less than the largest multiple of n up to 2^32, modulo n
    shuffle     1 1 1 2 2 2 ...; from the last card to the second, card i changes places
                with card (below i + 1)
    deal        hands in seat order, each sorted; the rest is the center from slot 1;
                the first seat is (below players), unless the game before decides it
    fixed       seed SHA-256("nana fixed v1\n" word); game g of n players is the deal of
                room "", game (g - 1) // n + 1, no nonces, with (g - 1) % n seats turned on
"""

import json
import struct
from hashlib import sha256
from pathlib import Path

SIZES = {2: (10, 10), 3: (11, 8), 4: (12, 7), 5: (12, 6)}  # top number, cards in each hand

CASES: list[tuple[str, int, int, tuple[int, ...], int | None]] = [
    # room, game, players, seats that do not open, first seat when it is decided
    ("KQ7MX", 1, 2, (), None),
    ("KQ7MX", 2, 2, (), 1),
    ("KQ7MX", 1, 3, (), None),
    ("AAAAA", 1, 4, (), None),
    ("AAAAA", 1, 4, (0,), None),
    ("AAAAA", 1, 4, (1, 2), None),
    ("ZZZZZ", 12, 5, (), None),
    ("ZZZZZ", 4000000, 5, (0, 1, 2, 3, 4), 4),
]


FIXED: list[tuple[str, int, int]] = [
    # word, game, players
    ("1", 1, 2),
    ("1", 2, 2),
    ("1", 3, 2),
    ("tanuki", 9, 3),
    ("tänuki 狸", 1000, 4),
    ("", 5, 5),
]


class Words:
    """The stream of words of one key, and what is drawn from it."""

    def __init__(self, key: bytes) -> None:
        self.key, self.counter, self.left = key, 0, list[int]()

    def below(self, bound: int) -> int:
        while True:
            if not self.left:
                block = sha256(self.key + struct.pack(">Q", self.counter)).digest()
                self.left = list(struct.unpack(">8I", block))
                self.counter += 1
            word = self.left.pop(0)
            if word < 2**32 // bound * bound:
                return word % bound


def case(
    room: str, game: int, players: int, silent: tuple[int, ...], first: int | None
) -> dict[str, object]:
    seed = sha256(f"vector seed {room} {game} {players}".encode()).digest()
    nonces = [
        sha256(f"vector nonce {room} {game} {seat}".encode()).digest() for seat in range(players)
    ]
    opened = [None if seat in silent else nonce for seat, nonce in enumerate(nonces)]
    where = f"{room}\n{game}\n".encode()
    key, hands, center, drawn = dealt(where, seed, opened)
    return {
        "room": room,
        "game": game,
        "seed": seed.hex(),
        "seed_hash": sha256(b"nana seed v1\n" + where + seed).hexdigest(),
        "nonces": [nonce and nonce.hex() for nonce in opened],
        "nonce_hashes": [sha256(b"nana nonce v1\n" + nonce).hexdigest() for nonce in nonces],
        "key": key.hex(),
        "rotated": first is not None,
        "hands": hands,
        "center": center,
        "first": "ABCDE"[drawn if first is None else first],
    }


def fixed_case(word: str, game: int, players: int) -> dict[str, object]:
    seed = sha256(b"nana fixed v1\n" + word.encode()).digest()
    number, turned = (game - 1) // players + 1, (game - 1) % players
    _, hands, center, drawn = dealt(f"\n{number}\n".encode(), seed, [None] * players)
    for _ in range(turned):
        hands = [hands[-1], *hands[:-1]]
    first = "ABCDE"[(drawn + turned) % players]
    return {
        "word": word, "game": game, "players": players, "seed": seed.hex(),
        "hands": hands, "center": center, "first": first,
    }  # fmt: skip


def dealt(
    where: bytes, seed: bytes, opened: list[bytes | None]
) -> tuple[bytes, list[list[int]], list[int], int]:
    """Return the key, the hands, the center, and the first seat as drawn."""
    players = len(opened)
    said = b"".join(b"\x00" if nonce is None else b"\x01" + nonce for nonce in opened)
    key = sha256(b"nana deal v1\n" + where + f"{players}\n".encode() + seed + said).digest()
    words = Words(key)
    top, hand = SIZES[players]
    deck = [number for number in range(1, top + 1) for _ in "aaa"]
    i = len(deck) - 1
    while i > 0:
        j = words.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
        i -= 1
    hands = []
    for _ in range(players):
        hands.append(sorted(deck[:hand]))
        deck = deck[hand:]
    return key, hands, deck, words.below(players)


def text() -> str:
    return _lines([case(*each) for each in CASES])


def fixed_text() -> str:
    return _lines([fixed_case(*each) for each in FIXED])


def _lines(cases: list[dict[str, object]]) -> str:
    return "[\n" + ",\n".join(json.dumps(each) for each in cases) + "\n]\n"


if __name__ == "__main__":
    here = Path(__file__).parent
    (here / "fair_deal.json").write_text(text(), encoding="ascii")
    (here / "fixed_deals.json").write_text(fixed_text(), encoding="ascii")
