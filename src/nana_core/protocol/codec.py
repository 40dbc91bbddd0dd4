"""One decoder and one encoder for each direction, and JSON Schema made from the types."""

import re
from typing import Any, Final

import msgspec

from nana_core.protocol.inbound import ID_LENGTH, PROTOCOL, Inbound
from nana_core.protocol.outbound import Outbound
from nana_core.text import cleaned, clipped

LARGEST_NUMBER: Final = 2**53 - 1  # what every JSON reader can hold; msgspec takes 4,300 digits
_LONG_NUMBER: Final = re.compile(rb"[0-9]{16}")
SENTENCE_CELLS: Final = 160  # of what msgspec says: it repeats the sender's own words

_inbound: Final = msgspec.json.Decoder(Inbound)
_outbound: Final = msgspec.json.Decoder(Outbound)
_encoder: Final = msgspec.json.Encoder()


class _IdOnly(msgspec.Struct):
    id: str | None = None


_id_only: Final = msgspec.json.Decoder(_IdOnly)


class _WayIn(msgspec.Struct):
    type: str
    protocol: int | None = None


WAYS_IN: Final = frozenset({"create", "join", "watch", "resume"})
_way_in: Final = msgspec.json.Decoder(_WayIn)


class Malformed(ValueError):  # noqa: N818 - the protocol's word for it
    """A frame that is no message of the protocol; `id` is echoed where it could be read."""

    def __init__(self, text: str, id: str | None) -> None:  # noqa: A002 - the wire's name
        super().__init__(text)
        self.id = id


def decode_inbound(frame: bytes) -> Inbound:
    """Read a client's message strictly; raise Malformed with a sentence that may be sent back."""
    try:
        return _inbound.decode(frame)
    except msgspec.ValidationError as error:
        raise Malformed(f"That message is not right: {_said(error)}.", _id_of(frame)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Malformed("That is not a JSON object.", None) from None
    except RecursionError:
        raise Malformed("That is nested too deeply.", None) from None


def decode_outbound(frame: bytes | str) -> Outbound | None:
    """Read a server's message; None for a type that this version does not know.

    Raises Malformed when a known type has a shape that this version cannot read, or a number
    that no clock, version or count can come to.
    """
    try:
        message = _outbound.decode(frame)
    except msgspec.ValidationError as error:
        if "Invalid value" in str(error) and str(error).endswith("`$.type`"):
            return None
        text = f"The server sent a message that is not right: {_said(error)}."
        raise Malformed(text, None) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Malformed("The server sent something that is not JSON.", None) from None
    data = frame.encode() if isinstance(frame, str) else frame
    if _LONG_NUMBER.search(data) and _has_huge_number(message):
        raise Malformed("The server sent a number that is too large.", None)
    return message


def encode(message: Inbound | Outbound) -> bytes:
    return _encoder.encode(message)


def schema() -> dict[str, Any]:
    """JSON Schema of both directions: `inbound`, `outbound` and shared definitions."""
    (inbound, outbound), definitions = msgspec.json.schema_components(
        (Inbound, Outbound), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "nana protocol, version 1",
        "properties": {"inbound": inbound, "outbound": outbound},
        "$defs": definitions,
    }


def is_foreign(frame: bytes) -> bool:
    """Whether a frame that could not be read is a way in, by another version's protocol."""
    try:
        found = _way_in.decode(frame)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return False
    return found.type in WAYS_IN and found.protocol not in {None, PROTOCOL}


def _id_of(frame: bytes) -> str | None:
    try:
        found = _id_only.decode(frame).id
    except (msgspec.MsgspecError, RecursionError):
        return None
    return found if found is not None and 1 <= len(found) <= ID_LENGTH else None


def _has_huge_number(value: Any) -> bool:
    match value:
        case int():
            return abs(value) > LARGEST_NUMBER
        case tuple():
            return any(map(_has_huge_number, value))
        case msgspec.Struct():
            return any(_has_huge_number(getattr(value, name)) for name in value.__struct_fields__)
        case _:
            return False


def _said(error: msgspec.ValidationError) -> str:
    """Say what is wrong, safe to show and to log: unknown types and fields are quoted in it."""
    return clipped(cleaned(str(error)), SENTENCE_CELLS)
