"""The records of a room's games: how each was dealt and played, and who may have it.

Derived from entries alone, so a room that comes back from its journal has them again.
Nothing leaves here before its game is over: a record does not exist until then.
"""

import hashlib
from typing import Final

from msgspec import Struct

from nana_core.deck import LETTERS
from nana_core.fair import seed_hash
from nana_core.notation import CONTINUE
from nana_core.protocol.outbound import ErrorCode
from nana_core.record import FORMAT, RULES, Record, RecordedDeal, RecordedSeat, compact
from nana_server.room import events as e
from nana_server.room.decide import No
from nana_server.room.refusals import REFUSALS
from nana_server.room.state import Key, RoomState, Sitter

GAMES_MOST: Final = 100  # of one room: of older games nobody is known to have played them


class Finished(Struct, frozen=True):
    """A game that is over: who may have its record, and what tells that record from others."""

    game: int
    players: frozenset[Key]
    digest: bytes

    def is_of(self, record: bytes) -> bool:
        """Tell whether this is its record, and not that of an older room of the same code."""
        return digest_of(record) == self.digest


class Chronicle:
    """The actions of the game in play, and the games of one room that are over."""

    __slots__ = ("_games", "_players", "_stand_ins", "actions", "last")

    def __init__(self) -> None:
        self.last: bytes | None = None  # the record of the last game that is over
        self.actions: list[str] = []  # of the game in play
        self._stand_ins: set[int] = set()
        self._players: frozenset[Key] = frozenset()
        self._games: dict[int, Finished] = {}

    def follow(self, before: RoomState, entry: e.Entry, state: RoomState) -> None:
        """Note what an entry has led to. Asked at every action: the commonest comes first."""
        if state.deal is not before.deal:
            self._begin(state)
        elif state.game is not before.game and state.game is not None:
            for event in entry.events:
                kind = type(event)
                if kind is e.Revealed:
                    self.actions.append(event.source)  # type: ignore[union-attr]
                elif kind is e.Continued:
                    self.actions.append(CONTINUE)
            if entry.member is None:
                self._note_stand_in(state, state.game.table.turn, entry)
            if state.phase == "over":
                self._finish(state)

    def follow_robot(self, entry: e.Entry, state: RoomState) -> None:
        """Note whose play it was that nobody asked for; the play itself is in `actions`."""
        if state.game is not None:
            self._note_stand_in(state, state.game.table.turn, entry)

    @property
    def games(self) -> tuple[e.Over, ...]:
        """The games that are over, as a summary of the room has them."""
        games = self._games.values()
        return tuple(e.Over(it.game, tuple(sorted(it.players)), it.digest) for it in games)

    def recall(self, games: tuple[e.Over, ...], last: bytes | None) -> None:
        """Take the games that are over from a summary."""
        self.last = last
        over = (Finished(it.game, frozenset(it.players), it.digest) for it in games)
        self._games = {finished.game: finished for finished in over}

    def find(self, game: int, key: Key) -> Finished | No:
        """Return a game that is over, if its record is this member's to have."""
        finished = self._games.get(game)
        if finished is None:
            return No(ErrorCode.NO_RECORD, REFUSALS[ErrorCode.NO_RECORD])
        if key not in finished.players:
            text = "The record of a game is for those who sat in it."
            return No(ErrorCode.NOT_SEATED, text)
        return finished

    def _begin(self, state: RoomState) -> None:
        self.actions.clear()
        self._stand_ins.clear()
        sitters = (sitter for sitter in state.seats if sitter is not None)
        self._players = frozenset(sitter.member for sitter in sitters if sitter.member is not None)

    def _note_stand_in(self, state: RoomState, turn: int, entry: e.Entry) -> None:
        """A bot of the server's plays for itself, whoever else is played by the server does not."""
        for event in entry.events:
            if isinstance(event, e.Revealed | e.Continued):
                sitter = state.seats[event.seat]
                if sitter is not None and sitter.level is None:
                    self._stand_ins.add(turn)

    def _finish(self, state: RoomState) -> None:
        self.last = compact(record_of(state, self.actions, self._stand_ins))
        self._games[state.number] = Finished(state.number, self._players, digest_of(self.last))
        if len(self._games) > GAMES_MOST:
            del self._games[min(self._games)]


def record_of(state: RoomState, actions: list[str], stand_ins: set[int]) -> Record:
    """Write the record of the game that has just ended, while its players still sit there."""
    deal, game = state.deal, state.game
    if deal is None or game is None or game.table.result is None:
        raise AssertionError("a record is made of a game that is over")
    return Record(
        format=FORMAT,
        rules=RULES,
        room=state.code,
        game=state.number,
        seats=tuple(
            _seat(sitter, promise, nonce)
            for sitter, promise, nonce in zip(
                state.seats, state.nonce_hashes, state.nonces, strict=False
            )  # beyond the players' seats come those that are free for the next game
        ),
        deal=RecordedDeal(
            seed_hash=seed_hash(state.code, state.number, state.seed),
            seed=state.seed.hex(),
            rotated=state.first is not None,
            hands=deal.hands,
            center=deal.center,
            first=LETTERS[deal.first],
            fixed=state.fixed,
        ),
        actions=" ".join(actions),
        result=game.table.result,
        stand_ins=tuple(sorted(stand_ins)),
    )


def _seat(sitter: Sitter | None, promise: str | None, nonce: bytes | None) -> RecordedSeat:
    if sitter is None:
        raise AssertionError("whoever played still has the seat when the game ends")
    return RecordedSeat(sitter.name, sitter.kind, promise, None if nonce is None else nonce.hex())


def digest_of(record: bytes) -> bytes:
    return hashlib.blake2b(record, digest_size=16).digest()
