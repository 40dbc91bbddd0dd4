"""The history that a bot gathers from its snapshots, and the player that answers them."""

from random import Random

import pytest
from msgspec.structs import replace

from nana_bots.arena import shuffled_deal, snapshot_for
from nana_bots.history import History
from nana_bots.mind import LEVELS, IllegalChoice, Player
from nana_core.game import Game, apply, begin
from nana_core.notation import parse_action
from nana_core.protocol.inbound import Continue, Reveal
from nana_core.protocol.outbound import AttemptView, CardView, Snapshot
from nana_core.protocol.wire import attempt_view


def ended(turn: int, outcome: str | None = "miss") -> AttemptView:
    cards = (CardView("c1", 4), CardView("c2", turn))
    return AttemptView(turn=turn, seat="A", cards=cards, outcome=outcome)


def snapshot(game: int = 1, step: int = 0, **changes: object) -> Snapshot:
    plain = snapshot_for(begin(shuffled_deal(3, Random("plain"))), 0, step)
    return replace(plain, game=game, **changes)


def turns(history: History) -> list[int]:
    return [attempt.turn for attempt in history.attempts]


def test_every_ended_attempt_is_kept_once_and_in_order() -> None:
    """What was missed comes before what lies open; repeats and attempts in progress add nothing."""
    history = History()
    history.see(snapshot(attempt=ended(1)))
    history.see(snapshot(attempt=ended(1)))
    history.see(snapshot(attempt=ended(4, outcome=None), missed=(ended(2), ended(3))))
    history.see(snapshot(attempt=ended(4, outcome="set"), missed=(ended(2), ended(3))))
    assert turns(history) == [1, 2, 3, 4]


def test_a_new_game_begins_an_empty_history() -> None:
    """Turns of the last game are not turns of this one."""
    history = History()
    history.see(snapshot(game=1, attempt=ended(9)))
    history.see(snapshot(game=2, attempt=ended(1)))
    assert turns(history) == [1]


def test_a_stand_in_starts_from_the_attempts_so_far() -> None:
    """What it is handed counts for the game of its first snapshot, and is not added twice."""
    history = History([ended(1), ended(2)])
    history.see(snapshot(game=7, attempt=ended(2), missed=(ended(1),)))
    history.see(snapshot(game=7, attempt=ended(3)))
    assert turns(history) == [1, 2, 3]


def test_attempts_of_a_known_other_game_are_dropped() -> None:
    """A history that was given its game does not take another for it."""
    history = History([ended(1), ended(2)], game=6)
    history.see(snapshot(game=7, attempt=ended(1)))
    assert turns(history) == [1]


def test_a_history_from_snapshots_is_the_history_of_the_game() -> None:
    """A seat that sees every snapshot ends up with every attempt."""
    chance = Random("whole game")
    game = begin(shuffled_deal(3, chance))
    history, truth = History(), []
    for step in range(300):
        history.see(snapshot_for(game, 2, step))
        game = step_on(game, chance)
        if game.table.shown:
            truth.append(attempt_view(game.table.attempt, game.table.turn))
    history.see(snapshot_for(game, 2, 300))
    assert len(truth) > 50
    assert history.attempts == truth


def step_on(game: Game, chance: Random) -> Game:
    if game.table.shown:
        return apply(game, game.table.on_turn, parse_action("."))
    names = snapshot_for(game, 0).legal
    return apply(game, game.table.on_turn, parse_action(chance.choice(names)))


class Counting:
    """Chooses the first source and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: Snapshot, history: History) -> str:
        self.asked += 1
        return view.legal[0]


def test_a_player_continues_a_shown_attempt_with_its_step() -> None:
    """The answer to a shown attempt is continue, whatever `not_before` says."""
    view = snapshot(step=8, on_turn="A", legal=("continue",), not_before=10**9)
    assert Player(Counting()).receive(view) == Continue(step=8)


def test_a_player_reveals_what_its_bot_chose() -> None:
    """The answer carries the step of the snapshot."""
    view = snapshot(step=5, on_turn="A")
    assert Player(Counting()).receive(view) == Reveal(step=5, source="c1")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"on_turn": "B"}, id="another seat is on turn"),
        pytest.param({"legal": ()}, id="nobody can act"),
        pytest.param({"on_turn": None, "legal": ()}, id="no game"),
    ],
)
def test_a_player_keeps_still_when_it_cannot_act(changes: dict[str, object]) -> None:
    """Nothing to send, and the bot is not asked."""
    bot = Counting()
    view = replace(snapshot(on_turn="A"), **changes)
    assert Player(bot).receive(view) is None
    assert bot.asked == 0


def test_a_spectator_has_nothing_to_send() -> None:
    """A bot without a seat keeps still even while nobody is on turn."""
    view = snapshot(on_turn=None)
    spectator = replace(view, you=replace(view.you, seat=None))
    assert Player(Counting()).receive(spectator) is None


def test_the_same_step_gets_the_same_answer() -> None:
    """A watcher's arrival shows a step again; a bot that draws lots does not change its mind."""
    player = Player(LEVELS["random"](Random(3)))
    answers = {str(player.receive(snapshot(step=5, version=v, on_turn="A"))) for v in range(20)}
    assert len(answers) == 1
    others = {str(player.receive(snapshot(step=s, on_turn="A"))) for s in range(6, 26)}
    assert len(others) > 1


def test_a_choice_that_is_illegal_goes_nowhere() -> None:
    """It is caught before it reaches a server, and says what it was."""

    class Cheat(Counting):
        def choose(self, view: Snapshot, history: History) -> str:
            return "c99"

    with pytest.raises(IllegalChoice, match=r"It chose .c99., which is not legal now; it had: "):
        Player(Cheat()).receive(snapshot(on_turn="A"))
