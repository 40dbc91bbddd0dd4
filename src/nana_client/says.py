"""What the prompt says: for every state of the game one headline, one sentence, and the keys.

Pure: a prompt is made from the model, the aim and what is under way. It always says
what to press, as names of deeds: whoever draws it knows the keys. An error of the server
is a sentence in the same place.
"""

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nana_client.aim import may_continue, sources
from nana_client.deeds import source_name
from nana_client.keyboard import USUAL, Keyboard
from nana_client.model import Model, seat_view
from nana_client.theme import Tone
from nana_client.words import (
    has_free_seat,
    is_away,
    name_of,
    outcome_words,
    reason_words,
    sentence,
    source_words,
    stood_in,
)
from nana_core.protocol.outbound import AttemptView, ResultView, Snapshot

Keys: TypeAlias = tuple[tuple[str, str], ...]  # deeds by name, and what each does

_TALK: Final[Keys] = (("talk", "talk"), ("help", "help"))
_CHOOSE: Final[Keys] = (
    ("@slots", "center card"),
    ("@lows", "lowest of a hand"),
    ("@highs", "highest"),
    _TALK[1],
)
_TAKE_OVER: Final = ("continue", "take over: a stand-in plays for you")
_LEAVE: Final = ("back", "leave")
_AWAY: Final = ("back", "to the opening screen")
_RECORD: Final = ("record", "save it")
_AGAIN: Final = ("left", "replay")
_OF_PLAYERS: Final = frozenset({_AGAIN, _RECORD, ("record", "save")})
NOT_YOURS: Final = "The record of a game goes to who played it; one of them can send it to you."


# The same where there is no room for so many words.
_CHOOSE_SHORT: Final[Keys] = (("@slots", "center"), ("@lows", "low"), ("@highs", "high"))


class Prompt(Struct, frozen=True):
    """What the prompt shows: a pill, a sentence, and what to press."""

    tone: Tone
    head: str
    text: str
    keys: Keys = ()
    call: bool = False  # the first key is what everybody waits for


def prompt(
    model: Model,
    aim: str | None = None,
    *,
    note: str | None = None,
    held: float | None = None,
    sent: str | None = None,
    rest: str | None = None,
) -> Prompt:
    """Say what is going on.

    `note` answers a key that does nothing now; `held` is how many seconds a continue
    that was pressed early still waits; `sent` is the source, or "continue", that the server
    has yet to answer; `rest` stands instead of keys that do nothing for a moment.
    """
    snapshot = model.snapshot
    if model.connection != "open" or snapshot is None:
        return trouble_prompt(model)
    told = _told(snapshot, aim, held)
    if sent is not None:
        told = _under_way(snapshot, told, sent)
    if snapshot.phase == "over" and snapshot.you.seat is not None and not model.sat:
        told = replace(told, keys=tuple(key for key in told.keys if key not in _OF_PLAYERS))
    if rest is not None:
        told = replace(told, keys=(("", rest),))
    if note is not None:
        return Prompt(told.tone, told.head, note, told.keys)
    if model.kept:
        return Prompt(told.tone, "RECORD", model.kept, told.keys)
    if model.error is not None and aim is None:
        return Prompt("warn", "NO", sentence(model.error.text), told.keys)
    return told


def shortened(said: Prompt) -> Prompt:
    """Return the prompt for a narrow table, in which every way to choose a card must stand."""
    return replace(said, keys=_CHOOSE_SHORT) if said.keys == _CHOOSE else said


def naming_link(said: Prompt) -> Prompt:
    """Return the prompt after a game with the key that shows the link ahead of what has time."""
    rest = tuple(key for key in said.keys if key[0] != "options")
    return replace(said, keys=(*rest[:1], ("options", "link, options"), *rest[1:]))


def why_not(snapshot: Snapshot, source: str, keyboard: Keyboard = USUAL) -> str:
    """Say why a source cannot be revealed now."""
    if snapshot.phase != "playing":
        return "There is nothing to reveal now."
    if snapshot.paused:
        return "The host has paused the game."
    if may_continue(snapshot):
        key = keyboard.label("continue")
        return f"{key} first: then the cards go back and your turn begins."
    if snapshot.on_turn != snapshot.you.seat or snapshot.you.seat is None:
        return f"Wait: it is {name_of(snapshot, snapshot.on_turn)}'s turn."
    if source[1:].isdigit():
        slot = int(source[1:])
        if slot > len(snapshot.center):
            return f"There is no slot {slot}."
        return (
            f"Slot {slot} is {'empty' if snapshot.center[slot - 1] == 'gone' else 'open already'}."
        )
    seat = seat_view(snapshot, source[:1].upper())
    if seat is None:
        return f"Nobody sits at {source[:1].upper()}."
    whose = "Your hand" if seat.seat == snapshot.you.seat else f"{seat.name}'s hand"
    return f"{whose} is empty."


def trouble_prompt(model: Model) -> Prompt:
    """Say why there is no table to see or to touch, and what to press."""
    if model.connection == "open":
        return Prompt("dim", "HELLO", "Taking a place …", (("back", "back"),))
    if model.connection == "connecting":
        why = sentence(model.trouble) if model.trouble else "Looking for the table …"
        return Prompt("warn", "CONNECTING", why, (_LEAVE,))
    said = (model.bye.text if model.bye else None) or model.trouble or "The line is down."
    if model.connection == "waiting":
        wait = max(0, round(model.retry_in or 0))
        when = f"Next try in {wait} s" if wait else "Trying again …"
        said = model.trouble or said  # the newest reason: a server that stopped may stay away
        seated = model.snapshot is not None and model.snapshot.you.seat is not None
        kept: Keys = (("", "your seat is kept"),) if seated else ()
        keys = (("", when), ("retry", "now"), *kept, _LEAVE)
        return Prompt("warn", "OFFLINE", sentence(said), keys)
    if model.bye is not None and model.bye.code == "replaced":
        keys = (("retry", "take it back to here"), _AWAY)
        return Prompt("bad", "ELSEWHERE", sentence(said), keys)
    return Prompt("bad", "CLOSED", sentence(said), (("retry", "try again"), _AWAY))


def _told(snapshot: Snapshot, aim: str | None, held: float | None) -> Prompt:
    if snapshot.result is not None:
        return _over(snapshot, snapshot.result)
    if snapshot.paused:
        keys = (("menu", "menu: let it go on"), *_TALK) if snapshot.you.host else _TALK
        return Prompt("warn", "PAUSED", "The host has paused the game.", keys)
    if snapshot.phase == "opening":
        return Prompt("dim", "DEALING", "Every player adds a secret to the shuffle …", _TALK)
    return _played(snapshot, aim, held)


def _under_way(snapshot: Snapshot, told: Prompt, sent: str) -> Prompt:
    """Ask for no key while the answer to the last one is on its way."""
    if sent != "continue":
        return replace(told, text=f"Turning {source_words(snapshot, sent)} …", keys=_TALK)
    return replace(told, keys=(("", "Your turn begins …"),), call=False) if told.call else told


def _aside(snapshot: Snapshot) -> Keys:
    """Say what somebody can do who is not on turn: talk, watch, or take over again."""
    if seat_view(snapshot, snapshot.you.seat) is None:
        return (("", "you watch; free seats are for the next game"), *_TALK)
    return (_TAKE_OVER, *_TALK) if stood_in(snapshot) else _TALK


def _played(snapshot: Snapshot, aim: str | None, held: float | None) -> Prompt:
    attempt = snapshot.attempt
    if attempt is not None and attempt.outcome is not None:
        return _shown(snapshot, attempt, held)
    if sources(snapshot):
        return _yours(snapshot, attempt, aim)
    return _theirs(snapshot, attempt)


def _yours(snapshot: Snapshot, attempt: AttemptView | None, aim: str | None) -> Prompt:
    if aim is not None:
        again = ((f"{source_name(aim)}|reveal", "reveals"), ("", "another key re-aims"))
        return Prompt("accent", "YOUR TURN", f"Reveal {source_words(snapshot, aim)}?", again)
    cards = attempt.cards if attempt else ()
    if stood_in(snapshot):
        text = "A stand-in plays for you."
        return Prompt("warn", "YOUR TURN", text, (("continue", "take over"), *_TALK), call=True)
    match len(cards):
        case 0:
            return Prompt("accent", "YOUR TURN", "Reveal any card.", _CHOOSE)
        case 1:
            return Prompt("accent", "YOUR TURN", f"Find another {cards[0].number}.", _CHOOSE)
        case _:
            text = f"Two {cards[0].number}s! One more and they are yours."
            return Prompt("accent", "YOUR TURN", text, _CHOOSE)


def _theirs(snapshot: Snapshot, attempt: AttemptView | None) -> Prompt:
    who = name_of(snapshot, snapshot.on_turn)
    seat = seat_view(snapshot, snapshot.on_turn)
    cards = attempt.cards if attempt else ()
    if seat is not None and is_away(seat):
        away = f"{who} is away; before long a stand-in plays."
        return Prompt("warn", f"{who}'s turn", away, _aside(snapshot))
    need = "another" if len(cards) == 1 else "the third"
    text = f"looks for {need} {cards[0].number} …" if cards else "chooses a card …"
    called = stood_in(snapshot)
    tone = "warn" if called else "dim"
    return Prompt(tone, f"{who}'s turn", f"{who} {text}", _aside(snapshot), call=called)


def _shown(snapshot: Snapshot, attempt: AttemptView, held: float | None) -> Prompt:
    what = outcome_words(snapshot, attempt)
    tone, head = ("good", "SET") if attempt.outcome == "set" else ("bad", "MISS")
    if not may_continue(snapshot):
        if stood_in(snapshot):
            return Prompt(tone, head, what, _aside(snapshot), call=True)
        return Prompt(
            tone, head, what, (("", f"{name_of(snapshot, snapshot.on_turn)} goes on"), *_TALK)
        )
    if held is not None:
        return Prompt(tone, head, what, (("", f"Your turn begins in {max(0.1, held):.1f} s …"),))
    next_one = "go on, and take over again" if stood_in(snapshot) else "your turn is next: go on"
    return Prompt(tone, head, what, (("continue", next_one), *_TALK), call=True)


def _over(snapshot: Snapshot, result: ResultView) -> Prompt:
    keys = over_keys(snapshot)
    if result.kind != "won":
        why = {"host": "The host ended the game.", "cap": "2,000 turns are enough."}
        text = why.get(result.why or "", "There is no winner.")
        return Prompt("dim", "GAME OVER", f"{text}{_readiness(snapshot)}", keys)
    mine = result.seat == snapshot.you.seat and result.seat is not None
    head = "YOU WIN" if mine else f"{name_of(snapshot, result.seat)} wins"
    reasons = sentence(", and ".join(reason_words(win) for win in result.wins))
    return Prompt("accent" if mine else "good", head, f"{reasons}{_readiness(snapshot)}", keys)


def _readiness(snapshot: Snapshot) -> str:
    """Say how many want the next game, as soon as one person does."""
    people = [seat for seat in snapshot.seats if seat.kind == "person" and not seat.left]
    ready = sum(seat.ready for seat in people)
    if not ready or len(people) < 2:
        return ""
    rest = "" if ready == len(people) else "; who is not will watch"
    return f" {ready} of {len(people)} ready{rest}."


def over_keys(snapshot: Snapshot) -> Keys:
    """Say what can be done after a game."""
    me = seat_view(snapshot, snapshot.you.seat)
    if me is None:
        sit = (("sit", "sits down for the next game"),) if has_free_seat(snapshot) else ()
        return (*sit, ("", "players get the record"), _TALK[0], _LEAVE)
    if not me.ready:
        again = ("again|deal", "play again")
        return (again, _AGAIN, _RECORD, ("options", "options"), _TALK[0], _LEAVE)
    if snapshot.you.host:
        deals, unready = ("deal", "deals next"), ("again", "not ready")
        return (deals, unready, _AGAIN, ("record", "save"), ("options", "options"), _LEAVE)
    return (
        ("", f"{name_of(snapshot, snapshot.host) if snapshot.host else 'the host'} deals next"),
        ("again", "not ready"),
        _AGAIN,
        _RECORD,
        _TALK[0],
        _LEAVE,
    )
