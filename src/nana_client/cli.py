"""The command line of `nana`: what is asked for, in a Start, or one sentence and exit code 2.

It must answer `--help` at once: whatever is heavy is imported by what needs it.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

from nana_client.address import DEFAULT_PORT
from nana_client.arguments import address, between, level, link, named, seat, server
from nana_client.bot_commands import add_arena, add_bot, add_conformance
from nana_client.start import (
    BrowseGames,
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
from nana_client.usage import EPILOG, EPILOGS, EXAMPLES
from nana_core import __version__
from nana_core.command_line import mistake, unknown

if TYPE_CHECKING:  # a bot's connection is not for --help
    from nana_client.robot.wishes import Wishes

THEMES: Final = ("night", "paper", "contrast")
NAMELESS: Final = frozenset(  # nobody sees who does these
    {"verify", "replay", "export", "keys", "themes", "arena", "conformance"}
)
IN_LINES: Final = (NAMELESS - {"replay"}) | {"bot"}  # these draw nothing


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        text = mistake(self, message, EXAMPLES)
        end = "" if text.endswith((".", "?")) else "."
        self.exit(2, f"nana: {text}{end} See: {self.prog} --help\n")


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
    parser, commands = _parser()
    given, rest = parser.parse_known_args(args)
    if given.command == "replay" and given.file is None and (given.seat or given.step):
        commands["replay"].error("--seat and --step are for a FILE")
    if rest:
        asked = commands.get(given.command, parser)
        asked.error(unknown(asked, next((word for word in rest if word[:1] == "-"), rest[0])))
    return given


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
            return ComeBack(given.name, given.here)
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
    from nana_client.robot import command  # noqa: PLC0415 - not for --help

    url = None if given.link is None else given.link.url
    wishes: Wishes = {"name": given.name, "games": given.games}
    wishes |= {"bots": given.bots, "against": given.against}
    if given.own is not None:
        return command.run_class(url, given.own, wishes)
    if given.exec is not None:
        return command.run_program(url, given.exec, given.within, wishes)
    return command.run_level(url, given.level, wishes)


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
    in_lines = given.print or given.step or wants_plain(given, sys.stdout, os.environ)
    if given.file is None:
        return _games(given, in_lines=in_lines)
    if in_lines:
        return run_replay(given.file, given.seat, step=given.step)
    return run_drawn(given.file, given.seat, mouse=not given.no_mouse)


def _games(given: argparse.Namespace, *, in_lines: bool) -> int:
    """Look through the games that were played here: on the screen, or in lines."""
    if in_lines:
        from nana_client.listing import run_games  # noqa: PLC0415 - not for --help

        return run_games()
    from nana_client.running import run_app  # noqa: PLC0415 - Textual takes half a second

    return run_app(BrowseGames(), mouse=not given.no_mouse, motion=not given.no_motion)


def _parser() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Return the parser of the whole line, and those of the commands."""
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
        common = _common(default=argparse.SUPPRESS, hidden=name in IN_LINES)
        added: argparse.ArgumentParser = commands.add_parser(
            name, help=about, description=f"{about[:1].upper()}{about[1:]}.", parents=[common],
            epilog=EPILOGS.get(name), formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        if name not in NAMELESS:
            whose = "the bot's" if name == "bot" else "your"
            added.add_argument("--name", type=named, help=f"{whose} name at the table")
        return added

    play = command("play", "play against bots, at once")
    play.add_argument(
        "--bots",
        type=between("--bots", 1, 4),
        default=3,
        metavar="N",
        help="against how many, 1-4 (default: 3)",
    )
    play.add_argument("--level", type=level, default="novice", help=_PLAY_LEVEL_HELP)
    host = command("host", "open a room for friends, on this machine or on a server")
    host.add_argument(
        "server",
        type=server,
        nargs="?",
        metavar="SERVER",
        help="its address (default: start one here)",
    )
    host.add_argument(
        "--port",
        type=between("--port", 1, 65535),
        default=DEFAULT_PORT,
        help=f"where friends connect (default: {DEFAULT_PORT})",
    )
    join = command("join", "take a seat at a table; of a server's address, open a room there")
    join.add_argument("link", type=address, metavar="LINK")
    command("watch", "look on at a table").add_argument("link", type=link, metavar="LINK")
    rooms = command("rooms", "look for open tables on a server")
    rooms.add_argument("server", type=address, metavar="SERVER")
    resume = command("resume", "go back to the seat you had last")
    resume.add_argument(
        "--here", action="store_true", help="take it over if it is open in another terminal"
    )
    add_bot(command("bot", "let a bot take a seat, or play here against ours"))
    add_conformance(command)
    add_arena(command)
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
    return parser, commands.choices


def _add_records(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add what can be done with the record of a game."""
    export = command("export", "save the record of a game that you played, once it is over")
    export.add_argument("link", type=link, metavar="LINK")
    most = 1_000_000
    export.add_argument(
        "--game",
        type=between("--game", 1, most),
        help="its number in the room (default: the last)",
    )
    replay = command("replay", "look at a recorded game, card by card; or choose one of yours")
    replay.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="a record, or the name of one kept (default: the games that you played are listed)",
    )
    replay.add_argument(
        "--seat", type=seat, metavar="LETTER", help="through this seat's eyes (default: all hands)"
    )
    replay.add_argument(
        "--print", action="store_true", help="print it; by itself where nothing can be drawn"
    )
    replay.add_argument(
        "--step", action="store_true", help="print it, and wait for Enter after each turn"
    )
    verify = command("verify", "check the record of a game: the deal, every action, the result")
    verify.add_argument("file", type=Path, metavar="FILE")


_PLAY_LEVEL_HELP: Final = "random, novice (easy), memory (strong) or expert (default: novice)"


def _common(*, default: Any, hidden: bool = False) -> _Parser:
    """Options that may stand before or behind the command; behind, they must not reset it."""
    common = _Parser(add_help=False)
    for option, about in (
        ("--plain", "append lines and read commands; by itself where nothing can be drawn"),
        ("--no-mouse", "leave the mouse to the terminal"),
        ("--no-motion", "let no card be seen to move"),
    ):
        shown = argparse.SUPPRESS if hidden else about
        common.add_argument(option, action="store_true", default=default, help=shown)
    return common
