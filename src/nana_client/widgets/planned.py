"""A container that puts its children where a plan says, and nowhere else."""

from collections.abc import Mapping

from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from nana_client.layout import Rect

_NO_MARGIN = Spacing()


class PlannedLayout(Layout):
    """Places each child by its id; a child without a place is not displayed."""

    name = "planned"

    def arrange(
        self,
        parent: Widget,
        children: list[Widget],
        size: Size,  # noqa: ARG002 - the library's signature
        greedy: bool = True,  # noqa: ARG002, FBT002 - the same
    ) -> ArrangeResult:
        rects = parent.rects if isinstance(parent, Planned) else {}
        return [
            WidgetPlacement(_region(rects[child.id]), NULL_OFFSET, _NO_MARGIN, child, order)
            for order, child in enumerate(children)
            if child.id is not None and child.id in rects
        ]


class Planned(Widget):
    """Holds the places of its children; they are given whole, by whoever laid them out."""

    DEFAULT_CSS = "Planned { width: 1fr; height: 1fr; }"

    def __init__(self, *children: Widget, id: str | None = None) -> None:  # noqa: A002
        super().__init__(*children, id=id)
        self.rects: Mapping[str, Rect] = {}
        self._planned = PlannedLayout()

    @property
    def layout(self) -> Layout:
        return self._planned

    def place(self, rects: Mapping[str, Rect]) -> None:
        """Give the children their places; those that are not named disappear."""
        if rects == self.rects:
            return
        self.rects = dict(rects)
        for child in self.children:
            child.display = child.id in rects
        self._clear_arrangement_cache()  # kept by size alone; the plan is ours
        self.refresh(layout=True)


def _region(rect: Rect) -> Region:
    return Region(rect.x, rect.y, rect.width, rect.height)
