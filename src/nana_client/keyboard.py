"""A person's keyboard: which key means which deed where, and how each key is called. Pure.

Keys are named as they are typed: a character, or a name like `enter` or `ctrl+q`. A key
that means nothing by itself is tried as the one that lies in its place on other layouts.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from nana_client.deeds import DEEDS, HIGHS, LOWS, SLOTS, SOURCE_OF, Deed, Place, source_name

# The digit rows of French, Belgian, Czech and Slovak keyboards, without Shift.
_DIGITS: Final = {
    "&": "1", "é": "2", '"': "3", "'": "4", "(": "5", "§": "6", "è": "7", "!": "8", "ç": "9",
    "à": "0", "-": "6", "_": "8", "+": "1", "ě": "2", "ľ": "2", "š": "3", "č": "4", "ř": "5",
    "ť": "5", "ž": "6", "ý": "7", "á": "8", "í": "9",
}  # fmt: skip
# What other alphabets type on the keys of these letters: Russian, Ukrainian, Greek, Hebrew.
_LETTERS: Final = dict(
    zip(
        "йцукенгшщзфывапролдячсмитьіςερτυθιοπασδφγηξκλζχψωβνμקראטוןםפשדגכעיחלךזסבהנמצ",
        "qwertyuiopasdfghjklzxcvbnmswertyuiopasdfghjklzxcvbnmertyuiopasdfghjklzxcvbnm",
        strict=True,
    )
)
_NAMES: Final = {
    "enter": "Enter", "escape": "Esc", "space": "Space", "tab": "Tab", "backspace": "Backspace",
    "delete": "Del", "insert": "Ins", "home": "Home", "end": "End", "pageup": "PgUp",
    "pagedown": "PgDn", "left": "←", "right": "→", "up": "↑", "down": "↓",
}  # fmt: skip
FIXED: Final = frozenset({"ctrl+c", "ctrl+z"})  # interrupt and suspend, as everywhere
# What a terminal sends for these is another key's own.
_TWINS: Final = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+j": "enter", "ctrl+h": "backspace"}


class Keyboard(Struct, frozen=True):
    """The keys of each deed where they are not the usual ones, and the row of digits."""

    own: Mapping[str, tuple[str, ...]] = {}
    digit_row: str = ""  # ten characters: what the keys 1 to 9 and 0 type without Shift

    def keys(self, name: str) -> tuple[str, ...]:
        return self.own.get(name, DEEDS[name].keys)

    def deed(self, place: Place, typed: str) -> str | None:
        """Return the deed that a key means in a place; None when it means nothing there."""
        for key in (typed, *self._elsewhere(typed)):
            for name, deed in DEEDS.items():
                if place in deed.places and key in self.keys(name):
                    return name
        return None

    def label(self, name: str, *, short: bool = True) -> str:
        """Say the key of a deed; what is no deed is said as it is.

        `one|other` are two keys for the same, `one/other` keys for two things.
        """
        if name in _FAMILIES:
            return self._family(name)
        if name not in DEEDS:
            if "/" in name:
                return " ".join(map(self.label, name.split("/")))
            return " or ".join(map(self.label, name.split("|"))) if "|" in name else name
        return key_label(next(iter(self.keys(name)), "?"), short=short)

    def labels(self, name: str) -> str:
        """Say every key of a deed."""
        return " or ".join(key_label(key, short=False) for key in self.keys(name))

    def on_card(self, source: str) -> str:
        """Return what stands on a card: the usual key as long as it is one, else the new one."""
        deed = DEEDS[source_name(source)]
        usual, mine = deed.keys[0], self.keys(deed.name)
        return usual if usual in mine else self.label(deed.name)

    @property
    def usual_cards(self) -> bool:
        """Whether digits and letters still reveal what they always did."""
        return all(DEEDS[name].keys[0] in self.keys(name) for name in SOURCE_OF)

    def _elsewhere(self, typed: str) -> Iterable[str]:
        """Yield the keys that may be meant on another layout."""
        if typed and typed in self.digit_row:
            yield "1234567890"[self.digit_row.index(typed)]
        if typed in _DIGITS:
            yield _DIGITS[typed]
        if letter := _LETTERS.get(typed.lower()):
            yield letter.upper() if typed.isupper() else letter
        if typed in _TWINS:
            yield _TWINS[typed]

    def _family(self, name: str) -> str:
        word, deeds = _FAMILIES[name]
        if all(DEEDS[deed].keys[0] in self.keys(deed) for deed in deeds):
            return word
        return f"{self.label(deeds[0])} … {self.label(deeds[-1])}"


_FAMILIES: Final = {
    "@slots": ("digit", SLOTS),
    "@lows": ("letter", LOWS),
    "@highs": ("CAPITAL", HIGHS),
}
USUAL: Final = Keyboard()


def key_label(key: str, *, short: bool = True) -> str:
    """Say a key as it is written on it: `t`, `Enter`, `^Q` or, longer, `Ctrl+Q`."""
    if len(key) == 1:
        return key
    *held, last = key.split("+")
    name = _NAMES.get(last, last.upper())
    if held == ["ctrl"] and short and len(last) == 1:
        return f"^{name}"
    return "+".join([*(word.capitalize() for word in held), name])


def flaw_in_key(key: str, deed: Deed) -> str | None:
    """Say why a key cannot be a deed's; None when it can."""
    if key in FIXED:
        return f"{key} is never anything else"
    if key in _TWINS:
        return f"terminals send {_TWINS[key]} for {key}"
    if len(key) == 1 and key.isprintable() and not key.isspace():
        if _width(key) != 1:
            return f"{key!r} is not as wide as the place for a key on a card"
        return f"{deed.name} counts while one types, too" if deed.typed_too else None
    if key == "space" and deed.typed_too:
        return f"{deed.name} counts while one types, too"
    if not _is_sent(key):
        return f"{key!r} is no key that a terminal sends"
    return None


def _width(char: str) -> int:
    """Return the columns that a character takes, as far as a key's can."""
    if unicodedata.category(char).startswith("M"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _is_sent(key: str) -> bool:
    *held, last = key.split("+")
    moves = last in {"left", "right", "up", "down", "home", "end", "pageup", "pagedown"}
    if (held in (["ctrl"], ["shift"]) and moves) or key == "shift+tab":
        return True
    if held == ["ctrl"]:
        return len(last) == 1 and last in "abcdefghijklmnopqrstuvwxyz"
    number = last[1:]
    is_function = last[:1] == "f" and number.isdecimal() and number in map(str, range(1, 13))
    return not held and (last in _NAMES or is_function)
