"""Looks of a person's own: TOML files in the folder `themes` beside the settings.

`NAME.toml` names the colours that are to differ from those of its base. What is wrong in
a file is told in a sentence that says how it would be right; such a look is not offered,
for a half-painted table may hide cards. Pure but for the reading of that folder.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import asdict, replace

from nana_client.looks import DEFAULT, LOOKS
from nana_client.theme import Look, contrast
from nana_core.text import cleaned

SUFFIX: Final = ".toml"
COLOURS: Final = tuple(
    name for name, value in asdict(LOOKS[DEFAULT]).items() if isinstance(value, str)
)
NUMBERS: Final = 12
LEAST_CONTRAST: Final = 4.5  # of words on their grounds
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,19}")
_HEX: Final = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_MOST_FILES: Final = 32
_LARGEST: Final = 16_384  # bytes
_WORDS: Final = ("text", "dim", "accent", "good", "bad", "warn")
_GROUNDS: Final = ("table", "felt", "raised")
_TOLD: Final = 3  # flaws of one file that are told

NEW: Final = """\
# A table of your own. `base` gives what is not named here: night, paper or contrast.
# A colour is "#rrggbb" or "#rgb". Delete the # before a line to change that colour.
base = "{base}"

"""


def own_looks(folder: Path) -> tuple[dict[str, Look], tuple[str, ...]]:
    """Read the folder; return the looks by name, and a sentence for each file that is none."""
    looks, troubles = dict[str, Look](), list[str]()
    try:
        files = sorted(folder.glob(f"*{SUFFIX}"))[:_MOST_FILES]
    except OSError:
        return looks, ()
    for file in files:
        try:
            with file.open("rb") as opened:
                read = read_look(file.stem, opened.read(_LARGEST + 1))
        except OSError as error:
            read = (error.strerror or "it cannot be read",)
        if isinstance(read, Look):
            looks[file.stem] = read
        else:
            why = "; ".join(read[:_TOLD])
            troubles.append(f"The theme {cleaned(str(file))} is left out: {why}.")
    return looks, tuple(troubles)


def read_look(name: str, data: bytes) -> Look | tuple[str, ...]:
    """Return the look that a file describes, or what is wrong with it."""
    if name in LOOKS:
        return (f"{name} is a theme of nana's own; give the file another name",)
    if not _NAME.fullmatch(name):
        return ("its name may have 20 small letters, digits and hyphens, a letter first",)
    if len(data) > _LARGEST:
        return (f"it is larger than {_LARGEST} bytes",)
    try:
        said = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        return (f"it is no TOML ({error})",)
    base = LOOKS.get(str(said.pop("base", DEFAULT)))
    if base is None:
        return (f"base is one of {', '.join(LOOKS)}",)
    flaws = tuple(_flaws(said))
    if flaws:
        return flaws
    look = replace(base, **{key: _painted(value) for key, value in said.items()})
    return tuple(_unreadable(look)) or look


def new_look(base: str) -> str:
    """Write a file to begin with: every colour of a base, none of them changed."""
    look = LOOKS[base]
    lines = [f'# {name} = "{getattr(look, name)}"' for name in COLOURS]
    ramp = ", ".join(f'"{colour}"' for colour in look.ramp)
    return NEW.format(base=base) + "\n".join([*lines, f"# ramp = [{ramp}]  # 1 to 12", ""])


def _flaws(said: Mapping[str, object]) -> Iterator[str]:
    for name, value in said.items():
        if name == "ramp":
            yield from _ramp_flaws(value)
        elif name not in COLOURS:
            yield f"there is no colour {name[:20]!r}; there are {', '.join(COLOURS)} and ramp"
        elif _hex(value) is None:
            yield f'{name} is a colour like "#1e90ff", not {str(value)[:20]!r}'


def _ramp_flaws(value: object) -> Iterator[str]:
    colours = [_hex(each) for each in value] if isinstance(value, list) else []
    if len(colours) != NUMBERS or None in colours:
        yield f'ramp is a list of {NUMBERS} colours like "#1e90ff", for the numbers 1 to {NUMBERS}'
    elif len({*colours}) != NUMBERS:
        yield f"ramp needs {NUMBERS} different colours"


def _unreadable(look: Look) -> Iterator[str]:
    """Refuse words that cannot be read, and cards that cannot be seen."""
    for word in _WORDS:
        for ground in _GROUNDS:
            ratio = contrast(look.colour(word), look.colour(ground))
            if ratio < LEAST_CONTRAST:
                yield (
                    f"{word} on {ground} has a contrast of {ratio:.1f}, "
                    f"and is read from {LEAST_CONTRAST} on"
                )
    for number, colour in enumerate(look.ramp, start=1):
        if colour in {look.table, look.felt, look.back}:
            yield f"number {number} of the ramp has the colour of what it lies on"


def _painted(value: object) -> object:
    return tuple(_hex(each) for each in value) if isinstance(value, list) else _hex(value)


def _hex(value: object) -> str | None:
    """Return a colour as #rrggbb; None where it is none."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        return None
    digits = value[1:].lower()
    return f"#{digits}" if len(digits) == 6 else "#" + "".join(digit * 2 for digit in digits)
