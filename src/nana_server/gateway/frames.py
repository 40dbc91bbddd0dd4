"""The shape of WebSocket frames on the wire (RFC 6455 §5.2), as far as speed asks for it.

Whatever is not a plain text frame is only measured here; what it means is the library's business.
"""

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library's wheels for some platforms have no C part
    from websockets.utils import apply_mask

__all__ = ["CLIENT_HEADS", "FINAL_TEXT", "apply_mask", "frame", "is_text", "span_of"]

FINAL_TEXT = 0x81
MASKED = 0x80
# How a client's plain text frame of less than 126 bytes begins, by the size of the whole frame.
CLIENT_HEADS = {size + 6: bytes((FINAL_TEXT, MASKED | size)) for size in range(126)}
SHORT_HEADS = tuple(bytes((FINAL_TEXT, size)) for size in range(126))


def frame(payload: bytes, tail: bytes = b"") -> bytes:
    """Make the text frame that a server sends; a shared part and a private tail are joined."""
    return b"".join((head_of(len(payload) + len(tail)), payload, tail))


def head_of(size: int) -> bytes:
    """Make the head of a text frame; `HEADS` has the usual ones ready."""
    if size < 126:
        return SHORT_HEADS[size]
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2)
    return b"\x81\x7f" + size.to_bytes(8)


class _Heads(dict[int, bytes]):
    """The head for each size of a payload: the usual ones are ready."""

    def __missing__(self, size: int) -> bytes:
        return head_of(size)


HEADS = _Heads((size, head_of(size)) for size in range(4096))


def span_of(data: bytes, start: int, max_size: int) -> tuple[int, int] | None:
    """Say where a client's frame has its masking key and where it ends; None while incomplete.

    A key at 0 means that the head alone breaks the rules (unmasked, too long): no rest to wait for.
    """
    have = len(data) - start
    if have < 2:
        return None
    key, length = start + 2, data[start + 1]
    if length < MASKED:
        return 0, key
    length -= MASKED
    if length > 125:
        key += 2 if length == 126 else 8
        if len(data) < key:
            return None
        length = int.from_bytes(data[start + 2 : key])
    if length > max_size:
        return 0, key
    end = key + 4 + length
    return (key, end) if end <= len(data) else None


def is_text(payload: bytes) -> bool:
    """Tell whether a payload is valid UTF-8."""
    if payload.isascii():
        return True
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True
