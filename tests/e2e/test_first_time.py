"""Somebody who has never played, with no instructions but the screen, against real bots."""

from pathlib import Path

import pytest

from e2e.drawn import prompt
from e2e.person import Person, person
from nana_client.start import OpenScreen


async def comes_on_turn(newcomer: Person) -> None:
    """Wait for one's turn; where an attempt is shown first, press what the screen sets off."""
    said = await newcomer.until(
        lambda text: "YOUR TURN" in prompt(text) or "your turn is next" in prompt(text)
    )
    if "your turn is next" in prompt(said):
        assert "Space  your turn is next" in prompt(said)
        await newcomer.press("space")
        await newcomer.until(lambda text: "YOUR TURN" in prompt(text))


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(("enter", "enter"), id="Enter, as at first"),
        pytest.param(("1", "1"), id="the number on a card"),
        pytest.param(("b", "enter"), id="a letter, then what the prompt says"),
        pytest.param(("down", "enter"), id="arrows"),
    ],
)
async def test_a_game_in_one_key_and_a_card_in_two(keys: tuple[str, str], tmp_path: Path) -> None:
    """Enter starts a game against bots; on turn two keys reveal a card, by any way."""
    async with person(OpenScreen("Ann"), tmp_path, newcomer=True) as newcomer:
        await newcomer.sees("Enter", "play against")
        await newcomer.press("enter")
        await comes_on_turn(newcomer)
        await newcomer.press(keys[0])
        await newcomer.sees("Reveal ", "Enter reveals")
        await newcomer.press(keys[1])
        text = await newcomer.until(lambda _: revealed(newcomer) == 1)
        assert "does nothing" not in text


def revealed(someone: Person) -> int:
    """Count the cards of the person's own attempt."""
    shot = someone.model.snapshot
    if shot is None or shot.attempt is None or shot.attempt.seat != shot.you.seat:
        return 0
    return len(shot.attempt.cards)
