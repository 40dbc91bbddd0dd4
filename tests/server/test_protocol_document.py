"""What protocol.md says in its tables is what the code has: fields, codes, numbers, rights."""

import re
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec import Struct

from nana_core import deck, game, notation, text
from nana_core.protocol import inbound, outbound
from nana_core.protocol.outbound import ByeCode, ErrorCode
from nana_core.record import FORMAT, RULES, Record, RecordedDeal, RecordedSeat
from nana_server import config, desk
from nana_server.gateway import Limits
from nana_server.room import evolve, ids, room, state, timers, viewer
from nana_server.room.decide import No, Situation, decide
from server.document import (
    INBOUND,
    OUTBOUND,
    PARTS,
    ROOT,
    blocks,
    code,
    document,
    fields,
    maker,
    prose,
    rows,
    section,
    sections,
    tables,
)

TEXT: Final = document()
INWARD: Final = {it.title: it.text for it in sections(section(TEXT, "Messages to the server"), 4)}
OUTWARD: Final = {
    it.title: it.text for it in sections(section(TEXT, "Messages from the server"), 4)
}
GATE: Final = Limits()
SERVER: Final = config.Config()
NUMBERS: Final[dict[str, float]] = {
    "`message_bytes`": SERVER.message_bytes,
    "`name_cells`": text.NAME_CELLS,
    "`chat_cells`": text.CHAT_CELLS,
    "`costed_per_second`": desk.COSTED_PER_SECOND,
    "`costed_burst`": desk.COSTED_BURST,
    "wait after `flood`": desk.FLOOD_RETRY_MS,
    "wait after `restart`": room.RESTART_AFTER_MS,
    "new rooms at once": SERVER.create_burst,
    "new rooms per second": desk.CREATE_PER_SECOND,
    "rooms": SERVER.rooms,
    "connections": GATE.sockets,
    "connections per address": GATE.sockets_per_address,
    "watchers": state.WATCHERS_MOST,
    "waiting messages": room.WAITING_MOST,
    "kept ids": ids.IDS_KEPT,
    "kept chat": state.CHAT_KEPT,
    "missed attempts": viewer.MISSED_MOST,
    "opening": evolve.OPENING_MS,
    "grace": timers.GRACE_MS,
    "grace of watchers": timers.WATCHER_GRACE_MS,
    "empty room": SERVER.room_idle,
    "turns": game.TURN_CAP,
    "ping after": GATE.ping_after,
    "pong within": GATE.pong_timeout,
    "control bytes": GATE.control_bytes,
    "request within": GATE.open_timeout,
    "close within": GATE.close_timeout,
    "stalled reader": GATE.stall_timeout,
    "unread bytes": GATE.write_buffer,
    "request head": GATE.head_size,
}
# A message of each kind that the host may send, as far as the phase allows it.
EXAMPLES: Final = {
    block.value["type"]: block.text.encode()
    for block in blocks(section(TEXT, "Messages to the server"))
}


def test_sections_are_numbered_and_listed() -> None:
    """Chapters count from 1, the list at the top names each, and every § leads somewhere."""
    plain = prose(TEXT)
    chapters = [it.title for it in sections(plain, 2)]
    assert [title.split(".")[0] for title in chapters] == [str(n + 1) for n in range(len(chapters))]
    assert re.findall(r"^\d+\. \[(.+)\]\(#", plain, re.MULTILINE) == [
        title.split(" ", 1)[1] for title in chapters
    ]
    anchors = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in chapters]
    assert re.findall(r"^\d+\. \[.+\]\(#(.+)\)$", plain, re.MULTILINE) == anchors
    numbers = {title.split(" ")[0].rstrip(".") for title in chapters}
    numbers |= {it.title.split(" ")[0] for it in sections(plain, 3)}
    assert set(re.findall(r"§ ?([\d.]*\d)", plain)) <= numbers


def test_the_code_cites_sections_that_exist() -> None:
    """A comment that sends its reader to protocol.md names a chapter by its title."""
    source = "\n".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    cited = re.findall(r'protocol\.md[`*]* §\s*"([^"]+)"', source)
    assert cited
    for title in cited:
        section(TEXT, title)


@pytest.mark.parametrize("name", [*INBOUND, "OptionChanges"])
def test_what_clients_send_is_documented_to_the_field(name: str) -> None:
    """Each inbound message has a table with exactly its fields, their types and defaults."""
    struct = INBOUND.get(name) or PARTS[name]
    shared = [*_expected(inbound.Entrance)] if issubclass(struct, inbound.Message) else []
    own = [row for row in _expected(struct) if row not in shared]
    assert _table(INWARD[f"`{name}`"], 3) == sorted(own)


def test_what_all_clients_send_is_documented() -> None:
    """The fields that all messages, or all entrances, share have tables of their own."""
    chapter = section(TEXT, "Messages to the server")
    entrances = section(chapter, "Entrances", 3)
    assert _table(chapter, 3) == _expected(inbound.Message)
    assert _table(entrances, 3) == [
        row for row in _expected(inbound.Entrance) if row not in _expected(inbound.Message)
    ]


@pytest.mark.parametrize("name", [*OUTBOUND, *sorted(PARTS.keys() - {"OptionChanges"})])
def test_what_the_server_sends_is_documented_to_the_field(name: str) -> None:
    """Each outbound message, and each part of one, has a table with exactly its fields."""
    struct = OUTBOUND.get(name) or PARTS[name]
    assert _table(OUTWARD[f"`{name}`"], 2) == sorted(row[:2] for row in _expected(struct))


def test_nothing_else_is_documented() -> None:
    """No heading tells of a message or a part that does not exist."""
    assert {code(title) for title in INWARD} == {*INBOUND, "OptionChanges"}
    assert {code(title) for title in OUTWARD} == {*OUTBOUND, *PARTS} - {"OptionChanges"}


def test_records_are_documented_to_the_field() -> None:
    """The tables of the record have the fields of the file, and the numbers of its making."""
    chapter = section(section(TEXT, "The fair deal"), "Records", 3)
    tag = Record.__struct_config__.tag_field
    for struct, table in zip((Record, RecordedSeat, RecordedDeal), tables(chapter), strict=True):
        named = {code(row[0]) for row in table} - {tag}
        assert named == set(struct.__struct_fields__)
    assert f"`format` {FORMAT} and `rules` {RULES}" in chapter


def test_every_code_is_documented() -> None:
    """Errors, farewells and notices: the tables list all the codes, and no others."""
    assert _codes(section(TEXT, "Errors")) == list(ErrorCode)
    farewells = tables(OUTWARD["`bye`"])[1]
    assert [code(row[0]) for row in farewells] == list(ByeCode)
    assert {code(row[1]) for row in farewells} <= {"never", "now", "after_ms"}
    source = (ROOT / "src/nana_server/room/notices.py").read_text()
    said = set(re.findall(r'(?:_about\(|_seat\(|code=)"(\w+)"', source))
    notices = section(section(TEXT, "Messages from the server"), "Codes of notices", 3)
    assert set(_codes(notices)) == said


def test_every_number_is_documented() -> None:
    """The table of limits has the constants of the code."""
    table = rows(section(section(TEXT, "Limits and clean text"), "Numbers", 3))
    assert {row[0]: float(row[1]) for row in table} == NUMBERS


def test_the_game_is_documented() -> None:
    """Sizes, sources, reasons, levels and the defaults of the options are the code's."""
    sizes = rows(section(TEXT, "The game"))
    assert sizes == [
        [str(n), f"1-{size.top}", str(size.hand), str(size.center)]
        for n, size in deck.SIZES.items()
    ]
    named = [re.findall(r"`(.+?)`", row[0]) for row in rows(section(TEXT, "Conventions"))]
    assert {name for names in named for name in names} <= set(notation.SOURCES)
    reasons = tables(OUTWARD["`WinView`"])[1]
    assert [code(row[0]) for row in reasons] == list(get_args(game.Reason))
    levels = section(section(TEXT, "Time: pace, deadlines, stand-ins"), "Stand-ins and robots", 3)
    assert _codes(levels) == list(get_args(inbound.Level))
    options = section(section(TEXT, "Life of a room"), "Options", 3)
    assert {code(row[0]): msgspec.json.decode(code(row[2])) for row in rows(options)} == (
        msgspec.to_builtins(state.Options())
    )


def test_the_phases_are_documented() -> None:
    """In each phase a field has the value that the table says, wherever it says one."""
    script = maker()
    shown = [got for _, got in script.evening().got if got["type"] == "snapshot"]
    table = rows(section(section(TEXT, "The snapshot in each phase"), "Field by field", 3))
    assert {code(row[0]) for row in table} == set(outbound.Snapshot.__struct_fields__)
    for snapshot in shown:
        at = 1 + ["lobby", "opening", "playing", "over"].index(snapshot["phase"])
        for row in table:
            assert _fits(snapshot[code(row[0])], row[at]), (snapshot["phase"], row[0])


def test_rights_are_documented() -> None:
    """Who may send what in which phase: the table says what a room decides."""
    table = rows(section(section(TEXT, "Life of a room"), "Who may send what, and when", 3))
    script = maker()
    states = script.evening().states
    assert {code(row[0]) for row in table} == INBOUND.keys() - {"create", "join", "watch", "resume"}
    for name, who, *allowed in ([code(row[0]), *row[1:]] for row in table):
        message = msgspec.json.decode(EXAMPLES[name], type=inbound.Inbound)
        for phase, says in zip(("lobby", "opening", "playing", "over"), allowed, strict=True):
            now = states[phase]
            host = now.host
            assert host is not None
            sender = "a watcher" if who == "watcher" else host
            assert (_code(now, sender, message) == "wrong_phase") is (says == "no"), (name, phase)
            guest = next((key for key in now.members if key != host), "a watcher")
            assert (_code(now, guest, message) == "not_host") is (who == "host"), (name, phase)
            if who == "seated" and says == "yes":
                assert _code(now, "a watcher", message) == "not_seated"


def _code(now: state.RoomState, key: str, message: Any) -> str | None:
    outcome = decide(now, key, message, Situation(0, frozenset(now.members), True, bytes))
    return outcome.code if isinstance(outcome, No) else None


def _expected(struct: type[Struct]) -> list[tuple[str, ...]]:
    return sorted((f"`{name}`", kind, default) for name, kind, default in fields(struct))


def _table(chapter: str, columns: int) -> list[tuple[str, ...]]:
    """The first columns of a table of fields; the order of fields means nothing."""
    return sorted(tuple(row[:columns]) for row in rows(chapter))


def _codes(chapter: str) -> list[str]:
    return [code(row[0]) for row in rows(chapter)]


def _fits(value: object, cell: str) -> bool:
    if cell.startswith("●"):
        return value is not None and value != []
    return not cell.startswith("`") or bool(value == msgspec.json.decode(code(cell)))
