"""A whole bot: `python bot.py ws://host:8765/r/CODE [NAME]` joins, plays one game, leaves."""

import json
import random
import secrets
import sys
import time
from typing import Any

from websockets.sync.client import connect


def decide(table: dict[str, Any], seen: dict[str, int]) -> dict[str, Any]:
    if table["legal"] == ["continue"]:  # not before everyone has had time to look
        time.sleep(max(0, (table["not_before"] or 0) - table["now"]) / 1000)
        return {"type": "continue", "step": table["step"]}
    wanted = [card["number"] for card in table["attempt"]["cards"]]
    good = [source for source in table["legal"] if seen.get(source) in wanted]
    source = random.choice(good or table["legal"])
    return {"type": "reveal", "step": table["step"], "source": source}


seen: dict[str, int] = {}  # by source: the number that it showed last
newest = step = 0  # the version seen, and the step answered last
me = {"token": secrets.token_hex(16), "name": (*sys.argv, "Scripty")[2], "kind": "bot"}
with connect(sys.argv[1]) as server:
    for got in map(json.loads, server):
        if got["type"] == "hello":
            server.send(json.dumps({"type": "join", "protocol": 1, **me}))
        elif got["type"] == "snapshot" and got["version"] < newest:
            continue  # an older table than we have seen already
        elif got["type"] == "snapshot" and got["phase"] == "playing":
            newest = got["version"]
            for attempt in (*got["missed"], got["attempt"]):
                seen |= {card["source"]: card["number"] for card in attempt["cards"]}
            if got["legal"] and got["on_turn"] == got["you"]["seat"] and got["step"] != step:
                step = got["step"]  # one answer for each
                server.send(json.dumps(decide(got, seen)))
        elif got["type"] == "snapshot" and got["phase"] == "over" and seen:
            names = {seat["seat"]: seat["name"] for seat in got["seats"]}
            print(names.get(got["result"]["seat"], "nobody"), "won")
            server.send(json.dumps({"type": "leave"}))  # without it the seat would be kept
            break
        elif got["type"] == "error" and got["code"] == "too_early":  # our clocks differ
            time.sleep(0.1)
            server.send(json.dumps({"type": "continue", "step": step}))
        elif got["type"] in {"error", "bye"} and got["code"] not in {"stale", "paused"}:
            sys.exit(got["text"])  # after those two comes the newer snapshot
