"""The table itself: its rim, which shows at one glance whose turn it is, and how it stands.

Who is on turn has the stretch of rim before them lit; on your own turn all of it is.
"""

from collections.abc import Iterator
from typing import Final

from nana_client.layout import Plan, Rect
from nana_client.sight import Sight
from nana_client.theme import Tone
from nana_client.widgets.sheet import Item, Patch, Piece, Words

_LIGHT: Final = (("╭", "─", "╮"), "│", ("╰", "─", "╯"))
_HEAVY: Final = (("┏", "━", "┓"), "┃", ("┗", "━", "┛"))


def felt_items(sight: Sight, plan: Plan) -> Iterator[Item]:
    """Lay out the table, in the places of the whole screen."""
    felt = plan.felt
    if felt is None:
        return
    tone, heavy = rim(sight)
    top, side, low = _HEAVY if heavy else _LIGHT
    yield Patch(felt.x, felt.y, felt.width, felt.height, "felt")
    for line, y in ((top, felt.y), (low, felt.bottom - 1)):
        left, middle, right = line
        text = f"{left}{middle * (felt.width - 2)}{right}"
        yield Words(felt.x, y, felt.width, (Piece(text, tone),))
    for y in range(felt.y + 1, felt.bottom - 1):
        for x in (felt.x, felt.right - 1):
            yield Words(x, y, 1, (Piece(side, tone),))
    if not heavy:
        yield from _lit(sight, plan, felt)


def rim(sight: Sight) -> tuple[Tone, bool]:
    """Return the rim's colour, and whether it is drawn heavily: then one must act."""
    attempt, result = sight.snapshot.attempt, sight.snapshot.result
    if result is not None:
        mine = sight.me is not None and result.seat == sight.me.seat
        return ("accent" if mine else "edge"), mine
    if sight.snapshot.paused:
        return "warn", False
    outcome = attempt.outcome if attempt is not None else None
    tone: Tone = {"set": "good", "miss": "bad"}.get(outcome or "", "accent")
    if sight.yours:
        return tone, True
    return (tone if outcome else "faint"), False


def _lit(sight: Sight, plan: Plan, felt: Rect) -> Iterator[Item]:
    """Light the rim before the seat that is on turn, or has won."""
    for seat, rect in zip(sight.others, plan.seats, strict=True):
        edges = {rect.bottom - 1, rect.y} & {felt.y, felt.bottom - 1}
        if sight.on_turn(seat) and edges:
            left, right = max(rect.x, felt.x + 1), min(rect.right, felt.right - 1)
            lit = (Piece("━" * (right - left), "accent"),)
            yield Words(left, edges.pop(), right - left, lit)
