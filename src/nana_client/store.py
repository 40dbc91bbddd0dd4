"""What the client keeps on disk: settings, and the seats a person can come back to.

Files that only their owner may read, replaced whole. One file for each seat,
so that several clients of one person never write over each other; a seat in use is
held by a lock that dies with its process. Nothing here raises for what a disk can
do: what went wrong is a sentence in `troubles`, and the game goes on without it.
"""

import contextlib
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from nana_client import keyfile
from nana_client.keyboard import Keyboard
from nana_client.keyfile import read_keys
from nana_client.settings import Settings, read_settings, write_settings

if sys.platform != "win32":
    import fcntl

_S = TypeVar("_S", bound=Struct)
SEAT_DAYS: Final = 14
MUTED_ROOMS: Final = 32
_DAY: Final = 86_400
_LARGEST: Final = 1 << 20


class Secret(Struct, frozen=True):
    """A token, a nonce, a password: tracebacks print locals, and so they print this."""

    value: str

    def __repr__(self) -> str:
        return "Secret(…)"


class SavedSeat(Struct, frozen=True, kw_only=True):
    """A place in a room, and what proves it to be one's own."""

    server: str  # Target.server
    room: str
    token: Secret
    name: str
    seat: str | None = None
    nonces: tuple[Secret, ...] = ()  # newest last
    commitments: tuple[tuple[int, str], ...] = ()  # game, seed hash as seen before the deal
    own_server: bool = False  # on the server that `nana host` starts here
    at: int = 0  # seconds since 1970, of the last use


class Mutes(Struct, frozen=True):
    """Who is muted where, the newest room last."""

    rooms: dict[str, tuple[str, ...]] = {}


class Folders(Struct, frozen=True):
    config: Path
    data: Path
    state: Path


def folders(environ: Mapping[str, str] = os.environ) -> Folders:
    """Say where things are kept: under NANA_HOME if set, else where this system keeps them."""
    if home := environ.get("NANA_HOME"):
        base = Path(home)
        return Folders(base / "config", base / "data", base / "state")
    import platformdirs  # noqa: PLC0415 - `nana --help` does not need it

    dirs = platformdirs.PlatformDirs("nana", appauthor=False, roaming=False)
    return Folders(dirs.user_config_path, dirs.user_data_path, dirs.user_state_path)


class Store:
    def __init__(
        self, where: Folders | None = None, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.folders = where or folders()
        self.troubles: list[str] = []
        self._clock = clock
        self._held: dict[Path, int] = {}

    def settings(self) -> Settings:
        """Read the settings; a file in which something is wrong is also kept as *.broken."""
        path = self.settings_file
        data = self._bytes(path)
        if data is None:
            return Settings()
        settings, flaws = read_settings(data)
        if flaws:
            aside = self._set_aside(path)
            self._trouble(f"In {path.name} {'; '.join(flaws)}. It is kept as {aside.name}.")
            self.remember(settings)
        return settings

    def remember(self, settings: Settings) -> None:
        self._write(self.settings_file, write_settings(settings), "The settings")

    def keyboard(self) -> Keyboard:
        """Read the keys that a person has chosen; their file is theirs, and stays as it is."""
        data = self._bytes(self.keys_file)
        keyboard, flaws = read_keys(data or b"")
        for flaw in flaws:
            self._trouble(f"{self.keys_file.name}: {flaw}")
        return keyboard

    def muted(self, room: str) -> frozenset[str]:
        """Return the names whose talk is not to be shown in a room."""
        return frozenset((self._read(self._mutes_file, Mutes) or Mutes()).rooms.get(room, ()))

    def mute(self, room: str, names: frozenset[str]) -> None:
        rooms = dict((self._read(self._mutes_file, Mutes) or Mutes()).rooms)
        rooms.pop(room, None)
        if names:
            rooms[room] = tuple(sorted(names))
        kept = dict(list(rooms.items())[-MUTED_ROOMS:])
        self._write(self._mutes_file, _json(Mutes(kept)), "Who is muted")

    def free_seat(self) -> SavedSeat | None:
        """Return the seat used last in which no client of this person sits now."""
        return next(filter(self.is_free, self.seats()), None)

    def open_seat(self) -> SavedSeat | None:
        """Return the seat used last in which another client of this person sits now."""
        return next((seat for seat in self.seats() if not self.is_free(seat)), None)

    def seats(self) -> tuple[SavedSeat, ...]:
        """Every seat still worth trying, newest first; old ones are dropped on the way."""
        found = [seat for seat in self._saved() if not self._expired(seat)]
        return tuple(sorted(found, key=lambda seat: seat.at, reverse=True))

    def seats_in(self, server: str, room: str | None = None) -> tuple[SavedSeat, ...]:
        """Return the seats on a server, or in one room of it, newest first."""
        seats = (seat for seat in self.seats() if seat.server == server)
        return tuple(seat for seat in seats if room is None or seat.room == room)

    def save(self, seat: SavedSeat) -> SavedSeat:
        """Keep a seat as used just now."""
        seat = msgspec.structs.replace(seat, at=int(self._clock()))
        self._write(self._seat_file(seat), _json(seat), "Your seat")
        return seat

    def forget(self, seat: SavedSeat) -> None:
        self.release(seat)
        for path in (self._seat_file(seat), self._lock_file(seat)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def hold(self, seat: SavedSeat) -> bool:
        """Take a seat for this process; False while another client of this person sits there."""
        path = self._lock_file(seat)
        if path in self._held:
            return False
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return True  # a disk that cannot lock must not keep anybody from their seat
        if not _locked(lock):
            os.close(lock)
            return False
        self._held[path] = lock
        return True

    def is_free(self, seat: SavedSeat) -> bool:
        """Tell whether no client of this person sits there now."""
        free = self.hold(seat)
        if free:
            self.release(seat)
        return free

    def release(self, seat: SavedSeat) -> None:
        lock = self._held.pop(self._lock_file(seat), None)
        if lock is not None:
            os.close(lock)

    @property
    def records(self) -> Path:
        """The folder for records of games."""
        return self.folders.data / "records"

    @property
    def themes(self) -> Path:
        """The folder for themes of one's own."""
        return self.folders.config / "themes"

    @property
    def keys_file(self) -> Path:
        return self.folders.config / keyfile.NAME

    @property
    def settings_file(self) -> Path:
        return self.folders.config / "settings.toml"

    @property
    def _mutes_file(self) -> Path:
        return self.folders.config / "muted.json"

    def _seat_file(self, seat: SavedSeat) -> Path:
        key = hashlib.sha256(f"{seat.server}\n{seat.token.value}".encode()).hexdigest()[:16]
        return self.folders.data / "seats" / f"{seat.room[:8]}-{key}.json"

    def _lock_file(self, seat: SavedSeat) -> Path:
        return self._seat_file(seat).with_suffix(".lock")

    def _saved(self) -> Iterator[SavedSeat]:
        try:
            files = sorted((self.folders.data / "seats").glob("*.json"))
        except OSError as error:
            self._trouble(f"Your seats could not be read: {_why(error)}.")
            return
        for path in files:
            if (seat := self._read(path, SavedSeat)) is not None:
                yield seat

    def _expired(self, seat: SavedSeat) -> bool:
        if self._clock() - seat.at < SEAT_DAYS * _DAY:
            return False
        self.forget(seat)
        return True

    def _read(self, path: Path, kind: type[_S]) -> _S | None:
        """Read a JSON file; None when there is none. A damaged one is kept aside as *.broken."""
        data = self._bytes(path)
        if data is None:
            return None
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            aside = self._set_aside(path)
            self._trouble(f"{path} was damaged; it is kept as {aside.name}, and a new one begins.")
        return None

    def _bytes(self, path: Path) -> bytes | None:
        try:
            with path.open("rb") as file:
                return file.read(_LARGEST)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._trouble(f"{path} could not be read: {_why(error)}.")
            return None

    def _set_aside(self, path: Path) -> Path:
        aside = path.with_suffix(".broken")
        with contextlib.suppress(OSError):
            path.replace(aside)
        return aside

    def _write(self, path: Path, data: bytes, what: str) -> None:
        """Replace a file whole: after a crash there is the old one or the new one."""
        fresh = path.with_suffix(f".{os.getpid()}.new")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                fresh.unlink()
            number = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(number)
            fresh.replace(path)
        except OSError as error:
            self._trouble(f"{what} could not be saved in {path.parent}: {_why(error)}.")

    def _trouble(self, text: str) -> None:
        if text not in self.troubles:
            self.troubles.append(text)


def _json(value: Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _locked(lock: int) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _why(error: OSError) -> str:
    return error.strerror or str(error)
