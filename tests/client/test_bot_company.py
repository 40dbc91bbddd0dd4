"""A bot's author is told at once, in a sentence, what company or situation there is not."""

from typing import Any

import pytest

from nana_client.robot import Bot, History, IllegalChoice, View, run
from nana_client.robot.testing import Table
from nana_core.notation import Malformed, parse_game


class First(Bot):
    """Takes what comes first."""

    def choose(self, view: View, history: History) -> str:
        return view.legal[0]


@pytest.mark.parametrize(
    "wishes", [{"against": "hard"}, {"bots": 0}, {"bots": 9}, {"bots": -1}], ids=str
)
def test_a_game_that_cannot_begin_is_not_waited_for(wishes: Any) -> None:
    """A level or a number of bots that there is not raises ValueError, and no server starts."""
    with pytest.raises(ValueError, match=r"hard; there are random|from 1 to 4"):
        run(First(), **wishes)


def test_a_level_that_is_not_there_is_named_at_a_table_of_the_test(nana_table: Table) -> None:
    """The error lists the levels."""
    with pytest.raises(ValueError, match="random, novice, memory"):
        nana_table.play(First(), "hard")  # type: ignore[arg-type]


def test_a_situation_begins_at_a_seat() -> None:
    """A first seat without a hand is malformed, not an IndexError."""
    with pytest.raises(Malformed, match="no seat C"):
        parse_game("1.2/3.4 | 5 | C : c1")


def test_an_endless_answer_is_told_in_short(nana_table: Table) -> None:
    """Whatever a bot has chosen, the sentence about it stays one."""
    view, _ = nana_table.situation("1.2.3/4.5.6 | 7.8 | A : c1")
    assert len(str(IllegalChoice("x" * 100_000, view))) < 200
