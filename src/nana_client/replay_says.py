"""What a replay says of each frame, and the keys that lead through it. Pure."""

from typing import Final

from nana_client.keyboard import Keyboard
from nana_client.replay_tape import Tape
from nana_client.says import Keys, Prompt
from nana_client.words import name_of, reason_words, sentence, source_words
from nana_core.deck import LETTERS, Seat
from nana_core.protocol.outbound import AttemptView, ResultView, Snapshot

PACES: Final = (0.4, 0.8, 1.5, 3.0)  # seconds that a frame stays while it plays by itself
_KEYS: Final[tuple[tuple[str, str], ...]] = (
    ("left/right", "one card back, one on"),
    ("turn-back/turn-on", "one turn back, one on"),
    ("first/last", "the deal, the end"),
    ("run", "plays by itself, or stops"),
    ("faster/slower", "the pace at which it does"),
    ("eyes", "through whose eyes: all hands, or one seat"),
    ("A … E", "through that seat's eyes; again: all hands"),
    ("notes", "notes: who took what, and why it was won"),
    ("back", "leaves the replay"),
)
_STEP: Final[Keys] = (("left/right", "step"), ("turn-back/turn-on", "turn"))


def keys_told(keyboard: Keyboard) -> tuple[tuple[str, str], ...]:
    """Say every key of a replay, as it is now, and what it does."""
    return tuple((keyboard.label(name), what) for name, what in _KEYS)


def said(tape: Tape, at: int, shot: Snapshot, *, playing: bool) -> Prompt:
    """Say what happens in a frame."""
    tone, head, text = _told(tape, at, shot)
    if tape.stood_in(at) and shot.attempt is not None:
        text += " (a stand-in plays)"
    eyes = ("eyes", "one seat's eyes" if shot.you.seat is None else "other eyes")
    keys = (*_STEP, ("run", "stops" if playing else "plays"), eyes, ("back", "leave"))
    return Prompt(tone, head, text, keys)


def _told(tape: Tape, at: int, shot: Snapshot) -> tuple[str, str, str]:
    attempt = shot.attempt
    if at == tape.last and tape.flaw is not None:
        return "bad", "WRONG", tape.flaw
    if shot.result is not None:
        return _end(tape, at, shot, shot.result)
    if attempt is None or not attempt.cards:
        how = "in turn after the game before" if tape.record.deal.rotated else "drawn with the deal"
        who = name_of(shot, shot.on_turn)
        return "dim", "DEALT", f"{who} {'begin' if who == 'You' else 'begins'} ({how})."
    turned = _turned(shot, attempt)
    match attempt.outcome:
        case "set":
            return "good", "SET", f"{turned} {_takes(shot, attempt)}"
        case "miss":
            return "bad", "MISS", f"{turned} That is no match: all go back."
        case _ if len(attempt.cards) > 1:
            return "good", "MATCH", turned
        case _:
            return "accent", f"TURN {shot.turn}", turned


def _turned(shot: Snapshot, attempt: AttemptView) -> str:
    card, who = attempt.cards[-1], name_of(shot, attempt.seat)
    verb = "turn" if who == "You" else "turns"
    return f"{who} {verb} {source_words(shot, card.source)}: {card.number}."


def _takes(shot: Snapshot, attempt: AttemptView) -> str:
    who = name_of(shot, attempt.seat)
    return f"{who} {'take' if who == 'You' else 'takes'} the {attempt.cards[0].number}s."


def _end(tape: Tape, at: int, shot: Snapshot, result: ResultView) -> tuple[str, str, str]:
    if result.seat is None:
        return "dim", "GAME OVER", tape.ending(tape.frames[at])
    who = name_of(shot, result.seat)
    head = "YOU WIN" if who == "You" else f"{who} wins"
    return "accent", head, sentence(", and ".join(map(reason_words, result.wins)))


def eyes(tape: Tape, seat: Seat | None, *, short: bool = False) -> str:
    """Say through whose eyes one looks."""
    if short:
        return "all hands" if seat is None else f"{LETTERS[seat]}'s eyes"
    return "all hands open" if seat is None else f"as {tape.name(seat)} saw it"


def next_eyes(tape: Tape, seat: Seat | None, way: int) -> Seat | None:
    """Return the eyes after, or before, these: all hands, then seat by seat."""
    everyone: tuple[Seat | None, ...] = (None, *range(len(tape.names)))
    return everyone[(everyone.index(seat) + way) % len(everyone)]


def seat_of(tape: Tape, key: str) -> Seat | None:
    """Return the seat that a letter names; None for what is no seat of this game."""
    at = LETTERS.find(key.upper()) if len(key) == 1 else -1
    return at if 0 <= at < len(tape.names) else None
