"""What was checked, and how it came out: pure, to be printed or written as JSON."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Outcome: TypeAlias = Literal["ok", "failed", "advice", "not_reached"]


class Check(Struct, frozen=True):
    """One thing that must hold, by a name of its own, with where protocol.md says it."""

    name: str
    chapter: str  # as in protocol.md, without the §
    holds: str  # a sentence: what holds when all is well
    must: bool = True  # False: what does not hold is told, and yet is no fault


class Verdict(Struct, frozen=True):
    check: Check
    outcome: Outcome
    text: str = ""  # what was wrong, in plain words


class Broken(Exception):  # noqa: N818 - the word for it
    """Something does not hold; the message says what was seen instead."""


def require(holds: object, text: str) -> None:
    """Raise Broken with the text unless it holds."""
    if not holds:
        raise Broken(text)


def verdicts(
    checks: Iterable[Check], found: Mapping[str, list[str]], reached: set[str]
) -> tuple[Verdict, ...]:
    """Put together what was found, in the order of the checks; the first fault of each is told."""

    def of(check: Check) -> Verdict:
        if faults := found.get(check.name):
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            return Verdict(check, "failed" if check.must else "advice", faults[0] + more)
        return Verdict(check, "ok" if check.name in reached else "not_reached")

    return tuple(of(check) for check in checks)


_MARKS: Final = {"ok": "ok   ", "failed": "WRONG", "advice": "hint ", "not_reached": "-    "}


def lines(found: Iterable[Verdict], *, everything: bool = True) -> Iterator[str]:
    """Say it for people, a line for each check, and a sum."""
    found = tuple(found)
    for verdict in found:
        check = verdict.check
        if everything or verdict.outcome != "ok":
            yield f"{_MARKS[verdict.outcome]}  {check.name:<18} §{check.chapter:<5} {check.holds}"
        if verdict.text:
            yield f"       {verdict.text}"
    counts = Counter(verdict.outcome for verdict in found)
    right, wrong, hints = counts["ok"], counts["failed"], counts["advice"]
    told = f"{len(found)} checks: {right} {'holds' if right == 1 else 'hold'}"
    told += f", {wrong} {'does' if wrong == 1 else 'do'} not" if wrong else ""
    told += f", {hints} {'is a hint' if hints == 1 else 'are hints'}" if hints else ""
    missed = counts["not_reached"]
    yield ""
    yield told + (f", {missed} could not be tried" if missed else "") + "."


def holds(found: Iterable[Verdict]) -> bool:
    return all(verdict.outcome != "failed" for verdict in found)
