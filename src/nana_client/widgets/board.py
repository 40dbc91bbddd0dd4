"""The board: everything between the title and the prompt, put together from its parts."""

from collections.abc import Iterator

from msgspec.structs import replace

from nana_client.layout import Plan, Rect
from nana_client.sight import Sight
from nana_client.widgets.attempt import attempt_items
from nana_client.widgets.center import center_items
from nana_client.widgets.felt import felt_items
from nana_client.widgets.hand import hand_items
from nana_client.widgets.opponent import seat_items
from nana_client.widgets.sheet import Item, Patch, shifted


def board_items(sight: Sight, plan: Plan) -> Iterator[Item]:
    """Lay out the table of one viewer, in the places of the plan's board."""
    board = plan.board
    for rect, items in _parts(sight, plan):
        for item in shifted(items, rect.x - board.x, rect.y - board.y):
            yield _grounded(item, plan.felt, board)


def _grounded(item: Item, felt: Rect | None, board: Rect) -> Item:
    """Put what lies on the table on its ground."""
    if felt is None or isinstance(item, Patch) or item.ground is not None:
        return item
    on_it = felt.y <= item.y + board.y < felt.bottom
    return replace(item, ground="felt") if on_it else item


def _parts(sight: Sight, plan: Plan) -> Iterator[tuple[Rect, Iterator[Item]]]:
    """Return the parts from the lowest layer to the highest."""
    yield Rect(0, 0, 0, 0), felt_items(sight, plan)
    yield plan.center, center_items(sight, plan)
    yield plan.attempt, attempt_items(sight, plan)
    for seat, rect in zip(sight.others, plan.seats, strict=True):
        yield rect, seat_items(sight, seat, plan, rect)
    if plan.hand is not None:
        yield plan.hand, hand_items(sight, plan)
