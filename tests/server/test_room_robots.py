"""Bots that look ahead: they think elsewhere, in bounded number and time. All of it virtual."""

import asyncio
import logging
import threading
from collections.abc import Callable

import pytest

from nana_core.protocol import inbound as i
from nana_server.room.robots import LATE
from nana_server.room.work import Answer
from nana_server.thinkers import MOST, Thinkers
from server.house_fixture import Friend, Home, begin, company


def table(players: int = 2) -> tuple[Home, Friend]:
    """Seat a person who is not on turn among experts, who are asked and not yet answered."""
    home = Home()
    home.is_pensive = True
    (friend,) = company(home, 1, turn_time=0)
    for _ in range(players - 1):
        friend.say(i.AddBot(level="expert"))
    begin([friend])
    while not home.questions:
        if friend.shot.on_turn == friend.shot.you.seat:
            friend.say(i.Reveal(step=friend.shot.step, source=friend.shot.legal[0]))  # type: ignore[arg-type]
        home.advance(1500)
    return home, friend


def test_a_table_goes_on_while_an_expert_thinks() -> None:
    """Nothing is turned over until it answers, and it is asked only once; chat goes through."""
    home, friend = table()
    before = friend.shot.step
    friend.say(i.Chat(text="Well?"))
    home.advance(LATE // 2)
    assert (friend.shot.step, len(home.questions)) == (before, 1)
    work, done = home.questions.pop()
    done(work())
    home.advance(1)
    assert friend.shot.step == before + 1


@pytest.mark.parametrize("answers", [True, False], ids=["late", "failed"])
def test_a_legal_card_is_turned_for_an_expert_that_has_no_answer(
    answers: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether it takes too long or fails, the table goes on, and the log says why."""
    home, friend = table()
    before = friend.shot.step
    work, done = home.questions.pop()
    if answers:
        home.advance(LATE)
        assert friend.shot.step == before + 1
        done(work())
    else:
        done(None)
    home.advance(1)
    assert friend.shot.step == before + 1
    assert "no answer" in caplog.text


def test_what_was_thought_out_for_a_game_that_ended_is_dropped() -> None:
    """The answer comes to a table where nothing is to be revealed any more."""
    home, friend = table()
    friend.say(i.End())
    after = friend.shot.step
    work, done = home.questions.pop()
    done(work())
    home.advance(LATE)
    assert (friend.shot.phase, friend.shot.step) == ("over", after)


# the thread they think in


async def answers_of(*questions: Callable[[], Answer]) -> list[Answer]:
    loop, answers = asyncio.get_running_loop(), list[Answer]()
    thinkers, all_came = Thinkers(loop), asyncio.Event()

    def done(answer: Answer) -> None:
        answers.append(answer)
        if len(answers) == len(questions):
            all_came.set()

    for question in questions:
        thinkers.think(question, done)
    await asyncio.wait_for(all_came.wait(), 10)
    thinkers.close()
    return answers


async def test_thinking_is_done_in_another_thread() -> None:
    """The event loop's own stays free."""
    threads: list[str] = []
    await answers_of(lambda: threads.append(threading.current_thread().name))
    assert threads[0].startswith("thinker")


async def test_a_bot_that_fails_has_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    """Its trouble is in the log, and the next one is asked all the same."""
    with caplog.at_level(logging.ERROR):
        answers = await answers_of(lambda: 1 / 0, lambda: i.Continue(step=1))  # type: ignore[arg-type, return-value]
    assert answers == [None, i.Continue(step=1)]
    assert "ZeroDivisionError" in caplog.text


async def test_no_more_than_so_many_think_at_once() -> None:
    """Whoever comes after them has no answer, at once."""
    gate = threading.Event()

    def wait() -> Answer:
        gate.wait(10)
        return i.Continue(step=1)

    asyncio.get_running_loop().call_later(0, gate.set)
    answers = await answers_of(*[wait] * (MOST + 2))
    assert answers.count(None) == 2
