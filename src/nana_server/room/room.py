"""A room at work: messages and time in, journal entries and snapshots out.

One action is in flight at a time: it is decided on the state as it stands, kept
by the journal, and only then becomes the state and is answered and shown. What
arrives meanwhile waits in order. The room never waits for a peer: one that is
blocked is left out, and gets the newest snapshot when it can take it.
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final, Self, cast

from nana_core.deck import Seat
from nana_core.notation import CONTINUE
from nana_core.protocol import inbound as i
from nana_core.protocol.codec import encode
from nana_core.protocol.outbound import Ack, Bye, ByeCode, Error, ErrorCode, Welcome
from nana_core.protocol.wire import letter
from nana_server.room import events as e
from nana_server.room.archive import Archive
from nana_server.room.decide import (
    Events,
    No,
    Situation,
    decide,
    decide_entrance,
    play,
    played,
)
from nana_server.room.events import Entry, encode_entry
from nana_server.room.evolve import create, evolve
from nana_server.room.ids import Ids, digest_of, note
from nana_server.room.lane import is_open, passed
from nana_server.room.notices import notices
from nana_server.room.refusals import REFUSALS
from nana_server.room.robots import LATE, Question, Robots, robot_seat
from nana_server.room.show import own_part
from nana_server.room.stage import Stage
from nana_server.room.state import Key, Member, RoomState, Sitter, seat_of
from nana_server.room.summary import SUMMED_AFTER, created_by, recall, summary_of
from nana_server.room.timers import due, next_due
from nana_server.room.viewer import Peer, Viewer, say, say_bye
from nana_server.room.work import Answer, House, Proposal, Request

WAITING_MOST: Final = 16  # messages of one connection that wait for the one in flight
RETRY_MS: Final = 1000  # after the journal failed, timers try again
RESTART_AFTER_MS: Final = 2000
_ANEW: Final = Bye(
    code=ByeCode.RESTART,
    text="This room is being read anew.",
    retry="after_ms",
    after_ms=RESTART_AFTER_MS,
)
# Told by type: of a Struct, isinstance is slow to say no, and these are asked at every action.
ENTRANCES: Final = frozenset({i.Create, i.Join, i.Watch, i.Resume})
PLAYS: Final = frozenset({i.Reveal, i.Continue})

log = logging.getLogger("nana.room")


class Room:
    def __init__(self, created: e.Created, house: House, *, room_time: int = 0) -> None:
        self.state = create(created)
        self.version = 0
        self.wake_at: int | None = None  # server's clock, ms
        self._stage = Stage(house, room_time)
        self.audience = self._stage.audience
        self._viewers, self._room_clock = self.audience.viewers, self.audience.clock
        self._created = created
        self._house = house
        self._clock, self._append = house.clock, house.journal.append
        self._tally = house.tally
        self._ids = Ids()
        self._robots = Robots(Random(house.entropy(8)))
        self._archive = Archive(house.records, self._refuse)
        self._chronicle = self._archive.chronicle
        self._waiting: deque[Request] = deque()
        self._shutting: list[Callable[[bool], None]] = []  # who wants the room closed from outside
        self._in_flight: Proposal | None = None
        self._is_open = False  # to the short way of a play; worked out by `_plan`, as is this:
        self._robots_play = False  # a seat is played by the server
        self._unseen_presence = False  # who is here changed while an action was in flight
        self._void = False  # there is no such room: it was not kept, or is another's now
        self._seq = 0  # entries in the journal so far
        self._summed = 0  # of them were summed up in one
        self._retry_at = 0
        self._people_of: dict[Key, Member] | None = None
        self._people_among: frozenset[Key] = frozenset()
        self._has_people = False

    @classmethod
    def restored(cls, entries: Sequence[bytes], house: House, version: int = 0) -> Self:
        """Bring a room back from its journal, frozen, with the time that its turn had left.

        `version` was shown in this run of the server already: the next one is higher.
        Raises msgspec.MsgspecError when an entry cannot be read.
        """
        kept = [e.decode_entry(entry) for entry in entries]
        first = kept[0].events[0]
        room = cls(created_by(first), house, room_time=kept[-1].at)
        for entry, encoded in zip(kept, entries, strict=True):
            before = room.state
            for event in entry.events:
                room.state = evolve(room.state, event, entry.at)
            room._recall(before, entry, encoded)
            if entry is kept[0] and type(first) is e.Summary:
                recall(first, room._ids, room._chronicle)
        room.version = max(room.version, version)
        for key in room.state.members:
            room.audience.miss(key, house.clock())
        room._archive.keep(room.state, anew=False)
        return room

    def _recall(self, before: RoomState, entry: e.Entry, encoded: bytes) -> None:
        self.version = entry.version
        first = entry.events[0]
        if type(first) is e.Summary:
            self._seq = self._summed = first.seq + 1
        else:
            self._seq += 1
        if entry.id is not None and entry.member is not None:
            note(self._ids.of(entry.member), entry.id, encoded)
        self._remember(before, entry)

    @property
    def code(self) -> str:
        return self.state.code

    @property
    def entries(self) -> int:
        """How many entries the journal has of it."""
        return self._seq

    @property
    def has_players(self) -> bool:
        """Whether a seated member is here."""
        connected = self.audience.connected
        return any(sitter and sitter.member in connected for sitter in self.state.seats)

    @property
    def is_at_rest(self) -> bool:
        """Whether nobody is here and nothing is under way: its journal says all there is."""
        return not (self.audience or self._waiting or self._in_flight)

    # What comes in.

    def receive(self, key: Key, peer: Peer, message: i.Inbound) -> None:
        """Take a message of a member, or of somebody who wants to come in."""
        request = Request(key, peer, message, self._clock())
        if self._in_flight is None and not self._waiting:
            self._take(request)
        elif sum(waiting.peer is peer for waiting in self._waiting) >= WAITING_MOST:
            self._refuse(request, No(ErrorCode.RATE_LIMITED, REFUSALS[ErrorCode.RATE_LIMITED]))
        else:
            self._waiting.append(request)
            self._pump()

    def play(self, key: Key, peer: Peer, message: i.Reveal | i.Continue) -> None:
        """Take a reveal or a continue: nearly every message is one, and goes the short way."""
        viewer = self._viewers.get(key)
        if (
            self._is_open
            and viewer is not None
            and viewer.peer is peer
            and self._in_flight is None
            and not self._waiting
            and message.id not in viewer.used
        ):
            clock, state = self._clock, self.state
            now = clock()
            at = now - self._room_clock.offset  # it runs, since a viewer is here
            pace = state.options.pace and self._pace()
            short = passed(state, viewer.seat, message, at, pace)
            if short is not None:
                event, after = short
                request = Request(key, peer, message, now)
                self._propose_play(event, after, at, request, viewer)
                return
        self.receive(key, peer, message)

    def lost(self, key: Key, peer: Peer) -> None:
        """A connection has ended; only the member's newest one counts."""
        if self.audience.find(key, peer) is not None:
            self.audience.detach(key, self._house.clock())
            self._presence_changed()

    def writable(self, key: Key) -> None:
        """A blocked connection can take more: give it the newest snapshot, if it lacks one."""
        viewer = self.audience.find(key)
        if viewer is not None and viewer.behind:
            self._show_to(viewer)

    def tick(self) -> None:
        """Do what is due by now."""
        self.wake_at = None
        now = self._house.clock()
        runs = not (self.audience.clock.stopped or self.state.closed or self._void)
        if runs and self._in_flight is None and now >= self._retry_at:
            self._do_what_is_due(self._room_time())
        self._plan()

    def say_restart(self, after_ms: int = RESTART_AFTER_MS) -> None:
        """The server stops; whoever is here may come back when it runs again."""
        self.audience.broadcast(
            Bye(
                code=ByeCode.RESTART,
                text="The server is stopping.",
                retry="after_ms",
                after_ms=after_ms,
            )
        )

    def abandon(self) -> None:
        """Go no further: the journal has another history. Whoever is here comes in anew."""
        self._void, self._is_open = True, False
        self._has_ended(False)
        for viewer in self.audience:
            say(viewer.peer, _ANEW)
            viewer.peer.close(1000, _ANEW.code)

    def expire(self) -> None:
        """End a room that nobody has come back to."""
        if self._in_flight is None and not self.state.closed:
            self._propose((e.Closed("expired"),), None)

    def shut(self, done: Callable[[bool], None]) -> None:
        """Close the room for whoever runs the server; `done` hears whether that was kept."""
        self._shutting.append(done)
        if self._void or self.state.closed:
            self._has_ended(self.state.closed)
        else:
            self._pump()

    def announce(self, notice: bytes) -> None:
        """Send an encoded notice to everybody here."""
        for viewer in self.audience:
            viewer.peer.send(notice)

    # Decide and append.

    def _pump(self) -> None:
        if self._shutting and self._in_flight is None:
            self._propose((e.Closed("closed"),), None)
        while self._in_flight is None and self._waiting:
            self._take(self._waiting.popleft())

    def _take(self, request: Request) -> None:
        if request.peer.gone and not self._is_farewell(request):
            return  # nobody waits for this any more; a retry has the same token or id
        if self._void:
            self._refuse(request, No(ErrorCode.UNAVAILABLE, REFUSALS[ErrorCode.UNAVAILABLE]))
            return
        if self.state.closed:
            self._refuse(request, No(ErrorCode.NO_SUCH_ROOM, REFUSALS[ErrorCode.NO_SUCH_ROOM]))
            return
        message, viewer = request.message, self.audience.find(request.key, request.peer)
        if type(message) in ENTRANCES:
            self._let_in(request, cast("i.Entering", message))
        elif request.peer.gone:
            self._handle(request, cast("i.Inside", message))
        elif viewer is None:  # never let in, or replaced or removed since it was sent
            self._refuse(request, No(ErrorCode.NOT_JOINED, REFUSALS[ErrorCode.NOT_JOINED]))
        elif type(message) in PLAYS:
            self._play(request, viewer)
        else:
            self._handle(request, cast("i.Inside", message))

    def _is_farewell(self, request: Request) -> bool:
        """Tell whether a member took leave and hung up: that counts, nobody will say it again."""
        away = self.audience.find(request.key) is None and request.key in self.state.members
        return away and type(request.message) is i.Leave

    def _play(self, request: Request, viewer: Viewer) -> None:
        """Take a reveal or a continue that `play` has not let through at once."""
        message = cast("i.Reveal | i.Continue", request.message)
        if message.id in viewer.used:
            self._answer_again(request, viewer.used[message.id])
            return
        at = self._room_time()
        outcome = play(self.state, viewer.seat, message, at, self._pace())
        if isinstance(outcome, tuple):
            self._propose(outcome, request, at)
            return
        self._refuse(request, outcome)
        if outcome.code is ErrorCode.STALE:
            self._show_to(viewer)
        self._relieve(request.key)

    def _handle(self, request: Request, message: i.Inside) -> None:
        used = self._ids.of(request.key)
        if message.id in used:
            self._answer_again(request, used[message.id])
            return
        now = self._situation()
        outcome = decide(self.state, request.key, message, now)
        if isinstance(outcome, No):
            self._refuse(request, outcome)
        elif outcome:
            self._propose(outcome, request, now.at)
        elif isinstance(message, i.Export):
            self._archive.export(request, message, self.state)
        elif message.id is not None:  # nothing to do: not kept by the journal, but remembered
            digest = digest_of(message)
            entry = Entry(now.at, self.version, (), request.key, message.id, digest)
            note(used, message.id, encode_entry(entry))
            say(request.peer, Ack(message.id, self.version))

    def _relieve(self, key: Key) -> None:
        """Whoever tries to play is back, even where the stand-in was quicker."""
        seat = seat_of(self.state, key)
        sitter = None if seat is None else self.state.seats[seat]
        if self.state.phase == "playing" and seat is not None and sitter and sitter.stand_in:
            self._propose((e.Back(seat),), None)

    def _let_in(self, request: Request, message: i.Entering) -> None:
        if request.key in self.state.members:
            self._welcome_back(request)
        elif isinstance(message, (i.Create, i.Join, i.Watch)):
            outcome = decide_entrance(self.state, request.key, message)
            if not isinstance(outcome, No):
                self._propose(outcome, request)
                return
            self._refuse(request, outcome)
            if not self._seq:
                self._come_to_nothing()
        else:
            self._refuse(request, No(ErrorCode.NO_SUCH_ROOM, REFUSALS[ErrorCode.NO_SUCH_ROOM]))

    def _welcome_back(self, request: Request) -> None:
        """The same token gets the same place: after a drop, or when the answer was lost."""
        seat = seat_of(self.state, request.key)
        sitter = None if seat is None else self.state.seats[seat]
        if seat is not None and sitter is not None and sitter.stand_in:
            self._propose((e.Back(seat),), request)
        else:
            self._attach(request)
            self._presence_changed()

    def _answer_again(self, request: Request, encoded: bytes) -> None:
        """Give a retry the same answer; an id with something else in it is refused."""
        entry = e.decode_entry(encoded)
        if entry.digest != digest_of(request.message):
            self._refuse(request, No(ErrorCode.ID_REUSED, REFUSALS[ErrorCode.ID_REUSED]))
        elif request.message.id is not None:
            say(request.peer, Ack(request.message.id, entry.version))
            request.peer.charge()

    def _come_to_nothing(self) -> None:
        self._void, self._is_open = True, False
        self._house.ended(self)
        self._has_ended(False)

    def _has_ended(self, is_closed: bool) -> None:
        """Tell whoever wants it closed how that went."""
        waiting, self._shutting = self._shutting, []
        for done in waiting:
            done(is_closed)

    def _propose(self, events: Events, request: Request | None, at: int | None = None) -> None:
        """Hand an entry to the journal; until it is kept, nothing has happened."""
        if not self._seq:
            events = (self._created, *events)
        if at is None:
            at = self._room_time()
        state = self.state
        for event in events:
            state = evolve(state, event, at)
        version = self.version + _shows(events[0])
        if request is None:
            entry = e.Entry(at, version, events)
        else:
            key, message = request.key, request.message
            digest = None if message.id is None else digest_of(message)
            entry = e.Entry(at, version, events, key, message.id, digest)
        encoded = encode_entry(entry)
        self._in_flight = entry, state, request, None, encoded
        self._append(self.code, self._seq, encoded, self._done)

    def _propose_play(
        self,
        event: e.Revealed | e.Continued,
        state: RoomState,
        at: int,
        request: Request | None = None,
        viewer: Viewer | None = None,
    ) -> None:
        """Propose one lawful play, and the state after it: what `_propose` does, shortened."""
        if request is None:
            entry = Entry(at, self.version + 1, (event,))
        else:
            message = request.message
            digest = None if message.id is None else digest_of(message)
            entry = Entry(at, self.version + 1, (event,), request.key, message.id, digest)
        encoded = encode_entry(entry)
        self._in_flight = entry, state, request, viewer, encoded
        done = self._play_done if state.phase == "playing" else self._done
        append = self._append
        append(state.code, self._seq, encoded, done)

    def _sum_up(self) -> None:
        """Keep one entry in place of all before; nothing of it is shown."""
        if self.state.closed or self._void:
            return
        summary = summary_of(self._seq, self.state, self._ids, self._chronicle)
        entry = Entry(self._room_time(), self.version, (summary,))
        encoded = encode_entry(entry)
        self._in_flight = entry, self.state, None, None, encoded
        self._house.journal.begin_anew(self.code, self._seq, encoded, self._done)

    def _refuse(self, request: Request, no: No) -> None:
        self._house.tally.refused[no.code] += 1
        say(request.peer, Error(id=request.message.id, code=no.code, text=no.text))
        request.peer.charge()
        if isinstance(request.message, i.Entrance):
            request.peer.turned_away()

    # Commit, apply, answer.

    def _done(self, ok: bool) -> None:
        proposal, self._in_flight = self._in_flight, None
        if proposal is None:
            raise AssertionError("the journal answers what was asked, once")
        entry, state, request, _, encoded = proposal
        if ok:
            self._is_open = False  # until `_plan` has looked again
            self._apply(entry, state, request, encoded)
            self._count(request)
            if self.state.phase == "over" and self._seq - self._summed >= SUMMED_AFTER:
                self._sum_up()
        else:
            self._not_kept(request)
        if self._waiting or self._shutting:
            self._pump()
        self._plan()

    def _play_done(self, ok: bool) -> None:
        """Let a play have happened that leaves the game on: what `_done` does, shortened."""
        proposal = self._in_flight
        if proposal is None or not ok:
            self._done(ok)
            return
        entry, state, request, viewer, encoded = proposal
        self._in_flight = None
        self.state = state
        self.version = version = entry.version
        self._seq += 1
        stage, clock, ack = self._stage, self._clock, None
        event = entry.events[0]
        self._chronicle.actions.append(event.source if type(event) is e.Revealed else CONTINUE)
        if state.not_before is not None:
            stage.follow(state)
        if viewer is not None and entry.id is not None:
            note(viewer.used, entry.id, encoded)
            ack = encode(Ack(entry.id, version))
        now = clock()
        if self._unseen_presence:
            self._unseen_presence = False
            stage.publish(state, version, now, viewer, ack)
        else:
            stage.publish_play(state, version, now, viewer, ack)
        if request is not None:
            self._tally.done(type(request.message), now - request.at)
        else:
            self._chronicle.follow_robot(entry, state)
            self._tally.by_itself += 1
        if self._waiting or self._shutting:
            self._pump()
        if self._robots_play or self.wake_at is None or self.audience.presence.away:
            self._robots.begin_anew()
            self._plan()  # else the alarm that is set will do: a play moves the deadline away

    def _count(self, request: Request | None) -> None:
        tally = self._house.tally
        if request is None:
            tally.by_itself += 1
        else:
            tally.done(type(request.message), self._house.clock() - request.at)

    def _not_kept(self, request: Request | None) -> None:
        # The journal says once why; a line for each room and second would fill what space there is.
        log.debug("room %s: the journal could not keep an entry", self.code)
        self._house.tally.journal_failures += 1
        self._retry_at = self._house.clock() + RETRY_MS
        if request is not None:
            no = No(ErrorCode.UNAVAILABLE, REFUSALS[ErrorCode.UNAVAILABLE])
            self._refuse(request, no)
        self._has_ended(False)
        if not self._seq:
            self._come_to_nothing()
        elif self._unseen_presence:
            self._presence_changed()

    def _apply(
        self, entry: e.Entry, state: RoomState, request: Request | None, encoded: bytes
    ) -> None:
        """Let it have happened, answer who asked, and show it to everybody."""
        before, self.state = self.state, state
        self._recall(before, entry, encoded)
        if self.state.phase == "over" and before.phase != "over":
            self._archive.keep(self.state, anew=True)
        if request is not None:
            self._answer(request)
        self._tell(before, entry)
        if self.state.closed:
            self._house.ended(self)
            self._has_ended(True)
        elif _shows(entry.events[0]):
            self._publish()
        elif self._unseen_presence:
            self._presence_changed()

    def _remember(self, before: RoomState, entry: e.Entry) -> None:
        """Keep what is derived from entries: used ids and the attempts of the game."""
        for event in entry.events:
            if type(event) is e.Left:
                self._ids.forget(event.member)
        state = self.state
        self._archive.chronicle.follow(before, entry, state)
        if state.step != before.step:
            self._robots.begin_anew()
        if state.deal is not before.deal:
            self._robots.reset()
            self._stage.begin()
        if state.game is not before.game:
            self._stage.follow(state)

    def _answer(self, request: Request) -> None:
        if isinstance(request.message, i.Entrance):
            self._attach(request)
        elif request.message.id is not None:
            say(request.peer, Ack(request.message.id, self.version))

    def _tell(self, before: RoomState, entry: e.Entry) -> None:
        """Send what happened in words: notices, lines of chat, farewells."""
        if self.state.phase == "over" and before.phase != "over":
            self._house.tally.games_over += 1
        state = before
        for event in entry.events:
            after = self.state if event is entry.events[-1] else evolve(state, event, entry.at)
            for notice in notices(state, event, after):
                self.audience.broadcast(notice)
            match event:
                case e.Said():
                    self.audience.broadcast(after.chat[-1])
                case e.Left():
                    self._farewell(event)
                case e.Closed("closed"):
                    who = "The host" if entry.member else "Whoever runs this server"
                    self.audience.dismiss(ByeCode.CLOSED, f"{who} has closed this room.")
                case e.Closed():
                    self.audience.dismiss(ByeCode.EXPIRED, "This room has ended.")
                case _:
                    pass
            self._log(event)
            state = after

    def _farewell(self, event: e.Left) -> None:
        viewer = self.audience.find(event.member)
        if viewer is not None and event.why == "removed":
            say_bye(viewer.peer, ByeCode.REMOVED, "The host has removed you from this room.")
        elif viewer is not None:
            say_bye(viewer.peer, ByeCode.LEFT, "Goodbye.")
        self.audience.forget(event.member, self._house.clock())

    # Who is here.

    def _attach(self, request: Request) -> None:
        key, peer, message = request.key, request.peer, request.message
        now = self._house.clock()
        if peer.gone:
            if self.audience.find(key) is None:
                self.audience.miss(key, now)
            return
        self._stage.attach(key, peer, self.state, self._ids.of(key), now)
        peer.entered()
        welcome = Welcome(
            id=message.id,
            room=self.code,
            seat=letter(seat_of(self.state, key)),
            name=self.state.members[key].name,
            resumed=isinstance(message, i.Resume),
            url=self._house.url_of(self.code),
        )
        say(peer, welcome)
        seq = message.seq if isinstance(message, i.Resume) else 0
        for line in self.state.chat:
            if line.seq > seq:
                say(peer, line)
        trouble = self._house.trouble()
        if trouble is not None:
            say(peer, trouble)

    def _presence_changed(self) -> None:
        """Show who is here; if an action is in flight, its snapshot will."""
        if self._in_flight is not None:
            self._unseen_presence = True
            return
        self.version += 1
        self._publish()
        self._plan()

    def _publish(self) -> None:
        self._unseen_presence = False
        self._stage.publish(self.state, self.version, self._house.clock())

    def _show_to(self, viewer: Viewer) -> None:
        self._stage.show_to(viewer, self.state, self.version, self._house.clock())

    # Time, and what it leads to.

    def _room_time(self) -> int:
        return self.audience.clock.read(self._house.clock())

    def _situation(self) -> Situation:
        connected = self.audience.connected
        return Situation(self._room_time(), connected, self._pace(), self._house.entropy)

    def _pace(self) -> int:
        """How long an ended attempt is shown at least (ms): only people need the time."""
        members, connected = self.state.members, self.audience.connected
        if members is not self._people_of or connected is not self._people_among:
            self._people_of, self._people_among = members, connected
            kinds = (members[key].kind for key in connected if key in members)
            self._has_people = "person" in kinds
        return self.state.options.pace if self._has_people else 0

    def _do_what_is_due(self, at: int) -> None:
        events = due(self.state, self.audience.presence, at)
        if events:
            self._propose(events, None)
        elif self._robots.due_at is not None and at >= self._robots.due_at:
            self._robots.due_at = None
            self._play_robot()

    def _play_robot(self) -> None:
        seat = robot_seat(self.state)
        sitter = None if seat is None else self.state.seats[seat]
        if seat is None or sitter is None:
            return
        if (answer := self._robots.decided) is not None:
            self._play_for(seat, answer)
        elif (late := self._robots.thinking) is not None:
            self._play_for(seat, self._robots.give_up(late))
        else:
            self._ask_robot(seat, sitter)

    def _ask_robot(self, seat: Seat, sitter: Sitter) -> None:
        state = self.state
        shared = self._stage.shared(state, self.version, self._house.clock())
        question = self._robots.question(
            seat,
            sitter,
            self._stage.earlier(state),
            lambda missed: shared + own_part(state, seat, sitter.member, missed),
        )
        if not question.is_slow:
            self._play_for(seat, question.answer())
            return
        self._robots.thinking = question
        self._robots.due_at = self._room_time() + LATE
        self._house.think(question.answer, partial(self._decided, question))

    def _decided(self, question: Question, answer: Answer) -> None:
        """Take what a robot thought out, unless that is of the past: it is played at once."""
        if self._robots.thinking is question:
            self._robots.thinking = None
            self._robots.decided = answer or self._robots.give_up(question)
            self._robots.due_at = self._room_time()
            self._plan()

    def _play_for(self, seat: Seat, answer: Answer) -> None:
        if answer is None:
            raise AssertionError("a robot on turn has something to do")
        state, at = self.state, self._room_time()
        event = played(seat, answer, self._pace())
        self._propose_play(event, evolve(state, event, at), at)

    def _plan(self) -> None:
        """Work out when to look again; ask for an alarm if that is sooner than known."""
        if self.audience.clock.stopped or self.state.closed or self._in_flight is not None:
            return
        if self._void:
            return
        self._robots.plan(self.state, self._room_time(), self._pace())
        sitters = self.state.seats
        self._is_open = is_open(self.state)
        self._robots_play = any(sitter and sitter.played_by_server for sitter in sitters)
        times = (next_due(self.state, self.audience.presence), self._robots.due_at)
        soonest = min((time for time in times if time is not None), default=None)
        if soonest is None:
            return
        wake = max(self.audience.clock.to_wall(soonest), self._retry_at)
        if self.wake_at is None or wake < self.wake_at:
            self.wake_at = wake
            self._house.alarm(self)

    def _log(self, event: e.AnyEvent) -> None:
        match event:
            case e.Created():
                log.info("room %s: created", self.code)
            case e.Started(order, _, _):
                number, seats = self.state.number, len(order)
                log.info("room %s: game %d starts with %d seats", self.code, number, seats)
                self._house.tally.games_started += 1
            case e.StoodIn(seat, why):
                log.info("room %s: a stand-in plays for seat %s (%s)", self.code, letter(seat), why)
                self._house.tally.stand_ins += 1
            case e.Revealed() if self.state.phase == "over":
                log.info("room %s: game %d is over", self.code, self.state.number)
            case e.Closed(why):
                log.info("room %s: ended (%s)", self.code, why)
            case _:
                pass


def _shows(event: e.AnyEvent) -> bool:
    """Whether a snapshot shows this; a line of chat is a message and an entry of its own."""
    return type(event) is not e.Said and type(event) is not e.Summary
