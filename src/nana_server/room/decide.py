"""What a member's message leads to: events, or a refusal. Nothing changes here.

The rules' own refusals come from `nana_core.game`; the room adds who may do what
in which phase. A decision may depend on who is connected, on the time and on
fresh randomness: all three are in the Situation that is handed in.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from nana_core.deck import LETTERS, MIN_PLAYERS, Deal, Seat
from nana_core.fair import SECRET_BYTES, fair_deal, fixed_deal, nonce_hash
from nana_core.game import refusal
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import ErrorCode
from nana_core.protocol.wire import action_of
from nana_core.text import CHAT_CELLS, NAME_CELLS, clipped, flaw_in, width
from nana_server.room import events as e
from nana_server.room.evolve import changed, evolve
from nana_server.room.refusals import REFUSALS
from nana_server.room.state import (
    WATCHERS_MOST,
    Key,
    Phase,
    RoomState,
    Sitter,
    free_seat,
    is_free,
    participants,
    seat_of,
    sitter_at,
    to_open,
    watchers,
)

Events: TypeAlias = tuple[e.AnyEvent, ...]
BOT_NAMES: Final = ("Mochi", "Kumo", "Sora", "Tora", "Yuki", "Hoshi", "Momo", "Nagi")
BETWEEN_GAMES: Final[frozenset[Phase]] = frozenset({"lobby", "over"})


class No(Struct, frozen=True):
    """A refusal: a code for programs, a sentence for people."""

    code: ErrorCode
    text: str


class Situation(Struct, frozen=True, gc=False):
    """What a decision may depend on beside the state."""

    at: int  # room time, ms
    connected: frozenset[Key]
    pace: int  # ms that an ended attempt is shown at least; 0 where no person is here
    entropy: Callable[[int], bytes]


def decide_entrance(
    state: RoomState, key: Key, message: i.Create | i.Join | i.Watch
) -> Events | No:
    """Let somebody in who is not a member yet."""
    if why := flaw_in(message.name, NAME_CELLS):
        return No(ErrorCode.BAD_NAME, f"Please choose another name: {why}.")
    name = unique_name(state, message.name)
    match message:
        case i.Watch():
            if len(watchers(state)) >= WATCHERS_MOST:
                return No(ErrorCode.ROOM_FULL, "This room has as many watchers as it can hold.")
            return (e.Joined(key, name, message.kind, None, None),)
        case i.Create() | i.Join():
            return _join(state, key, message, name)
        case _:
            assert_never(message)


def _join(state: RoomState, key: Key, message: i.Create | i.Join, name: str) -> Events | No:
    if message.kind == "bot" and not state.options.bots and state.members:
        return No(ErrorCode.BOTS_REFUSED, "The host of this room has not let bots in.")
    seat = free_seat(state) if state.phase in BETWEEN_GAMES else None
    if seat is None and state.phase in BETWEEN_GAMES:
        return No(ErrorCode.ROOM_FULL, "Every seat of this room is taken. You can watch instead.")
    if seat is None and len(watchers(state)) >= WATCHERS_MOST:
        return No(ErrorCode.ROOM_FULL, "A game is on, and this room can hold no more watchers.")
    return (e.Joined(key, name, message.kind, seat, message.nonce_hash),)


def decide(state: RoomState, key: Key, message: i.Inside, now: Situation) -> Events | No:
    """Say what a member's message leads to."""
    match message:
        case i.Reveal() | i.Continue():
            return play(state, seat_of(state, key), message, now.at, now.pace)
        case i.Chat(text=text):
            return _chat(key, text)
        case i.Open(nonce=nonce):
            return _open(state, key, bytes.fromhex(nonce))
        case i.Rematch(ready=ready):
            return _rematch(state, key, ready=ready, nonce_hash=message.nonce_hash)
        case i.Sit():
            return _sit(state, key, message)
        case i.Export():
            return _export(state, message)
        case i.Leave():
            return leaving(state, key, "left", now)
        case _:
            if state.host != key:
                return No(ErrorCode.NOT_HOST, REFUSALS[ErrorCode.NOT_HOST])
            return _rule(state, key, message, now)


_HostMessage: TypeAlias = (
    i.SetOptions | i.AddBot | i.Remove | i.GiveHost | i.Start | i.Pause | i.End | i.Close
)


def _rule(state: RoomState, key: Key, message: _HostMessage, now: Situation) -> Events | No:
    match message:
        case i.SetOptions(options=options):
            return _set_options(state, options)
        case i.AddBot():
            return _add_bot(state, message)
        case i.Remove(seat=letter):
            return _remove(state, key, LETTERS.index(letter), now)
        case i.GiveHost(seat=letter):
            return _give_host(state, LETTERS.index(letter))
        case i.Start():
            return _start(state, now)
        case i.Pause(on=on):
            if state.phase != "playing":
                return _wrong_phase("Only a running game can be paused.")
            return (e.Paused(on),) if on != state.paused else ()
        case i.End():
            if state.phase != "playing":
                return _wrong_phase("No game is running.")
            return (e.GameEnded(),)
        case i.Close():
            return (e.Closed("closed"),)
        case _:
            assert_never(message)


def play(
    state: RoomState, seat: Seat | None, message: i.Reveal | i.Continue, at: int, pace: int
) -> Events | No:
    """Play: stale comes before illegal, since a stale action was legal when it was aimed.

    `at` is room time; `pace` is how long an ended attempt is shown at least (ms).
    """
    if state.phase != "playing" or state.game is None:
        return _wrong_phase("No game is running.")
    if seat is None:
        return No(ErrorCode.NOT_SEATED, REFUSALS[ErrorCode.NOT_SEATED])
    if message.step != state.step:
        return No(ErrorCode.STALE, REFUSALS[ErrorCode.STALE])
    if state.paused:
        return No(ErrorCode.PAUSED, REFUSALS[ErrorCode.PAUSED])
    if why := refusal(state.game.table, seat, action_of(message)):
        code = ErrorCode(why.value)
        return No(code, REFUSALS[code])
    if pace and state.not_before and at < state.not_before and isinstance(message, i.Continue):
        return No(ErrorCode.TOO_EARLY, REFUSALS[ErrorCode.TOO_EARLY])
    sitter = state.seats[seat]
    if sitter is not None and sitter.stand_in:
        return (e.Back(seat), played(seat, message, pace))
    return (played(seat, message, pace),)


def played(seat: Seat, message: i.Reveal | i.Continue, pace: int) -> e.Revealed | e.Continued:
    """Say what a legal action comes to."""
    if type(message) is i.Reveal:
        return e.Revealed(seat, message.source, pace)
    return e.Continued(seat)


def _chat(key: Key, text: str) -> Events | No:
    if why := flaw_in(text, CHAT_CELLS):
        return No(ErrorCode.BAD_TEXT, f"That was not sent: {why}.")
    return (e.Said(key, text),)


def _open(state: RoomState, key: Key, nonce: bytes) -> Events | No:
    if state.phase != "opening":
        return _wrong_phase("Nonces are opened between the start and the deal.")
    seat = seat_of(state, key)
    if seat is None:
        return No(ErrorCode.NOT_SEATED, REFUSALS[ErrorCode.NOT_SEATED])
    if seat not in to_open(state) or nonce_hash(nonce) != state.nonce_hashes[seat]:
        return No(ErrorCode.BAD_NONCE, REFUSALS[ErrorCode.BAD_NONCE])
    opened = e.Opened(seat, nonce)
    after = evolve(state, opened, 0)
    return (opened,) if to_open(after) else (opened, dealing(after))


def dealing(state: RoomState) -> e.Dealt:
    """Derive the deal from the seed and whatever was opened."""
    if state.fixed:
        return e.Dealt(fixed_deal(state.number, state.seed, len(state.nonces)))
    deal: Deal = fair_deal(state.code, state.number, state.seed, state.nonces, state.first)
    return e.Dealt(deal)


def _rematch(state: RoomState, key: Key, *, ready: bool, nonce_hash: str | None) -> Events | No:
    if state.phase != "over":
        return _wrong_phase("A rematch is asked for when a game is over.")
    if seat_of(state, key) is None:
        text = "You watch; take a free seat to play in the next game."
        return No(ErrorCode.NOT_SEATED, text)
    return (e.Readied(key, ready, nonce_hash),)


def _sit(state: RoomState, key: Key, message: i.Sit) -> Events | No:
    if state.phase not in BETWEEN_GAMES:
        return _wrong_phase("Seats are taken between games.")
    if seat_of(state, key) is not None:
        return No(ErrorCode.SEAT_TAKEN, "You have a seat already.")
    seat = _wanted_seat(state, message.seat)
    return seat if isinstance(seat, No) else (e.Sat(key, seat, message.nonce_hash),)


def _wanted_seat(state: RoomState, letter: str | None) -> Seat | No:
    if letter is None:
        seat = free_seat(state)
        return No(ErrorCode.NO_FREE_SEAT, "Every seat is taken.") if seat is None else seat
    seat = LETTERS.index(letter)
    if seat >= len(state.seats):
        return No(ErrorCode.NO_SUCH_SEAT, f"This table has no seat {letter}.")
    if not is_free(state.seats[seat]):
        return No(ErrorCode.SEAT_TAKEN, f"Seat {letter} is taken.")
    return seat


def last_over(state: RoomState) -> int:
    """Return the number of the last game that is over; 0 while there is none."""
    return state.number if state.phase == "over" else state.number - 1


def _export(state: RoomState, message: i.Export) -> Events | No:
    """Refuse what is asked for too early; whose record it is, the room's chronicle knows."""
    over = last_over(state)
    if not over:
        return _wrong_phase("There is a record when a game is over.")
    if message.game is not None and message.game > over:
        return _wrong_phase(f"Game {message.game} of this room is not over.")
    return ()


def leaving(state: RoomState, key: Key, why: e.LeaveReason, now: Situation) -> Events:
    """Somebody goes for good; a host's powers pass on at once."""
    if state.host != key:
        return (e.Left(key, why),)
    return (e.Left(key, why), e.HostGiven(next_host(state, key, now.connected)))


def next_host(state: RoomState, gone: Key | None, connected: frozenset[Key]) -> Key | None:
    """Return the connected member seated longest, else a watcher, else nobody (None).

    Bots from outside start no games for people: people come first, and a bot
    inherits from nobody but a bot.
    """
    from_bot = gone is not None and state.members[gone].kind == "bot"
    heirs = [
        (member.kind == "bot", seat_of(state, key) is None, member.order, key)
        for key, member in state.members.items()
        if key != gone and key in connected and (from_bot or member.kind == "person")
    ]
    return min(heirs)[-1] if heirs else None


def _set_options(state: RoomState, changes: i.OptionChanges) -> Events | No:
    if state.phase not in BETWEEN_GAMES:
        return _wrong_phase("Options are changed between games.")
    options = changed(state.options, changes)
    taken = [seat for seat, sitter in enumerate(state.seats) if sitter is not None]
    if state.game is not None:  # letters hold: the finished table is still looked at
        needed = max([state.game.table.players, *(seat + 1 for seat in taken)])
        text = f"{needed} seats are in use until the next game starts."
    else:
        needed = len(taken)
        text = f"{needed} seats are in use; remove somebody before you take seats away."
    if options.seats < needed:
        return No(ErrorCode.BAD_OPTION, text)
    return (e.OptionsSet(options),) if options != state.options else ()


def _add_bot(state: RoomState, message: i.AddBot) -> Events | No:
    if state.phase not in BETWEEN_GAMES:
        return _wrong_phase("Bots are added between games.")
    seat = _wanted_seat(state, message.seat)
    if isinstance(seat, No):
        return seat
    taken = {sitter.name for sitter in state.seats if sitter is not None}
    free = next((name for name in BOT_NAMES if name not in taken), BOT_NAMES[0])
    return (e.BotAdded(seat, message.level, unique_name(state, free)),)


def _remove(state: RoomState, key: Key, seat: Seat, now: Situation) -> Events | No:
    sitter = sitter_at(state, seat)
    if sitter is None or sitter.left:
        return No(ErrorCode.NO_SUCH_SEAT, f"Nobody sits at {LETTERS[seat]}.")
    if sitter.member == key:
        return No(ErrorCode.BAD_OPTION, "To go yourself, leave the room.")
    if sitter.member is not None:
        return leaving(state, sitter.member, "removed", now)
    if state.phase not in BETWEEN_GAMES:
        return _wrong_phase("A bot stays until the game is over.")
    return (e.BotRemoved(seat),)


def _give_host(state: RoomState, seat: Seat) -> Events | No:
    sitter: Sitter | None = sitter_at(state, seat)
    if sitter is None or sitter.member is None:
        return No(ErrorCode.NO_SUCH_SEAT, f"Nobody who could be the host sits at {LETTERS[seat]}.")
    return (e.HostGiven(sitter.member),) if sitter.member != state.host else ()


def _start(state: RoomState, now: Situation) -> Events | No:
    if state.phase not in BETWEEN_GAMES:
        return _wrong_phase("A game is on already.")
    order = participants(state)
    if len(order) < MIN_PLAYERS:
        return No(ErrorCode.TOO_FEW_PLAYERS, REFUSALS[ErrorCode.TOO_FEW_PLAYERS])
    next_seed = state.seed if state.fixed else now.entropy(SECRET_BYTES)
    started = e.Started(order, _first_by_rotation(state, order), next_seed)
    after = evolve(state, started, now.at)
    return (started,) if to_open(after) else (started, dealing(after))


def _first_by_rotation(state: RoomState, order: tuple[Seat, ...]) -> Seat | None:
    """Return whose turn it is to begin: the first who plays, clockwise of the last first seat."""
    if state.phase != "over" or state.deal is None or state.fixed:
        return None
    after = state.deal.first + 1
    return next((new for new, old in enumerate(order) if old >= after), 0)


def unique_name(state: RoomState, name: str) -> str:
    """Return the name, numbered if somebody in the room has it."""
    taken = {member.name for member in state.members.values()}
    taken |= {sitter.name for sitter in state.seats if sitter is not None}
    count, numbered = 1, name
    while numbered in taken:
        count += 1
        suffix = f" {count}"
        numbered = clipped(name, NAME_CELLS - width(suffix)) + suffix
    return numbered


def _wrong_phase(text: str) -> No:
    return No(ErrorCode.WRONG_PHASE, text)
