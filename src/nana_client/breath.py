"""A breath after a game: for a moment the keys that would take its end away do nothing.

Whoever hammers Enter, or presses a key as the last card turns, meant a table that was still
playing. Those keys count once the end has been on the screen for a moment, and not while
somebody goes on hammering. Pure: milliseconds on our monotonic clock are handed in.
"""

from typing import Final

from msgspec import Struct

from nana_core.protocol.outbound import Snapshot

SEEN_MS: Final = 1_000  # from when the end is on the screen
STILL_MS: Final = 500  # after a key that came too early: one that is held down repeats faster
HELD: Final = frozenset({"again", "deal", "sit", "record", "options", "left", "right", "back"})


class Breath(Struct, frozen=True):
    """How long the keys rest; without an end for it, as long as nobody can have seen anything."""

    until: int | None = None
    early: bool = False  # whether a key has come too early

    @property
    def words(self) -> str:
        """What stands instead of the keys."""
        return "too early: look how it ended" if self.early else "look how it ended"

    def is_over(self, now: int) -> bool:
        return self.until is not None and now >= self.until


def between(
    breath: Breath | None, before: Snapshot | None, after: Snapshot | None
) -> Breath | None:
    """Return what a breath has become from one snapshot to the next: a game's end begins one."""
    if after is None or after.phase != "over":
        return None
    ended = before is None or before.phase != "over" or before.game != after.game
    return Breath() if ended else breath


def seen(breath: Breath, now: int) -> Breath:
    """Return the breath when the end is on the screen; for the first time that counts."""
    return breath if breath.until is not None else Breath(now + SEEN_MS, breath.early)


def pressed(breath: Breath, now: int) -> Breath:
    """Return the breath after a key that came too early."""
    until = None if breath.until is None else max(breath.until, now + STILL_MS)
    return Breath(until, early=True)
