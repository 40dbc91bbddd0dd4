"""A table in plain mode: what happens as appended lines, what to do as typed ones.

Whoever plays here is a full player: the same session, the same information, and no
cursor moves. `spoken` reads the lines; `telling` and `story` word what is said.
"""

import time
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from nana_client.coach import Coach, coached
from nana_client.ears import Ears
from nana_client.hosting import Hosted
from nana_client.knowable import TITLE, summaries
from nana_client.model import Model, seat_view
from nana_client.phrases import PHRASES
from nana_client.replay import lines
from nana_client.rules import RULES
from nana_client.session import Session
from nana_client.spoken import (
    HELP,
    AddABot,
    Choose,
    Do,
    Misunderstood,
    Mute,
    Say,
    SeatDo,
    Simple,
    Turn,
    understood,
)
from nana_client.store import Store
from nana_client.story import Event, told
from nana_client.telling import hand, options, prompt, table
from nana_client.words import has_company, stood_in
from nana_core.protocol.outbound import (
    Bye,
    ChatLine,
    Error,
    Notice,
    Outbound,
    Recorded,
    Snapshot,
    Welcome,
)


class Table:
    """One visit in plain mode: `obey` takes typed lines, `say` gets lines to show."""

    def __init__(
        self,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        store: Store | None = None,
    ) -> None:
        """Speak through `say`; what is to be remembered goes into the store, if there is one."""
        self.session: Session | None = None
        self._say, self._clock = say, clock
        self._server: Hosted | None = None
        self._shot: Snapshot | None = None
        self._early: list[str] = []  # lines typed before there was a table
        self._asked_to_leave = False
        self._kept = False
        self._lost = False
        self._tells_again = False  # the record that is to come was asked for by `replay`
        self._ears, self._store = Ears(store), store
        first = store is not None and not store.settings().coached
        self._coach = Coach(typed=True) if first else None

    def enter(self, session: Session, server: Hosted | None) -> None:
        """Be told of the session that begins now, before it runs."""
        found = server is not None and not server.started and self._server is None
        self.session, self._server = session, server
        if found and server is not None:
            self._say(f"A nana server is running on port {server.target.port} already.")

    @property
    def told_goodbye(self) -> bool:
        return self._kept or (self.session is not None and self.session.model.bye is not None)

    @property
    def _at(self) -> Session:
        if self.session is None:
            raise AssertionError("nothing is obeyed or heard before a session is there")
        return self.session

    def obey(self, line: str) -> None:
        """Do what a typed line asks for; lines before the first snapshot wait for it."""
        if self._shot is None:
            self._early.append(line)
            return
        spoken = understood(line)
        session = self._at
        self._asked_to_leave = self._asked_to_leave and spoken == Do("leave")
        match spoken:
            case Misunderstood(why):
                self._say(why)
            case Turn(source):
                self._reveal(source)
            case Say(text):
                session.chat(text)
            case Mute(who):
                self._say(self._ears.turn_typed(session.model, who))
            case AddABot(level):
                session.add_bot(level)
            case SeatDo("remove", seat) if seat is not None:
                session.remove(seat)
            case SeatDo("host", seat) if seat is not None:
                session.give_host(seat)
            case SeatDo(_, seat):
                session.sit(seat)
            case Choose(chosen):
                session.set_options(chosen)
            case Do("go"):
                if not (session.proceed() or session.take_over()) and line.strip():
                    self._say("There is nothing for you to continue now.")
            case Do(what):
                self._do(what)

    def _do(self, what: Simple) -> None:
        session = self._at
        orders: dict[str, Callable[[], object]] = {
            "look": self._look,
            "link": self.invite,
            "start": self._start,
            "pause": session.pause,
            "resume": lambda: session.pause(on=False),
            "end": session.end_game,
            "close": session.close_room,
            "rematch": session.rematch,
            "wait": lambda: session.rematch(ready=False),
            "save": session.export,
            "replay": self._replay,
            "retry": session.hurry,
            "help": lambda: self._all(HELP),
            "rules": lambda: self._all(f"{title}: {text}" for title, text in RULES),
            "phrases": lambda: self._all(f"say {at}  {said}" for at, said in enumerate(PHRASES, 1)),
            "hints off": self._dismiss_coach,
            "leave": self.leave,
        }
        orders[what]()

    def _replay(self) -> None:
        """Tell the last game again, now or as soon as its record is here."""
        record = self._at.model.record
        if record is not None:
            self._all(lines(record))
        else:
            self._tells_again = True
            self._at.recall()

    def _start(self) -> None:
        """Begin the game; whoever starts the next one plays it, too."""
        shot = self._shot
        me = None if shot is None else seat_view(shot, shot.you.seat)
        if shot is not None and shot.phase == "over" and me is not None and not me.ready:
            self._at.rematch()
        self._at.start()

    def leave(self) -> None:
        """Leave; a host whose server goes with them is asked once while others are there."""
        if self._server is not None and self._others() and not self._asked_to_leave:
            self._asked_to_leave = True
            self._say("Others are still here, and the server stops with you: leave again to go.")
            return
        self.go()

    def go(self) -> None:
        """Go without being asked; a table of one's own is here again the next time."""
        if self._hosting:
            self._kept = True
            self._say("Your table is here again with the next nana host.")
            self._at.close()
        else:
            self._at.leave()

    @property
    def _hosting(self) -> bool:
        """Whether the server is for friends, and stops with this table."""
        return self._server is not None and self._server.shared and self._server.started

    def invite(self) -> None:
        """Tell every link that leads here."""
        room = self._at.target.room
        if self._server is not None and room is not None:
            if self._server.shared:
                self._say("Friends join with one of these:")
                self._all([f"  nana join {link}" for link in self._server.links(room)])
        elif self._at.link is not None:
            self._say(f"Friends join with: nana join {self._at.link}")

    def _others(self) -> bool:
        return self._hosting and self._shot is not None and has_company(self._shot)

    def _reveal(self, source: str) -> None:
        if self._at.model.must_continue:
            self._say("The last attempt still lies open; go clears it.")
        else:
            self._at.reveal(source)

    def hear(self, model: Model, message: Outbound | None) -> None:
        match message:
            case Snapshot() if message is model.snapshot:
                self._see(message, model)
            case Welcome():
                self._say("Connected again." if self._shot else f"Welcome, {message.name}.")
                self._lost = False
                if self._shot is None:
                    self.invite()
            case Recorded():
                self._recorded(model)
            case Notice() | Bye():
                self._say(message.text)
            case ChatLine() if message.name not in self._ears.muted(model):
                who = f"{message.seat} {message.name}" if message.seat else message.name
                self._say(f"{who}: {message.text}")
            case Error() if model.error is message and self._shot is not None:
                self._tells_again = False  # a wish that was refused is over
                self._say(f"No: {message.text}")
            case None if model.connection == "waiting" and not self._lost:
                self._lost = True
                self._say(f"{model.trouble} Trying again; retry tries at once.")
            case _:
                pass

    def _recorded(self, model: Model) -> None:
        """Say where a record was saved, tell a game again, or what was knowable in it."""
        again, self._tells_again = self._tells_again, False
        if model.record is None or model.kept:
            self._say(model.kept)
        elif again:
            self._all(lines(model.record))
        else:
            self._all(["", TITLE, *summaries(model.record)])

    def _see(self, snapshot: Snapshot, model: Model) -> None:
        before, self._shot = self._shot, snapshot
        self._tells_again = self._tells_again and snapshot.phase == "over"
        events = list(told(before, snapshot))
        self._tell([event for event in events if event.kind != "turn"], snapshot)
        moved = before is None or (before.phase, before.game) != (snapshot.phase, snapshot.game)
        whole = moved and snapshot.phase != "opening"
        if whole:
            self._all(table(snapshot))
        if snapshot.phase == "over" and (before is None or before.phase != "over"):
            self._say(model.proof_text or "The deal was not opened.")
            again = (
                "sit takes a free seat, the record goes to who played"
                if snapshot.you.seat is None
                else "rematch plays the next game, the record goes to who played"
                if not model.sat
                else "rematch plays again, replay tells the game, save keeps it"
            )
            if snapshot.you.host:
                again += ", start deals to who is ready"
            self._say(f"{again}, leave goes.")
        if stood_in(snapshot) and (before is None or not stood_in(before)):
            self._say("A stand-in plays for you: go takes over again.")
        self._call(before, snapshot, model, [] if whole else events)
        self._hint(snapshot)
        early, self._early = self._early, []
        for line in early:
            self.obey(line)

    def _hint(self, snapshot: Snapshot) -> None:
        """Give the hints of a first game, each once."""
        if self._coach is None:
            return
        before, self._coach = self._coach, coached(self._coach, snapshot)
        if self._coach.seen != before.seen:
            self._say(f"Hint: {self._coach.text} (hints off: no more)")
        if self._coach.done:
            self._dismiss_coach()

    def _dismiss_coach(self) -> None:
        self._coach = None
        if self._store is not None:
            self._store.remember(replace(self._store.settings(), coached=True))

    def _tell(self, events: Sequence[Event], snapshot: Snapshot) -> None:
        for event in events:
            if event.kind == "options":
                self._say(f"Options: {options(snapshot.options)}.")
            elif event.kind not in {"over", "score"}:  # the table tells it, with every hand
                self._say(event.text)

    def _call(
        self, before: Snapshot | None, snapshot: Snapshot, model: Model, events: Sequence[Event]
    ) -> None:
        """Tell whose turn it is; one's own with what one needs to choose."""
        mine = prompt(snapshot, held=model.held)
        if mine is None:
            self._tell([event for event in events if event.kind == "turn"], snapshot)
        elif before is None or before.step != snapshot.step:
            if any(event.kind == "turn" for event in events):
                self._say(hand(snapshot))
            left = model.left_ms(int(self._clock() * 1000))
            self._say(mine if left is None else f"{mine} ({left // 1000} s)")

    def _look(self) -> None:
        if self._shot is not None:
            self._all(table(self._shot))
            mine = prompt(self._shot, held=self._at.model.held)
            self._all([mine] if mine is not None else [])

    def _all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)
