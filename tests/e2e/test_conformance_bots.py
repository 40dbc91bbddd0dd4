"""The conformance kit for bots: ours pass, and whoever does one thing wrong is told so."""

import re
import shutil
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
from nana_client.conformance.codes import MEANINGS
from nana_client.conformance.verdict import Verdict, holds, lines, verdicts
from nana_core.actions import Refusal

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


@pytest.fixture
def patient(hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For whoever does nothing wrong time is no limit, however busy the machine is."""
    monkeypatch.setattr(guest, "PATIENCE", 60.0)
    monkeypatch.setattr(scenes, "BACK", 60.0)


@pytest.mark.usefixtures("patient")
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


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("stops when told too_early", ("having been told too_early (“The last attempt is still "
         "being shown; continue in a moment.”); then: send it again, under its id, when "
         "`not_before` has come")),
        ("stops when told stale", ("having been told stale (“The table has moved on; here it is as "
         "it stands now.”); then: decide again on the snapshot that follows")),
        ("forgets to continue", ("`legal` was continue: continue_first (“The last attempt is "
         "still on the table.”); then: `continue`, then reveal")),
        ("turns over what is not there", "no_such_seat (“There is no such seat at this table.”)"),
        ("acts for others", "not_your_turn (“It is not your turn.”); then: wait for `on_turn`"),
        ("hammers", "room_full (“All seats of this room are taken.”); then: `watch` instead"),
    ],
)  # fmt: skip
async def test_a_refusal_is_told_in_a_sentence(wrong: str, says: str) -> None:
    """What the bot was told, and what is to be done then; a code alone says little."""
    check, scene = WRONG[wrong]
    found = await led(wrong, [scene])
    (named,) = [verdict for verdict in found if verdict.check.name == check]
    assert says in named.text


def test_what_is_to_be_done_is_the_protocols() -> None:
    """The table of sentences agrees with protocol.md § 11; it has the codes that a bot meets."""
    text = (ROOT / "protocol.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", text, re.MULTILINE))
    assert {code: rows[code] for code in MEANINGS} == {
        code: meaning.do for code, meaning in MEANINGS.items()
    }
    assert {refusal.value for refusal in Refusal} - {"game_over"} <= set(MEANINGS)


def test_a_hint_is_no_fault() -> None:
    """What a bot need not do is told, and all that must hold holds."""
    found = verdicts(CHECKS, {"resume": ["it did not"]}, {check.name for check in CHECKS})
    assert holds(found)
    assert list(lines(found))[-1].endswith(f"{len(CHECKS) - 1} hold, 1 is a hint.")


def blocks(page: str) -> list[str]:
    """Return the programs in Python of a page that take a link."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [block for block in found if "sys.argv[1]" in block or " run(Parrot())\n" in block]


def shown(page: str) -> str:
    """Return the one program in Python of a page that plays at a table; it takes a link."""
    (block,) = blocks(page)
    return block.replace("run(Parrot())", "import sys\n    run(Parrot(), sys.argv[1])")


NANA: Final = ("-m", "nana_client", "bot")
EXAMPLES: Final = {
    "README.md": ("-c", shown("README.md")),
    "docs/bots.md": ("-c", shown("docs/bots.md")),
    "examples/bot.py": ("examples/bot.py", "{}", "Scripty"),
    "examples/first_bot.py": ("examples/first_bot.py",),
    "examples/bot.pl": (*NANA, "--exec", "perl examples/bot.pl"),
    "examples/bot.sh": (*NANA, "--exec", "examples/bot.sh"),
    "nana bot": (*NANA, "--level", "random"),
}


def test_no_example_is_forgotten() -> None:
    """Each file in examples plays at a table, but the one that trains."""
    there = {f"examples/{file.name}" for file in (ROOT / "examples").iterdir() if file.is_file()}
    assert there - {"examples/train.py"} <= set(EXAMPLES)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("example", EXAMPLES)
async def test_the_examples_conform(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bot that is shown as a whole one does nothing wrong, started with the table's link."""
    if "perl" in example and shutil.which("perl") is None:
        pytest.skip("there is no perl here")
    monkeypatch.setattr(scenes, "BACK", 6.0)  # some need not come back: that is waited for

    async def begin(url: str) -> Running:
        return await start([sys.executable, *EXAMPLES[example]], url)

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
