"""The command line of `nana`: what is asked for, in a Start, or one sentence and exit code 2.

It must answer `--help` at once: whatever is heavy is imported by what needs it.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

from nana_client.address import DEFAULT_PORT, BadAddress, Target, parse, parse_room
from nana_client.start import (
    BrowseRooms,
    ComeBack,
    HostRoom,
    JoinRoom,
    OpenScreen,
    PlayBots,
    Start,
    WatchRoom,
)
from nana_client.stopping import run_stoppable
from nana_core import __version__
from nana_core.deck import LETTERS, MAX_PLAYERS, MIN_PLAYERS

if TYPE_CHECKING:  # a bot's connection is not for --help
    from nana_client.robot.running import Wishes

THEMES: Final = ("night", "paper", "contrast")
NAMELESS: Final = frozenset(  # nobody sees who does these
    {"verify", "replay", "export", "keys", "themes", "arena"}
)
EPILOG: Final = """\
examples:
  nana                                   the opening screen: play, host, join, watch, resume
  nana play --bots 2 --level memory      you against two strong bots
  nana host --name Ann                   a room on this machine; the links to share are shown
  nana host wss://nana.example.org       a room on a server that runs somewhere
  nana join ws://192.168.1.5:8765/r/KQ7MX
  nana watch ws://192.168.1.5:8765/r/KQ7MX
  nana rooms nana.example.org            the open tables of a server, to join or watch
  nana resume                            back to the seat you had last
  nana bot ws://192.168.1.5:8765/r/KQ7MX --games 3
  nana bot --exec 'perl examples/bot.pl' --bots 2
  nana arena memory novice --games 1000 --players 3
  nana export ws://192.168.1.5:8765/r/KQ7MX
  nana replay nana-KQ7MX-1.json --seat B

environment:
  NANA_PASSWORD   the password of a server that asks for one
  NANA_HOME       keep settings, saved seats and logs in this folder
  NO_COLOR        draw without colours
  NO_MOTION       let no card be seen to move; so does TEXTUAL_ANIMATIONS=none

exit codes:
  0    ended as you wanted
  1    no table: it could not be reached or hosted, or the server ended it;
       for a record: none came, or something in it is wrong
  2    the command line is wrong; for a record: there is no such file, or it is none
  130  interrupted with Ctrl+C; 143 and 129, by SIGTERM and SIGHUP
"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        text = re.sub(r"^argument [^:]+: ", "", message).rstrip(".")
        self.exit(2, f"nana: {text}. See: {self.prog} --help\n")


def run(args: Sequence[str]) -> int:
    """Do what the command line asks for; return the exit code."""
    given = parse_args(args)
    match given.command:
        case "bot":
            return run_stoppable(lambda: _bot(given))
        case "conformance":
            return run_stoppable(lambda: _conformance(given))
        case "rooms":
            return _rooms(given)
        case "arena":
            from nana_client.arena.command import run_arena  # noqa: PLC0415 - not for --help

            return run_stoppable(lambda: run_arena(given))
        case "keys":
            from nana_client.listing import run_keys  # noqa: PLC0415 - not for --help

            return run_keys(write=given.write)
        case "themes":
            from nana_client.themes import run_themes  # noqa: PLC0415 - not for --help

            return run_themes(given.new, given.like)
        case "verify" | "replay" | "export" as command:
            return _record(command, given)
        case _:
            return _table(start_of(given), given)


def parse_args(args: Sequence[str]) -> argparse.Namespace:
    """Read the command line; a bare link means join. Exits with code 2 when it is wrong."""
    if args and "://" in args[0]:
        args = ("join", *args)
    return _parser().parse_args(args)


def start_of(given: argparse.Namespace) -> Start:
    """Say what the command line asks for."""
    match given.command:
        case "play":
            return PlayBots(given.bots, given.level, given.name)
        case "host":
            if given.server is not None:
                return JoinRoom(given.server, given.name)
            return HostRoom(given.port, given.name)
        case "join":
            return JoinRoom(given.link, given.name)
        case "watch":
            return WatchRoom(given.link, given.name)
        case "resume":
            return ComeBack(given.name)
        case _:
            return OpenScreen(given.name)


def wants_plain(given: argparse.Namespace, out: TextIO, environ: Mapping[str, str]) -> bool:
    """Tell whether to append lines instead of drawing: asked for, or nothing there can draw."""
    return bool(given.plain) or not out.isatty() or environ.get("TERM") == "dumb"


def _table(start: Start, given: argparse.Namespace) -> int:
    if wants_plain(given, sys.stdout, os.environ):
        from nana_client.plain import run_plain  # noqa: PLC0415 - not for --help

        return run_plain(start)
    from nana_client.running import run_app  # noqa: PLC0415 - Textual takes half a second

    return run_app(start, mouse=not given.no_mouse, motion=not given.no_motion)


def _bot(given: argparse.Namespace) -> int:
    from nana_client.robot.command import run_level, run_program  # noqa: PLC0415 - not for --help

    url = None if given.link is None else given.link.url
    wishes: Wishes = {"name": given.name, "games": given.games}
    wishes |= {"bots": given.bots, "against": given.against}
    if given.exec is not None:
        return run_program(url, given.exec, given.within, wishes)
    return run_level(url, given.level, wishes)


def _conformance(given: argparse.Namespace) -> int:
    from nana_client.conformance.command import run_bot, run_server  # noqa: PLC0415 - as above

    if given.bot is not None:
        return run_bot(given.bot, given.port, as_json=given.json)
    return run_server(given.link, slow=given.slow, as_json=given.json)


def _rooms(given: argparse.Namespace) -> int:
    """Look for the open tables of a server: on the screen, or in lines."""
    if wants_plain(given, sys.stdout, os.environ):
        from nana_client.listing import run_rooms  # noqa: PLC0415 - not for --help

        return run_rooms(given.server.at(None))
    from nana_client.running import run_app  # noqa: PLC0415 - Textual takes half a second

    start = BrowseRooms(given.server.at(None), given.name)
    return run_app(start, mouse=not given.no_mouse, motion=not given.no_motion)


def _record(command: str, given: argparse.Namespace) -> int:
    """Do something with the record of a game."""
    if command == "export":
        from nana_client.exporting import run_export  # noqa: PLC0415 - not for --help

        return run_export(given.link, given.game)
    from nana_client.reading import run_drawn, run_replay, run_verify  # noqa: PLC0415 - the same

    if command == "verify":
        return run_verify(given.file)
    if given.print or given.step or wants_plain(given, sys.stdout, os.environ):
        return run_replay(given.file, given.seat, step=given.step)
    return run_drawn(given.file, given.seat, mouse=not given.no_mouse)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="nana",
        description="The card game Nana for friends at terminals.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[_common(default=False)],
    )
    parser.set_defaults(command=None, name=None)
    parser.add_argument("--version", action="version", version=f"nana {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(name: str, about: str) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = commands.add_parser(
            name, help=about, description=f"{about[:1].upper()}{about[1:]}.",
            parents=[_common(default=argparse.SUPPRESS)],
        )  # fmt: skip
        if name not in NAMELESS:
            added.add_argument("--name", type=_name, help="your name at the table")
        return added

    play = command("play", "play against bots, at once")
    play.add_argument("--bots", type=_between("--bots", 1, 4), default=3, help="1-4 (default: 3)")
    play.add_argument("--level", type=_level, default="novice", help=_PLAY_LEVEL_HELP)
    host = command("host", "open a room for friends, on this machine or on a server")
    host.add_argument(
        "server",
        type=_server,
        nargs="?",
        metavar="SERVER",
        help="its address (default: start one here)",
    )
    host.add_argument(
        "--port",
        type=_between("--port", 1, 65535),
        default=DEFAULT_PORT,
        help=f"where friends connect (default: {DEFAULT_PORT})",
    )
    join = command("join", "take a seat at a table; of a server's address, open a room there")
    join.add_argument("link", type=_address, metavar="LINK")
    command("watch", "look on at a table").add_argument("link", type=_link, metavar="LINK")
    rooms = command("rooms", "look for open tables on a server")
    rooms.add_argument("server", type=_address, metavar="SERVER")
    command("resume", "go back to the seat you had last")
    _add_bot(command("bot", "let a bot take a seat, or play here against ours"))
    _add_conformance(command)
    _add_arena(command)
    keys = command("keys", "show every key; with --write make a file to choose others in")
    keys.add_argument("--write", action="store_true", help="write keys.toml, if there is none yet")
    themes = command("themes", "show the colours to choose from; with --new begin your own")
    themes.add_argument("--new", metavar="NAME", help="write NAME.toml, if there is none yet")
    themes.add_argument(
        "--like",
        choices=THEMES,
        default=THEMES[0],
        help=f"what it begins as (default: {THEMES[0]})",
    )
    _add_records(command)
    return parser


def _add_bot(bot: argparse.ArgumentParser) -> None:
    """Add whose bot it is, where it plays, and how long."""
    bot.add_argument(
        "link",
        type=_address,
        metavar="LINK",
        nargs="?",
        help="a table; or a server, to open one there; without: one on this machine",
    )
    mind = bot.add_mutually_exclusive_group()
    mind.add_argument("--level", type=_level, default="memory", help=_LEVEL_HELP)
    mind.add_argument(
        "--exec", metavar="CMD", help="a program that reads a line of JSON a turn and writes one"
    )
    bot.add_argument(
        "--within",
        type=_between("--within", 1, 3600),
        default=10,
        metavar="SECONDS",
        help="how long the program may take for a card (default: 10)",
    )
    bot.add_argument(
        "--games",
        type=_between("--games", 1, 1_000_000),
        help="leave after so many (default: until the room ends; 1 at a table of its own)",
    )
    own = bot.add_argument_group("at a table of its own")
    own.add_argument("--bots", type=_between("--bots", 1, 4), default=1, help="1-4 (default: 1)")
    own.add_argument("--against", type=_level, default="memory", metavar="LEVEL", help=_LEVEL_HELP)


def _add_conformance(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add the kit for those who write a server, or a bot on the wire."""
    kit = command("conformance", "check whether a server, or a bot, keeps to protocol.md")
    who = kit.add_mutually_exclusive_group(required=True)
    who.add_argument("link", type=_address, metavar="LINK", nargs="?", help="the server's address")
    who.add_argument(
        "--bot",
        metavar="CMD",
        nargs="?",
        const="",
        help="a bot, started with its link behind CMD, or where it has {}; or start it yourself",
    )
    kit.add_argument(
        "--port", type=_between("--port", 1, 65535), default=0, help="where a bot connects"
    )
    kit.add_argument(
        "--slow",
        action="store_true",
        help="of a server: wait for a turn's time to run out, too, which takes half a minute",
    )
    kit.add_argument("--json", action="store_true", help="report in JSON")


def _add_arena(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add the games of bots against bots."""
    most = 10_000_000
    arena = command("arena", "let bots play each other, and measure how strong they are")
    arena.add_argument("bots", nargs="+", metavar="BOT", help=_SPEC_HELP)
    for option, least, usual, about in (
        ("--games", 1, 400, "at least so many (default: 400)"),
        ("--players", MIN_PLAYERS, None, "seats at each table (default: as many as bots named)"),
        ("--seed", 0, 1, "the same seed plays the same games (default: 1)"),
        ("--processes", 1, None, "games at the same time (default: one on each core)"),
    ):
        limit = MAX_PLAYERS if option == "--players" else most
        arena.add_argument(option, type=_between(option, least, limit), default=usual, help=about)
    arena.add_argument(
        "--budget",
        type=_budget,
        metavar="MS",
        help="milliseconds a choice, for every bot that has the option `budget`",
    )
    arena.add_argument(
        "--forgive",
        action="store_true",
        help="go on when a bot fails or chooses what is not legal: a card is drawn by lot instead",
    )
    arena.add_argument(
        "--sockets", action="store_true", help="play at a server, as is done for remote bots"
    )
    arena.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="where remote bots connect"
    )
    arena.add_argument("--json", action="store_true", help="report in JSON")


def _add_records(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add what can be done with the record of a game."""
    export = command("export", "save the record of a game that you played, once it is over")
    export.add_argument("link", type=_link, metavar="LINK")
    most = 1_000_000
    export.add_argument(
        "--game",
        type=_between("--game", 1, most),
        help="its number in the room (default: the last)",
    )
    replay = command("replay", "look at a recorded game, card by card")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.add_argument(
        "--seat", type=_seat, metavar="LETTER", help="through this seat's eyes (default: all hands)"
    )
    replay.add_argument(
        "--print", action="store_true", help="print it; by itself where nothing can be drawn"
    )
    replay.add_argument(
        "--step", action="store_true", help="print it, and wait for Enter after each turn"
    )
    verify = command("verify", "check the record of a game: the deal, every action, the result")
    verify.add_argument("file", type=Path, metavar="FILE")


_SPEC_HELP: Final = (
    "a level, with options as in expert:budget=20; a class of your own, MODULE:CLASS; a "
    "program, exec:COMMAND; or remote, a bot that joins by a link; the "
    "last one named fills the seats that are left"
)
_LEVEL_HELP: Final = "random, novice, memory or expert (default: memory)"
_PLAY_LEVEL_HELP: Final = "random, novice (easy), memory (strong) or expert (default: novice)"


def _common(*, default: Any) -> _Parser:
    """Options that may stand before or behind the command; behind, they must not reset it."""
    common = _Parser(add_help=False)
    common.add_argument(
        "--plain",
        action="store_true",
        default=default,
        help="append lines and read commands; by itself where nothing can be drawn",
    )
    common.add_argument(
        "--no-mouse",
        action="store_true",
        default=default,
        help="leave the mouse to the terminal",
    )
    common.add_argument(
        "--no-motion",
        action="store_true",
        default=default,
        help="let no card be seen to move",
    )
    return common


def _between(option: str, least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"{option} is a number from {least} to {most}, not {text!r}"
        )

    return read


def _budget(text: str) -> float:
    from nana_bots.arena import BadSpec, budget_in  # noqa: PLC0415 - not for --help

    try:
        return budget_in(text, "--budget")
    except BadSpec as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _level(text: str) -> str:
    from nana_client.options import level_of  # noqa: PLC0415 - not for --help

    level = level_of(text)
    if level is None:
        raise argparse.ArgumentTypeError(
            f"a level is random, novice, memory or expert, not {text!r}"
        )
    return level


def _seat(text: str) -> str:
    if len(text) != 1 or text.upper() not in LETTERS:
        raise argparse.ArgumentTypeError(f"a seat is a letter from A to E, not {text!r}")
    return text.upper()


def _name(text: str) -> str:
    from nana_client.naming import flaw, tidied  # noqa: PLC0415 - not for --help

    name = tidied(text)
    if why := flaw(name):
        raise argparse.ArgumentTypeError(why)
    return name


def _link(text: str) -> Target:
    try:
        return parse_room(text)
    except BadAddress as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _address(text: str) -> Target:
    try:
        return parse(text)
    except BadAddress as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _server(text: str) -> Target:
    target = _address(text)
    if target.room is not None:
        raise argparse.ArgumentTypeError(f"{text} names a room: nana join goes there")
    return target
