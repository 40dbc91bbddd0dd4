"""Gathers the options from flags, environment and file, in this order of precedence.

Whatever is not understood is an error that names its place and the option that was meant.
"""

import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from nana_server import flags, values
from nana_server.config import Config
from nana_server.options import BY_NAME, OPTIONS, Option

NOBODY: Final = "none"  # the empty list, where there is no other way to write it
# The client's, and how much the long forms of the tests do: they share our prefix.
NOT_OURS: Final = frozenset({
    "NANA_HOME", "NANA_BENCH_REPORT", "NANA_ENDINGS", "NANA_FLIPS", "NANA_GAMES", "NANA_KILLS",
    "NANA_LONG", "NANA_PAIRS", "NANA_SEED", "NANA_SESSIONS", "NANA_WORLDS",
})  # fmt: skip


class BadConfig(Exception):  # noqa: N818 - what it is
    """The configuration cannot be used; the message is a sentence for whoever wrote it."""


class Setting(Struct, frozen=True):
    """A value, and where it was set."""

    value: object
    place: str


class Settings(Struct, frozen=True):
    config: Config
    places: Mapping[str, str]  # by option; what is not there has its default
    check: bool = False


def parse(args: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Read everything; exits with a sentence (code 2) when something is wrong."""
    parser = flags.parser()
    known, unknown = parser.parse_known_args(args)
    given = vars(known)
    check = given.pop("check_config")
    if unknown:
        parser.error(_unknown(unknown))
    try:
        found = gather(given, environment)
        return Settings(_config(found), {name: it.place for name, it in found.items()}, check)
    except BadConfig as error:
        parser.error(str(error))


def _unknown(words: Sequence[str]) -> str:
    """Say what of a command line nobody understands."""
    word = next((word for word in words if word.startswith("-")), None)
    if word is None:
        return f"{words[0]} is no option, and belongs to none."
    name = word.partition("=")[0]
    flags_known = [option.flag for option in OPTIONS if not option.secret]
    return f"{name} is no option{_meant(name, [*flags_known, *flags.OTHERS])}."


def gather(given: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, Setting]:
    """Return what was set, by option. Raise BadConfig."""
    file = given.get("config") or environment.get("NANA_CONFIG")
    found = dict(_from_file(Path(file).expanduser())) if file else {}
    found |= _from_environment(environment)
    found |= _from_flags(given)
    return found


def _from_flags(given: Mapping[str, Any]) -> Iterator[tuple[str, Setting]]:
    if given.get("password") is not None:
        raise BadConfig(
            "--password: everybody on this machine can read a command line. Set NANA_PASSWORD, "
            "or name a file with --password-file."
        )
    for option in OPTIONS:
        said = given.get(option.name)
        if said is not None:
            said = "true" if said is True else said
            yield option.name, Setting(_read(option, said, option.flag), option.flag)


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Setting]]:
    known = {option.variable: option for option in OPTIONS}
    for variable, said in environment.items():
        if not variable.startswith("NANA_") or variable in {*NOT_OURS, "NANA_CONFIG"}:
            continue
        option = known.get(variable)
        if option is None:
            raise BadConfig(f"{variable} is no option{_meant(variable, known)}.")
        if said or not option.secret:  # an empty password is none
            words = said.split(",") if option.repeats else said
            yield option.name, Setting(_read(option, words, variable), variable)


def _from_file(file: Path) -> Iterator[tuple[str, Setting]]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{file} is not TOML: {error}.") from None
    for name, said in content.items():
        option = BY_NAME.get(name)
        if option is None:
            raise BadConfig(f"{file}: {name} is no option{_meant(name, BY_NAME)}.")
        yield name, Setting(_read(option, _words(said, file, option), f"{file}: {name}"), str(file))


def _words(said: object, file: Path, option: Option) -> str | list[str]:
    """Bring a value of TOML to text, as flags and variables have it."""
    match said:
        case bool():
            return "true" if said else "false"
        case str() | int():
            return str(said)
        case list() if option.repeats and all(isinstance(it, str) for it in said):
            return said or [NOBODY]
        case _:
            raise BadConfig(f"{file}: {option.name} has a value of the wrong kind.")


def _read(option: Option, said: str | Sequence[str], place: str) -> object:
    try:
        if not option.repeats:
            return option.read(said) if isinstance(said, str) else _one(option, said)
        words = [said] if isinstance(said, str) else [it.strip() for it in said]
        if words in ([NOBODY], [""]):
            return _nothing(option)
        return tuple(dict.fromkeys(option.read(word) for word in words))
    except values.BadValue as error:
        raise BadConfig(f"{place}: {error}.") from None


def _nothing(option: Option) -> tuple[object, ...]:
    if option.needed:
        raise values.BadValue("there must be one at least")
    return ()


def _one(option: Option, said: Sequence[str]) -> object:
    raise AssertionError(f"{option.name} is one value, not {len(said)}")


def _meant(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0)
    return f"; the closest one is {close[0]}" if close else ""


def _config(found: Mapping[str, Setting]) -> Config:
    """Put the values together, and see whether they fit each other. Raise BadConfig."""
    fields: dict[str, Any] = {
        BY_NAME[name].target: it.value for name, it in found.items() if name != "password_file"
    }
    if "password_file" in found:
        fields["password"] = _password(found)
    if ("tls_cert" in found) != ("tls_key" in found):
        raise BadConfig("tls_cert and tls_key go together: give both or neither.")
    return Config(**fields)


def _password(found: Mapping[str, Setting]) -> str:
    place = found["password_file"].place
    if "password" in found:
        raise BadConfig(f"There are two passwords, by {found['password'].place} and by {place}.")
    file = Path(str(found["password_file"].value))
    try:
        line = file.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
        return values.password(line)
    except OSError as error:
        raise BadConfig(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{file} is not text in UTF-8.") from None
    except values.BadValue as error:
        raise BadConfig(f"{file}: {error}.") from None


def shown(settings: Settings) -> Iterator[str]:
    """Write the effective configuration as TOML, secrets hidden, each line with its place."""
    for option in OPTIONS:
        place = settings.places.get(option.name, "default")
        value = getattr(settings.config, option.target, None)
        if option.name == "password_file":
            continue  # what it said is the password
        if option.secret:
            place = settings.places.get("password_file", place)
            yield f"# {option.name}: {'none' if value is None else 'hidden'}  # {place}"
        elif value is None:
            yield f"# {option.name}: none  # {place}"
        else:
            yield f"{option.name} = {_toml(value)}  # {place}"


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            text = str(value).replace("\\", "\\\\").replace('"', '\\"')
            return f'"{text}"'
