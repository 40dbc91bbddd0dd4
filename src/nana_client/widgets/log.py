"""The log: the last things that happened or were said, newest last.

It is no memory aid. What it shows are the model's lines, and those never hold the
value of a card that was turned in vain.
"""

from collections.abc import Iterator

from nana_client.model import Line, Model, Proof
from nana_client.theme import Tone
from nana_client.widgets.sheet import Item, Piece, Words
from nana_client.widgets.talk import line_pieces
from nana_client.words import sentence

_PROOFS: dict[Proof, tuple[str, Tone]] = {
    "verified": ("✓ ", "good"),
    "unproven": ("? ", "warn"),
    "false": ("✗ ", "bad"),
}


def log_items(model: Model, width: int, height: int) -> Iterator[Item]:
    """Lay out as many of the last lines as there are rows; after a game, the deal's proof first."""
    rows = [line_pieces(line) for line in model.audible]
    if proof := proof_pieces(model):
        rows = [*rows[-max(0, height - 1) :], proof] if height > 1 else [proof]
    rows = rows[-height:]
    for at, pieces in enumerate(rows):
        yield Words(1, at, width - 2, pieces)


def with_proof(model: Model) -> tuple[Line, ...]:
    """Return the lines for a talk panel: they end with the deal's proof once there is one."""
    if model.proof not in _PROOFS or not model.proof_text:
        return model.audible
    sign, _ = _PROOFS[model.proof]
    return (*model.audible, Line("notice", sign + sentence(model.proof_text)))


def proof_pieces(model: Model) -> tuple[Piece, ...]:
    """Say whether the deal of the finished game was verified."""
    if model.proof not in _PROOFS:
        return ()
    sign, tone = _PROOFS[model.proof]
    return (Piece(sign, tone, bold=True), Piece(sentence(model.proof_text), tone))
