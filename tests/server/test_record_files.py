"""Records as files: whole or not there, for their owner's eyes, and never in a game's way."""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Final

import pytest

from core.test_record import GOOD
from nana_core.record import compact, load
from nana_server import records
from nana_server.records import DAY, NO_RECORDS, RecordFiles, file_name

RECORD: Final = compact(GOOD)


class Desk:
    """The loop's side of a store of files: answers arrive here."""

    def __init__(self) -> None:
        self.calls: Queue[Callable[[], None]] = Queue()
        self.found: list[bytes | None] = []

    def find(self, files: RecordFiles, room: str, game: int) -> bytes | None:
        """Ask, and wait for the answer; everything kept before is written by then."""
        files.find(room, game, self.found.append)
        if not self.found:
            self.calls.get(timeout=10)()
        return self.found.pop()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def files(tmp_path: Path, desk: Desk) -> Iterator[RecordFiles]:
    files = RecordFiles(tmp_path, desk.calls.put)
    yield files
    files.close()


def test_a_record_is_a_file_for_a_person(files: RecordFiles, desk: Desk, tmp_path: Path) -> None:
    """It lies under the room and the game, readable by its owner alone, in lines."""
    files.keep("KQ7MX", 2, RECORD, anew=True)
    assert desk.find(files, "KQ7MX", 2) == RECORD
    (file,) = (tmp_path / "records").iterdir()
    assert file.name == "KQ7MX-2.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert load(file.read_bytes()) == GOOD
    assert len(file.read_text().splitlines()) > 20


def test_one_that_is_there_is_replaced_or_stays(files: RecordFiles, desk: Desk) -> None:
    """A game that ends writes its record; a room that wakes only fills a gap."""
    for anew, kept in ((True, b"1"), (False, b"1"), (True, b"3")):
        record = b'{"n":%b}' % (b"3" if kept == b"3" else b"1" if anew else b"2")
        files.keep("KQ7MX", 1, record, anew=anew)
        assert desk.find(files, "KQ7MX", 1) == b'{"n":%b}' % kept
    files.keep("KQ7MX", 2, b"{}", anew=False)
    assert desk.find(files, "KQ7MX", 2) == b"{}"


def test_without_a_folder_nothing_is_kept(desk: Desk, tmp_path: Path) -> None:
    """No thread, no file, and an answer at once."""
    threads = threading.active_count()
    for store in (RecordFiles(None, desk.calls.put), NO_RECORDS):
        store.keep("KQ7MX", 1, RECORD, anew=True)
        store.find("KQ7MX", 1, desk.found.append)
        assert desk.found.pop() is None
    assert threading.active_count() == threads
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("room", "game"),
    [("../up", 1), ("", 1), ("a/b", 1), ("KQ7MX", 0), ("KQ7MX", -1), ("KQ\n", 1), ("x" * 17, 1)],
)
def test_no_hostile_word_becomes_a_name(room: str, game: int) -> None:
    """Only codes of the server's own making are names of files; anything else is a bug."""
    with pytest.raises(AssertionError):
        file_name(room, game)


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[" * 200_000])
def test_damage_is_no_record(
    files: RecordFiles, desk: Desk, tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """What was spoilt on the disk is not sent, and not fatal."""
    files.keep("KQ7MX", 1, RECORD, anew=True)
    desk.find(files, "KQ7MX", 1)
    (tmp_path / "records" / "KQ7MX-1.json").write_bytes(damage)
    assert desk.find(files, "KQ7MX", 1) is None
    assert "KQ7MX-1.json is damaged" in caplog.text
    assert desk.find(files, "KQ7MX", 9) is None


def test_a_disk_that_fails_costs_records_only(
    files: RecordFiles, desk: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where no folder can be made a line is logged, and the next record is tried again."""
    (tmp_path / "records").write_text("in the way")
    files.keep("KQ7MX", 1, RECORD, anew=True)
    assert desk.find(files, "KQ7MX", 1) is None
    assert "could not be written" in caplog.text
    (tmp_path / "records").unlink()
    files.keep("KQ7MX", 2, RECORD, anew=True)
    assert desk.find(files, "KQ7MX", 2) == RECORD


def test_a_crash_while_writing_leaves_no_half(
    files: RecordFiles, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until all bytes are on the disk, the old record is the record."""
    files.keep("KQ7MX", 1, b'{"old":1}', anew=True)
    desk.find(files, "KQ7MX", 1)

    def fails(number: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    files.keep("KQ7MX", 1, RECORD, anew=True)
    assert desk.find(files, "KQ7MX", 1) == b'{"old":1}'
    monkeypatch.undo()
    assert (tmp_path / "records" / "KQ7MX-1.new").exists()
    RecordFiles(tmp_path, desk.calls.put).close()
    assert [file.name for file in (tmp_path / "records").iterdir()] == ["KQ7MX-1.json"]


def test_nobody_waits_for_a_slow_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """While the disk hangs, keeping and finding return at once; what is too much is dropped."""
    hangs, desk = threading.Event(), Desk()
    monkeypatch.setattr(records, "WAITING_MOST", 2)
    monkeypatch.setattr(records, "_keep", lambda order: hangs.wait(10))
    slow = RecordFiles(tmp_path, desk.calls.put)
    with caplog.at_level(logging.WARNING):
        for game in range(1, 6):
            slow.keep("KQ7MX", game, RECORD, anew=True)
    assert "too many wait" in caplog.text
    slow.find("KQ7MX", 1, desk.found.append)
    assert desk.found == [None]
    hangs.set()
    slow.close()


def test_old_records_go(tmp_path: Path, desk: Desk) -> None:
    """Those older than the days allowed are deleted, other files never."""
    folder = tmp_path / "records"
    folder.mkdir()
    for name in ("KQ7MX-1.json", "KQ7MX-2.json", "notes.json", "readme"):
        (folder / name).write_text("{}")
    os.utime(folder / "KQ7MX-1.json", (0, 0))
    os.utime(folder / "notes.json", (0, 0))
    RecordFiles(tmp_path, desk.calls.put).close()
    assert len(list(folder.iterdir())) == 4
    now = (folder / "KQ7MX-2.json").stat().st_mtime
    RecordFiles(tmp_path, desk.calls.put, days=1, clock=lambda: now + DAY - 10).close()
    assert sorted(file.name for file in folder.iterdir()) == [
        "KQ7MX-2.json", "notes.json", "readme",
    ]  # fmt: skip


def test_closing_writes_what_waits(tmp_path: Path, desk: Desk) -> None:
    """A server that stops loses no record, and closing twice is no harm."""
    files = RecordFiles(tmp_path, desk.calls.put)
    for game in range(1, 20):
        files.keep("KQ7MX", game, RECORD, anew=True)
    files.close()
    files.close()
    assert len(list((tmp_path / "records").iterdir())) == 19
