"""What the README and the pages beside it say can be done as it is said."""

import ast
import asyncio
import json
import os
import re
import secrets
import shlex
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from websockets.asyncio.client import ClientConnection, connect

from nana_bots.arena import snapshot_for
from nana_bots.history import History
from nana_client import cli
from nana_client.robot.lines import line_for
from nana_client.robot.wishes import Wishes
from nana_core import notation
from nana_core.protocol.wire import attempt_view

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
LINKING: Final = (*PAGES, ROOT / "CHANGELOG.md")  # which tells of commands that there were, too
_BLOCK: Final = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_TARGET: Final = re.compile(r"^([a-z-]+):", re.MULTILINE)
_HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)
_FLAG: Final = re.compile(r"--[a-z][a-z-]+")
_OURS: Final = ("nana", "nana-server", "make", "python", "pip")
TURNS: Final = 12
GAME: Final = (
    "1.3.3.4.5.6.7.8.8.10/1.2.2.2.3.4.5.5.7.10 | 4.8.6.7.10.9.6.1.9.9 | A : a< c5"  # a miss
)


class Said(NamedTuple):
    """A command line, and where it stands."""

    page: str
    line: str


def _blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [found[2] for found in _BLOCK.finditer(text) if found[1] == language]


def _commands() -> list[Said]:
    """Return the lines of shell blocks, and what is said in `code` with a command's name first."""
    found = []
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        found += [Said(name, line) for text in _blocks(page, "sh") for line in text.splitlines()]
        prose = _BLOCK.sub("", page.read_text(encoding="utf-8"))
        found += [
            Said(name, code)
            for code in _CODE.findall(prose)
            if code.partition(" ")[0] in _OURS and not re.search(r"\b[A-Z]{3,}\b", code)
        ]
    return list(dict.fromkeys(found))


def _words(line: str) -> list[str]:
    """Split a command line; a variable set before it and a comment behind it are no part."""
    words = shlex.split(line, comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words.pop(0)
    return words


def _makes() -> set[str]:
    return set(_TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))


@cache
def _help(module: str, *command: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", module, *command, "--help"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout


def _options(module: str, *command: str) -> set[str]:
    return set(_FLAG.findall(_help(module, *command)))


def _try(words: list[str]) -> None:
    """Let the program's own command line read it; anything wrong raises or exits."""
    match words:
        case ["nana", command] if f" {command} " in _help("nana_client"):
            pass  # it is named, not used
        case ["nana", *args]:
            cli.parse_args(args)
        case ["nana-server", *args]:
            assert {word for word in args if word.startswith("--")} <= _options("nana_server")
        case ["make", *targets]:
            assert set(targets) <= _makes()
        case ["python", "-m", module, *_]:
            assert find_spec(module) is not None
        case ["python", "parrot.py" | "dice.py", *_]:
            pass  # the page tells to save it
        case ["python", script, *_]:
            assert (ROOT / script).is_file()
        case ["pip", "install", "." | ".[pettingzoo]"]:
            assert (ROOT / "pyproject.toml").is_file()
        case ["pip", "install", "pytest"]:
            pass
        case _:
            raise AssertionError(f"nobody here knows {words}")


@pytest.mark.parametrize("said", _commands(), ids=lambda said: f"{said.page}: {said.line}")
def test_a_command_is_understood(said: Said) -> None:
    """Each command line names what there is, with options that it has."""
    _try(_words(said.line))


@pytest.mark.parametrize(
    "line",
    ["nana hots", "nana play --bot 9", "nana-server --prot 1", "make tea", "python none.py", "ls"],
)
def test_a_wrong_command_is_caught(line: str) -> None:
    """The test above can fail."""
    with pytest.raises((SystemExit, AssertionError)):
        _try(_words(line))


def _anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as the sites that show Markdown make them."""
    prose = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    heads = (re.sub(r"[^\w\- ]", "", head.lower()) for head in _HEADING.findall(prose))
    return {head.replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Files, folders and headings that are linked exist."""
    for link in _LINK.findall(_BLOCK.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_option_in_a_table_is_one(page: Path) -> None:
    """What stands in `code` and begins with two dashes is an option of one of the programs."""
    commands = [
        _options("nana_client", command)
        for command in ("play", "host", "bot", "arena", "replay", "conformance")
    ]
    known = _options("nana_server").union(_options("nana_client"), *commands)
    for code in _CODE.findall(_BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if code.startswith("--"):
            assert code.split()[0] in known


def test_playing_names_what_is_seen() -> None:
    """What the page on playing says that one may see in capitals is what the table says."""
    text = (ROOT / "docs/playing.md").read_text(encoding="utf-8")
    heads = {code for code in _CODE.findall(text) if code.isupper() and len(code) > 4}
    says = (ROOT / "src/nana_client/says.py").read_text(encoding="utf-8")
    named = heads - {"NO_COLOR", "NO_MOTION"}
    assert named
    assert all(f'"{head}"' in says for head in named)


def test_hosting_tells_every_option_of_the_server() -> None:
    """Whoever runs a server finds each of its options in the page's table."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    told = {word for row in page.splitlines() if row[:1] == "|" for word in _FLAG.findall(row)}
    assert told == _options("nana_server") - {"--help", "--version"}


def test_readme_shows_the_options_with_their_defaults() -> None:
    """The table of options names each option that the lobby has, in its order."""
    from nana_client.options import OPTIONS  # noqa: PLC0415 - only here

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("| Option |")[2].partition("\n\n")[0]
    names = [row.split("|")[1].strip() for row in table.splitlines()[2:]]
    assert names == [option.title for option in OPTIONS]


def test_the_pages_python_runs(tmp_path: Path) -> None:
    """The bot for the arena is a whole program, and better than chance."""
    blocks = _blocks(ROOT / "docs" / "bots.md", "python")
    (block,) = [block for block in blocks if "LEVELS" in block]
    run = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    found = re.search(r"won (\d+) of (\d+)", run.stdout)
    assert found is not None
    assert int(found[1]) > int(found[2]) * 0.6


def test_the_pages_knowledge_is_what_is_printed() -> None:
    """Nothing is certain before the first card; a world has a hand for each of the others."""
    blocks = _blocks(ROOT / "docs" / "bots.md", "python")
    (block,) = [block for block in blocks if "nana_core.knowledge" in block]
    run = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert [line.count("(") for line in run.stdout.splitlines()] == [0, 3, 3]


def test_the_pages_simulations_run() -> None:
    """A game of the simulation, and one of PettingZoo's, are played by what the page shows."""
    for what in ("nana_core.environment", "nana_bots.zoo"):
        blocks = _blocks(ROOT / "docs" / "bots.md", "python")
        (block,) = [block for block in blocks if what in block]
        run = subprocess.run(
            [sys.executable, "-c", block], capture_output=True, text=True, check=False
        )
        assert (run.returncode, run.stderr) == (0, "")
        total = ast.literal_eval(run.stdout)
        assert len(total) == {"nana_core.environment": 3, "nana_bots.zoo": 4}[what]
        won = total.values() if isinstance(total, dict) else total
        assert sum(won) == pytest.approx(0.0)


def test_the_pages_first_bot_plays(tmp_path: Path) -> None:
    """The bot in Python is a whole program: pasted into a file it plays a game, and leaves."""
    block, *_ = _blocks(ROOT / "docs" / "bots.md", "python")
    (tmp_path / "parrot.py").write_text(block)
    assert len([line for line in block.splitlines() if line]) <= 10
    example = (ROOT / "examples" / "first_bot.py").read_text(encoding="utf-8")
    assert [line for line in block.splitlines() if "    " in line and line not in example] == [
        "    run(Parrot())"  # and there with a link
    ]
    run = subprocess.run(
        [sys.executable, "parrot.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "NANA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert run.stderr == ""
    assert run.stdout.count(" wins: ") == 1
    assert run.stdout.endswith("Goodbye.\n")


def test_the_pages_calls_are_understood() -> None:
    """Each way to `run` a bot that the page shows has the keywords that there are."""
    _, block, *_ = _blocks(ROOT / "docs" / "bots.md", "python")
    called: list[set[str]] = []
    names = {"run": lambda bot, *url, **wishes: called.append(set(wishes)), "Parrot": object}
    exec(block, names)  # noqa: S102 - our own page
    assert len(called) == 3
    assert set[str]().union(*called) <= Wishes.__optional_keys__


def test_the_pages_line_is_one() -> None:
    """The line that a program reads is shown as it is, but for what is left out."""
    page = ROOT / "docs" / "bots.md"
    (shown,) = map(json.loads, _blocks(page, "json"))
    game = notation.play(*notation.parse_game(GAME))
    history = History([attempt_view(game.table.attempt, 1)])
    real = json.loads(line_for(snapshot_for(game, 0), history))
    for name, value in shown.items():
        assert type(value) is type(real[name])
        if isinstance(value, dict):
            assert value.keys() == real[name].keys()
    assert shown["history"][0].keys() == real["history"][0].keys()


async def test_the_readmes_bot_plays(tmp_path: Path) -> None:
    """The bot in the README takes a seat at a real server and plays without one refusal."""
    (block,) = _blocks(ROOT / "README.md", "python")
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nana_server", "--port", "0", "--log-level", "error"),
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    base = (await server.stdout.readline()).decode().removeprefix("listening on ").strip()
    try:
        async with connect(base) as host:
            code = await _opened(host)
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", block, f"{base}r/{code}"),
                cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            assert await _played(host) >= TURNS
            said, _ = await bot.communicate()
        assert said.decode().splitlines() == ["The host has closed this room."]
    finally:
        server.terminate()
        await server.wait()


async def _opened(host: ClientConnection) -> str:
    """Create a room for two, and return its code."""
    token = secrets.token_hex(16)
    options = {"seats": 2, "pace": 0}
    create = {"type": "create", "protocol": 1, "token": token, "name": "Ann", "options": options}
    await host.send(json.dumps(create))
    async for frame in host:
        got = json.loads(frame)
        if got["type"] == "welcome":
            return str(got["room"])
    raise AssertionError("the room was not opened")


async def _played(host: ClientConnection) -> int:
    """Play with whoever joins, close the room after some turns; return how many there were."""
    turn = 0
    async for frame in host:
        got = json.loads(frame)
        if got["type"] == "snapshot":
            turn = got["turn"]
            if (answer := _answer(got)) is not None:
                await host.send(json.dumps(answer))
    return turn


def _answer(got: dict[str, Any]) -> dict[str, Any] | None:
    if got["phase"] == "lobby":
        return {"type": "start"} if got["seats"][1]["kind"] == "bot" else None
    bot_may_be_sending = got["on_turn"] == "B"
    if got["turn"] >= TURNS and not bot_may_be_sending:
        return {"type": "close"}
    if got["on_turn"] != "A" or not got["legal"]:
        return None
    source = got["legal"][0]
    if source == "continue":
        return {"type": "continue", "step": got["step"]}
    return {"type": "reveal", "source": source, "step": got["step"]}
