"""The command line: one flag for each option, made from their table."""

import argparse
import os
from typing import Final

from nana_core import __version__
from nana_server.options import OPTIONS, Option

OTHERS: Final = ("--config", "--check-config", "--help", "--version")  # of no value in a file


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="nana-server",
        usage="nana-server [--config FILE] [OPTION …]    (--help lists the options)\n"
        "       nana-server admin COMMAND                 (asks one that runs)",
        description="Serves rooms of the card game Nana over WebSockets.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"nana-server {__version__}")
    made.add_argument("--config", metavar="FILE", help="TOML file with options")
    made.add_argument(
        "--check-config",
        action="store_true",
        help="print the options as they would be, and where each was set, and stop",
    )
    for option in OPTIONS:
        _add(made, option)
    return made


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    about = option.help.replace("%", "%%")
    if option.secret:
        parser.add_argument(option.flag, dest=option.name, help=argparse.SUPPRESS)
    elif option.is_switch:
        parser.add_argument(
            option.flag, dest=option.name, action="store_true", default=None, help=about
        )
    else:
        default = option.default
        if option.repeats:
            about += "; may be given more than once"
        if default not in (None, ()):
            about += f" (default: {_plain(default)})"
        parser.add_argument(
            option.flag,
            dest=option.name,
            action="append" if option.repeats else "store",
            metavar=option.metavar,
            help=about,
        )


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


_EPILOG: Final = f"""\
Each option may also be set in the file (room_idle = 3600) and in the environment
(NANA_ROOM_IDLE=3600); flags come before the environment, the environment before the file.
NANA_CONFIG names the file. NANA_PASSWORD makes the server ask everyone for that password:
it has no flag, since command lines are read by everybody; --password-file is another way.
Times are seconds, or like 90s, 15m, 24h, 30d. docs{os.sep}hosting.md explains it all.
"""
