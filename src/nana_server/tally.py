"""What the server counts about itself: plain numbers, cheap to raise, read by `metrics`.

Nothing here may depend on a card, a name or a token; sizes in bytes do depend on cards.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final

LATENCY_MS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
TOOK_MOST: Final = 6000  # ms; what takes longer is counted as that
BATCH: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Histogram:
    """How many values fell between bounds; a value on a bound belongs below it."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[int, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total: float = 0

    def add(self, value: float, times: int = 1) -> None:
        self.counts[bisect_left(self.bounds, value)] += times
        self.total += value * times


class Commits:
    """A journal's commits. Its own thread writes here; a reader may be one behind."""

    __slots__ = ("batch", "ms")

    def __init__(self) -> None:
        self.ms = Histogram(LATENCY_MS)
        self.batch = Histogram(BATCH)

    def add(self, ms: float, entries: int) -> None:
        self.ms.add(ms)
        self.batch.add(entries)


@dataclass(slots=True)
class Tally:
    """Numbers since the start. A dataclass: msgspec's structs are slower to write to."""

    # By message and by ms from its arrival until what it did was kept and shown.
    took: defaultdict[type, list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0] * TOOK_MOST)
    )
    shown: int = 0  # snapshots for viewers
    by_itself: int = 0  # entries that nobody asked for: robots' and timers'
    refused: Counter[str] = field(default_factory=Counter)  # by error code
    floods: int = 0  # connections that were sent away for too many messages
    games_started: int = 0
    games_over: int = 0
    stand_ins: int = 0
    journal_failures: int = 0  # entries that could not be kept
    faults: int = 0  # bugs that were caught at the loop
    commits: Commits = field(default_factory=Commits)

    def done(self, message: type, ms: int) -> None:
        """Count a message that was carried out, from its arrival until it was shown."""
        self.took[message][ms if ms < TOOK_MOST else -1] += 1

    def kept(self) -> dict[type, int]:
        """How many messages were carried out, by what they are."""
        return {message: sum(took) for message, took in self.took.items()}

    def latency(self) -> Histogram:
        """How long it took until messages were shown."""
        histogram = Histogram(LATENCY_MS)
        for took in self.took.values():
            for ms, times in enumerate(took):
                if times:
                    histogram.add(ms, times)
        return histogram
