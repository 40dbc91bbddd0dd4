"""The simulation interface: the same game as at a table, and nothing of others' hands in a view."""

from random import Random

import msgspec
import pytest

from nana_core import environment as env
from nana_core.actions import Refusal, Refused
from nana_core.deck import SIZES
from nana_core.fair import fixed_deal, fixed_seed
from nana_core.game import Ended, Won, begin
from nana_core.ledger import blank_for, remember
from nana_core.notation import Malformed, parse_game
from nana_core.protocol.wire import legal_names


def played(players: int, seed: int, turns: int = 2000) -> env.State:
    chance, state = Random(seed), env.reset(players, seed)
    while not state.over and state.game.table.turn < turns:
        state = env.step(state, chance.choice(env.legal(state)))
    return state


@pytest.mark.parametrize("players", SIZES)
def test_a_game_is_played_by_its_rules(players: int) -> None:
    """What is legal is what a table would offer; every game ends; turns go round."""
    chance, state = Random(players), env.reset(players, players)
    while not state.over:
        assert env.legal(state) == legal_names(state.game.table) != ()
        before = state
        state = env.step(state, chance.choice(env.legal(state)))
        ended = len(state.attempts) - len(before.attempts)
        assert state.on_turn == (before.on_turn + ended) % players
    assert env.legal(state) == ()
    assert isinstance(state.game.table.result, Won | Ended)


def test_an_attempt_that_has_ended_stays_in_the_history() -> None:
    """It is cleared at once, for that is no decision; the public memory has it."""
    deal, _ = parse_game("1.1.1.2.2.2.3.3.3.4/4.4.5.5.5.6.6.6.7.7 | 7.8.8.8.9.9.9.10.10.10 | A :")
    state = env.of_deal(deal)
    for source in ("c1", "c2"):
        state = env.step(state, source)
    assert not state.game.table.shown
    assert state.on_turn == 1
    (attempt,) = state.attempts
    assert [card.number for card in attempt.cards] == [7, 8]
    assert state.ledger == remember(blank_for(deal), attempt)
    assert state.ledger.center[:2] == (7, 8)


def test_a_state_is_a_value() -> None:
    """A step leaves the state before it as it was: search goes back and branches."""
    state = env.reset(3, 5)
    one, other = env.step(state, "c1"), env.step(state, "a<")
    assert state == env.reset(3, 5)
    assert one != other
    assert env.step(state, "c1") == one


def test_the_seed_deals_what_fixed_deals_deal() -> None:
    """So a game of the simulation can be laid on a table: the first of that word."""
    assert env.reset(4, 7).game == begin(fixed_deal(1, fixed_seed("7"), 4))
    assert env.reset(4, 8) != env.reset(4, 7)


@pytest.mark.parametrize("players", SIZES)
def test_a_view_depends_on_nothing_hidden(players: int) -> None:
    """Exchange what a seat cannot see; its view stays equal, to the byte."""
    state = played(players, seed=9, turns=1)
    for seat in range(players):
        others = [other for other in range(players) if other != seat]
        hands = list(state.game.secrets.hands)
        hidden = [card for other in others for card in hands[other]]
        hidden += state.game.secrets.center
        Random(seat).shuffle(hidden)
        size = SIZES[players].hand
        for at, other in enumerate(others):
            hands[other] = tuple(sorted(hidden[at * size : (at + 1) * size]))
        secrets = msgspec.structs.replace(
            state.game.secrets, hands=tuple(hands), center=tuple(hidden[len(others) * size :])
        )
        game = msgspec.structs.replace(state.game, secrets=secrets)
        other_world = msgspec.structs.replace(state, game=game)
        assert other_world != state
        seen, also = env.view(state, seat), env.view(other_world, seat)
        assert msgspec.json.encode(seen) == msgspec.json.encode(also)
        assert seen.hand == state.game.secrets.hands[seat]


def test_rewards_sum_to_nothing() -> None:
    """One wins what the others lose; while nobody has won there is none."""
    assert env.rewards(env.reset(4, 1)) == (0.0,) * 4
    state = played(4, 3)
    result = state.game.table.result
    assert isinstance(result, Won)
    found = env.rewards(state)
    assert found[result.seat] == 1.0
    assert sum(found) == pytest.approx(0.0)


def test_what_cannot_be_is_refused() -> None:
    """By the rules' own codes."""
    state = env.step(env.reset(2, 1), "c1")
    for source, why in (("c1", Refusal.SLOT_OPEN), ("e<", Refusal.NO_SUCH_SEAT)):
        with pytest.raises(Refused) as refused:
            env.step(state, source)
        assert refused.value.why is why
    with pytest.raises(Malformed):
        env.step(state, "continue")
    with pytest.raises(Refused, match="no_such_seat"):
        env.view(state, -1)


@pytest.mark.parametrize("players", SIZES)
def test_an_action_means_the_same_to_every_seat(players: int) -> None:
    """Slots first, then one's own hand, then the next clockwise; all that can be legal is there."""
    names = [env.action_names(players, seat) for seat in range(players)]
    slots = SIZES[players].center
    assert {name[slots:][0] for name in names} == {f"{'abcde'[seat]}<" for seat in range(players)}
    assert len({frozenset(name) for name in names}) == 1
    assert set(names[0]) == set(env.legal(env.reset(players, 1)))
    last = names[-1][slots + 2]
    assert last == "a<"
