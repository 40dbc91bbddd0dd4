"""Saving a record: where it goes, what is refused, and what a person is told of it."""

import os
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Raw
from msgspec.structs import replace

from client.tables import (
    HELLO,
    LOBBY,
    ROOM,
    WELCOME,
    Peer,
    dealt,
    hashes_of,
    house,
    over,
)
from client.test_session import Player
from core.test_record import GOOD, good_record
from nana_client.entrance import Creating, Joining
from nana_client.plain_table import Table
from nana_client.says import prompt
from nana_client.shelf import at_home, keep
from nana_client.store import Store, folders
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import Bye, Error, Recorded, Snapshot
from nana_core.record import compact, load, save

SENT: Final = Recorded(id="1", game=GOOD.game, record=Raw(compact(GOOD)))
NONCES: Final = (b"a" * 32, b"b" * 32)
OVER: Final = over(dealt(NONCES), hashes_of(NONCES))


def test_it_is_saved_under_its_room_and_game(tmp_path: Path) -> None:
    """The folder is made; the file is the record, for its owner alone, in lines."""
    kept = keep(tmp_path / "records", SENT, None)
    assert kept.path == tmp_path / "records" / "nana-KQ7MX-2.json"
    assert kept.text == f"Saved: {kept.path}"
    assert kept.path.read_bytes() == save(GOOD)
    assert kept.path.stat().st_mode & 0o777 == 0o600
    assert kept.path.parent.stat().st_mode & 0o777 == 0o700


def test_saving_again_makes_no_second_file(tmp_path: Path) -> None:
    """The same record is the same file; another of that name gets a number, and none is lost."""
    one, again = keep(tmp_path, SENT, None), keep(tmp_path, SENT, None)
    assert (one.path, one.text) == (again.path, again.text)
    assert (one.fresh, again.fresh) == (True, False)
    other = good_record(players=4)
    two = keep(tmp_path, replace(SENT, record=Raw(compact(other))), None)
    assert two.path == tmp_path / "nana-KQ7MX-2-2.json"
    assert load(two.path.read_bytes()) == other
    assert one.path is not None
    assert load(one.path.read_bytes()) == GOOD


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        pytest.param(replace(SENT, record=Raw(b"{}")), "not the record of a game", id="none"),
        pytest.param(replace(SENT, record=Raw(b"null")), "not the record", id="null"),
        pytest.param(replace(SENT, game=3), "that of another game", id="another game"),
        pytest.param(
            replace(SENT, record=Raw(compact(replace(GOOD, room="../../etc")))), "another game",
            id="a path for a room",
        ),
        pytest.param(
            replace(SENT, record=Raw(compact(replace(GOOD, format=9)))), "update this", id="newer"
        ),
    ],
)  # fmt: skip
def test_what_is_not_saved(tmp_path: Path, sent: Recorded, why: str) -> None:
    """A server that sends something else gets no file; the person gets a sentence."""
    kept = keep(tmp_path, sent, None)
    assert kept.path is None
    assert why in kept.text
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """The disk's reason is part of the sentence."""
    (tmp_path / "records").write_text("in the way")
    kept = keep(tmp_path / "records", SENT, None)
    assert kept.path is None
    assert "could not be saved" in kept.text
    assert kept.text.endswith("File exists.")


def test_a_full_disk_leaves_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written whole is taken away again."""

    def fdopen(number: int, mode: str) -> Any:
        os.close(number)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", fdopen)
    assert "No space left" in keep(tmp_path, SENT, None).text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("change", [{}, {"center": (1,)}, {"first": "E"}, {"hands": ()}])
def test_it_is_compared_with_the_table(tmp_path: Path, change: dict[str, Any]) -> None:
    """A record of another deal than the one just opened is saved, and called that."""
    opened = replace(OVER.opened, **change) if OVER.opened else None
    shown = replace(OVER, game=GOOD.game, room=GOOD.room, opened=opened)
    matching = replace(
        shown,
        deal=replace(shown.deal, seed_hash=GOOD.deal.seed_hash),
        opened=replace(
            shown.opened,
            **{
                "hands": GOOD.deal.hands,
                "center": GOOD.deal.center,
                "first": GOOD.deal.first,
                **change,
            },
        ),  # type: ignore[type-var]
    )
    kept = keep(tmp_path, SENT, matching)
    assert kept.path is not None
    assert ("not of the game that was shown" in kept.text) is bool(change)
    assert "not of the game" not in keep(tmp_path, SENT, replace(matching, game=7)).text


def test_home_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path in the home folder begins with a tilde, others are told in full."""
    monkeypatch.setenv("HOME", "/home/ann")
    assert at_home(Path("/home/ann/records/x.json")) == "~/records/x.json"
    assert at_home(Path("/srv/x.json")) == "/srv/x.json"


async def test_a_session_asks_and_saves(tmp_path: Path) -> None:
    """`export` goes out once; the answer is on disk, in the model and in the prompt."""
    store = Store(folders({"NANA_HOME": str(tmp_path)}))
    asked: list[int | None] = []

    async def first(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Join)
        await peer.say(WELCOME, LOBBY)
        asked.append((await peer.hear(i.Export)).game)
        peer.drop()

    async def second(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Resume)
        await peer.say(WELCOME, replace(OVER, version=12))
        export = await peer.hear(i.Export)
        asked.append(export.game)
        await peer.say(replace(SENT, id=export.id), Bye(code="closed", text="", retry="never"))
        await peer.gone()

    async with house(first, second) as target:
        player = Player(target.at(ROOM), Joining(name="Ann"), store)
        player.on[Snapshot] = lambda: None if asked else player.session.export(2)
        await player.session.run()
    kept = player.session.kept
    assert asked == [2, 2]
    assert kept is not None
    assert kept.path == store.records / "nana-KQ7MX-2.json"
    (told,) = [model for model, message in player.changes if isinstance(message, Recorded)]
    assert told.kept == kept.text
    assert prompt(told).text.startswith("Saved: ")
    said: list[str] = []
    Table(said.append).hear(told, SENT)
    assert said == [kept.text]
    assert not player.session._place._unacknowledged


async def test_without_a_seat_on_disk_records_are_saved_all_the_same(tmp_path: Path) -> None:
    """A game against bots keeps nothing by itself; its record goes where the person's go."""

    async def script(peer: Peer) -> None:
        await peer.say(HELLO)
        await peer.hear(i.Create)
        await peer.say(WELCOME, OVER)
        await peer.hear(i.Export)
        await peer.say(Error(id=None, code="no_record", text="Not kept."))
        await peer.say(SENT, Bye(code="closed", text="", retry="never"))
        await peer.gone()

    async with house(script) as target:
        player = Player(target, Creating(name="Ann"), shelf=tmp_path)
        player.on[Snapshot] = player.session.export
        await player.session.run()
    assert player.session.kept is not None
    assert player.session.kept.path == tmp_path / "nana-KQ7MX-2.json"
