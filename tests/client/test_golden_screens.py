"""The golden screens: nothing that people see changes unseen."""

from collections.abc import Iterator
from difflib import unified_diff
from typing import Final

import pytest

from client.gallery import Size
from client.golden.remake import COMMAND, FOLDER, file_of, files, read, texts, written

MOST_SHOWN: Final = 3  # screens whose differences are told in full
FILES: Final = tuple(files())


@pytest.mark.parametrize(("players", "size"), FILES)
async def test_screens_are_as_they_were(players: int | None, size: Size) -> None:
    """Every screen is drawn as its golden file has it."""
    before, now = (
        read(file_of(players, size).read_text(encoding="utf-8")),
        {name: text.rstrip("\n") for name, text in (await texts(players, size)).items()},
    )
    changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if changed:
        pytest.fail("\n".join(_told(changed, before, now)), pytrace=False)


def _told(changed: list[str], before: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    yield f"{len(changed)} screens are not what they were. If they are meant to be: {COMMAND}"
    for name in changed[:MOST_SHOWN]:
        one, two = (texts.get(name, "").splitlines() for texts in (before, now))
        yield from unified_diff(one, two, f"{name} (golden)", f"{name} (now)", lineterm="", n=1)
    if len(changed) > MOST_SHOWN:
        yield f"and {', '.join(changed[MOST_SHOWN:])}"


def test_the_folder_holds_these_files_and_no_others() -> None:
    """A screen that is gone takes its golden file with it."""
    assert {file.name for file in FOLDER.glob("*.txt")} == {
        file_of(players, size).name for players, size in FILES
    }


def test_what_is_written_is_read() -> None:
    """A file keeps its screens apart, blank lines at their edges and all but the last included."""
    screens = {"one": "\n a\n\nb", "two, with words": " c\n=\n=== ===x"}
    assert read(written(screens)) == screens
    told = "\n".join(_told(["one"], {"one": "a\nb"}, {"one": "a\nc"}))
    assert "-b\n+c" in told
    assert COMMAND in told
