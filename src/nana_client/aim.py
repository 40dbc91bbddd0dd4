"""Aiming: the first press chooses a source, the same one again reveals it.

An aim remembers the position it was made in. It never survives into another one:
a key pressed late cannot turn a card in a turn it was not meant for.
"""

from msgspec import Struct

from nana_core.protocol.outbound import Snapshot


class Aim(Struct, frozen=True):
    """A source that is aimed at, and the position of the game it was aimed in."""

    source: str
    game: int
    step: int


def sources(snapshot: Snapshot | None) -> tuple[str, ...]:
    """Return what this viewer may reveal now."""
    if snapshot is None or snapshot.phase != "playing" or snapshot.you.seat is None:
        return ()
    if snapshot.on_turn != snapshot.you.seat or snapshot.paused:
        return ()
    return tuple(source for source in snapshot.legal if source != "continue")


def may_continue(snapshot: Snapshot | None) -> bool:
    """Tell whether it is on this viewer to end the showing of the last attempt."""
    return (
        snapshot is not None
        and snapshot.phase == "playing"
        and not snapshot.paused
        and snapshot.on_turn is not None
        and snapshot.on_turn == snapshot.you.seat
        and snapshot.legal == ("continue",)
    )


def taken(source: str, snapshot: Snapshot) -> Aim:
    return Aim(source, snapshot.game, snapshot.step)


def kept(aim: Aim | None, snapshot: Snapshot | None) -> Aim | None:
    """Return the aim if it still means what it meant, else None."""
    if aim is None or snapshot is None:
        return None
    same = (aim.game, aim.step) == (snapshot.game, snapshot.step)
    return aim if same and aim.source in sources(snapshot) else None


def unanswered(sent: Aim | None, snapshot: Snapshot | None) -> Aim | None:
    """Return what was sent as long as the game still stands where it was sent."""
    if sent is None or snapshot is None:
        return None
    return sent if (sent.game, sent.step) == (snapshot.game, snapshot.step) else None
