"""Plain mode: what typed lines mean, what is told, and whole games through pipes."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from client.stage import Recorder
from client.tables import (
    HELLO,
    LOBBY,
    ROOM,
    WELCOME,
    Peer,
    attempt,
    dealt,
    hashes_of,
    house,
    over,
    seat,
)
from client.tables import playing as play
from nana_client.address import target_of
from nana_client.entrance import Joining
from nana_client.model import Model, advance
from nana_client.plain_table import Table
from nana_client.session import Session
from nana_client.spoken import (
    AddABot,
    Choose,
    Do,
    Misunderstood,
    Mute,
    Say,
    SeatDo,
    Spoken,
    Turn,
    understood,
)
from nana_client.store import Store, folders
from nana_client.story import result_words, told
from nana_client.telling import lobby, prompt, table
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import (
    Bye,
    ChatLine,
    Error,
    LedgerView,
    ResultView,
    Snapshot,
    WinView,
)

LEFT = Bye(code="left", text="Goodbye.", retry="never")
DEAL = dealt((None, None))
HASHES = hashes_of((None, None))


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        pytest.param("3", Turn("c3"), id="slot"),
        pytest.param("c10", Turn("c10"), id="slot named"),
        pytest.param("#4", Turn("c4"), id="slot as told"),
        pytest.param("b<", Turn("b<"), id="low"),
        pytest.param("B>", Turn("b>"), id="high"),
        pytest.param("b low", Turn("b<"), id="low as told"),
        pytest.param("A highest", Turn("a>"), id="high in words"),
        pytest.param("go", Do("go"), id="go"),
        pytest.param("", Do("go"), id="enter"),
        pytest.param("say  Hello, [b]Bo[/b]!", Say("Hello, [b]Bo[/b]!"), id="say"),
        pytest.param("Start", Do("start"), id="start"),
        pytest.param("bot", AddABot("memory"), id="bot"),
        pytest.param("bot novice", AddABot("novice"), id="bot level"),
        pytest.param("bot easy", AddABot("novice"), id="an easy bot"),
        pytest.param("bot Strong", AddABot("memory"), id="a strong bot"),
        pytest.param("bot careless", AddABot("random"), id="a careless bot"),
        pytest.param("remove b", SeatDo("remove", "B"), id="remove"),
        pytest.param("host B", SeatDo("host", "B"), id="host"),
        pytest.param("sit", SeatDo("sit", None), id="sit"),
        pytest.param("sit c", SeatDo("sit", "C"), id="sit where"),
        pytest.param("set seats 4", Choose(i.OptionChanges(seats=4)), id="seats"),
        pytest.param("set memory open", Choose(i.OptionChanges(memory="open")), id="memory"),
        pytest.param("set memory closed", Choose(i.OptionChanges(memory="none")), id="as told"),
        pytest.param("set listed yes", Choose(i.OptionChanges(public=True)), id="as in the lobby"),
        pytest.param("set time none", Choose(i.OptionChanges(turn_time=0)), id="no time"),
        pytest.param("set time 60", Choose(i.OptionChanges(turn_time=60)), id="time"),
        pytest.param("set bots off", Choose(i.OptionChanges(bots=False)), id="bots"),
        pytest.param("rematch", Do("rematch"), id="rematch"),
        pytest.param("quit", Do("leave"), id="quit"),
        pytest.param("?", Do("help"), id="help"),
        pytest.param("rules", Do("rules"), id="rules"),
        pytest.param("say 3", Say("Nice one!"), id="quick phrase"),
        pytest.param("say 33", Say("33"), id="a number is only said"),
        pytest.param("mute Bo Bo", Mute("Bo Bo"), id="mute"),
        pytest.param("phrases", Do("phrases"), id="phrases"),
        pytest.param("hints off", Do("hints off"), id="hints"),
    ],
)
def test_what_a_line_means(line: str, meaning: Spoken) -> None:
    """Each command, in the forms in which the table itself speaks."""
    assert understood(line) == meaning


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param("11", "There is no slot 11.", id="slot"),
        pytest.param("0", "There is no slot 0.", id="slot zero"),
        pytest.param("f<", "'f<' is no command", id="seat"),
        pytest.param("say", "Say what?", id="say"),
        pytest.param(
            "bot hard",
            "A bot is careless, easy, strong or expert (or random, novice, memory).",
            id="level",
        ),
        pytest.param("remove", "Which seat? For example: remove B", id="no seat"),
        pytest.param("remove F", "Which seat?", id="bad seat"),
        pytest.param("set seats 9", "That cannot be set", id="seats"),
        pytest.param("set pace soon", "That cannot be set", id="pace"),
        pytest.param("set colour red", "That cannot be set", id="option"),
        pytest.param("dance", "'dance' is no command; type help", id="else"),
    ],
)
def test_what_is_not_understood(line: str, says: str) -> None:
    """Everything else is answered by what would have been understood."""
    meaning = understood(line)
    assert isinstance(meaning, Misunderstood)
    assert meaning.why.startswith(says)


def test_the_table_in_lines() -> None:
    """A running table: everyone's cards and sets, the center, the attempt, one's own hand."""
    shot = play(
        DEAL,
        HASHES,
        on_turn="A",
        seats=(
            replace(LOBBY.seats[0], cards=10, won=1),
            replace(LOBBY.seats[1], cards=1, sets=(2, 9), online=False, stand_in=True),
        ),
        center=("down", 8, "gone"),
        attempt=attempt(7, "A", "c2=8"),
        you=replace(LOBBY.you, hand=(1, 1, 7)),
        ledger=LedgerView(center=(4, None, None), hands=((), (3, 3))),
    )
    assert list(table(shot)) == [
        "A Ann (you, host, on turn, 1 won): 10 cards",
        "B Bo (away, stand-in plays): 1 card, sets 2 9",
        "Center: #1 down, #2 8, #3 gone.",
        "Attempt of A Ann: #2 is 8.",
        "Seen so far: #1 4, B has 3 3.",
        "Your hand (A): 1 1 7",
    ]
    assert prompt(shot, held=False) == "YOUR TURN: card 2 of 3, you need another 8."


def test_the_end_in_lines() -> None:
    """When the game is over every hand is open, and the winner has every reason."""
    shot = over(DEAL, HASHES)
    lines = list(table(shot))
    assert lines[0] == f"A Ann (you, host, ready): {' '.join(map(str, DEAL.hands[0]))}"
    assert lines[-1] == "B Bo wins: 2 + 5 = 7."
    assert prompt(shot, held=False) is None


@pytest.mark.parametrize(
    ("letter", "host", "says"),
    [
        pytest.param(
            "A",
            False,
            "rematch plays again, replay tells the game, save keeps it, leave goes.",
            id="seated",
        ),
        pytest.param(
            None,
            False,
            "sit takes a free seat, the record goes to who played, leave goes.",
            id="watching",
        ),
        pytest.param(
            "A",
            True,
            "rematch plays again, replay tells the game, save keeps it, "
            "start deals to who is ready, leave goes.",
            id="host",
        ),
    ],
)
def test_after_a_game_it_says_what_one_can_do(letter: str | None, host: bool, says: str) -> None:
    """Who sits may play again; who watches has to sit down first; the host deals."""
    said: list[str] = []
    shot = over(DEAL, HASHES, you=replace(LOBBY.you, seat=letter, host=host))
    Table(said.append).hear(Model(snapshot=shot), shot)
    assert said[-1] == says


@pytest.mark.parametrize(
    ("ready", "deeds"),
    [(False, [("rematch", True), ("start",)]), (True, [("start",)])],
    ids=["not ready", "ready"],
)
def test_who_starts_the_next_game_plays_it(ready: bool, deeds: list[Any]) -> None:
    """A host who types start without being ready would watch, and nobody could tell who hosts."""
    shot = over(DEAL, HASHES)
    shot = replace(shot, seats=(replace(shot.seats[0], ready=ready), *shot.seats[1:]))
    mine = Table(lambda _: None)
    play = Recorder(Model(snapshot=shot))
    mine.session = play  # type: ignore[assignment]
    mine.hear(play.model, shot)
    mine.obey("start")
    assert play.deeds == deeds


@pytest.mark.parametrize("phase", ["lobby", "over"])
def test_a_host_is_asked_before_others_are_left_alone(phase: str) -> None:
    """The server stops with the host: while somebody is here, or watches, it asks once."""
    here = LOBBY if phase == "lobby" else over(DEAL, HASHES)
    watched = replace(here, seats=here.seats[:1], watching=("Wa",))
    for shot, asks in ((here, True), (watched, True), (replace(watched, watching=()), False)):
        said: list[str] = []
        mine = Table(said.append)
        play = Recorder(Model(snapshot=shot))
        mine.enter(play, _Hosting())  # type: ignore[arg-type]
        mine.hear(play.model, shot)
        mine.obey("leave")
        assert any("Others are still here" in line for line in said) is asks
        if asks:
            assert play.deeds == []
            mine.obey("look")  # who stays after all is asked again
            mine.obey("leave")
            assert play.deeds == []
            mine.obey("leave")
        assert play.deeds == [("close",)]
        assert said[-1] == "Your table is here again with the next nana host."
        assert mine.told_goodbye


class _Hosting:
    """A server that was started here, for friends."""

    shared = started = True


def test_who_is_muted_is_not_told(tmp_path: Path) -> None:
    """Muted by seat or name, what somebody says is left out, here and the next time."""
    said: list[str] = []
    store = Store(folders({"NANA_HOME": str(tmp_path)}))
    tables = [Table(said.append, store=store) for _ in range(2)]
    for at, mine in enumerate(tables):
        mine.session = Recorder(Model(snapshot=LOBBY))  # type: ignore[assignment]
        mine.hear(mine._at.model, LOBBY)
        if at == 0:
            mine.obey("mute nobody")
            assert said[-1] == "There is nobody called 'nobody' to mute; there is Bo."
            mine.obey("mute b")
            assert said[-1] == "Bo is muted."
        said.clear()
        for name in ("Bo", "Ann"):
            line = ChatLine(seq=1, name=name, seat=None, text="hello")
            mine.hear(mine._at.model, line)
        assert said == ["Ann: hello"]
    tables[-1].obey("mute BO")
    assert said[-1] == "You hear Bo again."
    assert store.muted(ROOM) == frozenset()


def test_hints_in_lines_come_once(tmp_path: Path) -> None:
    """A first game has its hints, with commands to type; `hints off` ends them for good."""
    store = Store(folders({"NANA_HOME": str(tmp_path)}))
    shot = play(DEAL, HASHES, on_turn="A", attempt=attempt(1, "A"))
    hints: list[list[str]] = []
    for times in range(2):
        said: list[str] = []
        table = Table(said.append, store=store)
        table.session = Recorder(Model(snapshot=shot))  # type: ignore[assignment]
        for version in (3, 4):
            table.hear(table._at.model, replace(shot, version=version))
            table._at.model = Model(snapshot=shot)  # type: ignore[misc]
        table.hear(table._at.model, shot)
        hints.append([line for line in said if line.startswith("Hint: ")])
        if not times:
            table.obey("hints off")
    assert len(hints[0]) == 1
    assert "b< the lowest" in hints[0][0]
    assert hints[1] == []


def test_the_rules_can_be_read_in_lines() -> None:
    """Who hears the screen can ask how one wins; options are called what the lobby calls them."""
    said: list[str] = []
    table = Table(said.append)
    table.session = Recorder(Model(snapshot=LOBBY))  # type: ignore[assignment]
    table.hear(table._at.model, LOBBY)
    table.obey("rules")
    assert any("three sets" in line and "differ by 7" in line for line in said)
    assert any("memory closed" in line for line in said)


def test_who_was_not_ready_is_told_that_they_watch() -> None:
    """A seat that is lost at the start is told of, and the score once there is one."""
    mine = over(DEAL, HASHES)
    watching = replace(
        mine, version=12, phase="opening", result=None, you=replace(mine.you, seat=None)
    )
    assert any("you watch" in event.text for event in told(mine, watching))
    before = replace(play(DEAL, HASHES), game=2, version=8)
    won = replace(mine, game=2, seats=(mine.seats[0], replace(mine.seats[1], won=2)))
    assert [event.text for event in told(before, won) if event.kind == "score"] == [
        "Games won: Bo 2, Ann 0."
    ]


def test_what_happened_between_two_snapshots() -> None:
    """Every card that was turned is told once, also when snapshots were left out."""
    start = play(DEAL, HASHES, on_turn="A", attempt=attempt(1, "A", "c1=4"))
    later = replace(
        start,
        version=9,
        missed=(
            attempt(1, "A", "c1=4", "b>=9", outcome="miss"),
            attempt(2, "B", "b<=1", "a<=1", "c3=1", outcome="set"),
        ),
        attempt=attempt(3, "A", "c2=5"),
        turn=3,
    )
    assert [event.text for event in told(start, later)] == [
        "A Ann reveals B high: 9",
        "A Ann misses.",
        "B Bo reveals B low: 1",
        "B Bo reveals A low: 1",
        "B Bo reveals #3: 1",
        "B Bo collects the 1s.",
        "A Ann reveals #2: 5",
    ]
    assert list(told(later, later)) == []
    assert list(told(None, later)) == []


@pytest.mark.parametrize("phase", ["lobby", "over"])
@pytest.mark.parametrize(
    ("was", "now", "lines"),
    [
        pytest.param(None, "memory", ["Momo, a strong bot, takes seat B."], id="comes"),
        pytest.param("expert", None, ["Momo leaves seat B."], id="goes"),
        pytest.param(
            "memory",
            "novice",
            ["Momo leaves seat B.", "Momo, an easy bot, takes seat B."],
            id="another level",
        ),
        pytest.param("novice", "novice", [], id="stays"),
    ],
)
def test_the_log_tells_of_bots(
    phase: str, was: str | None, now: str | None, lines: list[str]
) -> None:
    """A bot that the host adds or removes is in the log, as people are who come and go."""

    def shot(level: str | None, version: int) -> Snapshot:
        kind = "bot" if level else "free"
        bot = seat("B", "Momo" if level else None, kind=kind, level=level)
        return replace(LOBBY, phase=phase, version=version, seats=(LOBBY.seats[0], bot))

    model = advance(advance(Model(), shot(was, 1)), shot(now, 2))
    assert [line.text for line in model.lines] == lines
    assert {line.kind for line in model.lines} <= {"notice"}


def test_the_log_keeps_no_missed_card() -> None:
    """What stays in the model's lines tells sets and results, never a card that went back."""
    shot = play(DEAL, HASHES, on_turn="A")
    model = advance(Model(), LOBBY)
    model = advance(model, shot)
    miss = attempt(1, "A", "c1=4", "b>=9", outcome="miss")
    model = advance(model, replace(shot, version=5, attempt=miss))
    taken = attempt(2, "B", "b<=1", "a<=1", "c3=1", outcome="set")
    model = advance(model, replace(shot, version=6, attempt=taken))
    assert [line.text for line in model.lines] == [
        "Game 1 begins, 2 players.",
        "B Bo collects the 1s.",
    ]


async def test_lines_become_actions() -> None:
    """Lines typed before the table is there wait for it; a reveal goes after a continue."""
    said: list[str] = []
    miss = attempt(1, "B", "c1=1", "c2=2", outcome="miss")
    shown = play(DEAL, HASHES, on_turn="A", attempt=miss)
    shown = replace(shown, legal=("continue",))

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, shown)
        assert (await peer.hear(i.Chat)).text == "hi all"
        going = await peer.hear(i.Continue)
        await peer.say(replace(shown, version=4, step=3, attempt=attempt(2, "A"), legal=("c1",)))
        reveal = await peer.hear(i.Reveal)
        assert (reveal.source, reveal.step) == ("b>", 3)
        await peer.say(Error(id=reveal.id, code="empty_hand", text="That hand is empty."))
        assert going.step == 2
        await peer.hear(i.Leave)
        await peer.say(LEFT)

    async with house(script) as target:
        reader = Table(lambda _: None)
        way = Joining(name="Ann")
        session = Session(target.at(ROOM), way, store=None, on_change=reader.hear)
        reader.enter(session, None)

        def say(text: str) -> None:
            said.append(text)
            if text.startswith("YOUR TURN: reveal"):
                reader.obey("b high")
            if text == "No: That hand is empty.":
                reader.obey("leave")

        reader._say = say
        for line in ("say hi all", "3", "go"):
            reader.obey(line)
        assert (await session.run()).code == "left"
    assert "The last attempt still lies open; go clears it." in said
    assert said.index("YOUR TURN: go continues.") < said.index(
        "YOUR TURN: reveal a card, like 3 or b< or b>."
    )
    assert f"Friends join with: nana join {target.at(ROOM).url}" in said


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class Nana:
    """The real program in plain mode, through pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())

    async def until(self, *parts: str) -> str:
        """Read on to a line with one of these in it."""
        assert self.process.stdout is not None
        while True:
            line = (await self.process.stdout.readline()).decode()
            assert line, f"ended before any of {parts}: {self.lines}"
            self.lines.append(line.rstrip("\n"))
            if any(part in line for part in parts):
                return self.lines[-1]


@asynccontextmanager
async def nana(home: Path, *args: str, **env: str) -> AsyncIterator[Nana]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nana_client", *args),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "NANA_HOME": str(home), "USER": "ann", **env},
    )
    try:
        yield Nana(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_game_against_bots_in_lines(tmp_path: Path) -> None:
    """`nana play`: dealt at once, my turn comes, a card is turned, I leave."""
    async with nana(tmp_path, "play", "--bots", "1") as mine:
        await mine.until("Game 1 begins, 2 players.")
        await mine.until("YOUR TURN")
        mine.type("go")
        while "reveal" not in mine.lines[-1]:
            await mine.until("YOUR TURN: reveal")
        hand = [line for line in mine.lines if line.startswith("Your hand")][-1]
        low = hand.split(": ")[1].split()[0]
        mine.type("a<")
        await mine.until(f"A Ann reveals A low: {low}")
        mine.type("leave")
        await mine.until("Goodbye")
        assert await mine.process.wait() == 0


async def test_hosting_joining_and_coming_back(tmp_path: Path) -> None:
    """The link leads a guest in, talk goes both ways, and a killed guest comes back."""
    port = free_port()
    async with nana(tmp_path, "host", "--port", str(port), "--name", "Ann") as host:
        await host.until("nana join")
        room = host.lines[-1].rpartition("/")[2]
        link = target_of("127.0.0.1", port, room).url
        async with nana(tmp_path, "join", link, "--name", "Bo") as guest:
            await guest.until("You", "Options")
            guest.type("say hello")
            await host.until("B Bo: hello")
            guest.process.kill()
        async with nana(tmp_path, "join", link, "--name", "Other") as guest:
            await guest.until("Welcome, Bo.")
            await guest.until("B Bo (you)")
            host.type("start")
            await guest.until("Game 1 begins")
            host.type("leave")
            await host.until("leave again")
            host.type("leave")
            assert await host.process.wait() == 0
            await guest.until("Trying again")
            guest.process.send_signal(signal.SIGINT)
            assert await guest.process.wait() == 130


async def test_a_room_on_a_server_that_runs_somewhere(tmp_path: Path) -> None:
    """A server's address opens a room there; its link leads guests in. A password is asked for."""
    env = {**os.environ, "NANA_PASSWORD": "tanuki"}
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nana_server", "--port", "0", "--until-stdin-ends"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=env,
    )
    assert server.stdout is not None
    assert server.stdin is not None
    address = (await server.stdout.readline()).decode().split()[-1]
    async with nana(tmp_path / "ann", "host", address) as locked_out:
        await locked_out.until("This server asks for a password.")
        await locked_out.until("Set NANA_PASSWORD to it")
        assert await locked_out.process.wait() == 1
    async with nana(tmp_path / "ann", "host", address, NANA_PASSWORD="tanuki") as host:
        link = (await host.until("nana join")).split()[-1]
        assert link.startswith(f"{address}r/")
        async with nana(
            tmp_path / "bo", "join", link, "--name", "Bo", NANA_PASSWORD="tanuki"
        ) as bo:
            await bo.until("Welcome, Bo.")
            await host.until("Bo takes seat B.")
    server.stdin.close()
    assert await server.wait() == 0


async def test_the_menu_in_lines(tmp_path: Path) -> None:
    """`nana` without a terminal asks what to do; input that ends is an answer, too."""
    async with nana(tmp_path) as menu:
        await menu.until("quit")
        for line in ("dance", "watch nowhere", "resume", "games", "replay 1", "quit"):
            menu.type(line)
        await menu.until("Type play, host")
        await menu.until("names a server, but no room")
        await menu.until("No seat is saved.")
        await menu.until("No game is kept here yet.")
        await menu.until("Type games for the list")
        assert await menu.process.wait() == 0
    async with nana(tmp_path) as menu:
        await menu.until("quit")
        assert menu.process.stdin is not None
        menu.process.stdin.close()
        assert await menu.process.wait() == 0


async def test_no_table_is_exit_code_1(tmp_path: Path) -> None:
    """A server that does not answer is one sentence, at once."""
    port = free_port()
    async with nana(tmp_path, "watch", target_of("127.0.0.1", port, "KQ7MX").url) as watcher:
        await watcher.until(f"Nothing answers at 127.0.0.1:{port}; is the server running?")
        assert await watcher.process.wait() == 1


@pytest.mark.parametrize("reason", ["{9}", "{", "}", "{0.__class__}", "{0:>999999999}", "by tea"])
def test_a_newer_reason_is_said_as_it_came(reason: str) -> None:
    """A word of the server's is never taken for a form to fill in."""
    won = ResultView(kind="won", seat="A", wins=(WinView(reason, (3, 4)),), why=None)
    assert result_words(LOBBY, won) == f"A Ann wins: {reason}."


def test_the_lobby_says_that_deals_are_fixed() -> None:
    """In lines as on the screen: nobody plays for chosen cards unknowingly."""
    said = "Fixed deals: whoever runs this server chose the cards."
    assert said in tuple(lobby(replace(LOBBY, deal=replace(LOBBY.deal, fixed=True))))
    assert said not in tuple(lobby(LOBBY))
