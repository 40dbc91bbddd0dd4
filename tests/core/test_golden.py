"""Whole games as text, every seat's view after every action: nothing in them may change unseen."""

import pytest

from core.golden.make import FOLDER, texts

TEXTS = texts()


@pytest.mark.parametrize("name", TEXTS)
def test_a_golden_game_is_played_again(name: str) -> None:
    """The same deal and actions show every viewer the same (change: golden/make.py)."""
    assert TEXTS[name] == (FOLDER / name).read_text(encoding="ascii")


def test_no_golden_game_is_left_over() -> None:
    """Each file is played by the test above, and a whole game stays short enough to read."""
    assert {path.name for path in FOLDER.glob("*.txt")} == set(TEXTS)
    for text in TEXTS.values():
        assert 10 <= len(text.splitlines()[0].partition(":")[2].split()) <= 100
        assert " wins: " in text
    for reason in ("three_sets", "sevens", "sum", "difference"):
        assert any(f"{reason} " in text for text in TEXTS.values())
