"""How much somebody may ask for: a bucket that fills with time."""


class Allowance:
    """`burst` at once, refilled at `per_second`. Time is handed in, in milliseconds."""

    __slots__ = ("_at", "_burst", "_left", "_per_ms")

    def __init__(self, per_second: float, burst: float, now: int) -> None:
        self._per_ms = per_second / 1000
        self._burst = burst
        self._left = burst
        self._at = now

    def spend(self, now: int) -> bool:
        """Take one; False when there is none left."""
        self._left = min(self._burst, self._left + (now - self._at) * self._per_ms)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def is_full(self, now: int) -> bool:
        """Whether nothing was spent for so long that it may be forgotten."""
        return self._left + (now - self._at) * self._per_ms >= self._burst
