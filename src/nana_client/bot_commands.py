"""The command lines of those who write bots: `nana bot`, `nana arena`, `nana conformance`."""

import argparse
from collections.abc import Callable
from typing import Final

from nana_client.arguments import between, budget, level, no_bot
from nana_core.deck import MAX_PLAYERS, MIN_PLAYERS

_LEVEL_HELP: Final = "random, novice, memory or expert (default: memory)"
_SPEC_HELP: Final = (
    "who plays, as said below; the last one named fills the seats that are left, and of more "
    "bots than seats every choice of so many plays"
)


def add_bot(bot: argparse.ArgumentParser) -> None:
    """Add whose bot it is, where it plays, and how long."""
    bot.add_argument(
        "link",
        type=no_bot("a class of yours stands behind --class, any other program behind --exec"),
        metavar="LINK",
        nargs="?",
        help="the table to play at; or a server's address, to open a table there; without a "
        "link it plays on this machine, against our bots",
    )
    mind = bot.add_mutually_exclusive_group()
    mind.add_argument(
        "--level", type=level, default="memory", help=f"which of our bots plays: {_LEVEL_HELP}"
    )
    mind.add_argument(
        "--class",
        dest="own",
        metavar="SPEC",
        help="a class of yours plays instead: MODULE:CLASS, in this folder; its options stand "
        "behind it (parrot:Parrot,depth=3)",
    )
    mind.add_argument(
        "--exec",
        metavar="CMD",
        help="a program of yours plays instead: it reads a line of JSON for each card, and "
        "writes a line with its choice",
    )
    _add_within(bot, "with --exec: how long the program may take for a card")
    bot.add_argument(
        "--games",
        type=between("--games", 1, 1_000_000),
        metavar="N",
        help="leave after so many games (default: when the room ends; 1 at a table of its own)",
    )
    own = bot.add_argument_group("at a table of its own: without a link, or at a server's address")
    own.add_argument(
        "--bots",
        type=between("--bots", 1, 4),
        default=1,
        metavar="N",
        help="against how many of our bots, 1-4 (default: 1)",
    )
    own.add_argument(
        "--against",
        type=level,
        default="memory",
        metavar="LEVEL",
        help=f"of which level: {_LEVEL_HELP}",
    )


def add_conformance(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add the kit for those who write a server, or a bot on the wire."""
    kit = command("conformance", "check whether a server, or a bot, keeps to protocol.md")
    who = kit.add_mutually_exclusive_group(required=True)
    who.add_argument(
        "link",
        type=no_bot("what starts a bot stands behind --bot"),
        metavar="LINK",
        nargs="?",
        help="check the server at this address",
    )
    who.add_argument(
        "--bot",
        metavar="CMD",
        nargs="?",
        const="",
        help="check a bot: CMD starts it, and gets the link of a table at its end, or where it "
        "has {}; without CMD the link is shown, and you start the bot",
    )
    kit.add_argument(
        "--port",
        type=between("--port", 1, 65535),
        default=0,
        help="with --bot: the port in that link (default: one that is free)",
    )
    kit.add_argument(
        "--slow",
        action="store_true",
        help="with LINK: see a turn's time run out, too, which takes half a minute more",
    )
    kit.add_argument("--json", action="store_true", help="report in JSON")


def add_arena(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add the games of bots against bots."""
    most = 10_000_000
    arena = command("arena", "let bots play each other, and measure how strong they are")
    arena.add_argument("bots", nargs="+", metavar="BOT", help=_SPEC_HELP)
    for option, least, usual, about in (
        ("--games", 1, 400, "how many games, at least (default: 400)"),
        ("--players", MIN_PLAYERS, None, "seats at each table, 2-5 (default: one for each BOT)"),
        ("--seed", 0, 1, "the same seed deals the same cards, and plays the same (default: 1)"),
        ("--processes", 1, None, "how many games at the same time (default: one on each core)"),
    ):
        limit = MAX_PLAYERS if option == "--players" else most
        read = between(option, least, limit)
        arena.add_argument(option, type=read, default=usual, metavar="N", help=about)
    arena.add_argument(
        "--budget",
        type=budget,
        metavar="MS",
        help="milliseconds for a choice, for each BOT that has the option budget",
    )
    _add_within(arena, "how long a program may take for a card")
    arena.add_argument(
        "--forgive",
        action="store_true",
        help="when a bot fails, or chooses what is not legal, draw a card by lot and go on "
        "(default: stop, and report what was played)",
    )
    arena.add_argument(
        "--sockets",
        action="store_true",
        help="play at the table of a server, slowly; so it is in any case with a remote bot",
    )
    arena.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="where remote bots connect; 0.0.0.0 for those on other machines "
        "(default: 127.0.0.1, this machine alone)",
    )
    arena.add_argument("--json", action="store_true", help="report in JSON")


def _add_within(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument(
        "--within",
        type=between("--within", 1, 3600),
        default=10,
        metavar="SECONDS",
        help=f"{about} (default: 10)",
    )
