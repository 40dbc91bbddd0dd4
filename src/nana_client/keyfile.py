"""The file of keys, `keys.toml`: read strictly, and whatever is wrong in it told. Pure.

A line gives a deed its keys in place of the usual ones. One that cannot be is told in a
sentence, and that deed keeps its usual keys: the game always begins.
"""

import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from nana_client.deeds import DEEDS, GROUPS
from nana_client.keyboard import Keyboard, flaw_in_key, key_label

NAME: Final = "keys.toml"
_ROW: Final = "digit-row"
_SPELLINGS: Final = {
    "esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup",
    "pgdn": "pagedown", " ": "space", "bksp": "backspace",
}  # fmt: skip
_HEAD: Final = """\
# The keys of nana. Take away the # in front of a line and say what you want to press:
#   talk = "y"        or several keys:        talk = ["t", "y"]
# A key is the character that it types, or one of: enter space escape tab backspace delete
# insert home end pageup pagedown left right up down f1 … f12 ctrl+a … ctrl+z shift+left …
# `nana keys` shows what holds. A line that cannot be is told, and costs that line alone.

# The row of digits of your keyboard without Shift, for 1 to 9 and 0 (AZERTY and Czech
# keyboards are known):
# digit-row = "&é\\"'(§è!çà"
"""


def read_keys(data: bytes) -> tuple[Keyboard, tuple[str, ...]]:
    """Read the file; return the keys that hold, and a sentence for each line that does not."""
    try:
        said = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        return Keyboard(), (f"It is no TOML: {error}.",)
    flaws, own = list[str](), dict[str, tuple[str, ...]]()
    row, wrong = _digit_row(said.pop(_ROW, ""))
    flaws += [wrong] if wrong else []
    for name, value in said.items():
        keys = _spelled(value)
        if why := _flaw(name, keys):
            flaws.append(why)
        else:
            own[name] = keys
    while clash := _clash(own):
        flaws.append(clash[1])
        del own[clash[0]]
    return Keyboard(own, row), tuple(flaws)


def keys_file(keyboard: Keyboard) -> str:
    """Write the file with every deed; the usual keys stand in comments."""
    parts = [_HEAD]
    if keyboard.digit_row:
        parts.append(f"{_ROW} = {_quoted(keyboard.digit_row)}")
    for title, deeds in GROUPS:
        parts.append(f"\n# {title}")
        for deed in deeds:
            keys = keyboard.keys(deed.name)
            value = ", ".join(map(_quoted, keys))
            line = f"{deed.name} = {value if len(keys) == 1 else f'[{value}]'}"
            own = deed.name in keyboard.own
            parts.append(f"{'' if own else '# '}{line}".ljust(38) + f"  # {deed.says}")
    return "\n".join([*parts, ""])


def keys_listed(keyboard: Keyboard) -> Iterator[str]:
    """Tell every deed with its keys, in columns; a star marks what is one's own choice."""
    for at, (title, deeds) in enumerate(GROUPS):
        if at:
            yield ""
        yield title
        for deed in deeds:
            star = "*" if deed.name in keyboard.own else " "
            yield f"{star} {deed.name:<14}{keyboard.labels(deed.name):<24}{deed.says}"


def _digit_row(value: object) -> tuple[str, str]:
    """Return the row of digits if it can be one, and what is wrong with it else."""
    if isinstance(value, str) and (not value or len(set(value)) == len(value) == 10):
        return value, ""
    return "", f"{_ROW} is ten different characters, for 1 to 9 and 0."


def _spelled(value: object) -> tuple[str, ...]:
    """Return keys in our spelling; none where it is neither text nor a list of texts."""
    keys = value if isinstance(value, list) else [value]
    if not all(isinstance(key, str) and 0 < len(key) < 30 for key in keys):
        return ()
    return tuple(dict.fromkeys(map(_one, keys)))


def _one(key: str) -> str:
    if len(key) == 1 and key != " ":
        return key
    *held, last = key.lower().split("+") if key != "+" else (key,)
    if held == ["shift"] and len(last) == 1:
        return last.upper()
    return "+".join([*held, _SPELLINGS.get(last, last)])


def _flaw(name: str, keys: tuple[str, ...]) -> str:
    """Say what is wrong with a line, in a sentence; nothing when it is good."""
    deed = DEEDS.get(name)
    if deed is None:
        near = get_close_matches(name, DEEDS, 1)
        return (
            f"There is nothing called {name[:30]!r}{f'; did you mean {near[0]}?' if near else '.'}"
        )
    if not keys:
        return f"{name} needs a key, like {name} = {_quoted(deed.keys[0])}; it keeps its own."
    why = next(filter(None, (flaw_in_key(key, deed) for key in keys)), None)
    return f"{name} keeps {_kept(name)}: {why}." if why else ""


def _clash(own: Mapping[str, tuple[str, ...]]) -> tuple[str, str] | None:
    """Find a line whose key is another deed's in the same place; the later line gives way."""
    keyboard = Keyboard(own)
    for name in reversed([*own]):
        for other, deed in DEEDS.items():
            if other == name or not set(deed.places) & set(DEEDS[name].places):
                continue
            shared = [key for key in own[name] if key in keyboard.keys(other)]
            if shared:
                key = key_label(shared[0], short=False)
                return name, f"{name} keeps {_kept(name)}: {key} is the key of {other}."
    return None


def _kept(name: str) -> str:
    return " or ".join(key_label(key, short=False) for key in DEEDS[name].keys)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
