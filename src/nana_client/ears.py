"""Who is muted at this table: by name, by seat letter where one types, and remembered."""

from nana_client.menu import others
from nana_client.model import Model, seat_view
from nana_client.store import Store


class Ears:
    """Mutes are on one's own side, and remembered for the room where there is a store."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._room = ""
        self._muted: frozenset[str] = frozenset()

    def muted(self, model: Model) -> frozenset[str]:
        """Return the names that are not to be heard in the model's room."""
        self._enter(model)
        return self._muted

    def turn(self, model: Model, name: str) -> None:
        """Mute somebody by name, or hear them again."""
        self._enter(model)
        self._muted ^= {name}
        if self._store is not None:
            self._store.mute(self._room, self._muted)

    def turn_typed(self, model: Model, who: str) -> str:
        """Mute whoever was typed, by seat letter or name; return what to tell about it."""
        self._enter(model)
        name = self._find(model, who)
        if name is None:
            there = ", ".join(others(model)) or "nobody"
            return f"There is nobody called {who!r} to mute; there is {there}."
        self.turn(model, name)
        return f"You hear {name} again." if name not in self._muted else f"{name} is muted."

    def _enter(self, model: Model) -> None:
        room = model.snapshot.room if model.snapshot else self._room
        if room != self._room:
            self._room = room
            self._muted = self._store.muted(room) if self._store is not None else frozenset()

    def _find(self, model: Model, who: str) -> str | None:
        seat = seat_view(model.snapshot, who.upper()) if model.snapshot is not None else None
        known = {*others(model), *self._muted}
        if seat is not None and seat.name in known:
            return seat.name
        return next((name for name in sorted(known) if name.lower() == who.lower()), None)
