"""One stay at a table, as the app has it: where it went, by which session, what is true there.

It owns no screen and no widget. A stay begins before there is a session and goes on when
that has ended, so that a table that was closed can still be looked at.
"""

from typing import Literal, TypeAlias

from msgspec.structs import replace

from nana_client.ears import Ears
from nana_client.hosting import Hosted
from nana_client.model import Model
from nana_client.session import Ending, Session
from nana_client.start import JoinRoom, PlayBots
from nana_client.store import SavedSeat, Store
from nana_client.visit import Goal, link_of
from nana_client.words import has_company
from nana_core.protocol.outbound import Snapshot

Parting: TypeAlias = Literal["keep", "leave"]
_WANTED = frozenset({None, "left", "closed"})  # codes of endings that somebody here asked for


class Stay:
    def __init__(self, goal: Goal | None, ears: Ears) -> None:
        """Plan a stay; without a goal it is none, and nobody will ever enter."""
        self.goal = goal
        self.session: Session | None = None
        self.hosted: Hosted | None = None
        self.model = Model()
        self.leaving = False
        self._ears = ears
        self._seat: SavedSeat | None = None  # that the session had when it ended
        self._links: tuple[str, ...] = ()  # to the room on our own server

    @property
    def snapshot(self) -> Snapshot | None:
        return self.model.snapshot

    @property
    def alone(self) -> bool:
        """Whether it is a private table with bots, which nobody comes back to."""
        return isinstance(self.goal, PlayBots)

    @property
    def hosting(self) -> bool:
        """Whether the server ends with this stay."""
        return self.hosted is not None and self.hosted.started

    @property
    def leaves_others(self) -> bool:
        """Whether the end of our server would leave others alone."""
        shot = self.snapshot
        hosting = self.hosting and not self.alone and self.session is not None
        return hosting and shot is not None and has_company(shot)

    @property
    def gentlest(self) -> Parting:
        """How one goes where nothing is asked: a table of one's own is there the next time."""
        return "keep" if self.hosting and not self.alone else "leave"

    @property
    def in_game(self) -> bool:
        """Whether leaving now would leave cards behind."""
        shot = self.snapshot
        if self.session is None or shot is None or shot.you.seat is None:
            return False
        return shot.phase in {"opening", "playing"}

    @property
    def links(self) -> tuple[str, ...]:
        """The links to share, the likeliest first: our own server's, else the session's."""
        room = self.snapshot.room if self.snapshot is not None else None
        if self.hosted is None or room is None:
            link = self.session.link if self.session is not None else None
            return () if link is None else (link,)
        if not self._links or not self._links[0].endswith(room):
            self._links = self.hosted.links(room)
        return self._links

    @property
    def typed(self) -> str | None:
        """What somebody would type to come here."""
        return None if self.goal is None else link_of(self.goal, self.hosted)

    def enter(self, session: Session, hosted: Hosted | None) -> None:
        self.session, self.hosted = session, hosted
        if self.leaving:
            session.close()

    def hear(self, model: Model) -> None:
        """Take in what is true now, for these ears."""
        self.model = replace(model, muted=self._ears.muted(model))

    def mute(self, name: str) -> None:
        """Mute somebody here, or hear them again."""
        self._ears.turn(self.model, name)
        self.hear(self.model)

    def end(self, ending: Ending) -> str:
        """Note that the session is over; return why there is no table, if it was not asked for."""
        self._seat = self.session.restorable if self.session is not None else None
        self.session = None
        if self.snapshot is None:
            return ending.text if ending.code not in _WANTED - {None} else ""
        why = ending.text or self.model.trouble
        self.model = replace(self.model, connection="closed", trouble=why)
        return ""

    def part(self, how: Parting) -> bool:
        """Begin to end the session; False when there is none to end."""
        closes = how == "leave" and self.leaves_others and not self.in_game
        self.leaving = True
        if self.session is None:
            return False
        if closes and self.snapshot is not None and self.snapshot.you.host:
            self.session.close_room()
        elif how == "leave" and self.model.connection == "open":
            self.session.leave()
        else:
            self.session.close()
        return True

    @property
    def _taken_over(self) -> bool:
        """Whether another terminal has the seat now."""
        return self.model.bye is not None and self.model.bye.code == "replaced"

    def again(self, store: Store) -> Goal | None:
        """Say where to go for the same table: to the seat there, where one was kept."""
        if self._taken_over and not self.hosting:
            return self._seat or self.goal
        kept = store.free_seat()
        room = self.snapshot.room if self.snapshot is not None else None
        same = kept is not None and kept.room == room and isinstance(self.goal, JoinRoom)
        return kept if same else self.goal
