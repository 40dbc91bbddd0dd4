"""What clients were told, written down: the oracle of the crash tests.

A room's ledger holds what all its clients together have seen. Nothing in it may ever be
missing, different or twice afterwards, whatever happened to the server in between.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from nana_core.deck import LETTERS
from nana_core.fair import fair_deal, nonce_hash, seed_hash
from nana_core.game import Game, Table, begin, legal
from nana_core.game import apply as applied
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.protocol.wire import attempt_view, result_view
from nana_server.room.events import JOURNAL_FORMAT, Summary, decode_entry
from nana_server.room.ids import IDS_KEPT
from nana_server.room.state import Key
from nana_server.sqlite.store import Store
from server.lasting_house import creator_of

LAST_UNKNOWN: Final = 1_000_000
UNSEEN_MOST: Final = 9  # steps; a robot's whole turn has four
BETWEEN: Final = {"lobby", "over"}


class Fact(Struct, frozen=True):
    """The public truth of one step; it is for ever."""

    game: int
    phase: str
    turn: int
    on_turn: str | None
    center: tuple[o.SlotView, ...]
    attempt: o.AttemptView | None
    sets: tuple[tuple[int, ...], ...]
    cards: tuple[int, ...]
    result: o.ResultView | None
    hands: tuple[tuple[int, ...], ...] | None
    opened: o.OpenedDeal | None
    hashes: tuple[str | None, ...]

    @property
    def has_table(self) -> bool:
        return self.phase in {"playing", "over"}

    def may_follow(self, table: Table) -> bool:
        """Tell whether a table may come to look like this: its attempt is not another one."""
        if self.attempt is None or table.turn != self.attempt.turn:
            return True
        cards = attempt_view(table.attempt, table.turn).cards
        return cards == self.attempt.cards[: len(cards)]

    def shows(self, table: Table) -> bool:
        """Tell whether this is how a table looks."""
        result = None if table.result is None else result_view(table.result)
        if (self.attempt, self.result) != (attempt_view(table.attempt, table.turn), result):
            return False
        seats = (table.sets, table.hand_sizes, LETTERS[table.on_turn], table.center)
        return self.phase == "over" or seats == (self.sets, self.cards, self.on_turn, self.center)


def fact_of(shot: o.Snapshot) -> Fact:
    seats = [] if shot.phase in BETWEEN else shot.seats  # who sits there may change meanwhile
    return Fact(
        game=shot.game,
        phase=shot.phase,
        turn=shot.turn,
        on_turn=shot.on_turn,
        center=shot.center,
        attempt=shot.attempt,
        sets=tuple(seat.sets for seat in seats),
        cards=tuple(seat.cards for seat in seats),
        result=shot.result,
        hands=shot.hands,
        opened=shot.opened,
        hashes=() if shot.phase == "lobby" else shot.deal.nonce_hashes,
    )


class Ledger:
    """What the clients of one room were told."""

    def __init__(self, heard: Callable[[], None]) -> None:
        self.code = ""
        self.last = LAST_UNKNOWN  # the game after which it is enough
        self.facts: dict[int, Fact] = {}  # by step
        self.own: dict[tuple[str, int], tuple[int, ...]] = {}  # hands, by seat and step
        self.attempts: dict[tuple[int, int], o.AttemptView] = {}  # by game and turn
        self.lines: dict[int, tuple[str, str]] = {}  # of chat, by seq
        self.acks: dict[tuple[Key, str], tuple[i.Inbound, int]] = {}  # and the version told
        self.asked: dict[tuple[Key, str], i.Inbound] = {}
        self.committed: dict[str, bytes] = {}  # nonces, by hash
        self.proven: set[int] = set()  # games
        self.won: dict[int, str] = {}  # by game: the winner's seat
        self._heard = heard  # called with everything that is told

    def see(self, shot: o.Snapshot) -> None:
        """Check a snapshot against all that anybody was ever shown."""
        self._heard()
        fact = fact_of(shot)
        known = self.facts.setdefault(shot.step, fact)
        assert fact == known, f"step {shot.step} was {known}, and is {fact}"
        if shot.you.seat is not None and shot.phase == "playing":
            mine = self.own.setdefault((shot.you.seat, shot.step), shot.you.hand)
            assert shot.you.hand == mine
        for attempt in (*shot.missed, *([shot.attempt] if shot.attempt else [])):
            self._see_attempt(shot.game, attempt)
        if shot.result is not None and shot.result.seat is not None:
            assert self.won.setdefault(shot.game, shot.result.seat) == shot.result.seat
        if shot.opened is not None and shot.game not in self.proven:
            self._prove(shot, shot.opened)

    def _see_attempt(self, game: int, attempt: o.AttemptView) -> None:
        """An attempt only grows, until it has ended."""
        known = self.attempts.get((game, attempt.turn), attempt)
        count = min(len(known.cards), len(attempt.cards))
        assert known.cards[:count] == attempt.cards[:count]
        assert known.seat == attempt.seat
        if known.outcome is None or attempt.outcome is not None:
            assert known.outcome in {None, attempt.outcome}
            self.attempts[game, attempt.turn] = attempt

    def hear(self, line: o.ChatLine) -> None:
        self._heard()
        assert self.lines.setdefault(line.seq, (line.name, line.text)) == (line.name, line.text)

    def answer(self, key: Key, ack: o.Ack) -> None:
        """Note what was promised; a retry is promised the same."""
        self._heard()
        told = (self.asked[key, ack.id], ack.version)
        assert self.acks.setdefault((key, ack.id), told) == told

    @property
    def game(self) -> int:
        return max((fact.game for fact in self.facts.values()), default=0)

    @property
    def step(self) -> int:
        """The newest that anybody was shown."""
        return max(self.facts, default=0)

    # At the end of a game.

    def _prove(self, shot: o.Snapshot, opened: o.OpenedDeal) -> None:
        """Check the opened deal, and play every step that was shown again from it."""
        seed = bytes.fromhex(opened.seed)
        assert seed_hash(shot.room, shot.game, seed) == shot.deal.seed_hash
        nonces = [bytes.fromhex(it) if it is not None else None for it in opened.nonces]
        for nonce, committed in zip(nonces, shot.deal.nonce_hashes, strict=True):
            assert nonce is None or nonce_hash(nonce) == committed
            assert committed is None or self.committed[committed] == nonce
        first = LETTERS.index(opened.first) if opened.rotated else None
        deal = fair_deal(shot.room, shot.game, seed, nonces, first)
        assert (deal.hands, deal.center) == (opened.hands, opened.center)
        assert LETTERS[deal.first] == opened.first
        seen = sorted(at for at, it in self.facts.items() if it.game == shot.game and it.has_table)
        start, step = begin(deal), seen[0]
        game = next(it for unseen in range(UNSEEN_MOST) for it in self._reach(start, unseen, step))
        for then in seen[1:]:
            game, step = next(self._reach(game, then - step, then)), then
        assert game.table.result is not None
        self.proven.add(shot.game)

    def _reach(self, game: Game, actions: int, step: int) -> Iterator[Game]:
        """Find what so many lawful actions lead to and this step has shown.

        One, as a rule; a step that nobody saw is what was written to clients of a server
        that died before they read it, and then a robot went on.
        """
        assert actions < UNSEEN_MOST
        if actions:
            for action in legal(game.table):
                after = applied(game, game.table.on_turn, action)
                if self.facts[step].may_follow(after.table):
                    yield from self._reach(after, actions - 1, step)
        elif self.facts[step].shows(game.table) and self._are_hands(step, game):
            yield game

    def _are_hands(self, step: int, game: Game) -> bool:
        hands = enumerate(game.secrets.hands)
        return all(self.own.get((LETTERS[seat], step), hand) == hand for seat, hand in hands)

    # At the very end.

    def check(self, keys: Iterable[Key]) -> None:
        """See that every promise was kept, once."""
        texts = [text for _, text in self.lines.values()]
        assert sorted(set(texts)) == sorted(texts)
        assert sorted(self.lines) == list(range(1, len(self.lines) + 1))
        for (key, _), (message, _) in self.acks.items():
            assert key in set(keys)
            match message:
                case i.Chat(text=text):
                    assert text in texts
                case i.Reveal(step=step, source=source):
                    if (fact := self.facts.get(step + 1)) is not None:
                        assert fact.attempt is not None
                        assert fact.attempt.cards[-1].source == source
                case i.Continue(step=step):
                    if (fact := self.facts.get(step + 1)) is not None:
                        assert fact.attempt != self.facts[step].attempt
                case _:
                    pass
        assert sorted(self.proven) == list(range(1, len(self.proven) + 1))


def check_journal(folder: Path, ledgers: Iterable[Ledger]) -> None:
    """Read what the disk has, without a server: each id once, and each ack as it was told."""
    store = Store(folder, JOURNAL_FORMAT, creator_of)
    try:
        for ledger in ledgers:
            entries = store.read(ledger.code)
            assert isinstance(entries, tuple)
            kept: dict[tuple[Key | None, str], int] = {}
            summed, full = 0, set[Key | None]()  # whose older ids are forgotten by now
            for entry in map(decode_entry, entries):
                for event in entry.events:
                    if isinstance(event, Summary):
                        assert not kept
                        summed = entry.version
                        for member, used in event.ids.items():
                            kept |= {
                                (member, it): decode_entry(was).version for it, was in used.items()
                            }
                            full |= {member} if len(used) == IDS_KEPT else set()
                if entry.id is not None:
                    assert (entry.member, entry.id) not in kept
                    kept[entry.member, entry.id] = entry.version
            for (key, name), (_, version) in ledger.acks.items():
                if (key, name) in kept or key not in full or version > summed:
                    assert kept[key, name] == version
    finally:
        store.close()
