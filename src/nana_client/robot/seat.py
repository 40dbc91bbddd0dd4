"""A bot in its seat: it joins like anybody else, plays, and says in lines what happens.

It knows what its seat is shown and nothing more. At a table with people it takes its
time; a bot that finds itself host hands that on to a person.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from nana_bots import mind
from nana_client.address import Target
from nana_client.entrance import Joining, Way
from nana_client.model import Model, Proof, seat_view
from nana_client.retry import Timing
from nana_client.robot.choosing import Choosing
from nana_client.session import Ending, Session
from nana_client.story import told
from nana_core.protocol.inbound import Letter
from nana_core.protocol.outbound import (
    Bye,
    ChatLine,
    Error,
    Notice,
    Outbound,
    ResultView,
    SeatView,
    Snapshot,
)

THINKING: Final = 0.8  # seconds before a card, where people watch
AGAIN: Final = 1.0  # seconds before an action that was refused for the moment
_PASSING: Final = frozenset({"rate_limited", "unavailable"})


class Played(Struct, frozen=True):
    """A game that the bot's seat played to its end."""

    game: int  # its number in the room
    seat: str  # the bot's letter
    result: ResultView
    players: int
    turns: int
    proof: Proof

    @property
    def won(self) -> bool:
        return self.result.seat == self.seat


class Robot:
    """One bot in one room, until it has played its games."""

    def __init__(
        self,
        target: Target,
        bot: mind.Bot,
        *,
        name: str,
        games: int | None = None,
        way: Way | None = None,
        say: Callable[[str], None] = print,
        thinking: float = THINKING,
        timing: Timing | None = None,
    ) -> None:
        """Prepare a bot; `games` of None plays until the room ends. It joins, if no other `way`."""
        self._say, self._games, self._pause, self._name = say, games, thinking, name
        self._choosing = Choosing(bot, choose=self._reveal, fail=self._fail)
        self._last: Snapshot | None = None
        self._answered: tuple[int, int] | None = None
        self.fault: Exception | None = None  # what the bot raised: that was the end of it
        self.played: dict[int, Played] = {}  # by game
        self._over: set[int] = set()
        self._pending: asyncio.TimerHandle | None = None
        self.leaving = False
        way = way or Joining(name=name, kind="bot")
        self.session = Session(target, way, store=None, on_change=self._hear, timing=timing)

    async def run(self) -> Ending:
        """Play; return how it ended. Raises what the bot raised, after leaving the table.

        A note on that says whose it was, in which game, turn and seat.
        """
        try:
            ending = await self.session.run()
        finally:
            self._forget()
            await self._choosing.close()
        if self.fault is not None:
            raise self.fault
        came_in = self.session.model.snapshot is not None
        if self.session.model.bye is None and (came_in or self.leaving):
            self._say(ending.text)  # who never came in has only that to say
        return ending

    def leave(self) -> None:
        if not self.leaving:
            self.leaving = True
            self.session.leave()

    def _hear(self, model: Model, message: Outbound | None) -> None:
        match message:
            case Snapshot() if message is model.snapshot:
                self._see(message, model)
            case Bye() if model.snapshot is None:
                pass  # it never came in: that is how it ended
            case Notice() | Bye():
                self._say(message.text)
            case ChatLine():
                self._say(f"{message.name}: {message.text}")
            case Error() if self._last is not None:
                self._refused(message, self._last)
            case None if model.connection == "waiting" and model.retry_in is not None:
                self._say(f"{model.trouble} Trying again in {model.retry_in:.1f} s.")
            case _:
                pass

    def _see(self, snapshot: Snapshot, model: Model) -> None:
        if self._last is None:
            place = snapshot.you.seat or "beside the table"
            self._say(f"{snapshot.you.name} is in room {snapshot.room}, {place}.")
        for event in told(self._last, snapshot):
            self._say(event.text)
        self._last = snapshot
        self._choosing.see(snapshot)
        if self.leaving:
            return
        if snapshot.phase in {"opening", "playing"}:
            self._forget()
            self._play(snapshot)
        elif snapshot.phase in {"lobby", "over"}:
            self._between(snapshot, model)

    def _play(self, snapshot: Snapshot) -> None:
        mine = snapshot.on_turn is not None and snapshot.on_turn == snapshot.you.seat
        if not mine or not snapshot.legal or self._answered == (snapshot.game, snapshot.step):
            return
        self._answered = (snapshot.game, snapshot.step)
        if snapshot.legal == ("continue",):
            self.session.proceed()
        else:
            self._choosing.want(snapshot, self._pause if _watched(snapshot) else 0.0)

    def _reveal(self, choice: str, view: Snapshot) -> None:
        newest = self._last or view
        me = seat_view(newest, newest.you.seat)
        in_time = (newest.game, newest.step) == (view.game, view.step)
        if in_time or (me is not None and me.stand_in):  # late: what sends the stand-in away
            self.session.reveal(choice, view.step)

    def _fail(self, error: Exception, view: Snapshot) -> None:
        """Leave because of a fault, before anything is done with what a bot has made itself."""
        first = self.fault is None
        if first:
            self.fault = error
        self.leave()
        if first:
            error.add_note(
                f"{self._name}, in game {view.game}, turn {view.turn}, as {view.you.seat}"
            )

    def _between(self, snapshot: Snapshot, model: Model) -> None:
        """Be ready for the next game, or go when all were played."""
        if snapshot.phase == "over" and snapshot.game not in self._over:
            self._over.add(snapshot.game)
            self._say(model.proof_text or "The deal was not opened.")
            self._note(snapshot, model)
            if self._games is not None and len(self._over) >= self._games:
                self.leave()
                return
            if snapshot.you.seat is not None:
                self.session.rematch()
        free = any(view.kind == "free" or view.left for view in snapshot.seats)
        if snapshot.you.seat is None and free:
            self._once(snapshot, self.session.sit)
        elif snapshot.you.host:
            self._preside(snapshot)

    def _note(self, snapshot: Snapshot, model: Model) -> None:
        """Keep how a game ended, and tell the bot, if it had a seat in it."""
        seat, result = snapshot.you.seat, snapshot.result
        if result is None or seat is None or not self._choosing.plays_in(snapshot.game):
            return
        self.played[snapshot.game] = Played(
            snapshot.game, seat, result, len(snapshot.opened.hands) if snapshot.opened else 0,
            snapshot.turn, model.proof,
        )  # fmt: skip
        self._choosing.over(snapshot)

    def _preside(self, snapshot: Snapshot) -> None:
        """Be host only where no person can be; then start when everybody is ready."""
        taken = [view for view in snapshot.seats if view.kind != "free"]
        person = next((view for view in taken if view.kind == "person" and view.online), None)
        full = len(taken) == snapshot.options.seats or snapshot.phase == "over"
        if person is not None:
            self._once(snapshot, lambda: self.session.give_host(_letter(person)))
        elif full and len(taken) > 1 and all(view.ready for view in taken if view.online):
            self._once(snapshot, self.session.start)

    def _once(self, snapshot: Snapshot, action: Callable[[], object]) -> None:
        """Do something between games after a moment, so that a refusal makes no storm."""
        me = seat_view(snapshot, snapshot.you.seat)
        if me is None or me.ready:
            self._later(self._pause if _watched(snapshot) else 0.0, action)

    def _refused(self, error: Error, last: Snapshot) -> None:
        self._say(f"Refused: {error.text}")
        if error.code in _PASSING:
            self._answered = None
            self._later(AGAIN, lambda: self._see(last, self.session.model))

    def _later(self, seconds: float, action: Callable[[], object]) -> None:
        self._forget()
        self._pending = asyncio.get_running_loop().call_later(seconds, action)

    def _forget(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None


def _watched(view: Snapshot) -> bool:
    """Tell whether somebody may be looking; fixed deals are for measuring, as fast as can be."""
    if view.deal.fixed:
        return False
    return bool(view.watching) or any(seat.kind == "person" for seat in view.seats)


def _letter(view: SeatView) -> Letter:
    return view.seat  # type: ignore[return-value]  # a server names seats by the wire's letters
