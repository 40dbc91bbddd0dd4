"""Room time: the server's clock, standing still while nobody is there."""


class RoomClock:
    """Milliseconds of room time. It begins stopped; `wall` is the server's monotonic clock (ms)."""

    def __init__(self, room_time: int = 0) -> None:
        self._stopped_at: int | None = room_time
        self.offset = 0  # while it runs: how far the server's clock is ahead of it

    @property
    def stopped(self) -> bool:
        return self._stopped_at is not None

    def read(self, wall: int) -> int:
        return wall - self.offset if self._stopped_at is None else self._stopped_at

    def to_wall(self, room_time: int) -> int:
        """Return when this room time comes, on the server's clock; only while it runs."""
        if self._stopped_at is not None:
            raise AssertionError("a stopped clock reaches no time")
        return room_time + self.offset

    def stop(self, wall: int) -> None:
        if self._stopped_at is None:
            self._stopped_at = wall - self.offset

    def go(self, wall: int) -> None:
        if self._stopped_at is not None:
            self.offset = wall - self._stopped_at
            self._stopped_at = None
