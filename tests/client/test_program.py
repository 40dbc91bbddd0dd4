"""Programs as bots: the lines that go and come, and each way in which a program can fail."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from client.tables import attempt, dealt, hashes_of, playing
from nana_bots.history import History
from nana_client.robot import GivenUp, NoProgram, Program
from nana_client.robot.lines import line_for
from nana_client.robot.process import parse_command

BOTS = (None, None)
VIEW = playing(dealt(BOTS), hashes_of(BOTS), on_turn="A", legal=("c1", "c2", "a<"))
PYTHON = Path(sys.executable).name
HEAD = "import json, os, sys, time\nfor line in sys.stdin:\n    view = json.loads(line)\n    "


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def written(said: list[str]) -> Iterator[list[Program]]:
    programs: list[Program] = []
    yield programs
    for program in programs:
        program.close()


def bot(body: str, said: list[str], written: list[Program], **how: float) -> Program:
    """Write a program whose loop does this with each `view`."""
    command = [sys.executable, "-c", HEAD + body]
    program = Program(command, say=said.append, random=Random(1), within=how.get("within", 10))
    written.append(program)
    return program


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("""'{"source": "c2"}'""", id="an object"),
        pytest.param("""'{"source": "c2", "why": "seen there"}'""", id="and more in it"),
        pytest.param("""'"c2"'""", id="a string"),
        pytest.param("'c2'", id="the name alone"),
        pytest.param("'  c2  '", id="with spaces"),
    ],
)
def test_an_answer_may_be_written_so(answer: str, said: list[str], written: list[Program]) -> None:
    """One line names the source, as an object of JSON or plainly."""
    program = bot(f"print({answer}, flush=True)", said, written)
    assert [program.choose(VIEW, History()) for _ in range(3)] == ["c2"] * 3
    assert said == []


def test_the_line_is_the_snapshot_with_the_history() -> None:
    """What a program reads is what the protocol says of a snapshot, and the ended attempts."""
    ended = attempt(1, "B", "c1=3", "a>=9", outcome="miss")
    line = line_for(VIEW, History([ended]))
    read = json.loads(line)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert read["type"] == "choose"
    assert read["history"] == [
        {"turn": 1, "seat": "B", "outcome": "miss",
         "cards": [{"source": "c1", "number": 3}, {"source": "a>", "number": 9}]}
    ]  # fmt: skip
    assert set(read) == {"type", "history", *VIEW.__struct_fields__}
    assert read["you"]["hand"] == list(VIEW.you.hand)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        pytest.param("time.sleep(60)", "It has not answered within 1 s; does it take one line "
                     "at a time, write a whole one, and flush?", id="hangs"),
        pytest.param("sys.stdout.write('c1'); sys.stdout.flush(); time.sleep(60)",
                     "It has not answered", id="no whole line"),
        pytest.param("sys.exit(3)", "It ended, with exit code 3, instead of answering.", id="ends"),
        pytest.param("os.kill(os.getpid(), 9)", "It was ended by SIGKILL.", id="is killed"),
        pytest.param("os.close(1); time.sleep(60)", "It has closed its output", id="closes"),
        pytest.param("print('c9', flush=True)", "It chose 'c9', which is not legal now; it had: "
                     "c1 c2 a<. ", id="illegal"),
        pytest.param("print('C1', flush=True)", "It chose 'C1', which is not legal now; it had: "
                     "c1 c2 a<. Sources are written in small letters.", id="capital"),
        pytest.param("print('hm', flush=True)", "It chose 'hm', which is not legal now; it had: "
                     "c1 c2 a<. What is no answer belongs on its standard error.", id="talk"),
        pytest.param("sys.exit(0)", "It ended, with exit code 0, instead of answering; it is asked "
                     "more than once: does it read on?", id="reads once"),
        pytest.param("print('', flush=True)", "It wrote an empty line", id="empty"),
        pytest.param("print('{c1}', flush=True)", "It wrote what is not JSON: {c1}.", id="no JSON"),
        pytest.param("print('[1]', flush=True)", "Its answer names no `source`: [1].", id="list"),
        pytest.param("print('{\"source\": 4}', flush=True)", "It chose 4, which", id="a number"),
        pytest.param("print('\\x1b[2Jc1', flush=True)", "It chose", id="escapes"),
    ],
)  # fmt: skip
def test_a_turn_without_a_good_answer(
    body: str, says: str, said: list[str], written: list[Program]
) -> None:
    """It is said in plain words, a card is drawn by lot, and the program is started again."""
    program = bot(f"if view['step'] == 2:\n        {body}\n    print('a<', flush=True)", said,
                  written, within=1.0 if "sleep" in body else 30)  # fmt: skip
    assert program.choose(VIEW, History()) in VIEW.legal
    assert len(said) == 1
    assert said[0].startswith(f"{PYTHON}: {says}")
    assert said[0].endswith(" was drawn by lot instead.")
    assert "\x1b" not in said[0]
    program._within = 30  # to be started again takes what it takes
    assert program.choose(replace(VIEW, step=3), History()) == "a<"
    assert len(said) == 1


def test_a_bot_that_plays_by_itself_is_told_apart(
    tmp_path: Path, said: list[str], written: list[Program]
) -> None:
    """Its script writes what happens at its own table: what is meant is the class in it."""
    file = tmp_path / "parrot.py"
    file.write_text("# from nana_client.robot import run\nprint('Parrot takes seat A.')\n")
    program = Program([sys.executable, str(file)], say=said.append, random=Random(1))
    written.append(program)
    program.choose(VIEW, History())
    assert "It plays by itself; name the class in it: parrot:CLASS." in said[0]


def test_one_answer_a_turn(said: list[str], written: list[Program]) -> None:
    """A second line would be taken for the next turn's answer; it is told off instead."""
    program = bot("print('c1\\nc2', flush=True)", said, written)
    assert program.choose(VIEW, History()) == "c1"
    program._running._lines.put(b"c2\n") if program._running else None  # surely read by now
    program.choose(replace(VIEW, step=3), History())
    assert said[0].startswith(f"{PYTHON}: It wrote a line that nobody had asked for: c2.")


def test_who_fails_too_often_is_given_up(said: list[str], written: list[Program]) -> None:
    """Three times in one game a card is drawn in its place; the next time is the last."""
    program = bot("print('no', flush=True)", said, written)
    for _ in range(3):
        program.choose(VIEW, History())
    with pytest.raises(GivenUp, match="That was too often in one game"):
        program.choose(VIEW, History())
    assert len(said) == 3
    program.choose(replace(VIEW, game=2), History())
    assert (len(said), program.faults) == (4, 5)


def test_it_ends_with_its_children(said: list[str], written: list[Program]) -> None:
    """What a program has started ends with it: nobody holds its output open any more."""
    body = "import subprocess; subprocess.Popen(['sleep', '60']); print('c1', flush=True)"
    program = bot(body, said, written)
    program.choose(VIEW, History())
    running = program._running
    assert running is not None
    program.close()
    assert running._lines.get(timeout=10) == b""


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "There is no program named."),
        ("perl6 bot", "There is no program perl6; if it is in this folder, write ./perl6."),
        ("./none.py", "There is no program ./none.py."),
        ("'open", '"\'open" is no command line: No closing quotation.'),
        ("./plain.txt", "./plain.txt cannot be run (not executable)"),
        ("plain.txt", "plain.txt is not on the PATH; if you mean the one in this folder, write"),
        ("./folder", "./folder is a folder, not a program."),
    ],
)
def test_a_program_that_is_none(
    command: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be run is said before the bot sits down anywhere, with what may help."""
    monkeypatch.chdir(tmp_path)
    Path("plain.txt").write_text("c1\n")
    Path("folder").mkdir()
    with pytest.raises(NoProgram) as raised:
        parse_command(command)
    assert str(raised.value).startswith(says)


def test_a_program_without_a_first_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str], written: list[Program]
) -> None:
    """A script that the system cannot start says what is missing."""
    monkeypatch.chdir(tmp_path)
    script = Path("bot.py")
    script.write_text("print('c1')\n")
    script.chmod(0o755)
    program = Program("./bot.py", say=said.append)
    with pytest.raises(NoProgram, match=r"let it begin with #!, or name what runs it"):
        program.choose(VIEW, History())
