"""The games that were played: kept by themselves, bounded, listed, whatever else lies there."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest
from msgspec import Raw
from msgspec.structs import replace

from client.tables import HELLO, WELCOME, Peer, house
from client.test_replay_table import HOSTILE, MATCHING
from client.test_replay_table import SENT as RECALLED
from client.test_session import Player
from client.test_shelf import SENT
from core.test_record import GOOD
from nana_client.cli import run
from nana_client.entrance import Creating
from nana_client.keyboard import Keyboard
from nana_client.plain_games import LISTED, PlainGames
from nana_client.played import GAMES_MOST, About, Keeper, Shelf, delete, drop_oldest, played
from nana_client.played_says import details, lines, outcome, players, turns, when
from nana_client.session import Session
from nana_client.settings import Settings
from nana_client.store import Store, folders
from nana_core.game import Ended, Won
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Bye, Recorded, Snapshot
from nana_core.record import Record, compact, save

NOW = 1_764_536_400.0  # 30 November 2025, 21:00 UTC
AT_HOME = "ws://127.0.0.1:8765/"


def keeper(folder: Path, *, wanted: bool = True, at: float = NOW) -> Keeper:
    return Keeper(folder, lambda: wanted, lambda: at)


def sent(record: Record) -> Recorded:
    return Recorded(id=None, game=record.game, record=Raw(compact(record)))


def put(folder: Path, name: str, data: bytes, at: float = NOW) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    os.utime(path, (at, at))
    return path


def test_a_game_is_kept_with_what_the_record_does_not_say(tmp_path: Path) -> None:
    """When, where and from which seat stand beside the file, for its owner alone."""
    assert keeper(tmp_path).keep(SENT, MATCHING, AT_HOME) == ""
    (game,) = Shelf(tmp_path).games()
    assert game.record == GOOD
    assert game.about == About(at=int(NOW), server=AT_HOME, seat="A")
    assert game.path.name == "nana-KQ7MX-2.json"
    if os.name == "posix":
        assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}


def test_nothing_is_kept_by_itself_where_that_is_not_wanted(tmp_path: Path) -> None:
    """The setting holds; what somebody asks for is saved all the same."""
    none = keeper(tmp_path, wanted=False)
    assert none.keep(SENT, MATCHING, "") == ""
    assert played(tmp_path) == ()
    assert none.save(SENT, MATCHING, "").path is not None
    (game,) = played(tmp_path)
    assert game.about is not None
    assert game.about.saved


def test_what_was_kept_and_is_saved_is_one_file(tmp_path: Path) -> None:
    """Saved for good it stays the game of its own time; kept once more it stays saved."""
    keeper(tmp_path).keep(SENT, MATCHING, "")
    keeper(tmp_path, at=NOW + 60).save(SENT, None, AT_HOME)
    keeper(tmp_path, at=NOW + 90).keep(SENT, MATCHING, AT_HOME)
    (game,) = played(tmp_path)
    assert game.about == About(at=int(NOW), server="", seat="A", saved=True)


def test_only_so_many_are_kept_by_themselves(tmp_path: Path) -> None:
    """The oldest goes when another comes; never one that was saved, nor one from elsewhere."""
    other = put(tmp_path, "from-bo.json", save(GOOD), at=1.0)
    keeper(tmp_path, at=2.0).save(sent(replace(GOOD, game=900)), None, "")
    for at in range(GAMES_MOST + 2):
        keeper(tmp_path, at=10.0 + at).keep(sent(replace(GOOD, game=1 + at)), MATCHING, "")
    names = [game.path.name for game in played(tmp_path)]
    assert names[:2] == [f"nana-KQ7MX-{GAMES_MOST + 2}.json", f"nana-KQ7MX-{GAMES_MOST + 1}.json"]
    assert names[-3:] == ["nana-KQ7MX-3.json", "nana-KQ7MX-900.json", other.name]
    assert len(names) == GAMES_MOST + 2
    assert len([*tmp_path.iterdir()]) == 2 * GAMES_MOST + 3


def test_a_disk_that_fails_is_told(tmp_path: Path) -> None:
    """What could not be kept is a sentence, and no crash."""
    (tmp_path / "records").write_text("in the way")
    assert "could not be saved" in keeper(tmp_path / "records").keep(SENT, MATCHING, "")
    drop_oldest(tmp_path / "records", 0)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"", "is not the record of a game", id="empty"),
        pytest.param(b'{"record":"nana","format":1,', "damaged", id="cut off"),
        pytest.param(save(GOOD)[:-40], "damaged", id="half"),
        pytest.param(b'{"record":"nana","format":9,"rules":1}', "update this one", id="newer"),
        pytest.param(b"[" * 9000, "is not the record of a game", id="deep"),
        pytest.param(b"\x00\xff" * 800_000, "far too large", id="huge"),
        pytest.param(
            save(replace(GOOD, deal=replace(GOOD.deal, center=(1,)))), "impossible", id="no deal"
        ),
        pytest.param(save(replace(GOOD, seats=())), "more or fewer seats", id="no seats"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, data: bytes, why: str) -> None:
    """A damaged file stands among the others, with the reason."""
    put(tmp_path, "a.json", data)
    put(tmp_path, "b.json", save(GOOD), NOW - 5)
    broken, good = played(tmp_path)
    assert (broken.record, good.record) == (None, GOOD)
    assert why in broken.why
    assert why in " ".join(details(broken))
    assert why in next(iter(lines([broken])))


def test_whatever_else_lies_there(tmp_path: Path) -> None:
    """A folder, a pipe that nobody writes into, a link to nowhere: none is waited for."""
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "gone")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        os.mkfifo(tmp_path / "nowhere.about")
    put(tmp_path, "folder.about", b'{"at":-1}')
    put(tmp_path, "nana-KQ7MX-1.txt", b"not listed")
    assert {game.why for game in played(tmp_path)} == {"This is no file."}
    assert all(game.about is None for game in played(tmp_path))
    (folder,) = (game for game in played(tmp_path) if game.path.name == "folder.json")
    assert "could not be deleted" in Shelf(tmp_path).delete(folder)


@pytest.mark.skipif(os.name != "posix", reason="names and links as POSIX has them")
def test_one_file_hides_no_other(tmp_path: Path) -> None:
    """A name too long for a note, links to what is no name, a loop: a row each, with its reason."""
    long = put(tmp_path, "a" * 250 + ".json", save(GOOD))
    put(tmp_path, "b.json", save(GOOD))
    (tmp_path / "c.json").symlink_to("x" * 300)
    (tmp_path / "d.json").symlink_to(tmp_path / "d.json")
    (tmp_path / "b.about").symlink_to("y" * 300)
    games = {game.path.name[0]: game for game in played(tmp_path)}
    assert (games["a"].record, games["b"].record) == (GOOD, GOOD)
    assert games["c"].why == "It cannot be read: File name too long."
    assert games["d"].why == "This is no file."
    assert Shelf(tmp_path).delete(games["a"]) == ""
    assert not long.exists()


def test_a_link_to_where_one_may_not_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so, and nothing else is hidden by it."""
    put(tmp_path, "a.json", save(GOOD))
    put(tmp_path, "b.json", save(GOOD))
    is_file = Path.is_file

    def refused(path: Path) -> bool:
        if path.name == "a.json":
            _refused()
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refused)
    games = {game.path.name: game for game in played(tmp_path)}
    assert games["a.json"].why == "It cannot be read: Permission denied."
    assert games["b.json"].record == GOOD


@pytest.mark.skipif(os.name != "posix", reason="the files that POSIX has")
@pytest.mark.parametrize(
    ("made", "why"),
    [
        pytest.param(lambda path: path.write_text(""), "Not a directory", id="a file"),
        pytest.param(os.mkfifo, "Not a directory", id="a pipe"),
        pytest.param(lambda path: path.symlink_to(path), "Too many levels", id="a loop"),
        pytest.param(lambda path: path.symlink_to("gone"), "No such file", id="to nowhere"),
    ],
)
def test_a_folder_that_is_none(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    made: Callable[[Path], object],
    why: str,
) -> None:
    """What is in its place is said: it is not that no game was kept yet."""
    monkeypatch.setenv("NANA_HOME", str(tmp_path))
    records = Store(folders()).records
    records.parent.mkdir(parents=True, exist_ok=True)
    made(records)
    assert run(["replay"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert why in err
    assert why in next(PlainGames(Shelf(records)).listed(Keyboard(), kept=True))


def test_a_disk_that_is_full_for_the_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its note a game would stay for ever: it goes again; one that was saved stays."""
    fdopen, full = os.fdopen, True

    def opened(number: int, mode: str) -> Any:
        file = fdopen(number, mode)
        write = file.write

        def written(data: bytes) -> int:
            if full and len(data) < 200:  # a note
                raise OSError(28, "No space left on device")
            return write(data)

        return _Writing(file, written)

    monkeypatch.setattr(os, "fdopen", opened)
    assert "No space left" in keeper(tmp_path).keep(SENT, MATCHING, "")
    assert [*tmp_path.iterdir()] == []
    assert keeper(tmp_path).save(SENT, MATCHING, "").path is not None
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
    assert keeper(tmp_path).keep(SENT, MATCHING, "") == ""  # the file is there already
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
    full = False
    assert keeper(tmp_path).keep(sent(replace(GOOD, game=7)), MATCHING, "") == ""
    full = True
    kept = keeper(tmp_path).save(sent(replace(GOOD, game=7)), None, "")
    assert "No space left" in kept.text  # its note says that it may be dropped
    assert not [*tmp_path.glob("*.new")]


class _Writing:
    """A file that writes in its own way."""

    def __init__(self, file: Any, write: Callable[[bytes], int]) -> None:
        self._file, self.write = file, write

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


@pytest.mark.parametrize("note", [b"", b"[]", b'{"at":1e400}', b'{"at":99999999999999}', b"\xff"])
def test_a_note_that_cannot_be_read_is_none(tmp_path: Path, note: bytes) -> None:
    """The record counts, at the time of its file."""
    put(tmp_path, "a.json", save(GOOD), at=-5e9)
    put(tmp_path, "a.about", note)
    (game,) = played(tmp_path)
    assert (game.about, game.at, game.record) == (None, 0.0, GOOD)


def test_deleting_takes_both_files(tmp_path: Path) -> None:
    """Nothing stays of a game; deleting it once more is no fault."""
    keeper(tmp_path).keep(SENT, MATCHING, "")
    (game,) = played(tmp_path)
    assert [Shelf(tmp_path).delete(game), Shelf(tmp_path).delete(game)] == ["", ""]
    assert [*tmp_path.iterdir()] == []
    delete(game.path)


@pytest.mark.parametrize(
    ("result", "stars", "how"),
    [
        pytest.param(Won(0, ()), "★Ann, Bo, Cy", "won", id="one's own"),
        pytest.param(Won(2, ()), "Ann, Bo, ★Cy", "lost", id="another's"),
        pytest.param(Won(7, ()), "Ann, Bo, Cy", "-", id="nobody's"),
        pytest.param(Won(-1, ()), "Ann, Bo, Cy", "-", id="below"),
        pytest.param(Ended("cap"), "Ann, Bo, Cy", "-", id="ended"),
        pytest.param(None, "Ann, Bo, Cy", "-", id="none"),
    ],
)
def test_who_won(tmp_path: Path, result: Any, stars: str, how: str) -> None:
    """A star stands at the winner; a seat that was not there has won nothing."""
    record = replace(GOOD, result=result)
    keeper(tmp_path).keep(sent(record), MATCHING, "")
    (game,) = played(tmp_path)
    assert players(record) == stars
    assert outcome(game) == how
    assert outcome(replace(game, about=None)) in {"", "-"}
    told = " ".join(details(game))
    assert "A Ann (you), B Bo, C Cy" in told
    assert "against bots" in told
    assert ("obody won" in told) == ("★" not in stars)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_cleaned(tmp_path: Path, name: str) -> None:
    """Names, rooms and reasons of a file reach no terminal as they are."""
    seats = tuple(replace(seat, name=name) for seat in GOOD.seats)
    put(tmp_path, "a.json", save(replace(GOOD, room=name, seats=seats)))
    (game,) = played(tmp_path)
    told = [*details(game), *lines([game]), players(game.record or GOOD)]
    assert all(line.isprintable() for line in told)
    assert all("\x1b" not in line and "\u202e" not in line for line in told)


def test_when_it_was() -> None:
    """The time today, the day before, the year when it is long ago."""
    assert when(NOW - 3, NOW).startswith("today ")
    assert when(NOW - 86_400 * 2, NOW)[:6] == "28 Nov"
    assert when(NOW - 86_400 * 400, NOW)[:5] == "2024-"
    assert all(len(when(at, NOW)) <= 12 for at in (0.0, NOW, NOW - 86_400 * 9, 4_102_444_800.0))
    assert turns(GOOD) == GOOD.actions.split().count(".") + 1


async def gone_back_to(
    shown: Snapshot, sent_one: Recorded, shelf: Path, *, keeps: bool = True
) -> Session:
    """Come back to a game that is over, and be sent a record when it is asked for."""

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Create)
        await peer.say(replace(WELCOME, resumed=True), shown)
        asked = await peer.hear(i.Export)
        await peer.say(replace(sent_one, id=asked.id), Bye(code="closed", text="", retry="never"))
        await peer.gone()

    async with house(script) as target:
        session = Player(target, Creating(name="Ann"), shelf=shelf).session
        session._place.curious = True
        assert session._keeper is not None
        session._keeper = replace(session._keeper, wanted=lambda: keeps)
        await session.run()
    return session


@pytest.mark.parametrize(
    ("keeps", "names"),
    [pytest.param(True, ["nana-KQ7MX-2.json"], id="on"), pytest.param(False, [], id="off")],
)
async def test_a_session_keeps_its_persons_games(
    tmp_path: Path, keeps: bool, names: list[str]
) -> None:
    """As soon as a game is over its record is asked for and kept, without a word of it."""
    session = await gone_back_to(MATCHING, RECALLED, tmp_path, keeps=keeps)
    assert [game.path.name for game in played(tmp_path)] == names
    assert session.model.kept == ""
    assert session.kept is None


@pytest.mark.parametrize("sent_one", [replace(RECALLED, record=Raw(b"[]")), SENT])
async def test_what_is_not_of_the_game_is_not_kept(tmp_path: Path, sent_one: Recorded) -> None:
    """A server that sends another game's record, or none, leaves nothing on the disk."""
    shown = replace(MATCHING, deal=replace(MATCHING.deal, seed_hash="00"))
    await gone_back_to(shown, sent_one, tmp_path)
    assert played(tmp_path) == ()


def test_in_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`nana replay` without a file lists the games where nothing can be drawn; each path works."""
    monkeypatch.setenv("NANA_HOME", str(tmp_path))
    assert run(["replay"]) == 0
    assert "No game is kept here yet" in capsys.readouterr().out
    store = Store(folders())
    store.remember(Settings(keep_games=False))
    assert run(["replay"]) == 0
    assert "none is kept by itself" in capsys.readouterr().out
    keeper(store.records).keep(SENT, MATCHING, "")
    put(store.records, "broken.json", b"{}", NOW - 9)
    assert run(["replay", "--print"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "KQ7MX game 2" in first
    assert "cannot be looked at" in second
    assert run(["replay", first.split()[-1]]) == 0
    assert "Room KQ7MX, game 2" in capsys.readouterr().out
    assert run(["replay", second.split()[-1]]) == 2


def test_a_folder_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said, and the exit code tells."""
    monkeypatch.setenv("NANA_HOME", str(tmp_path))
    monkeypatch.setattr(Path, "iterdir", _refused)
    Store(folders()).records.mkdir(parents=True)
    assert run(["replay"]) == 1
    assert "cannot be read: Permission denied" in capsys.readouterr().err


def _refused(*_: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_only_what_fits_is_asked_of_a_list() -> None:
    """A seat's eyes and steps are for one game."""
    for wrong in (["replay", "--seat", "B"], ["replay", "--step"]):
        with pytest.raises(SystemExit) as exit_:
            run(wrong)
        assert exit_.value.code == 2


def test_in_plain_mode(tmp_path: Path) -> None:
    """`games` numbers the newest, `replay N` tells one; a damaged one and no number are said."""
    plain = PlainGames(Shelf(tmp_path))
    (said,) = plain.listed(Keyboard(), kept=True)
    assert "No game is kept here yet" in said
    put(tmp_path, "broken.json", b"{}", NOW)
    for at in range(LISTED + 4):
        put(tmp_path, f"{at}.json", save(GOOD), NOW - 1 - at)
    first, second, *_, more, how = plain.listed(Keyboard(), kept=True)
    assert "  1  " in first
    assert "cannot be looked at" in first
    assert "KQ7MX game 2" in second
    assert more.startswith("And 5 more")
    assert "replay 1" in how
    assert "cannot be told" in " ".join(plain.told("1"))
    assert next(plain.told("2")) == "Room KQ7MX, game 2 - all hands open"
    for wrong in ("", "0", "99", "-1", "x", "²", "9" * 5000):
        assert [*plain.told(wrong)] == ["Type games for the list, then replay and a number of it."]
