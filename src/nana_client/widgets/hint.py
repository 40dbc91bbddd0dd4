"""The coach's hint: a quiet band above the prompt, for as long as there is one to give."""

from collections.abc import Iterator

from msgspec.structs import replace

from nana_client.coach import MOMENTS, Coach
from nana_client.layout import Plan, Rect
from nana_client.widgets.hints import hint_pieces, pressed
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Item, Piece, Words

ROWS = 3
_NARROW = 76
_SKIP = "skip-hints", "no more hints"
_SURE = "skip-hints", "again: no more hints, ever"


def rows_for(width: int) -> int:
    """Return the height of the band: where lines are short there are more of them."""
    return ROWS if width >= _NARROW else ROWS + 2


def with_hint(plan: Plan, rows: int) -> tuple[Plan, Rect]:
    """Make room for the band above the prompt of a plan that leaves so many rows below."""

    def lower(rect: Rect) -> Rect:
        return replace(rect, y=rect.y + rows)

    hint = replace(plan.prompt, height=rows)
    log = lower(plan.log) if plan.log is not None else None
    talk = replace(plan.talk, height=plan.talk.height + rows) if plan.talk is not None else None
    moved = replace(plan, prompt=lower(plan.prompt), footer=lower(plan.footer), log=log, talk=talk)
    return moved, hint


def band_items(coach: Coach, width: int, height: int, *, sure: bool = False) -> Iterator[Item]:
    """Lay out the hint; `sure` asks once more before there are none."""
    count = f" FIRST GAME · {len(coach.seen)} of {MOMENTS} " if coach.seen else " FIRST GAME "
    skip = hint_pieces(_SURE if sure else _SKIP, coach.keyboard)
    wide = sum(len(piece.text) for piece in skip)
    yield Words(1, 0, width - wide - 2, (Piece(count, "good", bold=True, fill=True),))
    yield Words(width - wide - 1, 0, wide, skip, pressed(_SKIP[0]))
    for y, line in enumerate(broken(coach.text, width - 3)[: height - 1], start=1):
        yield Words(1, y, width - 2, (Piece(line),))
