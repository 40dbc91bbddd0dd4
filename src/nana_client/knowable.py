"""The evening's talk: what could be known when, who took it, and who let it lie. Pure.

Three forms of it: a line for each seat when a game is over, the whole of it behind a
game told in lines, and beside each frame of a replay on the table.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from nana_client.replay_tape import Tape
from nana_core.deck import LETTERS, Number, Seat
from nana_core.hindsight import Chance, Memory, hindsight
from nana_core.record import Record, Unreadable
from nana_core.text import NAME_CELLS, cleaned, clipped

TITLE: Final = "What could be known, and since when:"
_MOST: Final = 3  # missed turns that are told of each seat


def summaries(record: Record) -> tuple[str, ...]:
    """Say it in a line for each seat; nothing when the record cannot be followed."""
    return tuple(f"{_name(record, each.seat)}: {_score(each)}." for each in _looked_at(record))


def talk(record: Record) -> Iterator[str]:
    """Say it whole: each seat's chances, then from when on each set lay open to whom."""
    memories = _looked_at(record)
    if not memories:
        return
    yield TITLE
    for memory in memories:
        yield f"  {_name(record, memory.seat)}: {_score(memory)}."
        for chance in memory.missed[:_MOST]:
            yield f"      turn {chance.turn}: {_missed(chance)}."
        if more := len(memory.missed[_MOST:]):
            yield f"      And {more} more such {'turn' if more == 1 else 'turns'}."
    yield from _sets(memories)


def margin(tape: Tape, at: int, seat: Seat | None) -> Iterator[str]:
    """Say what could be known in a frame's turn: by the seat looked through, else on turn."""
    memories = _of_tape(tape)
    if not memories or at == 0:
        return
    if at == tape.last:
        yield from summaries(tape.record)
        return
    table = tape.frames[at].table
    who = table.attempt.seat if seat is None else seat
    memory = memories[who]
    if fresh := [number for number, turn in memory.since.items() if turn == table.turn]:
        yield f"From here on {tape.name(who)} could know {_those(sorted(fresh))}."
    for chance in memory.chances:
        if chance.turn == table.turn:
            yield f"{tape.name(who)} {_could(chance)}."


@lru_cache(maxsize=4)
def _of_tape(tape: Tape) -> tuple[Memory, ...]:
    return _looked_at(tape.record)


def _looked_at(record: Record) -> tuple[Memory, ...]:
    try:
        return hindsight(record)
    except Unreadable:
        return ()


def _score(memory: Memory) -> str:
    told = "nothing was ever certain"
    if memory.score is not None:
        count = len(memory.chances)
        what = "chance" if count == 1 else "chances"
        told = f"memory {memory.score:.0%}, took {memory.used} of {count} sure {what}"
    return f"{told}; guessed {_those(memory.found)}" if memory.found else told


def _missed(chance: Chance) -> str:
    """Say what could surely have been taken, and what it would have meant."""
    what = f"could know {_those(chance.sure)}"
    if chance.won:
        return f"{what}, and would have won"
    return f"{what}, and took {_those((chance.took,))}" if chance.took else what


def _could(chance: Chance) -> str:
    if chance.used and chance.took is not None:
        return f"could know {_those(chance.sure)}, and took {_those((chance.took,))}"
    return f"{_missed(chance)}: a chance let lie"


def _sets(memories: Sequence[Memory]) -> Iterator[str]:
    """Say of each set from which turn on it could be known, and by whom."""
    for number in sorted({number for memory in memories for number in memory.since}):
        seats = sorted((m.since[number], m.seat) for m in memories if number in m.since)
        told = ", ".join(f"{LETTERS[seat]} from turn {turn}" for turn, seat in seats)
        yield f"  the {number}s: {told}"


def _those(numbers: Sequence[Number]) -> str:
    """Name sets: `the 3s`, `the 3s and the 5s`."""
    *first, last = [f"the {number}s" for number in numbers]
    return f"{', '.join(first)} and {last}" if first else last


def _name(record: Record, seat: Seat) -> str:
    return f"{LETTERS[seat]} {clipped(cleaned(record.seats[seat].name), NAME_CELLS)}"
