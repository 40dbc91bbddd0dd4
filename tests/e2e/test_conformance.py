"""The conformance kit for servers: ours passes, and each planted fault is named."""

import asyncio
import json
import re
from pathlib import Path
from typing import Final

import pytest

from e2e.faults import FAULTS, SLOW_FAULTS, Fault
from e2e.programs import nana, serving
from e2e.proxy import Alter, faulty
from nana_client.conformance import clock, line, rooms, tables
from nana_client.conformance.clock import SLOW_CHECKS
from nana_client.conformance.server import CHECKS, SLOW, examine
from nana_client.conformance.verdict import Check, Verdict, lines, verdicts

ROOT: Final = Path(__file__).parents[2]


async def test_our_server_conforms(tmp_path: Path) -> None:
    """`nana conformance LINK` tries every check at the real server, and all hold."""
    async with serving(tmp_path) as (_, server), nana(tmp_path, "conformance", server.url) as kit:
        assert await kit.ends() == 0, kit.text
    assert kit.lines[0] == f"nana 0.1.0 at {server.url}"
    assert kit.lines[-1] == f"{len(CHECKS)} checks: {len(CHECKS)} hold."


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is near here: what is to come comes at once."""
    monkeypatch.setattr(line, "QUIET", 0.05)
    monkeypatch.setattr(line, "WITHIN", 1.0)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is wrong here: however busy the machine is, what is to come is waited for."""
    monkeypatch.setattr(line, "WITHIN", 60.0)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
async def test_a_fault_is_named(fault: Fault, tmp_path: Path) -> None:
    """A server that is right but for one thing fails the check that is about it."""
    async with (
        serving(tmp_path) as (_, server),
        faulty(server, out=fault.out, inward=fault.inward) as target,
    ):
        _, found = await examine(target, scenes=[fault.scene])
    wrong = [verdict for verdict in found if verdict.outcome == "failed"]
    assert fault.named in [verdict.check.name for verdict in wrong], list(lines(found))
    assert all(verdict.text for verdict in wrong)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("scene", sorted({fault.scene for fault in FAULTS}, key=str))
async def test_a_proxy_alone_is_no_fault(scene: object, tmp_path: Path) -> None:
    """Behind a proxy that changes nothing the same scenes fail nowhere."""
    async with serving(tmp_path) as (_, server), faulty(server) as target:
        _, found = await examine(target, scenes=[scene])  # type: ignore[list-item]
    assert [verdict.text for verdict in found if verdict.outcome == "failed"] == []


async def test_the_end_of_a_turns_time(tmp_path: Path) -> None:
    """What `--slow` adds holds of the real server, and each fault in it is named: all at once."""
    async with serving(tmp_path) as (_, server):

        async def tried(fault: Alter | None) -> tuple[Verdict, ...]:
            async with faulty(server, out=fault) as target:
                _, found = await examine(target, scenes=SLOW, checks=(*CHECKS, *SLOW_CHECKS))
                return found

        runs = [tried(None), *(tried(fault) for fault in SLOW_FAULTS.values())]
        right, *others = await asyncio.gather(*runs)
    assert [verdict.text for verdict in right if verdict.outcome == "failed"] == []
    slow = {verdict.check.name: verdict.outcome for verdict in right}
    assert {slow[check.name] for check in SLOW_CHECKS} == {"ok"}
    for names, found in zip(SLOW_FAULTS, others, strict=True):
        wrong = {verdict.check.name for verdict in found if verdict.outcome == "failed"}
        assert set(names) <= wrong


def test_every_check_of_the_clock_and_of_tables_can_fail() -> None:
    """For each there is a planted fault above."""
    named = {fault.named for fault in FAULTS}.union(*SLOW_FAULTS)
    mine = (*clock.CHECKS, *clock.SLOW_CHECKS, *tables.CHECKS)
    assert {check.name for check in mine} <= named


def test_each_check_cites_a_chapter() -> None:
    """Names are unlike each other, and each chapter is one of protocol.md."""
    checks = (*CHECKS, *SLOW_CHECKS)
    text = (ROOT / "protocol.md").read_text(encoding="utf-8")
    chapters = set(re.findall(r"^#{2,3} ([\d.]*\d)\.? ", text, re.MULTILINE))
    assert len({check.name for check in checks}) == len(checks)
    assert {check.chapter for check in checks} <= chapters


@pytest.mark.usefixtures("hasty")
async def test_a_limit_on_new_rooms_is_waited_for(tmp_path: Path) -> None:
    """Who checks a server again and again is not told that something in it is wrong."""
    async with serving(tmp_path, "--create-burst", "1") as (_, server):
        _, found = await examine(server, scenes=[rooms.talk, rooms.talk])
    assert [verdict.text for verdict in found if verdict.outcome == "failed"] == []


async def test_nobody_is_there(tmp_path: Path) -> None:
    """What cannot be checked is one sentence, and exit code 1."""
    async with nana(tmp_path, "conformance", "ws://127.0.0.1:1/") as kit:
        assert await kit.ends() == 1
    assert len(kit.lines) == 1
    assert kit.text.startswith("nana: ws://127.0.0.1:1/: no WebSocket came about: ")


async def test_fixed_deals_are_not_checked(tmp_path: Path) -> None:
    """Nothing is opened there, by the protocol: it is said at once, and no fault."""
    async with (
        serving(tmp_path, "--fixed-deals", "word") as (_, server),
        nana(tmp_path, "conformance", server.url) as kit,
    ):
        assert await kit.ends() == 1
    assert len(kit.lines) == 1
    assert "start it without --fixed-deals to check it" in kit.text


async def test_it_reports_in_json(tmp_path: Path) -> None:
    """`--json` has each check with its chapter, its outcome and what was wrong."""
    async with (
        serving(tmp_path) as (_, server),
        nana(tmp_path, "conformance", server.url, "--json") as kit,
    ):
        assert await kit.ends() == 0
    told = json.loads(kit.text)
    assert told["ok"] is True
    assert told["checks"][0] == {
        "check": {
            "name": CHECKS[0].name, "chapter": CHECKS[0].chapter, "holds": CHECKS[0].holds,
            "must": True,
        },
        "outcome": "ok",
        "text": "",
    }  # fmt: skip


def test_what_came_out_is_told() -> None:
    """What failed is told with its first fault, what was not reached as that, and the sum."""
    checks = [Check(name, "9.1", f"{name} holds.") for name in ("one", "two", "three")]
    found = verdicts(checks, {"two": ["It did not.", "Nor then."]}, {"one", "two"})
    assert [verdict.outcome for verdict in found] == ["ok", "failed", "not_reached"]
    assert found[1] == Verdict(checks[1], "failed", "It did not. (and 1 more)")
    assert list(lines(found))[-1] == ("3 checks: 1 holds, 1 does not, 1 could not be tried.")
