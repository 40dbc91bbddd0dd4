"""Two thousand hostile strings through every place that shows text, as if nobody had cleaned them.

A client cleans what a server sends before it keeps it; here the screens get it raw, so that
nothing rests on one line of defence. No control byte leaves, nothing falls over, nothing is
a link.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.screen import Screen

from client.hostile import COUNT, harmless, look, strings, taken
from client.scenes import finished, lobby, model_of, played, refused, snapshot_of
from client.stage import Recorder, Stage
from client.test_replay import lines
from core.test_record import GOOD
from nana_client.attention import Attention
from nana_client.cli import run
from nana_client.foreign import clean
from nana_client.keyfile import read_keys
from nana_client.model import Line, Model
from nana_client.naming import flaw, name_for
from nana_client.own_looks import own_looks, read_look
from nana_client.plain_table import Table
from nana_client.replay_tape import Tape
from nana_client.rooms import OpenRoom
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.menu import MenuScreen
from nana_client.screens.opening import Opening, OpeningScreen
from nana_client.screens.replay import ReplayScreen
from nana_client.screens.rooms import RoomsScreen
from nana_client.screens.settings import SettingsScreen
from nana_client.screens.table import TableScreen
from nana_client.screens.waiting import WaitingScreen
from nana_client.settings import Settings, read_settings
from nana_client.theme import Look
from nana_client.tuning import tunings
from nana_core.protocol.outbound import Bye, ChatLine, Notice, Outbound, Snapshot
from nana_core.record import Unreadable, load, save

STRIDE = 12  # a command line takes its time to be read
Size = tuple[int, int]


def named(shot: Snapshot, names: tuple[str, ...]) -> Snapshot:
    """Give everybody a name out of these, and the room its code."""
    seats = tuple(
        replace(seat, name=name if seat.kind != "free" else None)
        for seat, name in zip(shot.seats, names, strict=False)
    )
    you = replace(shot.you, name=names[0])
    return replace(shot, seats=seats, you=you, room=names[5], watching=names[6:8])


def talk(words: tuple[str, ...]) -> tuple[Line, ...]:
    """Say every second word in chat, and tell the others as what happened."""
    kinds = ("chat", "notice", "game", "server")
    return tuple(
        Line(kinds[at % 4], text, words[at - 1], "B", at)  # type: ignore[arg-type]
        for at, text in enumerate(words)
    )


def models(base: Snapshot) -> Iterator[Model]:
    """Show hostile names, talk, refusals, proofs, troubles and farewells, in turn."""
    for at, some in enumerate(taken(8)):
        shot = named(base, some)
        kept = some[1] if at % 2 else ""
        model = replace(model_of(shot), lines=talk(some), kept=kept, proof="verified")
        bye = Bye(code="closed", text=some[2], retry="never")
        yield (
            replace(model, error=refused(some[2]), proof_text=some[3]),
            replace(model, connection="closed", trouble=some[3], bye=bye),
            replace(model, connection="waiting", trouble=some[4], retry_in=3.0),
        )[at % 3]


async def shown(screen: Screen[Any], changes: Iterable[Callable[[], Any]], size: Size) -> None:
    """Make each change on the screen, and look at every one."""
    async with Stage(screen).run_test(size=size) as pilot:
        await pilot.pause()
        for change in changes:
            change()
            look(pilot)
        await pilot.pause()
        look(pilot)


def showing(screen: Any, base: Snapshot) -> Iterator[Callable[[], Any]]:
    return (partial(screen.show, model) for model in models(base))


@pytest.mark.parametrize(
    ("base", "size"),
    [
        pytest.param(snapshot_of(played(5, "c1 b<")), (140, 40), id="playing, talk beside"),
        pytest.param(snapshot_of(played(5, "c1"), None), (80, 24), id="watching"),
        pytest.param(snapshot_of(finished(5, 4)), (100, 30), id="over"),
    ],
)
async def test_at_the_table(base: Snapshot, size: Size) -> None:
    """Names, chat, notices, refusals, troubles, farewells, proofs, the room's code."""
    screen = TableScreen(Recorder(model_of(base)), now=lambda: 0)
    await shown(screen, showing(screen, base), size)


async def test_in_the_lobby() -> None:
    """The same in the lobby."""
    base = lobby(people=4)
    screen = LobbyScreen(Recorder(model_of(base)), ("ws://h:1/r/KQ7MX",))
    await shown(screen, showing(screen, base), (120, 30))


async def test_while_waiting() -> None:
    """The same before there is a table."""
    screen = WaitingScreen("One moment …")
    await shown(screen, showing(screen, lobby()), (80, 24))


@pytest.mark.parametrize("page", ["", "mute", "remove"])
async def test_in_menus(page: str) -> None:
    """The menu names the room and everybody in it."""
    base = lobby(phase="over", people=4)
    model = replace(model_of(base), lines=talk(("x",) * 8))
    screen = MenuScreen(Recorder(model), model, page)
    found = (replace(model, snapshot=named(base, some)) for some in taken(8))
    await shown(screen, (partial(screen.show, each) for each in found), (80, 24))


async def test_on_the_opening_screen() -> None:
    """Why one is back here, and the seat that is kept; one's own name is made good before."""
    screen = OpeningScreen("Ann", Opening())

    def changes() -> Iterator[Callable[[], Any]]:
        for some in taken(2):
            screen.opening = Opening(kept=some[0], trouble=some[1])
            yield screen.draw
            assert flaw(name_for(None, some[0], {})) is None

    await shown(screen, changes(), (80, 24))


async def test_in_a_replay() -> None:
    """Names and room of a record, at its beginning and at its end."""
    short = replace(GOOD, actions=" ".join(GOOD.actions.split()[:6]))
    screen = ReplayScreen(Tape(short))

    def changes() -> Iterator[Callable[[], Any]]:
        for at, some in enumerate(taken(len(GOOD.seats))):
            seats = zip(GOOD.seats, some, strict=True)
            people = tuple(replace(seat, name=name) for seat, name in seats)
            screen.tape = Tape(replace(short, room=some[0], seats=people))
            screen.at = at % (screen.tape.last + 1)
            yield screen.draw

    await shown(screen, changes(), (80, 24))


async def test_in_the_settings() -> None:
    """One's own name, and where one's files are."""
    themes = tunings(("night", "paper", "contrast"))
    screen = SettingsScreen(Settings(), themes, ("settings.toml", "keys.toml"))
    found = (Settings(name=text, theme=text) for text in strings())
    await shown(screen, (partial(screen.show, each) for each in found), (80, 24))


async def test_in_the_list_of_rooms() -> None:
    """Rooms that a server lists, as if they had not been checked."""
    screen = RoomsScreen(None)

    def changes() -> Iterator[Callable[[], Any]]:
        for some in taken(10):
            screen.rooms = tuple(OpenRoom(text, text, 4, 2) for text in some)
            yield screen.draw

    await shown(screen, changes(), (80, 24))


def test_in_lines() -> None:
    """Plain mode says what a server sent, cleaned as every message is."""
    said: list[str] = []
    table = Table(said.append)
    base = snapshot_of(played(5, "c1"))
    for version, some in enumerate(taken(12)):
        messages: tuple[Outbound, ...] = (
            replace(named(base, some), version=version),
            ChatLine(seq=version, name=some[8], seat="B", text=some[9]),
            Notice(code="joined", seat="B", name=some[10], text=some[11]),
        )
        for message in map(clean, messages):
            shot = message if isinstance(message, Snapshot) else None
            model = model_of(shot or base)
            table.session = Recorder(model)  # type: ignore[assignment]
            table.hear(model, message)
    assert len(said) > COUNT / 12
    assert all(map(harmless, said))


def test_in_printed_records() -> None:
    """`nana replay --print` prints names and rooms of a file, and nothing else of them."""
    for some in taken(len(GOOD.seats)):
        named_so = zip(GOOD.seats, some, strict=True)
        people = tuple(replace(seat, name=name) for seat, name in named_so)
        for line in lines(replace(GOOD, seats=people, room=some[0])):
            assert harmless(line), ascii(line)


def test_in_the_terminal_s_title_and_notifications() -> None:
    """A room's code is all that gets there, and cannot end what it stands in."""
    written: list[str] = []
    attention = Attention(written.append, {"TERM": "foot"})
    base = snapshot_of(played(3))
    waiting = replace(base, on_turn="B", legal=())
    for room in strings():
        for shot in (waiting, base):
            attention.heed(model_of(replace(shot, room=room)), Settings(), looked_at=False)
    assert sum("notify" in text for text in written) == COUNT
    for text in written:
        inner = text.removeprefix("\x1b[22;2t").removeprefix("\x1b]2;").removesuffix("\x07")
        assert harmless(inner.removeprefix("\x1b]777;notify;nana;")), ascii(text)


def test_in_files_of_one_s_own() -> None:
    """Settings, keys and records with anything in them: a sentence, and the rest holds."""
    for text in strings()[: COUNT // 4]:
        data = text.encode(errors="replace")
        for file in (data, b"name = '" + data + b"'", b'"' + data + b'" = 1', b"bots = " + data):
            look = read_look("dusk", file)
            said = () if isinstance(look, Look) else look
            for wrong in (*read_settings(file)[1], *read_keys(file)[1], *said):
                assert harmless(wrong), ascii(wrong)
        with pytest.raises(Unreadable) as unreadable:
            load(save(GOOD).replace(b'"format"', b'"' + data + b'"'))
        assert harmless(str(unreadable.value)), ascii(str(unreadable.value))


def test_in_names_of_files(tmp_path: Path) -> None:
    """A theme in a file whose name would do something to a terminal is told of in safe words."""
    names = [text for text in strings()[:200] if text.isascii() and not set(text) & {"/", "\0"}]
    for name in names:
        (tmp_path / f"{name[:80]}.toml").write_text("base = 'none'")
    looks, troubles = own_looks(tmp_path)
    assert looks == {}
    assert troubles
    assert all(map(harmless, troubles)), ascii(troubles)


@pytest.mark.parametrize("command", ["watch", "bot", "replay", "verify", "play"])
def test_on_the_command_line(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was typed and is wrong comes back in a sentence that is safe to read."""
    err = StringIO()
    monkeypatch.setattr("sys.stderr", err)
    for text in strings()[::STRIDE]:
        if text.startswith("-") or "\x00" in text or text in {"", ".", ".."}:
            continue
        args = [command, text] if command != "play" else [command, "--name", text, "--bots", "x"]
        with pytest.raises(SystemExit) as ended:
            raise SystemExit(run(args))
        assert ended.value.code in {1, 2}
    assert all(map(harmless, err.getvalue().splitlines())), ascii(err.getvalue())
