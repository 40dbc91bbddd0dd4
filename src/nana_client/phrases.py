"""Things said at every table, one key each: in the line of talk, and as `say 3` in plain mode."""

from typing import Final

PHRASES: Final = (
    "Hello!",
    "Good luck!",
    "Nice one!",
    "So close!",
    "Oh no …",
    "How?!",
    "Thanks!",
    "One moment …",
    "Good game!",
)


def phrase_of(key: str | None) -> str | None:
    """Return the phrase that a digit stands for."""
    if key is None or len(key) != 1 or key not in "123456789":
        return None
    return PHRASES[int(key) - 1]
