"""The lobby in words and places: who sits, what the host may do, where it all stands. Pure."""

from typing import Final

from msgspec import Struct

from nana_client.layout import BESIDE, BESIDE_HEIGHT, TALK_WIDTH, Rect, talk_width
from nana_client.model import Model, seat_view
from nana_client.options import OPTIONS, a_bot
from nana_client.says import Keys, Prompt, trouble_prompt
from nana_client.words import has_free_seat, name_of, sentence
from nana_core.deck import MIN_PLAYERS
from nana_core.protocol.outbound import SeatView, Snapshot

_TWO_COLUMNS: Final = 76
_SEATS: Final = 5
_LINKS_MOST: Final = 4
_AROUND: Final = 4  # rows for the heading of the links, for who watches, and between
DEAL_HEIGHT: Final = 3
_PROMPT: Final = 2
_LOG_MOST: Final = 6


class Scale(Struct, frozen=True):
    """How large seats and options are: in rows from one to the next, with what is between."""

    seat: int
    option: int
    lead: int  # rows from the heading to the first one
    meaning: int  # rows below the options for what the chosen one means; 0: each has its own
    least: int  # columns of the table
    across: int  # columns of the seats
    widest: int  # columns of seats and options

    @property
    def seats(self) -> int:
        return self.lead + _SEATS * self.seat - (self.seat > 1)

    @property
    def options(self) -> int:
        gap = self.option > 1 and not self.meaning
        return self.lead + len(OPTIONS) * self.option + self.meaning - gap

    @property
    def rows(self) -> int:
        return max(self.seats, self.options) + (not self.meaning)


SCALES: Final = (
    Scale(4, 3, 2, 0, least=98, across=42, widest=102),
    Scale(2, 2, 1, 2, least=82, across=42, widest=88),
    Scale(1, 1, 1, 2, least=0, across=42, widest=88),
)


class LobbyPlan(Struct, frozen=True):
    """The places of the lobby; options that have no room are shown instead of the seats."""

    rects: dict[str, Rect]
    together: bool
    scale: Scale


def sitting(snapshot: Snapshot) -> tuple[SeatView, ...]:
    return tuple(seat for seat in snapshot.seats if seat.kind != "free")


def lobby_prompt(model: Model, level: str, on_seat: SeatView | None) -> Prompt:
    """Say what the lobby waits for, and what to press."""
    snapshot = model.snapshot
    if model.connection != "open" or snapshot is None:
        return trouble_prompt(model)
    told = _told(snapshot, level, on_seat)
    if model.error is not None:
        return Prompt("warn", "NO", sentence(model.error.text), told.keys)
    return told


def _told(snapshot: Snapshot, level: str, on_seat: SeatView | None) -> Prompt:
    count = len(sitting(snapshot))
    ready = [seat for seat in sitting(snapshot) if seat.ready]
    if snapshot.phase == "over" and snapshot.you.seat is not None:
        return Prompt(
            "accent",
            "NEXT GAME",
            f"{len(ready)} of {count} are ready.",
            _keys(snapshot, level, on_seat),
        )
    if snapshot.you.seat is None:
        sit: Keys = (("sit", "sits down"),) if has_free_seat(snapshot) else ()
        keys = (*sit, ("talk", "talk"), way_out(snapshot))
        free = "a seat is free." if sit else "every seat is taken."
        return Prompt("accent" if sit else "dim", "WATCHING", f"{count} play; {free}", keys)
    if not snapshot.you.host:
        host = name_of(snapshot, snapshot.host) if snapshot.host else "The host"
        return Prompt(
            "dim", "WAITING", f"{host} starts the game.", (("talk", "talk"), way_out(snapshot))
        )
    keys = _keys(snapshot, level, on_seat)
    if count < MIN_PLAYERS:
        text = "Share the link, or add a bot: two are needed to play."
        return Prompt("dim", "WAITING", text, keys)
    return Prompt("accent", "READY", f"{count} sit at the table.", keys, call=may_start(snapshot))


def _keys(snapshot: Snapshot, level: str, on_seat: SeatView | None) -> Keys:
    keys = [*_again(snapshot)]
    if not snapshot.you.host:
        return (*keys, ("talk", "talk"), way_out(snapshot))
    keys += [("deal", "deals")] if may_start(snapshot) else []
    if any(seat.kind == "free" for seat in snapshot.seats):
        keys += [("add-bot", f"adds {a_bot(level)}"), ("level", "level")]
    if on_seat is not None and on_seat.kind != "free" and on_seat.seat != snapshot.you.seat:
        keys.append(("remove", f"removes {name_of(snapshot, on_seat.seat)}"))
    return (
        *keys,
        way_out(snapshot) if snapshot.phase == "over" else ("copy-link", "copies the link"),
    )


def way_out(snapshot: Snapshot) -> tuple[str, str]:
    """Say where one gets from here: between two games back to the table, else away."""
    return "back", "back to the table" if snapshot.phase == "over" else "leave"


def _again(snapshot: Snapshot) -> Keys:
    """Say how somebody is ready for the next game who is not."""
    me = seat_view(snapshot, snapshot.you.seat)
    if snapshot.phase != "over" or me is None or me.ready:
        return ()
    return (("again|deal", "play again"),)


def may_start(snapshot: Snapshot) -> bool:
    ready = [seat for seat in sitting(snapshot) if seat.ready]
    me = seat_view(snapshot, snapshot.you.seat)
    willing = snapshot.phase == "lobby" or (me is not None and me.ready)
    return snapshot.you.host and willing and len(ready) >= MIN_PLAYERS


def lobby_plan(width: int, height: int, links: int, *, options: bool) -> LobbyPlan:
    """Lay the lobby out; `options` asks for them where they cannot stand beside the seats."""
    beside = width >= BESIDE + TALK_WIDTH and height >= BESIDE_HEIGHT
    table = width - (talk_width(width) if beside else 0)
    rects = {"title": Rect(0, 0, width, 1), "footer": Rect(0, height - 1, width, 1)}
    rects["prompt"] = Rect(0, max(1, height - 1 - _PROMPT), table, _PROMPT)
    if table < width:
        rects["talk"] = Rect(table, 1, width - table, height - 2)
    room = height - 2 - _PROMPT
    log = 0 if beside else _LOG_MOST
    scale = scale_for(table, room - log - min(links, _LINKS_MOST) - _AROUND)
    together, body = _body_height(scale, table, room)
    shown_links = max(1, min(links, _LINKS_MOST, room - body - 1))
    log = min(log, room - body - shown_links - _AROUND)
    spare = max(0, room - body - shown_links - 2 - max(0, log))
    dealt = spare >= DEAL_HEIGHT + 3 and table >= SCALES[1].least
    y = 1 + (spare - (DEAL_HEIGHT + 1) * dealt) // 2
    across = min(table, scale.widest)
    left = (table - across) // 2
    rects["head"] = Rect(left, y, across, 1)
    rects["links"] = Rect(left, y + 1, across, shown_links)
    y += 1 + shown_links + (1 if spare else 0)
    y += _body(rects, table, Rect(left, y, across, min(body, height - 1 - _PROMPT - y)), scale)
    if not together and options:
        rects["options"] = rects.pop("seats")
    if y < rects["prompt"].y:
        rects["people"] = Rect(left, y, across, 1)
    if dealt:
        rects["deal"] = Rect(left, y + 2, across, DEAL_HEIGHT)
    if log > 0:
        rects["log"] = Rect(0, rects["prompt"].y - log, table, log)
    return LobbyPlan(rects, together, scale)


def scale_for(table: int, room: int) -> Scale:
    """Return the largest scale at which seats and options have their rows."""
    fit = (scale for scale in SCALES if table >= scale.least and room >= scale.rows)
    return next(fit, SCALES[-1])


def _body_height(scale: Scale, table: int, room: int) -> tuple[bool, int]:
    """Tell whether seats and options are both shown, and the rows they take."""
    if table >= _TWO_COLUMNS:
        return True, scale.rows
    both = scale.seats + 1 + scale.options
    return (True, both) if room >= both + _AROUND else (False, scale.seats)


def _body(rects: dict[str, Rect], table: int, place: Rect, scale: Scale) -> int:
    """Place seats and options, side by side or one above the other; return the rows they take."""
    height = max(1, place.height)
    x, y, across = place.x, place.y, place.width
    if table >= _TWO_COLUMNS:
        wide = scale.across
        rects["seats"] = Rect(x, y, wide, min(height, scale.seats))
        rects["options"] = Rect(x + wide + 2, y, across - wide - 2, height)
    elif height > scale.seats:
        top = scale.seats + 1
        rects["seats"] = Rect(0, y, table, scale.seats)
        rects["options"] = Rect(0, y + top, table, height - top)
    else:
        rects["seats"] = Rect(0, y, table, height)
    return height
