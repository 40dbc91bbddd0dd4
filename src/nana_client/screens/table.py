"""The table: every state of a game, and the keys that play it.

The screen owns the aim. It lays a plan for the terminal's size, gives every sheet
what lies on it, and turns keys and presses into deeds of its `Play`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, Final

from msgspec.structs import replace
from textual.app import ComposeResult

from nana_client import aim as aiming
from nana_client.again import play_again
from nana_client.arrows import Direction, Spot, moved
from nana_client.breath import HELD, Breath, between, pressed, seen
from nana_client.coach import Coach, coached
from nana_client.deeds import SOURCE_OF, Place
from nana_client.layout import Plan, Rect
from nana_client.model import Model
from nana_client.motion import SLOW_MS
from nana_client.planning import plan
from nana_client.play import Play
from nana_client.says import NOT_YOURS, naming_link, prompt, shortened, why_not
from nana_client.screens.room import TALKING, RoomScreen, now_ms
from nana_client.sight import Sight
from nana_client.widgets.bars import footer_items, title_items
from nana_client.widgets.board import Board, still
from nana_client.widgets.hint import band_items, link_items, link_to_share, rows_for, with_hint
from nana_client.widgets.log import log_items, with_proof
from nana_client.widgets.planned import Planned
from nana_client.widgets.prompt import prompt_items
from nana_client.widgets.sheet import Card, Item, Piece, Sheet, Words
from nana_client.widgets.talk import Talk, talk_over
from nana_client.words import clock
from nana_core.notation import SOURCES
from nana_core.protocol.outbound import Error, Snapshot

_ARROWS: Final[dict[str, Direction]] = {
    "left": "left",
    "right": "right",
    "up": "up",
    "down": "down",
}
_NARROW: Final = 66  # columns of a prompt that says less
_ANSWER_MS: Final = 8_000  # an answer to a key stands so long
_HURRY_MS: Final = 10_000  # from here on the time that is left is a warning
_GLOWING: Final = {"accent", "good", "bad", "warn"}
_FOOTER: Final = (("talk", "talk"), ("menu", "menu"), ("help", "help"))
_LEAVE: Final = (("back", "leave"), ("quit", "quit"))
_CLEAR: Final = (("back", "clears the aim"), ("quit", "quit"))


class TableScreen(RoomScreen):
    """A game, seen from a seat or from beside the table."""

    CSS: ClassVar[str] = """
    TableScreen { layers: table over; }
    TableScreen #talk { layer: over; }
    """

    def __init__(
        self,
        play: Play,
        *,
        now: Callable[[], int] = now_ms,
        coach: Coach | None = None,
        moves: Callable[[], bool] = still,
        breath: Breath | None = None,
        link: str | None = None,
    ) -> None:
        """Show a game; a coach that is given hints at the right moments, in a first game.

        A breath is for who comes to a table where a game is over already; the link is what
        a host shares after a game.
        """
        super().__init__(play, now)
        self._moves, self._link = moves, link
        self._names_link = False  # whether a key is named that shows the link
        self._coach = coach
        self._aim: aiming.Aim | None = None
        self._note: str | None = None
        self.at_once = False  # whether the first press reveals
        self._skipping = False  # whether the hints are to end, if the same key comes again
        self._sent: aiming.Aim | None = None  # a source, or "continue", without its answer
        self._breath = breath
        self._answer: tuple[str | None, Error | None] = (None, None)  # to what was pressed
        self._answered_at = now()
        self._read: Error | None = None  # a refusal that stood long enough
        self._plan: Plan | None = None
        self._spots: tuple[Spot, ...] = ()

    def compose(self) -> ComposeResult:
        sheets = [
            Board(self.now, self._moves),
            *(Sheet(id=name) for name in ("log", "hint")),
        ]
        bars = [Sheet(id=name, ground="raised") for name in ("title", "prompt", "footer")]
        yield Planned(*sheets, *bars, Talk(self.keyboard.label("talk"), id="talk"), id="felt")

    @property
    def place(self) -> Place:
        shot = self.model.snapshot
        if shot is None or shot.phase != "over":
            return "table"
        return "beside" if Sight(shot).me is None else "over"

    # what is shown

    def show(self, model: Model) -> None:
        if model.snapshot is not self.model.snapshot or model.error is not None:
            self._note = None
        if model.error is not None or model.connection != "open":
            self._sent = None  # refused, or sent again by itself: the next snapshot tells
        self._aim = aiming.kept(self._aim, model.snapshot)
        self._sent = aiming.unanswered(self._sent, model.snapshot)
        self._breath = between(self._breath, self.model.snapshot, model.snapshot)
        if self._coach is not None and model.snapshot is not None:
            self._coach = coached(self._coach, model.snapshot)
            if self._coach.done:
                self._dismiss_coach()
        super().show(model)

    def _see(self) -> None:
        """What was drawn is on the screen, if nothing lies over it."""
        if self._breath is not None and self.is_active:
            self._breath = seen(self._breath, self.now())

    def on_screen_resume(self) -> None:
        self.on_resize()  # what lay over it is gone

    def _dismiss_coach(self) -> None:
        self._coach = None
        self.wish("coached")

    def draw(self) -> None:
        if self._breath is not None:
            self.call_after_refresh(self._see)
        width, height = self.size
        snapshot = self.model.snapshot
        if snapshot is None or not width:
            self._draw_waiting(width, height)
            return
        sight = Sight(snapshot, self._aim.source if self._aim else None, self.keyboard)
        self._plan, hint = self._planned(width, height, sight)
        if self._plan is None:
            self._draw_small(width, height)
            return
        rects = self._rects(self._plan)
        if hint is not None:
            rects["hint"] = hint
            rects["board"] = replace(rects["board"], height=hint.y - rects["board"].y)
            self.query_one("#hint", Sheet).lay(self._band(snapshot, hint), ground="~good")
        self.query_one("#felt", Planned).place(rects)
        self._spots = self._lay(self._plan, sight)
        self._lay_bars(rects)

    def _planned(self, width: int, height: int, sight: Sight) -> tuple[Plan | None, Rect | None]:
        """Lay out the table, with room for a hint where there is one and it has room."""
        seated = sight.me is not None
        if self._coach is not None and seated:
            rows = rows_for(width)
            lower = plan(width, height - rows, sight.size, seated=True)
            if lower is not None:
                return with_hint(lower, rows)
        full = plan(width, height, sight.size, seated=seated)
        link = link_to_share(sight.snapshot, self._link)
        if link is not None and full is not None and any(link_items(link, full.prompt.width)):
            lower = plan(width, height - 1, sight.size, seated=seated)
            if lower is not None and lower.density == full.density:
                self._names_link = False
                return with_hint(lower, 1)
        self._names_link = link is not None
        return full, None

    def _band(self, snapshot: Snapshot, place: Rect) -> Iterator[Item]:
        """Lay out what stands above the prompt: a hint, or else the link to share."""
        if self._coach is not None and snapshot.phase != "over":
            return band_items(self._coach, place.width, place.height, sure=self._skipping)
        return link_items(link_to_share(snapshot, self._link) or "", place.width)

    def _rects(self, plan: Plan) -> dict[str, Rect]:
        rects = {"title": plan.title, "board": plan.board}
        rects |= {"prompt": plan.prompt, "footer": plan.footer}
        if plan.log is not None:
            rects["log"] = plan.log
        if plan.talk is not None:
            rects["talk"] = plan.talk
        elif self.talking:
            rects["talk"] = talk_over(plan.title.width, plan.prompt.y)
        return rects

    def _lay(self, plan: Plan, sight: Sight) -> tuple[Spot, ...]:
        """Lay the table; return where its sources lie."""
        fade = self.model.connection != "open"
        late = (self.model.latency_ms or 0) > SLOW_MS
        board = self.query_one("#board", Board)
        return tuple(_spots(board.show(sight, plan, fade=fade, late=late)))

    def _lay_bars(self, rects: dict[str, Rect]) -> None:
        fade = self.model.connection != "open"
        self._lay_prompt(rects["prompt"].width)
        self.query_one("#title", Sheet).lay(title_items(self.model, rects["title"].width))
        keys = TALKING if self.focused else (*_FOOTER, *(_CLEAR if self._aim else _LEAVE))
        unread = self.hear(rects)
        footer = footer_items(keys, rects["footer"].width, unread, self.keyboard)
        self.query_one("#footer", Sheet).lay(footer)
        if "log" in rects:
            log = rects["log"]
            self.query_one("#log", Sheet).lay(
                log_items(self.model, log.width, log.height), fade=fade
            )
        self.query_one(Talk).say(with_proof(self.model))

    def _lay_prompt(self, width: int) -> None:
        aim = self._aim.source if self._aim else None
        sent = self._sent.source if self._sent else None
        rest = self._breath.words if self._breath else None
        model = self.waited
        if model.error is not None and model.error is self._read:
            model = replace(model, error=None)
        said = prompt(model, aim, note=self._note, held=self._held(), sent=sent, rest=rest)
        said = naming_link(said) if self._names_link else said
        said = shortened(said) if width < _NARROW else said
        left = self.model.left_ms(self.now()) if self.model.connection == "open" else None
        time_left = "" if left is None else clock(left / 1000)
        glow = f"~{said.tone}" if said.tone in _GLOWING else "raised"
        hurry = left is not None and left <= _HURRY_MS
        items = prompt_items(said, width, self.keyboard, left=time_left, hurry=hurry)
        self.query_one("#prompt", Sheet).lay(items, ground=glow)

    def _held(self) -> float | None:
        """Return how many seconds a held continue still waits."""
        shot, at = self.model.snapshot, self.model.server_now(self.now())
        if not self.model.held or shot is None or shot.not_before is None or at is None:
            return None
        return max(0, shot.not_before - at) / 1000

    def _draw_waiting(self, width: int, height: int) -> None:
        """Before the first snapshot: the prompt alone, in the middle."""
        rects = {"prompt": Rect(0, max(0, height // 2 - 1), width, 2)}
        self.query_one("#felt", Planned).place(rects)
        self._lay_prompt(width)

    def _draw_small(self, width: int, height: int) -> None:
        rects = {"board": Rect(0, 0, width, max(1, height - 2))}
        rects["prompt"] = Rect(0, max(1, height - 2), width, 2)
        self.query_one("#felt", Planned).place(rects)
        lines = ("The table needs more room:", "44 x 13 or 76 x 9 at least.")
        top = max(0, (height - 2 - len(lines)) // 2)
        self.query_one("#board", Sheet).lay(
            Words(0, top + at, width, (Piece(line.center(width), "warn"),))
            for at, line in enumerate(lines)
        )
        self._lay_prompt(width)

    def tick(self) -> None:
        self._tire()
        if self._breath is not None and self._breath.is_over(self.now()):
            self._breath = None
            self.on_resize()  # at any size, also where there is no plan
        if self._plan is not None:
            self._lay_prompt(self._plan.prompt.width)

    def _tire(self) -> None:
        """Give the prompt back after a while to what is going on."""
        error = self.model.error if self.model.error is not self._read else None
        answer = self._note, error
        if answer != self._answer:
            self._answer, self._answered_at = answer, self.now()
        elif any(answer) and self.now() - self._answered_at >= _ANSWER_MS:
            self._note, self._read, self._answer = None, self.model.error, (None, None)

    # what is done

    def press(self, what: str) -> bool:
        snapshot = self.model.snapshot
        if self._skipping and what != "skip-hints":
            self._skipping = False
            self.draw()
        if self._breath is not None and what in HELD:
            return self._too_early(self._breath)
        if what == "back":
            return self._back()
        if what in {"help", "menu"}:
            return self.wish("help" if what == "help" else "menu")
        if what == "talk":
            self.speak()
            return True
        if what == "skip-hints" and self._coach is not None:
            return self._skip()
        if self.model.connection != "open":
            return what == "retry" and self.wish("retry")
        if snapshot is None:
            return False
        if snapshot.phase == "over":
            return self._press_over(what)
        if what in _ARROWS:
            self._move(_ARROWS[what])
            return True
        if what == "continue":
            return self._continue()
        if what == "reveal":
            goes_on = aiming.may_continue(snapshot) or not aiming.sources(snapshot)
            return self._continue() if goes_on else self._fire_or_aim()
        source = what if what in SOURCES else SOURCE_OF.get(what)  # a card clicked, or a key
        if source is not None:
            self._choose(source)
        return source is not None

    def _choose(self, source: str) -> None:
        """Aim at a source, or reveal it if it is aimed at already."""
        snapshot = self.model.snapshot
        assert snapshot is not None  # noqa: S101 - press lets nothing through before
        self._note = None
        if not self.at_once:
            self.play.take_over()  # else the card that is revealed does
        if source not in aiming.sources(snapshot):
            self._aim = None
            self._note = why_not(snapshot, source, self.keyboard)
        elif self._aim is not None and self._aim.source == source:
            self._fire()
            return
        elif self._sent is None:
            self._aim = aiming.taken(source, snapshot)
            if self.at_once:
                self._fire()
                return
        self.draw()

    def _fire_or_aim(self) -> bool:
        """Reveal what is aimed at; without an aim take one, for who presses Enter and sees."""
        if self._aim is None:
            self._move("down")
            return True
        return self._fire()

    def unknown(self, typed: str) -> None:
        """Say that a key means nothing here, and where all keys are told."""
        if len(typed) == 1 and self.model.connection == "open":
            self._note = f"{typed} does nothing here; {self.keyboard.label('help')} shows the keys."
            self.draw()

    def _fire(self) -> bool:
        """Reveal what is aimed at."""
        if self._aim is None:
            return False
        aim, self._aim = self._aim, None
        if self.play.reveal(aim.source, aim.step):
            self._sent = aim
        self.draw()
        return True

    def _continue(self) -> bool:
        snapshot = self.model.snapshot
        if snapshot is None or not aiming.may_continue(snapshot):
            return self.play.take_over()
        if self._sent is None and self.play.proceed():
            self._sent = aiming.taken("continue", snapshot)
        self.draw()
        return True

    def _skip(self) -> bool:
        """End the hints at the second press: a slip of the hand must not."""
        if self._skipping:
            self._dismiss_coach()
        self._skipping = not self._skipping
        self.draw()
        return True

    def _move(self, direction: Direction) -> None:
        snapshot = self.model.snapshot
        aim = moved(self._aim.source if self._aim else None, direction, self._spots)
        if aim is not None and snapshot is not None and aim in aiming.sources(snapshot):
            self._note = None
            self._aim = aiming.taken(aim, snapshot)
            self.play.take_over()
            self.draw()

    def _too_early(self, breath: Breath) -> bool:
        """Say that a key was meant for a table that was still playing."""
        self._breath = pressed(breath, self.now())
        self.draw()
        return True

    def _press_over(self, what: str) -> bool:
        snapshot = self.model.snapshot
        if snapshot is None or play_again(self.play, snapshot, what):
            return snapshot is not None
        me = Sight(snapshot).me
        match what:
            case "sit" if me is None:
                return self.play.sit()
            case "record" if me is not None:
                return self.play.export() if self.model.sat else self._say(NOT_YOURS)
            case "deal" if me is not None:
                return self.play.start() if snapshot.you.host else self.play.rematch(ready=True)
            case "options":
                return self.wish("options")
            case "left" | "right" if not self.model.sat:
                return self._say(NOT_YOURS)
            case "left" | "right":
                return self.wish("replay")
            case _:
                return False

    def _say(self, text: str) -> bool:
        """Say why a key does nothing now."""
        self._note = text
        self.draw()
        return True

    def _back(self) -> bool:
        if self._aim is not None or self._note is not None:
            self._aim = self._note = None
            self.draw()
            return True
        return self.wish("leave")


def _spots(items: Iterable[Item]) -> Iterator[Spot]:
    for item in items:
        if isinstance(item, Card) and item.press:
            middle = item.x + item.size.width // 2, item.y + item.size.height // 2
            yield Spot(item.press, *middle)
