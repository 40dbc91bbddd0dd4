"""What the writer is asked to do, and what it says of itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from nana_server.journal import DamagedRoom

Entries: TypeAlias = tuple[bytes, ...]
Found: TypeAlias = Callable[[Entries | DamagedRoom | None], object]


class Append(Struct, frozen=True):
    room: str
    epoch: int  # of the server that appends
    seq: int
    entry: bytes
    done: Callable[[bool], None]
    anew: bool = False  # the room's chain begins here; what came before it is deleted


class Forget(Struct, frozen=True):
    room: str


class Load(Struct, frozen=True):
    room: str
    found: Found  # called on the writer's thread


class Backup(Struct, frozen=True):
    path: Path
    done: Callable[[str | None], None]  # None, or why there is none


class Close(Struct, frozen=True):
    """Nothing comes after this."""


Step: TypeAlias = Append | Forget
Order: TypeAlias = Step | Load | Backup | Close


class Well(Struct, frozen=True):
    """Entries are kept."""

    text: str = "Games are being saved."


class Full(Struct, frozen=True):
    """There is no space: nothing is kept until there is; what is kept can be read."""

    text: str


class Broken(Struct, frozen=True):
    """The disk failed: nothing is kept any more, and this process is to end and be started anew."""

    text: str


class StaleOwner(Struct, frozen=True):
    """An append that does not follow what is kept: the room has had another owner since."""

    room: str
    epoch: int
    seq: int
    kept_epoch: int
    kept: int  # entries

    @property
    def text(self) -> str:
        return (
            f"Room {self.room} has {self.kept} entries kept by server run {self.kept_epoch}: "
            f"entry {self.seq} of run {self.epoch} does not follow."
        )


Health: TypeAlias = Well | Full | Broken
Report: TypeAlias = Health | StaleOwner
WELL: Final = Well()
