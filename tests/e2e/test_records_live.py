"""A record from end to end: a real server, a real session, a file that replays and verifies."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from nana_client.address import target_of
from nana_client.cli import run
from nana_client.entrance import Creating
from nana_client.exporting import Export
from nana_client.model import Model
from nana_client.session import Session
from nana_client.store import Store, folders
from nana_core.protocol.inbound import OptionChanges
from nana_core.protocol.outbound import Outbound, Recorded, Snapshot
from nana_server.config import Config
from nana_server.house import Server


async def test_a_record_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Played with a bot, ended, saved here and by the server, fetched once more; it verifies."""
    store = Store(folders({"NANA_HOME": str(tmp_path / "home")}))
    loop = asyncio.get_running_loop()
    data = tmp_path / "data"
    config = Config(port=0, data=data)
    server = Server(config, loop, clock=lambda: time.monotonic_ns() // 10**6, entropy=os.urandom)
    target = target_of("127.0.0.1", await server.start())
    session: Session

    def hear(model: Model, message: Outbound | None) -> None:
        match message:
            case Snapshot(phase="playing", step=step) if step < 8:
                if model.must_continue:
                    session.proceed()
                elif model.my_turn:
                    session.reveal(message.legal[step % len(message.legal)])
            case Snapshot(phase="playing"):
                session.end_game()
            case Snapshot(phase="over"):
                session.export()
            case Recorded():
                session.close()
            case _:
                pass

    way = Creating(name="Ann", bots=1, start=True, options=OptionChanges(seats=2, pace=0))
    session = Session(target, way, store=store, on_change=hear)
    await session.run()
    assert session.kept is not None
    file = session.kept.path
    assert file is not None
    assert session.model.proof == "verified"
    (seat,) = store.seats()
    again = Export(target.at(seat.room), seat, store, 1)
    assert await again.run() == 0
    assert again.session.kept is not None
    assert again.session.kept.path == file
    await server.stop()
    assert (data / "records" / f"{seat.room}-1.json").read_bytes() == file.read_bytes()
    capsys.readouterr()
    assert run(["verify", str(file)]) == 0
    assert "A Ann: the nonce is the one committed to." in capsys.readouterr().out
    assert run(["replay", str(file), "--seat", "A"]) == 0
    told = capsys.readouterr().out
    assert "as A Ann saw it" in told
    assert "The host ended the game; nobody wins." in told
    assert "Verified: " in told
