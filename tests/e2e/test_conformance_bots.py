"""The conformance kit for bots: ours pass, and whoever does one thing wrong is told so."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from e2e.programs import nana
from e2e.wrong_bots import WRONG, Bot
from nana_client.conformance.bots import guest, referee, scenes, table
from nana_client.conformance.bots.house import House, Running
from nana_client.conformance.bots.program import start
from nana_client.conformance.bots.scenes import CHECKS, SCENES, Scene, lead_through
from nana_client.conformance.verdict import Verdict, holds, lines, verdicts

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table goes on at once, and waits for nobody long."""
    monkeypatch.setattr(table, "PACE", 80)
    monkeypatch.setattr(referee, "BETWEEN", 0.02)
    monkeypatch.setattr(guest, "PATIENCE", 1.0)
    monkeypatch.setattr(guest, "SLOWNESS", 0.3)
    monkeypatch.setattr(scenes, "BACK", 2.0)


async def led(wrong: str, through: Sequence[Scene]) -> tuple[Verdict, ...]:
    async def start(url: str) -> Running:
        return Bot(wrong).go(url)

    house = House(start)
    async with house.open():
        await lead_through(house, through)
    return verdicts(CHECKS, house.found, house.reached)


@pytest.mark.usefixtures("hasty")
async def test_a_right_bot_is_led_through_everything() -> None:
    """Every check is tried, and all of them hold."""
    found = await led("", SCENES)
    assert [verdict.outcome for verdict in found] == ["ok"] * len(CHECKS), list(lines(found))


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("wrong", WRONG)
async def test_what_it_does_wrong_is_named(wrong: str) -> None:
    """A bot that does one thing wrong fails the check that is about it, in plain words."""
    check, scene = WRONG[wrong]
    found = await led(wrong, [scene] * (2 if check == "token" else 1))
    (named,) = [verdict for verdict in found if verdict.check.name == check]
    assert named.outcome == ("failed" if named.check.must else "advice"), list(lines(found))
    assert len(named.text.split()) > 3


def test_every_check_can_fail() -> None:
    """For each check there is a bot above that fails it; the chapters are protocol.md's."""
    assert {check.name for check in CHECKS} - {"alive"} == {check for check, _ in WRONG.values()}
    text = (ROOT / "protocol.md").read_text(encoding="utf-8")
    chapters = set(re.findall(r"^#{2,3} ([\d.]*\d)\.? ", text, re.MULTILINE))
    assert {check.chapter for check in CHECKS} <= chapters


def test_a_hint_is_no_fault() -> None:
    """What a bot need not do is told, and all that must hold holds."""
    found = verdicts(CHECKS, {"resume": ["it did not"]}, {check.name for check in CHECKS})
    assert holds(found)
    assert list(lines(found))[-1].endswith(f"{len(CHECKS) - 1} hold, 1 is a hint.")


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "command",
    [["examples/bot.py", "{}", "Scripty"], ["examples/first_bot.py"]],
    ids=["bare", "SDK"],
)
async def test_the_examples_conform(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Started as programs, with the link in their command line, they do nothing wrong."""
    monkeypatch.setattr(guest, "PATIENCE", 3.0)

    async def begin(url: str) -> Running:
        return await start([sys.executable, *command], url)

    house = House(begin)
    async with house.open():
        await lead_through(house)
    found = verdicts(CHECKS, house.found, house.reached)
    assert holds(found), list(lines(found))


async def test_a_bot_that_does_not_come(tmp_path: Path) -> None:
    """What the program said is told, at once, and nothing else."""
    command = f"{sys.executable} -c 'raise SystemExit(\"no such module\")'"
    async with nana(tmp_path, "conformance", "--bot", command) as kit:
        assert await kit.ends() == 1
    assert re.fullmatch(
        r"nana: it ended without connecting to ws://127\.0\.0\.1:\d+/r/KQ7MX; "
        r"it said: no such module\.", kit.text,
    )  # fmt: skip


async def test_a_program_that_is_none(tmp_path: Path) -> None:
    """A command that cannot be run is a sentence, and exit code 2."""
    async with nana(tmp_path, "conformance", "--bot", "./none") as kit:
        assert await kit.ends() == 2
    assert kit.lines == ["nana: There is no program ./none."]
