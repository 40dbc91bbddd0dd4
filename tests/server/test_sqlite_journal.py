"""The durable journal: order, groups, answers on the loop, one owner, nothing half done."""

import asyncio
import os
import shutil
import stat
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from nana_server.journal import DamagedRoom, Head, LastingJournal
from nana_server.sqlite import copying
from nana_server.sqlite import store as store_module
from nana_server.sqlite.opening import NAME
from nana_server.sqlite.orders import Append, Forget, Report, StaleOwner, Step
from nana_server.sqlite.refusals import DamagedJournal, JournalInUse, JournalRefused, NewerJournal
from nana_server.sqlite.store import Store
from server.sqlite_fixture import (
    AT,
    FIXTURE,
    Kept,
    append,
    change,
    creator_of,
    entries_of,
    entry_of,
    files_in,
    fill,
    found,
    make,
    open_journal,
    open_store,
)


async def test_answers_come_later_on_the_loop_and_in_order(tmp_path: Path) -> None:
    """`done` is never called within `append`, and always on the loop's own thread."""
    journal = open_journal(tmp_path)
    answers: list[tuple[int, bool]] = []
    threads: set[int] = set()
    for number in range(300):

        def done(ok: bool, number: int = number) -> None:
            answers.append((number, ok))
            threads.add(threading.get_ident())

        room = f"ROOM{number % 7}"
        journal.append(room, number // 7, entry_of(room, number // 7), done)
        assert answers == []
    await journal.close()
    assert answers == [(number, True) for number in range(300)]
    assert threads == {threading.get_ident()}


async def test_what_waits_together_is_committed_together(tmp_path: Path) -> None:
    """While one commit is on its way, whatever is asked for gathers into the next."""
    journal = open_journal(tmp_path)
    batches: list[int] = []
    gate, entered = threading.Event(), threading.Event()
    commit = Store.commit

    def counted(self: Store, steps: list[Append], at: int) -> list[StaleOwner | None]:
        batches.append(len(steps))
        entered.set()
        assert gate.wait(10)
        return commit(self, steps, at)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "commit", counted)
        kept = Kept(journal)
        first = asyncio.create_task(kept.append("FIRST", 0))
        await asyncio.get_running_loop().run_in_executor(None, entered.wait, 10)
        others = [asyncio.create_task(kept.append(f"ROOM{at}", 0)) for at in range(100)]
        await asyncio.sleep(0)
        gate.set()
        assert await asyncio.gather(first, *others) == [True] * 101
        await journal.close()
    assert batches == [1, 100]


async def test_an_entry_appended_from_done_is_kept_next(tmp_path: Path) -> None:
    """A room appends its next entry as soon as the last one is kept."""
    journal = open_journal(tmp_path)
    finished = asyncio.get_running_loop().create_future()

    def go_on(seq: int) -> None:
        if seq == 50:
            finished.set_result(None)
        else:
            journal.append("ROOM", seq, entry_of("ROOM", seq), lambda _: go_on(seq + 1))

    go_on(0)
    await finished
    assert journal.entries("ROOM") == entries_of("ROOM", 50)
    await journal.close()


async def test_an_answer_that_fails_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    """A bug in one room is the loop's to report; every other room gets its answer, in order."""
    journal = open_journal(tmp_path)
    errors: list[object] = []
    answers: list[int] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: errors.append(context["exception"]))

    def done(number: int) -> None:
        if number in {0, 3}:
            raise LookupError(number)
        answers.append(number)

    for number in range(6):
        journal.append(f"R{number}", 0, b"x|", lambda _, number=number: done(number))  # type: ignore[misc]
    await journal.close()
    await asyncio.sleep(0)
    assert answers == [1, 2, 4, 5]
    assert [str(error) for error in errors] == ["0", "3"]


async def test_closing_keeps_what_is_queued_and_leaves_one_file(tmp_path: Path) -> None:
    """Everything asked for before is answered and kept; the log is part of the file again."""
    journal = open_journal(tmp_path)
    answers: list[bool] = []
    for seq in range(500):
        journal.append("ROOM", seq, entry_of("ROOM", seq), answers.append)
    await journal.close()
    assert answers == [True] * 500
    assert files_in(tmp_path) == [NAME, "receipt"]
    assert found(tmp_path) == {"ROOM": entries_of("ROOM", 500)}
    with pytest.raises(AssertionError, match="closed"):
        journal.append("ROOM", 500, b"", answers.append)


async def test_a_restart_finds_every_room_and_loads_them_one_by_one(tmp_path: Path) -> None:
    """Heads say how long a room is, whose it is and since when it rests; epochs rise."""
    names = make(tmp_path, rooms=40, entries=3)
    for epoch in (2, 3):
        journal = open_journal(tmp_path)
        lasting: LastingJournal = journal
        kept = Kept(journal)
        assert lasting.epoch == epoch
        assert sorted(head.room for head in journal.heads()) == sorted(names)
        head = next(head for head in journal.heads() if head.room == "ROOM7")
        assert head == Head("ROOM7", 3, "creator of ROOM7", head.at)
        assert head.at == 1_700_000_000
        assert await kept.load("ROOM7") == entries_of("ROOM7", 3)
        assert await kept.load("NONE") is None
        assert journal.entries("NONE") == ()
        await journal.close()


@pytest.mark.parametrize(
    ("room", "seq", "epoch"),
    [
        pytest.param("ROOM0", 2, 1, id="an entry that is there already"),
        pytest.param("ROOM0", 4, 1, id="a gap"),
        pytest.param("ROOM0", 0, 1, id="a new room of a name that is taken"),
        pytest.param("ROOM0", 3, 0, id="an owner of before"),
        pytest.param("NEW", 1, 1, id="a room without a beginning"),
    ],
)
def test_an_append_that_does_not_follow_is_refused_alone(
    tmp_path: Path, room: str, seq: int, epoch: int
) -> None:
    """A stale owner's append changes nothing; the others in its batch are kept."""
    make(tmp_path, rooms=2, entries=3)
    store = open_store(tmp_path)
    steps: list[Step] = [
        append("ROOM1", 3),
        append(room, seq, epoch),
        append("ROOM1", 4),
        append("ALSO", 0),
    ]
    first, stale, *others = store.commit(steps, 0)
    kept = 3 if room == "ROOM0" else 0
    assert stale == StaleOwner(room, epoch, seq, 1 if kept else 0, kept)
    assert room in stale.text
    assert [first, *others] == [None] * 3
    store.close()
    assert found(tmp_path) == {
        "ROOM0": entries_of("ROOM0", 3),
        "ROOM1": entries_of("ROOM1", 5),
        "ALSO": entries_of("ALSO", 1),
    }


def test_a_later_owner_fences_the_earlier(tmp_path: Path) -> None:
    """Who has appended with a higher epoch owns the room; the lower one gets nothing in."""
    store = open_store(tmp_path)
    fill(store, [append("ROOM", 0, 5)])
    assert store.commit([append("ROOM", 1, 6)], 0) == [None]
    assert store.commit([append("ROOM", 2, 5)], 0) == [StaleOwner("ROOM", 5, 2, 6, 2)]
    store.close()
    assert found(tmp_path) == {"ROOM": entries_of("ROOM", 2)}


async def test_a_stale_owner_is_told(tmp_path: Path) -> None:
    """The append is answered with no, and the server hears why first."""
    heard: list[Report | bool] = []
    journal = open_journal(tmp_path, heard.append)
    journal.append("ROOM", 1, b"", heard.append)
    await journal.close()
    assert heard == [StaleOwner("ROOM", 1, 1, 0, 0), False]


def test_nothing_of_a_batch_that_fails_is_kept(tmp_path: Path) -> None:
    """An error in the middle takes all of it back, in memory too; then the same works."""
    names = make(tmp_path, rooms=3, entries=2)
    store = open_store(tmp_path)
    steps: list[Step] = [append("ROOM0", 2), Forget("ROOM1"), append("NEW", 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store_module, "seal", lambda *_: None)  # a head must have one
        with pytest.raises(Exception, match="NOT NULL"):
            store.commit(steps, 0)
    assert {room: store.read(room) for room in names} == {it: entries_of(it, 2) for it in names}
    assert store.read("NEW") is None
    fill(store, steps)
    store.close()
    assert sorted(found(tmp_path)) == ["NEW", "ROOM0", "ROOM2"]


def test_a_room_that_ended_is_forgotten_and_its_name_free(tmp_path: Path) -> None:
    """At once for whoever asks, across restarts, and in the same batch too."""
    make(tmp_path, rooms=3, entries=4)
    store = open_store(tmp_path)
    fill(store, [Forget("ROOM1"), append("ROOM1", 0), Forget("ROOM2"), Forget("NONE")])
    fill(store, [append("SHORT", 0), Forget("SHORT")])
    assert store.read("ROOM1") == entries_of("ROOM1", 1)
    assert store.read("SHORT") is None
    store.close()
    assert found(tmp_path) == {"ROOM0": entries_of("ROOM0", 4), "ROOM1": entries_of("ROOM1", 1)}


def test_forgotten_entries_are_deleted_in_pieces_across_restarts(tmp_path: Path) -> None:
    """Each piece is small; other rooms keep theirs; no number of a row is given twice."""
    store = open_store(tmp_path)
    for seq in range(700):
        fill(store, [append("LONG", seq), append("NEXT", seq)])
    fill(store, [append("LONG", 700), Forget("LONG")])
    sizes = [_rows(store)]
    while store.untidy:
        store.close()
        store = open_store(tmp_path)
        store.tidy()
        sizes.append(_rows(store))
    assert [before - after for before, after in pairwise(sizes)] == [256, 256, 189]
    store.close()
    store = open_store(tmp_path)
    fill(store, [append("NEXT", 700)])
    (highest,) = store._connection.execute("SELECT max(n) FROM entries").fetchone()
    assert highest == 1402
    store.close()
    assert found(tmp_path) == {"NEXT": entries_of("NEXT", 701)}


def _rows(store: Store) -> int:
    (count,) = store._connection.execute("SELECT count(*) FROM entries").fetchone()
    assert isinstance(count, int)
    return count


async def test_an_idle_journal_tidies_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When nothing else is to be done, what has ended is deleted without being asked."""
    loop, tidied = asyncio.get_running_loop(), asyncio.Event()
    tidy = Store.tidy

    def told(self: Store) -> None:
        tidy(self)
        if not self.untidy:
            loop.call_soon_threadsafe(tidied.set)

    monkeypatch.setattr(Store, "tidy", told)
    journal = open_journal(tmp_path)
    kept = Kept(journal)
    await asyncio.gather(*(kept.append("OLD", seq) for seq in range(1000)))
    await kept.append("ROOM", 0)
    journal.forget("OLD")
    await tidied.wait()
    assert await kept.load("OLD") is None
    await journal.close()
    store = open_store(tmp_path)
    assert _rows(store) == 1
    store.close()


async def test_a_second_server_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """Whoever comes second, in another process, is told; the first goes on undisturbed."""
    journal = open_journal(tmp_path)
    kept = Kept(journal)
    assert await kept.append("ROOM", 0)
    for _ in range(2):
        second = await asyncio.create_subprocess_exec(
            sys.executable, FIXTURE, "once", tmp_path, stderr=asyncio.subprocess.PIPE
        )
        _, said = await second.communicate()
        assert second.returncode == 2
        assert said.startswith(b"JournalInUse: Another nana server is using ")
    assert await kept.append("ROOM", 1)
    with pytest.raises(JournalInUse, match="Stop it first"):
        open_journal(tmp_path)
    await journal.close()
    assert found(tmp_path) == {"ROOM": entries_of("ROOM", 2)}


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    """Cards and token hashes are in there: the folder is 0700, every file 0600."""
    old = os.umask(0)
    try:
        folder = tmp_path / "new" / "data"
        store = open_store(folder)
        fill(store, [append("ROOM", 0)])
        copying.finish(store.backup(folder / "copy", lambda: None), folder / "copy")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert modes == dict.fromkeys([NAME, f"{NAME}-wal", "receipt", "copy"], 0o600)
        store.close()
    finally:
        os.umask(old)


def test_a_newer_journal_is_refused_untouched(tmp_path: Path) -> None:
    """Not a byte of it changes, even with a log that a crash left behind."""
    store = open_store(tmp_path / "kept", entries_format=2)
    fill(store, [append("ROOM", 0)])
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for path in (tmp_path / "kept").iterdir():
        (crashed / path.name).write_bytes(path.read_bytes())
    store.close()
    for folder in (tmp_path / "kept", crashed):
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        with pytest.raises(NewerJournal, match="newer version of nana"):
            open_store(folder, entries_format=1)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
        store = open_store(folder, entries_format=2)
        assert store.read("ROOM") == entries_of("ROOM", 1)
        store.close()


def test_an_older_journal_is_opened_and_becomes_newer(tmp_path: Path) -> None:
    """What the last version kept is there; from then on the last version refuses it."""
    make(tmp_path, rooms=2, entries=3)
    store = open_store(tmp_path, entries_format=2)
    assert store.read("ROOM1") == entries_of("ROOM1", 3)
    store.close()
    with pytest.raises(NewerJournal):
        open_store(tmp_path, entries_format=1)


@pytest.mark.parametrize("data", [b"hello", b"SQLite format 3\0", bytes(4096)])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, data: bytes) -> None:
    """It is refused with a sentence, and stays as it is."""
    (tmp_path / NAME).write_bytes(data)
    with pytest.raises(DamagedJournal, match="is not a journal"):
        open_store(tmp_path)
    assert (tmp_path / NAME).read_bytes() == data


async def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    """The opening of the journal says so on the caller's thread."""
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalRefused, match="cannot be opened"):
        open_journal(tmp_path / "file" / "data")


async def test_a_backup_is_a_journal_of_its_own(tmp_path: Path) -> None:
    """It holds what was kept before it was asked for, each room whole, and disturbs nobody."""
    journal = open_journal(tmp_path / "data")
    kept = Kept(journal)
    names = [f"ROOM{number}" for number in range(50)]
    for seq in range(60):
        await asyncio.gather(*(kept.append(room, seq) for room in names))
    why = await kept.backup(tmp_path / "copy" / NAME)
    assert why == f"The backup failed: {tmp_path / 'copy'}: No such file or directory."
    (tmp_path / "copy").mkdir()
    backup = asyncio.create_task(kept.backup(tmp_path / "copy" / NAME))
    during = 0
    while not backup.done():
        assert await kept.append("ROOM0", 60 + during)
        during += 1
    assert await backup is None
    await journal.close()
    assert found(tmp_path / "data")["ROOM0"] == entries_of("ROOM0", 60 + during)
    assert files_in(tmp_path / "copy") == [NAME]
    copied = found(tmp_path / "copy")
    zero = copied.pop("ROOM0")
    assert isinstance(zero, tuple)
    assert zero == entries_of("ROOM0", len(zero))
    assert 60 <= len(zero) <= 60 + during
    assert copied == {room: entries_of(room, 60) for room in names[1:]}


async def test_appends_go_on_between_the_pieces_of_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked for while the copy is made is kept meanwhile, and in the copy."""
    make(tmp_path / "data", rooms=20, entries=60)
    begun, go_on, inside = threading.Event(), threading.Event(), list[bool]()
    copy, commit = Store._copy, Store.commit

    def gated(self: Store, part: Path, between: Callable[[], None]) -> None:
        begun.set()
        assert go_on.wait(10)
        copy(self, part, between)
        begun.clear()

    def noted(self: Store, steps: list[Step], at: int) -> list[StaleOwner | None]:
        inside.append(begun.is_set())
        return commit(self, steps, at)

    monkeypatch.setattr(Store, "_copy", gated)
    monkeypatch.setattr(Store, "commit", noted)
    monkeypatch.setattr(store_module, "_BACKUP_PAGES", 4)
    journal = open_journal(tmp_path / "data")
    kept = Kept(journal)
    (tmp_path / "copy").mkdir()
    backup = asyncio.create_task(kept.backup(tmp_path / "copy" / NAME))
    await asyncio.get_running_loop().run_in_executor(None, begun.wait, 10)
    appended = asyncio.create_task(kept.append("NEW", 0))
    await asyncio.sleep(0)
    go_on.set()
    assert await appended
    assert await backup is None
    assert inside == [True]
    await journal.close()
    assert found(tmp_path / "copy") == found(tmp_path / "data")
    assert found(tmp_path / "copy")["NEW"] == entries_of("NEW", 1)


async def test_a_backup_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its target nor a half made one, nor what somebody makes at the last moment."""
    make(tmp_path / "data", rooms=2, entries=2)
    journal = open_journal(tmp_path / "data")
    kept = Kept(journal)
    copy, part = tmp_path / "copy", tmp_path / "copy.part"
    for mine in (copy, part):
        mine.write_text("mine")
        why = f"The backup failed: {mine}: it exists, "
        assert (await kept.backup(copy) or "").startswith(why)
        assert mine.read_text() == "mine"
        mine.unlink()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    assert "exists" in (await kept.backup(link) or "")
    assert not (tmp_path / "nowhere").exists()
    link.unlink()

    def raced(part: Path, path: Path) -> None:
        path.write_text("mine")
        finish(part, path)

    finish = copying.finish
    with monkeypatch.context() as patch:
        patch.setattr(copying, "finish", raced)
        assert "it exists" in (await kept.backup(copy) or "")
    assert copy.read_text() == "mine"
    assert files_in(tmp_path) == ["copy", "data"]
    await journal.close()


async def test_a_backup_leaves_the_games_their_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it would not fit, it is not begun: the disk may be the one games are saved on."""
    make(tmp_path / "data", rooms=2, entries=2)
    journal = open_journal(tmp_path / "data")
    kept = Kept(journal)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4_200_000))
    why = f"The backup failed: {tmp_path / 'copy'}: there is not enough space: 4.2 MB are needed"
    assert (await kept.backup(tmp_path / "copy") or "").startswith(why)
    assert files_in(tmp_path) == ["data"]
    await journal.close()


async def test_a_backup_works_where_files_have_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on most memory sticks, whose file systems know no links."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    make(tmp_path / "data", rooms=2, entries=2)
    journal = open_journal(tmp_path / "data")
    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "copy").mkdir()
    assert await Kept(journal).backup(tmp_path / "copy" / NAME) is None
    assert files_in(tmp_path / "copy") == [NAME]
    await journal.close()
    assert found(tmp_path / "copy") == found(tmp_path / "data")


async def test_games_do_not_wait_while_a_backup_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk may take long for it; entries are kept meanwhile, and a stop waits for the copy."""
    journal = open_journal(tmp_path / "data")
    kept, go_on = Kept(journal), threading.Event()
    finish = copying.finish

    def slow(part: Path, path: Path) -> None:
        assert go_on.wait(10)
        finish(part, path)

    monkeypatch.setattr(copying, "finish", slow)
    backup = asyncio.create_task(kept.backup(tmp_path / "copy"))
    for seq in range(20):
        assert await kept.append("ROOM", seq)
    assert not backup.done()
    closing = asyncio.create_task(journal.close())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    assert await backup is None
    assert (tmp_path / "copy").exists()


def test_a_backup_begins_after_every_run_since(tmp_path: Path) -> None:
    """Clients count a snapshot of a lower run as old: runs that followed the backup are lower."""
    store = open_store(tmp_path / "data")
    fill(store, [append("ROOM", 0, store.epoch)])
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / NAME
    copying.finish(store.backup(copy, lambda: None), copy)
    store.close()
    for run in (2, 3):
        store = open_store(tmp_path / "data")
        assert store.epoch == run
        store.close()
    before = int(time.time())
    restored = open_store(tmp_path / "copy")
    assert restored.epoch >= before
    fill(restored, [append("ROOM", 1, restored.epoch)])
    restored.close()
    again = open_store(tmp_path / "copy")
    assert again.epoch == restored.epoch + 1
    again.close()


async def test_closing_gives_up_a_backup(tmp_path: Path) -> None:
    """The server does not wait for it; nothing half made is left."""
    make(tmp_path, rooms=200, entries=60)
    journal = open_journal(tmp_path)
    said: list[str | None] = []
    journal.backup(tmp_path / "copy", said.append)
    await journal.close()
    assert said == ["The backup failed: the journal is being closed."]
    assert files_in(tmp_path) == [NAME, "receipt"]


def test_creators_are_read_from_first_entries() -> None:
    """The fixture's entries say whose room it is, as real ones do."""
    assert creator_of(entry_of("ROOM", 0)) == "creator of ROOM"


# Begun anew.


def anew(room: str, seq: int) -> Append:
    return replace(append(room, seq), anew=True)


def test_a_room_begins_anew_where_it_was_summed_up(tmp_path: Path) -> None:
    """It is read from there on, numbers go on, and what came before is deleted in pieces."""
    store = open_store(tmp_path)
    fill(store, [append(room, seq) for seq in range(600) for room in ("LONG", "OTHER")])
    fill(store, [append("LONG", 600), anew("LONG", 601), append("LONG", 602)])
    assert store.read("LONG") == (entry_of("LONG", 601), entry_of("LONG", 602))
    (stale,) = store.commit([append("LONG", 2)], AT)
    assert stale is not None
    store.close()
    store = open_store(tmp_path)
    (head,) = (head for head in store.heads() if head.room == "LONG")
    assert (head.entries, head.creator) == (603, "creator of LONG")
    pieces = 0
    while store.untidy:
        store.tidy()
        pieces += 1
        assert store.read("LONG") == (entry_of("LONG", 601), entry_of("LONG", 602))
        assert store.read("OTHER") == entries_of("OTHER", 600)
    assert pieces == 3
    (rows,) = store._connection.execute("SELECT count(*) FROM entries").fetchone()
    assert rows == 602
    fill(store, [Forget("LONG")])
    store.tidy()
    (rows,) = store._connection.execute("SELECT count(*) FROM entries").fetchone()
    assert rows == 600
    store.close()
    assert set(found(tmp_path)) == {"OTHER"}


@pytest.mark.parametrize("harm", ["gone", "changed"])
@pytest.mark.parametrize("seq", [601, 602, 603])
def test_what_stands_for_a_past_is_as_safe_as_that(tmp_path: Path, harm: str, seq: int) -> None:
    """Damage to the entry that sums up, or to one behind it, sets the room aside by name."""
    store = open_store(tmp_path)
    fill(store, [append("ROOM", seq) for seq in range(601)])
    fill(store, [anew("ROOM", 601), append("ROOM", 602), append("ROOM", 603), append("ELSE", 0)])
    store.close()
    if harm == "gone":
        change(tmp_path, "DELETE FROM entries WHERE room = 'ROOM' AND seq = ?", seq)
    else:
        sql = "UPDATE entries SET entry = ? WHERE room = 'ROOM' AND seq = ?"
        change(tmp_path, sql, b"another past", seq)
    rooms = found(tmp_path)
    assert isinstance(rooms["ROOM"], DamagedRoom)
    assert rooms["ELSE"] == entries_of("ELSE", 1)
