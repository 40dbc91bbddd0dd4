"""Contests between bots: which games are played, that they repeat, and what is counted."""

import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import fmean
from typing import ClassVar

import pytest

from bots.patience import PATIENT
from nana_bots.arena import (
    BadSpec,
    Contest,
    Entrant,
    Report,
    Spoilt,
    Tally,
    entrant,
    forgiven,
    play,
    rounds,
)
from nana_bots.arena.contest import play_round, seatings
from nana_bots.arena.entrant import options_of
from nana_bots.arena.rating import Ladder
from nana_bots.arena.statistics import interval
from nana_bots.arena.table import shuffled_deal
from nana_bots.history import History
from nana_bots.mind import LEVELS
from nana_core.protocol.inbound import Level
from nana_core.protocol.outbound import Snapshot


class Hasty:
    """Takes the first source, or the last; says that it ran out of time at every choice."""

    def __init__(self, *, last: bool = False, budget: int = 50, share: float = 0.5) -> None:
        self.last, self.budget, self.share = last, budget, share
        self.cut_short = 0

    def choose(self, view: Snapshot, history: History) -> str:
        self.cut_short += 1
        return view.legal[-1 if self.last else 0]


def reported(contest: Contest, processes: int = 1) -> Report:
    tally = Tally(contest)
    for played in rounds(contest, processes):
        tally.add(played)
    return tally.report()


def contest(*specs: str, players: int = 2, games: int = 8, seed: int = 1) -> Contest:
    return Contest(tuple(entrant(spec, PATIENT) for spec in specs), players, games, seed)


# which games


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_sits_everywhere_equally_often(players: int) -> None:
    """Each deal is played once for every way to turn the line-up around the table."""
    seats = Counter(
        (who, seat)
        for seated in seatings(contest("memory", "random", players=players))
        for seat, who in enumerate(seated)
    )
    assert set(seats.values()) == {1}
    assert len(seats) == players**2


def test_with_more_bots_than_seats_every_choice_of_them_plays() -> None:
    """A league: each pair meets in both orders, at every deal."""
    league = contest("random", "novice", "memory", games=7)
    assert set(seatings(league)) == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)}
    assert league.deals == 2
    report = reported(league)
    assert report.games == 12
    assert [one.games for one in report.standings] == [8, 8, 8]


def test_the_last_bot_named_fills_the_table() -> None:
    """One expert among three others is asked for in two words."""
    report = reported(contest("memory", "novice", players=4))
    assert [(one.name, one.seats, one.even) for one in report.standings] == [
        ("memory", 1, 0.25),
        ("novice", 3, 0.75),
    ]
    assert sum(one.wins for one in report.standings) == report.games - report.capped == 8


class Witness:
    """Notes the hand that it was first shown in a seat."""

    hands: ClassVar[dict[str, set[tuple[int, ...]]]] = {}

    def __init__(self, chance: Random) -> None:
        self.chance, self.is_new = chance, True

    def choose(self, view: Snapshot, history: History) -> str:
        if self.is_new and view.turn <= 2 and view.you.seat and not history.attempts:
            self.hands.setdefault(view.you.seat, set()).add(view.you.hand)
        self.is_new = False
        return self.chance.choice(view.legal)


def test_a_deal_is_the_same_for_all_who_play_it() -> None:
    """Duplicate deals: what differs between the games of a round is only who sits where."""
    Witness.hands.clear()
    others = (Entrant("one", Witness), Entrant("two", Witness), Entrant("three", Witness))
    played = play_round(Contest(others, 2), 3)
    assert len(played.games) == 6
    (first,) = Witness.hands  # who begins; the other seat has seen an attempt by then
    assert len(Witness.hands[first]) == 1
    play_round(Contest(others, 2), 4)
    assert sum(map(len, Witness.hands.values())) == 2


# they repeat


def test_any_number_of_processes_gives_the_same_results() -> None:
    """Only the times differ, also when more is given out than is waited for."""
    asked = contest("novice", "memory", games=60)
    alone, shared = reported(asked), reported(asked, processes=2)
    assert alone.results == shared.results
    assert [(one.wins, one.low, one.rating) for one in alone.standings] == [
        (one.wins, one.low, one.rating) for one in shared.standings
    ]


def test_another_seed_plays_other_games() -> None:
    """The mark of the results can differ."""
    assert reported(contest("random")).results != reported(contest("random", seed=2)).results


def test_choices_that_a_budget_ended_are_reported() -> None:
    """Then nobody may claim that the seed repeats."""
    report = reported(Contest((Entrant("hasty", _hasty), entrant("random")), 2, games=2))
    hasty, random = report.standings
    assert hasty.cut_short == hasty.choices > 0
    assert random.cut_short == 0


def _hasty(chance: Random) -> Hasty:
    return Hasty()


def test_the_cap_on_turns_is_reported() -> None:
    """Two who never learn are stopped, and nobody has won."""
    report = reported(Contest((Entrant("hasty", _hasty),), 2, games=2))
    assert report.capped == report.games == 2
    assert report.standings[0].wins == 0


# who plays


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_an_entrant(level: str) -> None:
    """Its name is enough."""
    bots = [entrant(level).make(Random(1)) for _ in "12"]
    assert play(shuffled_deal(2, Random(1)), bots).turns


@pytest.mark.parametrize(
    ("spec", "budget", "made"),
    [
        ("bots.test_arena:Hasty", None, (False, 50, 0.5)),
        ("bots.test_arena:Hasty", 20.0, (False, 20, 0.5)),
        ("bots.test_arena:Hasty:budget=7,last=yes", 20.0, (True, 7, 0.5)),
        ("bots.test_arena:Hasty,share=0.25", None, (False, 50, 0.25)),
    ],
)
def test_options_reach_the_constructor(
    spec: str, budget: float | None, made: tuple[bool, int, float]
) -> None:
    """They are what its keywords with defaults say; a budget is for whoever has one."""
    bot = entrant(spec, budget).make(Random(1))
    assert (getattr(bot, "last"), getattr(bot, "budget"), getattr(bot, "share")) == made  # noqa: B009


ILL_MADE = """
class Ready:
    def __init__(self, depth):
        self.depth = depth
    def choose(self, view, history):
        return view.legal[0]
bot = Ready(1)
class Deaf(Ready):
    def choose(self, view):
        return view.legal[0]
"""


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("grandmaster", "No bot is called grandmaster. A bot is a level .random, novice, "),
        ("random:speed=3", "no option 'speed'; its options: none"),
        ("novise", "No bot is called novise. Is novice meant?"),
        ("bots.test_arena:Hasty:share=half", "share .* is a number, not 'half'"),
        ("bots.test_arena:Hasty:share=nan", "share .* is a number, not 'nan'"),
        ("bots.test_arena:Hasty:share=inf", "share .* is a number, not 'inf'"),
        ("bots.test_arena:Hasty:last=2", "last .* is yes or no, not '2'"),
        ("bots.test_arena:Nobody", "there is no Nobody in bots.test_arena; it has Hasty, "),
        ("no_such_module:Bot", "No module named 'no_such_module' in this folder, nor among"),
        ("ill_written:Bot", "could not be loaded: SyntaxError: .*ill_written.py, line 1"),
        ("ill_begun:Bot", "could not be loaded: NameError: name 'foo' .*ill_begun.py, line 2"),
        ("ill_equipped:Bot", "could not be loaded: No module named 'no_such'[.]"),
        ("collections:Counter", "is not a bot: it has no method choose"),
        (
            "nana_client.robot:Bot",
            "is not yet a bot: it must have its own choose.view, history.[.]",
        ),
        ("ill_ended:Bot", "could not be loaded: SystemExit: 3 .*ill_ended.py, line 2"),
        (
            "ill_made:Deaf",
            "is not a bot: its choose is called otherwise: write def choose.self, view",
        ),
        ("ill_made:Ready,depth=3", "depth in .* needs a default to be an option, like depth=1[.]"),
        ("ill_made:bot", "ill_made:bot is a bot already: name its class, Ready[.]"),
        ("ill_timed:Bot", "RuntimeError: ill_timed is imported, and .*ill_timed.py, line 3"),
        (":Bot", "No bot is called :Bot"),
    ],
)
def test_a_wrong_spec_is_told_in_a_sentence(
    spec: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What there is instead is said, too; what a module raises, with its line."""
    (tmp_path / "ill_written.py").write_text("def x(:\n")
    (tmp_path / "ill_begun.py").write_text("\nfoo\n")
    (tmp_path / "ill_equipped.py").write_text("import no_such\n")
    (tmp_path / "ill_made.py").write_text(ILL_MADE)
    (tmp_path / "ill_ended.py").write_text("import sys\nsys.exit(3)\n")
    timed = "from ill_made import bot\nfrom nana_client.robot import run\nrun(bot)\n"
    (tmp_path / "ill_timed.py").write_text(timed)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadSpec, match=why):
        entrant(spec)


@pytest.mark.parametrize("given", ["-1", "0", "0.5", "nan", "inf", "-inf", "1e9", "soon", ""])
@pytest.mark.parametrize("bot", ["expert", "bots.test_arena:Hasty"])
def test_a_budget_is_some_time(bot: str, given: str) -> None:
    """What is none is refused with what is: for a level and a class of one's own."""
    with pytest.raises(BadSpec) as refused:
        entrant(f"{bot}:budget={given}")
    assert str(refused.value) == (
        f"budget in {bot}:budget={given} is a number of milliseconds from 1 to 10000000, "
        f"not {given!r}."
    )
    assert entrant(f"{bot}:budget=2.5").make(Random(1)) is not None


class Wrong(Hasty):
    """Chooses what is not there in its third turn, and raises in its fifth."""

    def choose(self, view: Snapshot, history: History) -> str:
        if view.turn in {5, 6}:
            raise KeyError(view.turn)
        return "e>" if view.turn in {3, 4} else view.legal[0]


def test_a_choice_that_is_not_legal_ends_the_contest() -> None:
    """It is said whose, in which game, what it was and what there was; nothing was raised there."""
    with pytest.raises(Spoilt) as spoilt:
        reported(contest("random", "bots.test_arena:Wrong", seed=4))
    text = str(spoilt.value)
    where = r"bots.test_arena:Wrong failed in game 1 \(deal 1 of seed 4\), turn [34], as [AB]: "
    assert re.match(where + "It chose 'e>', which is not legal now; it had: c1 c2 .*b>\\.$", text)
    assert spoilt.value.trace == ""


def test_who_is_forgiven_plays_on() -> None:
    """A card is drawn by lot in its place, always the same one; its faults are counted."""
    asked = Contest((forgiven(entrant("bots.test_arena:Wrong")), entrant("memory")), 2, games=4)
    report, again = reported(asked), reported(asked)
    assert report.results == again.results
    wrong, memory = report.standings
    assert 4 <= wrong.faults < wrong.choices
    assert wrong.first_fault.startswith("in game 1, turn ")
    assert "It chose 'e>', which is not legal now" in wrong.first_fault
    assert (memory.faults, memory.first_fault) == (0, "")


@pytest.mark.parametrize("level", LEVELS)
def test_forgiving_changes_nothing_else(level: Level) -> None:
    """Who does nothing wrong plays the same games."""
    strict = reported(contest(level, "novice", games=4))
    kind = Contest((forgiven(entrant(level, PATIENT)), entrant("novice")), 2, games=4)
    assert strict.results == reported(kind).results


def test_a_stopped_contest_drops_what_was_begun() -> None:
    """Nobody waits for the rounds that were given out: each of them would take an hour."""
    coming = rounds(contest("bots.test_arena:Sleeper", "random", games=1000), processes=2)
    with pytest.raises(Spoilt, match="awake"):
        next(coming)


class Quitter(Hasty):
    """Wants to end it all, and says so."""

    def choose(self, view: Snapshot, history: History) -> str:
        sys.exit("enough")


def test_who_exits_has_failed() -> None:
    """It is said whose it was; the trace is its author's part alone, which begins there."""
    with pytest.raises(Spoilt, match=r"Quitter failed in game 1 .*: SystemExit: enough") as spoilt:
        reported(contest("bots.test_arena:Quitter", "random"))
    assert re.findall(r'File ".*[/\\](\w+\.py)", line \d+, in', spoilt.value.trace) == [
        "test_arena.py"
    ]


class Suicidal(Hasty):
    """Ends its process, as a fault in a library may."""

    def choose(self, view: Snapshot, history: History) -> str:
        os._exit(3)


def test_a_bot_that_ends_its_process_is_a_sentence() -> None:
    """Nobody can say which it was; that it was one, they can."""
    with pytest.raises(Spoilt, match="the process in which it played has come to an end"):
        reported(contest("bots.test_arena:Suicidal", "random"), processes=2)


TWICE = """
import sys
from nana_bots.arena import crew
for line in range(1, 40):
    lines = 0
    def trace(frame, event, arg):
        global lines
        lines += event == "line"
        if lines == line:
            sys.settrace(None)
            crew._stop()
        return trace
    sys.settrace(trace)
    crew._stop()
    sys.settrace(None)
print("held")
"""


def test_a_second_signal_may_come_while_the_first_is_heard() -> None:
    """The pool ends its crew, and so do we: it waits for no lock that it holds itself."""
    run = (sys.executable, "-c", TWICE)
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "held\n"


class Sleeper(Hasty):
    """Fails in the first deal, sleeps in all others."""

    def __init__(self, chance: Random) -> None:
        super().__init__()

    def choose(self, view: Snapshot, history: History) -> str:
        if view.game > 2:
            time.sleep(3600)
        raise KeyError("awake")


def test_options_are_those_with_plain_defaults() -> None:
    """What a command line cannot say is no option."""
    assert options_of(Hasty) == {"last": False, "budget": 50, "share": 0.5}
    assert options_of(LEVELS["memory"]) == {}


# how sure


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [(0, 50, 0.0, 0.071), (25, 50, 0.366, 0.634), (50, 50, 0.929, 1.0)],
)
def test_independent_games_have_wilsons_interval(
    won: int, of: int, low: float, high: float
) -> None:
    """As published tables have it, nearly; it never leaves 0 to 1."""
    wins = [1] * won + [0] * (of - won)
    assert interval(wins, 1) == pytest.approx((low, high), abs=0.002)


def test_deals_that_decide_by_themselves_are_no_proof() -> None:
    """Four games that one deal decides are worth one; games that even out in it, many."""
    together = interval([4, 0] * 50, 4)
    apart = interval([2, 2] * 50, 4)
    alone = interval([1, 0] * 50, 1)
    assert together == pytest.approx(alone, abs=0.001)
    assert apart[1] - apart[0] < (alone[1] - alone[0]) / 4


@pytest.mark.parametrize("swing", [0.0, 0.15, 0.3])
def test_the_interval_holds_the_truth_as_often_as_it_says(swing: float) -> None:
    """Deals of very different chances: 95 times in a hundred, but for sampling error."""
    chance = Random(f"interval {swing}")
    held = []
    for _ in range(400):
        wins = []
        for _ in range(60):
            odds = 0.6 + chance.choice([-swing, swing])
            wins.append(sum(chance.random() < odds for _ in range(5)))
        low, high = interval(wins, 5)
        held.append(low <= 0.6 <= high)
    assert 0.92 <= fmean(held) <= 0.98


def test_the_better_bot_has_the_higher_rating() -> None:
    """And doubt goes away with games."""
    ladder = Ladder(3)
    before = ladder.of([0])
    for _ in range(50):
        ladder.add((0, 1, 2), winner=0)
        ladder.add((2, 0, 1), winner=1)
        ladder.add((1, 2, 0), winner=0)
    first, second, third = (ladder.of([who]) for who in range(3))
    assert first[0] > second[0] > third[0]
    assert first[1] < before[1]
