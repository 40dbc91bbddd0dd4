"""A bot's script as its author starts it: what goes wrong is a sentence, or their own line."""

import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from e2e.programs import Program, a_room, free_port, nana, program, serving
from nana_core.protocol.inbound import OptionChanges

SCRIPT: Final = """
from nana_client.robot import Bot, run
class Parrot(Bot):
    def choose(self, view, history):
        {choose}
run(Parrot(){wishes})
"""


@asynccontextmanager
async def script(
    home: Path, wishes: str = "", choose: str = "return view.legal[0]"
) -> AsyncIterator[Program]:
    """Start a bot's script, saved in a file as anybody would."""
    file = home / "parrot.py"
    file.write_text(SCRIPT.format(choose=choose, wishes=f", {wishes}" if wishes else ""))
    async with program(sys.executable, str(file), home=home) as started:
        yield started


async def one_sentence(home: Path, wishes: str, code: int) -> str:
    """Run a script that cannot play; return the one line that it prints."""
    async with script(home, wishes) as tried:
        assert await tried.ends() == code, tried.text
        (line,) = tried.lines
        assert line.startswith("nana: ")
        return line


async def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    """A wrong link is told with a right one; and where nobody listens, that it is so."""
    said = await one_sentence(tmp_path, "'KQ7MX'", code=2)
    assert said.endswith("a link also says where the room is, like ws://192.168.1.5:8765/r/KQ7MX.")
    port = free_port()
    said = await one_sentence(tmp_path, f"'ws://127.0.0.1:{port}/r/KQ7MX'", code=1)
    assert said == f"nana: Nothing answers at 127.0.0.1:{port}; is the server running?"


async def test_a_room_that_takes_no_bot(tmp_path: Path) -> None:
    """One that is not there, is full, or keeps bots out: each with what its author can do."""
    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        said = await one_sentence(tmp_path, f"'{server.at('ZZZZZ').url}'", code=1)
        own = f"or {server.url} opens a room of your own there."
        assert said == f"nana: There is no room ZZZZZ any more: ask for its new link; {own}"
        friend = await stack.enter_async_context(a_room(server, seats=2))
        link, room = friend.session.target.url, friend.session.target.room
        friend.session.set_options(OptionChanges(bots=False))
        await friend.until(lambda shot: not shot.options.bots)
        said = await one_sentence(tmp_path, f"'{link}'", code=1)
        assert said.endswith(f"before a game, with the option Guests' bots; {own}")
        friend.session.set_options(OptionChanges(seats=3, bots=True))
        friend.session.add_bot("random")
        friend.session.add_bot("random")
        await friend.until(lambda shot: all(view.kind != "free" for view in shot.seats))
        said = await one_sentence(tmp_path, f"'{link}'", code=1)
        assert said == f"nana: Room {room} has no place left: let its host make room; {own}"


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ("gmaes=3", "There is no keyword gmaes. Is games meant?"),
        ("bots=9", "bots is a number from 1 to 4, not 9."),
    ],
)
async def test_a_wish_that_comes_to_nothing(wishes: str, says: str, tmp_path: Path) -> None:
    """It is not passed over: the script ends before anything has begun."""
    assert says in await one_sentence(tmp_path, wishes, code=2)


async def test_an_illegal_choice_is_a_sentence(tmp_path: Path) -> None:
    """The last line says which bot it was and when, what it chose, and what it had."""
    async with script(tmp_path, choose="return 'c99'") as tried:
        assert await tried.ends() == 1
    assert "Traceback" not in tried.text
    assert re.fullmatch(
        r"nana: Parrot, in game 1, turn \d, as A: It chose 'c99', which is not legal now; "
        r"it had: c1 c2 [^.]+ b>\.",
        tried.lines[-1],
    )


async def test_a_fault_keeps_its_traceback(tmp_path: Path) -> None:
    """It leads from the script to the author's line, through no line of ours; and says when."""
    async with script(tmp_path, choose="return view.cards[3]") as tried:
        assert await tried.ends() == 1
    shown = tried.text.partition("Traceback")[2]
    assert re.findall(r'File ".*[/\\](\w+)\.py", line \d+, in (\S+)', shown) == [
        ("parrot", "<module>"),
        ("parrot", "choose"),
    ]
    assert "has no attribute 'cards'" in tried.lines[-2]
    assert tried.lines[-1].startswith("Parrot, in game 1, turn ")


DEEP: Final = """
class Deep:
    def __init__(self, depth: int = 1):
        self.depth = depth
    def choose(self, view, history):
        print("deep", self.depth)
        return view.legal[-1]
class Broken(Deep):
    def choose(self, view, history):
        return view.cards[3]
"""


@asynccontextmanager
async def own(
    home: Path, monkeypatch: pytest.MonkeyPatch, spec: str, *args: str
) -> AsyncIterator[Program]:
    """Start `nana bot --class` in the folder of the class."""
    (home / "deep.py").write_text(DEEP)
    monkeypatch.chdir(home)
    async with nana(home, "bot", *args, "--class", spec) as started:
        yield started


async def test_a_class_plays_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`nana bot --class` finds it in this folder, under its own name, with its options."""
    async with own(tmp_path, monkeypatch, "deep:Deep,depth=3", "--games", "2") as played:
        assert await played.ends() == 0
    assert played.lines[0] == "Deep takes seat A."
    assert "deep 3" in played.lines
    assert re.fullmatch(r"It won \d of 2 games\.", played.lines[-1])


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("deep:Deep,wide=3", "deep:Deep,wide=3 has no option 'wide'; its options: depth."),
        ("deep:Deap", "there is no Deap in deep; it has Deep, Broken."),
        ("depe:Deep", "No module named 'depe' in this folder, nor among what is installed."),
        ("deep.py", "--class is MODULE:CLASS, like parrot:Parrot for the class Parrot in parrot"),
        ("expert:budget=3", "expert is a level of ours, no class: write --level expert."),
    ],
)
async def test_a_class_that_is_none(
    spec: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence before anything has begun, with what there is, and exit code 2."""
    async with own(tmp_path, monkeypatch, spec) as tried:
        assert await tried.ends() == 2
    (line,) = tried.lines
    assert line.startswith("nana: ")
    assert says in line
    assert line.endswith(" See: nana bot --help")


async def test_what_a_class_raises_is_its_authors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the traceback there is the author's own line alone, then what and when."""
    async with own(tmp_path, monkeypatch, "deep:Broken") as tried:
        assert await tried.ends() == 1
    shown = tried.text.partition("Traceback")[2]
    assert re.findall(r'File ".*[/\\](\w+)\.py", line \d+, in (\S+)', shown) == [("deep", "choose")]
    assert tried.lines[-1].startswith("Broken, in game 1, turn ")


async def test_at_the_prompt_nothing_is_ended(tmp_path: Path) -> None:
    """Who tries things out in Python keeps their session: there it is raised."""
    async with program(sys.executable, "-i", "-q", home=tmp_path) as prompt:
        prompt.type("from nana_client.robot import Program, run")
        prompt.type("run(Program('cat'), 'KQ7MX')")
        prompt.type("print('still ' 'here')")
        await prompt.until("BadAddress: KQ7MX is a room's code alone")
        await prompt.until("still here")


async def test_whoever_reads_no_more_stops_no_game(tmp_path: Path) -> None:
    """`python parrot.py | head -1`: it plays on, and ends well."""
    file = tmp_path / "parrot.py"
    file.write_text(SCRIPT.format(choose="return view.legal[-1]", wishes=""))
    piped = f"{sys.executable} {file} | head -n 1; echo ${{PIPESTATUS[0]}}"
    async with program("bash", "-c", piped, home=tmp_path) as both:
        assert await both.ends() == 0
    assert both.lines == ["Parrot takes seat A.", "0"]
