"""The rulebook, sentence by sentence, as tables of positions."""

import pytest

from core.games import after, played
from nana_core.actions import Action, CenterSlot, Continue, HandEnd, Refusal, Refused, Reveal
from nana_core.deck import LETTERS, SIZES, Cards, Deal, Seat, deal_out, flaw, full_deck
from nana_core.game import (
    TURN_CAP,
    Ended,
    Reason,
    Win,
    Won,
    apply,
    begin,
    end,
    legal,
    refusal,
    wins_of,
)
from nana_core.notation import parse_action, parse_position, position
from nana_core.views import open_cards


@pytest.mark.parametrize(
    ("players", "top", "hand", "center"),
    [(2, 10, 10, 10), (3, 11, 8, 9), (4, 12, 7, 8), (5, 12, 6, 6)],
)
def test_the_table_of_sizes(players: int, top: int, hand: int, center: int) -> None:
    """The numbers, hands and center of the rulebook's table use up the deck exactly."""
    deck = full_deck(players)
    assert sorted(deck) == sorted(list(range(1, top + 1)) * 3)
    deal = deal_out(deck, players, 0)
    assert [len(each) for each in deal.hands] == [hand] * players
    assert len(deal.center) == center
    assert flaw(deal) is None


def test_only_two_to_five_play() -> None:
    """No other number of players has sizes."""
    assert sorted(SIZES) == [2, 3, 4, 5]


def _dealt() -> Deal:
    return deal_out(full_deck(2), 2, 0)


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        pytest.param(Deal(((1, 2),), (), 0), "1 hands", id="one seat"),
        pytest.param(Deal(((),) * 6, (), 0), "6 hands", id="six seats"),
        pytest.param(Deal(((1,) * 9, (1,) * 10), (), 0), "does not have 10", id="short hand"),
        pytest.param(
            Deal((_dealt().hands[0][::-1], _dealt().hands[1]), _dealt().center, 0),
            "not sorted",
            id="unsorted hand",
        ),
        pytest.param(Deal(_dealt().hands, _dealt().center[1:], 0), "center", id="short center"),
        pytest.param(Deal(_dealt().hands, _dealt().center, 2), "first seat", id="nobody's seat"),
        pytest.param(Deal(_dealt().hands, _dealt().center, -1), "first seat", id="below A"),
        pytest.param(Deal(_dealt().hands, (10,) * 10, 0), "three of each", id="a fourth ten"),
    ],
)
def test_impossible_deals(deal: Deal, why: str) -> None:
    """A deal that the game cannot have says what is wrong with it."""
    assert why in (flaw(deal) or "")


def test_the_table_at_the_start() -> None:
    """All is face down, nobody has a set, and the first seat begins the first turn."""
    table = begin(Deal(_dealt().hands, _dealt().center, first=1)).table
    assert table.center == ("down",) * 10
    assert table.hand_sizes == (10, 10)
    assert table.sets == ((), ())
    assert (table.on_turn, table.attempt.seat, table.attempt.cards, table.turn) == (1, 1, (), 1)
    assert table.result is None


FRESH = "1.2/- | 5.x.6 | -,4 | A | A 3"  # A reveals; B has no cards; slot 2 is gone
OPEN = "1.2/- | 5.x.6 | -,4 | A c1=5 | A 3"  # slot 1 lies open
SHOWN = "2.2/- | 5.x.6 | -,4 | A c1=5 a<=1 ? | B 3"  # a miss waits for B's continue
TAKEN = "2.2/- | 5.5.5 | 5,4 | A c1=5 c2=5 c3=5 ! | B 3"  # so does a set


@pytest.mark.parametrize(
    ("text", "seat", "action", "why"),
    [
        pytest.param(FRESH, 1, "c1", Refusal.NOT_YOUR_TURN, id="out of turn"),
        pytest.param(FRESH, 1, ".", Refusal.NOT_YOUR_TURN, id="continue out of turn"),
        pytest.param(FRESH, 1, "b<", Refusal.NOT_YOUR_TURN, id="whose turn comes before what"),
        pytest.param(FRESH, -1, "c1", Refusal.NOT_YOUR_TURN, id="a seat below A"),
        pytest.param(FRESH, 2, "c1", Refusal.NOT_YOUR_TURN, id="a seat that nobody has"),
        pytest.param(FRESH, 0, ".", Refusal.NOTHING_TO_CONTINUE, id="no attempt has ended"),
        pytest.param(OPEN, 0, ".", Refusal.NOTHING_TO_CONTINUE, id="no stopping early"),
        pytest.param(FRESH, 0, "c2", Refusal.SLOT_GONE, id="collected"),
        pytest.param(OPEN, 0, "c1", Refusal.SLOT_OPEN, id="already face up"),
        pytest.param(FRESH, 0, "c4", Refusal.NO_SUCH_SLOT, id="past the last slot"),
        pytest.param(FRESH, 0, "b<", Refusal.EMPTY_HAND, id="nothing there to reveal"),
        pytest.param(FRESH, 0, "b>", Refusal.EMPTY_HAND, id="nor at the other end"),
        pytest.param(FRESH, 0, "c<", Refusal.NO_SUCH_SEAT, id="a hand that nobody has"),
        pytest.param(SHOWN, 0, "c3", Refusal.NOT_YOUR_TURN, id="a miss passes the turn"),
        pytest.param(SHOWN, 0, ".", Refusal.NOT_YOUR_TURN, id="the next seat continues"),
        pytest.param(SHOWN, 1, "c3", Refusal.CONTINUE_FIRST, id="continue before a reveal"),
        pytest.param(SHOWN, 1, "c1", Refusal.CONTINUE_FIRST, id="before an open slot too"),
        pytest.param(SHOWN, 1, "b<", Refusal.CONTINUE_FIRST, id="before an empty hand too"),
        pytest.param(TAKEN, 0, "a<", Refusal.NOT_YOUR_TURN, id="a set gives no extra turn"),
        pytest.param(TAKEN, 1, "a<", Refusal.CONTINUE_FIRST, id="continue after a set too"),
    ],
)
def test_refusals(text: str, seat: Seat, action: str, why: Refusal) -> None:
    """An action that the rules refuse says why, and applying it raises the same."""
    game = parse_position(text)
    assert refusal(game.table, seat, parse_action(action)) is why
    with pytest.raises(Refused) as refused:
        apply(game, seat, parse_action(action))
    assert refused.value.why is why
    assert str(refused.value) == why.value
    assert position(game) == text


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Reveal(CenterSlot(0)), Refusal.NO_SUCH_SLOT),
        (Reveal(CenterSlot(-1)), Refusal.NO_SUCH_SLOT),
        (Reveal(HandEnd(-1, "low")), Refusal.NO_SUCH_SEAT),
        (Reveal(HandEnd(2, "high")), Refusal.NO_SUCH_SEAT),
    ],
)
def test_sources_are_never_counted_from_the_end(action: Action, why: Refusal) -> None:
    """Slot 0, slot -1 and seat -1 are no slots or seats, as a Python index would have it."""
    assert refusal(parse_position(FRESH).table, 0, action) is why


@pytest.mark.parametrize("action", ["c1", "a<", "c9", "."])
@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_goes_on_after_the_end(seat: Seat, action: str) -> None:
    """When the game is over every action of every seat is refused for that reason."""
    game = end(parse_position(FRESH), "host")
    assert refusal(game.table, seat, parse_action(action)) is Refusal.GAME_OVER
    assert legal(game.table) == ()


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (FRESH, "c1 c3 a< a>"),
        (OPEN, "c3 a< a>"),
        (SHOWN, "."),
        (TAKEN, "."),
        ("-/- | 5.x.6 | -,4 | B | B 3", "c1 c3"),
        ("1/2.3/-/4/5.6 | x.8 | -,-,-,-,- | C | C 9", "c2 a< a> b< b> d< d> e< e>"),
    ],
)
def test_what_is_legal(text: str, actions: str) -> None:
    """A reveal may come from any face-down slot and either end of any hand that has cards."""
    assert legal(parse_position(text).table) == tuple(map(parse_action, actions.split()))


@pytest.mark.parametrize(
    ("text", "actions", "then"),
    [
        pytest.param(
            "1.2.9/3.4 | 5 | -,- | A | A 1",
            "c1",
            "1.2.9/3.4 | 5 | -,- | A c1=5 | A 1",
            id="a center card keeps its slot",
        ),
        pytest.param(
            "1.1.9/3.4 | 5 | -,- | A | A 1",
            "a<",
            "1.9/3.4 | 5 | -,- | A a<=1 | A 1",
            id="one's own lowest lies outside the hand",
        ),
        pytest.param(
            "1.2/3.9.9 | 5 | -,- | A | A 1",
            "b> b>",
            "1.2/3 | 5 | -,- | A b>=9 b>=9 | A 1",
            id="the end moves on",
        ),
        pytest.param(
            "1.2/9.9.9 | 5 | -,- | A | A 1",
            "b> b< b>",
            "1.2/- | 5 | 9,- | A b>=9 b<=9 b>=9 ! | B 1",
            id="one hand asked until it is empty within one attempt",
        ),
        pytest.param(
            "1.2/9 | 9.5 | -,- | A | A 1",
            "b< c1",
            "1.2/- | 9.5 | -,- | A b<=9 c1=9 | A 1",
            id="the low end of a hand of one",
        ),
        pytest.param(
            "1.2/9 | 9.5 | -,- | A | A 1",
            "b> c1",
            "1.2/- | 9.5 | -,- | A b>=9 c1=9 | A 1",
            id="its high end is the same card",
        ),
        pytest.param(
            "3/9.10 | 5 | -,- | A | A 1",
            "b> b>",
            "3/- | 5 | -,- | A b>=10 b>=9 ? | B 1",
            id="ten is higher than nine",
        ),
    ],
)
def test_reveals(text: str, actions: str, then: str) -> None:
    """A revealed card lies outside its hand at once; while numbers match, the seat goes on."""
    assert after(text, actions) == then


def test_an_emptied_hand_cannot_be_asked_in_the_same_attempt() -> None:
    """A hand whose cards all lie revealed is as empty as any."""
    table = played("1.2/9 | 9.5 | -,- | A | A 1", "b<").table
    assert refusal(table, 0, parse_action("b>")) is Refusal.EMPTY_HAND


@pytest.mark.parametrize(
    ("text", "actions", "then"),
    [
        pytest.param(
            "1.4/2.3/6.6 | 5.8 | -,-,- | B | B 7",
            "a< c1",
            "4/2.3/6.6 | 5.8 | -,-,- | B a<=1 c1=5 ? | C 7",
            id="the second card differs",
        ),
        pytest.param(
            "1.4/1.3/6.6 | 5.8 | -,-,- | C | C 7",
            "a< b< c2",
            "4/3/6.6 | 5.8 | -,-,- | C a<=1 b<=1 c2=8 ? | A 7",
            id="the third differs, and after the last seat comes the first",
        ),
        pytest.param(
            "1.4/1.3/6.6 | 1.8 | -,-,- | C | C 7",
            "a< b< c1",
            "4/3/6.6 | 1.8 | -,-,1 | C a<=1 b<=1 c1=1 ! | A 7",
            id="three alike are the seat's set, and the turn passes all the same",
        ),
    ],
)
def test_how_an_attempt_ends(text: str, actions: str, then: str) -> None:
    """The first different number is a miss, three alike are a set; the cards stay open."""
    assert after(text, actions) == then


@pytest.mark.parametrize(
    ("text", "then"),
    [
        pytest.param(
            "4.9/3 | 5.8 | -,- | A a<=1 c2=8 ? | B 7",
            "1.4.9/3 | 5.8 | -,- | B | B 8",
            id="to its hand and to its own slot",
        ),
        pytest.param(
            "4.9/3 | 5.8 | -,- | A a>=10 a>=10 b<=2 ? | B 7",
            "4.9.10.10/2.3 | 5.8 | -,- | B | B 8",
            id="ten behind nine",
        ),
        pytest.param(
            "-/4 | 5 | -,- | A b<=3 b<=3 b>=5 ? | B 7",
            "-/3.3.4.5 | 5 | -,- | B | B 8",
            id="both ends of one hand",
        ),
        pytest.param(
            "-/2 | 5 | -,- | B a>=6 c1=5 ? | A 7",
            "6/2 | 5 | -,- | A | A 8",
            id="to a hand that was empty",
        ),
        pytest.param(
            "4/3 | 5.8.8 | 8,- | A c2=8 c3=8 a>=8 ! | B 7",
            "4/3 | 5.x.x | 8,- | B | B 8",
            id="a collected slot stays empty, its hand card is gone",
        ),
    ],
)
def test_continue(text: str, then: str) -> None:
    """Missed cards go back, hands sorted and slots face down; collected cards leave play."""
    assert after(text, ".") == then


def test_a_card_seen_once_can_be_revealed_again() -> None:
    """A missed card is back at its end: the next seat may reveal that very card."""
    text = "1.4/2 | 5 | -,- | A | A 1"
    assert after(text, "a< c1 . a<") == "4/2 | 5 | -,- | B a<=1 | B 2"


def test_a_seat_without_cards_takes_its_turns() -> None:
    """An empty hand continues and reveals like any other."""
    text = "4/- | 5.8 | -,- | A a>=6 c1=5 ? | B 7"
    assert after(text, ". c1 a>") == "4/- | 5.8 | -,- | B c1=5 a>=6 ? | A 8"


ALONE: tuple[Win, ...] = ()


def _pairs() -> list[tuple[int, int]]:
    return [(one, two) for one in range(1, 13) for two in range(1, 13) if one != two]


@pytest.mark.parametrize(
    ("sets", "reasons"),
    [
        ((), ALONE),
        ((1,), ALONE),
        ((7,), (Win("sevens", (7,)),)),
        ((2, 5), (Win("sum", (2, 5)),)),
        ((5, 2), (Win("sum", (2, 5)),)),
        ((3, 10), (Win("difference", (3, 10)),)),
        ((10, 3), (Win("difference", (3, 10)),)),
        ((12, 5), (Win("difference", (5, 12)),)),
        ((9, 10), ALONE),
        ((2, 6), ALONE),
        ((2, 10), ALONE),
        ((1, 12), ALONE),
        ((9, 12, 4), (Win("three_sets", (9, 12, 4)),)),
        ((1, 12, 8), (Win("three_sets", (1, 12, 8)), Win("difference", (1, 8)))),
        ((1, 12, 7), (Win("three_sets", (1, 12, 7)), Win("sevens", (7,)))),
        (
            (8, 6, 1),
            (Win("three_sets", (8, 6, 1)), Win("difference", (1, 8)), Win("sum", (1, 6))),
        ),
        (
            (5, 9, 2),
            (Win("three_sets", (5, 9, 2)), Win("sum", (2, 5)), Win("difference", (2, 9))),
        ),
    ],
)
def test_reasons_to_win(sets: Cards, reasons: tuple[Win, ...]) -> None:
    """Three sets, the sevens, and pairs that sum to 7 or differ by 7: all that hold are said."""
    assert wins_of(sets) == reasons


@pytest.mark.parametrize("pair", _pairs())
def test_pairs(pair: tuple[int, int]) -> None:
    """Of all pairs exactly those of the two lists win together, and each for its one reason."""
    sums = [(1, 6), (2, 5), (3, 4)]
    differences = [(1, 8), (2, 9), (3, 10), (4, 11), (5, 12)]
    expected: list[Reason] = []
    if tuple(sorted(pair)) in sums:
        expected.append("sum")
    if tuple(sorted(pair)) in differences:
        expected.append("difference")
    assert [win.reason for win in wins_of(pair) if win.reason != "sevens"] == expected


@pytest.mark.parametrize(
    ("text", "actions", "result"),
    [
        pytest.param(
            "7.7/2 | 7.8 | -,- | A | A 1",
            "a< a< c1",
            Won(0, (Win("sevens", (7,)),)),
            id="seat A, which is seat 0, by the sevens",
        ),
        pytest.param(
            "4.4/2 | 4.8 | 9,12.8 | B | B 1",
            "a< a< c1",
            Won(1, (Win("three_sets", (12, 8, 4)),)),
            id="the third set",
        ),
        pytest.param(
            "5.5/2 | 5.8 | -,2 | B | B 1",
            "a< a< c1",
            Won(1, (Win("sum", (2, 5)),)),
            id="a sum",
        ),
        pytest.param(
            "10.10/2 | 10.8 | 3,- | A | A 1",
            "a< a< c1",
            Won(0, (Win("difference", (3, 10)),)),
            id="a difference, three and ten",
        ),
        pytest.param(
            "1.1/2 | 1.8 | 6.8,- | A | A 1",
            "a< a< c1",
            Won(
                0,
                (
                    Win("three_sets", (6, 8, 1)),
                    Win("sum", (1, 6)),
                    Win("difference", (1, 8)),
                ),
            ),
            id="three reasons at once",
        ),
        pytest.param(
            "5.5/2 | 5.8 | 2,- | B | B 1",
            "a< a< c1",
            None,
            id="two seats' sets make no pair",
        ),
        pytest.param("4.4/2 | 4.8 | 9,- | A | A 1", "a< a< c1", None, id="two sets, no pair"),
        pytest.param("7.7/2 | 3.8 | 9,- | A | A 1", "a< a< c1", None, id="two sevens are no set"),
    ],
)
def test_winning(text: str, actions: str, result: Won | None) -> None:
    """The game ends at once with the set that wins, for its collector, with every reason."""
    game = played(text, actions)
    assert game.table.result == result
    assert game.table.shown


CAPPED = f"1.1/2 | 1.8 | -,- | A | A {TURN_CAP}"
LAST = f"1.1/2 | 1.8 | 6,- | A | A {TURN_CAP}"


@pytest.mark.parametrize(
    ("text", "actions", "result"),
    [
        pytest.param(CAPPED, "c2", None, id="not within the last turn"),
        pytest.param(CAPPED, "c2 c1", Ended("cap"), id="a miss in the last turn"),
        pytest.param(CAPPED, "a< a< c1", Ended("cap"), id="a set in it that does not win"),
        pytest.param(LAST, "a< a< c1", Won(0, (Win("sum", (1, 6)),)), id="one that does"),
        pytest.param(CAPPED.replace("2000", "1999"), "c2 c1", None, id="one turn before"),
    ],
)
def test_the_cap(text: str, actions: str, result: Won | Ended | None) -> None:
    """A game that reaches its 2,000th turn ends with it; a win in that turn still is a win."""
    assert TURN_CAP == 2000
    assert played(text, actions).table.result == result


def test_the_host_ends_a_game_once() -> None:
    """A game that is over cannot be ended again."""
    over = end(parse_position(OPEN), "host")
    assert over.table.result == Ended("host")
    assert over.secrets == parse_position(OPEN).secrets
    with pytest.raises(Refused) as refused:
        end(over, "host")
    assert refused.value.why is Refusal.GAME_OVER


def test_the_cards_are_opened_at_the_end() -> None:
    """Then every hand and every center card that was not collected is shown."""
    opened = open_cards(end(parse_position(OPEN), "host"))
    assert opened.hands == ((1, 2), ())
    assert opened.center == (5, "gone", 6)


def test_no_card_is_opened_before_the_end() -> None:
    """To open the cards of a running game is a bug, not a refusal."""
    with pytest.raises(AssertionError):
        open_cards(parse_position(OPEN))


def test_continue_is_an_action_of_its_own() -> None:
    """Continue reveals nothing: the next attempt begins empty and is the next seat's."""
    game = apply(parse_position(SHOWN), 1, Continue())
    assert (game.table.attempt.seat, game.table.attempt.cards) == (1, ())
    assert LETTERS[game.table.on_turn] == "B"
