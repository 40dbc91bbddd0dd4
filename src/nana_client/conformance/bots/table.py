"""The scripted table as its one guest sees it: seat A is the script's, B the bot's. No I/O."""

import time
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from nana_core.actions import Action
from nana_core.deck import LETTERS, Deal
from nana_core.fair import fair_deal, nonce_hash, seed_hash
from nana_core.game import Ended, Game, apply, begin, end
from nana_core.notation import parse_action, parse_game, play
from nana_core.protocol.outbound import (
    AttemptView,
    DealView,
    OpenedDeal,
    OptionsView,
    SeatView,
    Snapshot,
    You,
)
from nana_core.protocol.wire import attempt_view, legal_names, letter, result_view
from nana_core.views import hand_for, open_cards

ROOM: Final = "KQ7MX"
OURS: Final = bytes(range(32, 64))  # the nonce of the script's seat
PACE: Final = 500  # ms
_BOT: Final = 1  # its seat


def now_ms() -> int:
    return int(time.monotonic() * 1000)


class Table:
    """One room, with the bot in seat B."""

    def __init__(
        self, name: str, commitment: str | None, clock: Callable[[], int] = now_ms
    ) -> None:
        self.name, self.commitment, self._clock = name, commitment, clock
        self.number, self.version, self.step = 1, 1, 0
        self.phase = "lobby"
        self.game: Game | None = None
        self.nonce: bytes | None = None
        self.opening: tuple[str, ...] = ()
        self.ready = True
        self.paused = False
        self.stand_in = False
        self.seat: str | None = LETTERS[_BOT]  # None: the bot watches
        self.not_before: int | None = None
        self.missed: tuple[AttemptView, ...] = ()
        self.changed_seed = False  # the promise shown in the opening is another one
        self.deal: Deal | None = None

    @property
    def seed(self) -> bytes:
        return bytes([self.number]) * 32

    @property
    def running(self) -> Game:
        if self.game is None:
            raise AssertionError("no game is dealt")
        return self.game

    @property
    def bots_turn(self) -> bool:
        table = self.running.table
        return table.result is None and table.on_turn == _BOT

    @property
    def bots_may_turn_over(self) -> bool:
        playing = self.phase == "playing" and self.bots_turn and not self.paused
        return playing and not self.running.table.shown

    def open(self) -> None:
        """Start: the opening, in which the bot is asked for the nonce that it has committed to."""
        self.phase, self.nonce = "opening", None
        self.opening = (LETTERS[_BOT],) if self.commitment else ()
        self._move()

    def begin(self) -> None:
        nonces = (OURS, self.nonce)
        first = None if self.deal is None else (self.deal.first + 1) % len(nonces)
        self.deal = fair_deal(ROOM, self.number, self.seed, nonces, first)
        self._play(begin(self.deal))

    def begin_at(self, text: str) -> None:
        """Take up a game in the middle, from its notation so far."""
        self._play(play(*parse_game(text)))

    def act(self, word: str) -> None:
        """Do an action of the seat on turn, which is legal."""
        action: Action = parse_action(word)
        self.game = apply(self.running, self.running.table.on_turn, action)
        self._settle()

    def end(self, why: str) -> None:
        """End the game without a winner."""
        table = end(self.running, "host").table
        self.game = Game(replace(table, result=Ended(why)), self.running.secrets)  # type: ignore[arg-type]
        self._settle()

    def change(self) -> None:
        """Something that moves no game has changed."""
        self.version += 1

    def _play(self, game: Game) -> None:
        self.game, self.phase, self.opening = game, "playing", ()
        self._settle()

    def _settle(self) -> None:
        table = self.running.table
        self.not_before = self._clock() + PACE if table.shown and table.result is None else None
        if table.result is not None:
            self.phase, self.ready = "over", False
        self._move()

    def _move(self) -> None:
        self.version += 1
        self.step += 1

    def snapshot(self) -> Snapshot:
        """Show it to the bot as it stands."""
        game = self.game if self.phase in {"playing", "over"} else None
        table = None if game is None else game.table
        over = self.phase == "over"
        shot = Snapshot(
            epoch=1, version=self.version, step=self.step, now=self._clock(), deadline=None,
            not_before=self.not_before, turn=0, on_turn=None, legal=(), center=(), attempt=None,
            ledger=None, seats=(self._view(0), self._view(_BOT)), room=ROOM, game=self.number,
            phase=self.phase, frozen=False, paused=self.paused, host="A",
            options=OptionsView(
                seats=2, memory="none", turn_time=0, pace=PACE, public=False, bots=True
            ),
            watching=() if self.seat else (self.name,), result=None, hands=None,
            deal=self._deal_view(), opened=None, next_seed_hash=None, missed=self.missed,
            you=You(seat=self.seat, name=self.name, host=False, hand=()),
        )  # fmt: skip
        if game is None or table is None:
            return shot
        hand = hand_for(game, _BOT) if self.seat else ()
        shot = replace(
            shot,
            turn=table.turn,
            center=table.center,
            attempt=attempt_view(table.attempt, table.turn),
            you=replace(shot.you, hand=hand),
        )
        if over and table.result is not None:
            opened = open_cards(game)
            return replace(
                shot, center=opened.center, hands=opened.hands, opened=self._opened(),
                result=result_view(table.result),
                next_seed_hash=seed_hash(ROOM, self.number + 1, bytes([self.number + 1]) * 32),
            )  # fmt: skip
        legal = () if self.paused else legal_names(table)
        return replace(shot, on_turn=letter(table.on_turn), legal=legal)

    def _view(self, seat: int) -> SeatView:
        mine = seat == _BOT
        table = self.game.table if self.game and self.phase in {"playing", "over"} else None
        return SeatView(
            seat=LETTERS[seat], kind="bot",
            name=(self.name if self.seat else "Else") if mine else "Ann", level=None, online=True,
            left=False, stand_in=mine and self.stand_in, ready=self.ready, won=0,
            cards=table.hand_sizes[seat] if table else 0, sets=table.sets[seat] if table else (),
        )  # fmt: skip

    def _deal_view(self) -> DealView:
        hashes: tuple[str | None, ...] = ()
        if self.phase != "lobby":
            hashes = (nonce_hash(OURS), self.commitment)
        promised = bytes(32) if self.changed_seed and self.phase != "lobby" else self.seed
        seed = seed_hash(ROOM, self.number, promised)
        return DealView(seed_hash=seed, nonce_hashes=hashes, to_open=self.opening)

    def _opened(self) -> OpenedDeal | None:
        if self.deal is None:
            return None
        nonce = None if self.nonce is None else self.nonce.hex()
        return OpenedDeal(
            seed=self.seed.hex(), nonces=(OURS.hex(), nonce), rotated=self.number > 1,
            hands=self.deal.hands, center=self.deal.center, first=LETTERS[self.deal.first],
        )  # fmt: skip
