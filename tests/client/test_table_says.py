"""The prompt's sentences: for every state what is going on and what to press."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.scenes import finished, model_of, played, refused, snapshot_of
from nana_client.keyboard import USUAL
from nana_client.model import Model
from nana_client.says import Prompt, prompt, why_not
from nana_client.widgets.prompt import prompt_items
from nana_client.widgets.sheet import Words
from nana_client.words import clock, reason_words, sentence, source_caption
from nana_core.protocol.outbound import Bye, ResultView, Snapshot, WinView

MINE = snapshot_of(played(3))
THEIRS = snapshot_of(played(3, first=1))
SHOWN = snapshot_of(played(3, "c2 b<", first=2))
AWAY = snapshot_of(played(3, first=1), seats={"B": {"online": False}})


TAKES_OVER = ("continue", "take over")
BOTH = (WinView("difference", (3, 10)), WinView("sevens", (7,)))


def over(kind: str = "won", **changes: Any) -> Snapshot:
    shot = snapshot_of(finished(3))
    result = ResultView(kind=kind, seat=changes.pop("seat", None), wins=(), why=None)
    return replace(shot, result=replace(result, **changes))


@pytest.mark.parametrize(
    ("model", "aim", "head", "text", "key"),
    [
        pytest.param(model_of(MINE), None, "YOUR TURN", "Reveal any card.", "digit", id="begin"),
        pytest.param(
            model_of(MINE), "c4", "YOUR TURN", "Reveal slot 4?", "4 or Enter", id="aimed at a slot"
        ),
        pytest.param(
            model_of(MINE), "b>", "YOUR TURN", "Reveal Bo's highest card?", "B or Enter", id="Bo's"
        ),
        pytest.param(
            model_of(MINE), "a<", "YOUR TURN", "Reveal your lowest card?", "a or Enter", id="own"
        ),
        pytest.param(
            model_of(snapshot_of(played(3, "a< a<"))),
            None,
            "YOUR TURN",
            "Two 1s! One more and they are yours.",
            "digit",
            id="two alike",
        ),
        pytest.param(model_of(THEIRS), None, "Bo's turn", "Bo chooses a card …", "t", id="theirs"),
        pytest.param(
            model_of(AWAY), None, "Bo's turn", "Bo is away; before long a stand-in plays.", "t",
            id="away",
        ),
        pytest.param(
            model_of(SHOWN), None, "MISS", "Cy turned 4, then 2.", "Space", id="a miss, yours next"
        ),
        pytest.param(
            model_of(MINE, error=refused("that is stale")), None, "NO", "That is stale.", "digit",
            id="an error",
        ),
        pytest.param(
            model_of(MINE, error=refused("that is stale")), "c1", "YOUR TURN", "Reveal slot 1?",
            "1 or Enter", id="an aim after an error",
        ),
        pytest.param(
            Model(connection="connecting"), None, "CONNECTING", "Looking for the table …", "Esc",
            id="connecting",
        ),
        pytest.param(
            model_of(MINE, connection="waiting", trouble="no answer", retry_in=3.2), None,
            "OFFLINE", "No answer.", "", id="waiting",
        ),
        pytest.param(
            model_of(
                MINE, connection="closed", trouble="gone",
                bye=Bye(code="closed", text="the host closed it", retry="never"),
            ),
            None, "CLOSED", "The host closed it.", "r", id="closed: the server's own reason",
        ),
        pytest.param(Model(connection="open"), None, "HELLO", "Taking a place …", "Esc", id="new"),
        pytest.param(
            model_of(over("ended", why="host")), None, "GAME OVER", "The host ended the game.",
            "r or Enter", id="ended by the host",
        ),
        pytest.param(
            model_of(over("ended", why="a later reason")), None, "GAME OVER",
            "There is no winner.", "r or Enter", id="ended for a reason of a newer server",
        ),
        pytest.param(
            model_of(over(seat="B", wins=BOTH)),
            None, "Bo wins", "3 and 10 differ by 7, and the set of 7s.", "r or Enter",
            id="every reason",
        ),
    ],
)  # fmt: skip
def test_what_the_prompt_says(
    model: Model, aim: str | None, head: str, text: str, key: str
) -> None:
    """One headline, one sentence, and first the key that matters most."""
    said = prompt(model, aim)
    assert (said.head, said.text) == (head, text)
    assert USUAL.label(said.keys[0][0]) == key


@pytest.mark.parametrize(
    ("shot", "source", "text"),
    [
        pytest.param(THEIRS, "c1", "Wait: it is Bo's turn.", id="not yours"),
        pytest.param(SHOWN, "c1", "Space first", id="not cleared yet"),
        pytest.param(snapshot_of(played(3, "c1")), "c1", "Slot 1 is open already.", id="open"),
        pytest.param(replace(MINE, paused=True), "c1", "The host has paused", id="paused"),
        pytest.param(MINE, "c10", "There is no slot 10.", id="no such slot"),
        pytest.param(MINE, "e<", "Nobody sits at E.", id="no such seat"),
        pytest.param(snapshot_of(finished(3)), "c1", "There is nothing to reveal", id="over"),
    ],
)
def test_why_a_source_cannot_be_revealed(shot: Snapshot, source: str, text: str) -> None:
    """A key that does nothing says why."""
    assert why_not(shot, source).startswith(text)


@pytest.mark.parametrize(
    ("win", "text"),
    [
        (WinView("three_sets", (1, 2, 3)), "three sets"),
        (WinView("sevens", (7,)), "the set of 7s"),
        (WinView("sum", (2, 5)), "2 and 5 add up to 7"),
        (WinView("difference", (3, 10)), "3 and 10 differ by 7"),
        (WinView("all_even", (2, 4)), "all even"),
    ],
)
def test_reasons_in_words(win: WinView, text: str) -> None:
    """Every reason is words, one of a newer server too."""
    assert reason_words(win) == text


def test_small_words() -> None:
    """Captions fit seven columns; time rounds up; sentences begin and end as such."""
    assert [source_caption(source) for source in ("c10", "b<", "e>")] == [
        "slot 10", "B low", "E high",
    ]  # fmt: skip
    assert [clock(seconds) for seconds in (0, 0.2, 59.9, 61, -3)] == [
        "0:00", "0:01", "1:00", "1:01", "0:00",
    ]  # fmt: skip
    assert [sentence(text) for text in ("no", "Yes!", "")] == ["No.", "Yes!", ""]


@pytest.mark.parametrize("result", [over("ended", why="host"), over(seat="B", wins=BOTH)])
def test_who_is_not_ready_is_told_what_follows(result: Snapshot) -> None:
    """As soon as somebody wants another game, everybody reads that the rest will watch."""

    def text(**ready: bool) -> str:
        seats = tuple(
            replace(seat, ready=ready.get(seat.seat, seat.kind == "bot")) for seat in result.seats
        )
        return prompt(model_of(replace(result, seats=seats))).text

    assert "ready" not in text()
    assert text(B=True).endswith(" 1 of 2 ready; who is not will watch.")
    assert text(A=True, B=True).endswith(" 2 of 2 ready.")


def test_a_stand_in_of_ones_own_is_told_of() -> None:
    """Who is played for reads how to come back: on turn, before it, and at a miss."""
    mine = {"A": {"stand_in": True}}
    on_turn = prompt(model_of(snapshot_of(played(3), seats=mine)))
    assert (on_turn.text, on_turn.keys[0]) == ("A stand-in plays for you.", TAKES_OVER)
    missed = prompt(model_of(snapshot_of(played(3, "c2 b<", first=2), seats=mine)))
    assert missed.keys[0] == ("continue", "go on, and take over again")


@pytest.mark.parametrize("actions", ["", "c2", "c2 b<"])
@pytest.mark.parametrize("first", [0, 1, 2])
def test_while_a_stand_in_plays_one_key_brings_back(first: int, actions: str) -> None:
    """Whoever is on turn, and whatever lies open: the first key takes over, and is called."""
    for by in (True, False):
        shot = snapshot_of(played(3, actions, first=first), seats={"A": {"stand_in": by}})
        said = prompt(model_of(shot))
        assert (said.call and "take over" in said.keys[0][1]) == by, said
        if by:
            assert said.keys[0][0] == "continue"


def test_the_newest_reason_for_having_no_line_is_told() -> None:
    """A server that said goodbye and stays away is told of as it is now."""
    bye = Bye(code="restart", text="The server is stopping.", retry="after_ms", after_ms=2000)
    gone = model_of(MINE, connection="waiting", trouble="Nothing answers.", retry_in=1.0, bye=bye)
    said = prompt(gone)
    assert said.text == "Nothing answers."
    assert ("", "your seat is kept") in said.keys


@pytest.mark.parametrize("left", ["", "1:23"])
def test_a_long_sentence_goes_on_in_the_second_row(left: str) -> None:
    """Nothing of it is lost, and what to press still follows it."""
    log = "/home/ann/.local/state/nana/host.log"
    text = f"The server stopped by itself; its log is {log}."
    said = Prompt("bad", "CLOSED", text, (("retry", "try again"),))
    rows = {0: "", 1: ""}
    for item in prompt_items(said, 80, left=left):
        assert isinstance(item, Words)
        words = "".join(piece.text for piece in item.pieces)[: item.width]
        rows[item.y] += words
    assert log in rows[1]
    assert "r try again" in rows[1]
    assert " ".join(rows[0].split()[2:8]) == "The server stopped by itself; its"
