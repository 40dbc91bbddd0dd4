"""The umpire at a table of the arena: has games started, and notes how they went. Pure.

It watches, as a spectator may: all that it notes is what the table shows. Times are from
the snapshot that asks a seat for a card to the one that shows it, the way included.
"""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from nana_bots.arena import Game, Played, Round
from nana_core.deck import LETTERS
from nana_core.game import Ended, Result, Win, Won
from nana_core.protocol.outbound import ResultView, SeatView, Snapshot

Order: TypeAlias = Literal["start", "close"]


class Umpire:
    """Sees every snapshot of one table, and says what its host should do."""

    def __init__(
        self, players: int, games: int, hand_on: Callable[[Round], None], clock: Callable[[], float]
    ) -> None:
        self._players, self._games = players, games
        self._hand_on, self._clock = hand_on, clock
        self.names: tuple[str, ...] = ()  # by seat, of those who began
        self._noted: list[Game] = []
        self._started = 0  # the last game that was asked for
        self._asked: tuple[int, int, float] | None = None  # seat and step of a choice, and when
        self._stood_in = 0  # the last turn that a stand-in had a hand in
        self._begin()

    def see(self, view: Snapshot) -> Order | None:
        if view.phase == "playing":
            self.names = self.names or tuple(seat.name or "" for seat in view.seats)
            self._time(view)
            self._time_next(view)
            self._note_stand_in(view)
        elif view.phase == "over" and len(self._noted) < view.game <= self._games:
            self._time(view)
            self._note(view)
        if self.done:
            return "close" if all(map(_has_heard, view.seats)) else None
        if view.phase in {"lobby", "over"} and self._all_ready(view.seats):
            return self._start(view)
        return None

    @property
    def done(self) -> bool:
        """Whether all games were played; those who are there may not have heard it yet."""
        return len(self._noted) == self._games

    def refused(self) -> None:
        """The start was refused: ask again when something has changed."""
        self._started -= 1

    def _start(self, view: Snapshot) -> Order | None:
        coming = view.game + (view.phase == "over")
        if self._started >= coming:
            return None
        self._started = coming
        return "start"

    def _all_ready(self, seats: Sequence[SeatView]) -> bool:
        taken = [seat for seat in seats if seat.kind != "free" and not seat.left]
        return len(taken) == self._players and all(seat.ready and seat.online for seat in taken)

    def _begin(self) -> None:
        self._seconds: list[list[float]] = [[] for _ in range(self._players)]
        self._faults = [0] * self._players
        self._asked, self._stood_in = None, 0

    def _time(self, view: Snapshot) -> None:
        """Note how long the choice took that this snapshot shows."""
        if self._asked is not None and view.step > self._asked[1]:
            seat, _, since = self._asked
            self._seconds[seat].append(self._clock() - since)
            self._asked = None

    def _time_next(self, view: Snapshot) -> None:
        chooses = view.on_turn is not None and view.legal not in {(), ("continue",)}
        if chooses and view.on_turn is not None and self._asked is None:
            self._asked = LETTERS.index(view.on_turn), view.step, self._clock()

    def _note_stand_in(self, view: Snapshot) -> None:
        if view.on_turn is not None and view.turn > self._stood_in:
            seat = LETTERS.index(view.on_turn)
            if view.seats[seat].stand_in:
                self._faults[seat] += 1
                self._stood_in = view.turn

    def _note(self, view: Snapshot) -> None:
        result = _result(view.result)
        winner = result.seat if isinstance(result, Won) else None
        seconds = tuple(tuple(times) for times in self._seconds)
        never = (0,) * self._players
        unsaid = ("",) * self._players
        played = Played(result, view.turn, seconds, never, tuple(self._faults), unsaid)
        self._noted.append(Game(tuple(range(self._players)), winner, played))
        self._begin()
        if len(self._noted) % self._players == 0:
            number = len(self._noted) // self._players - 1
            self._hand_on(Round(number, tuple(self._noted[-self._players :])))


def _has_heard(seat: SeatView) -> bool:
    """Tell whether nobody sits there who has yet to act on the end of the game."""
    return seat.kind == "free" or seat.left or seat.ready or not seat.online


def _result(view: ResultView | None) -> Result:
    if view is not None and view.seat is not None:
        wins = tuple(Win(win.reason, win.sets) for win in view.wins)  # type: ignore[arg-type]
        return Won(LETTERS.index(view.seat), wins)
    return Ended("host" if view is not None and view.why == "host" else "cap")
