"""The center: numbered slots, face down, open in an attempt, or empty."""

from collections.abc import Iterator

from nana_client.layout import Plan
from nana_client.sight import Sight
from nana_client.widgets.card import Face
from nana_client.widgets.sheet import Card, Item
from nana_core.protocol.outbound import SlotView


def center_items(sight: Sight, plan: Plan) -> Iterator[Item]:
    """Lay out the slots, row by row."""
    size = plan.density.center
    gap = 0 if size.height == 1 else 1
    slots = len(sight.snapshot.center)
    for at, state in enumerate(sight.snapshot.center):
        row, column = divmod(at, plan.columns)
        missing = plan.columns - min(plan.columns, slots - row * plan.columns)
        x = column * (size.width + gap) + missing * (size.width + gap) // 2
        source = f"c{at + 1}"
        face = slot_face(sight, source, state, _known(sight, at))
        press = source if source in sight.live else None
        yield Card(x, row * (size.height + gap), size, face, press, name=source)


def slot_face(sight: Sight, source: str, state: SlotView, known: int | None) -> Face:
    mark, live = sight.mark_of(source), source in sight.live
    key = "" if sight.over else sight.key_of(source)
    match state:
        case int():
            return Face("up", state, key=key, mark=mark)
        case "gone":
            return Face("gone")
        case _:
            return Face("back", known, key=key, live=live, mark=mark)


def _known(sight: Sight, at: int) -> int | None:
    ledger = sight.snapshot.ledger
    return ledger.center[at] if ledger is not None and at < len(ledger.center) else None
