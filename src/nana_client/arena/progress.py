"""The bar that shows how far a contest has come. No terminal to draw on, no bar."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress(deals: int) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error; call what is given once for each deal."""
    console = Console(stderr=True)
    if not sys.stderr.isatty() or console.is_dumb_terminal:
        yield lambda: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("deals"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=deals)
        yield lambda: bar.advance(task)
