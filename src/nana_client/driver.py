"""What a terminal sends, read so that no byte of it ends the game.

The library's driver stops the app at the first byte that is no UTF-8: a paste from an old
program, or a mouse that speaks as mice did before 2012, as some do after a tmux reattach.
Here such bytes become a sign that means nothing, and such a mouse is not listened to. What
is pasted loses what a terminal would obey: a field shows it as it is.

A terminal that is gone reads as empty for ever and takes nothing more: then nothing is
read or written any longer, and the app is told to end.
"""

import os
import re
import selectors
import signal
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import Final

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Paste
from textual.message import Message

from nana_core.text import cleaned

_OLD_MOUSE: Final = re.compile(rb"\x1b\[M[\x20-\xff]{3}")
_OLD_MOUSE_BEGUN: Final = re.compile(rb"\x1b\[M[\x20-\xff]{0,2}\Z")
_READ: Final = 4096
_TICK: Final = 0.1  # seconds


class Typed:
    """Bytes in, text out, whatever the bytes are."""

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._rest = b""

    def read(self, data: bytes, *, last: bool = False) -> str:
        data, self._rest = _OLD_MOUSE.sub(b"", self._rest + data), b""
        begun = None if last else _OLD_MOUSE_BEGUN.search(data)
        if begun is not None:
            data, self._rest = data[: begun.start()], begun[0]
        return self._decode(data, last)


class TolerantDriver(LinuxDriver):
    """The library's driver, except for how input is read, and for a terminal that is gone."""

    gone = False
    _taking = False  # the terminal is being taken over
    _asked_again = False  # meanwhile

    def start_application_mode(self) -> None:
        """Take the terminal over, once.

        After a stop the app does so by itself, and so does the handler of SIGCONT, which Python may
        call late, or in the middle of this. A second reader would outlive the app.
        """
        self._asked_again = True
        if self._taking:
            return
        self._taking = True
        try:
            while self._asked_again and not self._is_reading:
                self._asked_again = False  # in the background one is stopped in here, and woken
                super().start_application_mode()  # type: ignore[no-untyped-call]
        finally:
            self._taking = False

    @property
    def _is_reading(self) -> bool:
        return self._key_thread is not None and self._key_thread.is_alive()

    def write(self, data: str) -> None:
        """Write; to a terminal that is gone nothing, for the library would wait for ever."""
        if not self.gone:
            super().write(data)

    def run_input_thread(self) -> None:
        parser, typed = XTermParser(self._debug), Typed()
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not (self.gone or self.exit_event.is_set()):
                self._take(parser, typed, ready=bool(selector.select(_TICK)))
            ready = not self.gone and bool(selector.select(0))
            self._take(parser, typed, ready=ready, last=True)
        with suppress(EOFError, ParseError):
            tuple(parser.feed(""))

    def process_message(self, message: Message) -> None:
        """Pass on a message; of what is pasted, what can be read."""
        if isinstance(message, Paste):
            message = Paste(cleaned(message.text))
        super().process_message(message)

    def _take(self, parser: XTermParser, typed: Typed, *, ready: bool, last: bool = False) -> None:
        """Pass on what has come, and what only time tells: that Escape was pressed alone."""
        data = self._read() if ready else b""
        if data and (text := typed.read(data, last=last)):
            for message in parser.feed(text):
                self.process_message(message)
        for message in parser.tick():
            self.process_message(message)

    def _read(self) -> bytes:
        """Read what has come; nothing at all is the end of the terminal, signalled or not."""
        try:
            data = os.read(self.fileno, _READ)
        except OSError:
            data = b""
        if not data and not self.gone:
            self.gone = True
            os.kill(os.getpid(), signal.SIGHUP)
        return data
