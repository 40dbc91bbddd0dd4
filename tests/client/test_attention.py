"""Bell, notification and title: once, only when nobody looks, and only in our own words."""

from msgspec.structs import replace

from client.scenes import finished, model_of, played, snapshot_of
from nana_client.attention import Attention, notification, title
from nana_client.model import Model
from nana_client.settings import Settings

KITTY = {"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}
MINE = model_of(snapshot_of(played(3, "c1")))
THEIRS = model_of(snapshot_of(played(3, "c1", first=1)))
SILENT = Settings(title=False)


def rung(*models: Model, settings: Settings = SILENT, looked_at: bool = False) -> list[str]:
    written: list[str] = []
    attention = Attention(written.append, KITTY)
    for model in models:
        attention.heed(model, settings, looked_at=looked_at)
    return written


def test_a_turn_rings_once() -> None:
    """It rings when the turn begins, not again while it lasts, and again the next time."""
    once = ["\a", "\x1b]9;Your turn at table KQ7MX\a"]
    assert rung(THEIRS, MINE, MINE) == once
    assert rung(THEIRS, MINE, THEIRS, MINE) == once * 2


def test_no_ring_for_who_looks() -> None:
    """A table that is looked at is silent."""
    assert rung(THEIRS, MINE, looked_at=True) == []


def test_each_can_be_turned_off() -> None:
    """Bell, notification and title are three switches."""
    assert rung(THEIRS, MINE, settings=Settings(title=False, bell=False))[0].startswith("\x1b]9;")
    assert rung(THEIRS, MINE, settings=Settings(title=False, notify=False)) == ["\a"]
    assert rung(THEIRS, MINE, settings=Settings(title=False, bell=False, notify=False)) == []


def test_nothing_rings_that_does_not_wait_for_one() -> None:
    """A pause, a stand-in, the end and the place beside the table ring nothing."""
    shot = MINE.snapshot
    assert shot is not None
    stood_in = snapshot_of(played(3, "c1"), seats={"A": {"stand_in": True}})
    others = (
        replace(shot, paused=True),
        stood_in,
        snapshot_of(finished(3)),
        snapshot_of(played(3, "c1"), None),
    )
    for other in others:
        assert rung(THEIRS, model_of(other)) == []


def test_the_title_tells_whose_turn_it_is_and_is_given_back() -> None:
    """The terminal's own title is saved before the first one and restored after the last."""
    written: list[str] = []
    attention = Attention(written.append, KITTY)
    for model in (THEIRS, MINE, MINE, THEIRS):
        attention.heed(model, Settings(bell=False, notify=False), looked_at=True)
    assert written == [
        "\x1b[22;2t\x1b]2;nana KQ7MX\a",
        "\x1b]2;▶ your turn · nana KQ7MX\a",
        "\x1b]2;nana KQ7MX\a",
    ]
    assert attention.done() == "\x1b[23;2t"
    assert attention.done() == ""


def test_turning_the_title_off_gives_it_back_at_once() -> None:
    """A title that is no longer wanted does not stay until the end."""
    written: list[str] = []
    attention = Attention(written.append, KITTY)
    attention.heed(MINE, Settings(), looked_at=True)
    attention.heed(MINE, SILENT, looked_at=True)
    assert written[-1] == "\x1b[23;2t"
    assert attention.done() == ""


def test_terminals_that_are_not_known_get_nothing_strange() -> None:
    """Notifications go to those that show them; a console has no title."""
    assert notification("x", {"TERM": "xterm-256color"}) == ""
    assert notification("x", {**KITTY, "TMUX": "/tmp/tmux"}) == ""  # noqa: S108 - no file
    assert notification("x", {"TERM": "foot"}) == "\x1b]777;notify;nana;x\a"
    assert notification("x", {"TERM_PROGRAM": "WezTerm"}) == "\x1b]9;x\a"
    assert title("x", {"TERM": "linux"}) == title("x", {"TERM": "dumb"}) == ""


def test_a_hostile_room_writes_no_sequence_of_its_own() -> None:
    """A server's text cannot end our sequence and begin another."""
    assert notification("a\x1b\\\a]0;x", KITTY) == "\x1b]9;a\\]0;x\a"
    assert title("a\a\x1b[2J\x9c", {"TERM": "xterm"}) == "\x1b]2;a[2J\a"
