"""`nana-server admin`: asks the server that runs with a data folder, and prints its answer."""

import argparse
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from nana_core.command_line import unknown
from nana_server.admin.wire import (
    Announce,
    Answer,
    Backup,
    Close,
    Request,
    RoomLine,
    Rooms,
    read_answer,
    socket_in,
    written,
)
from nana_server.flags import Parser
from nana_server.logs import escaped
from nana_server.settings import BadConfig, gather

PATIENCE: Final = 60.0  # s; a backup takes as long as it takes
DONE, NOT_DONE, INTERRUPTED = 0, 1, 130  # exit codes; 2 is argparse's, for a wrong command


class NoServer(Exception):  # noqa: N818 - what there is
    """Nobody answers; the message is a sentence for whoever asked."""


class Asked(Struct, frozen=True):
    data: Path
    request: Request
    as_json: bool


def main(args: Sequence[str], environment: Mapping[str, str]) -> int:
    asked = parse(args, environment)
    try:
        line = ask(asked.data, asked.request)
        answer = read_answer(line)
    except NoServer as error:
        return _failed(str(error), as_json=asked.as_json)
    except KeyboardInterrupt:
        return INTERRUPTED  # what was asked for goes on at the server
    except msgspec.MsgspecError:
        text = "The server answers what this command does not know: are their versions the same?"
        return _failed(text, as_json=asked.as_json)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `rooms | head` has read enough
    if asked.as_json:
        print(line.decode().strip())
    elif answer.ok:
        for row in shown(answer):
            print(escaped(row))
    else:
        print(f"nana-server: {escaped(answer.text)}", file=sys.stderr)
    return DONE if answer.ok else NOT_DONE


def _failed(text: str, *, as_json: bool) -> int:
    if as_json:
        print(msgspec.json.encode({"ok": False, "code": "no_server", "text": text}).decode())
    else:
        print(f"nana-server: {escaped(text)}", file=sys.stderr)
    return NOT_DONE


def parse(args: Sequence[str], environment: Mapping[str, str]) -> Asked:
    """Read everything; exits with a sentence (code 2) when something is wrong."""
    parser = _parser()
    known, rest = parser.parse_known_args(args)
    if rest:
        parser.error(unknown(parser, rest[0]))
    given = vars(known)
    places = {name: given.get(name) for name in ("data", "config")}
    try:
        found = gather(places, environment).get("data")
    except BadConfig as error:
        parser.error(str(error))
    if found is None:
        parser.error(
            "Which server? Give its data folder with --data, NANA_DATA or --config; "
            "one without a data folder cannot be asked."
        )
    return Asked(Path(str(found.value)), _request(given), given.get("as_json", False))


def _request(given: Mapping[str, Any]) -> Request:
    match given["do"]:
        case "backup":
            return Backup(str(Path(given["file"]).expanduser().absolute()))
        case "rooms":
            return Rooms(all=given["all"])
        case "close":
            return Close(given["code"])
        case _:
            return Announce(given["text"])


def _parser() -> argparse.ArgumentParser:
    everywhere = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    everywhere.add_argument("--data", metavar="FOLDER", help="the server's data folder")
    everywhere.add_argument("--config", metavar="FILE", help="the server's TOML file")
    everywhere.add_argument(
        "--json", action="store_true", dest="as_json", help="print the answer as JSON"
    )
    made = Parser(
        prog="nana-server admin",
        description="Asks a server that runs with a data folder.",
        epilog="Exit codes: 0 done, 1 not done or no server, 2 not understood.",
        parents=[everywhere],
        allow_abbrev=False,
    )
    commands = made.add_subparsers(dest="do", required=True, metavar="COMMAND")

    def add(name: str, about: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, help=about, description=about, parents=[everywhere], allow_abbrev=False
        )

    backup = add("backup", "copy the journal while games go on")
    backup.add_argument("file", metavar="FILE", help="a file that does not exist yet")
    rooms = add("rooms", "list the rooms where somebody was of late")
    rooms.add_argument("--all", action="store_true", help="those at rest, too")
    add("close", "end a room for everybody in it").add_argument("code", metavar="CODE")
    announce = add("announce", "say something to everybody in every room")
    announce.add_argument("text", metavar="TEXT", help="one line")
    return made


def ask(data: Path, request: Request) -> bytes:
    """Return the line that the server answers; raises NoServer."""
    path = socket_in(data)
    if sys.platform == "win32":
        raise NoServer("This system has no sockets of the kind that the server is asked through.")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as peer:
        peer.settimeout(None if isinstance(request, Backup) else PATIENCE)
        try:
            peer.connect(os.fspath(path))
            with suppress(BrokenPipeError):  # a busy server says so without having read
                peer.sendall(written(request))
            with peer.makefile("rb") as stream:
                line = stream.readline()
        except OSError as error:
            raise NoServer(_sentence(data, path, error)) from None
    if not line.endswith(b"\n"):
        raise NoServer("The server has not answered: it is stopping, or its log says why.")
    return line


def _sentence(data: Path, path: Path, error: OSError) -> str:
    match error:
        case FileNotFoundError() | ConnectionRefusedError():
            return f"No server runs with the data folder {data}: nobody listens at {path}."
        case PermissionError():
            return f"{path} is for the user that the server runs as, and for root."
        case TimeoutError():
            return f"The server at {path} does not answer."
        case ConnectionError():
            return "The server has ended before it answered."
        case _:
            return f"{path} cannot be reached: {error.strerror or error}."


def shown(answer: Answer) -> list[str]:
    """Write an answer as lines for people."""
    rows = [] if not answer.rooms else _table(answer.rooms)
    rows.append(answer.text)
    if answer.path is not None and not os.path.lexists(answer.path):
        rows.append("This path is the server's: it sees other folders than this command does.")
    return rows


def _table(rooms: Sequence[RoomLine]) -> list[str]:
    head = ("ROOM", "PHASE", "SEATS", "HERE", "WATCH", "EMPTY FOR")
    cells = [head, *(_cells(room) for room in rooms)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def _cells(room: RoomLine) -> tuple[str, ...]:
    seats = "-" if room.seats is None else f"{room.taken}/{room.seats}"
    here, watching = (_number(it) for it in (room.connected, room.watching))
    return room.room, room.phase, seats, here, watching, _time(room.idle)


def _number(count: int | None) -> str:
    return "-" if count is None else str(count)


def _time(seconds: int | None) -> str:
    if seconds is None:
        return "-"
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
