"""What docs/hosting.md says to type for a backup, a restore and an upgrade is typed here.

The blocks run as they stand, but for the folders; `systemctl` is a small program that starts
and stops a real server, and `pip` installs for real, from here and without the network.
"""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

import pytest
from websockets.asyncio.client import connect

from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from server.test_server_process import PATIENCE, Guest, Program, a_table, guests

ROOT: Final = Path(__file__).parents[2]
HOSTING: Final = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"^```bash\n(.*?)^```$", HOSTING, re.DOTALL | re.MULTILINE)
STEPS: Final = 6

SYSTEMCTL: Final = """#!{python}
import os, select, signal, subprocess, sys
from pathlib import Path

here, (verb, unit) = Path("{folder}"), sys.argv[1:]
assert unit == "nana-server"
if verb == "start":
    server = subprocess.Popen(
        ["{folder}/opt/bin/nana-server", "--port", "0", "--data", "{folder}/lib"],
        stdout=subprocess.PIPE, stderr=(here / "log").open("ab"), start_new_session=True)
    line = server.stdout.readline().decode()
    (here / "pid").write_text(str(server.pid))
    (here / "port").write_text(line.rstrip("/\\n").rpartition(":")[2])
    sys.exit(0 if line.startswith("listening on ") else 1)
assert verb == "stop"
pid = int((here / "pid").read_text())
ended = os.pidfd_open(pid)
os.kill(pid, signal.SIGTERM)
sys.exit(0 if select.select([ended], [], [], {patience})[0] else 1)
"""
SERVER: Final = """#!/bin/sh
PYTHONPATH={folder}/opt/lib exec {python} -m nana_server "$@"
"""
PIP: Final = """#!/bin/sh
cd {root} && exec {python} -m pip "$@" --quiet --no-deps --no-index --no-build-isolation \
    --disable-pip-version-check --root-user-action=ignore --target {folder}/opt/lib
"""


class Machine:
    """A folder that stands for a machine with a server on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "lib").mkdir(mode=0o700)
        for name, text in (
            ("sbin/systemctl", SYSTEMCTL),
            ("opt/bin/nana-server", SERVER),
            ("opt/bin/pip", PIP),
        ):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                text.format(folder=folder, python=sys.executable, root=ROOT, patience=PATIENCE)
            )
            file.chmod(0o700)

    def type(self, text: str) -> str:
        """Run a block as a person would type it, and stop at what fails."""
        for path, ours in (
            ("/var/lib/nana", "lib"),
            ("/var/backups/nana", "backups"),
            ("/opt/nana", "opt"),
        ):
            text = text.replace(path, str(self.folder / ours))
        env = {**os.environ, "PATH": f"{self.folder / 'sbin'}:{os.environ['PATH']}"}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=self.folder, env=env, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (text, done.stdout, done.stderr)
        assert done.stderr == ""
        return done.stdout

    @property
    def port(self) -> int:
        return int((self.folder / "port").read_text())

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/"

    def end(self) -> None:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    if not hasattr(os, "pidfd_open"):
        pytest.skip("the stand-in for systemctl waits as Linux lets it")
    made = Machine(tmp_path)
    try:
        yield made
    finally:
        made.end()


def block(*words: str) -> str:
    (found,) = [text for text in BLOCKS if all(word in text for word in words)]
    return str(found)


def test_every_block_is_run_here() -> None:
    """No block of the page in bash is left out below."""
    known = {block(*words) for words in (("rooms",), ("backup.db",), ("aside",), ("pip",))}
    assert known == set(BLOCKS)


def program(machine: Machine) -> Program:
    """Pass a machine off as a program: of either a table asks for the address alone."""
    return cast("Program", machine)


async def begin(table: list[Guest]) -> None:
    await table[0].say(i.Start())
    for guest in table:
        await guest.until(o.Snapshot, phase="opening")
        await guest.say(i.Open(nonce=guest.nonce.hex()))
    for guest in table:
        await guest.until(o.Snapshot, phase="playing")


async def play(table: list[Guest], steps: int) -> None:
    """Play so many steps of a game, whoever is on turn."""
    done = 0
    while done < steps:
        shots = [newest(guest) for guest in table]
        shot = next((it for it in shots if it.legal and it.on_turn == it.you.seat), None)
        if shot is None:
            continue
        guest = table[shots.index(shot)]
        if shot.legal == ("continue",):
            await guest.say(i.Continue(step=shot.step))
        else:
            source: Any = shot.legal[0]
            await guest.say(i.Reveal(step=shot.step, source=source))
        for it in table:
            await it.until(o.Snapshot, step=shot.step + 1)
        done += 1


def newest(guest: Guest) -> o.Snapshot:
    return [it for it in guest.got if isinstance(it, o.Snapshot)][-1]


async def back(machine: Machine, code: str, old: Guest) -> tuple[o.Snapshot, list[str]]:
    """Come back as one of the old guests; return the table as it is, and what was said there."""
    async with asyncio.timeout(PATIENCE), connect(f"{machine.url}r/{code}") as socket:
        guest = Guest(socket, old.name)
        await guest.say(i.Resume(protocol=1, token=old.token))
        shot = await guest.until(o.Snapshot)
        return shot, [it.text for it in guest.got if isinstance(it, o.ChatLine)]


async def test_a_backup_is_restored_as_the_page_says(machine: Machine) -> None:
    """The room is back as of the backup, in the middle of its game; what came later is not."""
    await asyncio.to_thread(machine.type, "systemctl start nana-server")
    async with a_table(program(machine), 2) as table:
        welcome = table[0].got[1]
        assert isinstance(welcome, o.Welcome)
        await begin(table)
        await play(table, STEPS)
        await table[0].say(i.Chat(text="before", id="before"))
        await table[0].until(o.Ack, id="before")
        then = newest(table[1])
        listed = await asyncio.to_thread(machine.type, block("rooms"))
        assert re.search(rf"^{welcome.room}  playing  2/2    2     0      -$", listed, re.MULTILINE)
        assert "Told 2 people in 1 room." in listed
        await asyncio.to_thread(machine.type, block("backup.db"))
        await play(table, STEPS)
        await table[0].say(i.Chat(text="after", id="after"))
        await table[0].until(o.Ack, id="after")
        async with guests(program(machine), 1) as (late,):
            later = (await late.enter(i.Create)).room
    (copy,) = (machine.folder / "backups").glob("*.db")
    assert copy.stat().st_mode & 0o777 == 0o600

    await asyncio.to_thread(machine.type, block("aside"))
    shot, said = await back(machine, welcome.room, table[1])
    assert said == ["before"]
    assert (shot.phase, shot.step, shot.center) == ("playing", then.step, then.center)
    assert shot.you == then.you
    assert shot.epoch > then.epoch
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(back(machine, later, late), 1)
    kept = machine.folder / "lib" / "aside"
    assert {"journal.db", "receipt"} <= {it.name for it in kept.iterdir()}


@pytest.mark.skipif(
    find_spec("pip") is None or find_spec("hatchling") is None, reason="nothing here can install"
)
async def test_an_upgrade_keeps_the_rooms(machine: Machine) -> None:
    """Stop, install, start: the same rooms, from the code that has just been installed."""
    await asyncio.to_thread(machine.type, "systemctl start nana-server")
    async with a_table(program(machine), 2) as table:
        welcome = table[0].got[1]
        assert isinstance(welcome, o.Welcome)
        await begin(table)
        await play(table, STEPS)
        then = newest(table[1])
    await asyncio.to_thread(machine.type, block("pip"))
    pid = int((machine.folder / "pid").read_text())
    installed = machine.folder / "opt" / "lib"
    assert (installed / "nana_server" / "house.py").exists()
    environ = await asyncio.to_thread(Path(f"/proc/{pid}/environ").read_bytes)
    assert f"PYTHONPATH={installed}".encode() in environ
    shot, _ = await back(machine, welcome.room, table[1])
    assert (shot.phase, shot.step, shot.you) == ("playing", then.step, then.you)
