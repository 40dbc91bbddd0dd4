"""What is kept on disk: who may read it, what survives, what damage does."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from nana_client.settings import Settings
from nana_client.start import HostRoom
from nana_client.store import MUTED_ROOMS, SavedSeat, Secret, Store, folders
from nana_client.visit import HOSTED_THERE, NO_SEAT, OPEN_THERE, back_to_seat

SEAT = SavedSeat(server="ws://a:1/", room="KQ7MX", token=Secret("ab" * 16), name="Ann", seat="A")


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Store:
    return Store(folders({"NANA_HOME": str(tmp_path)}), clock=clock)


def test_settings_come_back(store: Store) -> None:
    """What was remembered is there again; before, there are defaults."""
    assert store.settings() == Settings()
    store.remember(Settings(name="Ann", server="ws://a:1/"))
    assert store.settings() == Settings(name="Ann", server="ws://a:1/")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_the_owner_may_read(store: Store, tmp_path: Path) -> None:
    """Every file has mode 0600 in folders of mode 0700, and no half-written file stays."""
    store.remember(Settings())
    store.save(SEAT)
    store.save(SEAT)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 2
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert (tmp_path / "data" / "seats").stat().st_mode & 0o777 == 0o700


def test_the_newest_seat_comes_first(store: Store, clock: Clock) -> None:
    """Seats are listed by last use, found by server and room, and forgotten one by one."""
    old = store.save(SEAT)
    clock.now += 1
    other = store.save(replace(SEAT, room="AAAAA", token=Secret("cd" * 16)))
    assert store.seats() == (other, old)
    assert store.seats_in("ws://a:1/", "KQ7MX") == (old,)
    assert store.seats_in("ws://b:1/") == ()
    store.forget(other)
    assert store.seats() == (old,)


def test_old_seats_are_dropped(store: Store, clock: Clock, tmp_path: Path) -> None:
    """A seat not used for two weeks is neither listed nor kept."""
    store.save(SEAT)
    clock.now += 14 * 86_400
    assert store.seats() == ()
    assert not list(tmp_path.rglob("*.json"))


def test_damage_is_put_aside(store: Store, tmp_path: Path) -> None:
    """A damaged file costs what was in it, is kept for whoever wants to look, and is told of."""
    store.remember(Settings(name="Ann"))
    store.save(SEAT)
    store.save(replace(SEAT, token=Secret("cd" * 16)))
    (tmp_path / "config" / "settings.toml").write_bytes(b"\xff{")
    first = min((tmp_path / "data" / "seats").glob("*.json"))
    first.write_text('{"server": 3}')
    assert store.settings() == Settings()
    assert len(store.seats()) == 1
    assert (tmp_path / "config" / "settings.broken").read_bytes() == b"\xff{"
    assert first.with_suffix(".broken").exists()
    assert len(store.troubles) == 2
    assert "is kept as settings.broken" in store.troubles[0]
    assert "was damaged; it is kept as" in store.troubles[1]


def test_a_disk_that_refuses_stops_nobody(tmp_path: Path) -> None:
    """When nothing can be written, saving tells so once, and nothing is raised."""
    (tmp_path / "data").write_text("a file where a folder should be")
    store = Store(folders({"NANA_HOME": str(tmp_path)}))
    store.save(SEAT)
    store.save(SEAT)
    assert store.hold(SEAT)
    assert store.seats() == ()
    assert len(store.troubles) == 1
    assert store.troubles[0].startswith("Your seat could not be saved")


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_a_seat_in_use_is_held(store: Store, tmp_path: Path) -> None:
    """A seat is held against other clients until released, or until its process is gone."""
    other = Store(folders({"NANA_HOME": str(tmp_path)}))
    assert store.hold(SEAT)
    assert not other.hold(SEAT)
    assert not store.hold(SEAT)
    store.release(SEAT)
    assert other.hold(SEAT)
    other.release(SEAT)
    holding = (
        "from nana_client.store import *\n"
        f"s = Store(folders({{'NANA_HOME': {str(tmp_path)!r}}}))\n"
        f"seat = SavedSeat(server={SEAT.server!r}, room={SEAT.room!r},"
        f" token=Secret({SEAT.token.value!r}), name='')\n"
        "print(s.hold(seat), flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holding + "input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "True\n"
        assert not store.hold(SEAT)
        child.kill()
    assert store.hold(SEAT)
    store.release(SEAT)


def test_mutes_are_kept_by_room_and_bounded(store: Store, tmp_path: Path) -> None:
    """Who is muted in a room is remembered there alone, for the rooms of late."""
    store.mute("AAAAA", frozenset({"Bo", "Cy"}))
    for number in range(MUTED_ROOMS - 1):
        store.mute(f"R{number}", frozenset({"Dee"}))
    again = Store(folders({"NANA_HOME": str(tmp_path)}))
    assert again.muted("AAAAA") == {"Bo", "Cy"}
    assert again.muted("BBBBB") == frozenset()
    store.mute("ZZZZZ", frozenset({"Eve"}))
    assert again.muted("AAAAA") == frozenset()
    store.mute("ZZZZZ", frozenset())
    assert again.muted("ZZZZZ") == frozenset()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_the_seat_to_come_back_to_is_a_free_one(store: Store, clock: Clock, tmp_path: Path) -> None:
    """A seat in which another client of this person sits is not offered."""
    assert store.free_seat() is None
    older = store.save(SEAT)
    clock.now += 60
    newer = store.save(replace(SEAT, token=Secret("cd" * 16)))
    assert store.free_seat() == newer
    other = Store(folders({"NANA_HOME": str(tmp_path)}))
    assert other.hold(newer)
    assert store.free_seat() == older
    other.release(newer)


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_a_seat_in_another_terminal_is_taken_over_when_asked(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    """It is said where the seat is; only `here` leads there, past older seats that are free."""
    assert back_to_seat(store, here=True) == NO_SEAT
    newer = store.save(SEAT)
    other = Store(folders({"NANA_HOME": str(tmp_path)}))
    assert other.hold(newer)
    assert back_to_seat(store) == OPEN_THERE
    assert back_to_seat(store, here=True) == newer
    clock.now -= 60
    older = store.save(replace(SEAT, token=Secret("cd" * 16)))
    assert back_to_seat(store) == older
    assert back_to_seat(store, here=True) == newer
    other.release(newer)
    assert back_to_seat(store, here=True) == newer


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_the_host_is_not_taken_from_the_terminal_that_hosts(store: Store, tmp_path: Path) -> None:
    """Its server would end with that terminal's stay, and the table with it."""
    hosts = store.save(replace(SEAT, own_server=True))
    other = Store(folders({"NANA_HOME": str(tmp_path)}))
    assert other.hold(hosts)
    assert back_to_seat(store) == back_to_seat(store, here=True) == HOSTED_THERE
    other.release(hosts)
    assert isinstance(back_to_seat(store), HostRoom)


def test_secrets_are_not_printed() -> None:
    """A traceback that prints locals prints neither tokens nor nonces."""
    seat = replace(SEAT, nonces=(Secret("cd" * 32),))
    assert "abab" not in f"{seat} {seat!r} {seat.token}"
    assert "cdcd" not in f"{seat} {seat!r}"


def test_the_system_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """NANA_HOME rules over everything; without it the system's own places are used."""
    monkeypatch.setenv("NANA_HOME", str(tmp_path))
    assert Store().folders.config == tmp_path / "config"
    assert "nana" in str(folders({}).data)
