"""The short way of a play: decided and evolved in one go, where nothing else hangs on it.

Nearly every message is a reveal or a continue that is lawful and leaves things as they are.
What `decide.play` and `evolve` say of it at length, this says quickly, and only that: where
it is not sure it says nothing, and the long way decides.
"""

from typing import TypeAlias

from nana_core.deck import Seat
from nana_core.game import unavailable
from nana_core.notation import SOURCES
from nana_core.protocol import inbound as i
from nana_server.room import events as e
from nana_server.room.evolve import continued, revealed
from nana_server.room.state import RoomState

Play: TypeAlias = i.Reveal | i.Continue


def is_open(state: RoomState) -> bool:
    """Whether a game is on that every member plays for itself."""
    if state.phase != "playing" or state.paused:
        return False
    return not any(sitter and sitter.stand_in and sitter.member for sitter in state.seats)


def passed(
    state: RoomState, seat: Seat | None, message: Play, at: int, pace: int
) -> tuple[e.Revealed | e.Continued, RoomState] | None:
    """Return what a lawful play comes to, and the state after it; only while `is_open`.

    `at` is room time; `pace` is how long an ended attempt is shown at least (ms).
    """
    game = state.game
    if game is None or message.step != state.step or seat != game.table.on_turn:
        return None
    table = game.table
    if type(message) is i.Reveal:
        if table.attempt.outcome is not None or unavailable(table, SOURCES[message.source]):
            return None
        event = e.Revealed(table.on_turn, message.source, pace)
        return event, revealed(state, event, at)
    if table.attempt.outcome is None:
        return None
    if pace and state.not_before is not None and at < state.not_before:
        return None
    return e.Continued(table.on_turn), continued(state)
