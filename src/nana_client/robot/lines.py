"""The JSON lines between this house and a program that is a bot (docs/bots.md).

One line goes to the program for each card that it may choose, one comes back.
"""

from typing import Final

import msgspec

from nana_bots.history import History
from nana_client.robot.bot import View
from nana_core.text import cleaned, clipped

SHOWN: Final = 60  # cells of an answer that are shown


class Fault(Exception):  # noqa: N818 - the word for it
    """One turn without a good answer; the message says what was wrong with it."""


def line_for(view: View, history: History) -> bytes:
    """Write the line that a program reads: the snapshot, with one field more."""
    raw = msgspec.to_builtins(view)
    raw["type"] = "choose"
    raw["history"] = msgspec.Raw(msgspec.json.encode(history.attempts))  # it is long
    return msgspec.json.encode(raw) + b"\n"


def source_in(line: bytes) -> object:
    """Read an answer: `{"source": "c4"}`, or the name alone, in quotes or not; raise Fault."""
    text = line.decode(errors="replace").strip()
    if not text:
        raise Fault("It wrote an empty line instead of an answer.")
    if text[0] not in '{["':
        return text
    try:
        answer = msgspec.json.decode(text)
    except msgspec.DecodeError:
        raise Fault(f"It wrote what is not JSON: {shown(line)}.") from None
    if isinstance(answer, str):
        return answer
    if not isinstance(answer, dict) or "source" not in answer:
        raise Fault(f"Its answer names no `source`: {shown(line)}.")
    return answer["source"]


def shown(line: bytes) -> str:
    return clipped(cleaned(line.decode(errors="replace").strip()), SHOWN)
