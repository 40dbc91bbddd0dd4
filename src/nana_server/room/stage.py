"""What the viewers of a room are shown, and what each of them has seen of the game.

A snapshot goes to everybody at once: the shared part encoded once, each one's own
end kept encoded. Nobody is waited for: a peer that is blocked is left out, and gets
the newest snapshot, with the attempts it would otherwise miss, when it can take it.
"""

from collections.abc import Iterable, Sequence

from nana_core.actions import HandEnd
from nana_core.game import Attempt
from nana_core.protocol.outbound import AttemptView
from nana_core.protocol.wire import attempt_view
from nana_core.views import own_hands
from nana_server.room.ids import Used
from nana_server.room.show import Moment, Sheet, own_part
from nana_server.room.state import Key, RoomState, seat_of
from nana_server.room.viewer import MISSED_MOST, Audience, Peer, Viewer
from nana_server.room.work import House


class Stage:
    """The game in play, as far as it was shown. `now` is the server's clock (ms)."""

    def __init__(self, house: House, room_time: int) -> None:
        self.audience = Audience(house.clock(), room_time)
        self._tally = house.tally
        self._show_all = house.show_all
        self._ended: list[Attempt] = []  # of this game; the n-th is that of the n-th turn
        self._said: list[AttemptView] = []  # as many of them as somebody has asked for
        self._sheet = Sheet(house.epoch)
        self._published = 0  # of the attempts: whoever is not behind has seen so many

    def begin(self) -> None:
        """A new game: nobody has missed anything of it."""
        self._ended.clear()
        self._said.clear()
        self._published = 0
        self.audience.reset()

    def follow(self, state: RoomState) -> None:
        """Note an attempt that has just ended."""
        game = state.game
        if game is not None:
            table = game.table
            if table.attempt.outcome is not None and table.turn > len(self._ended):
                self._ended.append(table.attempt)

    @property
    def attempts(self) -> list[AttemptView]:
        """The ended attempts, said only now: hardly anybody ever asks."""
        said = self._said
        for turn in range(len(said) + 1, len(self._ended) + 1):
            said.append(attempt_view(self._ended[turn - 1], turn))
        return said

    def earlier(self, state: RoomState) -> list[AttemptView]:
        """Return the ended attempts but for the one that still lies on the table."""
        return self.attempts[: len(self._ended) - on_table(state)]

    def shared(self, state: RoomState, version: int, now: int) -> bytes:
        """Encode the part of the snapshot that all viewers share."""
        clock = self.audience.clock
        moment = Moment(
            version=version,
            now=now,
            offset=now - clock.read(now),
            frozen=clock.stopped,
            connected=self.audience.connected,
        )
        return self._sheet.shared_part(state, moment)

    def publish(
        self,
        state: RoomState,
        version: int,
        now: int,
        actor: Viewer | None = None,
        ack: bytes | None = None,
    ) -> None:
        """Show everybody the table; the actor's ack goes out ahead of its snapshot."""
        if not self.audience:
            return
        shared = self.shared(state, version, now)
        self.audience.refresh(state)
        for viewer in self.audience:
            self._offer(viewer, shared, state, ack if viewer is actor else None)
        self._published = len(self._ended)
        self._tally.shown += len(self.audience)

    def publish_play(
        self,
        state: RoomState,
        version: int,
        now: int,
        actor: Viewer | None,
        ack: bytes | None,
    ) -> None:
        """`publish` after a play, where nothing else has changed since the last one."""
        audience, game = self.audience, state.game
        viewers = audience.all
        if not viewers or game is None:
            return
        table, sheet = game.table, self._sheet
        if table.sets is sheet.sets:
            offset = audience.clock.offset
            shared = sheet.part_after_play(state, table, version, now, offset)
        else:
            shared = self.shared(state, version, now)
        cards = table.attempt.cards
        if not cards:
            audience.own_parts.deal(own_hands(game))
        elif type(source := cards[-1].source) is HandEnd:
            audience.own_parts.deal_one(source.owner, own_hands(game))
        if audience.behind:
            for viewer in viewers:
                self._offer(viewer, shared, state, ack if viewer is actor else None)
        else:
            if actor is not None and not actor.peer.show(shared, actor.own, ack):
                self._missed_by((actor,))
            show_all = self._show_all
            missed = show_all(shared, viewers if actor is None else actor.others)
            if missed:
                self._missed_by(missed)
        self._published = len(self._ended)
        self._tally.shown += len(viewers)

    def show_to(self, viewer: Viewer, state: RoomState, version: int, now: int) -> None:
        """Show one viewer the table: who was told that it is stale, or could take nothing."""
        self._show(viewer, self.shared(state, version, now), state)
        self._tally.shown += 1

    def attach(self, key: Key, peer: Peer, state: RoomState, used: Used, now: int) -> None:
        """Let a member look; what ended before is not shown again."""
        self.audience.attach(key, peer, len(self._ended) - on_table(state), used, now)

    def _offer(self, viewer: Viewer, shared: bytes, state: RoomState, ack: bytes | None) -> None:
        """Show a viewer what is on, in its ready own end unless it has missed something."""
        if viewer.behind:
            self._show(viewer, shared, state, ack)
        elif not viewer.peer.show(shared, viewer.own, ack):
            self._missed_by((viewer,))

    def _missed_by(self, viewers: Iterable[Viewer]) -> None:
        """Note who could not be shown what is on."""
        for viewer in viewers:
            viewer.behind, viewer.seen = True, self._published
            self.audience.behind.add(viewer)

    def _show(
        self, viewer: Viewer, shared: bytes, state: RoomState, ack: bytes | None = None
    ) -> None:
        missed: Sequence[AttemptView] = ()
        if viewer.behind:
            missed = viewer.missed(self.attempts, on_table(state))
        if len(missed) > MISSED_MOST:
            viewer.peer.abort()
            return
        own = own_part(state, seat_of(state, viewer.key), viewer.key, missed)
        if viewer.peer.show(shared, own, ack):
            viewer.behind = False
            self.audience.behind.discard(viewer)
        elif not viewer.behind:
            self._missed_by((viewer,))


def on_table(state: RoomState) -> int:
    """How many ended attempts lie on the table: one that is shown, or none."""
    game = state.game
    return 1 if game is not None and game.table.attempt.outcome is not None else 0
