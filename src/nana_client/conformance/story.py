"""One game in which the kit has every seat: played at the server, and again by the rules.

While it runs the kit does not know the center. When it is over the deal lies open, and
every snapshot that anybody got can be held against what the rules say of its place.
"""

import asyncio
from collections.abc import Iterator, Sequence
from random import Random

from nana_client.conformance.kit import Member
from nana_client.conformance.line import Line
from nana_client.conformance.verdict import Broken, require
from nana_core.deck import COPIES, LETTERS, Deal, flaw
from nana_core.fair import fair_deal, nonce_hash, seed_hash
from nana_core.game import Game, apply, begin, end
from nana_core.ledger import blank_for, remember
from nana_core.notation import parse_action
from nana_core.protocol import inbound as i
from nana_core.protocol.inbound import SourceName
from nana_core.protocol.outbound import OpenedDeal, Snapshot
from nana_core.protocol.wire import attempt_view, ledger_view, legal_names, letter, result_view
from nana_core.views import hand_for, open_cards

MOST_TURNS = 100


class Story:
    def __init__(self, players: Sequence[Member], watcher: Line) -> None:
        """Begin with everybody's snapshot of the deal; players in the order of their seats."""
        self.players, self.watcher = players, watcher
        self.actions: list[tuple[int, str]] = []  # the version that shows it, and the notation
        self.game = players[0].newest.game
        self.before = players[0].newest.version
        self._seen: dict[str, int] = {}

    @property
    def everybody(self) -> tuple[Line, ...]:
        return (*self.players, self.watcher)

    @property
    def on_turn(self) -> Member:
        at = LETTERS.find(self.players[0].newest.on_turn or "?")
        if not 0 <= at < len(self.players):
            raise Broken(f"nobody of the players is on turn, but {self.players[0].newest.on_turn}")
        return self.players[at]

    async def reveal(self, source: str) -> Snapshot:
        line = self.on_turn
        name: SourceName = source  # type: ignore[assignment]  # one of `legal`, or the server says why not
        version = await line.does(i.Reveal(step=line.newest.step, source=name))
        return await self.shown(version, source)

    async def proceed(self) -> Snapshot:
        """Continue, as soon as the table may go on."""
        line = self.on_turn
        shot = line.newest
        await asyncio.sleep(max(0, (shot.not_before or 0) - shot.now) / 1000)
        version = await line.does(i.Continue(step=shot.step))
        return await self.shown(version, ".")

    async def play_out(self, chance: Random) -> None:
        """Play on, all seats together, until somebody has won."""
        while (shot := self.players[0].newest).phase == "playing":
            require(shot.turn < MOST_TURNS, f"after {shot.turn} turns nobody has won")
            await (
                self.proceed() if shot.legal == ("continue",) else self.reveal(self._pick(chance))
            )

    async def miss(self) -> None:
        """Turn slots over until a turn has missed: then the center has something to remember."""
        while (shot := self.players[0].newest).phase == "playing":
            if shot.attempt and shot.attempt.outcome == "miss":
                return
            slots = [source for source in self.on_turn.newest.legal if source[1:].isdigit()]
            await (self.reveal(slots[0]) if slots else self.proceed())

    async def shown(self, version: int, word: str) -> Snapshot:
        self.actions.append((version, word))
        for line in self.everybody:
            await line.see(lambda shot: shot.version >= version, f"version {version}")
        shot = self.players[0].newest
        for card in shot.attempt.cards if shot.attempt else ():
            if card.source[1:].isdigit():  # a slot keeps its card
                self._seen[card.source] = card.number
        return shot

    def _pick(self, chance: Random) -> str:
        """Choose what goes on, or a number that can be collected, else what nobody has seen."""
        shot = self.on_turn.newest
        require(shot.legal, "nothing is legal in the middle of a game")
        known, cards = self._known(shot), shot.attempt.cards if shot.attempt else ()
        sure = {cards[0].number} if cards else self._collectable(known)
        good = [source for source in shot.legal if known.get(source) in sure]
        dark = [source for source in shot.legal if source not in known]
        return chance.choice(good or dark or list(shot.legal))

    def _known(self, shot: Snapshot) -> dict[str, int]:
        """Return what the sources would show, as far as all together know it."""
        known = {name: self._seen[name] for name in shot.legal if name in self._seen}
        for line in self.players:
            if hand := line.newest.you.hand:
                letter = (line.newest.you.seat or "?").lower()
                known |= {f"{letter}<": hand[0], f"{letter}>": hand[-1]}
        return known

    def _collectable(self, known: dict[str, int]) -> set[int]:
        """Name the numbers whose three cards can be turned over for sure."""
        lie = [number for name, number in known.items() if name[1:].isdigit()]
        for line in self.players:
            hand = line.newest.you.hand
            for number in {hand[0], hand[-1]} if hand else ():
                lie += [number] * hand.count(number)  # one after the other: hands are sorted
        return {number for number in lie if lie.count(number) == COPIES}

    def snapshots(self) -> Iterator[tuple[Line, Snapshot]]:
        """Every snapshot of this game that anybody was shown."""
        for line in self.everybody:
            for shot in line.snapshots:
                if shot.game == self.game and shot.phase in {"playing", "over"}:
                    yield line, shot

    def check_viewers(self) -> None:
        """Hold what everybody was shown against what others were shown at the same version."""
        public: dict[int, tuple[Line, tuple[object, ...]]] = {}
        for line, shot in self.snapshots():
            shows = tuple(getattr(shot, name) for name in _PUBLIC)
            first, first_shows = public.setdefault(shot.version, (line, shows))
            for name, one, other in zip(_PUBLIC, first_shows, shows, strict=True):
                text = f"version {shot.version} shows {first.who} another `{name}` than {line.who}"
                require(one == other, text)

    def check_rules(self) -> None:
        """Hold every snapshot against the rules, played from the deal that was opened."""
        over = self.players[0].newest
        places = self._replay(deal_of(over.opened), ended=_ended(over))
        for line, shot in self.snapshots():
            place = places[sum(version <= shot.version for version, _ in self.actions)]
            if shot.phase == "over" and _ended(over):
                place = end(place, "host")
            for name, wanted in _told(place, shot).items():
                shows = getattr(shot, name)
                text = f"version {shot.version} shows {line.who} `{name}` {shows}, and not {wanted}"
                require(shows == wanted, text)
            players = place.table.players
            exactly = len(shot.seats) == players or shot.phase == "over"
            require(exactly, f"version {shot.version} shows {len(shot.seats)} seats in a game")
            for seat, view in enumerate(shot.seats[:players]):  # more may be free for the next
                wanted = (place.table.hand_sizes[seat], place.table.sets[seat])
                text = f"version {shot.version}: seat {view.seat} has cards and sets {wanted}"
                require((view.cards, view.sets) == wanted, text)
            hand = () if shot.you.seat is None else hand_for(place, LETTERS.index(shot.you.seat))
            text = f"version {shot.version} shows {line.who} the hand {shot.you.hand}, not {hand}"
            require(shot.you.hand == hand, text)

    def check_deal(self, commitments: dict[str, str]) -> None:
        """Hold the opened deal against the seed's hash and the nonces' from before."""
        over = self.players[0].newest
        opened = over.opened
        if opened is None:
            raise Broken("`opened` is null in over")
        seed = bytes.fromhex(opened.seed)
        kept = commitments["seed"]
        told = seed_hash(over.room, over.game, seed)
        require(told == kept, "the opened seed is not the one that was committed to")
        require(over.deal.seed_hash == kept, "`deal.seed_hash` changed during the game")
        nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in opened.nonces]
        for seat, nonce in zip(LETTERS, nonces, strict=False):
            if seat in commitments:
                good = nonce is not None and nonce_hash(nonce) == commitments[seat]
                require(good, f"the nonce of seat {seat} is not the one that it has opened")
        first = LETTERS.index(opened.first) if opened.rotated else None
        fair = fair_deal(over.room, over.game, seed, nonces, first)
        require(fair == deal_of(opened), "the deal does not follow from the seed and the nonces")

    def check_ledger(self) -> None:
        """Hold the ledger of every snapshot against the attempts that had ended by then."""
        deal = deal_of(self.players[0].newest.opened)
        ledgers = [blank_for(deal)]
        for place in self._replay(deal, ended=True)[1:]:
            table = place.table
            ended = table.shown or table.result is not None
            ledgers.append(remember(ledgers[-1], table.attempt) if ended else ledgers[-1])
        for line, shot in self.snapshots():
            seen = ledgers[sum(version <= shot.version for version, _ in self.actions)]
            wanted = ledger_view(seen) if shot.options.memory == "open" else None
            text = f"version {shot.version} shows {line.who} the `ledger` {shot.ledger}"
            require(shot.ledger == wanted, f"{text}; all have seen {wanted}")

    def _replay(self, deal: Deal, *, ended: bool) -> list[Game]:
        places = [begin(deal)]
        for _, word in self.actions:
            before = places[-1]
            places.append(apply(before, before.table.on_turn, parse_action(word)))
        over = places[-1].table.result is not None
        require(over or ended, "the server ended a game that by the rules goes on")
        return places


_PUBLIC = (
    "step", "phase", "turn", "on_turn", "legal", "center", "attempt", "seats", "options", "result",
    "hands", "deal", "opened", "watching", "host",
)  # fmt: skip


def deal_of(opened: OpenedDeal | None) -> Deal:
    """Read an opened deal; raise Broken when it cannot be one."""
    if opened is None:
        raise Broken("`opened` is null in over")
    deal = Deal(opened.hands, opened.center, LETTERS.find(opened.first))
    if why := flaw(deal):
        raise Broken(f"the opened deal cannot be one: {why}")
    return deal


def _ended(over: Snapshot) -> bool:
    return over.result is not None and over.result.kind == "ended"


def _told(place: Game, shot: Snapshot) -> dict[str, object]:
    """Say what the rules decide of a snapshot's fields."""
    table, over = place.table, place.table.result is not None
    center = table.center
    if over:
        center = open_cards(place).center
    return {
        "turn": table.turn,
        "on_turn": None if over else letter(table.on_turn),
        "legal": () if shot.paused else legal_names(table),
        "center": center,
        "attempt": attempt_view(table.attempt, table.turn),
        "result": None if table.result is None else result_view(table.result),
        "hands": open_cards(place).hands if over else None,
    }
