"""Writes to the terminal what has changed, and not what stands left of it.

Textual writes a changed region from the left edge of the widget that it lies in: of a
board that is one widget, most of the row for each card. What is cut off here is the part
that was on the screen already. Private names of the library are used; `test_table_bytes`
notices when they change their meaning.
"""

from rich.console import Console
from rich.control import Control
from textual._compositor import ChopsUpdate, Compositor


class ThriftyUpdate(ChopsUpdate):
    """Writes each span from its own beginning to its own end."""

    def render_segments(self, console: Console) -> str:
        sequences: list[str] = []
        for y, x1, x2 in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                start, stop = max(x, x1), min(end, x2)
                if strip is None or start >= stop:
                    continue
                sequences.append(Control.move_to(start, y).segment.text)
                sequences.append(strip.crop(start - x, stop - x).render(console))
        return "".join(sequences)


class ThriftyCompositor(Compositor):
    """A compositor whose partial updates are thrifty."""

    def render_partial_update(self) -> ChopsUpdate | None:
        update = super().render_partial_update()
        if update is None:
            return None
        return ThriftyUpdate(update.chops, update.spans, update.chop_ends)
