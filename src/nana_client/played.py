"""The games that were played, as a folder of records: what is there, and what goes when.

A record says nothing of when and where it was played; a small file beside it does, and
tells those that somebody asked to save from those that were kept by themselves. Only the
latter are ever dropped here. Whatever lies in the folder is listed: what cannot be read
says why, and never raises.
"""

import contextlib
import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from nana_client.reading import read
from nana_client.shelf import Kept, keep, not_kept
from nana_core.protocol.outbound import Recorded, Snapshot
from nana_core.record import Record, Unreadable, dealt

GAMES_MOST: Final = 200  # that are kept without being asked for: about two megabytes
LISTED_MOST: Final = 1000
LATEST: Final = 4_102_444_800  # 2100-01-01: what a calendar can be trusted with
_ABOUT: Final = ".about"
_ABOUT_BYTES: Final = 4096

_Text = Annotated[str, Meta(max_length=300)]


class About(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a record does not say of itself."""

    at: Annotated[int, Meta(ge=0, le=LATEST)] = 0  # seconds since 1970
    server: _Text = ""  # Target.server; empty: on this machine, against bots
    seat: Annotated[str, Meta(max_length=1)] | None = None  # one's own
    saved: bool = False  # by somebody who asked for it: it stays until it is deleted


class Played(Struct, frozen=True):
    """A game in the folder; without a record, why it cannot be looked at."""

    path: Path
    at: float
    about: About | None = None  # None for a file that came here in another way
    record: Record | None = None
    why: str = ""


class Keeper(Struct, frozen=True):
    """Where a client keeps the games of its person, and whether it is to."""

    folder: Path
    wanted: Callable[[], bool]
    clock: Callable[[], float] = time.time

    def keep(self, recorded: Recorded, snapshot: Snapshot, server: str) -> str:
        """Keep a game that is just over, if that is wanted; return what went wrong."""
        if not self.wanted():
            return ""
        kept = keep(self.folder, recorded, snapshot)
        if kept.path is None:
            return kept.text
        try:
            self._note(kept.path, About(server=server, seat=snapshot.you.seat))
        except OSError as error:
            if kept.fresh:  # without its note it would be taken for one that somebody saved
                kept.path.unlink(missing_ok=True)
                return not_kept(self.folder, error).text
        drop_oldest(self.folder)
        return ""

    def save(self, recorded: Recorded, snapshot: Snapshot | None, server: str) -> Kept:
        """Keep a game that was asked for."""
        kept = keep(self.folder, recorded, snapshot)
        if kept.path is not None:
            seat = None if snapshot is None else snapshot.you.seat
            try:
                self._note(kept.path, About(server=server, seat=seat, saved=True))
            except OSError as error:
                if _about(kept.path) is not None:  # and that one lets it be dropped
                    return not_kept(self.folder, error)
        return kept

    def _note(self, path: Path, about: About) -> None:
        """Write what is known of a record beside it; what was noted before holds.

        Raises OSError.
        """
        noted = _about(path)
        if noted is None:
            at = min(max(0, int(self.clock())), LATEST)
            _write(path, replace(about, at=at))
        elif about.saved and not noted.saved:
            _write(path, replace(noted, saved=True))


class Shelf:
    """The games of one folder, for who looks through them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def games(self) -> tuple[Played, ...]:
        """Return what is there, newest first; raise OSError where that cannot be told."""
        return played(self.folder)

    def delete(self, game: Played) -> str:
        """Delete a game for good; return why it could not be, or nothing."""
        try:
            delete(game.path)
        except OSError as error:
            return f"{game.path.name} could not be deleted: {error.strerror}."
        return ""


def played(folder: Path) -> tuple[Played, ...]:
    """Return the games of a folder, newest first. Raises OSError."""
    try:
        paths = [path for path in folder.iterdir() if path.name.endswith(".json")]
    except FileNotFoundError:
        if folder.is_symlink():  # to nowhere: that is another thing than no games
            raise
        return ()
    found = sorted(_found(paths), key=lambda each: (each.at, each.path.name), reverse=True)
    return tuple(map(_opened, found[:LISTED_MOST]))


def drop_oldest(folder: Path, most: int = GAMES_MOST) -> None:
    """Drop what was kept without being asked for, beyond so many games."""
    with contextlib.suppress(OSError):  # a disk that cannot forget keeps more
        noted = [path.with_suffix(".json") for path in folder.glob(f"*{_ABOUT}")]
        if len(noted) <= most:
            return
        abouts = ((_about(path), path) for path in noted)
        own = [(about.at, path) for about, path in abouts if about is not None and not about.saved]
        for _, path in sorted(own)[: max(0, len(own) - most)]:
            with contextlib.suppress(OSError):  # one that cannot go keeps no other
                delete(path)


def delete(path: Path) -> None:
    """Delete a record and what was noted of it. Raises OSError."""
    path.unlink(missing_ok=True)
    try:
        path.with_suffix(_ABOUT).unlink(missing_ok=True)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:  # then there cannot be one
            raise


def spare(path: Path) -> None:
    """Let a game that was kept by itself stay until somebody deletes it, if that can be noted."""
    noted = _about(path)
    if noted is not None and not noted.saved:
        with contextlib.suppress(OSError):
            _write(path, replace(noted, saved=True))


def _found(paths: Iterable[Path]) -> Iterator[Played]:
    for path in paths:
        about = _about(path)
        try:
            at = path.lstat().st_mtime if about is None else float(about.at)
        except FileNotFoundError:
            continue  # another client has just deleted it
        yield Played(path, min(max(0.0, at), float(LATEST)), about)


def _opened(game: Played) -> Played:
    """Read the record; what would wait for somebody to write into it is not opened."""
    try:
        if not game.path.is_file():
            return replace(game, why="This is no file.")
        record = read(game.path)
        dealt(record)
    except Unreadable as error:
        return replace(game, why=str(error))
    except OSError as error:  # a link to where one may not go, or to what no file is called
        return replace(game, why=f"It cannot be read: {error.strerror}.")
    return replace(game, record=record)


def _about(path: Path) -> About | None:
    """Return what was noted of a record; None where nothing was, or it cannot be read."""
    note = path.with_suffix(_ABOUT)
    try:
        if not note.is_file():
            return None
        with note.open("rb") as file:
            return msgspec.json.decode(file.read(_ABOUT_BYTES), type=About)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _write(path: Path, about: About) -> None:
    """Note something of a record, whole or not at all. Raises OSError."""
    fresh = path.with_suffix(f".{os.getpid()}.new")
    number = os.open(fresh, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.encode(about) + b"\n")
        fresh.replace(path.with_suffix(_ABOUT))
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
