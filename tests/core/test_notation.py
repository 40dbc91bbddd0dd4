"""The notation: one line for a source, an action, a position and a whole game."""

import sys
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.games import PLAYERS, random_deal, random_game
from nana_core.actions import Action, CenterSlot, Continue, HandEnd, Refused, Reveal, Source
from nana_core.deck import LETTERS, Deal
from nana_core.game import Attempt, Shown, apply, legal
from nana_core.notation import (
    SOURCES,
    Malformed,
    action_name,
    game_text,
    parse_action,
    parse_game,
    parse_position,
    parse_seat,
    parse_source,
    play,
    position,
    source_name,
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("c1", CenterSlot(1)),
        ("c10", CenterSlot(10)),
        ("a<", HandEnd(0, "low")),
        ("c<", HandEnd(2, "low")),
        ("e>", HandEnd(4, "high")),
    ],
)
def test_sources(text: str, source: Source) -> None:
    """A source has one name, whether it is a slot or an end of a hand."""
    assert parse_source(text) == source
    assert source_name(source) == text
    assert parse_action(text) == Reveal(source)


def test_every_source_has_its_own_name() -> None:
    """Ten slots and ten ends are all there are, and their names read back."""
    assert len(SOURCES) == 20
    assert all(parse_source(source_name(source)) == source for source in SOURCES.values())


@pytest.mark.parametrize(
    ("text", "action"), [(".", Continue()), ("b>", Reveal(HandEnd(1, "high")))]
)
def test_actions(text: str, action: Action) -> None:
    """An action is a source, or a dot for continue."""
    assert parse_action(text) == action
    assert action_name(action) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "c0",
        "c11",
        "c-1",
        "c01",
        "c1 ",
        "C1",
        "c",
        "A<",
        "f<",
        "a",
        "a=",
        "<a",
        "continue",
        "٣",
    ],
)
def test_no_sources(text: str) -> None:
    """Anything else is malformed, and says so with the text as it came."""
    with pytest.raises(Malformed) as malformed:
        parse_source(text)
    assert repr(text) in str(malformed.value)


def test_seats() -> None:
    """A seat is one of five letters in either case, and no other character stands for one."""
    read = {}
    for char in map(chr, range(sys.maxunicode + 1)):
        try:
            read[char] = parse_seat(char)
        except Malformed:
            continue
    assert read == {
        case: seat for seat, both in enumerate(["Aa", "Bb", "Cc", "Dd", "Ee"]) for case in both
    }


@pytest.mark.parametrize("text", ["", "AB", "F", "1", "-"])
def test_no_seats(text: str) -> None:
    """A seat that is not at the table is malformed."""
    with pytest.raises(Malformed, match="seats are A-E"):
        parse_seat(text)


def test_a_position() -> None:
    """Each field of a position is where the module says."""
    game = parse_position("1.2.7/3.3/- | 4.x.8.5 | 2,-,10.3 | B c3=8 b>=8 a<=1 ? | C 7")
    assert game.secrets.hands == ((1, 2, 7), (3, 3), ())
    assert game.table.hand_sizes == (3, 2, 0)
    assert game.secrets.center == (4, 0, 8, 5)
    assert game.table.center == ("down", "gone", 8, "down")
    assert game.table.sets == ((2,), (), (10, 3))
    shown = (
        Shown(CenterSlot(3), 8),
        Shown(HandEnd(1, "high"), 8),
        Shown(HandEnd(0, "low"), 1),
    )
    assert game.table.attempt == Attempt(1, shown, "miss")
    assert (game.table.on_turn, game.table.turn) == (2, 7)


@pytest.mark.parametrize(
    "text",
    [
        "1.2.7/3.3 | 4.x.8.5 | 2,10.3 | B | B 7",
        "1.2.7/3.3 | 4.x.8.5 | 2,10.3 | B c3=8 | B 7",
        "1.2.7/- | 4.x.8.5 | -,- | B c3=8 b>=9 ? | A 1999",
        "-/-/-/-/- | x.x.x.x.x.x.x.x.x.x | 1,2,3,4,5 | E | E 2000",
        "1/2 | 8.8.8 | 8,- | A c1=8 c2=8 c3=8 ! | B 3",
    ],
)
def test_positions_read_back(text: str) -> None:
    """A position that is read and written again is the same line."""
    assert position(parse_position(text)) == text


GOOD = "1.2.7/3.3 | 4.x.8.5 | 2,10.3 | B c3=8 | B 7"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        pytest.param(GOOD, "", "five fields", id="nothing"),
        pytest.param(" | B 7", "", "five fields", id="a field too few"),
        pytest.param(" | B 7", " | B 7 | x", "five fields", id="a field too many"),
        pytest.param("1.2.7", "1.2.q", "'q' is not a number", id="a letter"),
        pytest.param("1.2.7", "1..7", "'' is not a number", id="a gap"),
        pytest.param("1.2.7", "1.-2.7", "'-2' is not a number", id="a sign"),
        pytest.param("1.2.7", "1.2.\u0667", "is not a number", id="another script's digit"),
        pytest.param("1.2.7", "1.2.77777", "is not a number", id="a long one"),
        pytest.param("1.2.7", "2.1.7", "a hand is not sorted", id="a hand out of order"),
        pytest.param("1.2.7/3.3", "1.2.7", "1 hands", id="one hand"),
        pytest.param("1.2.7/3.3", "1/2/3/4/5/6", "6 hands", id="six hands"),
        pytest.param("2,10.3", "2", "2 hands but sets for 1", id="sets of fewer"),
        pytest.param("4.x", "4.y", "'y' is not a number", id="a slot"),
        pytest.param("4.x.8.5", "4.x.8.5.1.1.1.1.1.1.1", "more than 10", id="eleven slots"),
        pytest.param("B c3=8", "", "whose", id="nobody's attempt"),
        pytest.param("B c3=8", "!", "not a seat", id="an outcome alone"),
        pytest.param("B c3=8", "B c3", "shown card", id="a card without its number"),
        pytest.param("B c3=8", "B x3=8", "not a source", id="from nowhere"),
        pytest.param("B c3=8", "B c3=9", "c3=9, which is not there", id="not the slot's number"),
        pytest.param("B c3=8", "B c2=8", "c2=8, which is not there", id="from a slot gone"),
        pytest.param("B c3=8", "B c9=8", "c9=8, which is not there", id="past the last slot"),
        pytest.param("B c3=8", "B c<=8", "c<=8, which is not there", id="from no hand"),
        pytest.param("B c3=8", "C c3=8", "a seat has no hand", id="no such attempter"),
        pytest.param("B 7", "C 7", "a seat has no hand", id="nobody's turn"),
        pytest.param("B 7", "B", "who acts", id="no turn"),
        pytest.param("B 7", "B seven", "'seven' is not a number", id="a turn in words"),
    ],
)
def test_no_positions(old: str, new: str, why: str) -> None:
    """A line that is no position, or contradicts itself, is malformed and says where."""
    assert old in GOOD
    with pytest.raises(Malformed, match=why.replace("?", r"\?")):
        parse_position(GOOD.replace(old, new))


def test_a_game() -> None:
    """A game is its deal and its actions, by whoever was on turn."""
    text = "1.2/1.9 | 1.2.9 | B : b< c1 a< ."
    deal, actions = parse_game(text)
    assert deal == Deal(((1, 2), (1, 9)), (1, 2, 9), first=1)
    assert game_text(deal, actions) == text
    assert position(play(deal, actions)) == "2/9 | x.2.9 | -,1 | A | A 2"


def test_a_game_without_actions() -> None:
    """A game that has only been dealt reads back too."""
    deal, actions = parse_game("1.2/1.9 | 1.2.9 | B :")
    assert actions == ()
    assert game_text(deal, actions) == "1.2/1.9 | 1.2.9 | B :"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.2/1.9 | 1.2.9 | B",
        "1.2/1.9 | 1.2.9 : c1",
        "1.2/1.9 | 1.2.9 | B | B : c1",
        "1.2/1.9 | 1.2.9 | Q : c1",
        "1.2/1.9 | 1.2.9 | B : c1 c99",
        "1.2/1.9 | 1.2,9 | B : c1",
    ],
)
def test_no_games(text: str) -> None:
    """A line that is no game is malformed."""
    with pytest.raises(Malformed):
        parse_game(text)


def test_an_illegal_action_stops_a_game() -> None:
    """Playing a game through stops with the refusal of the first illegal action."""
    with pytest.raises(Refused, match="slot_open"):
        play(*parse_game("1.2/1.9 | 1.2.9 | B : c1 c1 a<"))


@pytest.mark.parametrize("players", PLAYERS)
def test_whole_games_read_back(players: int) -> None:
    """A played game, written and read, has the same deal, actions and end."""
    rng = Random(players)
    deal = random_deal(players, rng)
    actions = random_game(deal, rng, knowing=0.5)
    read_deal, read_actions = parse_game(game_text(deal, actions))
    assert (read_deal, list(read_actions)) == (deal, actions)
    assert play(read_deal, read_actions).table.result is not None


PIECES = "1.27/x-,|ABCE ac<>=!?:\n0٣"


@given(st.text(PIECES, max_size=40) | st.text(max_size=20))
def test_any_text_is_notation_or_malformed(text: str) -> None:
    """No text raises anything but Malformed, and what is read as a position can be written."""
    for parse in (parse_source, parse_action, parse_seat, parse_game):
        with suppress(Malformed):
            parse(text)
    try:
        game = parse_position(text)
    except Malformed:
        return
    assert parse_position(position(game)) == game


@given(st.data())
def test_a_damaged_position_is_malformed_or_plays(data: st.DataObject) -> None:
    """Whatever is read as a position, however odd, can go on by the rules."""
    at = data.draw(st.integers(0, len(GOOD) - 1))
    text = (
        GOOD[:at]
        + data.draw(st.text(PIECES, max_size=3))
        + GOOD[at + data.draw(st.integers(0, 3)) :]
    )
    try:
        game = parse_position(text)
    except Malformed:
        return
    assert game.table.on_turn < game.table.players <= len(LETTERS)
    for action in legal(game.table):
        apply(game, game.table.on_turn, action)
    assert position(parse_position(position(game))) == position(game)
