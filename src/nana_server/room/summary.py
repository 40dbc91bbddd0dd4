"""A room between two games, said in one entry: what led there need not be kept or read again.

People who meet every week keep one room for years. Without this it would be replayed from
its first evening whenever it wakes, and would grow for ever.
"""

from typing import Final

from nana_server.room import events as e
from nana_server.room.ids import Ids
from nana_server.room.recorded import Chronicle
from nana_server.room.state import RoomState

SUMMED_AFTER: Final = 1000  # entries; as many are replayed in about 10 ms


def summary_of(seq: int, state: RoomState, ids: Ids, chronicle: Chronicle) -> e.Summary:
    """Say all that a room is; it must be between two games, for a game in play is not in it."""
    if state.phase != "over":
        raise AssertionError("a room is summed up when a game is over")
    return e.Summary(seq, state, ids.all, chronicle.games, chronicle.last)


def created_by(first: e.AnyEvent) -> e.Created:
    """Return how a room began, as far as its first kept event knows."""
    match first:
        case e.Created():
            return first
        case e.Summary(state=state):
            return e.Created(state.code, state.options, state.seed)
        case _:
            raise AssertionError("a room begins with its creation, or with a summary")


def recall(summary: e.Summary, ids: Ids, chronicle: Chronicle) -> None:
    """Bring back what a state alone does not say."""
    ids.all.update(summary.ids)
    chronicle.recall(summary.games, summary.record)
