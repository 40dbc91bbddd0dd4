"""Foreign text made safe: every string of a server's message, before anything keeps it.

The server refuses hostile names and chat, but a client cannot know that it talks
to an honest server: escape sequences, bidi and zero-width characters are dropped
here, at the one place through which every message comes in.
"""

from typing import Any, TypeVar

from msgspec import Struct

from nana_core.protocol.outbound import Outbound
from nana_core.text import cleaned

_M = TypeVar("_M", bound=Outbound)


def is_plain(frame: str | bytes) -> bool:
    """Tell whether a frame can hold nothing hostile: ASCII, and no escape that could make some."""
    data = frame.encode(errors="replace") if isinstance(frame, str) else frame
    return data.isascii() and b"\\" not in data


def clean(message: _M) -> _M:
    """Return the message with each of its strings cleaned."""
    cleaned_message: _M = _clean(message)
    return cleaned_message


def _clean(value: Any) -> Any:
    match value:
        case str():
            return cleaned(value)
        case tuple():
            return tuple(map(_clean, value))
        case Struct():
            fields = {name: _clean(getattr(value, name)) for name in value.__struct_fields__}
            return type(value)(**fields)
        case _:
            return value
