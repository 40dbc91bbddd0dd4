"""What the levels do: legal moves, from their own view alone, and how well they play."""

from collections.abc import Iterable
from itertools import islice
from random import Random
from typing import get_args

import pytest

from bots.patience import PATIENT
from nana_bots.arena import Contest, entrant, play, rounds, shuffled_deal, snapshot_for
from nana_bots.expert import Expert
from nana_bots.history import History
from nana_bots.memory import Rememberer
from nana_bots.mind import LEVELS, Bot, Player
from nana_core.actions import Action
from nana_core.deck import Cards, Deal
from nana_core.game import Game, Won, apply, begin
from nana_core.knowledge import Facts
from nana_core.notation import SOURCES, parse_action, parse_position
from nana_core.protocol.inbound import Level
from nana_core.protocol.outbound import AttemptView, CardView, Snapshot
from nana_core.protocol.wire import action_of, attempt_view, legal_names

NAMES: tuple[Level, ...] = get_args(Level)


def test_every_level_of_the_wire_has_a_bot() -> None:
    """No level can be asked for that does not exist."""
    assert tuple(LEVELS) == NAMES


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_every_choice_is_legal(players: int, seed: int) -> None:
    """Mixed tables play to a winner; the rules would refuse an illegal reveal."""
    chance = Random(f"legal {players} {seed}")
    bots = [LEVELS["memory"](chance), *(LEVELS[chance.choice(NAMES)](chance) for _ in "BCDE")]
    assert isinstance(play(shuffled_deal(players, chance), bots[:players]).result, Won)


@pytest.mark.parametrize("level", ["novice", "memory", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tables_of_one_level_come_to_an_end(level: Level, players: int) -> None:
    """Nobody waits for the others for ever."""
    games = 2 if level == "expert" else 8  # at least a deal, for everybody in turn
    contest = Contest((entrant(level, PATIENT),), players, games, seed=5)
    for game in (game for one in rounds(contest) for game in one.games):
        assert game.winner is not None
        assert game.played.turns < 400


@pytest.mark.parametrize("level", NAMES)
def test_the_same_seed_plays_the_same(level: Level) -> None:
    """Bots draw from the Random that they are given, and from nothing else."""
    deal = shuffled_deal(3, Random(8))
    first, second = (play(deal, [made(level, Random(9)) for _ in "ABC"]) for _ in "12")
    assert (first.result, first.turns) == (second.result, second.turns)


@pytest.mark.parametrize("level", NAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_another_game_may_have_the_same_number(level: Level, players: int) -> None:
    """A bot that goes from table to table forgets the cards of the one before."""
    bots = [made(level, Random(at)) for at in range(players)]
    for seed in range(3):
        assert isinstance(play(shuffled_deal(players, Random(seed)), bots).result, Won)


def made(level: Level, chance: Random) -> Bot:
    """Make a bot that nothing but its own bounds stops, however busy the machine is."""
    return Expert(chance, PATIENT) if level == "expert" else LEVELS[level](chance)


# what a bot knows


@pytest.mark.parametrize("level", ["novice", "memory", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_a_choice_depends_on_nothing_hidden(level: Level, players: int, seed: int) -> None:
    """Redeal what a seat cannot know, all public results being equal: the choice is the same."""
    chance = Random(f"redeal {players} {seed}")
    deal = shuffled_deal(players, chance)
    actions = random_actions(deal, chance, turns=3 + 3 * seed)
    game, attempts = replayed(deal, actions)
    seat = game.table.on_turn
    chosen = choice_at(game, attempts, level)
    redealt = list(islice(redeals(deal, actions, seat, chance), 20))
    assert redealt
    for other in redealt:
        assert choice_at(*replayed(other, actions), level) == chosen


def choice_at(game: Game, attempts: list[AttemptView], level: Level) -> str:
    bot = made(level, Random("the same"))
    return bot.choose(snapshot_for(game, game.table.on_turn), History(attempts))


def random_actions(deal: Deal, chance: Random, turns: int) -> list[Action]:
    """Play at random until a seat has to reveal in this turn."""
    game, actions = begin(deal), []
    while game.table.turn < turns or game.table.shown:
        name = chance.choice(legal_names(game.table))
        actions.append(parse_action("." if name == "continue" else name))
        game = apply(game, game.table.on_turn, actions[-1])
    return actions


def replayed(deal: Deal, actions: Iterable[Action]) -> tuple[Game, list[AttemptView]]:
    game, attempts = begin(deal), []
    for action in actions:
        game = apply(game, game.table.on_turn, action)
        if game.table.shown:
            attempts.append(attempt_view(game.table.attempt, game.table.turn))
    return game, attempts


def redeals(deal: Deal, actions: list[Action], seat: int, chance: Random) -> Iterable[Deal]:
    """Exchange cards that the seat does not hold; keep what gives the very same results."""
    truth = replayed(deal, actions)[1]
    for _ in range(400):
        other = exchanged(deal, seat, chance)
        game = begin(other)
        if other != deal and game.secrets.hands[seat] == deal.hands[seat]:
            shown = results(other, actions)
            if shown == truth:
                yield other
                deal = other


def results(deal: Deal, actions: list[Action]) -> list[AttemptView] | None:
    """Return the attempts, or None where another deal makes an action impossible."""
    game, attempts = begin(deal), []
    for action in actions:
        if (name := action_text(action)) not in legal_names(game.table):
            return None
        game = apply(game, game.table.on_turn, action)
        if game.table.shown and name != "continue":
            attempts.append(attempt_view(game.table.attempt, game.table.turn))
    return attempts


def action_text(action: Action) -> str:
    names = {str(source): name for name, source in SOURCES.items()}
    return names.get(str(getattr(action, "source", None)), "continue")


def exchanged(deal: Deal, seat: int, chance: Random) -> Deal:
    """Exchange one card of two places, the seat's hand being none of them."""
    piles = [list(hand) for hand in deal.hands] + [[card] for card in deal.center]
    one, other = chance.sample([at for at in range(len(piles)) if at != seat], 2)
    here, there = chance.randrange(len(piles[one])), chance.randrange(len(piles[other]))
    piles[one][here], piles[other][there] = piles[other][there], piles[one][here]
    hands = tuple(tuple(sorted(pile)) for pile in piles[: len(deal.hands)])
    return Deal(hands, tuple(pile[0] for pile in piles[len(deal.hands) :]), deal.first)


# what the memory level does with it


def missed(*lines: str) -> History:
    """Build a history of misses: "B c7=9 c9=10"."""
    attempts = []
    for turn, line in enumerate(lines, start=1):
        seat, *cards = line.split()
        shown = tuple(CardView(c.split("=")[0], int(c.split("=")[1])) for c in cards)
        attempts.append(AttemptView(turn=turn, seat=seat, cards=shown, outcome="miss"))
    return History(attempts)


def turn_of(position: str, history: History, seed: int = 1) -> tuple[str, Cards]:
    """Let the memory bot play one turn; return the outcome and the numbers revealed."""
    game = parse_position(position)
    player = Player(Rememberer(Random(seed)), history)
    seat = game.table.on_turn
    for step in range(3):
        answer = player.receive(snapshot_for(game, seat, step))
        assert answer is not None
        game = apply(game, seat, action_of(answer))
        if game.table.shown or game.table.result:
            break
    attempt = game.table.attempt
    return str(attempt.outcome), tuple(card.number for card in attempt.cards)


FULL = "1.1.2.3.4.5.6.7.8.9/1.2.2.3.4.5.6.7.8.10 | 3.4.5.6.7.8.9.9.10.10 | -,- | A | A 40"
NO_THREES = "1.1.2.4.5.6.7.8.9/1.2.2.4.5.6.7.8.10 | x.4.5.6.7.8.9.9.10.10 | {sets} | A | A 40"
NINES_AND_TENS = ("B c7=9 c9=10", "A c8=9 c10=10", "B b>=10 c7=9")


@pytest.mark.parametrize(
    ("position", "history", "number"),
    [
        pytest.param(FULL, ("B c7=9 c8=9 c1=3",), 9, id="two slots and the own high card"),
        pytest.param(FULL, ("B b<=1 c1=3",), 1, id="a run in the own hand and another's low card"),
        pytest.param(FULL, ("B c9=10 b>=10 c1=3", "A c10=10 c9=10 c2=4"), 10, id="all public"),
        pytest.param(
            "2.3.4.5.6.7.8.9/2.2.3.4.5.6.7.8.10 | 3.4.5.6.7.8.9.9.10.10 | -,1 | A | A 40",
            ("B b<=2 b<=2 c1=3",),
            2,
            id="one reveal exposes the next",
        ),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_a_certain_set_is_taken_at_once(
    position: str, history: tuple[str, ...], number: int, seed: int
) -> None:
    """Whatever lots it draws."""
    assert turn_of(position, missed(*history), seed) == ("set", (number,) * 3)


@pytest.mark.parametrize(
    ("sets", "number"),
    [
        pytest.param("3,-", 10, id="3 and 10 differ by 7"),
        pytest.param("-,3", 10, id="the other would win with 10"),
        pytest.param("2,3", 9, id="2 and 9 win at once; denying 10 would not"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_of_two_certain_sets_the_better_is_taken(sets: str, number: int, seed: int) -> None:
    """A set that wins comes first, then one that is worth more or would win for another."""
    position = NO_THREES.format(sets=sets)
    if sets.startswith("2"):
        position = position.replace("1.1.2.4", "1.1.4").replace("1.2.2.4", "1.4")
    assert turn_of(position, missed(*NINES_AND_TENS), seed) == ("set", (number,) * 3)


def test_a_stand_in_finishes_the_attempt_that_lies_open() -> None:
    """Handed the attempts so far, it goes on from the card that was revealed before it came."""
    position = FULL.replace("| A | A", "| A c7=9 | A")
    game = parse_position(position)
    player = Player(Rememberer(Random(1)), missed("B c7=9 c8=9 c1=3"))
    answer = player.receive(snapshot_for(game, 0))
    assert answer is not None
    assert action_text(action_of(answer)) in {"c8", "a>"}


def test_a_decision_stays_cheap_in_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is new is taken in: a thousand old attempts are looked at once."""
    view = snapshot_for(parse_position(FULL.replace("A 40", "A 1900")), 0)
    history = missed(*["B c1=3 c2=4"] * 1800)
    bot = Rememberer(Random(1))
    bot.choose(view, history)
    learnt: list[AttemptView] = []
    monkeypatch.setattr(Facts, "learn", lambda _, attempt: learnt.append(attempt))
    bot.choose(view, history)
    assert learnt == [view.attempt]


# strength, with wide margins: the arena measures


@pytest.mark.parametrize(
    ("levels", "games", "least"),
    [
        pytest.param(["memory", "random"], 60, 0.85, id="memory beats random"),
        pytest.param(["novice", "random"], 40, 0.75, id="novice beats random"),
        pytest.param(["memory", "novice"], 60, 0.75, id="memory beats novice"),
        pytest.param(["memory", *["novice"] * 4], 40, 0.7, id="memory among novices"),
        pytest.param(["expert", "novice"], 30, 0.8, id="expert beats novice"),
    ],
)
def test_levels_are_apart(levels: list[Level], games: int, least: float) -> None:
    """The first of the levels wins at least this share."""
    line_up = tuple(entrant(level, PATIENT) for level in levels)
    contest = Contest(line_up, len(levels), games, seed=11)
    winners = [game.winner for one in rounds(contest) for game in one.games]
    assert winners.count(0) / len(winners) > least


def test_a_view_of_the_arena_is_the_seats_own() -> None:
    """Each seat is shown its own hand and nobody's else."""
    game = begin(shuffled_deal(3, Random(4)))
    views: list[Snapshot] = [snapshot_for(game, seat) for seat in range(3)]
    assert tuple(view.you.hand for view in views) == game.secrets.hands
    assert all(view.hands is None and view.opened is None for view in views)
