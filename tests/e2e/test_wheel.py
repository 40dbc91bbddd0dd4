"""What is installed: a wheel with the programs and their types, without the tests."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("nana_core", "nana_bots", "nana_server", "nana_client")
HEAVY: Final = ("textual", "rich", "websockets", "uvloop", "sqlite3", "platformdirs")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the sources, as an installation does."""
    pytest.importorskip("hatchling", reason="nothing here builds a wheel")
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out))
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install it into an environment of its own; return where its programs are.

    The libraries are lent by the environment of the tests, the sources are not.
    """
    where = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(where, with_pip=False, symlinks=True)
    python = where / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (site,) = where.glob("lib/*/site-packages")
    lent = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "lent.pth").write_text(f"{lent}\n")
    return where / "bin"


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_a_porter_needs_is_in_the_sources(tmp_path: Path) -> None:
    """The source distribution has the protocol and the test vectors, with their page."""
    pytest.importorskip("hatchling", reason="nothing here builds it")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path))
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / "vectors").glob("*.*")}
    assert wanted | {"protocol.md"} <= names


def test_what_is_in_the_wheel(wheel: Path) -> None:
    """Every module and each package's types marker; no test, no example, no cache."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for package in PACKAGES
        for path in (ROOT / "src" / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    inside = {name for name in names if ".dist-info/" not in name}
    assert inside == sources
    assert any(name.endswith("entry_points.txt") for name in names)


@pytest.mark.parametrize("name", ["nana", "nana-server"])
@pytest.mark.parametrize("option", ["--help", "--version"])
def test_the_commands_answer_at_once(name: str, option: str, programs: Path) -> None:
    """Help and version come from the installed copy, and nothing heavy is imported for them."""
    code = (
        "import runpy, sys\n"
        "program, option = sys.argv[1:]\n"
        "sys.argv = [program, option]\n"
        "try:\n    runpy.run_path(program, run_name='__main__')\n"
        "except SystemExit as end:\n"
        "    import nana_core\n"
        f"    print(end.code, sorted(set({HEAVY!r}) & set(sys.modules)), nana_core.__file__)\n"
    )
    python = str(programs / "python")
    said = run(python, "-I", "-c", code, str(programs / name), option)
    last = said.splitlines()[-1]
    assert last.startswith("0 [] "), last
    assert str(programs.parent) in last
    plain = run(str(programs / name), option)
    assert plain.startswith((f"usage: {name}", f"{name} 0."))
