"""A copy of the journal under a name of its own: it is there whole, or it is not there.

Nothing that exists is overwritten, and none is begun for which there is no space: the disk
may be the one that games are saved on.
"""

import errno
import os
import shutil
from pathlib import Path
from typing import Final

from nana_server.sqlite.opening import sync_folder

SPARED: Final = 4 << 20  # bytes that a copy leaves free for the games that go on
_MEGABYTE: Final = 1_000_000


def begin(path: Path, size: int) -> Path:
    """Make the file to copy to, for its owner alone; raises OSError whose text is for people."""
    part = path.with_name(f"{path.name}.part")
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "it exists, and nothing is overwritten", str(path))
    free = shutil.disk_usage(path.parent).free
    if free < size + SPARED:
        sizes = f"{_megabytes(size + SPARED)} are needed and {_megabytes(free)} free"
        raise OSError(errno.ENOSPC, f"there is not enough space: {sizes}", str(path))
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        why = "it exists, from a backup that was cut off or is being made"
        raise FileExistsError(errno.EEXIST, why, str(part)) from None
    return part


def finish(part: Path, path: Path) -> None:
    """Make a whole copy durable and give it its name; raises OSError. It may take long."""
    try:
        with part.open("r+b") as file:
            os.fsync(file.fileno())
        _rename(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _rename(part: Path, path: Path) -> None:
    """Rename without overwriting, also where somebody has just made that name."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise FileExistsError(
            errno.EEXIST, "it exists, and nothing is overwritten", str(path)
        ) from None
    except OSError:  # a file system without links, such as that of most memory sticks
        part.rename(path)
    else:
        part.unlink()


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.1f} MB"
