"""The attempt: its cards with where each came from, and how it ended."""

from collections.abc import Iterator

from nana_client.layout import Plan
from nana_client.sight import Sight, mark_in
from nana_client.widgets.card import Face
from nana_client.widgets.sheet import Card, Item, Piece, Words
from nana_client.words import name_of, source_caption
from nana_core.game import SET_SIZE
from nana_core.protocol.outbound import AttemptView

_CAPTION = 7


def attempt_items(sight: Sight, plan: Plan) -> Iterator[Item]:
    """Lay out the heading, three places, and a caption under each."""
    size, rect = plan.density.attempt, plan.attempt
    attempt = sight.snapshot.attempt
    if size.height == 1:
        yield from _in_one_line(sight, attempt, plan)
        return
    pitch = max(size.width, _CAPTION) + 1
    left = (rect.width - (3 * pitch - 1)) // 2
    yield Words(left, 0, 3 * pitch - 1, heading(sight, attempt))
    for at in range(SET_SIZE):
        x = left + at * pitch
        inset = (pitch - 1 - size.width) // 2
        yield Card(x + inset, 1, size, place_face(sight, attempt, at), name=f"place{at}")
        if attempt is not None and at < len(attempt.cards):
            caption = source_caption(attempt.cards[at].source).center(_CAPTION)
            yield Words(x, 1 + size.height, _CAPTION, (Piece(caption, "dim"),))


def place_face(sight: Sight, attempt: AttemptView | None, at: int) -> Face:
    cards = attempt.cards if attempt is not None else ()
    if at < len(cards):
        return Face("up", cards[at].number, mark=mark_in(attempt, at))
    next_one = at == len(cards) and (attempt is None or attempt.outcome is None)
    return Face("place", mark="aim" if next_one and sight.live else "")


def heading(sight: Sight, attempt: AttemptView | None) -> tuple[Piece, ...]:
    """Say in a few words whose attempt it is, and its outcome at a glance."""
    if attempt is None:
        return ()
    result = sight.snapshot.result
    if result is not None and result.seat is not None:
        who = name_of(sight.snapshot, result.seat)
        words = f" ★ {'YOU WIN' if who == 'You' else who + ' wins'} "
        return (Piece(words, "accent", bold=True, fill=True),)
    match attempt.outcome:
        case "set":
            text = f" ✓ SET OF {attempt.cards[0].number}s " if attempt.cards else " ✓ SET "
            return (Piece(text, "good", bold=True, fill=True), *_by(sight, attempt))
        case "miss":
            return (Piece(" ✗ MISS ", "bad", bold=True, fill=True), *_by(sight, attempt))
        case _:
            who = name_of(sight.snapshot, attempt.seat)
            if len(attempt.cards) >= 2:
                return (Piece(" MATCH ", "good", bold=True, fill=True), *_by(sight, attempt))
            whose = "Your" if who == "You" else f"{who}'s"
            return (Piece(f"{whose} attempt", "text", bold=True),)


def _by(sight: Sight, attempt: AttemptView) -> tuple[Piece, ...]:
    return (Piece(f" {name_of(sight.snapshot, attempt.seat)}", "dim"),)


def _in_one_line(sight: Sight, attempt: AttemptView | None, plan: Plan) -> Iterator[Item]:
    """Lay out the three cards with their captions beside them."""
    size, width = plan.density.attempt, plan.attempt.width
    cell = _CAPTION + size.width + 1
    left = (width - SET_SIZE * cell) // 2
    for at in range(SET_SIZE):
        x = left + at * cell
        if attempt is not None and at < len(attempt.cards):
            caption = source_caption(attempt.cards[at].source).rjust(_CAPTION)
            yield Words(x, 0, _CAPTION, (Piece(caption, "dim"),))
        face = place_face(sight, attempt, at)
        yield Card(x + _CAPTION, 0, size, face, name=f"place{at}")
        sign = {"odd": ("✗", "bad"), "match": ("✓", "good")}.get(face.mark)
        if sign:
            yield Words(x + _CAPTION + size.width, 0, 1, (Piece(sign[0], sign[1], bold=True),))
