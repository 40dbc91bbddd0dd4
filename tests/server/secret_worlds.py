"""Two worlds that differ only in cards which a viewer cannot see, and all that the viewer gets.

The first world is played with whatever people say and do; then the hidden cards are dealt
anew so that every public table stays what it was, and the same is said and done again.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final, TypeAlias

import pytest

from core.games import completing
from nana_core.actions import Continue, Refused, Reveal
from nana_core.deck import Deal, Seat, deal_out, full_deck
from nana_core.game import Game, apply, begin
from nana_core.notation import SOURCE_NAMES, SOURCES
from nana_core.protocol import inbound as i
from nana_server.desk import Client
from nana_server.gateway import Request
from nana_server.room import decide
from nana_server.room import events as e
from server.house_fixture import Friend, Home, company

STEPS: Final = 45
SWAPS: Final = 60
Viewer: TypeAlias = Seat | None
ROOMS: Final = Request("GET", "/rooms", "", "nana.test", "", "192.0.2.9")


class Lines(logging.Handler):
    """Every log line, from debug on."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname} {record.getMessage()}")


@contextmanager
def logged() -> Iterator[list[str]]:
    root, handler = logging.getLogger(), Lines()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield handler.lines
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


class World:
    """A played beginning of a game. It is replayed with the moves and steps of an earlier one."""

    def __init__(self, seed: int, deal: Deal, people: int, model: "World | None" = None) -> None:
        self.deal = deal
        self.steps = 0
        self.moves: list[str] = []
        self._model = model
        self._plan: list[str] = []
        self._chance = Random(f"world/{seed}")
        self._listings: list[str] = []
        self.home = Home(f"world/{seed}")
        with logged() as self.log:
            self._begin(people)
            self._run(STEPS if model is None else model.steps)
            if model is not None:
                self._end()

    def _begin(self, people: int) -> None:
        chance = self._chance
        options = {"memory": chance.choice(["none", "open"]), "turn_time": chance.choice([0, 30])}
        self.friends = company(self.home, people, nonce=True, public=True, seats=5, **options)
        host = self.friends[0]
        for _ in range(len(self.deal.hands) - people):
            host.say(i.AddBot(level=chance.choice(["random", "novice", "memory"])))
        self.fan = Friend(self.home, "Fan")
        self.fan.watch(host.code)
        self.room = host.room
        host.say(i.Start())
        for friend in self.friends[: chance.randrange(len(self.friends) + 1)]:
            friend.open()
        self.home.advance(6000)

    @property
    def game(self) -> Game:
        assert self.room.state.game is not None
        return self.room.state.game

    def _run(self, steps: int) -> None:
        """Count the steps after which the game is still not over."""
        while self.steps < steps:
            self._step()
            if self.room.state.phase != "playing":
                return
            self.steps += 1

    def _end(self) -> None:
        """Whoever comes back, or comes late, to a table that is not over."""
        for friend in self.friends:
            friend.resume()
        Friend(self.home, "Late").join(self.room.code)

    def _step(self) -> None:
        chance, home = self._chance, self.home
        friend = chance.choice([*self.friends, self.fan])
        match chance.randrange(16):
            case 0:
                friend.say(i.Chat(text=f"{chance.random()}", id="chat"))
            case 1:
                friend.say(i.Reveal(step=max(0, self.room.state.step - 1), source="c1"))
            case 2:
                source: Any = chance.choice(list(SOURCES))
                self._out_of_turn(friend, source)
            case 3:
                friend.say(b'{"type":"reveal","id":"7"}')
            case 4 if friend.line.open:
                friend.drop()
                home.advance(chance.choice([100, 21_000]))
                friend.resume()
            case 5:
                friend.resume()
            case 6 if friend.line.open:
                friend.line.blocked = True
            case 7:
                self._listings.append(repr(home.pages.answer(ROOMS)))
            case 8:
                for on in (True, False):
                    self.friends[0].say(i.Pause(on=on))
            case 9:
                friend.say(i.Export(id="x"))
            case _:
                pass
        self._act()
        if friend.line.blocked and chance.random() < 0.5:
            friend.line.take()

    def _out_of_turn(self, friend: Friend, source: i.SourceName) -> None:
        if friend.seat != self.game.table.on_turn:
            friend.say(i.Reveal(step=self.room.state.step, source=source, id="early"))
            friend.say(i.Continue(step=self.room.state.step))

    def _act(self) -> None:
        state = self.room.state
        if state.phase != "playing":
            return
        sitter = state.seats[self.game.table.on_turn]
        if sitter is None or sitter.played_by_server:
            self.home.advance(1300)
            return
        friend = next(it for it in self.friends if it.seat == self.game.table.on_turn)
        if self.game.table.shown:
            friend.say(i.Continue(step=state.step))
            wait = (state.not_before or 0) - self.room._room_time()
            self.home.advance(max(0, wait))
            if self.room.state.step == state.step:
                friend.say(i.Continue(step=state.step, id=f"{state.step}"))
        else:
            source: Any = self._move()
            message = i.Reveal(step=state.step, source=source, id=f"{state.step}")
            friend.say(message)
            if self._chance.random() < 0.2:
                friend.say(message)

    def _move(self) -> str:
        """Choose with all cards open now and then; in the second world, do the same again."""
        if self._model is not None:
            self.moves.append(next(iter(self._model.moves[len(self.moves) :]), "c1"))
            return self.moves[-1]
        table = self.game.table
        if not table.attempt.cards:
            self._plan = []
            if Random(f"plan/{len(self.moves)}").random() < 0.3:
                self._plan = [SOURCE_NAMES[it.source] for it in completing(self.game)]  # type: ignore[union-attr]
        names = [SOURCE_NAMES[it] for it in SOURCES.values()]
        legal = [name for name in names if self._is_legal(name)]
        move = self._plan.pop(0) if self._plan else Random(len(self.moves)).choice(legal)
        self.moves.append(move)
        return move

    def _is_legal(self, name: str) -> bool:
        try:
            apply(self.game, self.game.table.on_turn, Reveal(SOURCES[name]))
        except Refused:
            return False
        return True

    def told(self, viewer: Viewer) -> list[str]:
        """Gather all that reached a viewer: bytes, times and ends of its connections, the log."""
        seats = {friend.key: friend.seat for friend in self.friends}
        lines = [
            f"{line.path} {line.ending} {line.aborted} {line.times} {line.sent}"
            for line in self.home.lines
            if isinstance(line.context, Client) and seats.get(line.context.key) == viewer
        ]
        return [*lines, *self._listings, *self.log]

    def actions(self) -> list[tuple[Seat, Reveal | Continue]]:
        out: list[tuple[Seat, Reveal | Continue]] = []
        for data in self.home.journal.entries(self.room.code):
            for event in e.decode_entry(data).events:
                match event:
                    case e.Revealed(seat, source, _):
                        out.append((seat, Reveal(SOURCES[source])))
                    case e.Continued(seat):
                        out.append((seat, Continue()))
                    case _:
                        pass
        return out

    def played_by_server(self) -> set[Seat]:
        """Seats that a robot played for: what they do may depend on their hands."""
        seats = {
            seat
            for seat, sitter in enumerate(self.room.state.seats)
            if sitter is not None and sitter.level
        }
        for data in self.home.journal.entries(self.room.code):
            seats |= {it.seat for it in e.decode_entry(data).events if isinstance(it, e.StoodIn)}
        return seats


def tables(deal: Deal, actions: list[tuple[Seat, Reveal | Continue]]) -> list[object]:
    games = [begin(deal)]
    for seat, action in actions:
        games.append(apply(games[-1], seat, action))
    return [game.table for game in games]


def redealt(world: World, viewer: Viewer, chance: Random) -> Deal:
    """Deal anew what the viewer cannot see; what robots hold stays, for they act upon it."""
    deal, actions = world.deal, world.actions()
    public = tables(deal, actions)
    fixed = world.played_by_server() | ({viewer} if viewer is not None else set())
    for _ in range(SWAPS):
        candidate = swapped(deal, fixed, chance)
        try:
            if tables(candidate, actions) == public:
                deal = candidate
        except Refused:
            continue
    return deal


def swapped(deal: Deal, fixed: set[Seat], chance: Random) -> Deal:
    piles = [list(hand) for hand in deal.hands] + [list(deal.center)]
    free = [
        (pile, at)
        for pile in range(len(piles))
        if pile not in fixed
        for at in range(len(piles[pile]))
    ]
    (one, here), (two, there) = chance.sample(free, 2)
    piles[one][here], piles[two][there] = piles[two][there], piles[one][here]
    *hands, center = piles
    return Deal(tuple(tuple(sorted(hand)) for hand in hands), tuple(center), deal.first)


def pairs(
    seed: int, players: int, robots: int, patch: pytest.MonkeyPatch
) -> Iterator[tuple[Viewer, list[str], list[str]]]:
    """Yield, for each viewer, what it was told in two worlds that differ for others only."""
    chance = Random(f"pair/{seed}/{players}")
    deck = full_deck(players)
    chance.shuffle(deck)
    deal = deal_out(deck, players, chance.randrange(players))
    people = players - robots

    def play(dealt: Deal, model: World | None = None) -> World:
        patch.setattr(decide, "fair_deal", lambda *_: dealt)
        return World(seed, dealt, people, model)

    model = play(deal)
    one = play(deal, model)
    for viewer in (None, *range(people)):
        other = redealt(one, viewer, chance)
        if other != deal:
            yield viewer, one.told(viewer), play(other, model).told(viewer)
