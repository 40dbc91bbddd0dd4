"""A recorded game told: what each pair of eyes sees, how it reads, and what files can do."""

import os
import pty
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from core.games import PLAYERS, completing, in_words, random_deal, random_game
from core.test_record import GOOD, _dealt_anew, _fixed_record, good_record
from nana_client.cli import run
from nana_client.replay import Line, Replay
from nana_core.actions import Continue
from nana_core.deck import Deal, Seat
from nana_core.game import Ended, Game, Table, apply, begin
from nana_core.notation import play
from nana_core.record import Record, RecordedDeal, Unreadable, positions, save
from nana_core.text import flaw_in, width

COLUMNS: Final = 80


def lines(record: Record, seat: Seat | None = None) -> list[str]:
    """Tell a record in plain lines."""
    pages = Replay(record, seat).pages()
    return [plain(line) for page in pages for line in page]


def plain(line: Line) -> str:
    return "".join(piece.text for piece in line)


def record_of(deal: Deal, actions: str, result: Any, **changes: Any) -> Record:
    """Make a record that plays, whatever its seeds would have dealt."""
    seats = (GOOD.seats * 2)[: len(deal.hands)]
    dealt = RecordedDeal(
        seed_hash="", seed="", rotated=False, hands=deal.hands, center=deal.center,
        first="ABCDE"[deal.first],
    )  # fmt: skip
    record = replace(GOOD, seats=seats, deal=dealt, actions=actions, result=result)
    return replace(record, **changes)


def played(players: int, seed: int) -> Record:
    """Make the record of a random game."""
    rng = Random(f"replay/{players}/{seed}")
    deal = random_deal(players, rng)
    actions = random_game(deal, rng, knowing=0.3)
    result = play(deal, actions).table.result
    return record_of(deal, in_words(actions), result)


def test_all_hands_open() -> None:
    """Hands, center, each turn with its cards, the table after each set, the end, the proof."""
    text = "\n".join(lines(GOOD))
    deal = GOOD.deal
    assert text.startswith("Room KQ7MX, game 2 - all hands open\n")
    for name, hand in zip(("A Ann", "B Bo", "C Cy"), deal.hands, strict=True):
        assert f"{name:<16}{''.join(f'{card:>3}' for card in hand)}" in text
    assert "".join(f"{card:>3}" for card in deal.center) in text
    assert f"{deal.first} {GOOD.seats['ABC'.index(deal.first)].name} begins (drawn" in text
    *_, last = games(GOOD)
    turns = [line for line in text.splitlines() if line[:4].strip().isdigit()]
    assert [int(line[:4]) for line in turns] == list(range(1, last.table.turn + 1))
    assert sum("takes the" in line for line in turns) == sum(map(len, last.table.sets))
    assert " wins: " in text
    assert "Verified: deal, " in text
    assert "?" not in text


def games(record: Record) -> list[Game]:
    return list(positions(record))


def test_through_one_seat_s_eyes() -> None:
    """One's own hand, others' cards counted, the center face down; everything at the end."""
    told = lines(GOOD, 1)
    assert told[0] == "Room KQ7MX, game 2 - as B Bo saw it"
    row = {line[6:10].strip(): line[22:] for line in told[2:7]}
    assert row["A An"] == row["C Cy"] == "  ?" * 8
    assert row["B Bo"] == "".join(f"{card:>3}" for card in GOOD.deal.hands[1])
    assert told[6][22:] == "  ?" * 9
    end = next(at for at, line in enumerate(told) if " wins: " in line)
    assert not any("?" in line for line in told[end:])
    assert told[end:] == lines(GOOD)[-len(told) + end :]


@pytest.mark.parametrize("players", PLAYERS)
def test_a_seat_sees_nothing_hidden(players: int) -> None:
    """Deal anew what it could not see: until the end, each line is the same."""
    compared = 0
    for seed in range(12):
        record = played(players, seed)
        for seat in range(players):
            other = redealt(record, seat, Random(f"{seed}/{seat}"))
            if other is None:
                continue
            one, two = (until_the_end(each, seat) for each in (record, other))
            assert one == two
            assert lines(record)[:8] != lines(other)[:8]
            compared += 1
    assert compared > 10


def until_the_end(record: Record, seat: Seat) -> list[str]:
    *pages, _end = Replay(record, seat).pages()
    return [plain(line) for page in pages for line in page]


def redealt(record: Record, seat: Seat, rng: Random) -> Record | None:
    """Exchange hidden cards so that every public table stays what it was."""
    deal = Deal(record.deal.hands, record.deal.center, "ABCDE".index(record.deal.first))
    public = tables(deal, record.actions)
    for _ in range(80):
        piles = [list(hand) for hand in deal.hands] + [list(deal.center)]
        spots = [(p, at) for p in range(len(piles)) if p != seat for at in range(len(piles[p]))]
        (p, a), (q, b) = rng.sample(spots, 2)
        if piles[p][a] == piles[q][b]:
            continue
        piles[p][a], piles[q][b] = piles[q][b], piles[p][a]
        *hands, center = piles
        other = Deal(tuple(tuple(sorted(hand)) for hand in hands), tuple(center), deal.first)
        try:
            same = other != deal and tables(other, record.actions) == public
        except Unreadable:
            continue
        if same:
            fresh = replace(record.deal, hands=other.hands, center=other.center)
            return replace(record, deal=fresh)
    return None


def tables(deal: Deal, actions: str) -> list[Table]:
    return [game.table for game in games(record_of(deal, actions, None))]


@pytest.mark.parametrize("seat", [None, 0, 4])
def test_it_fits_eighty_columns(seat: Seat | None) -> None:
    """Five wide names, high cards, long turns and stand-ins: no line is wider than 80."""
    for name in ("奈" * 10, "W" * 20, "Å" * 30, "x"):
        record = played(5, 3)
        seats = tuple(replace(each, name=name, kind="bot") for each in record.seats)
        record = replace(record, seats=seats, stand_ins=tuple(range(1, 2001)), game=2**53)
        told = lines(record, seat)
        widest = max(width(line) for line in told if not line.startswith("WRONG"))
        assert widest <= COLUMNS, [line for line in told if width(line) == widest]


@pytest.mark.parametrize(
    "name",
    ["\x1b[31mred\x1b]0;title\x07", "a\nb\rc", "\u202eevil", "[/] [@click=app.quit]x[/]", "\x9b2J"],
)
def test_hostile_names_are_harmless(name: str) -> None:
    """Nothing in a file reaches a terminal but text."""
    seats = tuple(replace(each, name=name) for each in GOOD.seats)
    for line in lines(replace(GOOD, seats=seats, room=name)):
        assert flaw_in(" ".join(line.split()) or "-", 400) is None


def test_a_game_that_was_ended_in_the_middle() -> None:
    """The unfinished attempt is told once, shown ones not twice, and nobody wins."""
    deal = random_deal(2, Random(1))
    reveal = in_words(completing(begin(deal))[:1])
    told = lines(record_of(deal, reveal, Ended("host")))
    (turn,) = [line for line in told if line.startswith("   1  ")]
    assert turn.endswith("not finished")
    assert "The host ended the game; nobody wins." in told
    whole = in_words(completing(begin(deal)))
    told = lines(record_of(deal, whole, Ended("host")))
    assert len([line for line in told if line.startswith("   1  ")]) == 1
    told = lines(record_of(deal, f"{whole} .", Ended("host")))
    assert not [line for line in told if line.startswith("   2  ")]
    assert not [line for line in lines(record_of(deal, "", Ended("host"))) if "not fin" in line]


def test_collected_cards_are_gone_from_the_table() -> None:
    """After a set the table is told as the next player finds it."""
    deal = random_deal(2, Random(1))
    whole = completing(begin(deal))
    game = apply(play(deal, whole), 1 - deal.first, Continue())
    told = "\n".join(lines(record_of(deal, in_words(whole), Ended("host"))))
    after = told.split("takes the")[1]
    for hand in game.secrets.hands:
        assert "".join(f"{card:>3}" for card in hand) in after
    assert after.count("  .") == game.table.center.count("gone")
    assert "has the 1s" in after


@pytest.mark.parametrize("actions", ["c1 c1", "zz", "."])
def test_a_game_that_breaks_the_rules_ends_there(actions: str) -> None:
    """What can be told is told; then comes the sentence."""
    told = Replay(replace(GOOD, actions=actions)).pages()
    next(told)
    with pytest.raises(Unreadable, match="Action"):
        list(told)


def test_a_wrong_record_says_so_at_its_end() -> None:
    """A game that can be played and does not follow from its seeds is no good record."""
    told = lines(played(3, 1))
    assert any(line.startswith("WRONG") for line in told)
    assert not any("Verified" in line for line in told)


# The commands.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(save(GOOD))
    return path


class Typed(StringIO):
    """Standard input that counts how often it was asked."""

    asked = 0

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        self.asked += 1
        return super().readline(-1 if size is None else size)


def test_replay_prints_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal it is bare text, line for line, and the exit code is 0."""
    assert run(["replay", str(file)]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [line.rstrip() for line in lines(GOOD)]
    assert "\x1b" not in said.out
    assert said.err == ""
    assert run(["replay", str(file), "--seat", "b"]) == 0
    assert capsys.readouterr().out.splitlines() == [line.rstrip() for line in lines(GOOD, 1)]


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        pytest.param("\n" * 400, None, id="Enter to the end"),
        pytest.param("\n\nq\n", 3, id="q ends it"),
        pytest.param("\n\n", 3, id="the end of input shows the rest"),
    ],
)
def test_stepping(
    file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    asked: int | None,
) -> None:
    """Each Enter brings the next turn."""
    keys = Typed(typed)
    monkeypatch.setattr(sys, "stdin", keys)
    assert run(["replay", str(file), "--step"]) == 0
    told, whole = capsys.readouterr().out.splitlines(), [line.rstrip() for line in lines(GOOD)]
    pages = list(Replay(GOOD).pages())
    assert keys.asked == (len(pages) if asked is None else asked)
    assert told == (whole[: sum(map(len, pages[:3]))] if "q" in typed else whole)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(None, "There is no file", id="no file"),
        pytest.param(b"hello", "not the record of a game", id="something else"),
        pytest.param(save(GOOD)[:200], "This record is damaged", id="cut off"),
        pytest.param(save(replace(GOOD, format=2)), "update this one", id="newer"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_files_that_cannot_be_read(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    content: bytes | None,
    why: str,
) -> None:
    """One sentence on stderr, nothing on stdout, exit code 2."""
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    assert run([command, str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("nana: ")
    assert why in said.err
    assert said.err.count("\n") == 1
    assert run([command, str(tmp_path)]) == 2
    assert "cannot be read: Is a directory" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_bare_name_is_that_of_a_game_kept(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    """What is here comes first, then what is kept; without either one hears of the list."""
    monkeypatch.setenv("NANA_HOME", str(tmp_path))
    kept = tmp_path / "data" / "records"
    kept.mkdir(parents=True)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert run([command, "nana-KQ7MX-1.json"]) == 2
    assert capsys.readouterr().err == (
        f"nana: There is no file nana-KQ7MX-1.json here or in {kept}; "
        "`nana replay` without a FILE lists the games kept there.\n"
    )
    (kept / "nana-KQ7MX-1.json").write_bytes(save(GOOD))
    assert run([command, "nana-KQ7MX-1.json"]) == 0
    assert capsys.readouterr().err == ""
    assert run([command, "elsewhere/nana-KQ7MX-1.json"]) == 2
    assert "There is no file elsewhere" in capsys.readouterr().err
    (here / "nana-KQ7MX-1.json").write_bytes(b"hello")
    assert run([command, "nana-KQ7MX-1.json"]) == 2
    assert "not the record of a game" in capsys.readouterr().err


def test_a_seat_that_nobody_had(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seats are letters; one beyond the table is told which there are."""
    assert run(["replay", str(file), "--seat", "D"]) == 2
    assert "Nobody sat at D in this game; its seats are A-C." in capsys.readouterr().err
    with pytest.raises(SystemExit) as exit_:
        run(["replay", str(file), "--seat", "F"])
    assert exit_.value.code == 2


def test_a_broken_game_is_exit_code_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Told as far as it goes; the reason is its last line."""
    file.write_bytes(save(replace(GOOD, actions="c1 c1")))
    assert run(["replay", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("WRONG: Action 2 (c1) is refused")
    file.write_bytes(save(played(3, 1)))
    assert run(["replay", str(file)]) == 1


def test_verify_in_plain_words(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what holds, what that proves, and what no file can; doubts are no faults."""
    assert run(["verify", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Room KQ7MX, game 2, 3 players\n  ok     The server's seed")
    assert "The record agrees with itself" in out
    assert "What no file can prove" in out
    assert "open " not in out
    assert max(map(len, out.splitlines())) <= COLUMNS
    seats = tuple(replace(seat, nonce=None) for seat in GOOD.seats)
    file.write_bytes(save(replace(GOOD, seats=seats)))
    assert run(["verify", str(file)]) == 1
    out = capsys.readouterr().out
    assert "  open   A Ann: not proven" in out
    assert "  WRONG  The deal does not follow" in out
    assert "This record is WRONG" in out
    assert "agrees with itself" not in out


def test_a_record_without_nonces_is_open_not_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bots alone commit to nothing: nothing is wrong, and the doubt is said."""
    file = tmp_path / "game.json"
    file.write_bytes(save(_dealt_anew(tuple(replace(seat, nonce=None) for seat in GOOD.seats))))
    assert run(["verify", str(file)]) == 0
    assert "Where one is open, a number is missing" in capsys.readouterr().out


def test_verify_calls_a_fixed_deal_fixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is wrong with it; nobody is told that the cards follow from secret numbers."""
    file = tmp_path / "game.json"
    file.write_bytes(save(_fixed_record()))
    assert run(["verify", str(file)]) == 0
    out = capsys.readouterr().out
    assert "  open   Fixed deals: whoever ran the server chose them" in out
    assert "it was no fair deal" in out
    assert "secret numbers" not in out


def nana(*args: str, **more: Any) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "nana_client", *args], **more)


def test_a_pipe_that_closes_early_is_no_trouble(tmp_path: Path) -> None:
    """`nana replay FILE | head -1` ends quietly."""
    file = tmp_path / "game.json"
    file.write_bytes(save(good_record(5)))
    reader, writer = os.pipe()
    os.close(reader)
    with nana("replay", str(file), stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (0, b"")


@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_gets_style(file: Path, colour: bool) -> None:
    """On a terminal sets are green and names bold; with NO_COLOR weight alone is left."""
    master, slave = pty.openpty()
    environ = {**os.environ, "TERM": "xterm-256color", **({} if colour else {"NO_COLOR": "1"})}
    with nana(
        "replay", str(file), "--print", stdout=slave, stdin=slave, stderr=slave, env=environ
    ) as process:
        os.close(slave)
        out = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not piece:
                break
            out += piece
        process.wait(timeout=30)
    os.close(master)
    assert b"\x1b[1m" in out
    assert (b"32m" in out) is colour
    bare = re.sub(rb"\x1b\[[0-9;]*m", b"", out).decode().replace("\r\n", "\n")
    assert bare.splitlines() == [line.rstrip() for line in lines(GOOD)]
