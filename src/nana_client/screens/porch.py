"""The way in: every screen before a table, and which goal comes of what was chosen there."""

import contextlib
import os
from collections.abc import Callable, Sequence

from textual.screen import Screen

from nana_client.address import BadAddress, parse
from nana_client.screens.join import JoinScreen, Tried
from nana_client.screens.opening import Opening, OpeningScreen
from nana_client.screens.rooms import RoomsScreen
from nana_client.screens.tuner import Tuner
from nana_client.session import Ending
from nana_client.start import HostRoom, JoinRoom, PlayBots, WatchRoom
from nana_client.stay import Stay
from nana_client.store import Secret, Store
from nana_client.visit import Goal, Passport, back_to_seat


class Porch:
    """Shows the screens by `put`; a goal is returned, for whoever goes there."""

    def __init__(self, store: Store, tuner: Tuner, put: Callable[[Screen[None]], None]) -> None:
        self._store, self._tuner, self._put = store, tuner, put
        self._password: Secret | None = None

    @property
    def passport(self) -> Passport:
        password = self._password or _secret(os.environ.get("NANA_PASSWORD"))
        return Passport(self._tuner.player, self._store, password)

    def open(self, trouble: str = "") -> None:
        """Show the opening screen, and why one is back there."""
        settings, kept = self._tuner.settings, self._store.free_seat()
        opening = Opening(
            bots=settings.bots,
            level=settings.level,
            kept=kept.room if kept else None,
            trouble=trouble or _told(self._store.troubles),
        )
        self._put(OpeningScreen(self._tuner.player, opening))

    def back(self, *, here: bool = False) -> Goal | None:
        """Return the way to the seat used last; without one, the opening screen says why."""
        back = back_to_seat(self._store, here=here)
        if isinstance(back, str):
            self.open(back)
            return None
        return back

    def chosen(self, event: OpeningScreen.Chosen) -> Goal | None:
        """Take what was chosen on the opening screen: a goal, or another screen."""
        self._tuner.player = event.name
        opening = event.opening
        self._tuner.remember(name=event.name, bots=opening.bots, level=opening.level)
        match event.choice:
            case "play":
                return PlayBots(opening.bots, opening.level)
            case "host":
                return HostRoom()
            case "resume":
                return self.back()
            case "rooms":
                self._browse()
            case "join" | "watch" as choice:
                server = self._tuner.settings.server
                self._put(JoinScreen(self._tuner.player, server, watch=choice == "watch"))
        return None

    def named(self, event: JoinScreen.Going) -> Goal:
        """Take the table that was named by its link."""
        self._tuner.player, self._password = event.name, _secret(event.password)
        self._tuner.remember(name=event.name, server=event.target.server)
        return WatchRoom(event.target) if event.watch else JoinRoom(event.target)

    def found(self, event: RoomsScreen.Going) -> Goal:
        """Take the table that was found in a list."""
        self._tuner.remember(server=event.target.server)
        return WatchRoom(event.target) if event.watch else JoinRoom(event.target)

    def turned_back(self, stay: Stay, ending: Ending, trouble: str) -> None:
        """Say why there is no table: where the link was, or the password is, to be typed."""
        locked = ending.code == "wrong_password"
        named = isinstance(stay.goal, JoinRoom | WatchRoom)
        link = stay.typed if locked or (named and trouble) else None
        if link is None:
            self.open(trouble)
            return
        watch = isinstance(stay.goal, WatchRoom) or ending.code == "room_full"
        server = self._tuner.settings.server
        tried = Tried(link, trouble, locked=locked)
        self._put(JoinScreen(self._tuner.player, server, watch=watch, tried=tried))

    def _browse(self) -> None:
        server = None
        with contextlib.suppress(BadAddress):
            server = parse(self._tuner.settings.server)
        self._put(RoomsScreen(server))


def _told(troubles: Sequence[str]) -> str:
    """Say the first of what is wrong with files of one's own, and how much more there is."""
    more = f" And {len(troubles) - 1} more: nana says all of it when it ends."
    return "".join(troubles[:1]) + (more if len(troubles) > 1 else "")


def _secret(text: str | None) -> Secret | None:
    return Secret(text) if text else None
