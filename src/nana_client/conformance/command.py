"""`nana conformance`: check a server or a bot, and say in lines or in JSON how it came out.

Exit codes: 0, all holds that must; 1, something does not, or nobody is there; 2, there is no
such program.
"""

import asyncio
import os
import sys
from collections.abc import Sequence

import msgspec

from nana_client.address import Target
from nana_client.conformance.bots import scenes as evenings
from nana_client.conformance.bots.house import House, NoBot, Running, Start
from nana_client.conformance.bots.program import start
from nana_client.conformance.clock import SLOW_CHECKS
from nana_client.conformance.kit import FixedDeals
from nana_client.conformance.server import CHECKS, SCENES, SLOW, examine
from nana_client.conformance.verdict import Broken, Verdict, holds, lines, verdicts
from nana_client.robot.process import NoProgram, parse_command
from nana_core.text import cleaned, clipped


def run_server(target: Target, *, slow: bool, as_json: bool) -> int:
    """Check a server; return the exit code."""
    scenes = (*SCENES, *SLOW) if slow else SCENES
    checks = (*CHECKS, *SLOW_CHECKS) if slow else CHECKS
    password = os.environ.get("NANA_PASSWORD")
    try:
        server, found = asyncio.run(examine(target, password, scenes, checks, say=_told))
    except (Broken, FixedDeals) as error:
        print(f"nana: {target.server}: {error}.", file=sys.stderr)
        return 1
    named = clipped(cleaned(server), 60)
    return report(f"{named} at {target.server}", found, as_json=as_json)


def run_bot(command: str, port: int, *, as_json: bool) -> int:
    """Check a bot, which the command starts, or who comes by itself; return the exit code."""
    try:
        argv = parse_command(command) if command else None
    except NoProgram as error:
        print(f"nana: {error}", file=sys.stderr)
        return 2
    try:
        found = asyncio.run(_led_through(argv, port))
    except (NoBot, OSError) as error:
        print(f"nana: {error}.", file=sys.stderr)
        return 1
    return report(command or "The bot", found, as_json=as_json)


async def _led_through(argv: Sequence[str] | None, port: int) -> tuple[Verdict, ...]:
    house = House(None if argv is None else _starting(argv), say=_told if argv else _say)
    async with house.open(port):
        await evenings.lead_through(house)
    return verdicts(evenings.CHECKS, house.found, house.reached)


def _starting(argv: Sequence[str]) -> Start:
    async def begin(url: str) -> Running:
        return await start(argv, url)

    return begin


def _told(text: str) -> None:
    """Say how far it has come, to who looks on."""
    if sys.stderr.isatty():
        _say(text)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def report(whom: str, found: Sequence[Verdict], *, as_json: bool) -> int:
    """Print what came out; return the exit code."""
    if as_json:
        told = {"of": whom, "ok": holds(found), "checks": found}
        print(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
    else:
        print(f"{whom}\n")
        print("\n".join(lines(found)))
    return 0 if holds(found) else 1
