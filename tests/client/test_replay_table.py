"""A recorded game on the table: what each frame shows to whom, the way through it, and files."""

import os
import pty
import select
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import astuple, replace
from textual.geometry import Region
from textual.pilot import Pilot

from client.scenes import finished, model_of, snapshot_of
from client.stage import Recorder, Stage, rested, screen_text, until
from client.tables import HELLO, WELCOME, Peer, dealt, house
from client.test_app import Visits
from client.test_replay import lines, nana, played, record_of, redealt
from client.test_session import Player
from client.test_shelf import NONCES, OVER
from core.games import PLAYERS, completing, in_words, random_deal
from core.test_record import GOOD
from nana_client.address import parse_room
from nana_client.app import NanaApp
from nana_client.entrance import Creating
from nana_client.knowable import TITLE, summaries
from nana_client.model import Model
from nana_client.plain_table import Table
from nana_client.reading import run_drawn
from nana_client.replay_tape import Tape
from nana_client.replay_view import shown
from nana_client.screens.help import HelpScreen
from nana_client.screens.replay import Margin, ReplayScreen
from nana_client.screens.table import TableScreen
from nana_client.start import JoinRoom, LookBack
from nana_client.store import Store, folders
from nana_client.widgets.board import Board
from nana_client.widgets.planned import Planned
from nana_client.widgets.scrub import column_of, frame_of
from nana_client.widgets.sheet import Sheet, Words
from nana_core.deck import Seat
from nana_core.game import Ended, Won, begin
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Bye, Error, Recorded, Snapshot
from nana_core.record import Record, Unreadable, compact, positions, save

HOSTILE = (
    "\x1b[31mred\x1b]0;x\x07",
    "\x9b2J",
    "\u202eevil",
    "[/]",
    "[@click=app.quit]x[/]",
    "a\nb",
)


# The tape.


@pytest.mark.parametrize("players", PLAYERS)
def test_every_card_that_was_turned_is_a_frame(players: int) -> None:
    """The deal, then one frame for each reveal, each with the attempt as it lay there."""
    record = played(players, 1)
    tape = Tape(record)
    reveals = [word for word in record.actions.split() if word != "."]
    assert len(tape.frames) == 1 + len(reveals)
    assert tape.frames[0].table.attempt.cards == ()
    assert all(frame.table.attempt.cards for frame in tape.frames[1:])
    *_, last = positions(record)
    assert tape.frames[-1] == last
    assert tape.flaw is None


def test_turns_are_stepped_over_whole() -> None:
    """From any frame a turn leads to where the attempt had ended, and back the same way."""
    tape = Tape(played(3, 2))
    at, ends = 0, []
    while at < tape.last:
        at = tape.turn_end(at, 1)
        ends.append(at)
    assert [tape.frames[end].table.turn for end in ends] == list(range(1, tape.turns + 1))
    assert all(tape.frames[end].table.attempt.outcome is not None for end in ends)
    back = [at := tape.turn_end(at, -1) for _ in ends]
    assert back == [*reversed(ends[:-1]), 0]
    assert tape.turn_end(tape.last, 1) == tape.last


def test_notes_say_who_took_what_and_why_it_was_won() -> None:
    """One note for each set, with where its cards lay, and one for the end, with every reason."""
    tape = Tape(GOOD)
    sets = [note for note in tape.notes if note.kind == "set"]
    *_, last = positions(GOOD)
    assert sorted((note.seat, note.text.split()[4]) for note in sets) == sorted(
        (seat, f"{number}s") for seat, held in enumerate(last.table.sets) for number in held
    )
    assert all(note.text.count(",") == 2 for note in sets)
    end = tape.notes[-1]
    assert (end.kind, end.frame) == ("end", tape.last)
    assert isinstance(last.table.result, Won)
    assert end.text.startswith(f"{tape.name(last.table.result.seat)} wins: ")


def test_a_game_that_was_ended_has_a_last_frame() -> None:
    """What lay there when the host ended it is seen, and said."""
    deal = random_deal(2, Random(1))
    words = in_words(completing(begin(deal))[:1])
    tape = Tape(record_of(deal, words, Ended("host")))
    assert [len(frame.table.attempt.cards) for frame in tape.frames] == [0, 1, 1]
    assert tape.notes[-1].text == "The host ended the game; nobody wins."
    assert Tape(record_of(deal, "", Ended("host"))).last == 1


@pytest.mark.parametrize("actions", ["c1 c1", "c1 zz"])
def test_a_record_that_breaks_the_rules_is_shown_as_far_as_it_goes(actions: str) -> None:
    """The reason is the last note."""
    tape = Tape(replace(GOOD, actions=actions))
    assert tape.last == 1
    assert (tape.notes[-1].kind, tape.notes[-1].text[:8]) == ("wrong", "Action 2")
    unfinished = Tape(replace(GOOD, actions="c1", result=None))
    assert unfinished.notes[-1].text == "The record ends here, and the game does not."


def test_without_a_deal_there_is_no_tape() -> None:
    """What cannot be dealt cannot be shown."""
    deal = replace(GOOD.deal, center=(1,))
    with pytest.raises(Unreadable, match="impossible"):
        Tape(replace(GOOD, deal=deal))


@pytest.mark.parametrize("players", PLAYERS)
def test_a_seat_sees_nothing_hidden(players: int) -> None:
    """Deal anew what it could not see: until the end every frame is the same to it."""
    compared = 0
    for seed in range(8):
        record = played(players, seed)
        for seat in range(players):
            other = redealt(record, seat, Random(f"{seed}/{seat}"))
            if other is not None:
                one, two = (frames(each, seat) for each in (record, other))
                assert one == two
                assert frames(record, None) != frames(other, None)
                compared += 1
    assert compared > 5


def frames(record: Record, seat: Seat | None) -> list[Any]:
    tape = Tape(record)
    return [shown(tape, at, seat) for at in range(tape.last)]


def test_all_hands_are_open() -> None:
    """With all hands open every card of the deal is in the frame; the center lies face down."""
    tape = Tape(GOOD)
    shot = shown(tape, 0, None)
    assert shot.hands == GOOD.deal.hands
    assert shot.ledger is not None
    assert shot.ledger.center == GOOD.deal.center
    assert set(shot.center) == {"down"}


def test_columns_and_frames_agree() -> None:
    """Pressing the column in which a frame lies leads to it, on lines of any width."""
    for last in (1, 5, 61, 400):
        for width in (2, 30, 77):
            assert [frame_of(column, last, width) for column in (0, width - 1)] == [0, last]
            if width > last:
                for frame in range(last + 1):
                    assert frame_of(column_of(frame, last, width), last, width) == frame


# The screen.


@asynccontextmanager
async def replaying(
    record: Record = GOOD, size: tuple[int, int] = (80, 24), **more: Any
) -> AsyncIterator[tuple[Pilot[Any], ReplayScreen]]:
    screen = ReplayScreen(Tape(record), **more)
    async with Stage(screen).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot, screen


async def test_keys_lead_through_the_game() -> None:
    """Cards by arrows, turns by pages, the deal and the end at once, and never beyond."""
    async with replaying() as (pilot, screen):
        tape = screen.tape
        assert "DEALT" in screen_text(pilot)
        await pilot.press("left")
        assert screen.at == 0
        await pilot.press("right", "right")
        assert screen.at == 2
        await pilot.press("left", "pagedown", "pagedown")
        assert screen.at == tape.turn_end(tape.turn_end(1, 1), 1)
        await pilot.press("pageup")
        assert screen.at == tape.turn_end(0, 1)
        await pilot.press("end", "right")
        assert screen.at == tape.last
        await pilot.pause()
        assert " wins" in screen_text(pilot)
        assert "░" not in screen_text(pilot)
        await pilot.press("home")
        assert screen.at == 0


async def test_through_one_seat_s_eyes() -> None:
    """Tab goes from all hands to seat after seat; a letter goes there, and back."""
    async with replaying() as (pilot, screen):
        assert "all hands open" in screen_text(pilot)
        seen: list[Seat | None] = []
        for _ in range(4):
            await pilot.press("tab")
            seen.append(screen.seat)
        assert seen == [0, 1, 2, None]
        await pilot.press("b")
        await pilot.pause()
        text = screen_text(pilot)
        assert "as B Bo saw it" in text
        assert "B Bo (you)" in text
        assert "░░░" in text
        await pilot.press("e")
        assert screen.seat == 1
        await pilot.press("shift+tab")
        assert screen.seat == 0
        await pilot.press("A")
        assert screen.seat is None


async def test_the_table_moves_with_the_eyes() -> None:
    """Every part lies where its plan says, also when the plan changes and the size does not."""
    async with replaying(played(2, 3)) as (pilot, screen):
        for key in ("right", "b", "tab", "A"):
            await pilot.press(key)
            await pilot.pause()
            felt = screen.query_one("#felt", Planned)
            shown = {child.id: child.region for child in felt.children if child.display}
            assert shown == {name: Region(*astuple(rect)) for name, rect in felt.rects.items()}


async def test_it_plays_by_itself() -> None:
    """Space plays to the end and stops there; any step stops it; at the end it begins anew."""
    async with replaying(played(2, 1)) as (pilot, screen):
        for _ in range(3):
            await pilot.press("plus")
        await pilot.press("space")
        assert screen.playing
        await until(pilot, lambda: screen.at > 1)
        await pilot.press("left")
        assert not screen.playing
        await pilot.press(*["minus"] * 5)  # the next step is seconds away, however slow this is
        await pilot.press("end", "space")
        assert (screen.playing, screen.at) == (True, 0)
        screen.at = screen.tape.last - 1
        await until(pilot, lambda: not screen.playing)
        assert screen.at == screen.tape.last


async def test_cards_move_as_at_the_table() -> None:
    """One card on is seen to move; back, or further on, what lies there is there at once."""
    async with replaying(moves=lambda: True) as (pilot, screen):
        board = screen.query_one(Board)
        board._now = lambda: 0  # on a busy machine a key may take longer than the motion
        for key, moving in (("right", True), ("left", False), ("pagedown", False), ("b", False)):
            await pilot.press(key)
            assert (board._motion is not None) is moving, key


async def test_the_mouse_scrubs() -> None:
    """A press on the line, or on a note, leads to that moment."""
    async with replaying(size=(140, 40)) as (pilot, screen):
        await pilot.press("end")
        await pilot.pause()
        for name in ("scrub", "notes"):
            sheet = screen.query_one(f"#{name}", Sheet)
            item = next(item for item in sheet.items if isinstance(item, Words) and item.press)
            await pilot.click(sheet, offset=(item.x, item.y))
            await pilot.pause()
            assert f"to {screen.at}" == item.press
            await pilot.press("end")


async def test_notes_where_they_have_no_room_beside() -> None:
    """On a small terminal n lays the notes over the table, and takes them away."""
    async with replaying() as (pilot, screen):
        await pilot.press("end", "n")
        await pilot.pause()
        assert "NOTES" in screen_text(pilot)
        assert screen.tape.notes[-1].text.split(":")[0] in screen_text(pilot)
        await pilot.press("n")
        await pilot.pause()
        assert "NOTES" not in screen_text(pilot)


async def test_a_margin_stands_over_the_notes() -> None:
    """Who has more to say of a frame is asked with the frame and the eyes that look."""
    asked: list[tuple[int, Seat | None]] = []

    def margin(tape: Tape, at: int, seat: Seat | None) -> tuple[str, ...]:
        asked.append((at, seat))
        return (f"Frame {at} of {tape.last}, {'all' if seat is None else seat} can know this.",)

    given: Margin = margin
    async with replaying(size=(140, 40), margin=given) as (pilot, screen):
        await pilot.press("right", "b")
        await pilot.pause()
        text = " ".join(line[104:].strip() for line in screen_text(pilot).splitlines())
        assert f"NOTES Frame 1 of {screen.tape.last}, 1 can know this." in text
        assert asked[-1] == (1, 1)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("size", [(44, 14), (76, 10), (80, 24), (200, 60), (30, 8)])
async def test_it_fits(players: int, size: tuple[int, int]) -> None:
    """On every size the whole game can be stepped through, or it asks for more room."""
    async with replaying(played(players, 1), size) as (pilot, screen):
        for key in ("right", "end", "b", "home", "n", "tab"):
            await pilot.press(key)
            await pilot.pause()
            assert screen_text(pilot)
        if size == (30, 8):
            assert "more room" in screen_text(pilot)
        else:
            assert "turn 1 of" in screen_text(pilot)
        assert screen.at == 0


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_records_are_only_text(name: str) -> None:
    """Names and codes of a file are drawn, never obeyed."""
    seats = tuple(replace(each, name=name) for each in GOOD.seats)
    async with replaying(replace(GOOD, seats=seats, room=name), (140, 40)) as (pilot, _):
        for key in ("end", "b", "pageup"):
            await pilot.press(key)
            await pilot.pause()
            text = screen_text(pilot)
            assert all(char.isprintable() or char == "\n" for char in text)


# The app.


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(folders({"NANA_HOME": str(tmp_path)}))


async def test_a_file_on_the_table(store: Store) -> None:
    """The app shows the replay at once, helps, and ends with it."""
    visits = Visits()
    app = NanaApp(LookBack(GOOD, 1), store, visits)
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.pause()
        assert "as B Bo saw it" in screen_text(pilot)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.pause()
        assert "one turn back, one on" in screen_text(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("escape")
    assert app.return_value == 0
    assert visits.goals == []


async def test_looking_back_at_the_table(store: Store) -> None:
    """After a game the arrows ask for its record once, show it, and go back; the next game too."""
    visits = Visits()
    over = replace(snapshot_of(finished(3)), game=2)
    app = NanaApp(JoinRoom(parse_room("ws://192.0.2.7:8765/r/KQ7MX")), store, visits)
    async with app.run_test() as pilot:
        await until(pilot, lambda: visits.play is not None)
        assert visits.play is not None
        visits.show(model_of(over))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await rested(pilot)
        assert "← replay" in screen_text(pilot)
        await pilot.press("left")
        assert visits.play.deeds == [("recall",)]
        visits.show(model_of(over, record=GOOD))
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        assert screen.at == screen.tape.last - 1
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("left")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        assert visits.play.deeds == [("recall",)]
        visits.show(model_of(replace(over, game=3, phase="opening", result=None)))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))


SENT = Recorded(id=None, game=2, record=Raw(compact(GOOD)))
MATCHING = replace(
    OVER,
    room=GOOD.room,
    game=2,
    deal=replace(OVER.deal, seed_hash=GOOD.deal.seed_hash),
    opened=replace(
        dealt(NONCES), hands=GOOD.deal.hands, center=GOOD.deal.center, first=GOOD.deal.first
    ),
)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        pytest.param(SENT, "", id="the game's own"),
        pytest.param(
            replace(SENT, record=Raw(compact(played(3, 1)))), "another game", id="another's"
        ),
        pytest.param(replace(SENT, record=Raw(b"[]")), "not the record of a game", id="none"),
    ],
)
async def test_a_session_recalls(sent: Recorded, shown: str, tmp_path: Path) -> None:
    """A record that is only looked at goes into the model alone; a wrong one is said."""

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Create)
        await peer.say(WELCOME, MATCHING)
        asked = await peer.hear(i.Export)
        assert asked.game is None
        await peer.say(replace(sent, id=asked.id), Bye(code="closed", text="", retry="never"))
        await peer.gone()

    async with house(script) as target:
        player = Player(target, Creating(name="Ann"), shelf=tmp_path)
        asked: list[bool] = []

        def recall() -> None:
            asked.extend([player.session.recall(), player.session.recall()])

        player.on[Snapshot] = recall
        await player.session.run()
    assert asked == [True, False]
    assert player.session.kept is None
    (model,) = [model for model, message in player.changes if isinstance(message, Recorded)]
    assert model.record == (None if shown else GOOD)
    assert shown in model.kept


def test_looking_back_in_lines() -> None:
    """In plain mode `replay` asks for the game that is over, and tells it whole when it comes."""
    said: list[str] = []
    table, play = Table(said.append), Recorder(Model(snapshot=OVER))
    table.session = play  # type: ignore[assignment]
    table.hear(play.model, OVER)
    table.obey("replay")
    assert play.deeds == [("recall",)]
    said.clear()
    table.hear(replace(play.model, record=GOOD), SENT)
    assert said == [line.rstrip() for line in lines(GOOD)]
    table.hear(replace(play.model, record=GOOD, kept="Saved: here"), SENT)
    assert said[-1] == "Saved: here"
    said.clear()
    table.obey("replay")
    table.hear(replace(play.model, record=replace(GOOD, actions="c1 c1")), SENT)
    assert said[-1].startswith("WRONG: Action 2")


@pytest.mark.parametrize("told", [True, False], ids=["refused", "never answered"])
@pytest.mark.parametrize("wish", ["replay", "save"])
def test_a_wish_that_came_too_early_is_forgotten(wish: str, told: bool) -> None:
    """When the game is over its record comes by itself, and is not told unasked."""
    said: list[str] = []
    running = replace(OVER, phase="playing", result=None, opened=None)
    table, play = Table(said.append), Recorder(Model(snapshot=running))
    table.session = play  # type: ignore[assignment]
    table.hear(play.model, running)
    table.obey(wish)
    if told:
        no = Error(id="x", code="wrong_phase", text="There is a record when a game is over.")
        table.hear(replace(play.model, error=no), no)
        assert said[-1] == f"No: {no.text}"
    else:
        table.hear(replace(play.model, snapshot=running), running)
    table.hear(Model(snapshot=OVER), OVER)
    said.clear()
    table.hear(Model(snapshot=OVER, record=GOOD), SENT)
    assert said == ["", TITLE, *summaries(GOOD)]


# The command.


def test_a_terminal_gets_the_table(tmp_path: Path) -> None:
    """`nana replay FILE` draws it on a terminal, is stepped by keys, and exits with 0."""
    file = tmp_path / "game.json"
    file.write_bytes(save(GOOD))
    master, slave = pty.openpty()
    environ = {**os.environ, "TERM": "xterm-256color", "NANA_HOME": str(tmp_path)}
    with nana("replay", str(file), stdout=slave, stdin=slave, stderr=slave, env=environ) as process:
        os.close(slave)
        try:
            reads(master, "DEALT")
            os.write(master, b"\x1b[F")
            reads(master, " wins")
            os.write(master, b"q")
            reads(master, "\x1b[?1049l")
            process.wait(timeout=30)
        finally:
            process.kill()
            os.close(master)
    assert process.returncode == 0


def reads(terminal: int, words: str) -> None:
    """Read what is drawn until some words are among it."""
    drawn = ""
    while words not in drawn:
        ready, _, _ = select.select([terminal], [], [], 30)
        assert ready, f"{words!r} never came"
        drawn += os.read(terminal, 65536).decode(errors="replace")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(b"hello", "not the record of a game", id="foreign"),
        pytest.param(save(GOOD)[:200], "damaged", id="cut off"),
        pytest.param(
            save(replace(GOOD, deal=replace(GOOD.deal, center=(1,)))), "impossible", id="no deal"
        ),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, why: str
) -> None:
    """No screen opens for a file that is damaged or something else."""
    file = tmp_path / "game.json"
    file.write_bytes(content)
    assert run_drawn(file, None) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("nana: ")
    assert why in said.err
    assert said.err.count("\n") == 1
    file.write_bytes(save(GOOD))
    assert run_drawn(file, "E") == 2
    assert "Nobody sat at E" in capsys.readouterr().err
