"""When was it knowable? A finished game, looked at again with a memory that lost nothing.

For each seat: from which turn on each set could surely be taken by what it had seen and
held, and of which such chances it made use. Certainty only, as `knowledge.deducible` has it.
"""

from collections.abc import Iterator

from msgspec import Struct

from nana_core.deck import Number, Seat
from nana_core.game import Game, wins_of
from nana_core.knowledge import Facts, Sight, deducible, sight_at
from nana_core.protocol.wire import attempt_view
from nana_core.record import Record, positions
from nana_core.views import hand_for


class Chance(Struct, frozen=True):
    """A turn at whose beginning its seat could know where at least one set lay."""

    turn: int
    seat: Seat
    sure: tuple[Number, ...]  # the sets that it could surely take
    won: tuple[Number, ...]  # those of them that would have won
    took: Number | None  # the set that it took, sure or not

    @property
    def used(self) -> bool:
        return self.took in self.sure


class Memory(Struct, frozen=True):
    """One seat's game in hindsight."""

    seat: Seat
    since: dict[Number, int]  # by number: the first turn at whose beginning it was knowable
    chances: tuple[Chance, ...]  # in its own turns, those of a stand-in left out
    found: tuple[Number, ...]  # sets that it took without being able to know all three

    @property
    def used(self) -> int:
        return sum(chance.used for chance in self.chances)

    @property
    def missed(self) -> tuple[Chance, ...]:
        return tuple(chance for chance in self.chances if not chance.used)

    @property
    def score(self) -> float | None:
        """The share of its chances that it has used; None when there was none."""
        return self.used / len(self.chances) if self.chances else None


def hindsight(record: Record) -> tuple[Memory, ...]:
    """Look back over a game, seat by seat; raise Unreadable where the record cannot go on."""
    looking = _Looking(len(record.seats))
    for game in positions(record):
        looking.see(game)
    stand_ins = frozenset(record.stand_ins)
    return tuple(looking.memory(seat, stand_ins) for seat in range(len(record.seats)))


class _Looking:
    """Goes through the positions of a game; a seat is asked again only when it knows more."""

    def __init__(self, players: int) -> None:
        self._facts = Facts()
        self._turn = 0
        self._asked: list[tuple[Sight, tuple[Number, ...]] | None] = [None] * players
        self._since: list[dict[Number, int]] = [{} for _ in range(players)]
        self._begun: list[tuple[int, Seat, tuple[Number, ...], tuple[Number, ...]]] = []
        self._took: dict[int, Number] = {}

    def see(self, game: Game) -> None:
        table = game.table
        if table.shown and table.turn not in self._took:
            self._facts.learn(attempt_view(table.attempt, table.turn))
            if table.attempt.outcome == "set":
                self._took[table.turn] = table.attempt.cards[0].number
        elif table.turn > self._turn and not table.attempt.cards and table.result is None:
            self._turn = table.turn
            self._begin(game)

    def _begin(self, game: Game) -> None:
        table, turn = game.table, game.table.turn
        for seat in range(table.players):
            sure = self._sure(game, seat)
            for number in sure:
                self._since[seat].setdefault(number, turn)
            if seat == table.on_turn:
                won = tuple(n for n in sure if wins_of((*table.sets[seat], n)))
                self._begun.append((turn, seat, sure, won))

    def _sure(self, game: Game, seat: Seat) -> tuple[Number, ...]:
        sight = sight_at(game.table, seat, hand_for(game, seat), self._facts)
        before = self._asked[seat]
        if before is not None and before[0] == sight:
            return before[1]
        sure = tuple(deducible(sight))
        self._asked[seat] = (sight, sure)
        return sure

    def memory(self, seat: Seat, stand_ins: frozenset[int]) -> Memory:
        chances = [*self._chances(seat, stand_ins)]
        return Memory(
            seat=seat,
            since=self._since[seat],
            chances=tuple(chance for chance in chances if chance.sure),
            found=tuple(
                chance.took for chance in chances if chance.took is not None and not chance.used
            ),
        )

    def _chances(self, seat: Seat, stand_ins: frozenset[int]) -> Iterator[Chance]:
        for turn, whose, sure, won in self._begun:
            if whose == seat and turn not in stand_ins:
                yield Chance(turn, seat, sure, won, self._took.get(turn))
