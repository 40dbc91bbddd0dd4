"""The real program in a real terminal: tmux holds the pane, and keys go in by `send-keys`."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from e2e.drawn import BACK, FAIR, answer, chosen, is_over, prompt, sentence, value_of

PATIENCE: Final = 45  # seconds; whatever is waited for takes one or two
MARK: Final = "TERMINAL_OF"  # in the environment of whatever runs in the pane
PAUSE: Final = 0.02  # between two looks at the pane
# What the tests' own terminal is like must not be what the program believes of the pane.
OUTSIDE: Final = {name: os.environ[name] for name in os.environ if name not in {"COLUMNS", "LINES"}}
SHELL: Final = "PS1='shell> ' exec sh"
NAMES: Final = {"enter": "Enter", "space": "Space", "escape": "Escape"}

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A pane of 80 columns and 24 rows with a shell in it, on a tmux server of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._socket = str(home / "tmux")
        environ = {"NANA_HOME": str(home / "nana"), "USER": "ann", "TERM": "xterm-256color"}
        environ |= {MARK: str(home)}
        setting = [f"-e{name}={value}" for name, value in environ.items()]
        size = ("-x", "80", "-y", "24")
        self.tmux("-f", os.devnull, "new-session", "-d", *size, *setting, SHELL)
        self.is_at_the_shell()

    def tmux(self, *args: str) -> str:
        command = ["tmux", "-S", self._socket, *args]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=OUTSIDE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def close(self) -> None:
        """Take the terminal away, if it is still there."""
        subprocess.run(
            ["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False
        )

    @property
    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def says(self, what: str) -> str:
        """Ask tmux about the pane."""
        return self.tmux("display-message", "-p", f"#{{{what}}}").strip()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tmux("send-keys", NAMES.get(key, key))

    def run(self, command: str) -> None:
        self.tmux("send-keys", "-l", command)
        self.press("enter")

    def until(self, holds: Callable[[str], bool]) -> str:
        """Look until something holds on the screen."""
        end = time.monotonic() + PATIENCE
        while not holds(text := self.text):
            if time.monotonic() > end:
                pytest.fail(f"it never came:\n{text}\n{self.faults}")
            time.sleep(PAUSE)
        return text

    @property
    def faults(self) -> str:
        """Return what the program wrote down of faults of its own."""
        log = self.home / "nana" / "state" / "client.log"
        return log.read_text() if log.exists() else ""

    def sees(self, *words: str) -> str:
        return self.until(lambda text: all(word in text for word in words))

    def play(self, seed: int) -> str:
        """Press what the screen asks for, each time once, until the game is over."""
        chance = Random(seed)
        text = self.text
        while not is_over(text):
            key = answer(text, chance.choice)
            if key is None:
                text = self.changes(text)
            else:
                self.press(key)
                text = self.asks_else(text)
        return text

    def changes(self, before: str) -> str:
        """Wait until the screen is another one."""
        return self.until(lambda text: below_the_title(text) != below_the_title(before))

    def asks_else(self, before: str) -> str:
        """Wait until the prompt is another one: that is how a key is seen to have come.

        Anything else may change for reasons of its own, and the same key sent twice meets
        what comes after.
        """
        return self.until(lambda text: sentence(text) != sentence(before))

    def is_at_the_shell(self) -> None:
        """Wait for the shell to ask; what is typed before that stands ahead of its prompt."""
        self.until(lambda text: text.rstrip().endswith("shell>"))

    def is_as_it_was(self) -> None:
        """Back in the shell: no alternate screen, no mouse mode, a visible cursor, an echo."""
        self.until(lambda _: self.says("pane_current_command") == "sh")
        self.is_at_the_shell()
        self.run("echo $((40+2)) is echoed")
        text = self.sees("42 is echoed")  # and so whatever was written before
        assert [self.says(mode) for mode in MODES] == ["0", "0", "0", "1"]
        assert "shell> echo $((40+2))" in text
        assert "Traceback" not in self.tmux("capture-pane", "-p", "-S-")


MODES: Final = ("alternate_on", "mouse_any_flag", "mouse_sgr_flag", "cursor_flag")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    pane = Terminal(tmp_path)
    try:
        yield pane
    finally:
        pane.close()


def nana(*args: str) -> str:
    return " ".join([sys.executable, "-m", "nana_client", *args])


def processes(home: Path) -> list[int]:
    """Return the project's programs that run in this terminal or were started by one that did."""
    mark = f"{MARK}={home}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environ = (entry / "environ").read_bytes()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if mark in environ and b"nana_" in command:
                found.append(int(entry.name))
    return found


def gone(home: Path) -> bool:
    return not processes(home)


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc here")


@needs_proc
def test_an_evening(terminal: Terminal) -> None:
    """Dealt at once; ended by the host; without a pace a whole game; a rematch; and goodbye."""
    terminal.run(nana("play", "--bots", "2", "--no-mouse"))
    terminal.sees("turn 1", "Ann (you)")
    assert len(processes(terminal.home)) == 2
    end_the_game(terminal)
    set_the_pace(terminal)
    terminal.sees("game 2 · turn")
    terminal.play(seed=3)
    terminal.until(is_the_end)
    terminal.press("enter")
    terminal.sees("game 3 · turn")
    terminal.press("C-c")
    terminal.sees("A game is on. Leave?")
    terminal.press("C-c")
    terminal.is_as_it_was()
    terminal.until(lambda _: gone(terminal.home))


def is_the_end(text: str) -> bool:
    """Tell whether the winner, all hands and the proof stand there: a pane is drawn in steps."""
    won = "wins" in prompt(text) or "YOU WIN" in prompt(text)
    return won and is_over(text) and FAIR in text and BACK not in text


def end_the_game(terminal: Terminal) -> None:
    """Take it from the menu, and be sure."""
    terminal.press("m")
    terminal.sees("end the game")
    terminal.press("e")
    terminal.sees("End this game?")
    terminal.press("y")
    terminal.until(lambda text: "GAME OVER" in prompt(text) and is_over(text))


def set_the_pace(terminal: Terminal) -> None:
    """Choose it among the options, and deal."""
    terminal.press("r")
    terminal.until(lambda text: "deals next" in prompt(text))
    terminal.press("o")
    text = terminal.sees("NEXT GAME", "Pace")
    while (at := chosen(text)) != ["Pace"]:
        terminal.press("Down")
        text = terminal.until(lambda text, at=at: len(chosen(text)) == 1 and chosen(text) != at)  # type: ignore[misc]
    while (pace := value_of(text, "Pace")) != "0 s":
        terminal.press("Left")
        text = terminal.until(lambda text, pace=pace: value_of(text, "Pace") not in {"", pace})  # type: ignore[misc]
    terminal.press("enter")


def below_the_title(text: str) -> str:
    return text.partition("\n")[2]


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_a_game(terminal: Terminal, number: signal.Signals) -> None:
    """Killed politely, it leaves the terminal as it was, and no server behind."""
    terminal.run(nana("play", "--bots", "1"))
    terminal.sees("turn 1", "Ann (you)")
    os.kill(client_of(terminal), number)
    terminal.is_as_it_was()
    terminal.until(lambda _: gone(terminal.home))


@needs_proc
def test_a_kill_in_a_game(terminal: Terminal) -> None:
    """Killed without a word, its server ends by itself."""
    terminal.run(nana("play", "--bots", "1"))
    terminal.sees("turn 1", "Ann (you)")
    os.kill(client_of(terminal), signal.SIGKILL)
    terminal.until(lambda _: gone(terminal.home))


@needs_proc
@pytest.mark.parametrize("stopped", [False, True], ids=["running", "stopped"])
def test_a_terminal_that_goes_away(terminal: Terminal, stopped: bool) -> None:
    """Neither the program nor its server outlives its window, not even when it was stopped."""
    terminal.run(nana("play", "--bots", "1"))
    terminal.sees("turn 1", "Ann (you)")
    if stopped:
        terminal.press("C-z")
        terminal.until(lambda _: terminal.says("alternate_on") == "0")
        terminal.is_at_the_shell()
    terminal.close()
    end = time.monotonic() + PATIENCE
    while not gone(terminal.home):
        assert time.monotonic() < end, processes(terminal.home)
        time.sleep(PAUSE)


def client_of(terminal: Terminal) -> int:
    """Return the client's process, the one that is in the pane's own session."""
    (client,) = (
        pid
        for pid in processes(terminal.home)
        if b"nana_client" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    return client
