"""The course of one game between bots: who is asked when, what they are shown, what follows.

The one loop in which a game without a room is played, for the arena, for tests of bots and
for whoever looks at positions. Draws no card and hides no fault: the deal is handed in,
what a bot raises comes out, and a choice that is not legal is IllegalChoice.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct

from nana_bots.arena.showing import snapshot_for
from nana_bots.history import History
from nana_bots.mind import Bot, Player
from nana_core.deck import Deal, Seat
from nana_core.game import Game, advance, begin
from nana_core.protocol import inbound
from nana_core.protocol.outbound import AttemptView, Snapshot
from nana_core.protocol.wire import action_of, attempt_view

CONTINUE: Final = "continue"


@runtime_checkable
class Told(Protocol):
    """A bot that hears when a game begins, and how it ended."""

    def begin(self, view: Snapshot) -> None: ...

    def end(self, view: Snapshot, history: History) -> None: ...


class Move(Struct, frozen=True, gc=False):
    """One action, with what it was made from."""

    before: Game
    seat: Seat  # who is on turn there
    view: Snapshot  # what that seat saw
    history: History  # and what it had seen before; it grows with its next view
    choice: str  # a source, or "continue"
    after: Game
    ended: Sequence[AttemptView]  # the attempts that have ended, with this move; it grows, too


class Seated(Protocol):
    """Who plays in a seat, and answers what is legal: `Chair`, or what stands before one."""

    history: History
    told: bool  # whether it hears of the beginning and of the end

    def receive(self, view: Snapshot) -> inbound.Reveal | inbound.Continue | None: ...

    def begin(self, view: Snapshot) -> None: ...

    def end(self, view: Snapshot) -> None: ...


class Chair:
    """A bot in a seat; what it chooses is checked there."""

    def __init__(self, bot: Bot) -> None:
        player = Player(bot)
        self._bot, self.history, self.receive = bot, player.history, player.receive
        self.told = isinstance(bot, Told)

    def begin(self, view: Snapshot) -> None:
        if isinstance(self._bot, Told):
            self._bot.begin(view)

    def end(self, view: Snapshot) -> None:
        self.history.see(view)
        if isinstance(self._bot, Told):
            self._bot.end(view, self.history)


def course(deal: Deal, seated: Sequence[Seated], number: int = 1) -> Iterator[Move]:
    """Play a game to its end, move by move; `number` is what the players are told that it has.

    Each sees the game when it is on turn, and those who are told when it begins and ends.
    """
    game, step, ended = begin(deal), 0, list[AttemptView]()
    told = [(seat, one) for seat, one in enumerate(seated) if one.told]
    for seat, one in told:
        one.begin(snapshot_for(game, seat, step, (), number))
    while game.table.result is None:
        before, seat = game, game.table.on_turn
        one = seated[seat]
        view = snapshot_for(before, seat, step, _news(one, ended), number)
        answer = one.receive(view)
        if answer is None:
            raise AssertionError("a player on turn has something to do")
        game = advance(before, action_of(answer))
        step += 1
        if game.table.shown:
            ended.append(attempt_view(game.table.attempt, game.table.turn))
        choice = answer.source if type(answer) is inbound.Reveal else CONTINUE
        yield Move(before, seat, view, one.history, choice, game, ended)
    for seat, one in told:
        one.end(snapshot_for(game, seat, step, _news(one, ended), number))


def _news(one: Seated, ended: Sequence[AttemptView]) -> tuple[AttemptView, ...]:
    """Return the attempts that have ended since this player was shown the table."""
    return tuple(ended[len(one.history.attempts) :])
