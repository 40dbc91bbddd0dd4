"""The whole table in lines, for plain mode: what a screen would show, read aloud. Pure."""

from collections.abc import Iterable, Iterator

from nana_client.story import named, result_words, score_words, shown, source_words
from nana_client.words import stood_in
from nana_core.protocol.outbound import AttemptView, OptionsView, SeatView, Snapshot


def table(snapshot: Snapshot) -> Iterator[str]:
    """Tell the table of a running or finished game, or the lobby."""
    if snapshot.phase in {"playing", "over"}:
        yield from _game(snapshot)
    else:
        yield from lobby(snapshot)


def lobby(snapshot: Snapshot) -> Iterator[str]:
    seats = ", ".join(_sitting(view, snapshot) for view in snapshot.seats)
    yield f"Room {snapshot.room}, game {snapshot.game}. {seats}."
    if snapshot.watching:
        yield f"Watching: {', '.join(snapshot.watching)}."
    yield f"Options: {options(snapshot.options)}."
    if snapshot.deal.fixed:
        yield "Fixed deals: whoever runs this server chose the cards."
    if snapshot.you.host:
        yield "You are the host: start begins, bot adds a bot, help tells more."


def options(chosen: OptionsView) -> str:
    time = f"{chosen.turn_time} s a turn" if chosen.turn_time else "no turn limit"
    memory = "open" if chosen.memory == "open" else "closed"
    rest = ["public"] * chosen.public + ["no bots of others"] * (not chosen.bots)
    return ", ".join([f"{chosen.seats} seats", f"memory {memory}", time, *rest])


def hand(snapshot: Snapshot) -> str:
    cards = " ".join(map(str, snapshot.you.hand)) or "empty"
    return f"Your hand ({snapshot.you.seat}): {cards}"


def prompt(snapshot: Snapshot, *, held: bool) -> str | None:
    """Say what one's own seat has to do now; None when it is not on turn."""
    if snapshot.phase != "playing" or snapshot.on_turn != snapshot.you.seat:
        return None
    if held:
        return "Continuing in a moment …"
    if shown(snapshot):
        return "YOUR TURN: go continues."
    if stood_in(snapshot):
        return "YOUR TURN, but a stand-in plays: go takes over."
    cards = snapshot.attempt.cards if snapshot.attempt else ()
    if cards:
        return f"YOUR TURN: card {len(cards) + 1} of 3, you need another {cards[0].number}."
    return "YOUR TURN: reveal a card, like 3 or b< or b>."


def _game(snapshot: Snapshot) -> Iterator[str]:
    for at, view in enumerate(snapshot.seats):
        if view.kind != "free":
            yield _seat_line(snapshot, at, view)
    yield f"Center: {', '.join(_slots(snapshot))}."
    if snapshot.attempt is not None and snapshot.attempt.cards:
        yield _attempt(snapshot, snapshot.attempt)
    if snapshot.ledger is not None and snapshot.phase == "playing":
        yield from _ledger(snapshot)
    if snapshot.result is not None:
        yield result_words(snapshot, snapshot.result)
        if won := score_words(snapshot):
            yield f"Games won: {won}."
    elif snapshot.you.seat is not None:
        yield hand(snapshot)
    else:
        yield "You watch this game; when it is over, sit takes a free seat."
    if snapshot.paused:
        yield "The game is paused."


def _seat_line(snapshot: Snapshot, at: int, view: SeatView) -> str:
    who = _noted(view, _marks(view, snapshot))
    sets = f", sets {' '.join(map(str, view.sets))}" if view.sets else ""
    if snapshot.hands is not None and at < len(snapshot.hands):
        cards = " ".join(map(str, snapshot.hands[at])) or "no cards"
        return f"{who}: {cards}{sets}"
    return f"{who}: {view.cards} card{'' if view.cards == 1 else 's'}{sets}"


def _marks(view: SeatView, snapshot: Snapshot) -> Iterator[str]:
    yield "you" if view.seat == snapshot.you.seat else ""
    yield "host" if view.seat == snapshot.host else ""
    yield "bot" if view.kind == "bot" else ""
    yield "on turn" if view.seat == snapshot.on_turn else ""
    yield "left" if view.left else "" if view.online else "away"
    yield "stand-in plays" if view.stand_in and not view.left else ""
    yield f"{view.won} won" if view.won else ""
    yield "ready" if view.ready and snapshot.phase == "over" else ""


def _slots(snapshot: Snapshot) -> Iterator[str]:
    for slot, state in enumerate(snapshot.center, start=1):
        yield f"#{slot} {state}"


def _attempt(snapshot: Snapshot, attempt: AttemptView) -> str:
    cards = ", ".join(f"{source_words(card.source)} is {card.number}" for card in attempt.cards)
    end = {"set": ": a set", "miss": ": a miss"}.get(attempt.outcome or "", "")
    return f"Attempt of {named(snapshot, attempt.seat)}: {cards}{end}."


def _ledger(snapshot: Snapshot) -> Iterator[str]:
    """Tell what everybody has seen, at a table with open memory."""
    if snapshot.ledger is None:
        return
    slots = [
        f"#{slot} {number}"
        for slot, number in enumerate(snapshot.ledger.center, start=1)
        if number is not None
    ]
    hands = [
        f"{snapshot.seats[at].seat} has {' '.join(map(str, cards))}"
        for at, cards in enumerate(snapshot.ledger.hands)
        if cards and at < len(snapshot.seats)
    ]
    if slots or hands:
        yield f"Seen so far: {', '.join([*slots, *hands])}."


def _sitting(view: SeatView, snapshot: Snapshot) -> str:
    if view.kind == "free":
        return f"{view.seat} free"
    marks = (
        "you" if view.seat == snapshot.you.seat else "",
        "host" if view.seat == snapshot.host else "",
        f"bot, {view.level}" if view.level else "bot" if view.kind == "bot" else "",
        "" if view.online else "away",
    )
    return _noted(view, marks)


def _noted(view: SeatView, marks: Iterable[str]) -> str:
    said = ", ".join(mark for mark in marks if mark)
    return f"{view.seat} {view.name} ({said})" if said else f"{view.seat} {view.name}"
