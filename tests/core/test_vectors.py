"""The public test vectors: what the core says, and enough for a port to check itself."""

import json
import runpy
from pathlib import Path
from typing import Any, Final

import pytest

from core.vectors import make, port

FOLDER: Final = Path(__file__).parents[2] / "vectors"
SCRIPT: Final = runpy.run_path(str(FOLDER / "make.py"))
FILES: Final = SCRIPT["FILES"]


def vectors(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="ascii"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_what_the_core_says(name: str) -> None:
    """Written again, it is the same (change: python vectors/make.py)."""
    assert SCRIPT["text"](name) == (FOLDER / name).read_text(encoding="ascii")


def test_every_file_is_told_of() -> None:
    """No file is left over, and the page beside them has a line on each."""
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in FOLDER.glob("*.json")} == set(FILES)
    for name in FILES:
        assert f"| `{name}` |" in page


def test_a_port_plays_the_games() -> None:
    """Another implementation, from the text alone, comes to each position and each result."""
    for game in vectors("games"):
        at, result = port.read(game["position"]), None
        for step in game["steps"]:
            assert result is None
            assert port.LETTERS[at["acts"]] == step["by"]
            at, result = port.act(at, step["action"])
            assert port.write(at) == step["position"]
        assert (result, at["turn"]) == (game["result"], game["turns"])


def test_a_port_knows_what_is_legal() -> None:
    """It allows what is allowed, refuses the rest for the same reason, and gets just as far."""
    for vector in vectors("positions"):
        at = port.read(vector["position"])
        assert port.write(at) == vector["position"]
        actions = [*vector["after"], *vector["refused"]]
        assert len(actions) == 21
        assert {name: port.why_not(at, name) for name in vector["refused"]} == vector["refused"]
        for name, then in vector["after"].items():
            assert port.why_not(at, name) is None
            after, result = port.act(at, name)
            assert {"position": port.write(after), "result": result} == then


def test_a_port_shows_what_each_viewer_sees() -> None:
    """Every seat and a watcher, of places in the middle and of games that are over."""
    results = {game["steps"][-1]["position"]: game["result"] for game in vectors("games")}
    for vector in vectors("views"):
        at = port.read(vector["position"])
        result = results[vector["position"]] if vector["over"] else None
        viewers = [*range(len(at["hands"])), None]
        assert [port.seen(at, result, viewer) for viewer in viewers] == vector["views"]


def test_a_port_knows_who_has_won() -> None:
    """For every one, two or three sets."""
    found = vectors("wins")
    assert len(found) == 12 + 66 + 220
    for vector in found:
        assert port.wins(vector["sets"]) == vector["wins"]


def test_the_deals_are_a_second_implementations() -> None:
    """What is published as the core's is what the text alone leads to."""
    ours = {(d["room"], d["game"], d["key"]): d for d in vectors("deals")}
    others = json.loads(make.text())
    assert len(ours) == len(others)
    for other in others:
        mine = ours[other["room"], other["game"], other["key"]]
        assert {name: mine[name] for name in other} == other


def test_the_vectors_cover_the_cases() -> None:
    """Each refusal, outcome, reason, end and number of players is met."""
    refused = {why for vector in vectors("positions") for why in vector["refused"].values()}
    assert refused == {
        "continue_first", "nothing_to_continue", "no_such_slot", "slot_gone", "slot_open",
        "no_such_seat", "empty_hand",
    }  # fmt: skip
    ends = [then["result"] for vector in vectors("positions") for then in vector["after"].values()]
    assert {end["why"] for end in ends if end and end["kind"] == "ended"} == {"cap"}
    reasons = {win["reason"] for end in ends if end for win in end["wins"]}
    assert reasons == {"three_sets", "sevens", "sum", "difference"}
    assert {len(vector["views"]) for vector in vectors("views")} == {3, 4, 5, 6}
    assert {vector["clean"] for vector in vectors("texts")} == {True, False}
