"""Nobody learns a hidden card from a single byte that the server sends, or from when it does."""

import os
from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
import pytest

from nana_core.actions import Reveal
from nana_core.game import Game, Table, apply, end
from nana_core.notation import SOURCES
from nana_core.protocol.inbound import Export
from nana_core.protocol.outbound import ChatLine, LedgerView, Notice, Recorded
from nana_core.protocol.wire import legal_names
from nana_core.record import compact
from nana_server import lobby
from nana_server.room import room as rooms
from nana_server.room import show, viewer
from nana_server.room.decide import No
from nana_server.room.events import Revealed
from nana_server.room.recorded import record_of
from nana_server.room.robots import robot_seat
from nana_server.room.state import RoomState
from server.secret_worlds import pairs

PAIRS: Final = int(os.environ.get("NANA_PAIRS", "3"))  # deals for each kind of table
TABLES: Final = [(2, 0), (3, 0), (3, 1), (4, 0), (4, 2), (5, 0), (5, 1)]  # players, robots


@pytest.mark.parametrize(("players", "robots"), TABLES)
def test_what_is_told_depends_on_nothing_hidden(
    players: int, robots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redeal what a viewer cannot see; the whole transcript of all its connections stays equal."""
    compared = 0
    for seed in range(PAIRS):
        for whose, one, two in pairs(seed, players, robots, monkeypatch):
            assert one == two, f"viewer {whose} at seed {seed}"
            assert len("".join(one)) > 10_000
            compared += 1
    assert compared >= PAIRS


def test_the_worlds_see_everything_that_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The transcripts are rich: sets, misses, stand-ins, resumes, refusals, missed attempts."""
    told = ""
    for players, robots in TABLES:
        for _, one, _ in pairs(1, players, robots, monkeypatch):
            told += "".join(one)
    for word in (
        '"outcome":"set"', '"outcome":"miss"', '"stand_in":true', '"resumed":true', '"stale"',
        '"not_your_turn"', '"malformed"', '"too_early"', '"missed":[{', '"ledger":{',
        '"paused":true', '"ack"', '"replaced"', '"code":"not_opened"', '"kind":"bot"',
        "There is a record when a game is over", "nana.room INFO", "Response(",
    ):  # fmt: skip
        assert word in told, word
    for word in ('"phase":"over"', '"opened":{', '"result":{'):
        assert word not in told, word


# The leaks. Each is one line that somebody might write one day.


def _game(state: RoomState) -> Game | None:
    return state.game if state.phase == "playing" else None


FIELDS: Final = (
    "deadline", "not_before", "turn", "on_turn", "legal", "center", "attempt", "ledger",
)  # fmt: skip


def _moving(patch: pytest.MonkeyPatch, leak: Callable[[Game, Any], dict[str, Any]]) -> None:
    """Change fields of the shared part, those that a play changes."""
    honest = show.moving

    def moving(state: RoomState, table: Table, offset: int) -> show.Fields:
        fields, game = honest(state, table, offset), _game(state)
        if game is None:
            return fields
        made = dict(zip(FIELDS, fields, strict=True))
        read = {n: msgspec.json.decode(v) for n, v in made.items() if isinstance(v, bytes)}
        changed = {n: msgspec.json.encode(v) for n, v in leak(game, read).items()}
        return cast("show.Fields", tuple((made | changed).values()))

    patch.setattr(show, "moving", moving)


def _number(game: Game, source: str) -> int:
    """Return the card that a source would show."""
    shown = apply(game, game.table.on_turn, Reveal(SOURCES[source]))
    number: int = shown.table.attempt.cards[-1].number
    return number


def useful_actions_first(patch: pytest.MonkeyPatch) -> None:
    def leak(game: Game, made: Any) -> dict[str, Any]:
        if game.table.shown or not game.table.attempt.cards:
            return {}
        wanted = game.table.attempt.cards[0].number
        return {"legal": sorted(made["legal"], key=lambda name: _number(game, name) != wanted)}

    _moving(patch, leak)


def legal_actions_in_the_order_of_the_cards(patch: pytest.MonkeyPatch) -> None:
    def leak(game: Game, made: Any) -> dict[str, Any]:
        center = game.secrets.center
        slots = [name for name in made["legal"] if name[1:].isdigit()]
        rest = [name for name in made["legal"] if not name[1:].isdigit()]
        return {"legal": (*sorted(slots, key=lambda name: center[int(name[1:]) - 1]), *rest)}

    _moving(patch, leak)


def a_ledger_that_knows_the_next_card(patch: pytest.MonkeyPatch) -> None:
    def leak(game: Game, made: Any) -> dict[str, Any]:
        hands = tuple(hand[:1] for hand in game.secrets.hands)
        return {"ledger": LedgerView(center=(), hands=hands)}

    _moving(patch, leak)


def a_deadline_that_hangs_on_a_card(patch: pytest.MonkeyPatch) -> None:
    def leak(game: Game, made: Any) -> dict[str, Any]:
        return {"deadline": (made["deadline"] or 0) + sum(map(sum, game.secrets.hands[1:]))}

    _moving(patch, leak)


def a_step_that_hangs_on_a_card(patch: pytest.MonkeyPatch) -> None:
    honest = show.Sheet.part_after_play

    def part(self: show.Sheet, state: RoomState, *args: Any) -> bytes:
        game = _game(state)
        more = game.secrets.center[-1] % 2 if game else 0
        return honest(self, msgspec.structs.replace(state, step=state.step + more), *args)

    patch.setattr(show.Sheet, "part_after_play", part)


def hands_opened_early(patch: pytest.MonkeyPatch) -> None:
    honest = show._settled

    def settled(state: RoomState, moment: show.Moment) -> show.Settled:
        game = _game(state)
        made = honest(state, moment)
        return msgspec.structs.replace(made, hands=game.secrets.hands) if game else made

    patch.setattr(show, "_settled", settled)


def a_commitment_to_the_deal(patch: pytest.MonkeyPatch) -> None:
    honest = show._deal

    def deal(state: RoomState) -> Any:
        made = honest(state)
        return msgspec.structs.replace(made, seed_hash=str(hash(state.deal)))

    patch.setattr(show, "_deal", deal)


def a_hand_for_spectators(patch: pytest.MonkeyPatch) -> None:
    honest = show.own_hand

    def own_hand(state: RoomState, seat: int | None) -> tuple[int, ...]:
        return honest(state, 0 if seat is None else seat)

    patch.setattr(show, "own_hand", own_hand)


def a_hand_as_a_length(patch: pytest.MonkeyPatch) -> None:
    honest = show.own_part

    def own_part(state: RoomState, seat: Any, key: Any, missed: Any) -> bytes:
        game = _game(state)
        pad = b" " * sum(game.secrets.hands[0]) if game else b""
        return honest(state, seat, key, missed) + pad

    patch.setattr(show, "own_part", own_part)


def an_extra_field_with_a_sum(patch: pytest.MonkeyPatch) -> None:
    honest = show.Sheet.shared_part

    def shared_part(self: show.Sheet, state: RoomState, moment: show.Moment) -> bytes:
        game = _game(state)
        sums = [sum(hand) for hand in game.secrets.hands] if game else []
        return honest(self, state, moment) + b',"sums":%b' % msgspec.json.encode(sums)

    patch.setattr(show.Sheet, "shared_part", shared_part)


def a_log_line_with_a_card(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._log

    def log(self: rooms.Room, event: Any) -> None:
        honest(self, event)
        rooms.log.debug("room %s: %s", self.code, self.state)

    patch.setattr(rooms.Room, "_log", log)


def a_refusal_that_tells_a_card(patch: pytest.MonkeyPatch) -> None:
    honest = vars(rooms)["play"]

    def play(state: RoomState, *more: Any) -> Any:
        outcome, game = honest(state, *more), _game(state)
        if isinstance(outcome, No) and game:
            return No(outcome.code, f"{outcome.text} By the way, c2 is {game.secrets.center[1]}.")
        return outcome

    patch.setattr(rooms, "play", play)


def a_notice_that_tells_a_card(patch: pytest.MonkeyPatch) -> None:
    honest = vars(rooms)["notices"]

    def notices(before: RoomState, event: Any, after: RoomState) -> tuple[Notice, ...]:
        game = _game(after)
        text = f" Theirs: {game.secrets.hands[1]}." if game else ""
        return tuple(
            msgspec.structs.replace(it, text=it.text + text) for it in honest(before, event, after)
        )

    patch.setattr(rooms, "notices", notices)


def a_robot_that_hesitates(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._pace

    def pace(self: rooms.Room) -> int:
        game = _game(self.state)
        return honest(self) + (game.secrets.center[0] if game else 0)

    patch.setattr(rooms.Room, "_pace", pace)


def a_robot_that_peeks(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._play_robot

    def play_robot(self: rooms.Room) -> None:
        game, seat = _game(self.state), robot_seat(self.state)
        if seat is None or game is None or game.table.shown:
            honest(self)
        else:
            highest = max(legal_names(game.table), key=lambda name: _number(game, name))
            self._propose((Revealed(seat, highest, 100),), None)

    patch.setattr(rooms.Room, "_play_robot", play_robot)


def a_close_code_that_counts(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._welcome_back

    def welcome_back(self: rooms.Room, request: Any) -> None:
        game, old = _game(self.state), self.audience.find(request.key)
        if game and old and old.peer is not request.peer:
            old.peer.close(4000 + sum(game.secrets.center), "replaced")
        honest(self, request)

    patch.setattr(rooms.Room, "_welcome_back", welcome_back)


def a_resume_that_says_too_much(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._attach

    def attach(self: rooms.Room, request: Any) -> None:
        honest(self, request)
        if game := _game(self.state):
            hint = ChatLine(seq=0, name="hint", seat=None, text=f"{game.secrets.center[0]}")
            viewer.say(request.peer, hint)

    patch.setattr(rooms.Room, "_attach", attach)


def a_list_of_rooms_with_a_card(patch: pytest.MonkeyPatch) -> None:
    honest = lobby._listed

    def listed(room: rooms.Room) -> lobby.Listed:
        game = _game(room.state)
        made = honest(room)
        return msgspec.structs.replace(made, memory=f"{game.secrets}") if game else made

    patch.setattr(lobby, "_listed", listed)


def a_record_before_the_end(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._handle

    def handle(self: rooms.Room, request: Any, message: Any) -> None:
        game = _game(self.state)
        if game and isinstance(message, Export):
            state = msgspec.structs.replace(self.state, game=end(game, "host"))
            record = msgspec.Raw(compact(record_of(state, [], set())))
            viewer.say(request.peer, Recorded(id=message.id, game=state.number, record=record))
        honest(self, request, message)

    patch.setattr(rooms.Room, "_handle", handle)


LEAKS: Final = [
    useful_actions_first,
    legal_actions_in_the_order_of_the_cards,
    a_ledger_that_knows_the_next_card,
    a_deadline_that_hangs_on_a_card,
    a_step_that_hangs_on_a_card,
    hands_opened_early,
    a_commitment_to_the_deal,
    a_hand_for_spectators,
    a_hand_as_a_length,
    an_extra_field_with_a_sum,
    a_log_line_with_a_card,
    a_refusal_that_tells_a_card,
    a_notice_that_tells_a_card,
    a_robot_that_hesitates,
    a_robot_that_peeks,
    a_close_code_that_counts,
    a_resume_that_says_too_much,
    a_list_of_rooms_with_a_card,
    a_record_before_the_end,
]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_noticed(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these changes a byte that somebody gets, so the test above can fail."""
    leak(monkeypatch)
    for seed in range(20):
        for _, one, two in pairs(seed, 3, 1, monkeypatch):
            if one != two:
                return
    pytest.fail("not noticed")
