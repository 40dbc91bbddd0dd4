"""While there is no table yet: what is being done about it, or why there will be none."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from nana_client.layout import Rect
from nana_client.model import Model
from nana_client.says import Prompt, trouble_prompt
from nana_client.screens.pressing import deed_of, keyboard_of, press_in_app
from nana_client.screens.room import RoomScreen, Wish
from nana_client.widgets.hints import hint_items
from nana_client.widgets.planned import Planned
from nana_client.widgets.prose import broken
from nana_client.widgets.sheet import Item, Piece, Sheet, Words

_WIDTH = 60


class WaitingScreen(Screen[None]):
    """Shown between the opening screen and the first snapshot."""

    AUTO_FOCUS: ClassVar[str | None] = ""

    def __init__(self, doing: str) -> None:
        super().__init__()
        self.doing = doing
        self.model: Model | None = None

    def compose(self) -> ComposeResult:
        yield Planned(Sheet(id="wait", ground="raised"), id="felt")

    def show(self, model: Model) -> None:
        self.model = model
        self.on_resize()

    def on_mount(self) -> None:
        self.call_after_refresh(self.on_resize)

    def on_resize(self) -> None:
        if self.query("#wait"):
            self.draw()

    def draw(self) -> None:
        width, height = self.size
        across = min(_WIDTH, width)
        said = self._said()
        lines = broken(said.text, across - 6)[:4]
        rows = min(height, len(lines) + 5)
        rect = Rect((width - across) // 2, max(0, (height - rows) // 2), across, rows)
        self.query_one("#felt", Planned).place({"wait": rect})
        head = Piece(f" {said.head} ", said.tone, bold=True, fill=True)
        items: list[Item] = [Words(3, 1, across - 6, (head,))]
        items += [Words(3, 2 + at, across - 6, (Piece(line),)) for at, line in enumerate(lines)]
        items += hint_items(said.keys, keyboard_of(self), (3, rows - 2, across - 6))
        self.query_one("#wait", Sheet).lay(items)

    def _said(self) -> Prompt:
        if self.model is None or (self.model.connection == "connecting" and not self.model.trouble):
            return Prompt("dim", "ONE MOMENT", self.doing, (("back", "back"),))
        return trouble_prompt(self.model)

    def on_key(self, event: events.Key) -> None:
        if self.press(deed_of(self, "offline", event)):
            event.stop()

    async def on_sheet_pressed(self, event: Sheet.Pressed) -> None:
        event.stop()
        if not await press_in_app(self, event.what):
            self.press(event.what)

    def press(self, what: str | None) -> bool:
        wishes: dict[str | None, Wish] = {"back": "leave", "retry": "retry"}
        if what in wishes:
            self.post_message(RoomScreen.Wished(wishes[what]))
        return what in wishes
