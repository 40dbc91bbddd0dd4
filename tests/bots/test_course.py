"""One game move by move: what is shown to whom, and that it is a game of the rules."""

from random import Random

import pytest

from nana_bots.arena import Chair, course, play, shuffled_deal, snapshot_for
from nana_bots.history import History
from nana_bots.mind import LEVELS, IllegalChoice
from nana_core.game import apply, begin
from nana_core.notation import parse_action
from nana_core.protocol.outbound import Snapshot


class Diary:
    """Keeps what it is told, beside the choices."""

    def __init__(self, chance: Random) -> None:
        self.chance, self.said = chance, list[str]()

    def begin(self, view: Snapshot) -> None:
        self.said.append(f"begin {view.game} {view.you.seat}")

    def choose(self, view: Snapshot, history: History) -> str:
        return self.chance.choice(view.legal)

    def end(self, view: Snapshot, history: History) -> None:
        assert view.result is not None
        self.said.append(f"end {len(history.attempts)}")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_moves_are_a_game(players: int) -> None:
    """Its actions, played by the rules, come through the same positions to the same result."""
    deal = shuffled_deal(players, Random(players))
    chances = [Random(seat) for seat in range(players)]
    game = begin(deal)
    for move in course(deal, [Chair(LEVELS["novice"](chance)) for chance in chances]):
        assert (move.before, move.seat) == (game, game.table.on_turn)
        action = parse_action("." if move.choice == "continue" else move.choice)
        game = apply(game, move.seat, action)
        assert move.after == game
    chances = [Random(seat) for seat in range(players)]
    played = play(deal, [LEVELS["novice"](chance) for chance in chances])
    assert (played.result, played.turns) == (game.table.result, game.table.turn)


@pytest.mark.parametrize("players", [2, 4])
def test_a_move_has_what_its_seat_knew(players: int) -> None:
    """The view is that seat's; with it the history has every attempt that had ended, once."""
    seated = [Chair(LEVELS["novice"](Random(seat))) for seat in range(players)]
    ended = 0
    for step, move in enumerate(course(shuffled_deal(players, Random(1)), seated, 7)):
        assert move.view == snapshot_for(move.before, move.seat, step, move.view.missed, 7)
        assert [attempt.turn for attempt in move.history.attempts] == list(range(1, ended + 1))
        ended = len(move.ended)
        assert ended == move.after.table.turn - (not move.after.table.shown)


def test_who_wants_to_hears_of_the_beginning_and_the_end() -> None:
    """Each in its own seat, with all attempts of the game at its end."""
    bots = [Diary(Random(seat)) for seat in range(3)]
    *_, last = course(shuffled_deal(3, Random(2)), [Chair(bot) for bot in bots], 5)
    end = f"end {last.after.table.turn}"
    assert [bot.said for bot in bots] == [[f"begin 5 {seat}", end] for seat in "ABC"]


def test_a_choice_that_is_not_legal_comes_out() -> None:
    """No position follows from it."""

    class Wrong(Diary):
        def choose(self, view: Snapshot, history: History) -> str:
            return "c99"

    moves = course(shuffled_deal(2, Random(1)), [Chair(Wrong(Random(seat))) for seat in range(2)])
    with pytest.raises(IllegalChoice, match="c99"):
        next(moves)
