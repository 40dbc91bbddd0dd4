"""What the client remembers of its person, and the TOML file that it is kept in. Pure.

The file is written whole, by the client; who changes it by hand may do so while no client
runs. What is wrong in it is told in one sentence each, and the default stands instead.
"""

import json
import tomllib
from typing import Annotated, Any, Final, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

_HEAD: Final = "# What nana remembers of you. It is written anew when something changes in there."
_LONGEST: Final = 300


class Settings(Struct, frozen=True, kw_only=True):
    """Every setting with its default; `nana` changes them in its screen of settings."""

    name: str = ""
    server: str = ""  # the last server's URL
    bots: Annotated[int, Meta(ge=1, le=4)] = 3
    level: str = "novice"
    theme: str = ""  # of the table; empty: the default
    motion: bool = True  # cards turn and go back visibly
    at_once: bool = False  # the first press reveals, without aiming
    bell: bool = True
    notify: bool = True
    title: bool = True  # whose turn it is, in the terminal's title
    mouse: bool = True
    keep_games: bool = True  # records of one's own games, without being asked
    coached: bool = False  # the hints of the first game were seen or skipped


def read_settings(data: bytes) -> tuple[Settings, tuple[str, ...]]:
    """Read the file; return what it says, and a sentence for everything that is wrong in it."""
    try:
        said = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        return Settings(), (f"it is no TOML ({error})",)
    kinds = get_type_hints(Settings, include_extras=True)
    good, flaws = dict[str, Any](), list[str]()
    for name, value in said.items():
        if name not in kinds:
            flaws.append(f"there is no setting {name!r}")
            continue
        try:
            good[name] = msgspec.convert(_bounded(value), kinds[name])
        except msgspec.ValidationError:
            flaws.append(f"{name} cannot be {_shown(value)}")
    return Settings(**good), tuple(flaws)


def write_settings(settings: Settings) -> bytes:
    """Write the file."""
    lines = [f"{name} = {_toml(value)}" for name, value in asdict(settings).items()]
    return "\n".join([_HEAD, "", *lines, ""]).encode()


def _bounded(value: object) -> object:
    """Keep what is too long to be a name or an address from getting anywhere."""
    return None if isinstance(value, str) and len(value) > _LONGEST else value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) < 40 else f"{text[:36]} …"


def _toml(value: str | bool | int) -> str:
    """Write a value; JSON's strings are TOML's, but for one character that TOML escapes."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
