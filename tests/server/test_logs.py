"""The log: one record is one line, and nothing from outside or of a game gets into it."""

import asyncio
import json
import logging
import subprocess
import sys
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nana_server.descriptors import OTHERS, raise_limit
from nana_server.logs import FAULTS_LOGGED, Faults, Human, Json, escaped
from nana_server.tally import Tally

if sys.platform != "win32":
    import resource

HOSTILE: Final = "x\n2026-01-01 CRITICAL forged\r\x1b[31m\u202egnorw\u2028\x00\x85\u200b\ud800"


def record(message: str, *args: object, error: BaseException | None = None) -> logging.LogRecord:
    info = None if error is None else (type(error), error, error.__traceback__)
    made = logging.LogRecord("nana.test", logging.INFO, "file.py", 1, message, args, info)
    made.created = 1_800_000_000.25
    return made


def test_a_line_for_people() -> None:
    """Time in UTC, level, where from, what."""
    assert Human().format(record("room %s: created", "KQ7MX")) == (
        "2027-01-15T08:00:00.250Z INFO nana.test: room KQ7MX: created"
    )


def test_a_line_for_programs() -> None:
    """One JSON object with the same."""
    assert json.loads(Json().format(record("room %s: created", "KQ7MX"))) == {
        "time": "2027-01-15T08:00:00.250Z",
        "level": "info",
        "logger": "nana.test",
        "message": "room KQ7MX: created",
    }


@pytest.mark.parametrize("formatter", [Human(), Json()], ids=["human", "json"])
def test_nothing_foreign_forges_a_line(formatter: logging.Formatter) -> None:
    """Line ends, escapes, bidi and lone surrogates come out as what can be read."""
    line = formatter.format(record("said %s", HOSTILE))
    assert line.isprintable()
    line.encode()


@given(st.text())
def test_escaping_leaves_readable_text_alone(text: str) -> None:
    """What is printable stays; the rest becomes ASCII; letters of all languages are fine."""
    assert escaped(text).isprintable()
    if text.isprintable():
        assert escaped(text) == text


def fail(secret: str) -> None:
    hand = [secret]
    raise ValueError(f"{hand} is no hand")


@pytest.mark.parametrize("formatter", [Human(), Json()], ids=["human", "json"])
def test_an_exception_is_its_type_and_place(formatter: logging.Formatter) -> None:
    """Neither what it says nor what was around it; one line, with the way it came."""
    with pytest.raises(ValueError, match="seven of seven") as caught:
        fail("seven of seven")
    line = formatter.format(record("it broke", error=caught.value))
    assert "seven" not in line
    assert "no hand" not in line
    assert "ValueError at test_logs.py:" in line
    assert " fail < test_logs.py:" in line
    assert "\n" not in line


def test_a_bug_at_the_loop_is_one_line_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    """The connection that met it ends; the server counts it and goes on. A row of them is cut."""
    tally, now = Tally(), 0.0
    loop = asyncio.new_event_loop()
    try:
        loop.set_exception_handler(Faults(tally, lambda: now))
        for _ in range(FAULTS_LOGGED * 3):
            loop.call_soon(fail, "nine")
        loop.call_soon(loop.stop)
        loop.run_forever()
        assert tally.faults == FAULTS_LOGGED * 3
        assert len(caplog.records) == FAULTS_LOGGED
        now = 1.0
        loop.call_exception_handler({"message": "nine things"})
    finally:
        loop.close()
    assert len(caplog.records) == FAULTS_LOGGED + 1
    for line in map(Human().format, caplog.records):
        assert "ERROR nana.fault: unexpected: " in line
        assert "nine" not in line
    assert "ValueError at test_logs.py:" in caplog.messages[0]


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False
    )


def test_the_end_of_the_process_is_one_line_too() -> None:
    """An exception that nobody caught tells its type and place, on standard error."""
    done = run(
        "from nana_server import logs\nlogs.configure('info', 'json')\n"
        "def f(card):\n    raise KeyError(card)\nf('seven')"
    )
    assert done.returncode == 1
    assert "seven" not in done.stderr
    line = json.loads(done.stderr)
    assert line["level"] == "critical"
    assert line["message"].startswith("unexpected, and the end: KeyError at <string>:4 f < ")


def test_the_end_of_a_thread_is_one_line() -> None:
    """The same for whatever runs beside the loop; the process goes on."""
    done = run(
        "import threading\nfrom nana_server import logs\nlogs.configure('info', 'human')\n"
        "def f(): raise KeyError('seven')\nt = threading.Thread(target=f)\nt.start()\nt.join()\n"
    )
    assert done.returncode == 0
    assert "a thread's end: KeyError at <string>:4 f < " in done.stderr
    assert "seven" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_log_that_cannot_be_written_disturbs_nobody() -> None:
    """With standard error closed, or full, the program goes on."""
    done = run(
        "import logging, os, sys\nfrom nana_server import logs\nlogs.configure('info', 'human')\n"
        "sys.stderr = None\nos.close(2)\nos.open('/dev/full', os.O_WRONLY)\n"
        "logging.getLogger('nana').info('x')\nprint('on')"
    )
    assert (done.returncode, done.stdout) == (0, "on\n")


def test_levels_are_the_configured_ones() -> None:
    """Below the level nothing is written."""
    done = run(
        "import logging\nfrom nana_server import logs\nlogs.configure('warning', 'human')\n"
        "logging.getLogger('nana').info('x')\nlogging.getLogger('nana').warning('y')"
    )
    assert done.stderr.endswith(" WARNING nana: y\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_the_limit_of_open_files_is_raised() -> None:
    """As far as the system lets us; where that is not enough, a sentence says so."""
    script = (
        "import resource\nfrom nana_server.descriptors import raise_limit\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 500))\n"
        "print(raise_limit(200), resource.getrlimit(resource.RLIMIT_NOFILE))\n"
        "print(raise_limit(100), resource.getrlimit(resource.RLIMIT_NOFILE))\n"
        "print(raise_limit(1000), resource.getrlimit(resource.RLIMIT_NOFILE))\n"
    )
    one, two, three = run(script).stdout.splitlines()
    assert one == f"None ({200 + OTHERS}, 500)"
    assert two == f"None ({200 + OTHERS}, 500)"  # never lowered
    assert three.startswith("this system lets the server open 500 files, which is less than the ")
    assert three.endswith("(500, 500)")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    raise_limit(1)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
