"""Seats that the server plays: its own bots, stand-ins, and seats of those who left.

A robot gets the very snapshot that a person in its seat would get, encoded and
decoded, and with it every attempt that it has not been shown. It answers with
the message that a client would send.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, cast

import msgspec

from nana_bots.mind import LEVELS, Player
from nana_core.deck import Seat
from nana_core.protocol.inbound import Continue, Level, Reveal
from nana_core.protocol.outbound import AttemptView, Snapshot
from nana_server.room.state import RoomState, Sitter

STAND_IN: Final[Level] = "novice"
THINK: Final = 0.75  # of the pace: a robot's pause before it reveals
_decoder: Final = msgspec.json.Decoder(Snapshot)


class Robots:
    """The minds behind the seats of one room."""

    def __init__(self, random: Random) -> None:
        self.due_at: int | None = None  # when the one on turn moves; room time, ms
        self._random = random
        self._players: dict[tuple[Seat, str], tuple[Player, int]] = {}

    def reset(self) -> None:
        """Forget everything: a new game begins."""
        self._players.clear()

    def plan(self, state: RoomState, at: int, pace: int) -> None:
        """Set when the robot on turn moves, unless that is set already."""
        if robot_seat(state) is None:
            self.due_at = None
        elif self.due_at is None and state.game is not None:
            if not state.game.table.shown:
                self.due_at = at + int(THINK * pace)
            else:
                self.due_at = max(at, state.not_before or 0) if pace else at

    def answer(
        self,
        seat: Seat,
        sitter: Sitter,
        attempts: Sequence[AttemptView],
        snapshot: Callable[[Sequence[AttemptView]], bytes],
    ) -> Reveal | Continue | None:
        """Show a seat's robot the table and return what it wants to do.

        `attempts` are all that ended in this game before the one on the table;
        `snapshot` encodes the seat's snapshot with those that the robot has missed.
        """
        level = cast("Level", sitter.level or STAND_IN)
        mind = (seat, level)
        player, seen = self._players.get(mind) or (self._new(level), 0)
        view = _decoder.decode(snapshot(attempts[seen:]))
        self._players[mind] = (player, len(attempts))
        return player.receive(view)

    def _new(self, level: Level) -> Player:
        return Player(LEVELS[level](Random(self._random.getrandbits(64))))


def robot_seat(state: RoomState) -> Seat | None:
    """Return the seat that the server is to play now, if it is its turn."""
    if state.phase != "playing" or state.paused or state.game is None:
        return None
    seat = state.game.table.on_turn
    sitter = state.seats[seat]
    return seat if sitter is not None and sitter.played_by_server else None
