"""What a room tells everybody in words: about an event, or from whoever runs the server."""

from typing import Final

from nana_core.deck import LETTERS, Seat
from nana_core.protocol.outbound import Notice
from nana_server.room import events as e
from nana_server.room.state import Key, RoomState, seat_of, to_open

READ_ONLY: Final = Notice(
    code="read_only",
    seat=None,
    name=None,
    text="The server's disk is full: games wait until there is space again.",
)
SAVING: Final = Notice(
    code="saving",
    seat=None,
    name=None,
    text="The server's disk has space again: games go on.",
)


def notices(before: RoomState, event: e.AnyEvent, after: RoomState) -> tuple[Notice, ...]:
    """Say what this event means to the people in the room; most events need no words."""
    match event:
        case e.Joined(member, name, _, seat, _):
            what = "watches" if seat is None else f"takes seat {LETTERS[seat]}"
            return (_about("joined", after, member, f"{name} {what}."),)
        case e.Sat(member, seat, _):
            name = after.members[member].name
            return (_about("sat", after, member, f"{name} takes seat {LETTERS[seat]}."),)
        case e.Left(member, why):
            return (_about("left", before, member, _left(before, member, why)),)
        case e.HostGiven(member) if member is not None:
            name = after.members[member].name
            return (_about("host", after, member, f"{name} is the host now."),)
        case e.StoodIn(seat, why):
            name = _name(after, seat)
            because = f"{name} is away" if why == "away" else f"{name}'s time is up"
            return (_seat("stand_in", seat, name, f"{because}; a stand-in plays."),)
        case e.Back(seat):
            name = _name(after, seat)
            return (_seat("back", seat, name, f"{name} is back."),)
        case e.Dealt():
            return tuple(
                _seat("not_opened", seat, name := _name(before, seat), _unopened(name))
                for seat in to_open(before)
            )
        case e.Paused(on):
            text = "The host has paused the game." if on else "The game goes on."
            return (Notice(code="paused", seat=None, name=None, text=text),)
        case e.GameEnded():
            text = "The host has ended the game."
            return (Notice(code="ended", seat=None, name=None, text=text),)
        case _:
            return ()


def announcement(text: str) -> Notice:
    return Notice(code="announcement", seat=None, name=None, text=f"From the server: {text}")


def _left(before: RoomState, member: Key, why: e.LeaveReason) -> str:
    name = before.members[member].name
    playing = before.phase in {"opening", "playing"} and seat_of(before, member) is not None
    tail = "; a bot plays this game out." if playing else "."
    return f"{name} was removed{tail}" if why == "removed" else f"{name} has left{tail}"


def _unopened(name: str) -> str:
    return f"The deal went ahead without {name}'s secret number; it is not proven to {name}."


def _about(code: str, state: RoomState, member: Key, text: str) -> Notice:
    seat = seat_of(state, member)
    letter = None if seat is None else LETTERS[seat]
    return Notice(code=code, seat=letter, name=state.members[member].name, text=text)


def _seat(code: str, seat: Seat, name: str, text: str) -> Notice:
    return Notice(code=code, seat=LETTERS[seat], name=name, text=text)


def _name(state: RoomState, seat: Seat) -> str:
    sitter = state.seats[seat]
    if sitter is None:
        raise AssertionError("somebody sits there")
    return sitter.name
