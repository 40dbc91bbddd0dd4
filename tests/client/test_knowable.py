"""The evening's talk: what could be known when, told in lines, after a game and beside a replay."""

from pathlib import Path
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from client.tables import LOBBY, WELCOME
from nana_client.entrance import Joining
from nana_client.knowable import TITLE, margin, summaries, talk
from nana_client.place import Place
from nana_client.replay_tape import Tape
from nana_core import record as records
from nana_core.deck import LETTERS
from nana_core.game import Ended
from nana_core.notation import parse_game
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Recorded
from nana_core.record import Record, RecordedDeal, RecordedSeat

# A takes the 3s, B misses, and A lets the 10s lie, which would have won.
GAME = (
    "3.3.3.4.5.6.7.8.10.10/1.1.1.2.2.2.4.5.6.7 | 4.5.6.7.8.8.9.9.9.10 | B : "
    "c10 c1 . a< a< a< . b< b< b< . c1 c2 . b< b< b< . c3 c4"
)


def record_of(text: str = GAME, **changes: Any) -> Record:
    deal, _ = parse_game(text)
    dealt = RecordedDeal("", "", False, deal.hands, deal.center, LETTERS[deal.first])
    seats = (RecordedSeat("Ann", "person"), RecordedSeat("Bo\x1b[2J", "bot"))
    actions = text.partition(":")[2].strip()
    record = Record(1, 1, "KQ7MX", 1, seats, dealt, actions, Ended("host"))
    return replace(record, **changes)


def test_each_seat_has_a_line() -> None:
    """A score where there was a chance, and nothing of a terminal's codes in a name."""
    assert summaries(record_of()) == (
        "A Ann: memory 33%, took 1 of 3 sure chances.",
        "B Bo[2J: memory 67%, took 2 of 3 sure chances.",
    )


def test_the_whole_talk() -> None:
    """Who let what lie, when, and what it would have meant; and since when each set was open."""
    assert list(talk(record_of())) == [
        TITLE,
        "  A Ann: memory 33%, took 1 of 3 sure chances.",
        "      turn 4: could know the 10s, and would have won.",
        "      turn 6: could know the 10s, and would have won.",
        "  B Bo[2J: memory 67%, took 2 of 3 sure chances.",
        "      turn 1: could know the 1s.",
        "  the 1s: B from turn 1",
        "  the 2s: B from turn 4",
        "  the 3s: A from turn 1",
        "  the 10s: A from turn 2",
    ]


def test_a_record_that_cannot_be_followed_is_not_talked_of() -> None:
    """Where the cards cannot have been played so, nothing is claimed."""
    broken = record_of(actions="c1 c1")
    assert (list(talk(broken)), summaries(broken)) == ([], ())


def test_beside_a_replay() -> None:
    """Through a seat's eyes, or those of the seat on turn; at the end the sum for everybody."""
    tape = Tape(record_of())
    assert list(margin(tape, 0, None)) == []
    fourth = next(n for n, game in enumerate(tape.frames) if game.table.turn == 4)
    assert list(margin(tape, fourth, None)) == [
        "A Ann could know the 10s, and would have won: a chance let lie."
    ]
    assert list(margin(tape, fourth, 1)) == ["From here on B Bo[2J could know the 2s."]
    second = next(n for n, game in enumerate(tape.frames) if game.table.turn == 2)
    assert "From here on A Ann could know the 10s." in margin(tape, second, 0)
    assert tuple(margin(tape, tape.last, None)) == summaries(tape.record)


def test_a_person_is_told_when_the_game_is_over(tmp_path: Path) -> None:
    """The record is asked for once, by itself; what it says stands among the lines."""
    here = Place(Joining(name="Ann"), bytes)
    here.curious = True
    here.receive(replace(WELCOME, resumed=True), 0)
    kept = record_of()
    over = replace(LOBBY, phase="over", version=5, game=1)
    for _ in range(2):
        here.receive(over, 0)
    (asked,) = here.outbox
    assert isinstance(asked, i.Export)
    here.look_back(Recorded(id=asked.id, game=1, record=Raw(records.compact(kept))))
    if here.model.record is not None:
        assert [line.text for line in here.model.lines] == list(summaries(kept))


def test_who_is_not_curious_asks_for_nothing() -> None:
    """A bot, or a place that nobody looks at, leaves the record where it is."""
    here = Place(Joining(name="Ann"), bytes)
    here.receive(WELCOME, 0)
    here.receive(replace(LOBBY, phase="over", version=5), 0)
    assert here.outbox == []
