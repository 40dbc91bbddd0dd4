"""The lobby: who sits where, the link to share, the options, and the start.

Between two games it is the same screen, opened from the table. The cursor goes over
seats and options alike; what a key may do follows from who is host.
"""

from typing import ClassVar, Final, get_args

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from nana_client.again import play_again
from nana_client.deeds import Place
from nana_client.gathering import Scale, lobby_plan, lobby_prompt, may_start, way_out
from nana_client.model import Model, seat_view
from nana_client.options import OPTIONS, changed
from nana_client.play import Play
from nana_client.says import Keys
from nana_client.screens.room import TALKING, RoomScreen, Wish
from nana_client.widgets.bars import footer_items, title_items
from nana_client.widgets.log import log_items
from nana_client.widgets.planned import Planned
from nana_client.widgets.prompt import prompt_items
from nana_client.widgets.seating import deal_items, options_items, people_items, seats_items
from nana_client.widgets.sheet import Item, Piece, Sheet, Words, printable
from nana_client.widgets.talk import Talk, talk_over
from nana_core.deck import LETTERS
from nana_core.protocol.inbound import Letter, Level
from nana_core.protocol.outbound import SeatView, Snapshot

_WISHES: Final[dict[str, Wish]] = {
    "help": "help",
    "copy-link": "copy",
    "menu": "menu",
    "back": "leave",
}
_SHEETS: Final = ("head", "seats", "options", "people", "deal", "log")
_FOOTER: Final = (("talk", "talk"), ("menu", "menu"), ("help", "help"))
_SEAT_DEEDS: Final = frozenset({"add", "drop", "weaker", "stronger"})
_SHARE: Final = "   Friends join with this link"
_OPTIONS: Final = tuple(option.key for option in OPTIONS)


class LobbyScreen(RoomScreen):
    """The places of the next game."""

    CSS: ClassVar[str] = """
    LobbyScreen { layers: table over; }
    LobbyScreen #talk { layer: over; }
    LobbyScreen #links { background: $background; color: $accent; text-style: bold; padding: 0 3; }
    """

    def __init__(self, play: Play, links: tuple[str, ...] = (), *, private: bool = False) -> None:
        """Show the links, the play's own if none are given; a private table has none to share."""
        super().__init__(play)
        self.links, self.private = links, private
        self.chosen = LETTERS[0]  # a seat, or an option
        self.level = "memory"
        self.copied = False

    def compose(self) -> ComposeResult:
        bars = [Sheet(id=name, ground="raised") for name in ("title", "prompt", "footer")]
        sheets = [Sheet(id=name) for name in _SHEETS]
        yield Planned(
            *sheets,
            Static(id="links"),
            *bars,
            Talk(self.keyboard.label("talk"), id="talk"),
            id="felt",
        )

    @property
    def place(self) -> Place:
        return "lobby"

    @property
    def shown_links(self) -> tuple[str, ...]:
        if self.private:
            return ()
        return self.links or ((self.play.link,) if self.play.link else ())

    @property
    def cursor(self) -> str:
        return self.chosen if self.chosen in self.rows else self.rows[0]

    @property
    def rows(self) -> tuple[str, ...]:
        """The seats that this table has, then the options: where the cursor can be."""
        snapshot = self.model.snapshot
        seats = [seat.seat for seat in snapshot.seats] if snapshot is not None else []
        return (*seats, *_OPTIONS)

    def show(self, model: Model) -> None:
        super().show(model)
        snapshot = model.snapshot
        if snapshot is not None and snapshot.you.host and not self.copied and self.shown_links:
            self.copied = True
            self.wish("copy")

    def tick(self) -> None:
        if self.model.connection != "open" and self.is_drawable:
            self.draw()

    def draw(self) -> None:
        width, height = self.size
        snapshot = self.model.snapshot
        if not width or snapshot is None:
            return
        plan = lobby_plan(width, height, len(self.shown_links), options=self.cursor in _OPTIONS)
        rects = dict(plan.rects)
        if self.talking and "talk" not in rects:
            rects["talk"] = talk_over(width, rects["prompt"].y)
        self.query_one("#felt", Planned).place(rects)
        self._lay_lists(snapshot, {name: rect.width for name, rect in rects.items()}, plan.scale)
        unread = self.hear(rects)
        self._lay_bars(rects["prompt"].width, width, unread)
        if "log" in rects:
            log = rects["log"]
            self._lay("log", tuple(log_items(self.model, log.width, log.height)))
        links = "\n".join(printable(link) for link in self.shown_links[: rects["links"].height])
        self.query_one("#links", Static).update(Content(links))
        self.query_one(Talk).say(self.model.audible)

    def _lay_lists(self, snapshot: Snapshot, widths: dict[str, int], scale: Scale) -> None:
        host, label = snapshot.you.host, self.keyboard.label
        cursor = self.cursor if host else None
        copied = "  (copied, where the terminal allows it)" if self.copied else ""
        share = "   A table of your own, for you and bots" if self.private else _SHARE
        head = (Piece(share, "dim", bold=True), Piece(copied, "faint"))
        self._lay("head", (Words(0, 0, widths["head"], head),))
        if "seats" in widths:
            more = "" if "options" in widths or not host else f"   {label('down')} options"
            width = widths["seats"]
            self._lay("seats", tuple(seats_items(snapshot, cursor, width, scale, more)))
        if "options" in widths:
            change = f", {label('left/right')} change" if cursor in _OPTIONS else ""
            hint = f"   {label('up/down')} choose{change}" if host else ""
            width = widths["options"]
            items = options_items(snapshot.options, cursor, width, scale, host=host, hint=hint)
            self._lay("options", tuple(items))
        if "people" in widths:
            self._lay("people", tuple(people_items(snapshot, widths["people"])))
        if "deal" in widths:
            self._lay("deal", tuple(deal_items(snapshot, widths["deal"])))

    def _lay_bars(self, across: int, width: int, unread: int) -> None:
        said = lobby_prompt(self.waited, self.level, self._seat())
        ground = "raised" if said.tone == "dim" else f"~{said.tone}"
        self.query_one("#prompt", Sheet).lay(
            prompt_items(said, across, self.keyboard), ground=ground
        )
        self.query_one("#title", Sheet).lay(title_items(self.model, width))
        keys = TALKING if self.focused else self._keys()
        self.query_one("#footer", Sheet).lay(footer_items(keys, width, unread, self.keyboard))

    def _keys(self) -> Keys:
        """Return what the footer names besides the prompt's own."""
        shot = self.model.snapshot
        out = way_out(shot) if shot is not None else ("back", "leave")
        copy: Keys = () if self.private else (("copy-link", "copy link"),)
        return (*_FOOTER, out, *copy, ("quit", "quit"))

    def _lay(self, name: str, items: tuple[Item, ...]) -> None:
        self.query_one(f"#{name}", Sheet).lay(items, fade=self.model.connection != "open")

    def _seat(self) -> SeatView | None:
        snapshot = self.model.snapshot
        return seat_view(snapshot, self.cursor) if snapshot is not None else None

    def press(self, what: str) -> bool:
        snapshot = self.model.snapshot
        if what == "talk":
            self.speak()
        elif what in _WISHES:
            self.wish(_WISHES[what])
        elif self.model.connection != "open":
            return what == "retry" and self.wish("retry")
        elif snapshot is None:
            return False
        elif what == "sit" and snapshot.you.seat is None:
            self.play.sit()
        elif snapshot.phase == "over" and play_again(self.play, snapshot, what):
            pass
        elif snapshot.you.host:
            return self._press_host(what, snapshot)
        return True

    def _press_host(self, what: str, snapshot: Snapshot) -> bool:
        """Do what only the host may."""
        verb, _, noun = what.partition(" ")
        if what == "deal":
            if may_start(snapshot):
                self.play.start()
        elif what in {"up", "down"}:
            at = self.rows.index(self.cursor) + (1 if what == "down" else -1)
            self.chosen = self.rows[at % len(self.rows)]
        elif what in {"left", "right"}:
            by = 1 if what == "right" else -1
            if self._seat() is not None:
                self._relevel(by)
            else:
                self._change(self.cursor, by)
        elif what == "add-bot":
            self._add_bot()
        elif what == "level":
            self.level = level_after(self.level, 1)
        elif what == "remove":
            self._remove(snapshot)
        elif verb in _SEAT_DEEDS and noun in self.rows:
            self.chosen = noun
            self._press_seat(verb, snapshot)
        elif verb in {"seat", "option"} and noun in self.rows:
            self.chosen = noun
        elif verb in {"more", "less"} and noun in self.rows:
            self.chosen = noun
            self._change(noun, 1 if verb == "more" else -1)
        else:
            return False
        self.draw()
        return True

    def _press_seat(self, verb: str, snapshot: Snapshot) -> None:
        """Do what a button of the chosen seat means."""
        match verb:
            case "add":
                self._add_bot()
            case "drop":
                self._remove(snapshot)
            case _:
                self._relevel(1 if verb == "stronger" else -1)

    def _relevel(self, by: int) -> None:
        """Put a bot of another level into the chosen seat; in a free one, choose the level."""
        seat = self._seat()
        letter = _letter(seat.seat) if seat is not None and seat.level is not None else None
        before = self.level if seat is None or seat.level is None else seat.level
        self.level = level_after(before, by)
        if letter is not None:
            self.play.remove(letter)
            self.play.add_bot(_level(self.level), letter)

    def _change(self, key: str, by: int) -> None:
        snapshot = self.model.snapshot
        option = next((option for option in OPTIONS if option.key == key), None)
        if option is not None and snapshot is not None:
            self.play.set_options(changed(snapshot.options, option, by))

    def _add_bot(self) -> None:
        """Add a bot where the cursor is, else where it is free."""
        seat = self._seat()
        where = seat.seat if seat is not None and seat.kind == "free" else None
        self.play.add_bot(_level(self.level), _letter(where))

    def _remove(self, snapshot: Snapshot) -> None:
        seat = self._seat()
        letter = _letter(seat.seat) if seat is not None and seat.kind != "free" else None
        if letter is not None and letter != snapshot.you.seat:
            self.play.remove(letter)


def level_after(level: str, by: int) -> str:
    """Return the level that is so much stronger; the ends meet."""
    levels = get_args(Level)
    at = levels.index(level) if level in levels else 0
    return str(levels[(at + by) % len(levels)])


def _letter(text: str | None) -> Letter | None:
    return next((letter for letter in get_args(Letter) if letter == text), None)


def _level(text: str) -> Level:
    return next((level for level in get_args(Level) if level == text), "memory")
