"""The journal without a disk keeps the promises that a disk's will have to keep."""

from collections.abc import Callable
from functools import partial

import pytest

from nana_server.journal import MemoryJournal


class Soon:
    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []

    def __call__(self, call: Callable[[], None]) -> None:
        self.calls.append(call)

    def run(self) -> None:
        calls, self.calls = self.calls, []
        for call in calls:
            call()


def test_commits_come_later_in_groups_and_in_order() -> None:
    """`done` is never called within `append`; what waits together is kept together."""
    soon, done = Soon(), list[tuple[str, bool, int]]()
    journal = MemoryJournal(soon)

    def note(room: str, ok: bool) -> None:
        done.append((room, ok, len(journal.entries(room))))

    for room, seq in (("A", 0), ("B", 0), ("A", 1)):
        journal.append(room, seq, b"%d" % seq, partial(note, room))
    assert done == []
    assert len(soon.calls) == 1
    soon.run()
    assert done == [("A", True, 2), ("B", True, 1), ("A", True, 2)]
    assert journal.entries("A") == (b"0", b"1")


def test_an_entry_appended_from_done_is_kept_next() -> None:
    """A room appends its next entry as soon as the last one is kept."""
    soon = Soon()
    journal = MemoryJournal(soon)
    journal.append("A", 0, b"one", lambda _: journal.append("A", 1, b"two", lambda _: None))
    soon.run()
    assert journal.entries("A") == (b"one",)
    soon.run()
    assert journal.entries("A") == (b"one", b"two")


def test_a_gap_is_a_bug() -> None:
    """An entry that does not follow the last one is refused loudly."""
    soon = Soon()
    journal = MemoryJournal(soon)
    journal.append("A", 1, b"two", lambda _: None)
    with pytest.raises(AssertionError, match="entry 1 of A does not follow"):
        soon.run()


def test_a_room_that_ended_is_forgotten() -> None:
    """Its code may be given again and begins from nothing."""
    soon = Soon()
    journal = MemoryJournal(soon)
    journal.append("A", 0, b"one", lambda _: None)
    soon.run()
    journal.forget("A")
    journal.forget("B")
    assert journal.entries("A") == ()
    journal.append("A", 0, b"new", lambda _: None)
    soon.run()
    assert journal.entries("A") == (b"new",)


def test_a_room_may_begin_anew() -> None:
    """An entry that stands for all before it takes their place; the numbers go on."""
    soon = Soon()
    journal = MemoryJournal(soon)
    for seq in range(3):
        journal.append("A", seq, b"%d" % seq, lambda _: None)
    journal.begin_anew("A", 3, b"all", lambda _: None)
    journal.append("A", 4, b"4", lambda _: None)
    soon.run()
    assert journal.entries("A") == (b"all", b"4")
    journal.append("A", 2, b"2", lambda _: None)
    with pytest.raises(AssertionError, match="entry 2 of A does not follow"):
        soon.run()
