"""Who may import whom: core <- bots <- server, and core <- bots <- client, and nothing else."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

SOURCE: Final = Path(__file__).parents[1] / "src"
OURS: Final = frozenset({"nana_core", "nana_bots", "nana_server", "nana_client"})
STANDARD: Final = frozenset(sys.stdlib_module_names)

# What reaches outside the process, or brings in time or chance: the core has none of it.
IMPURE: Final = frozenset({
    "asyncio", "concurrent", "ctypes", "curses", "datetime", "fcntl", "ftplib", "getpass",
    "glob", "http", "imaplib", "io", "locale", "logging", "mmap", "multiprocessing", "os",
    "pathlib", "platform", "poplib", "pty", "queue", "random", "readline", "resource", "sched",
    "secrets", "select", "selectors", "shelve", "shutil", "signal", "smtplib", "socket",
    "socketserver", "sqlite3", "ssl", "subprocess", "sys", "syslog", "tempfile", "termios",
    "threading", "time", "tty", "urllib", "uuid", "webbrowser", "zoneinfo", "_thread",
})  # fmt: skip
CALLS_OUT: Final = frozenset({"open", "input", "print", "eval", "exec", "__import__"})

MAY_IMPORT: Final = {
    "nana_core": STANDARD - IMPURE | {"nana_core", "msgspec"},
    "nana_bots": STANDARD
    | {"nana_bots", "nana_core", "msgspec", "openskill"}
    | {"numpy", "gymnasium", "pettingzoo"},
    "nana_server": STANDARD
    | {"nana_server", "nana_bots", "nana_core", "msgspec", "websockets", "uvloop", "platformdirs"}
    | {"prometheus_client"},
    "nana_client": STANDARD
    | {"nana_client", "nana_bots", "nana_core", "msgspec", "websockets", "platformdirs"}
    | {"textual", "rich", "pytest"},
}

# These libraries stay where they are named; everything else is plain Python.
ONLY_IN: Final = {
    ("nana_bots", "openskill"): ("nana_bots.arena.rating",),
    ("nana_bots", "numpy"): ("nana_bots.zoo",),
    ("nana_bots", "gymnasium"): ("nana_bots.zoo",),
    ("nana_bots", "pettingzoo"): ("nana_bots.zoo",),
    ("nana_server", "websockets"): ("nana_server.gateway",),
    ("nana_server", "prometheus_client"): ("nana_server.metrics",),
    ("nana_client", "websockets"): ("nana_client.link", "nana_client.conformance.wire"),
    ("nana_client", "pytest"): ("nana_client.pytest_plugin",),
    ("nana_client", "textual"): (
        "nana_client.app",
        "nana_client.driver",
        "nana_client.theme",
        "nana_client.wardrobe",
        "nana_client.screens",
        "nana_client.widgets",
    ),
    ("nana_client", "rich"): (
        "nana_client.app",
        "nana_client.arena.progress",
        "nana_client.reading",
        "nana_client.theme",
        "nana_client.themes",
        "nana_client.screens",
        "nana_client.widgets",
    ),
}

# Importing these draws nothing in: a command line answers at once, a bot needs no screen.
LIGHT: Final = (
    "nana_client.__main__",
    "nana_client.cli",
    "nana_client.link",
    "nana_client.model",
    "nana_client.robot",
)
DRAWING: Final = frozenset({"textual", "rich"})


class Import(NamedTuple):
    module: str  # dotted, as far as it may be a module
    line: int
    at_once: bool  # when the file is imported, not when a function runs


def imports_in(tree: ast.Module, package: str) -> Iterator[Import]:
    """Find every import of a file; `package` is what its relative imports are relative to."""
    yield from _imports(tree, package, at_once=True)


def _imports(node: ast.AST, package: str, *, at_once: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import(names=names):
                for name in names:
                    yield Import(name.name, child.lineno, at_once)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = _base(module, package, level)
                for name in names:
                    yield Import(f"{base}.{name.name}", child.lineno, at_once)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from _imports(child, package, at_once=False)
            case ast.If(test=test) if "TYPE_CHECKING" in ast.unparse(test):
                yield from _imports(child, package, at_once=False)
            case _:
                yield from _imports(child, package, at_once=at_once)


def _base(module: str | None, package: str, level: int) -> str:
    if not level:
        return module or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - level + 1], *([module] if module else [])])


def violations(name: str, text: str, *, package: bool = False) -> Iterator[str]:
    """Say what a module of this dotted name may not do; `package` means an __init__."""
    tree = ast.parse(text)
    folder = name.partition(".")[0]
    for found in imports_in(tree, name if package else name.rpartition(".")[0]):
        top = found.module.partition(".")[0]
        if top not in MAY_IMPORT[folder]:
            yield f"{name}:{found.line} imports {found.module}"
        homes = ONLY_IN.get((folder, top))
        if homes and not any(f"{name}.".startswith(f"{home}.") for home in homes):
            yield f"{name}:{found.line} imports {found.module}, which only {homes} may"
    if folder == "nana_core":
        yield from _calls_out(name, tree)


def _calls_out(name: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called in CALLS_OUT:
                yield f"{name}:{node.lineno} calls {called}"


def _name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES: Final = {_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def test_there_is_something_to_look_at() -> None:
    """The files are found, in every folder of the house and in no other."""
    assert {name.partition(".")[0] for name in FILES} == OURS
    assert {"nana_core.game", "nana_client.link", "nana_client.model"} <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_imports_run_one_way(name: str) -> None:
    """Each module imports only what its folder may."""
    path = FILES[name]
    text = path.read_text(encoding="utf-8")
    assert list(violations(name, text, package=path.stem == "__init__")) == []


def _reached_at_once(name: str, path: dict[str, Path]) -> set[str]:
    """Follow imports from a module, as far as they happen when it is imported."""
    reached, to_read = set[str](), [name]
    while to_read:
        module = to_read.pop()
        while module and module not in path and module.partition(".")[0] in OURS:
            module = module.rpartition(".")[0]  # a name in a module
        if module in reached:
            continue
        reached.add(module)
        if module in path:
            package = module if path[module].stem == "__init__" else module.rpartition(".")[0]
            tree = ast.parse(path[module].read_text(encoding="utf-8"))
            to_read += [found.module for found in imports_in(tree, package) if found.at_once]
            to_read += [package] if package else []
    return reached


@pytest.mark.parametrize("name", [name for name in LIGHT if name in FILES])
def test_what_draws_is_imported_late(name: str) -> None:
    """The command line, the connection, the model and the bot SDK load without the screens."""
    reached = {module.partition(".")[0] for module in _reached_at_once(name, FILES)}
    assert not reached & DRAWING


@pytest.mark.parametrize(
    ("name", "text", "caught"),
    [
        ("nana_core.game", "import random", "nana_core.game:1 imports random"),
        ("nana_core.game", "import os.path", "imports os.path"),
        ("nana_core.game", "from time import monotonic", "imports time.monotonic"),
        ("nana_core.game", "def now():\n    import time", "nana_core.game:2 imports time"),
        ("nana_core.game", "import websockets", "imports websockets"),
        ("nana_core.game", "from nana_bots import mind", "imports nana_bots.mind"),
        ("nana_core.game", "text = open('/etc/hosts')", "calls open"),
        ("nana_core.game", "print('7')", "calls print"),
        ("nana_bots.mind", "from nana_server.room import state", "imports nana_server.room.state"),
        ("nana_bots.mind", "import websockets", "imports websockets"),
        ("nana_bots.memory", "import openskill", "which only"),
        ("nana_bots.memory", "import numpy", "which only"),
        ("nana_server.desk", "import nana_client", "imports nana_client"),
        ("nana_server.desk", "import textual", "imports textual"),
        ("nana_server.room.room", "from websockets.frames import Frame", "which only"),
        ("nana_server.gatewayed", "import websockets", "which only"),
        ("nana_client.link", "from nana_server import config", "imports nana_server.config"),
        ("nana_client.model", "import websockets", "which only"),
        ("nana_client.plain", "from rich.text import Text", "which only"),
        ("nana_client.plain", "def draw():\n    import textual", "which only"),
        ("nana_client.plain", "if TYPE_CHECKING:\n    import textual", "which only"),
        ("nana_client.widgets.card", "from ...nana_server import config", "imports nana_server"),
    ],
)
def test_a_planted_import_is_caught(name: str, text: str, caught: str) -> None:
    """The test above can fail: each of these breaks one rule."""
    found = list(violations(name, text))
    assert len(found) == 1
    assert caught in found[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nana_core.fair", "import hashlib"),
        ("nana_core.views", "from nana_core.game import Game"),
        ("nana_core.views", "from . import game"),
        ("nana_bots.arena", "import random\nfrom nana_core import game"),
        ("nana_server.gateway.frames", "from websockets.frames import Frame"),
        ("nana_client.link", "from websockets.asyncio.client import connect"),
        ("nana_client.widgets.card", "from textual.widget import Widget\nimport rich.segment"),
        ("nana_client.hosting", "import subprocess"),
    ],
)
def test_an_honest_import_is_let_through(name: str, text: str) -> None:
    """Each folder has what it needs."""
    assert list(violations(name, text)) == []


def test_a_screen_behind_a_module_is_caught(tmp_path: Path) -> None:
    """Loading a screen through another module, or a package, is loading it at once."""
    texts = {
        "nana_client.cli": "from nana_client.says import Prompt",
        "nana_client.says": "from nana_client.theme import Tone",
        "nana_client.theme": "from textual.theme import Theme",
        "nana_client.late": "def run():\n    from nana_client.theme import Tone",
    }
    paths = {name: tmp_path / f"{name}.py" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text, encoding="utf-8")
    assert "textual.theme.Theme" in _reached_at_once("nana_client.cli", paths)
    late = _reached_at_once("nana_client.late", paths)
    assert not any(module.startswith("textual") for module in late)
