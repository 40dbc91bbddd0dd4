"""What a line typed in plain mode asks for: `3`, `b<`, `go`, `say hello`. Pure.

A line becomes one of the small types below, or a Misunderstood sentence that says
what would have been understood.
"""

import re
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from nana_client.options import level_of
from nana_client.phrases import phrase_of
from nana_core.notation import SOURCES
from nana_core.protocol.inbound import Letter, Level, OptionChanges

HELP: Final = (
    "3 or c3      reveal center slot 3",
    "b<  b>       reveal B's lowest or highest card; your own seat's letter too",
    "go           continue: clear the last attempt, or take over again (or just press Enter)",
    "say TEXT     talk; say 3 says a quick phrase, phrases lists them",
    "mute B       hear somebody no more, or again (by seat or by name)",
    "look         tell the whole table again      rules   how the game is played",
    "link         the link that invites others",
    "start        begin the game (host)",
    "bot [LEVEL]  add a bot: careless, easy, strong or expert (host)",
    "remove B     free a seat (host)      host B   make somebody else the host",
    "set seats 4, set memory open, set time 60, set pace 800, set public on, set bots off (host)",
    "pause, resume, end, close            stop the clock, go on, end the game, end the room (host)",
    "rematch      be ready for another game      wait   not ready after all",
    "sit          take a free seat",
    "save         keep the record of the last game as a file",
    "replay       tell the last game again, turn by turn, all hands open",
    "hints off    no more hints for a first game",
    "leave        go                             retry  connect again at once",
)
Simple: TypeAlias = Literal[
    "go", "look", "link", "start", "pause", "resume", "end", "close",
    "rematch", "wait", "save", "replay", "leave", "retry", "help", "rules", "phrases", "hints off",
]  # fmt: skip


class Do(Struct, frozen=True):
    """A command of one word."""

    what: Simple


class Turn(Struct, frozen=True):
    """Reveal a source."""

    source: str


class Say(Struct, frozen=True):
    text: str


class Mute(Struct, frozen=True):
    """Mute somebody, or hear them again; by seat or name."""

    who: str


class AddABot(Struct, frozen=True):
    level: Level


class SeatDo(Struct, frozen=True):
    """Something with a seat; `sit` may leave the choice of it open."""

    what: Literal["remove", "host", "sit"]
    seat: Letter | None


class Choose(Struct, frozen=True):
    options: OptionChanges


class Misunderstood(Struct, frozen=True):
    why: str


Spoken: TypeAlias = Do | Turn | Say | Mute | AddABot | SeatDo | Choose | Misunderstood

_WORDS: Final[dict[str, Simple]] = {
    "go": "go", ".": "go", "continue": "go", "": "go",
    "look": "look", "l": "look", "link": "link", "start": "start",
    "pause": "pause", "resume": "resume", "end": "end", "close": "close",
    "rematch": "rematch", "ready": "rematch", "wait": "wait", "save": "save", "replay": "replay",
    "leave": "leave", "quit": "leave", "exit": "leave",
    "retry": "retry", "help": "help", "?": "help", "rules": "rules",
    "phrases": "phrases", "hints off": "hints off", "hints": "hints off",
}  # fmt: skip
_SPOKEN_END: Final = re.compile(r"([a-e])\s*(low|lowest|high|highest)")
_SLOT: Final = re.compile(r"(?:c|#)?\s*([0-9]{1,2})")


def understood(line: str) -> Spoken:
    """Read a typed line."""
    line = line.strip()
    word, _, rest = line.partition(" ")
    if word.lower() in {"say", "t"}:
        text = rest.strip()
        if not text:
            return Misunderstood("Say what? For example: say hello")
        return Say(phrase_of(text) or text)
    if word.lower() == "mute":
        who = rest.strip()
        return Mute(who) if who else Misunderstood("Mute whom? For example: mute B")
    lowered = " ".join(line.lower().split())
    if lowered in _WORDS:
        return Do(_WORDS[lowered])
    if source := _source(lowered):
        return Turn(source) if source in SOURCES else Misunderstood(f"There is no slot {lowered}.")
    word, _, rest = lowered.partition(" ")
    if reader := _READERS.get(word):
        return reader(rest)
    return Misunderstood(f"{line!r} is no command; type help for those that are.")


def _source(line: str) -> str | None:
    if line in SOURCES:
        return line
    if spoken := _SPOKEN_END.fullmatch(line):
        return f"{spoken[1]}{'<' if spoken[2].startswith('low') else '>'}"
    slot = _SLOT.fullmatch(line)
    return f"c{int(slot[1])}" if slot else None


def _bot(rest: str) -> Spoken:
    level = level_of(rest or "memory")
    if level is None:
        return Misunderstood(
            "A bot is careless, easy, strong or expert (or random, novice, memory)."
        )
    return AddABot(level)


def _seat(what: Literal["remove", "host", "sit"]) -> Callable[[str], Spoken]:
    def read(rest: str) -> Spoken:
        if not rest and what == "sit":
            return SeatDo(what, None)
        try:
            return SeatDo(what, msgspec.convert(rest.upper(), Letter))
        except msgspec.ValidationError:
            return Misunderstood(f"Which seat? For example: {what} B")

    return read


def _set(rest: str) -> Spoken:
    """Read `seats 4` and the like; what is possible is the protocol's to say."""
    word, _, value = rest.partition(" ")
    field = {"time": "turn_time", "listed": "public"}.get(word, word)
    said: dict[str, Any] = {"on": True, "off": False, "yes": True, "no": False, "closed": "none"}
    if field == "turn_time":
        said["none"] = 0
    given = said.get(value, int(value) if value.isdecimal() and len(value) < 6 else value)
    try:
        return Choose(msgspec.convert({field: given}, OptionChanges))
    except msgspec.ValidationError as error:
        return Misunderstood(f"That cannot be set: {str(error).partition(' - ')[0]}.")


_READERS: Final[dict[str, Callable[[str], Spoken]]] = {
    "bot": _bot,
    "remove": _seat("remove"),
    "host": _seat("host"),
    "sit": _seat("sit"),
    "set": _set,
}
