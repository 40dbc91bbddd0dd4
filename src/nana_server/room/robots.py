"""Seats that the server plays: its own bots, stand-ins, and seats of those who left.

A robot gets the very snapshot that a person in its seat would get, encoded and
decoded, and with it every attempt that it has not been shown. It answers with
the message that a client would send. One that looks ahead thinks outside the event loop
and has its time for that; when it fails or comes late, a source is taken at random.
"""

import logging
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, cast

import msgspec
from msgspec import Struct

from nana_bots.mind import LEVELS, Player
from nana_core.deck import Seat
from nana_core.protocol.inbound import Continue, Level, Reveal, SourceName
from nana_core.protocol.outbound import AttemptView, Snapshot
from nana_server.room.state import RoomState, Sitter

STAND_IN: Final[Level] = "novice"
SLOW: Final[frozenset[Level]] = frozenset({"expert"})  # a choice takes over a millisecond
LATE: Final = 3000  # ms after which a choice is not waited for any more
THINK: Final = 0.75  # of the pace: a robot's pause before it reveals
_decoder: Final = msgspec.json.Decoder(Snapshot)

log = logging.getLogger("nana.robots")


class Question(Struct, frozen=True):
    """What a robot is to answer; `mind` is whose it is."""

    mind: tuple[Seat, Level]
    player: Player
    view: Snapshot

    @property
    def is_slow(self) -> bool:
        return self.mind[1] in SLOW and self.view.legal != ("continue",)

    def answer(self) -> Reveal | Continue | None:
        return self.player.receive(self.view)


class Robots:
    """The minds behind the seats of one room."""

    def __init__(self, random: Random) -> None:
        self.due_at: int | None = None  # when the one on turn moves; room time, ms
        self.thinking: Question | None = None
        self.decided: Reveal | Continue | None = None
        self._random = random
        self._players: dict[tuple[Seat, Level], tuple[Player, int]] = {}

    def reset(self) -> None:
        """Forget everything: a new game begins."""
        self._players.clear()

    def begin_anew(self) -> None:
        """The pause before a move begins anew; whoever still thinks is thinking of the past."""
        self.due_at = self.decided = None
        if self.thinking is not None:
            self._players.pop(
                self.thinking.mind, None
            )  # it may go on in its thread: use it no more
            self.thinking = None

    def give_up(self, question: Question) -> Reveal:
        """Choose for a robot that failed, or that is late."""
        log.warning("the %s bot has no answer; a card is turned over at random", question.mind[1])
        self._players.pop(question.mind, None)
        self.begin_anew()
        source = self._random.choice(question.view.legal)
        return Reveal(step=question.view.step, source=cast("SourceName", source))

    def plan(self, state: RoomState, at: int, pace: int) -> None:
        """Set when the robot on turn moves, unless that is set already."""
        if robot_seat(state) is None:
            self.begin_anew()
        elif self.due_at is None and state.game is not None:
            if not state.game.table.shown:
                self.due_at = at + int(THINK * pace)
            else:
                self.due_at = max(at, state.not_before or 0) if pace else at

    def question(
        self,
        seat: Seat,
        sitter: Sitter,
        attempts: Sequence[AttemptView],
        snapshot: Callable[[Sequence[AttemptView]], bytes],
    ) -> Question:
        """Show a seat's robot the table, and ask what it wants to do.

        `attempts` are all that ended in this game before the one on the table;
        `snapshot` encodes the seat's snapshot with those that the robot has missed.
        """
        level = cast("Level", sitter.level or STAND_IN)
        mind = (seat, level)
        player, seen = self._players.get(mind) or (self._new(level), 0)
        view = _decoder.decode(snapshot(attempts[seen:]))
        self._players[mind] = (player, len(attempts))
        return Question(mind, player, view)

    def _new(self, level: Level) -> Player:
        return Player(LEVELS[level](Random(self._random.getrandbits(64))))


def robot_seat(state: RoomState) -> Seat | None:
    """Return the seat that the server is to play now, if it is its turn."""
    if state.phase != "playing" or state.paused or state.game is None:
        return None
    seat = state.game.table.on_turn
    sitter = state.seats[seat]
    return seat if sitter is not None and sitter.played_by_server else None
