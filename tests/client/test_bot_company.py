"""A bot's author is told at once, in a sentence, what company or situation there is not."""

from typing import Any

import pytest

from nana_bots.shape import misfit
from nana_client.robot import BadWish, Bot, History, IllegalChoice, View, play, run
from nana_client.robot.testing import Table
from nana_core.notation import Malformed, parse_game


class First(Bot):
    """Takes what comes first."""

    def choose(self, view: View, history: History) -> str:
        return view.legal[0]


class Async(Bot):
    async def choose(self, view: View, history: History) -> str:  # type: ignore[override]
        return view.legal[0]


class Short(Bot):
    def choose(self, view: View) -> str:  # type: ignore[override]
        return view.legal[0]


class Yields(Bot):
    def choose(self, view: View, history: History) -> Any:
        yield view.legal[0]


class Deaf(First):
    def begin(self) -> None:  # type: ignore[override]
        """Take nothing in."""


class Loose:
    """What is called as a bot is may be made in any way."""

    @staticmethod
    def choose(view: View, history: History) -> str:
        return view.legal[0]


def test_whatever_can_be_called_is_a_bot() -> None:
    """By its class or as it is; how its method was made is its own."""
    for bot in (First, First(), Loose, Loose()):
        assert misfit(bot) is None
    assert misfit(Short) == misfit(Short())


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"against": "hard"}, "No bot is called hard; there are random, novice"),
        ({"against": 3}, "against is the name of a level, not 3."),
        ({"bots": 0}, "bots is a number from 1 to 4, not 0."),
        ({"bots": True}, "bots is a number from 1 to 4, not True."),
        ({"games": 0}, "games is a whole number from 1 on, not 0."),
        ({"thinking": -1}, "thinking is a number of seconds, not -1."),
        ({"say": "aloud"}, "say is a function that takes a line, not 'aloud'."),
        ({"agianst": "novice"}, "There is no keyword agianst. Is against meant? There are games, "),
        ({"url": 8765}, "The link is a text like ws://"),
        ({"bot": First}, "First is a class, not yet a bot: write First()."),
        ({"bot": "memory"}, "'memory' is no bot: it has no method choose"),
        ({"bot": Async()}, "Async is no bot: its choose is async; "),
        (
            {"bot": Short()},
            "Short is no bot: its choose is called otherwise: write def choose(self, ",
        ),
        ({"bot": Yields()}, "Yields is no bot: its choose has a yield in it; write return."),
        (
            {"bot": Deaf()},
            "Deaf is no bot: its begin is called otherwise: write def begin(self, view)",
        ),
    ],
)
async def test_a_game_that_cannot_begin_is_not_waited_for(wishes: Any, says: str) -> None:
    """A bot, link or wish that can come to nothing raises BadWish, and no server starts."""
    with pytest.raises(BadWish) as refused:
        await play(**{"bot": First(), **wishes})
    assert says in str(refused.value)


async def test_run_has_its_own_loop() -> None:
    """In a notebook, where one runs already, it says what to write there."""
    with pytest.raises(RuntimeError, match="write `await play"):
        run(First())


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
