"""The server's numbers in Prometheus' form, gathered when somebody asks and not before.

What it tells is the same whatever the cards are: no label comes from a room, a player or a
card, and no size in bytes is among the numbers, since a ten is longer than a nine.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from nana_core import __version__
from nana_server.gateway import Counters
from nana_server.lobby import Lobby
from nana_server.room.state import Sitter
from nana_server.tally import Histogram, Tally

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
PHASES: Final = ("lobby", "opening", "playing", "over")
SITTERS: Final = ("person", "bot", "server_bot", "stand_in", "left")


class Sockets:
    """What the gateway knows; before it listens, nothing."""

    def __init__(self) -> None:
        self.counters = Counters()
        self.open: Callable[[], int] = lambda: 0


class Metrics(Collector):
    def __init__(
        self, tally: Tally, lobby: Lobby, sockets: Sockets, is_ready: Callable[[], bool]
    ) -> None:
        self._tally = tally
        self._lobby = lobby
        self._sockets = sockets
        self._is_ready = is_ready
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        """Say nothing beforehand: no other collector shares the registry."""
        return ()

    def collect(self) -> Iterator[Metric]:
        yield _gauge("nana_info", "Which server this is.", "version", {__version__: 1})
        yield GaugeMetricFamily("nana_ready", "Whether games can go on.", float(self._is_ready()))
        yield from self._of_rooms()
        yield from self._of_sockets()
        yield from self._of_play()
        yield from self._of_journal()

    def _of_rooms(self) -> Iterator[Metric]:
        phases = Counter(dict.fromkeys(PHASES, 0))
        seats = Counter(dict.fromkeys(SITTERS, 0))
        here = 0
        for room in self._lobby:
            phases[room.state.phase] += 1
            seats.update(_kind(sitter) for sitter in room.state.seats if sitter is not None)
            here += len(room.audience)
        yield _gauge("nana_rooms", "Rooms in memory.", "phase", phases)
        yield GaugeMetricFamily(
            "nana_rooms_resting", "Rooms that only the journal knows.", self._lobby.resting
        )
        yield _gauge("nana_seats", "Seats that are taken, by who plays there.", "sitter", seats)
        yield GaugeMetricFamily("nana_members_connected", "Members who are connected.", here)

    def _of_sockets(self) -> Iterator[Metric]:
        counted = self._sockets.counters
        yield GaugeMetricFamily("nana_sockets", "Open connections.", self._sockets.open())
        yield GaugeMetricFamily(
            "nana_websockets", "Open WebSockets.", counted.opened - counted.closed
        )
        for name, about, value in (
            ("websockets_opened", "WebSockets opened.", counted.opened),
            ("http_requests", "Plain HTTP requests.", counted.requests),
            ("connections_refused", "Connections refused: limits and Origin.", counted.refused),
            ("protocol_errors", "Peers that broke the protocol.", counted.protocol_errors),
            ("messages_received", "Messages received.", counted.received),
            ("messages_sent", "Messages sent, without acks and snapshots.", counted.sent),
            ("snapshots", "Snapshots for viewers, also for one that is slow.", self._tally.shown),
            ("floods", "Connections sent away for too many messages.", self._tally.floods),
        ):
            yield CounterMetricFamily(f"nana_{name}", about, value)
        cuts = {
            "slow": counted.cut_slow,
            "flood": counted.cut_flood,
            "silent": counted.cut_silent,
        }
        yield _counter("nana_connections_cut", "Connections cut, by why.", "why", cuts)

    def _of_play(self) -> Iterator[Metric]:
        tally = self._tally
        actions = {str(kind.__struct_config__.tag): n for kind, n in tally.kept().items()}  # type: ignore[attr-defined]
        yield _counter("nana_actions", "Messages carried out, by type.", "type", actions)
        yield _counter("nana_refusals", "Messages refused, by code.", "code", tally.refused)
        yield _histogram(
            "nana_action_seconds", "From a message's arrival until it is shown.", tally.latency()
        )
        for name, about, value in (
            ("own_actions", "What rooms did by themselves.", tally.by_itself),
            ("games_started", "Games started.", tally.games_started),
            ("games_over", "Games over.", tally.games_over),
            ("stand_ins", "Times that a stand-in took a seat over.", tally.stand_ins),
            ("faults", "Bugs met while running; each has a line in the log.", tally.faults),
        ):  # fmt: skip
            yield CounterMetricFamily(f"nana_{name}", about, value)

    def _of_journal(self) -> Iterator[Metric]:
        commits = self._tally.commits
        yield _histogram("nana_journal_commit_seconds", "How long commits took.", commits.ms)
        yield _histogram(
            "nana_journal_batch_entries", "Entries in one commit.", commits.batch, scale=1
        )
        yield CounterMetricFamily(
            "nana_journal_failures",
            "Entries that could not be kept.",
            self._tally.journal_failures,
        )


def _kind(sitter: Sitter) -> str:
    if sitter.left:
        return "left"
    if sitter.stand_in:
        return "stand_in"
    return "server_bot" if sitter.member is None else sitter.kind


def _gauge(name: str, about: str, label: str, values: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(name, about, labels=[label])
    for key in sorted(values):
        family.add_metric([key], values[key])
    return family


def _counter(name: str, about: str, label: str, values: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, about, labels=[label])
    for key in sorted(values):
        family.add_metric([key], values[key])
    return family


def _histogram(name: str, about: str, counted: Histogram, scale: float = 1000) -> Metric:
    """Export a histogram; its own unit is one of `scale` in the unit of the metric."""
    buckets, so_far = list[tuple[str, float]](), 0
    for bound, count in zip([*counted.bounds, float("inf")], counted.counts, strict=True):
        so_far += count
        buckets.append(("+Inf" if bound == float("inf") else f"{bound / scale:g}", so_far))
    family = HistogramMetricFamily(name, about)
    family.add_metric([], buckets, counted.total / scale)
    return family
