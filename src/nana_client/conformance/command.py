"""`nana conformance`: check a server or a bot, and say in lines or in JSON how it came out.

Exit codes: 0, all holds; 1, something does not, or nobody is there.
"""

import asyncio
import os
import sys
from collections.abc import Sequence

import msgspec

from nana_client.address import Target
from nana_client.conformance.server import examine
from nana_client.conformance.verdict import Broken, Verdict, holds, lines
from nana_core.text import cleaned, clipped


def run_server(target: Target, *, as_json: bool) -> int:
    """Check a server; return the exit code."""
    try:
        server, found = asyncio.run(examine(target, os.environ.get("NANA_PASSWORD")))
    except Broken as error:
        print(f"nana: {target.server}: {error}.", file=sys.stderr)
        return 1
    named = clipped(cleaned(server), 60)
    return report(f"{named} at {target.server}", found, as_json=as_json)


def report(whom: str, found: Sequence[Verdict], *, as_json: bool) -> int:
    """Print what came out; return the exit code."""
    if as_json:
        told = {"of": whom, "ok": holds(found), "checks": found}
        print(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
    else:
        print(f"{whom}\n")
        print("\n".join(lines(found)))
    return 0 if holds(found) else 1
