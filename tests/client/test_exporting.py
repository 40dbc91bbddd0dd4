"""`nana export`: in, ask, save, out again, and the seat stays one's own."""

from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Raw
from msgspec.structs import replace

from client.tables import HELLO, LOBBY, ROOM, WELCOME, Peer, house
from core.test_record import GOOD
from nana_client.address import Target
from nana_client.exporting import LIST, Export, run_export
from nana_client.played import About, Shelf
from nana_client.store import SavedSeat, Secret, Store, folders
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Error, Recorded
from nana_core.record import compact, save

SENT: Final = Recorded(id=None, game=GOOD.game, record=Raw(compact(GOOD)))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(folders({"NANA_HOME": str(tmp_path)}))


def seat_on(target: Target, store: Store) -> SavedSeat:
    seat = SavedSeat(server=target.server, room=ROOM, token=Secret("a" * 32), name="Ann", seat="A")
    return store.save(seat)


async def exported(store: Store, game: int | None, *answers: Any) -> tuple[int, Export, list[Any]]:
    """Export from a server that gives these answers."""
    heard: list[Any] = []

    async def script(peer: Peer) -> None:
        assert peer.path == f"/r/{ROOM}"
        await peer.say(HELLO)
        heard.append(await peer.hear(i.Resume))
        await peer.say(replace(WELCOME, resumed=True), LOBBY)
        heard.append(await peer.hear(i.Export))
        await peer.say(*(replace(answer, id=heard[-1].id) for answer in answers))
        await peer.gone()

    async with house(script) as target:
        export = Export(target.at(ROOM), seat_on(target, store), store, game)
        code = await export.run()
    return code, export, heard


async def test_a_record_is_fetched(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Its path is all that is printed; nobody has left the room, and the seat is free again."""
    code, export, heard = await exported(store, 2, SENT)
    assert code == 0
    assert (heard[0].token, heard[1].game) == ("a" * 32, 2)
    path = store.records / "nana-KQ7MX-2.json"
    assert capsys.readouterr().out == f"{path}\n"
    assert export.session.kept is not None
    assert export.session.kept.path == path
    (seat,) = store.seats()
    assert store.is_free(seat)
    assert path.read_bytes() == save(GOOD)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        pytest.param(
            Error(id=None, code="wrong_phase", text="There is a record when a game is over."),
            f"nana: There is a record when a game is over. {LIST}\n", id="too early",
        ),
        pytest.param(
            replace(SENT, record=Raw(b"{}")), "not saved. This is not the record", id="no record"
        ),
    ],
)  # fmt: skip
async def test_why_there_is_none(
    store: Store, capsys: pytest.CaptureFixture[str], answer: Any, why: str
) -> None:
    """The server's sentence, or our own, on stderr; exit code 1 and no file."""
    code, _, _ = await exported(store, None, answer)
    assert code == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert why in said.err
    assert not store.records.exists()


def test_only_from_a_seat_of_one_s_own(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a saved seat nothing is tried, and a seat in use is not taken from its client."""
    target = Target("ws://h:8765/", "h", 8765, None, secure=False)
    assert run_export(target.at(ROOM), None, store) == 1
    said = capsys.readouterr().err
    assert "No seat of yours is saved" in said
    assert said.endswith(f"{LIST}\n")
    other = Store(store.folders)
    other.hold(seat_on(target, store))
    assert run_export(target.at(ROOM), None, store) == 1
    assert "nana is open at that table" in capsys.readouterr().err


def test_a_game_that_was_kept_by_itself(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Who has left the room has its games still: the one asked for, or the last."""
    target = Target("ws://h:8765/", "h", 8765, None, secure=False).at(ROOM)
    store.records.mkdir(parents=True)
    path = store.records / f"nana-{ROOM}-{GOOD.game}.json"
    path.write_bytes(save(GOOD))
    path.with_suffix(".about").write_text('{"at": 9}')
    for game in (None, GOOD.game):
        assert run_export(target, game, store) == 0
        assert capsys.readouterr().out == f"{path}\n"
    (kept,) = Shelf(store.records).games()
    assert kept.about == About(at=9, saved=True)  # asked for, it stays
    assert run_export(target, GOOD.game + 1, store) == 1
    assert run_export(target.at("AAAAA"), None, store) == 1
    assert capsys.readouterr().out == ""
