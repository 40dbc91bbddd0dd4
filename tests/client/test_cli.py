"""The command line: what each form asks for, how wrong ones read, how fast help is."""

import argparse
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from nana_client.__main__ import main
from nana_client.address import target_of
from nana_client.cli import _parser, parse_args, run, start_of, wants_plain
from nana_client.naming import name_for
from nana_client.start import HostRoom, JoinRoom, OpenScreen, PlayBots, Start, WatchRoom
from nana_client.usage import EPILOG, EPILOGS, EXAMPLES

LINK = "ws://host:8765/r/KQ7MX"
A_LINK = "ws://192.168.1.5:8765/r/KQ7MX"
TARGET = target_of("host", 8765, "KQ7MX")
SERVER = TARGET.at(None)


@pytest.mark.parametrize(
    ("line", "start"),
    [
        pytest.param("", OpenScreen(), id="nothing"),
        pytest.param("play", PlayBots(), id="play"),
        pytest.param("play --bots 1 --level novice", PlayBots(1, "novice"), id="play all"),
        pytest.param("host", HostRoom(), id="host"),
        pytest.param("host --port 9000 --name Ann", HostRoom(9000, "Ann"), id="host all"),
        pytest.param("play --level easy", PlayBots(3, "novice"), id="a level by its word"),
        pytest.param("host --name 👨\u200d👩\u200d👧", HostRoom(name="👨👩👧"), id="a family"),
        pytest.param("host --name 👍🏽\ufe0fAnn", HostRoom(name="👍Ann"), id="a skin tone"),
        pytest.param(f"join {LINK} --name Ann", JoinRoom(TARGET, "Ann"), id="join"),
        pytest.param("join ws://host:8765", JoinRoom(SERVER), id="join a server"),
        pytest.param("host ws://host:8765", JoinRoom(SERVER), id="host on a server"),
        pytest.param(f"{LINK} --name Ann", JoinRoom(TARGET, "Ann"), id="a bare link"),
        pytest.param("watch host/kq7mx", WatchRoom(TARGET), id="watch"),
    ],
)  # fmt: skip
def test_what_is_asked_for(line: str, start: Start) -> None:
    """Each command line is one Start."""
    assert start_of(parse_args(line.split())) == start


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param("play --bots 5", "--bots is a number from 1 to 4, not '5'.", id="bots"),
        pytest.param(
            "play --level hard", "a level is random, novice, memory or expert", id="level"
        ),
        pytest.param("host --port 0", "--port is a number from 1 to 65535, not '0'.", id="port"),
        pytest.param(
            "join", f"nana join needs LINK. For example: `nana join {A_LINK}`.", id="link"
        ),
        pytest.param("watch host", "host names a server, but no room in it.", id="no room"),
        pytest.param(f"host {LINK}", "names a room: nana join goes there.", id="host a room"),
        pytest.param("join KQ7MX", "a room's code alone", id="code alone"),
        pytest.param("watch ws://host:x/r/KQ7MX", "no good port", id="bad link"),
        pytest.param(
            "dance", "'dance' is no command of nana. There are play, host, ", id="command"
        ),
        pytest.param("repley", "no command of nana; is replay meant? There", id="command meant"),
        pytest.param("play --wild", "--wild is no option of nana play.", id="option"),
        pytest.param("play --levl 1", "of nana play; is --level meant?", id="option meant"),
        pytest.param("play extra", "nana play has no use for 'extra'.", id="word"),
        pytest.param("play --plain=1", "--plain takes no value, and was given '1'.", id="switch"),
        pytest.param("themes --like pink", "--like is night, paper or contrast, not", id="choice"),
        pytest.param(
            "conformance", "needs LINK or --bot. For example: `nana conformance ws:", id="which"
        ),
        pytest.param(f"conformance {LINK} --bot", "--bot and LINK exclude each other", id="both"),
        pytest.param("bot parrot:Parrot", "is no address: a class of yours stands", id="class"),
        pytest.param("bot parrot:Parrot,depth=3", "a class of yours stands", id="with options"),
        pytest.param("conformance bot.py", "no address: what starts a bot stands", id="no server"),
        pytest.param("bot ./bot.pl", "any other program behind --exec (docs/bots.md)", id="script"),
        pytest.param("bot --no", "--no may be --no-mouse or --no-motion.", id="abbreviated"),
        pytest.param(
            "bot --exec",
            "--exec needs a value behind it: a program of yours plays instead: it reads a line of "
            "JSON for each card, and writes a line with its choice; as in "
            "`--exec 'perl examples/bot.pl'`. See: nana bot --help",
            id="no value",
        ),
        pytest.param("play --name=\u202e", "That name will not do: it has characters", id="name"),
        pytest.param("bot host/KQ7MX --games 0", "--games is a number from 1", id="games"),
        *(
            pytest.param(
                f"arena expert --budget={given}",
                f"--budget is a number of milliseconds from 1 to 10000000, not {given!r}.",
                id=f"budget {given}",
            )
            for given in ("-1", "0", "nan", "inf", "soon")
        ),
    ],
)
def test_wrong_ones_are_one_sentence(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong is said in one line on stderr, with exit code 2."""
    with pytest.raises(SystemExit) as ended:
        run(line.split())
    said = capsys.readouterr()
    assert ended.value.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("nana: ")
    assert says in said.err


PARSER, COMMANDS = _parser()


def _takes(action: argparse.Action) -> bool:
    return bool(action.option_strings) and action.nargs is None


@pytest.mark.parametrize("command", COMMANDS)
def test_every_mistake_says_what_would_be_right(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option without its value, and a command without what it needs, get an example that is."""
    known = COMMANDS[command]
    for action in filter(_takes, known._actions):
        option = action.option_strings[0]
        with pytest.raises(SystemExit):
            parse_args([command, option])
        found = re.search(
            rf"nana: {option} needs a value behind it: .+; as in `{option} (.+)`\. See: nana",
            capsys.readouterr().err,
        )
        assert found
        (value,) = shlex.split(found[1])
        assert not isinstance(known._get_values(action, [value]), Exception)
    needs = any(action.required and not action.option_strings for action in known._actions)
    if needs or f"nana {command}" in EXAMPLES:
        with pytest.raises(SystemExit):
            parse_args([command])
        found = re.search(r"For example: `nana (.+)`\. See: nana", capsys.readouterr().err)
        assert found
        assert parse_args(shlex.split(found[1])).command == command


def test_examples_under_help_are_understood() -> None:
    """Each line of them that begins with nana is a command line that the program takes."""
    lines = [
        line
        for text in (EPILOG, *EPILOGS.values())
        for line in re.findall(r"^  nana (.*?)(?: {3,}.*)?$", text, re.MULTILINE)
    ]
    assert len(lines) > 20
    for line in lines:
        parse_args(shlex.split(line))


@pytest.mark.parametrize("command", ["bot", "arena", "conformance", "verify", "keys"])
def test_help_shows_what_is_of_use(command: str) -> None:
    """Where nothing is drawn no option is about drawing; it may stand there all the same."""
    words = re.findall(r"--[a-z-]+", COMMANDS[command].format_help())
    assert not {"--plain", "--no-mouse", "--no-motion"} & set(words)
    assert parse_args(["--plain", "keys", "--no-motion"]).plain
    assert "--plain" in COMMANDS["play"].format_help()


@pytest.mark.parametrize("line", ["--plain play", "play --plain"])
def test_common_options_stand_anywhere(line: str) -> None:
    """--plain and --no-mouse work before and behind the command."""
    given = parse_args(line.split())
    assert (given.plain, given.no_mouse) == (True, False)


def test_lines_where_nothing_can_be_drawn() -> None:
    """Plain mode comes when asked for, without a terminal, and on a dumb one."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    drawn, plain = parse_args(["play"]), parse_args(["play", "--plain"])
    assert not wants_plain(drawn, Terminal(), {"TERM": "xterm"})
    assert wants_plain(plain, Terminal(), {"TERM": "xterm"})
    assert wants_plain(drawn, Terminal(), {"TERM": "dumb"})
    assert wants_plain(drawn, io.StringIO(), {"TERM": "xterm"})


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_loads_nothing_heavy(option: str) -> None:
    """Help and version import neither Textual nor websockets nor asyncio."""
    code = (
        "import sys\nfrom nana_client.cli import run\n"
        f"try: run([{option!r}])\nexcept SystemExit as e: code = e.code\n"
        "heavy = {'textual', 'rich', 'websockets', 'asyncio', 'platformdirs', 'nana_bots'}\n"
        "print(code, sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert "examples:" in done.stdout or "nana 0." in done.stdout


def test_both_programs_start() -> None:
    """`python -m nana_client` is the same program."""
    done = subprocess.run(
        [sys.executable, "-m", "nana_client", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("nana 0.")


def test_records() -> None:
    """What can be done with a record: export it from a room, replay it, verify it."""
    export = parse_args(["export", "ws://h:8765/r/kq7mx", "--game", "3"])
    assert (export.command, export.link.room, export.game) == ("export", "KQ7MX", 3)
    replay = parse_args(["replay", "x.json", "--seat", "b", "--step"])
    assert (replay.file, replay.seat, replay.step) == (Path("x.json"), "B", True)
    for wrong in (
        ["export"], ["export", "ws://h:8765/"], ["export", "ws://h:8765/r/KQ7MX", "--game", "0"],
        ["replay", "--seat", "B"], ["replay", "x", "--seat", "AB"], ["verify"],
        ["verify", "x", "--name", "Ann"],
    ):  # fmt: skip
        with pytest.raises(SystemExit) as exit_:
            run(wrong)
        assert exit_.value.code == 2


@pytest.mark.parametrize(
    ("given", "remembered", "login", "name"),
    [
        pytest.param("Ann", "Bo", "cy", "Ann", id="given"),
        pytest.param(None, "Bo", "cy", "Bo", id="remembered"),
        pytest.param(None, "", "cy", "Cy", id="login"),
        pytest.param(None, "", "", "Player", id="nobody"),
        pytest.param(None, "\x1b\u202e", "cy", "Cy", id="a damaged setting"),
        pytest.param(None, "x" * 50, "", "x" * 19 + "…", id="too long"),
    ],
)
def test_a_name_is_always_found(given: str | None, remembered: str, login: str, name: str) -> None:
    """The name given, else the one remembered, else the login's, always one a server takes."""
    assert name_for(given, remembered, {"USER": login}) == name


def test_an_early_interrupt_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C while the program is still being read ends it like any later one."""

    class Interrupted:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "nana_client.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "nana_client.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted, *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
