"""The numbers: what they count, who may read them, and that no card is among them."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Final

import pytest
from prometheus_client.parser import text_string_to_metric_families

from nana_core.deck import deal_out, full_deck
from nana_core.protocol import inbound as i
from nana_core.protocol.outbound import ErrorCode
from nana_server.gateway import Request
from nana_server.logs import Human, Json
from nana_server.metrics import Metrics, Sockets
from nana_server.pages import Pages
from nana_server.room import decide, show, stage, work
from nana_server.room import room as rooms
from nana_server.tally import LATENCY_MS, Commits, Histogram
from nana_server.values import network
from server.house_fixture import Friend, Home, begin, company, finish
from server.secret_worlds import World, redealt

TABLES: Final = [(2, 0), (3, 1), (4, 2), (5, 0)]  # players, robots


def scraped(home: Home) -> bytes:
    """Return what /metrics would say; the gateway's part is counted from the lines."""
    sockets = Sockets()
    sockets.counters.opened = len(home.lines)
    sockets.counters.closed = sum(not line.open for line in home.lines)
    sockets.counters.sent = sum(len(line.sent) for line in home.lines)
    return Metrics(home.house.tally, home.lobby, sockets, lambda: True).text()


def samples(text: bytes) -> dict[str, float]:
    """Read the text as Prometheus does; by name, with the labels' values behind it."""
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


# What is counted.


def test_rooms_seats_and_members() -> None:
    """Rooms by phase, seats by who plays there, members who are connected."""
    home = Home()
    friends = company(home, 2, seats=4)
    host = friends[0]
    host.say(i.AddBot(level="novice"))
    Friend(home, "Robot", kind="bot").join(host.code)
    Friend(home, "Fan").watch(host.code)
    company(home, 1)
    found = samples(scraped(home))
    assert (found["nana_rooms lobby"], found["nana_rooms playing"]) == (2, 0)
    assert (found["nana_seats person"], found["nana_seats bot"]) == (3, 1)
    assert (found["nana_seats server_bot"], found["nana_seats stand_in"]) == (1, 0)
    assert found["nana_members_connected"] == 5
    begin(friends)
    friends[1].drop()
    home.advance(200_000)
    found = samples(scraped(home))
    assert (found["nana_rooms lobby"], found["nana_rooms playing"]) == (1, 1)
    assert (found["nana_seats person"], found["nana_seats stand_in"]) == (1, 3)  # nobody played
    assert found["nana_members_connected"] == 4
    assert found["nana_stand_ins_total"] >= 2


def test_actions_and_games() -> None:
    """What was carried out, by its type; games that began and ended; what rooms did themselves."""
    home = Home()
    friends = company(home, 2)
    begin(friends)
    finish(friends)
    friends[0].say(i.Chat(text="well played"))
    found = samples(scraped(home))
    plays = found["nana_actions_total reveal"] + found["nana_actions_total continue"]
    assert plays >= 5
    assert found["nana_actions_total create"] == found["nana_actions_total join"] == 1
    assert found["nana_actions_total chat"] == 1
    assert found["nana_games_started_total"] == found["nana_games_over_total"] == 1
    actions = sum(n for name, n in found.items() if name.startswith("nana_actions_total "))
    assert found["nana_action_seconds_count"] == actions
    for friend in friends:
        friend.say(i.Rematch(ready=True))
    friends[0].say(i.Start())
    friends[0].say(i.End())
    assert samples(scraped(home))["nana_games_over_total"] == 2


def test_refusals_by_code() -> None:
    """Each refusal, of a room or at the door, is counted once, by its code."""
    home = Home()
    friends = company(home, 2)
    begin(friends)
    before = samples(scraped(home))
    turn = friends[0].shot.step
    for friend in friends:
        friend.say(i.Reveal(step=turn - 1, source="c1"))
    friends[1].say(b"{")
    home.connect("/r/ZZZZZ").say(i.Resume(protocol=1, token="0" * 32))
    found = samples(scraped(home))
    new = {
        name.removeprefix("nana_refusals_total "): value - before.get(name, 0)
        for name, value in found.items()
        if name.startswith("nana_refusals_total ")
    }
    assert {code: n for code, n in new.items() if n} == {
        "stale": 2, "malformed": 1, "no_such_room": 1,
    }  # fmt: skip
    assert set(new) <= set(ErrorCode)


def test_latency_is_from_arrival_to_being_shown() -> None:
    """A message that waited for the journal is as late as the journal was."""
    home = Home()
    friends = company(home, 2)
    before = samples(scraped(home))
    home.journal.delay = 30
    friends[0].say(i.Chat(text="one"))
    friends[1].say(i.Chat(text="two"))  # waits for the first
    home.advance(100)
    found = samples(scraped(home))
    name = "nana_action_seconds"
    assert found[f"{name}_count"] - before[f"{name}_count"] == 2
    assert found[f"{name}_sum"] - before[f"{name}_sum"] == pytest.approx(0.030 + 0.060)
    assert found[f"{name}_bucket 0.02"] == before[f"{name}_bucket 0.02"]
    assert found[f"{name}_bucket 0.05"] == before[f"{name}_bucket 0.05"] + 1
    assert found[f"{name}_bucket 0.1"] == found[f"{name}_bucket +Inf"]


def test_what_the_journal_could_not_keep() -> None:
    """An entry that failed is counted, and is no action."""
    home = Home()
    friends = company(home, 2)
    before = samples(scraped(home))
    home.journal.works = False
    friends[0].say(i.Chat(text="lost"))
    found = samples(scraped(home))
    assert found["nana_journal_failures_total"] == 1
    assert found["nana_refusals_total unavailable"] == 1
    assert found["nana_action_seconds_count"] == before["nana_action_seconds_count"]


def test_a_flood_is_counted() -> None:
    """Who was sent away for too many messages."""
    home = Home()
    home.limits = True
    line = home.connect()
    for _ in range(40):
        line.say(b"{")
    assert samples(scraped(home))["nana_floods_total"] == 1


@pytest.mark.parametrize(
    ("value", "bucket"), [(0, 0), (1, 0), (1.5, 1), (2, 1), (5000, 11), (5001, 12)]
)
def test_a_value_on_a_bound_is_below_it(value: float, bucket: int) -> None:
    """As Prometheus' `le` has it."""
    histogram = Histogram(LATENCY_MS)
    histogram.add(value)
    assert histogram.counts.index(1) == bucket
    assert histogram.total == value


def test_commits_are_exported_as_seconds_and_entries() -> None:
    """Milliseconds become seconds; a batch stays a number of entries."""
    home = Home()
    home.house.tally.commits.add(4.0, 32)
    found = samples(scraped(home))
    assert found["nana_journal_commit_seconds_sum"] == pytest.approx(0.004)
    assert found["nana_journal_commit_seconds_bucket 0.002"] == 0
    assert found["nana_journal_commit_seconds_bucket 0.005"] == 1
    assert found["nana_journal_batch_entries_sum"] == 32
    assert found["nana_journal_batch_entries_bucket 16"] == 0
    assert isinstance(home.house.tally.commits, Commits)


# Who may read it.


def pages(*allow: str) -> Pages:
    home = Home()
    return Pages(
        home.lobby.listed,
        None,
        metrics=lambda: b"numbers",
        metrics_allow=[network(it) for it in allow],
    )


@pytest.mark.parametrize(
    ("allow", "address", "unproven", "told"),
    [
        (("127.0.0.0/8", "::1"), "127.0.0.1", False, True),
        (("127.0.0.0/8", "::1"), "127.8.8.8", False, True),
        (("127.0.0.0/8", "::1"), "::1", False, True),
        (("127.0.0.0/8", "::1"), "192.0.2.1", False, False),
        (("127.0.0.0/8", "::1"), "127.0.0.1", True, False),
        (("192.0.2.0/24",), "192.0.2.1", False, True),
        (("192.0.2.0/24",), "127.0.0.1", False, False),
        ((), "127.0.0.1", False, False),
        (("127.0.0.0/8",), "", False, False),
        (("::/0",), "fe80::1%eth0", False, True),
    ],
)
def test_numbers_are_for_the_allowed(
    allow: tuple[str, ...], address: str, unproven: bool, told: bool
) -> None:
    """Everybody else is told that there is nothing, as at any path that does not exist."""
    request = Request("GET", "/metrics", "", "nana.test", "", address, unproven)
    answer = pages(*allow).answer(request)
    assert (answer is not None and answer.body == b"numbers") == told


# What they must not tell.


class Lines(logging.Handler):
    """Every line from debug on, as it would be written, its time masked."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        record.created = 0.0
        self.lines += [Human().format(record), Json().format(record)]


@contextmanager
def written() -> Iterator[list[str]]:
    root, handler = logging.getLogger(), Lines()
    root.addHandler(handler)
    try:
        yield handler.lines
    finally:
        root.removeHandler(handler)


def told(world: World, lines: list[str]) -> bytes:
    return scraped(world.home) + "\n".join(lines).encode()


def two_games(
    players: int, robots: int, patch: pytest.MonkeyPatch, most: int = 3
) -> Iterator[tuple[bytes, bytes, World]]:
    """Play games twice, with other cards wherever nobody has seen them."""
    found = 0
    for seed in range(20):
        chance = Random(f"metrics/{seed}/{players}")
        deck = full_deck(players)
        chance.shuffle(deck)
        deal = deal_out(deck, players, chance.randrange(players))
        patch.setattr(decide, "fair_deal", lambda *_, deal=deal: deal)
        model = World(seed, deal, players - robots)
        with written() as lines:
            one = World(seed, deal, players - robots, model)
        other = redealt(one, None, chance)
        if other == deal:
            continue  # all was seen, or robots hold the rest
        patch.setattr(decide, "fair_deal", lambda *_, deal=other: deal)
        with written() as others:
            two = World(seed, other, players - robots, model)
        yield told(one, lines), told(two, others), one
        found += 1
        if found == most:
            return
    raise AssertionError("too few deals can be dealt anew")


@pytest.mark.parametrize(("players", "robots"), TABLES)
def test_numbers_and_log_depend_on_nothing_hidden(
    players: int, robots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games that differ only in hidden cards leave the same metrics and DEBUG log."""
    for one, two, _ in two_games(players, robots, monkeypatch):
        assert one == two
        assert b"nana_actions_total" in one
        assert b"game 1 starts" in one


def test_numbers_and_log_hold_no_words_of_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No token or its hash, no name, no chat, no nonce, in any world that was played."""
    for one, _, world in two_games(3, 0, monkeypatch):
        said = [line.text for line in world.room.state.chat]
        for friend in [*world.friends, world.fan]:
            nonce = friend.nonce.hex() if friend.nonce else "no nonce"
            for word in (friend.token, friend.key, friend.name, nonce, *said):
                assert word.encode() not in one
        assert world.room.state.seed.hex().encode() not in one


def a_count_of_bytes(patch: pytest.MonkeyPatch) -> None:
    """Count what is sent to viewers: a ten is longer than a nine."""
    honest = show.own_part

    def own_part(*args: object) -> bytes:
        part = honest(*args)  # type: ignore[arg-type]
        HOMES[-1].house.tally.by_itself += len(part)
        return part

    patch.setattr(stage, "own_part", own_part)


def a_label_from_a_card(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._count

    def count(self: rooms.Room, request: work.Request | None) -> None:
        honest(self, request)
        if self.state.game is not None and self.state.phase == "playing":
            self._house.tally.refused[f"{self.state.game.secrets.center[-1]}"] += 1

    patch.setattr(rooms.Room, "_count", count)


def a_debug_line_with_a_hand(patch: pytest.MonkeyPatch) -> None:
    honest = rooms.Room._count

    def count(self: rooms.Room, request: work.Request | None) -> None:
        honest(self, request)
        if self.state.game is not None and self.state.phase == "playing":
            rooms.log.debug("%s", self.state.game.secrets.hands)

    patch.setattr(rooms.Room, "_count", count)


HOMES: Final[list[Home]] = []


@pytest.mark.parametrize("leak", [a_count_of_bytes, a_label_from_a_card, a_debug_line_with_a_hand])
def test_a_planted_leak_is_caught(leak: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: each of these is one line that somebody might write one day."""
    made = Home.__init__

    def remembered(self: Home, *args: object) -> None:
        made(self, *args)  # type: ignore[arg-type]
        HOMES.append(self)

    monkeypatch.setattr(Home, "__init__", remembered)
    assert callable(leak)
    leak(monkeypatch)
    assert any(one != two for one, two, _ in two_games(3, 0, monkeypatch))
