"""Leaving while a game is on, or others stay behind: what it means, and the ways to answer."""

from typing import ClassVar, Final, Literal, TypeAlias, get_args

from textual import events
from textual.app import ComposeResult

from nana_client.screens.box import Box
from nana_client.screens.pressing import deed_of, keyboard_of, typed
from nana_client.stay import Stay
from nana_client.widgets.choices import Choices, Row, lay_choices
from nana_client.widgets.sheet import Sheet

Answer: TypeAlias = Literal["stay", "keep", "leave"]
Why: TypeAlias = Literal["alone", "playing", "hosting a game", "hosting", "lodging"]

_STAY: Final = Row("back", "stay at the table", "stay")
_ROWS: Final = (
    _STAY,
    Row("keep-seat", "go, and keep the seat: come back later", "keep"),
    Row("leave-seat", "leave for good: a bot plays your cards", "leave"),
)
_ALONE: Final = (_STAY, Row("leave-seat", "leave: the game against bots ends", "leave"))
_HOSTING: Final = "The server on this machine stops when you go."
_KEEP: Final = Row("keep-seat", "go: the table is here again the next time", "keep")
_CLOSE: Final = Row("leave-seat", "close the table for everybody", "leave")
_LEAVE: Final = Row("leave-seat", "leave for good", "leave")
_GAME, _OTHERS = "A game is on. Leave?", "Others are still here. Leave?"
_ASKED: Final[dict[Why, tuple[str, tuple[Row, ...], tuple[str, ...]]]] = {
    "alone": (_GAME, _ALONE, ()),
    "playing": (_GAME, _ROWS, ()),
    "hosting a game": (_GAME, _ROWS, (_HOSTING,)),
    "hosting": (_OTHERS, (_STAY, _KEEP, _CLOSE), (_HOSTING,)),
    "lodging": (_OTHERS, (_STAY, _KEEP, _LEAVE), (_HOSTING,)),
}


def why_ask(stay: Stay) -> Why:
    """Tell what is to be asked; `lodging` is who has the server, but is not the room's host."""
    if stay.alone:
        return "alone"
    if stay.in_game:
        return "hosting a game" if stay.hosting else "playing"
    host = stay.snapshot is not None and stay.snapshot.you.host
    return "hosting" if host else "lodging"


class LeaveScreen(Box[Answer]):
    """Answers what to do. Ctrl+C and Ctrl+Q again go at once, the gentlest way."""

    CSS: ClassVar[str] = "LeaveScreen { background: $background 60%; align: center middle; }"

    def __init__(self, why: Why) -> None:
        super().__init__()
        title, rows, notes = _ASKED[why]
        self._choices = Choices(title, rows, notes, "warn", ())
        self._at = 0

    def compose(self) -> ComposeResult:
        yield Sheet(id="ask", ground="raised")

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        lay_choices(
            self.query_one("#ask", Sheet), self._choices, self._at, self.size, keyboard_of(self)
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        rows, deed = self._choices.rows, deed_of(self, "menu", event)
        answers = {row.key: row.answer for row in rows}
        if deed in {"up", "down"}:
            self._at = (self._at + (1 if deed == "down" else -1)) % len(rows)
            self.draw()
        elif deed == "confirm":
            self._answer(rows[self._at].answer)
        elif deed == "quit" or typed(event) == "ctrl+c":
            self._answer("keep" if "keep-seat" in answers else "leave")
        elif deed in answers:
            self._answer(answers[deed])

    def chosen(self, what: str) -> None:
        self._answer(what)

    def _answer(self, what: str) -> None:
        answer: Answer | None = next((known for known in get_args(Answer) if known == what), None)
        if answer is not None:
            self.dismiss(answer)
