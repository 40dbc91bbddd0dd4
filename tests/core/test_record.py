"""The record of a game: it verifies when it is true, and any change to it is found."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.games import PLAYERS, in_words, random_game
from nana_core.deck import LETTERS
from nana_core.fair import fair_deal, fixed_deal, fixed_seed, nonce_hash, seed_hash
from nana_core.game import TURN_CAP, Ended, Win, Won
from nana_core.notation import play
from nana_core.record import (
    FORMAT,
    RECORD_BYTES,
    RULES,
    Record,
    RecordedDeal,
    RecordedSeat,
    Unreadable,
    load,
    positions,
    save,
    verify,
)
from nana_core.text import flaw_in

SEED: Final = b"\x5e" * 32
SEED_FINDING: Final = "The server's seed is the one that it committed to."
DEAL_FINDING: Final = "The deal follows from the seed and the nonces."
RESULT_FINDING: Final = "The recorded result is what the actions lead to."


def good_record(players: int = 3, *, first: int | None = None, game: int = 2) -> Record:
    """Make the record of a game that everybody opened a nonce for."""
    nonces = [bytes([seat + 1]) * 32 for seat in range(players)]
    deal = fair_deal("KQ7MX", game, SEED, nonces, first)
    actions = random_game(deal, Random(players), knowing=0.6)
    return Record(
        format=FORMAT,
        rules=RULES,
        room="KQ7MX",
        game=game,
        seats=tuple(
            RecordedSeat(name, "person", nonce_hash(nonce), nonce.hex())
            for name, nonce in zip(("Ann", "Bo", "Cy", "Dee", "Eve"), nonces, strict=False)
        ),
        deal=RecordedDeal(
            seed_hash=seed_hash("KQ7MX", game, SEED),
            seed=SEED.hex(),
            rotated=first is not None,
            hands=deal.hands,
            center=deal.center,
            first=LETTERS[deal.first],
        ),
        actions=in_words(actions),
        result=play(deal, actions).table.result,
    )


GOOD: Final = good_record()


def _faults(record: Record) -> list[str]:
    return [finding.text for finding in verify(record) if not finding.ok]


def _doubts(record: Record) -> list[str]:
    return [finding.text for finding in verify(record) if not finding.proven]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("first", [None, 1])
def test_a_true_record_verifies(players: int, first: int | None) -> None:
    """Every commitment, the deal, all actions and the result are found to be right."""
    record = load(save(good_record(players, first=first)))
    count = len(record.actions.split())
    nonces = [
        f"{letter} {seat.name}: the nonce is the one committed to."
        for letter, seat in zip(LETTERS, record.seats, strict=False)
    ]
    assert [finding.text for finding in verify(record)] == [
        SEED_FINDING,
        *nonces,
        DEAL_FINDING,
        f"All {count} actions follow the rules.",
        RESULT_FINDING,
    ]
    assert not _faults(record)
    assert not _doubts(record)


def test_a_record_is_read_as_it_was_saved() -> None:
    """Saving and loading changes nothing, and the file says what it is."""
    data = save(GOOD)
    assert load(data) == GOOD
    assert save(load(data)) == data
    assert msgspec.json.decode(data)["record"] == "nana"


def _unopened(seat: int) -> Record:
    """Deal a game anew in which one seat does not open."""
    seats = tuple(
        replace(each, nonce=None) if at == seat else each for at, each in enumerate(GOOD.seats)
    )
    return _dealt_anew(seats)


def _dealt_anew(seats: tuple[RecordedSeat, ...]) -> Record:
    nonces = [None if seat.nonce is None else bytes.fromhex(seat.nonce) for seat in seats]
    deal = fair_deal(GOOD.room, GOOD.game, SEED, nonces, None)
    actions = random_game(deal, Random(1), knowing=0.6)
    return replace(
        GOOD,
        seats=seats,
        deal=replace(GOOD.deal, hands=deal.hands, center=deal.center, first=LETTERS[deal.first]),
        actions=in_words(actions),
        result=play(deal, actions).table.result,
    )


def test_a_seat_that_did_not_open_is_named() -> None:
    """Nothing is wrong then, and yet it is not proven for that seat."""
    record = _unopened(1)
    assert not _faults(record)
    assert _doubts(record) == ["B Bo: not proven, the nonce was not opened."]


def test_a_bot_without_a_nonce_leaves_no_doubt() -> None:
    """A seat may leave out its nonce; the others' still make the deal nobody's choice."""
    bot = RecordedSeat("Cy", "bot")
    record = _dealt_anew((*GOOD.seats[:2], bot))
    assert not _faults(record)
    assert not _doubts(record)


def test_a_deal_of_the_server_alone_is_not_proven() -> None:
    """When no seat gave a nonce, whoever chose the seed chose the deal."""
    record = _dealt_anew(tuple(RecordedSeat(seat.name, "person") for seat in GOOD.seats))
    assert not _faults(record)
    assert _doubts(record) == ["Not proven: no seat gave a nonce, the server's seed alone decided."]


def test_names_are_free() -> None:
    """A name proves nothing: changing one is no fault."""
    seats = (replace(GOOD.seats[0], name="Anna"), *GOOD.seats[1:])
    assert not _faults(replace(GOOD, seats=seats))


@pytest.mark.parametrize(
    "name", ["\x1b[2Jgone", "a\nAll is well.", "x" * 500, "\u202eb", "\x9b31m", "\u0301" * 9, ""]
)
def test_hostile_names_are_shown_cleaned(name: str) -> None:
    """A file may come from anybody: nothing in it reaches a terminal as it is."""
    seats = (replace(GOOD.seats[0], name=name), *GOOD.seats[1:])
    for finding in verify(replace(GOOD, seats=seats)):
        assert flaw_in(finding.text, 120) is None


def _deal(**changes: Any) -> Record:
    return replace(GOOD, deal=replace(GOOD.deal, **changes))


def _seat(at: int, **changes: Any) -> Record:
    seats = list(GOOD.seats)
    seats[at] = replace(seats[at], **changes)
    return replace(GOOD, seats=tuple(seats))


def _without_last_action() -> str:
    return GOOD.actions.rsplit(" ", 1)[0]


SEED_FAULT: Final = "The server's seed is not the one that it committed to."
DEAL_FAULT: Final = "The deal does not follow from the seed and the nonces."
RESULT_FAULT: Final = "The recorded result is not what the actions lead to."
BO_FAULT: Final = "B Bo: the nonce is not the one committed to."


@pytest.mark.parametrize(
    ("record", "faults"),
    [
        pytest.param(_deal(seed="00" * 32), [SEED_FAULT, DEAL_FAULT], id="another seed"),
        pytest.param(_deal(seed="5e" * 31), [SEED_FAULT, DEAL_FAULT], id="a short seed"),
        pytest.param(_deal(seed="zz"), [SEED_FAULT, DEAL_FAULT], id="a seed that is not hex"),
        pytest.param(_deal(seed_hash="00" * 32), [SEED_FAULT], id="another commitment"),
        pytest.param(
            _deal(seed="00" * 32, seed_hash=seed_hash("KQ7MX", 2, bytes(32))),
            [DEAL_FAULT],
            id="another seed with its commitment",
        ),
        pytest.param(replace(GOOD, game=3), [SEED_FAULT, DEAL_FAULT], id="another game"),
        pytest.param(replace(GOOD, room="AAAAA"), [SEED_FAULT, DEAL_FAULT], id="another room"),
        pytest.param(_seat(1, nonce="00" * 32), [BO_FAULT, DEAL_FAULT], id="another nonce"),
        pytest.param(_seat(1, nonce="02"), [BO_FAULT, DEAL_FAULT], id="a short nonce"),
        pytest.param(_seat(1, nonce="é"), [BO_FAULT, DEAL_FAULT], id="a nonce that is not hex"),
        pytest.param(_seat(1, nonce_hash="00" * 32), [BO_FAULT], id="another nonce's hash"),
        pytest.param(_seat(1, nonce_hash=None), [BO_FAULT], id="a nonce nobody committed to"),
        pytest.param(_seat(1, nonce=None), [DEAL_FAULT], id="an opening left out"),
        pytest.param(
            replace(GOOD, seats=(GOOD.seats[1], GOOD.seats[0], GOOD.seats[2])),
            [DEAL_FAULT],
            id="seats changed places",
        ),
    ],
)
def test_tampering_with_the_deal_is_found(record: Record, faults: list[str]) -> None:
    """A change to what the deal was made from is told as what it is."""
    assert _faults(record) == faults


def test_nobody_chooses_who_begins_the_first_game() -> None:
    """No game came before it that could decide it; from the second on one seat moves on."""
    assert not _faults(good_record(game=1))
    fault = "The first game's first seat was chosen, not drawn."
    assert _faults(good_record(game=1, first=2)) == [fault]
    assert not _faults(good_record(game=2, first=2))


def _swapped_cards() -> Record:
    """Exchange two different center cards."""
    center = list(GOOD.deal.center)
    other = next(at for at, number in enumerate(center) if number != center[0])
    center[0], center[other] = center[other], center[0]
    return _deal(center=tuple(center))


def _others_first() -> str:
    return "ABC"[("ABC".index(GOOD.deal.first) + 1) % 3]


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(_swapped_cards(), id="two center cards"),
        pytest.param(_deal(first=_others_first()), id="another seat begins"),
    ],
)
def test_another_deal_is_found(record: Record) -> None:
    """A deal that does not follow from the seeds is told, whatever the actions then do."""
    assert DEAL_FAULT in _faults(record)


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        pytest.param(_deal(hands=GOOD.deal.hands[:2]), "impossible", id="a hand left out"),
        pytest.param(_deal(hands=()), "impossible: 0 hands", id="no hands"),
        pytest.param(_deal(center=GOOD.deal.center[:-1]), "impossible", id="a card left out"),
        pytest.param(_deal(center=(1,) * 9), "three of each number", id="a forged card"),
        pytest.param(
            _deal(hands=tuple(hand[::-1] for hand in GOOD.deal.hands)), "not sorted", id="unsorted"
        ),
        pytest.param(_deal(first="D"), "first seat", id="a seat that was not dealt begins"),
        pytest.param(_deal(first="AB"), "first seat", id="two begin"),
        pytest.param(_deal(first=""), "first seat", id="nobody begins"),
        pytest.param(replace(GOOD, seats=GOOD.seats[:2]), "more or fewer seats", id="a seat less"),
        pytest.param(
            replace(GOOD, seats=(*GOOD.seats, GOOD.seats[0])), "more or fewer seats", id="one more"
        ),
        pytest.param(replace(GOOD, actions="c1 c1"), "Action 2 (c1) is refused", id="illegal"),
        pytest.param(replace(GOOD, actions=". c1"), "Action 1 (.) is refused", id="out of order"),
        pytest.param(replace(GOOD, actions="c1 q9"), "Action 2: 'q9' is not", id="not an action"),
        pytest.param(
            replace(GOOD, actions=GOOD.actions + " ."), "is refused: game_over", id="one too many"
        ),
        pytest.param(replace(GOOD, actions=_without_last_action()), RESULT_FAULT, id="one too few"),
        pytest.param(replace(GOOD, actions=""), RESULT_FAULT, id="no actions"),
        pytest.param(replace(GOOD, result=None), RESULT_FAULT, id="no result"),
        pytest.param(
            replace(GOOD, actions=_without_last_action(), result=None),
            RESULT_FAULT,
            id="a game that was not finished",
        ),
        pytest.param(replace(GOOD, result=Ended("host")), RESULT_FAULT, id="ended, not won"),
        pytest.param(replace(GOOD, result=Ended("cap")), RESULT_FAULT, id="capped, not won"),
        pytest.param(
            replace(GOOD, actions=_without_last_action(), result=Ended("cap")),
            RESULT_FAULT,
            id="capped long before the cap",
        ),
        pytest.param(replace(GOOD, result=Won(0, ())), RESULT_FAULT, id="a win without a reason"),
        pytest.param(
            replace(GOOD, result=Won(9, (Win("sevens", (7,)),))), RESULT_FAULT, id="nobody's win"
        ),
    ],
)
def test_tampering_with_the_game_is_found(record: Record, fault: str) -> None:
    """A change to the cards, the actions or the result is told in a sentence."""
    faults = _faults(record)
    assert len(faults) >= 1
    assert fault in faults[-1]
    assert all(text.endswith(".") and flaw_in(text, 200) is None for text in faults)


def test_every_action_matters() -> None:
    """Leave out or change any one action: the rules refuse it, or the end is another."""
    words = GOOD.actions.split()
    for at in range(len(words)):
        assert _faults(replace(GOOD, actions=" ".join(words[:at] + words[at + 1 :]))), at


def test_a_game_ended_by_its_host_verifies() -> None:
    """The actions need not lead to a win then: the record says who ended it."""
    record = replace(GOOD, actions=_without_last_action(), result=Ended("host"))
    assert not _faults(record)
    *_, last = positions(record)
    assert last.table.result == Ended("host")


def test_a_game_of_the_most_turns_fits() -> None:
    """A capped game verifies, and its file stays far under the bound."""
    hands = GOOD.deal.hands
    miss = next(f"{one} {two}" for one in ("a<", "a>") for two in ("b<", "b>")
                if hands[0][one == "a>" and -1] != hands[1][two == "b>" and -1])  # fmt: skip
    record = replace(GOOD, actions=" . ".join([miss] * TURN_CAP), result=Ended("cap"))
    assert not _faults(record)
    assert len(save(record)) < RECORD_BYTES / 10


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"", "not the record", id="empty"),
        pytest.param(b"null", "not the record", id="null"),
        pytest.param(b"[]", "not the record", id="a list"),
        pytest.param(b"{}", "not the record", id="an empty object"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", "not the record", id="a picture"),
        pytest.param(b"\xff\xfe{\x00", "not the record", id="UTF-16"),
        pytest.param(b'{"record":"\xff"}', "not the record", id="bad UTF-8"),
        pytest.param(b'{"record":"\\ud800"}', "not the record", id="half a character"),
        pytest.param(b"[" * 900_000, "not the record", id="deep lists"),
        pytest.param(b'{"deal":' * 100_000, "not the record", id="deep objects"),
        pytest.param(b'{"a":' + b"[" * 100_000, "not the record", id="deep within a field"),
        pytest.param(b" " * (RECORD_BYTES + 1), "far too large", id="huge"),
        pytest.param(save(GOOD)[:-20], "record is damaged", id="cut off"),
        pytest.param(save(GOOD).replace(b'"nana"', b'"chess"', 1), "not the record", id="chess"),
        pytest.param(
            save(GOOD).replace(b'"game": 2', b'"game": 2, "\\u001b[2J": 1'),
            "record is damaged",
            id="a field of control characters",
        ),
        pytest.param(
            save(GOOD).replace(b'"game": 2', b'"game": ' + b"9" * 5000),
            "record is damaged",
            id="a number without end",
        ),
        pytest.param(save(replace(GOOD, format=2)), "format 2 and rules 1", id="a later format"),
        pytest.param(
            save(replace(GOOD, format=2)).replace(b'"game": 2', b'"game": 2, "newer": {}'),
            "a newer nana made it, so update this one",
            id="a later format with fields that this one does not know",
        ),
        pytest.param(save(replace(GOOD, rules=2)), "format 1 and rules 2", id="later rules"),
        pytest.param(save(replace(GOOD, format=10**4000)), "format 1000", id="a vast format"),
    ],
)
def test_unreadable_files(data: bytes, why: str) -> None:
    """A file that is no record is refused in a sentence that may be shown."""
    with pytest.raises(Unreadable) as unreadable:
        load(data)
    assert why in str(unreadable.value)
    assert flaw_in(str(unreadable.value), 260) is None


def _shown(data: bytes) -> list[str]:
    """Read and verify as a person would, and return what is shown."""
    try:
        return [finding.text for finding in verify(load(data))]
    except Unreadable as error:
        return [str(error)]


def _places(value: Any) -> Iterator[Callable[[Any], None]]:
    """Find every place inside a JSON value, as a function that puts something else there."""
    keys = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in keys:
        yield partial(value.__setitem__, key)
        if isinstance(inner, dict | list):
            yield from _places(inner)


JSON: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**4000, -(10**300), 2**64])
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner),
    max_leaves=5,
)


@given(st.binary(max_size=300))
def test_any_bytes_are_unreadable(data: bytes) -> None:
    """No bytes raise anything but Unreadable."""
    assert all(flaw_in(text, 260) is None for text in _shown(data))


@given(st.data())
def test_any_value_in_any_place(data: st.DataObject) -> None:
    """Whatever stands anywhere in a record, reading and verifying end in sentences."""
    record = msgspec.json.decode(save(GOOD))
    put = data.draw(st.sampled_from(list(_places(record))))
    put(data.draw(JSON))
    shown = _shown(msgspec.json.encode(record))
    assert shown
    assert all(flaw_in(text, 260) is None for text in shown)


@given(st.integers(0, len(save(GOOD)) - 1), st.binary(max_size=4), st.integers(0, 8))
def test_any_damage(at: int, new: bytes, gone: int) -> None:
    """Bytes written over or cut out of a record lead to sentences too."""
    data = save(GOOD)
    assert _shown(data[:at] + new + data[at + gone :])


def _fixed_record() -> Record:
    seed = fixed_seed("word")
    deal = fixed_deal(5, seed, 3)
    actions = random_game(deal, Random(2), knowing=0.6)
    return replace(
        GOOD,
        game=5,
        seats=tuple(RecordedSeat(name, "bot") for name in ("Ann", "Bo", "Cy")),
        deal=RecordedDeal(
            seed_hash=seed_hash("KQ7MX", 5, seed),
            seed=seed.hex(),
            rotated=False,
            hands=deal.hands,
            center=deal.center,
            first=LETTERS[deal.first],
            fixed=True,
        ),
        actions=in_words(actions),
        result=play(deal, actions).table.result,
    )


def test_a_fixed_deal_is_called_fixed() -> None:
    """The record agrees with itself, and yet nobody takes its deal for a fair one."""
    record = load(save(_fixed_record()))
    assert not _faults(record)
    assert _doubts(record) == [
        "Fixed deals: whoever ran the server chose them, for every room alike."
    ]
    texts = [finding.text for finding in verify(record)]
    assert "The deal is the one that the seed fixes for this game." in texts


def test_only_a_fixed_deal_says_so_in_its_record() -> None:
    """The field is left out elsewhere: records are what they were."""
    assert b"fixed" in save(_fixed_record())
    assert b"fixed" not in save(GOOD)


@pytest.mark.parametrize(
    "other", [replace(_fixed_record(), game=6), replace(GOOD, deal=replace(GOOD.deal, fixed=True))]
)
def test_a_deal_that_is_not_the_fixed_one_is_found(other: Record) -> None:
    """Neither another game's, nor a fair one that says it was fixed."""
    assert "The deal is not the one that the seed fixes." in _faults(other)


def test_a_fixed_deal_cannot_pass_for_a_fair_one() -> None:
    """Leaving the mark out leaves a deal that follows from nothing."""
    record = _fixed_record()
    fair = replace(record, deal=replace(record.deal, fixed=False))
    assert "The deal does not follow from the seed and the nonces." in _faults(fair)
