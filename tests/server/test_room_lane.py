"""The short way of a play says nothing that the long way does not say."""

from random import Random
from typing import Final, get_args

import pytest

from nana_core.deck import Seat
from nana_core.protocol import inbound as i
from nana_server.room import lane
from nana_server.room.decide import No, play
from nana_server.room.evolve import evolve
from nana_server.room.state import RoomState
from server.house_fixture import Home
from server.sessions import session

SESSIONS: Final = 12
SEATS: Final[tuple[Seat | None, ...]] = (None, 0, 1, 2, 3, 4)


def plays(state: RoomState) -> list[lane.Play]:
    steps = (state.step, state.step - 1)
    names = get_args(i.SourceName)
    reveals = [i.Reveal(step=step, source=name) for step in steps for name in names]
    return [*reveals, *(i.Continue(step=step) for step in steps)]


def test_the_short_way_is_the_long_way() -> None:
    """In every state of whole evenings: the same event, the same state, or nothing at all."""
    random, passed, refused = Random(1), 0, 0

    def look(home: Home) -> None:
        nonlocal passed, refused
        for room in home.lobby:
            state = room.state
            if not lane.is_open(state):
                continue
            for message in random.sample(plays(state), 6):
                seat, pace = random.choice(SEATS), random.choice((0, 1200))
                at = random.choice((state.not_before or 0, (state.not_before or 0) - 1))
                short, long = (
                    lane.passed(state, seat, message, at, pace),
                    play(state, seat, message, at, pace),
                )
                if short is None:
                    assert isinstance(long, No)
                    refused += 1
                else:
                    event, after = short
                    assert long == (event,)
                    assert evolve(state, event, at) == after
                    passed += 1

    for seed in range(SESSIONS):
        session(seed, look=look)
    assert passed > 100
    assert refused > 100


@pytest.mark.parametrize("change", ["paused", "stood_in", "over"])
def test_the_short_way_is_closed_where_more_hangs_on_a_play(change: str) -> None:
    """A pause, a stand-in whose member may come back, and the end are the long way's."""
    seen = 0

    def look(home: Home) -> None:
        nonlocal seen
        for room in home.lobby:
            state = room.state
            stood_in = any(s and s.stand_in and s.member for s in state.seats)
            is_so = {
                "paused": state.paused,
                "stood_in": stood_in,
                "over": state.phase == "over",
            }[change]
            seen += is_so
            assert not (is_so and lane.is_open(state))
            if room._in_flight is None:
                assert not room._is_open or lane.is_open(state)

    for seed in range(SESSIONS):
        session(seed, look=look)
    assert seen
