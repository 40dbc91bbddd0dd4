"""A line of 300 ms, and snapshots that come faster than they can be looked at."""

from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from client.scenes import model_of, played, snapshot_of
from client.stage import Recorder, Stage, screen_text
from e2e.drawn import FAIR, is_over, prompt
from e2e.person import anything, person
from e2e.programs import a_room, serving
from e2e.slow import slow_line
from nana_client.model import Model
from nana_client.screens.table import TableScreen
from nana_client.start import JoinRoom
from nana_core.game import apply, legal

ONE_WAY: Final = 0.15  # seconds
SNAPSHOTS: Final = 600


@pytest.mark.timeout(180)
async def test_a_game_over_a_slow_line(tmp_path: Path) -> None:
    """Played to its end from a screen, no key is lost or meets a turn that it was not meant for."""
    refusals: set[str] = set()

    def heard(model: Model) -> None:
        if model.error is not None:
            refusals.add(model.error.code)

    async with AsyncExitStack() as stack:
        _, server = await stack.enter_async_context(serving(tmp_path))
        friend = await stack.enter_async_context(a_room(server, seats=2))
        line = await stack.enter_async_context(slow_line(friend.session.target, ONE_WAY))
        bo = await stack.enter_async_context(person(JoinRoom(line, "Bo"), tmp_path / "bo"))
        bo.on_change = heard
        await bo.sees("· turn ")
        text = await bo.play(anything(5))
        text = await bo.until(lambda text: FAIR in text)
        latency = bo.model.latency_ms
    assert is_over(text)
    assert refusals == set()
    assert latency is not None
    assert latency >= 2 * ONE_WAY * 1000 - 10


@pytest.mark.parametrize("moves", [False, True], ids=["still", "moving"])
async def test_a_burst_of_snapshots(moves: bool) -> None:
    """Hundreds of positions at once: the last one is what is seen, and keys mean that one."""
    game, shots = played(3), [snapshot_of(played(3))]
    chance = Random(4)
    for count in range(SNAPSHOTS):
        game = apply(game, game.table.on_turn, chance.choice(legal(game.table)))
        assert game.table.result is None
        shots.append(replace(snapshot_of(game), version=count + 20, step=count + 20))
    mine = next(shot for shot in reversed(shots) if shot.on_turn == "A" and len(shot.legal) > 1)
    play = Recorder(model_of(shots[0]))
    screen = TableScreen(play, moves=lambda: moves)
    async with Stage(screen).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        for shot in shots[: shots.index(mine) + 1]:
            screen.show(model_of(shot))
        await pilot.pause()
        burst = screen_text(pilot)
        await pilot.press("B", "B")
        assert play.deeds == [("reveal", "b>", mine.step)]
    async with Stage(TableScreen(Recorder(model_of(mine)))).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        alone = screen_text(pilot)
    assert prompt(burst) == prompt(alone)
    assert burst.splitlines()[0] == alone.splitlines()[0]
    if not moves:
        assert burst == alone
