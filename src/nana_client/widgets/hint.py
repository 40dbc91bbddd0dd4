"""The band above the prompt: the coach's hint in a first game, or the link to a free seat."""

from collections.abc import Iterator

from msgspec.structs import replace
from rich.cells import cell_len

from nana_client.coach import MOMENTS, Coach
from nana_client.layout import Plan, Rect
from nana_client.widgets.hints import hint_pieces, pressed
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Item, Piece, Words, printable
from nana_client.words import has_free_seat
from nana_core.protocol.outbound import Snapshot

ROWS = 3
_NARROW = 76
_SKIP = "skip-hints", "no more hints"
_SURE = "skip-hints", "again: no more hints, ever"
_JOIN = " A seat is free. Friends join with this link: "


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


def link_to_share(snapshot: Snapshot, link: str | None) -> str | None:
    """Return the link if it is wanted: by the host, after a game, while a seat is free."""
    wanted = snapshot.phase == "over" and snapshot.you.host and has_free_seat(snapshot)
    return printable(link) if wanted and link is not None else None


def link_items(link: str, width: int) -> Iterator[Item]:
    """Lay out the link in one row, without the words where they leave it no room; or nothing."""
    words = _JOIN if cell_len(_JOIN + link) < width else " "
    if cell_len(words + link) <= width:
        yield Words(0, 0, width, (Piece(words), Piece(link, "accent", bold=True)))
