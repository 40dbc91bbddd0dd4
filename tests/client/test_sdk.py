"""The bot SDK: what a bot's author fills in, is told, and hears when the bot is wrong."""

import asyncio
import threading
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.tables import HELLO, ROOM, WELCOME, Peer, dealt, hashes_of, house, over, playing, seat
from nana_client.robot import (
    Bot,
    History,
    IllegalChoice,
    NoTable,
    Robot,
    View,
    choosing,
    play,
    wanted,
)
from nana_client.robot.bot import checked, name_of
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import AttemptView, Bye, CardView

LEFT = Bye(code="left", text="Goodbye.", retry="never")
DEAL = dealt((None, None))
HASHES = hashes_of((None, None))
BOTS = (seat("A", "Robo", kind="bot", cards=10), seat("B", "Other", kind="bot", cards=10))
MINE = playing(DEAL, HASHES, on_turn="A", legal=("c1", "c2", "a<"), seats=BOTS)


class Enough(BaseException):
    """What `except Exception` passes by."""


class Stubborn(Exception):  # noqa: N818 - the same
    """An exception that wants no note."""

    def add_note(self, _: str) -> None:
        raise AttributeError


class Word(str):
    """A text of another kind, as numpy's choice gives."""

    __slots__ = ()


class Liar(str):
    """A text that is equal to any other, and writes itself as another."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __str__(self) -> str:
        return "a<"


class Source(StrEnum):
    """A bot's own words for what it chooses."""

    C2 = "c2"


class Diary(Bot):
    """Takes the first card, and keeps all that it is told."""

    def __init__(self, choose: Callable[[View], str] = lambda view: view.legal[0]) -> None:
        self.said: list[str] = []
        self._choice = choose

    def choose(self, view: View, history: History) -> str:
        self.said.append(f"choose {view.step} {len(history.attempts)}")
        return self._choice(view)

    def begin(self, view: View) -> None:
        self.said.append(f"begin {view.game} {len(view.you.hand)}")

    def end(self, view: View, history: History) -> None:
        assert view.result is not None
        self.said.append(f"end {view.game} {view.result.seat}")


async def sit(bot: Bot, script: Callable[[Peer], object], games: int = 1) -> Robot:
    """Let a bot play at a scripted table."""

    async def table(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME)
        await script(peer)  # type: ignore[misc]

    async with house(table) as target:
        robot = Robot(
            target.at(ROOM), bot, name="Robo", games=games, say=lambda _: None, thinking=0.0
        )
        await robot.run()
        return robot


async def test_a_bot_hears_of_its_games() -> None:
    """`begin`, a `choose` for each card, and `end`, in that order, with the history so far."""
    missed = AttemptView(turn=1, seat="B", cards=(CardView("c1", 3),), outcome="miss")

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.hear(i.Reveal)
        await peer.say(replace(MINE, version=4, step=4, missed=(missed,), turn=2))
        await peer.hear(i.Reveal)
        await peer.say(over(DEAL, HASHES, seats=BOTS))
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    bot = Diary()
    robot = await sit(bot, script)
    assert bot.said == ["begin 1 10", "choose 2 0", "choose 4 1", "end 1 B"]
    (played,) = robot.played.values()
    assert (played.seat, played.result.seat, played.won, played.players) == ("A", "B", False, 2)


@pytest.mark.parametrize("choice", ["c9", "continue", "", None, 4])
async def test_a_choice_that_is_not_legal_is_said_plainly(choice: str) -> None:
    """The bot leaves the table, and its author reads what it chose and what there was."""

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    with pytest.raises(IllegalChoice) as raised:
        await sit(Diary(lambda _: choice), script)
    said = f"It chose {choice!r}, which is not legal now; it had: c1 c2 a<."
    assert str(raised.value).startswith(said)
    assert (str(raised.value) == said) == isinstance(choice, str)  # else it says what a choice is
    assert raised.value.__notes__ == ["Robo, in game 1, turn 1, as A"]


async def test_what_a_bot_raises_is_its_authors_to_see() -> None:
    """A bug in `choose` makes it leave, and comes out of `run` as it was raised."""

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    def broken(view: View) -> str:
        raise ZeroDivisionError(view.room)

    with pytest.raises(ZeroDivisionError, match=ROOM):
        await sit(Diary(broken), script)


@pytest.mark.parametrize(
    ("raised", "says"),
    [
        (StopIteration(), "next.. found nothing"),
        (SystemExit("enough"), "a bot leaves when its games"),
        (KeyboardInterrupt(), "^KeyboardInterrupt .this is no Exception"),
        (asyncio.CancelledError("me"), "CancelledError: me .this"),
        (GeneratorExit(), "^GeneratorExit .this"),
        (Enough("of it"), "Enough: of it .this"),
        (BaseExceptionGroup("all", [Enough()]), "BaseExceptionGroup: all"),
    ],
)
@pytest.mark.parametrize("asked", ["choose", "begin"])
async def test_what_ends_other_loops_ends_the_bot(
    raised: BaseException, says: str, asked: str
) -> None:
    """What ends loops, tasks or programs comes out as any fault does; nobody waits for ever."""

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    def ends(_: View) -> str:
        raise raised

    bot = Diary(ends if asked == "choose" else lambda view: view.legal[0])
    if asked == "begin":
        bot.begin = ends  # type: ignore[assignment,method-assign]
    async with asyncio.timeout(30):
        with pytest.raises(RuntimeError, match=says) as caught:
            await sit(bot, script)
    assert "ends" in [frame.name for frame in caught.traceback]


@pytest.mark.parametrize("raised", [Enough(), asyncio.CancelledError(), KeyboardInterrupt()])
async def test_what_a_bot_raises_at_the_end_is_heard_too(raised: BaseException) -> None:
    """`end` is the last that it does; its fault comes out all the same."""

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.hear(i.Reveal)
        await peer.say(over(DEAL, HASHES, seats=BOTS))
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    def ends(*_: object) -> None:
        raise raised

    bot = Diary()
    bot.end = ends  # type: ignore[assignment,method-assign]
    async with asyncio.timeout(30):
        with pytest.raises(RuntimeError, match=type(raised).__name__):
            await sit(bot, script)


@pytest.mark.parametrize("choice", [Word("c2"), Source.C2, Liar("c2")])
async def test_a_choice_is_sent_as_a_plain_text(choice: str) -> None:
    """A text of a kind of its own counts as what it says, however it writes or compares itself."""
    heard: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        heard.append((await peer.hear(i.Reveal)).source)
        await peer.say(LEFT)

    async with asyncio.timeout(30):
        await sit(Diary(lambda _: choice), script)
    assert heard == ["c2"]
    assert type(checked(choice, MINE)) is str


@pytest.mark.parametrize("choice", [Liar("c9"), Word(""), ["c1"], b"c1", Enough("c1"), lambda: 1])
async def test_whatever_else_it_chooses_ends_it(choice: str) -> None:
    """A thing that only looks like one of the words is none of them."""

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    async with asyncio.timeout(30):
        with pytest.raises(IllegalChoice):
            await sit(Diary(lambda _: choice), script)


@pytest.mark.parametrize("fails", ["encoding", "notes"])
async def test_what_fails_after_the_choice_ends_it_too(
    fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A choice that cannot be sent, a fault that takes no note: the table is left all the same."""

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    def choose(_: View) -> str:
        if fails == "encoding":
            return Word("c1")
        raise Stubborn

    monkeypatch.setattr(choosing, "checked", lambda choice, _: choice)  # as if it let that through
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # the note is its own fault
    async with asyncio.timeout(30):
        with pytest.raises(TypeError if fails == "encoding" else Stubborn):
            await sit(Diary(choose), script)


@pytest.mark.parametrize("stand_in", [False, True])
async def test_a_long_thought_harms_nothing(stand_in: bool) -> None:
    """Meanwhile the line lives; what comes too late is dropped, or sends the stand-in away."""
    thinks, go_on = threading.Event(), threading.Event()
    seats = (replace(BOTS[0], stand_in=stand_in), BOTS[1])
    moved_on = replace(MINE, version=4, step=5, seats=seats, turn=3)

    def slowly(view: View) -> str:
        if view.step == MINE.step:
            thinks.set()
            go_on.wait()
        return view.legal[-1]

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await asyncio.to_thread(thinks.wait)
        await peer.say(moved_on)
        await peer.alive()
        go_on.set()
        if stand_in:
            assert (await peer.hear(i.Reveal)).step == MINE.step
        assert (await peer.hear(i.Reveal)).step == moved_on.step
        await peer.say(LEFT)

    bot = Diary(slowly)
    await sit(bot, script)
    assert bot.said[1:] == ["choose 2 0", "choose 5 0"]


async def test_an_answer_that_was_lost_is_not_thought_of_again() -> None:
    """After a drop the same card goes out again; the bot is asked once for each card."""
    bot = Diary()
    first: list[i.Reveal] = []

    async def drops(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, MINE)
        first.append(await peer.hear(i.Reveal))
        peer.drop()

    async def goes_on(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Resume)
        await peer.say(replace(WELCOME, resumed=True), MINE)
        assert await peer.hear(i.Reveal) == first[0]
        await peer.say(LEFT)

    async with house(drops, goes_on) as target:
        await Robot(target.at(ROOM), bot, name="Robo", say=lambda _: None, thinking=0.0).run()
    assert bot.said == ["begin 1 10", "choose 2 0"]


async def test_without_a_link_it_plays_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server of its own, a table with ours, so many games, and an account of each."""
    monkeypatch.setenv("NANA_HOME", str(tmp_path))
    said: list[str] = []
    games = await play(
        Diary(lambda view: view.legal[-1]), against="memory", bots=2, games=2, thinking=0.0,
        say=said.append,
    )  # fmt: skip
    assert [game.game for game in games] == [1, 2]
    assert {game.players for game in games} == {3}
    assert all(game.proof == "verified" for game in games)
    assert not [line for line in said if line.startswith("Refused")]


async def test_a_table_that_is_not_there_is_said() -> None:
    """`play` raises it when the bot never came in, with what its author can do; nothing else."""
    said: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        join = await peer.hear(i.Join)
        await peer.refuse(join, "no_such_room", "There is no room KQ7MX.")

    async with house(script) as target:
        with pytest.raises(NoTable, match=r"There is no room KQ7MX any more: ask for its new"):
            await play(Diary(), target.at(ROOM).url, say=said.append)
    assert said == []


def test_a_bot_is_named_after_its_class() -> None:
    """Its own name goes before that; one that is too long for a table is cut."""
    bot = Diary()
    assert name_of(bot) == "Diary"
    bot.name = "Somebody with a very long name"
    assert name_of(bot) == "Somebody with a ver…"


def test_the_wanted_number() -> None:
    """The number of the running attempt; none before its first card, or when it has ended."""
    cards = (CardView("c1", 3),)
    running = AttemptView(turn=1, seat="A", cards=cards, outcome=None)
    assert wanted(MINE) is None
    assert wanted(replace(MINE, attempt=running)) == 3
    ended = replace(running, outcome="miss")
    assert wanted(replace(MINE, attempt=ended, legal=("continue",))) is None


async def test_a_bot_that_never_comes_back_does_not_keep_the_program() -> None:
    """The end of the table is the end, even in the middle of a thought."""
    forever = threading.Event()

    async def script(peer: Peer) -> None:
        await peer.say(MINE)
        await peer.alive()
        await peer.say(LEFT)

    async with asyncio.timeout(30):
        await sit(Diary(lambda _: str(forever.wait())), script)
    forever.set()
