"""The table as a person plays it: keys and mouse in, deeds and pictures out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from client.scenes import finished, model_of, played, refused, snapshot_of
from client.stage import Recorder, Stage, screen_text, stage_of
from nana_client.model import Line, Model
from nana_client.says import Prompt
from nana_client.screens.table import TableScreen
from nana_client.widgets.prompt import prompt_items
from nana_client.widgets.sheet import Card, Sheet, Words
from nana_core.protocol.outbound import Snapshot

MINE = snapshot_of(played(3, "c1"))  # A has turned slot 1 and goes on
MISSED = snapshot_of(played(3, "c2 b<", first=2))  # C missed; A is next
THEIRS = snapshot_of(played(3, "c1", first=1))
NO = refused("not now")


class Table:
    """A table on a stage."""

    def __init__(self, pilot: Pilot[Any], screen: TableScreen, play: Recorder) -> None:
        self.pilot, self.screen, self.play = pilot, screen, play

    @property
    def text(self) -> str:
        return screen_text(self.pilot)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def show(self, model: Model) -> None:
        self.play.model = model
        self.screen.show(model)
        await self.pilot.pause()

    async def click(self, source: str) -> None:
        """Click on the card of a source, where the screen has drawn it."""
        for sheet in self.screen.query(Sheet):
            for item in sheet.items:
                if isinstance(item, Card) and item.press == source:
                    await self.pilot.click(sheet, offset=(item.x + 1, item.y))
                    await self.pilot.pause()
                    return
        raise AssertionError(f"{source} is not on the screen")


@asynccontextmanager
async def table(
    shown: Snapshot | Model,
    size: tuple[int, int] = (80, 24),
    now: int = 0,
    link: str | None = None,
) -> AsyncIterator[Table]:
    model = shown if isinstance(shown, Model) else model_of(shown)
    play = Recorder(model)
    screen = TableScreen(play, now=lambda: now, link=link)
    async with Stage(screen).run_test(size=size) as pilot:
        await pilot.pause()
        yield Table(pilot, screen, play)


async def test_first_aims_then_reveals() -> None:
    """The first press asks, the same key reveals, with the step it was aimed at."""
    async with table(MINE) as at:
        await at.press("4")
        assert "Reveal slot 4?" in at.text
        assert at.play.deeds == []
        await at.press("4")
        assert at.play.deeds == [("reveal", "c4", MINE.step)]


@pytest.mark.parametrize(
    ("keys", "source"),
    [
        pytest.param(("b", "enter"), "b<", id="Enter reveals"),
        pytest.param(("b", "B", "B"), "b>", id="another key aims anew"),
        pytest.param(("a", "a"), "a<", id="one's own lowest"),
        pytest.param(("C", "C"), "c>", id="a highest"),
        pytest.param(("é", "é"), "c2", id="AZERTY"),
        pytest.param(("down", "enter"), "c2", id="an arrow aims first"),
        pytest.param(("b", "right", "enter"), "b>", id="arrows move the aim"),
    ],
)
async def test_ways_to_reveal(keys: tuple[str, ...], source: str) -> None:
    """Letters, capitals, digits, arrows and Enter lead to one reveal each."""
    async with table(MINE) as at:
        await at.press(*keys)
        assert at.play.deeds == [("reveal", source, MINE.step)]


@pytest.mark.parametrize("size", [(80, 24), (44, 13), (140, 40)])
@pytest.mark.parametrize("source", ["c4", "b<", "b>", "a>"])
async def test_the_mouse_does_the_same(source: str, size: tuple[int, int]) -> None:
    """A click aims, a second one on the same card reveals, at every density."""
    async with table(MINE, size) as at:
        await at.click(source)
        assert at.play.deeds == []
        await at.click(source)
        assert at.play.deeds == [("reveal", source, MINE.step)]


async def test_a_stale_aim_does_not_fire() -> None:
    """An aim taken before a new position is gone in it: the key aims again."""
    async with table(MINE) as at:
        await at.press("4")
        later = snapshot_of(played(3, "c2 b< . c2 b< . c2 b< ."))
        assert later.on_turn == "A"
        await at.show(model_of(later))
        await at.press("enter")
        assert at.play.deeds == []
        await at.press("4")
        assert at.play.deeds == []
        await at.press("4")
        assert at.play.deeds == [("reveal", "c4", later.step)]


async def test_a_snapshot_of_the_same_position_keeps_the_aim() -> None:
    """A watcher's arrival changes nothing for who is aiming."""
    async with table(MINE) as at:
        await at.press("4")
        await at.show(model_of(replace(MINE, version=MINE.version + 1, watching=("Wanda",))))
        await at.press("4")
        assert at.play.deeds == [("reveal", "c4", MINE.step)]


async def test_one_position_one_reveal() -> None:
    """Hammering a key reveals once; what follows waits for the answer."""
    async with table(MINE) as at:
        await at.press("4", "4", "4", "4", "5", "5", "enter")
        assert at.play.deeds == [("reveal", "c4", MINE.step)]


async def test_nothing_is_asked_for_while_the_answer_is_on_its_way() -> None:
    """Until the server has answered, the prompt says what was done, and names no card to choose."""
    async with table(MINE) as at:
        await at.press("4", "4")
        assert "Turning slot 4 …" in at.text
        assert "center card" not in at.text
        await at.show(model_of(replace(MINE, version=MINE.version + 1, watching=("Wanda",))))
        assert "Turning slot 4 …" in at.text
        await at.show(model_of(snapshot_of(played(3, "c1 c4"))))
        assert "Turning" not in at.text
    async with table(MISSED) as at:
        await at.press("space", "space", "enter")
        assert at.play.deeds == [("proceed",)]
        assert "Your turn begins …" in at.text
        assert "go on" not in at.text


@pytest.mark.parametrize("shot", [MINE, MISSED], ids=["reveal", "continue"])
@pytest.mark.parametrize("lost", [False, True], ids=["refused", "offline"])
async def test_an_answer_that_does_not_come_is_not_waited_for(shot: Snapshot, lost: bool) -> None:
    """After a refusal, or a line that was gone, the prompt asks again, and a key counts again."""
    async with table(shot) as at:
        await at.press(*(("4", "4") if shot is MINE else ("space",)))
        await at.show(model_of(shot, connection="waiting") if lost else model_of(shot, error=NO))
        await at.show(model_of(shot))
        await at.press(*(("4", "4") if shot is MINE else ("space",)))
        assert len(at.play.deeds) == 2


async def test_a_refusal_is_a_sentence_and_the_turn_goes_on() -> None:
    """What the server says stands in the prompt, and the next aim replaces it."""
    async with table(MINE) as at:
        await at.press("4", "4")
        await at.show(model_of(MINE, error=refused("slot 4 was turned already")))
        assert "Slot 4 was turned already." in at.text
        await at.press("5", "5")
        assert at.play.deeds[-1] == ("reveal", "c5", MINE.step)


async def test_escape_clears_the_aim_before_it_leaves() -> None:
    """Escape takes back what was begun; the next one asks to leave."""
    async with table(MINE) as at:
        await at.press("4", "escape")
        assert "Reveal slot 4?" not in at.text
        assert stage_of(at.pilot).wishes == []
        await at.press("escape")
        assert stage_of(at.pilot).wishes == ["leave"]


@pytest.mark.parametrize("key", ["space", "enter"])
async def test_going_on(key: str) -> None:
    """Space goes on, and so does Enter when there is nothing else to do."""
    async with table(MISSED) as at:
        assert "MISS" in at.text
        assert "go on" in at.text
        await at.press(key)
        assert at.play.deeds == [("proceed",)]


@pytest.mark.parametrize(
    ("shot", "key", "deeds"),
    [
        pytest.param(THEIRS, "space", [("take_over",)], id="another's turn"),
        pytest.param(THEIRS, "enter", [("take_over",)], id="another's turn, Enter"),
        pytest.param(THEIRS, "4", [("take_over",)], id="another's turn, a card"),
        pytest.param(MINE, "space", [("take_over",)], id="one's own"),
        pytest.param(MINE, "4", [("take_over",)], id="one's own, a card"),
        pytest.param(MINE, "down", [("take_over",)], id="one's own, an arrow"),
        pytest.param(MISSED, "space", [("proceed",)], id="going on"),
    ],
)
async def test_any_key_of_the_game_takes_over(
    shot: Snapshot, key: str, deeds: list[tuple[str, ...]]
) -> None:
    """Where a stand-in plays, whatever one would play with brings one back; else it does not."""
    seats = tuple(replace(seat, stand_in=seat.seat == "A") for seat in shot.seats)
    async with table(model_of(replace(shot, seats=seats))) as at:
        await at.press(key)
        assert at.play.deeds == deeds
    async with table(model_of(shot)) as at:
        await at.press(key)
        assert ("take_over",) not in at.play.deeds


async def test_who_is_not_next_cannot_go_on() -> None:
    """Space does nothing for somebody else, and a source says why not."""
    async with table(snapshot_of(played(3, "c2 b<"))) as at:
        await at.press("space", "enter")
        assert at.play.deeds == []
        await at.press("4")
        assert "Wait: it is Bo's turn." in at.text


async def test_a_continue_pressed_early_says_that_it_is_held() -> None:
    """Until the table may go on, the prompt counts the time."""
    shot = replace(MISSED, now=1_000, not_before=2_200)
    model = model_of(shot, held=True, clock_offset=1_000)
    async with table(model, now=400) as at:
        assert "Your turn begins in 0.8 s" in at.text


async def test_the_deadline_counts_down() -> None:
    """The time that is left stands in the prompt, by the server's clock."""
    async with table(model_of(MINE, clock_offset=1_000_000), now=12_000) as at:
        assert "0:30" in at.text


@pytest.mark.parametrize(("now", "warns"), [(12_000, False), (33_000, True)])
async def test_the_last_seconds_warn(now: int, warns: bool) -> None:
    """From ten seconds on the time that is left changes its colour; a miss does not hide it."""
    for shot, tone in ((MINE, "accent"), (MISSED, "bad")):
        async with table(model_of(shot, clock_offset=1_000_000), now=now) as at:
            items = at.screen.query_one("#prompt", Sheet).items
            (left,) = [
                item for item in items if isinstance(item, Words) and item.x > 2 and not item.y
            ]
            assert left.pieces[0].text.strip() == ("0:09" if warns else "0:30")
            assert left.pieces[0].tone == ("bad" if warns else tone)


@pytest.mark.parametrize(
    ("shot", "says"),
    [
        pytest.param(MINE, ("YOUR TURN", "Find another 2."), id="your turn"),
        pytest.param(THEIRS, ("Bo's turn", "Bo looks for another 2"), id="waiting"),
        pytest.param(MISSED, ("✗ MISS", "Cy turned 4, then 2", "▶ A Ann"), id="a miss, you next"),
        pytest.param(
            snapshot_of(played(3, "a< a< c<")), ("✓ SET OF 1s", "You take the 1s."), id="a set"
        ),
        pytest.param(
            snapshot_of(finished(3)), ("★ YOU WIN", "YOU WIN", "play again"), id="you win"
        ),
        pytest.param(snapshot_of(finished(3, 1)), ("★ Bo wins", "Bo wins"), id="another wins"),
        pytest.param(replace(MINE, paused=True), ("PAUSED", "The host has paused"), id="paused"),
        pytest.param(replace(MINE, phase="opening", legal=()), ("DEALING",), id="dealing"),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_what_happened_has_a_face(
    shot: Snapshot, says: tuple[str, ...], size: tuple[int, int]
) -> None:
    """Every state says in words whose turn it is and what happened."""
    async with table(shot, size) as at:
        for words in says:
            assert words in at.text, at.text


async def test_after_the_game_everything_is_open() -> None:
    """All hands lie open, winning sets are marked, reasons are words, the deal is judged."""
    shot = snapshot_of(finished(3, 1))
    assert shot.result is not None
    model = model_of(shot, proof="verified", proof_text="the deal was chosen by nobody")
    async with table(model) as at:
        text = at.text
        assert all(f"★{number} " in text for win in shot.result.wins for number in win.sets)
        assert "differ by 7" in text
        assert "✓ The deal was chosen by nobody." in text
        assert "✓ fair deal" in text
        assert "░" not in text


@pytest.mark.parametrize(
    ("ready", "host", "key", "deed"),
    [
        pytest.param(False, True, "r", ("rematch", True), id="r is ready"),
        pytest.param(True, True, "r", ("rematch", False), id="r again is not"),
        pytest.param(False, True, "enter", ("rematch", True), id="Enter is ready first"),
        pytest.param(True, True, "enter", ("start",), id="then the host deals"),
        pytest.param(True, False, "enter", ("rematch", True), id="nobody else deals"),
    ],
)
async def test_playing_again(ready: bool, host: bool, key: str, deed: tuple[Any, ...]) -> None:
    """One key asks for a rematch, and the host deals with another."""
    shot = snapshot_of(finished(3), seats={"A": {"ready": ready}})
    async with table(replace(shot, you=replace(shot.you, host=host))) as at:
        await at.press(key)
        assert at.play.deeds == [deed]


@pytest.mark.parametrize(
    ("seat", "watching", "host", "deeds"),
    [
        pytest.param({"kind": "bot"}, (), True, [("rematch", True), ("start",)], id="bots alone"),
        pytest.param({"left": True}, (), True, [("rematch", True), ("start",)], id="who left"),
        pytest.param({}, (), True, [("rematch", True)], id="somebody may want to play, too"),
        pytest.param({"kind": "bot"}, ("Di",), True, [("rematch", True)], id="or sit down"),
        pytest.param({"kind": "bot"}, (), False, [("rematch", True)], id="a guest"),
    ],
)
async def test_who_waits_for_nobody_plays_again_at_once(
    seat: dict[str, Any], watching: tuple[str, ...], host: bool, deeds: list[Any]
) -> None:
    """With bots alone the Enter that plays again deals, too; with people it only says so."""
    shot = snapshot_of(finished(3), seats={"A": {"ready": False}, "B": seat})
    async with table(replace(shot, you=replace(shot.you, host=host), watching=watching)) as at:
        await at.press("enter")
        assert at.play.deeds == deeds


async def test_a_watcher_sits_down_after_a_game() -> None:
    """Who watched takes a seat for the next game with one key."""
    async with table(snapshot_of(finished(3), None)) as at:
        await at.press("s")
        assert at.play.deeds == [("sit", None)]


LINK = "ws://192.168.1.5:8765/r/KQ7MX"


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        pytest.param((100, 30), f"Friends join with this link: {LINK}", id="a row for it"),
        pytest.param((44, 13), f" {LINK}\n", id="narrow: the link alone"),
        pytest.param((80, 24), "o link, options", id="no row: the key that shows it"),
    ],
)
async def test_a_host_whose_friends_have_left_sees_the_link(
    size: tuple[int, int], shown: str
) -> None:
    """After a game with a free seat the host need not look for what friends join by."""
    shot = snapshot_of(finished(4), seats={"B": {"left": True, "online": False}})
    host = replace(shot, you=replace(shot.you, host=True))
    async with table(host, size, link=LINK) as at:
        assert shown in "\n".join(f"{line.rstrip()}\n" for line in at.text.splitlines())
        await at.show(model_of(snapshot_of(finished(4))))
        assert "link" not in at.text
        assert LINK not in at.text


@pytest.mark.parametrize("who", ["guest", "playing", "full", "no link"])
async def test_the_link_is_for_a_host_with_a_free_seat(who: str) -> None:
    """It takes no row from anybody else, from no game and from no private table."""
    left = {} if who == "full" else {"B": {"left": True, "online": False}}
    shot = snapshot_of(played(4) if who == "playing" else finished(4), seats=left)
    shot = replace(shot, you=replace(shot.you, host=who != "guest"))
    async with table(shot, (100, 30), link=None if who == "no link" else LINK) as at:
        assert "link" not in at.text


@pytest.mark.parametrize("host", [True, False])
@pytest.mark.parametrize("ready", [True, False])
async def test_a_player_keeps_the_record(ready: bool, host: bool) -> None:
    """The same key saves the record for who played; the prompt names it, uncut, and says where."""
    shot = snapshot_of(finished(3), seats={"A": {"ready": ready}})
    model = model_of(replace(shot, you=replace(shot.you, host=host)))
    async with table(model) as at:
        assert " s " in at.text
        assert "Esc leave" in at.text
        await at.press("s")
        assert at.play.deeds == [("export", None)]
        where = "Saved: ~/.local/share/nana/records/nana-KQ7MX-12.json"
        await at.show(replace(model, kept=where))
        assert where in at.text


async def test_a_watcher_reveals_nothing() -> None:
    """Beside the table keys and clicks do nothing to the game."""
    async with table(snapshot_of(played(3, "c1"), None)) as at:
        await at.press("4", "4", "enter", "space", "b", "b")
        assert at.play.deeds == []


async def test_talking_never_reveals() -> None:
    """Letters typed into the line of talk are said, and Escape leads back."""
    async with table(MINE) as at:
        await at.press("t", "b", "b", "4", "4", "enter")
        assert at.play.deeds == [("chat", "bb44")]
        await at.press("escape", "4", "4")
        assert at.play.deeds[-1] == ("reveal", "c4", MINE.step)


async def test_trouble_keeps_the_table() -> None:
    """Without a connection the table stays, a banner says why, and r tries at once."""
    why = "The server does not answer."
    async with table(model_of(MINE, connection="waiting", trouble=why, retry_in=3.0)) as at:
        assert why in at.text
        assert "Next try in 3 s" in at.text
        assert "A Ann" in at.text
        await at.press("4", "4", "space", "r")
        assert at.play.deeds == []
        assert stage_of(at.pilot).wishes == ["retry"]


async def test_a_closed_table_says_what_to_press() -> None:
    """When nobody will try again, the banner says why and how to go on."""
    async with table(model_of(MINE, connection="closed", trouble="the host closed it")) as at:
        assert "The host closed it." in at.text
        assert "r try again · Esc" in at.text


async def test_too_small_keeps_the_prompt() -> None:
    """Below the least size there is a message, and still what to press; growing brings it back."""
    async with table(MINE, (40, 10)) as at:
        assert "needs more room" in at.text
        assert "YOUR TURN" in at.text
        await at.pilot.resize_terminal(80, 24)
        await at.pilot.pause()
        assert "needs more room" not in at.text
        assert "╭" in at.text


async def test_one_changed_card_repaints_its_own_region() -> None:
    """Aiming at a slot repaints that card of the board, not the board."""
    async with table(MINE) as at:
        board = at.screen.query_one("#board", Sheet)
        await at.press("4")
        dirty: list[Any] = []
        board.refresh = lambda *regions, **_: dirty.extend(regions)  # type: ignore[method-assign, assignment]
        await at.press("5")
        cards = {item.region for item in board.items if isinstance(item, Card)}
        assert len({*dirty}) == 2
        assert {*dirty} <= cards


HOSTILE = (
    "[/]",
    "[@click=app.quit]x[/]",
    "[bold]b",
    "a\x1b[31mred",
    "a\x9b2J",
    "\u202eevil",
    "zero\u200bwidth",
    "😀👍🏽🇩🇪",
    "日本語日本語日本語日本語",
    "e\u0301\u0301\u0301\u0301",
    "line\nbreak",
    "]8;;http://x\x07y",
)


@pytest.mark.parametrize("size", [(80, 24), (44, 13), (140, 40)])
async def test_hostile_names_and_chat_are_only_text(size: tuple[int, int]) -> None:
    """Foreign text is never markup, makes no link, and leaves no control byte on the screen."""
    async with table(MINE, size) as at:
        await at.press("t")
        for name in HOSTILE:
            await at.show(hostile(name))
            assert all(char.isprintable() or char == "\n" for char in at.text), name
            for strip in at.pilot.app.screen._compositor.render_strips():
                for segment in strip:
                    assert not (segment.style and segment.style.link), name
                    assert not (segment.style and "@click" in segment.style.meta), name


def hostile(name: str) -> Model:
    """Return a table on which everything that others can write is this text."""
    seats = {"B": {"name": name}, "A": {"name": name}}
    shot = replace(snapshot_of(played(3, "c1 b<"), seats=seats), watching=(name,))
    lines = tuple(Line(kind, name, name, "B") for kind in ("chat", "notice", "game"))
    return model_of(shot, lines=lines, error=refused(name))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("size", [(44, 13), (76, 9), (60, 20), (80, 24), (120, 30), (200, 60)])
async def test_every_screen_is_drawn_whole(players: int, size: tuple[int, int]) -> None:
    """On real widgets of several sizes every region is where the plan has it, every line full."""
    if size == (76, 9) and players < 4:
        pytest.skip("fewer players need less height, not more")
    async with table(snapshot_of(played(players, "c1 b<")), size) as at:
        assert at.screen._plan is not None
        plan = at.screen._plan
        for name, rect in (("board", plan.board), ("prompt", plan.prompt)):
            region = at.screen.query_one(f"#{name}", Sheet).region
            assert (region.x, region.y, region.width, region.height) == (
                rect.x, rect.y, rect.width, rect.height,
            )  # fmt: skip
        assert at.text.count("A Ann") >= 1


async def test_without_colours_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under NO_COLOR the aim, the marks and whose turn it is are still there to read."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with table(MINE) as at:
        await at.press("4")
        assert at.pilot.app.no_color
        assert "▶ A Ann" in at.text
        assert "┏━" in at.text
        await at.show(model_of(MISSED))
        assert "✗ MISS" in at.text
        assert "─✗─" in at.text


@pytest.mark.parametrize("width", range(40, 60))
@pytest.mark.parametrize("left", ["", "1:20"])
def test_a_prompt_that_fits_is_not_cut(width: int, left: str) -> None:
    """Where there is room for the sentence it stands whole, if need be without ornament."""
    said = Prompt("accent", "YOUR TURN", "Reveal Cy's lowest card?")
    words, *_ = prompt_items(said, width, left=left)
    assert isinstance(words, Words)
    needed = len("▌ YOUR TURN  Reveal Cy's lowest card?")
    room = width - (len(left) + 2 if left else 0)
    assert sum(len(piece.text) for piece in words.pieces) <= max(room, needed)


async def test_fixed_deals_are_said_all_the_time() -> None:
    """Whoever sits at a table where the cards were chosen sees it in the first line."""
    async with table(replace(MINE, deal=replace(MINE.deal, fixed=True))) as at:
        assert "fixed deals" in at.text.splitlines()[0]
        await at.show(model_of(MINE))
        assert "fixed deals" not in at.text
