"""The durable journal and what befalls it: kills, damage, no space, a disk that fails.

`NANA_KILLS` and `NANA_FLIPS` set how often, for more than a short run.
"""

import asyncio
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from nana_server.journal import DamagedRoom
from nana_server.sqlite import store as store_module
from nana_server.sqlite.opening import NAME, open_file
from nana_server.sqlite.orders import Broken, Forget, Full, Report, StaleOwner, Well
from nana_server.sqlite.receipt import NAME as RECEIPT
from nana_server.sqlite.refusals import DamagedJournal, JournalRefused
from nana_server.sqlite.store import Store
from server.sqlite_fixture import (
    FIXTURE,
    Kept,
    append,
    change,
    entries_of,
    entry_of,
    files_in,
    fill,
    found,
    make,
    open_journal,
    open_store,
)

KILLS: Final = int(os.environ.get("NANA_KILLS", "5"))
FLIPS: Final = int(os.environ.get("NANA_FLIPS", "150"))
WAL: Final = f"{NAME}-wal"


# Killed.


def test_what_was_answered_survives_kill_9(tmp_path: Path) -> None:
    """Killed at any moment: every entry that was answered is there, and nothing half done."""
    chance = Random("kill -9")
    kept = Counter[str]()
    for _ in range(KILLS):
        command = [sys.executable, str(FIXTURE), "append", str(tmp_path), "20"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            for _ in range(chance.randrange(1, 800)):
                _count(kept, server.stdout.readline())
            server.kill()
            for line in server.stdout:
                _count(kept, line)
        rooms = found(tmp_path)
        assert set(rooms) >= set(kept)
        for room, entries in rooms.items():
            assert isinstance(entries, tuple)
            assert entries == entries_of(room, len(entries))
            assert len(entries) in {kept[room], kept[room] + 1}  # one was on its way
            kept[room] = len(entries)
    assert sum(kept.values()) > 100 * KILLS


def _count(kept: Counter[str], line: str) -> None:
    match line.split():
        case "kept", room, seq:
            kept[room] += 1
            assert int(seq) == kept[room] - 1
        case _:
            assert line == "open\n"


# Damaged.


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal that was closed, one as a crash leaves it, and what is in both."""
    base = tmp_path_factory.mktemp("sound")
    make(base / "closed", rooms=12, entries=25)
    store = open_store(base / "closed")
    store.checkpoint()
    for seq in range(25, 35):
        fill(store, [append(f"ROOM{number}", seq) for number in range(12)])
    fill(store, [append("NEW", 0), Forget("ROOM11")])
    shutil.copytree(base / "closed", base / "crashed")
    store.close()
    assert files_in(base / "closed") == [NAME, "receipt"]
    assert files_in(base / "crashed") == [NAME, WAL, "receipt"]
    return base


CONTENT: Final = {f"ROOM{number}": entries_of(f"ROOM{number}", 35) for number in range(11)} | {
    "NEW": entries_of("NEW", 1)
}


@pytest.mark.parametrize("state", ["closed", "crashed"])
def test_the_copies_are_sound(sound: Path, tmp_path: Path, state: str) -> None:
    """Without damage everything is there: the tests below change one thing."""
    shutil.copytree(sound / state, tmp_path / "data")
    assert found(tmp_path / "data") == CONTENT


def _flip(data: bytearray, chance: Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _smear(data: bytearray, chance: Random) -> None:
    at = chance.randrange(len(data))
    data[at : at + 64] = chance.randbytes(len(data[at : at + 64]))


def _cut(data: bytearray, chance: Random) -> None:
    del data[chance.randrange(len(data)) :]


def _blank(data: bytearray, chance: Random) -> None:
    at = chance.randrange(len(data)) // 512 * 512
    data[at : at + 512] = bytes(len(data[at : at + 512]))


DAMAGE: Final = (_flip, _flip, _flip, _smear, _cut, _blank)


def _damaged(sound: Path, folder: Path, seed: int) -> str:
    """Copy a journal and damage one of its files; return which."""
    chance = Random(f"damage/{seed}")
    state = chance.choice(["closed", "crashed"])
    shutil.copytree(sound / state, folder)
    name = chance.choice([NAME, NAME, WAL if state == "crashed" else NAME, "receipt"])
    data = bytearray((folder / name).read_bytes())
    chance.choice(DAMAGE)(data, chance)
    (folder / name).write_bytes(data)
    return name


def test_damage_is_never_taken_for_history(sound: Path, tmp_path: Path) -> None:
    """Whatever is damaged: each room is exactly as it was, or refused by name, or all are."""
    outcomes = Counter[str]()
    for seed in range(FLIPS):
        folder = tmp_path / str(seed)
        name = _damaged(sound, folder, seed)
        try:
            rooms = found(folder)
        except JournalRefused:
            outcomes[f"{name} refused"] += 1
        else:
            assert set(rooms) >= set(CONTENT), (seed, "a room is gone and nobody says so")
            bad = {room for room, what in rooms.items() if isinstance(what, DamagedRoom)}
            exact = {room: what for room, what in rooms.items() if room not in bad}
            assert exact == {room: CONTENT[room] for room in exact}, seed
            outcomes[f"{name} {'exact' if not bad else 'some rooms'}"] += 1
        shutil.rmtree(folder)
    for outcome in ("exact", "some rooms", "refused"):
        assert outcomes[f"{NAME} {outcome}"], outcomes
    assert outcomes[f"{WAL} refused"], outcomes
    assert not outcomes["receipt refused"], outcomes


HARM: Final = {
    "an entry": "UPDATE entries SET entry = 'creator of ROOM1|7|' || x'ff' WHERE {it}",
    "its hash": "UPDATE entries SET hash = x'00' WHERE {last}",
    "its place": "UPDATE entries SET seq = 8 WHERE {it}",
    "its room": "UPDATE entries SET room = 'ROOM2' WHERE {it}",
    "the one before it": "UPDATE entries SET prev = prev - 1 WHERE {it}",
    "two ways to it": "UPDATE entries SET prev = prev + 12 WHERE {it}",
    "an entry that is gone": "DELETE FROM entries WHERE {it}",
    "the last one gone": "DELETE FROM entries WHERE {last}",
    "a head that is behind": "UPDATE heads SET n = n - 12, seq = seq - 1 WHERE room = 'ROOM1'",
    "a head's epoch": "UPDATE heads SET epoch = epoch + 1 WHERE room = 'ROOM1'",
    "a head's time": "UPDATE heads SET at = 0 WHERE room = 'ROOM1'",
    "a head's number as text": "UPDATE heads SET n = 'one' WHERE room = 'ROOM1'",
    "a name": "UPDATE heads SET room = 'ROOM?' WHERE room = 'ROOM1'",
    "a name no text": "UPDATE heads SET room = CAST(x'ffff' AS TEXT) WHERE room = 'ROOM1'",
    "a head that is gone": "DELETE FROM heads WHERE room = 'ROOM1'",
    "a creator": "UPDATE creators SET creator = 'me' WHERE room = 'ROOM1'",
    "a creator gone": "DELETE FROM creators WHERE room = 'ROOM1'",
}


@pytest.mark.parametrize("harm", HARM)
def test_one_damaged_room_is_named_and_the_others_play_on(tmp_path: Path, harm: str) -> None:
    """Its code stays taken, nothing can be added to it; the rest of the house notices nothing."""
    names = make(tmp_path, rooms=12, entries=20)
    it, last = "room = 'ROOM1' AND seq = 7", "room = 'ROOM1' AND seq = 19"
    change(tmp_path, HARM[harm].format(it=it, last=last))
    for _ in range(2):
        store = open_store(tmp_path)
        heads = {head.room: head for head in store.heads()}
        damage = store.read("ROOM1")
        assert isinstance(damage, DamagedRoom)
        assert damage.room == "ROOM1"
        assert re.match(r"Room ROOM1 is damaged: \w.*\w\)?\.$", str(damage))
        assert heads["ROOM1"].damage is None or heads["ROOM1"].damage == damage.why
        assert isinstance(store.commit([append("ROOM1", 20)], 0)[0], StaleOwner)
        assert isinstance(store.commit([append("ROOM1", 0)], 0)[0], StaleOwner)
        others = [room for room in names if room != "ROOM1"]
        count = heads[others[0]].entries
        fill(store, [append(room, count) for room in others])
        for room in others:
            assert store.read(room) == entries_of(room, count + 1)
        store.close()


def test_deleting_what_ended_never_crosses_into_another_room(tmp_path: Path) -> None:
    """A damaged link of an ended room deletes nothing of a room that lives."""
    make(tmp_path, rooms=3, entries=20)
    change(tmp_path, "UPDATE entries SET prev = prev + 1 WHERE room = 'ROOM1' AND seq = 7")
    store = open_store(tmp_path)
    fill(store, [Forget("ROOM1")])
    while store.untidy:
        store.tidy()
    store.close()
    assert found(tmp_path) == {room: entries_of(room, 20) for room in ("ROOM0", "ROOM2")}


def test_a_damaged_note_of_what_ended_deletes_nothing_that_lives(tmp_path: Path) -> None:
    """What is to be deleted is named twice: a row, and the hash that it has."""
    make(tmp_path, rooms=3, entries=20)
    store = open_store(tmp_path)
    fill(store, [Forget("ROOM1")])
    store.close()
    change(tmp_path, "UPDATE ended SET n = n + 1")
    store = open_store(tmp_path)
    store.tidy()
    assert not store.untidy
    store.close()
    assert found(tmp_path) == {room: entries_of(room, 20) for room in ("ROOM0", "ROOM2")}


def test_a_lost_log_is_noticed_and_kept_for_inspection(sound: Path, tmp_path: Path) -> None:
    """SQLite would go on from what is left of it; the receipt says that more was promised."""
    for cut in (0, 32, 5000, -4120):
        folder = tmp_path / str(cut)
        shutil.copytree(sound / "crashed", folder)
        log = (folder / WAL).read_bytes()[:cut]
        (folder / WAL).write_bytes(log)
        for _ in range(2):
            with pytest.raises(DamagedJournal, match=r"are missing.*remove the file `receipt`"):
                open_store(folder)
        if log:
            assert (folder / f"{WAL}.damaged").read_bytes() == log
        (folder / "receipt").unlink()
        for room, entries in found(folder).items():
            assert isinstance(entries, tuple)
            assert entries == entries_of(room, len(entries))


@pytest.mark.parametrize(
    ("emptied", "removed"),
    [
        pytest.param((NAME, WAL, RECEIPT), (), id="all cut to nothing"),
        pytest.param((NAME, RECEIPT), (WAL,), id="both cut to nothing"),
        pytest.param((NAME,), (WAL,), id="the journal cut to nothing"),
        pytest.param((RECEIPT,), (NAME, WAL), id="the journal gone, the receipt empty"),
        pytest.param((), (NAME, WAL), id="the journal gone"),
        pytest.param((NAME,), (RECEIPT,), id="only a log is left"),
    ],
)
def test_nobody_begins_anew_where_there_was_a_journal(
    sound: Path, tmp_path: Path, emptied: tuple[str, ...], removed: tuple[str, ...]
) -> None:
    """Rooms that are gone are a refusal with a reason, and what is left stays as it is."""
    folder = tmp_path / "data"
    shutil.copytree(sound / "crashed", folder)
    for name in emptied:
        os.truncate(folder / name, 0)
    for name in removed:
        (folder / name).unlink(missing_ok=True)
    before = files_in(folder)
    with pytest.raises(DamagedJournal, match=r"journal.db is (empty|gone).* Restore a backup"):
        open_store(folder)
    assert files_in(folder) == before


def test_a_start_that_was_cut_off_is_a_new_folder(tmp_path: Path) -> None:
    """Killed when the file had a name and nothing in it: nobody was told of anything yet."""
    (tmp_path / NAME).touch()
    open_store(tmp_path).close()


def test_a_lost_receipt_is_no_loss(sound: Path, tmp_path: Path) -> None:
    """It is evidence, not data: without it, or with a damaged one, everything is there."""
    for data in (None, b"", bytes(32), b"nonsense" * 4):
        folder = tmp_path / repr(data)
        shutil.copytree(sound / "crashed", folder)
        if data is None:
            (folder / "receipt").unlink()
        else:
            (folder / "receipt").write_bytes(data)
        assert found(folder) == CONTENT


# No space.


async def test_without_space_nothing_is_promised_until_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Appends are refused and that is said once; reading works; then it goes on by itself."""
    space, waits = [40], Healths()

    def limited(folder: Path, entries_format: int) -> sqlite3.Connection:
        connection = open_file(folder, entries_format)
        connection.execute(f"PRAGMA max_page_count = {space[0]}")
        return connection

    def probe(self: Store) -> None:
        self._connection.execute(f"PRAGMA max_page_count = {space[0]}")
        actual_probe(self)

    actual_probe = Store.probe
    monkeypatch.setattr(store_module, "open_file", limited)
    monkeypatch.setattr(Store, "probe", probe)
    journal = open_journal(tmp_path, waits)
    kept, seq = Kept(journal), 0
    while await kept.append("ROOM", seq):
        seq += 1
    assert waits.heard == [Full("There is no space left to save games.")]
    assert journal.health == waits.heard[0]
    assert seq > 100
    assert not await kept.append("ROOM", seq)
    journal.append("OTHER", 0, b"x|", lambda _: journal.forget("ROOM"))  # owed until there is space
    assert await kept.load("ROOM") == entries_of("ROOM", seq)
    space[0] = 10_000
    assert await waits.next() == Well()
    assert isinstance(journal.health, Well)
    assert await kept.append("OTHER", 0)
    assert await kept.load("ROOM") is None
    assert len(waits.heard) == 2
    await journal.close()
    assert found(tmp_path) == {"OTHER": entries_of("OTHER", 1)}


class Healths:
    """Hears reports; a test can wait for the next."""

    def __init__(self) -> None:
        self.heard: list[Report] = []
        self._taken = 1
        self._event = asyncio.Event()

    def __call__(self, report: Report) -> None:
        self.heard.append(report)
        self._event.set()

    async def next(self) -> Report:
        while len(self.heard) <= self._taken:
            self._event.clear()
            await self._event.wait()
        self._taken += 1
        return self.heard[self._taken - 1]


def _can(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@pytest.mark.skipif(
    not _can("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"), reason="cannot mount"
)
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    """1 MiB of disk: no false answers, and on it goes when somebody has made space."""
    script = (
        f"mount -t tmpfs -o size=1m tmpfs {tmp_path} && "
        f"head -c 300000 /dev/urandom > {tmp_path}/ballast && "
        f"exec {sys.executable} {FIXTURE} fill {tmp_path}/data"
    )
    with subprocess.Popen(
        ["unshare", "-rm", "sh", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert re.match(r"full \d{2,} There is no space left", server.stdout.readline())
        server.stdin.write("\n")
        server.stdin.flush()
        assert server.stdout.readline() == "well True\n"
        assert server.stdout.readline() == "again True\n"
    assert server.returncode == 0


# A disk that fails.


async def test_after_an_error_of_the_disk_nothing_is_written_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is said, everything is refused from then on, and the file is let alone."""
    heard: list[Report] = []
    journal = open_journal(tmp_path, heard.append)
    kept = Kept(journal)
    assert await kept.append("ROOM", 0)
    touched: list[str] = []

    def fails(self: Store, steps: object, at: int) -> None:
        touched.append("commit")
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
        raise error

    monkeypatch.setattr(Store, "commit", fails)
    for name in ("probe", "checkpoint", "tidy", "close", "backup"):
        monkeypatch.setattr(Store, name, lambda *_, name=name: touched.append(name))
    assert not await kept.append("ROOM", 1)
    assert heard == [Broken("Games cannot be saved any more: disk I/O error.")]
    assert not await kept.append("ROOM", 1)
    journal.forget("ROOM")
    assert isinstance(await kept.load("ROOM"), DamagedRoom)
    assert await kept.backup(tmp_path / "copy") == journal.health.text
    await journal.close()
    assert touched == ["commit"]
    assert len(heard) == 1


async def test_a_journal_whose_thread_has_died_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug on the writer's thread ends the server; it does not leave rooms waiting for ever."""
    waits = Healths()
    journal = open_journal(tmp_path, waits)

    def bug(self: Store, steps: object, at: int) -> None:
        raise LookupError

    monkeypatch.setattr(Store, "commit", bug)
    monkeypatch.setattr("threading.excepthook", lambda _: None)
    waits._taken = 0
    journal.append("ROOM", 0, entry_of("ROOM", 0), lambda _: None)
    assert await waits.next() == Broken("The journal's thread has ended.")
    await journal.close()


needs_strace = pytest.mark.skipif(not _can("strace", "-f", "true"), reason="needs strace")


@needs_strace
def test_fdatasync_comes_before_every_answer(tmp_path: Path) -> None:
    """Between an entry's way into the log and its answer, the log was synced, and that returned."""
    log = tmp_path / "strace"
    _trace(log, tmp_path / "data", lambda line: line.startswith("kept ROOM2 40 "), "-s", "4200")
    written: dict[str, int] = {}
    synced: list[int] = []
    answers = 0
    for at, line in enumerate(_calls(log)):
        if "pwrite64(" in line:
            for room, seq in re.findall(r"creator of (ROOM\d+)\|(\d+)\|", line):
                written.setdefault(f"{room} {seq}", at)
        elif re.search(r"fdatasync.*= 0$", line):
            synced.append(at)
        elif kept := re.search(r'write\(1, "kept (\w+ \d+)', line):
            assert any(written[kept[1]] < sync < at for sync in synced), kept[1]
            answers += 1
    assert answers > 100


@needs_strace
def test_a_failed_fdatasync_is_the_last(tmp_path: Path) -> None:
    """It is never tried again; the process ends, and every answer that it gave holds."""
    log, folder = tmp_path / "strace", tmp_path / "data"
    inject = ("-e", "inject=fdatasync:error=EIO:when=40")
    lines = _trace(log, folder, lambda _: False, *inject)
    assert lines[-1] == "Broken Games cannot be saved any more: disk I/O error.\n"
    calls = [line for line in _calls(log) if re.search(r"f(data)?sync", line)]
    assert "EIO" in calls[-1]
    kept = Counter[str]()
    for line in lines[:-1]:
        _count(kept, line)
    assert sum(kept.values()) > 30
    rooms = found(folder)
    for room, count in kept.items():
        entries = rooms[room]
        assert isinstance(entries, tuple)
        assert entries == entries_of(room, len(entries))
        assert count <= len(entries) <= count + 1


def _trace(log: Path, folder: Path, enough: Callable[[str], bool], *options: str) -> list[str]:
    """Run a server under strace until it has said enough, or ends; return what it said."""
    calls = "trace=pwrite64,fdatasync,fsync,write"
    command = ["strace", "-f", "-o", str(log), "-e", calls, *options]
    command += [sys.executable, str(FIXTURE), "append", str(folder), "3"]
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as server:
        assert server.stdout is not None
        for line in server.stdout:
            lines.append(line)
            if enough(line.replace("\n", " ")):
                os.killpg(server.pid, signal.SIGKILL)
    return lines


def _calls(log: Path) -> Iterator[str]:
    """Put calls that were interrupted together again, at the time of their end."""
    begun: dict[str, str] = {}
    for line in log.read_text().splitlines():
        thread, _, call = line.partition(" ")
        if call.endswith("<unfinished ...>"):
            begun[thread] = call.removesuffix("<unfinished ...>").rstrip()
        elif "resumed>" in call:
            yield begun.pop(thread, "") + call.partition("resumed>")[2]
        else:
            yield call
