"""The first and the last line of the screen: where one is, and the keys that always work."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from nana_client.keyboard import USUAL, Keyboard
from nana_client.model import Model, Proof
from nana_client.theme import Tone
from nana_client.widgets.hints import Hint, hint_pieces, pressed
from nana_client.widgets.sheet import Item, Piece, Words
from nana_client.words import name_of
from nana_core.protocol.outbound import Snapshot

_PROOFS: Final[dict[Proof, tuple[str, Tone]]] = {
    "verified": ("✓ fair deal", "good"),
    "unproven": ("? deal not proven", "warn"),
    "false": ("✗ THE DEAL IS WRONG", "bad"),
}
_LAMPS: Final[dict[str, Tone]] = {"open": "good", "closed": "bad"}


def title_items(model: Model, width: int) -> Iterator[Item]:
    """Lay out room, game and turn at the left, watchers and the line's state at the right."""
    shot = model.snapshot
    pieces = [Piece(" nana ", "accent", bold=True), Piece("▪ ", "faint")]
    if shot is not None:
        pieces.append(Piece(shot.room, bold=True))
        pieces += _pill(shot)
        parts = [f"game {shot.game}"] if shot.game > 1 else []
        parts += [f"turn {shot.turn}"] if shot.phase == "playing" else []
        parts += [host] if (host := _host(shot)) and width >= 60 else []
        parts += ["fixed deals"] if shot.deal.fixed else []
        parts += ["open memory"] if shot.options.memory == "open" else []
        pieces.append(Piece("".join(f" · {part}" for part in parts), "dim"))
    right = _right(model, short=width < 60)
    room = sum(cell_len(piece.text) for piece in right)
    yield Words(0, 0, max(0, width - room), tuple(pieces))
    yield Words(max(0, width - room), 0, min(width, room), right)


def _pill(shot: Snapshot) -> list[Piece]:
    """Set off what one must not overlook: that the game rests, that one only watches."""
    if shot.paused:
        return [Piece(" "), Piece(" PAUSED ", "warn", bold=True, fill=True)]
    if shot.you.seat is None:
        return [Piece(" "), Piece(" WATCHING ", "accent", bold=True, fill=True)]
    return []


def _host(shot: Snapshot) -> str:
    if shot.you.host:
        return "you host"
    return f"{name_of(shot, shot.host)} hosts" if shot.host is not None else ""


def _right(model: Model, *, short: bool) -> tuple[Piece, ...]:
    shot = model.snapshot
    proof = _PROOFS.get(model.proof) if shot is not None and shot.phase == "over" else None
    watching = len(shot.watching) if shot is not None else 0
    words = f"{watching} watching" if watching and not short else ""
    if model.connection == "open" and model.latency_ms is not None:
        words += f"{' · ' if words else ''}{model.latency_ms} ms"
    sign = "●" if model.connection == "open" else "○"
    lamp = (Piece(f"{words} ", "dim"), Piece(f"{sign} ", _LAMPS.get(model.connection, "warn")))
    return lamp if proof is None else (Piece(f"{proof[0]}  ", proof[1], bold=True), *lamp)


def footer_items(
    keys: Sequence[Hint], width: int, unread: int = 0, keyboard: Keyboard = USUAL
) -> Iterator[Item]:
    """Lay out keys and what they do, as many as fit whole; `unread` stands with talk."""
    x = 1
    for hint in keys:
        pieces = hint_pieces(hint, keyboard)
        if unread and hint[0] == "talk":
            new = Piece(f" {min(unread, 99)} new ", "accent", bold=True, fill=True)
            pieces = (*pieces, Piece(" "), new)
        wide = sum(cell_len(piece.text) for piece in pieces)
        if x + wide + 2 > width:
            break
        yield Words(x, 0, wide, pieces, pressed(hint[0]))
        x += wide + 2
