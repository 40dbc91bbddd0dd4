"""The command line: one flag for each option, made from their table."""

import argparse
import os
from typing import Final, NoReturn

from nana_core import __version__
from nana_core.command_line import mistake
from nana_server.options import OPTIONS, Option

OTHERS: Final = ("--config", "--check-config", "--help", "--version")  # of no value in a file


class Parser(argparse.ArgumentParser):
    """Says what is wrong in words of our own."""

    def error(self, message: str) -> NoReturn:
        text = mistake(self, message, EXAMPLES).removeprefix(f"{self.prog} ")
        super().error(text if text.endswith((".", "?")) else f"{text}.")


def parser() -> argparse.ArgumentParser:
    made = Parser(
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


def _example(option: Option) -> str:
    """Give a value that is understood."""
    if option.choices or option.default not in (None, (), ""):
        return option.choices[0] if option.choices else _plain(option.default).split(", ")[0]
    return _VALUES[option.metavar]


_VALUES: Final = {  # for the options that have no default to show
    "DAYS": "30",
    "FILE": "nana.toml",
    "FOLDER": "~/nana-data",
    "NETWORK": "127.0.0.1",
    "ORIGIN": "https://example.org",
    "TIME": "90s",
    "URL": "wss://example.org/nana",
    "WORD": "tuesday",
}
EXAMPLES: Final = {
    **{option.flag: _example(option) for option in OPTIONS if not option.secret},
    "--config": "nana.toml",
    "--tls-cert": "fullchain.pem",
    "--tls-key": "privkey.pem",
    "--password-file": "password.txt",
    "nana-server admin": "rooms --data ~/nana-data",
    "nana-server admin backup": "friday.db --data ~/nana-data",
    "nana-server admin close": "KQ7MX --data ~/nana-data",
    "nana-server admin announce": "'Back in five minutes.' --data ~/nana-data",
}
_EPILOG: Final = f"""\
Each option may also be set in the file (room_idle = 3600) and in the environment
(NANA_ROOM_IDLE=3600); flags come before the environment, the environment before the file.
NANA_CONFIG names the file. NANA_PASSWORD makes the server ask everyone for that password:
it has no flag, since command lines are read by everybody; --password-file is another way.
Times are seconds, or like 90s, 15m, 24h, 30d. docs{os.sep}hosting.md explains it all.
"""
