"""Whether a deal was fair: what is verified, what is not proven, and every lie that is caught."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from client.tables import LOBBY, SEED, attempt, dealt, hashes_of, opening, over, playing
from nana_client.proof import Verdict, Witness, verdict, watch
from nana_core.fair import fixed_deal, fixed_seed, seed_hash
from nana_core.protocol.outbound import DealView, OpenedDeal, Snapshot

MINE, OTHER = b"m" * 32, b"o" * 32
NONCES = (MINE, OTHER)
HASHES = hashes_of(NONCES)
DEAL = dealt(NONCES)
CENTER = f"c1={DEAL.center[0]}"
END = over(DEAL, HASHES, attempt=attempt(4, "B", CENTER, f"b<={DEAL.hands[1][0]}", outcome="miss"))


def judge(*shots: Snapshot, nonces: tuple[bytes, ...] = (MINE,)) -> Verdict:
    witness = Witness()
    for shot in shots:
        witness = watch(witness, shot)
    return verdict(witness, shots[-1], nonces)


HONEST = (LOBBY, opening(HASHES, to_open=("A", "B")), playing(DEAL, HASHES), END)


def test_an_honest_deal_is_verified() -> None:
    """A game watched from the lobby to its end, with every number opened, is verified."""
    assert judge(*HONEST) == ("verified", "Deal verified: nobody chose it.")


def test_a_running_game_has_no_verdict() -> None:
    """Before the deal is opened nothing can be said."""
    assert judge(*HONEST[:3]) == ("unknown", "")


def test_a_seat_that_did_not_open_leaves_a_doubt() -> None:
    """Who committed and did not open is named; who never committed leaves no doubt."""
    shy = dealt((MINE, None))
    shots = (LOBBY, opening(HASHES, to_open=("A", "B")), playing(shy, HASHES), over(shy, HASHES))
    assert judge(*shots) == ("unproven", "Deal not proven: B Bo did not open.")
    bot = hashes_of((MINE, None))
    shots = (LOBBY, opening(bot, to_open=("A",)), playing(shy, bot), over(shy, bot))
    assert judge(*shots)[0] == "verified"


def test_ones_own_silence_is_a_doubt() -> None:
    """A deal in which one's own number has no part proves nothing to oneself."""
    alone = dealt((None, OTHER))
    shots = (LOBBY, opening(HASHES, to_open=("A",)), playing(alone, HASHES), over(alone, HASHES))
    assert judge(*shots) == ("unproven", "Deal not proven: you did not open.")


def test_who_comes_late_cannot_know() -> None:
    """Without the commitment seen before the deal, the opened seed proves nothing."""
    assert judge(*HONEST[2:]) == ("unproven", "Deal not proven: you came after the deal was made.")


def test_who_watches_is_not_told_that_nobody_chose() -> None:
    """Players and server together could have chosen: a watcher's own number was not among them."""
    watcher = replace(END.you, seat=None, hand=())
    shots = [replace(shot, you=watcher) for shot in HONEST]
    said = "Deal verified: it follows from the players' numbers."
    assert judge(*shots, nonces=()) == ("verified", said)


def test_the_next_deal_is_committed_to_at_the_end_of_the_last() -> None:
    """The commitment for a rematch is the one shown while the last game's result lay open."""
    again = dealt(NONCES, game=2, seed=b"n" * 32)
    deal = replace(LOBBY.deal, seed_hash=seed_hash("KQ7MX", 2, b"n" * 32), nonce_hashes=HASHES)
    end = over(again, HASHES, version=20, game=2, deal=deal)
    start = playing(again, HASHES, version=19, game=2, deal=deal)
    assert judge(*HONEST, start, end)[0] == "verified"
    lie = replace(END, next_seed_hash=seed_hash("KQ7MX", 2, b"x" * 32))
    assert judge(*HONEST[:3], lie, start, end)[0] == "false"


def _changed(**changes: object) -> Callable[[Snapshot], Snapshot]:
    return lambda shot: replace(shot, opened=replace(DEAL, **changes))


def _with(opened: OpenedDeal) -> Callable[[Snapshot], Snapshot]:
    return lambda shot: replace(shot, opened=opened)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        pytest.param(_changed(seed=b"x".hex() * 32), "seed is not the one", id="another seed"),
        pytest.param(_changed(seed="zz"), "seed is not the one", id="no seed at all"),
        pytest.param(
            lambda shot: replace(
                over(dealt(NONCES, seed=b"x" * 32), HASHES),
                deal=replace(shot.deal, seed_hash=seed_hash("KQ7MX", 1, b"x" * 32)),
            ),
            "seed is not the one",
            id="another seed with its own commitment",
        ),
        pytest.param(
            _with(dealt((MINE, b"g" * 32))), "B Bo opened another number", id="a nonce ground"
        ),
        pytest.param(
            lambda shot: over(dealt((MINE, b"g" * 32)), hashes_of((MINE, b"g" * 32))),
            "commitments were changed after they were frozen",
            id="a nonce ground, with its commitment",
        ),
        pytest.param(
            _changed(hands=(DEAL.hands[1], DEAL.hands[0])), "does not follow", id="hands exchanged"
        ),
        pytest.param(_changed(center=DEAL.center[::-1]), "does not follow", id="center reversed"),
        pytest.param(
            _changed(first="B" if DEAL.first == "A" else "A"), "does not follow", id="first chosen"
        ),
        pytest.param(_changed(rotated=True), "chosen, not drawn", id="first said to rotate"),
        pytest.param(_changed(hands=DEAL.hands[:1]), "is no deal", id="a hand missing"),
        pytest.param(_changed(nonces=DEAL.nonces[:1]), "of the same seats", id="a nonce missing"),
        pytest.param(_changed(first=""), "is no deal", id="nobody begins"),
    ],
)
def test_lies_about_the_deal_are_caught(lie: Callable[[Snapshot], Snapshot], says: str) -> None:
    """Whatever was exchanged between commitment and opening is named."""
    proof, text = judge(*HONEST[:3], lie(END))
    assert proof == "false"
    assert text.startswith("The deal is NOT proven fair: ")
    assert says in text


def test_a_number_that_is_not_ones_own_is_caught() -> None:
    """A server that committed another number in one's name cannot hide it."""
    forged = (b"f" * 32, OTHER)
    deal, hashes = dealt(forged), hashes_of(forged)
    shots = (LOBBY, opening(hashes, to_open=("A",)), playing(deal, hashes), over(deal, hashes))
    assert "your own number was not used" in judge(*shots)[1]


def test_the_table_is_compared_with_the_opening() -> None:
    """What lay on the table and what was in one's hand must be what was opened."""
    start = HONEST[2]
    hand = replace(start, you=replace(start.you, hand=DEAL.hands[1]))
    assert "you were dealt another hand" in judge(*HONEST[:2], hand, END)[1]
    other = next(number for number in range(1, 11) if number != DEAL.center[0])
    card = replace(start, version=4, attempt=attempt(1, "A", f"c1={other}"))
    assert f"#1 showed a {other} that is not" in judge(*HONEST[:3], card, END)[1]
    late = replace(END, missed=(attempt(3, "B", f"c1={other}", outcome="miss"),))
    assert "#1 showed" in judge(*HONEST[:3], late)[1]
    missing = next(number for number in range(1, 11) if number not in DEAL.hands[1])
    card = replace(start, version=4, attempt=attempt(1, "A", f"b>={missing}"))
    assert f"B high showed a {missing}" in judge(*HONEST[:3], card, END)[1]
    odd = replace(start, version=4, attempt=attempt(1, "A", "c0=1"))
    assert judge(*HONEST[:3], odd, END)[0] == "false"


def test_a_later_commitment_does_not_replace_the_first() -> None:
    """The first commitment shown for a game is the one that counts."""
    swapped = replace(LOBBY.deal, seed_hash=seed_hash("KQ7MX", 1, b"x" * 32))
    assert SEED.hex() == DEAL.seed
    assert judge(replace(LOBBY, deal=swapped), *HONEST)[0] == "false"


def _fixed(game: int = 1) -> tuple[Snapshot, ...]:
    seed = fixed_seed("word")
    deal = fixed_deal(game, seed, 2)
    opened = OpenedDeal(
        seed=seed.hex(), nonces=(None, None), rotated=False,
        hands=deal.hands, center=deal.center, first="AB"[deal.first],
    )  # fmt: skip
    view = DealView(
        seed_hash=seed_hash("KQ7MX", game, seed),
        nonce_hashes=(None, None),
        to_open=(),
        fixed=True,
    )
    nobody = (None, None)
    lobby = replace(LOBBY, deal=replace(view, nonce_hashes=()))
    return lobby, playing(opened, nobody, deal=view), over(opened, nobody, deal=view)


def test_a_fixed_deal_is_never_called_fair() -> None:
    """One's own number was not used, and that is no lie here: it is said before and after."""
    assert judge(*_fixed()) == ("unproven", "Fixed deals: chosen by whoever runs this server.")


def test_a_fixed_deal_is_checked_all_the_same() -> None:
    """Whoever fixes deals cannot exchange a card on the way."""
    lobby, start, end = _fixed()
    assert end.opened is not None
    other = replace(end, opened=replace(end.opened, center=end.opened.center[::-1]))
    assert "not the one that the seed fixes" in judge(lobby, start, other)[1]
    hand = replace(start, you=replace(start.you, hand=end.opened.hands[1]))
    assert "you were dealt another hand" in judge(lobby, hand, end)[1]


def test_a_deal_cannot_become_a_fixed_one() -> None:
    """A server that calls a fair deal fixed when it is over has nothing proven."""
    late = replace(END, deal=replace(END.deal, fixed=True))
    assert judge(*HONEST[:3], late)[0] == "false"
