"""The report of a contest, as lines to read and as JSON."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from nana_bots.arena import Report, Standing
from nana_core.game import TURN_CAP

Chance: TypeAlias = Literal["seed", "asked", "theirs"]
"""The seed's; the seed's if a bot asks us for it; or what a bot does as it likes."""


def as_json(report: Report, *, ended: bool, chance: Chance) -> str:
    """Write the report as one JSON object; `complete` is false when it was ended early.

    With `chance` of a bot's own nobody can promise that the seed plays the same again.
    """
    repeatable = chance != "theirs" and not _cut_short(report)
    fields = {**msgspec.to_builtins(report), "complete": ended, "repeatable": repeatable}
    return msgspec.json.format(msgspec.json.encode(fields)).decode()


def as_text(report: Report, *, ended: bool, chance: Chance) -> str:
    return "\n".join((*_lines(report, ended=ended), _repeats(report, chance)))


def _lines(report: Report, *, ended: bool) -> Iterator[str]:
    if not ended:
        yield "Interrupted; this is what was played."
    games = _counted(report.games, "game")
    deals = _counted(report.deals, "deal")
    yield f"{games} at tables for {report.players}: {deals}, seed {report.seed}."
    yield ""
    wide = max(len("bot"), *(len(one.name) for one in report.standings))
    yield f"{'bot':{wide}}   won    95% interval      even    rating        ms a choice  p99"
    for one in report.standings:
        yield f"{one.name:{wide}}  {_row(one)}"
    yield ""
    ends = "none" if not report.capped else f"{report.capped:,}"
    half = f"Half of the games took {report.turns:,} turns or fewer"
    yield f"{half}; the cap of {TURN_CAP:,} ended {ends}."
    for one in report.standings:
        if one.faults:
            yield _told_off(one)


def _told_off(one: Standing) -> str:
    made = f"{one.faults:,} of {one.choices:,} choices of {one.name} were made for it"
    if not one.first_fault:
        return f"{made}: it had no answer in time, or none that was legal."
    return f"{made}; the first {one.first_fault}"


def _row(one: Standing) -> str:
    return (
        f"{one.share:6.1%}  {one.low:6.1%} to {one.high:6.1%}  {one.even:6.1%}"
        f"  {one.rating:5.1f} ± {one.rating_deviation:4.1f}"
        f"  {one.mean_ms:11.2f}  {one.p99_ms:.2f}"
    )


def _cut_short(report: Report) -> int:
    return sum(one.cut_short for one in report.standings)


def _repeats(report: Report, chance: Chance) -> str:
    cut = _cut_short(report)
    if not cut and chance == "theirs":
        return "The same seed deals the same cards; bots that are not ours may play otherwise."
    if not cut:
        same = f"No time budget was hit: the same seed gives the same results ({report.results})"
        if chance == "asked":
            return f"{same},\nif your bot draws from the Random that it is given, or from `random`."
        return f"{same}."
    of = sum(one.choices for one in report.standings)
    return f"A time budget ended {cut:,} of {of:,} choices: the same seed may give other results."


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
