"""The values of a command line: each is read, or refused with what it would be.

Whatever is heavy is imported by what needs it: `--help` must answer at once.
"""

import argparse
import re
from collections.abc import Callable
from typing import Final

from nana_client.address import BadAddress, Target, parse, parse_room
from nana_core.deck import LETTERS

_CLASS: Final = re.compile(r"[\w.]+:[^\W\d]\w*([:,]\w+=.*)?")  # as nana arena has it


def between(option: str, least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"{option} is a number from {least} to {most}, not {text!r}"
        )

    return read


def budget(text: str) -> float:
    from nana_bots.arena import BadSpec, budget_in  # noqa: PLC0415 - not for --help

    try:
        return budget_in(text, "--budget")
    except BadSpec as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def level(text: str) -> str:
    from nana_client.options import level_of  # noqa: PLC0415 - not for --help

    level = level_of(text)
    if level is None:
        raise argparse.ArgumentTypeError(
            f"a level is random, novice, memory or expert, not {text!r}"
        )
    return level


def seat(text: str) -> str:
    if len(text) != 1 or text.upper() not in LETTERS:
        raise argparse.ArgumentTypeError(f"a seat is a letter from A to E, not {text!r}")
    return text.upper()


def named(text: str) -> str:
    from nana_client.naming import flaw, tidied  # noqa: PLC0415 - not for --help

    name = tidied(text)
    if why := flaw(name):
        raise argparse.ArgumentTypeError(why)
    return name


def link(text: str) -> Target:
    try:
        return parse_room(text)
    except BadAddress as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def address(text: str) -> Target:
    try:
        return parse(text)
    except BadAddress as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def no_bot(instead: str) -> Callable[[str], Target]:
    """Read an address where somebody may name their bot, which they should do as is said."""

    def read(text: str) -> Target:
        if text.endswith((".py", ".pl", ".sh")) or _CLASS.fullmatch(text):
            raise argparse.ArgumentTypeError(f"{text} is no address: {instead} (docs/bots.md)")
        return address(text)

    return read


def server(text: str) -> Target:
    target = address(text)
    if target.room is not None:
        raise argparse.ArgumentTypeError(f"{text} names a room: nana join goes there")
    return target
