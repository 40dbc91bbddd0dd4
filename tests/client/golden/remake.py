"""Remake the golden screens: `python tests/client/golden/remake.py`.

Every screen in every state as plain text, on terminals of three sizes; tables for two
to five players. A change in these files is a change of what people see: it is made by
this script, and read before it is committed.
"""

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from client.gallery import PLAYERS, SIZES_SHOWN, Size, drawn, others, tables

FOLDER: Final = Path(__file__).parent
COMMAND: Final = "python tests/client/golden/remake.py"
_HEAD: Final = re.compile(r"^=== (.+) ===$", re.MULTILINE)


def file_of(players: int | None, size: Size) -> Path:
    """Return where the screens for so many players (None: those of no table) and a size are."""
    kind = "screens" if players is None else f"table-{players}"
    return FOLDER / f"{kind}-{size[0]}x{size[1]}.txt"


def files() -> Iterator[tuple[int | None, Size]]:
    """Say of which files there are to be."""
    for size in SIZES_SHOWN:
        yield None, size
        for players in PLAYERS:
            yield players, size


async def texts(players: int | None, size: Size) -> dict[str, str]:
    """Draw the screens of one file."""
    return await drawn(others() if players is None else tables(players), size)


def written(texts: dict[str, str]) -> str:
    return "\n".join(f"=== {name} ===\n{text}\n" for name, text in texts.items())


def read(text: str) -> dict[str, str]:
    """Return the screens of a file by their names."""
    _, *parts = _HEAD.split(text)
    bodies = (body.removeprefix("\n").rstrip("\n") for body in parts[1::2])
    return dict(zip(parts[::2], bodies, strict=True))


def main() -> None:
    for players, size in files():
        file = file_of(players, size)
        file.write_text(written(asyncio.run(texts(players, size))), encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main()
