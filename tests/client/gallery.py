"""Every screen, in every state that looks different: what the golden screens are made of.

A scene is a screen to push on a stage and the keys that bring it into its state. Scenes
of a table come for two to five players; the others stand alone.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from textual.screen import Screen

from client.scenes import (
    _number,
    _set_for,
    finished,
    lobby,
    model_of,
    played,
    refused,
    snapshot_of,
)
from client.stage import Recorder, Stage, screen_text
from core.test_record import good_record
from nana_client.address import Target, target_of
from nana_client.breath import Breath
from nana_client.coach import Coach, coached
from nana_client.knowable import margin
from nana_client.looks import LOOKS
from nana_client.model import Model
from nana_client.played import About, Played
from nana_client.replay_tape import Tape
from nana_client.rooms import NoRooms, OpenRoom
from nana_client.screens.games import GamesScreen
from nana_client.screens.help import HelpScreen
from nana_client.screens.join import JoinScreen
from nana_client.screens.leave import LeaveScreen
from nana_client.screens.lobby import LobbyScreen
from nana_client.screens.menu import MenuScreen
from nana_client.screens.opening import Opening, OpeningScreen
from nana_client.screens.replay import ReplayScreen
from nana_client.screens.rooms import RoomsScreen
from nana_client.screens.settings import NameScreen, SettingsScreen
from nana_client.screens.table import TableScreen
from nana_client.screens.waiting import WaitingScreen
from nana_client.settings import Settings
from nana_client.tuning import tunings
from nana_core.actions import Continue, Reveal, Source
from nana_core.deck import SIZES
from nana_core.game import SEVEN, Game, apply
from nana_core.protocol.outbound import Bye

Size: TypeAlias = tuple[int, int]
PLAYERS: Final = tuple(SIZES)
SIZES_SHOWN: Final[tuple[Size, ...]] = ((80, 24), (100, 30), (140, 40))
LINKS: Final = ("ws://192.168.1.5:8765/r/KQ7MX", "ws://[fd00::5]:8765/r/KQ7MX")


class Scene(Struct, frozen=True):
    """A screen, newly made each time, what it lies over, and the keys that are pressed on it."""

    make: Callable[[], Screen[Any]]
    keys: tuple[str, ...] = ()
    under: Callable[[], Screen[Any]] | None = None

    async def show(self, stage: Stage) -> None:
        """Put the screen on a stage."""
        for make in filter(None, (self.under, self.make)):
            await stage.push_screen(make())


def tables(players: int) -> dict[str, Scene]:
    """Return the table in each of its states."""
    return {name: _table(model, *keys) for name, model, keys in _states(players)}


def others() -> dict[str, Scene]:
    """Return every screen but the table."""
    return dict(_others())


def _table(model: Model, *keys: str, coach: Coach | None = None) -> Scene:
    return Scene(lambda: TableScreen(Recorder(model), now=lambda: 0, coach=coach), keys)


def _states(players: int) -> Iterator[tuple[str, Model, tuple[str, ...]]]:
    """Return the states that lay the table out in another way for each number of players."""
    mine, last = middle(players), players - 1
    theirs, before = middle(players, 1), middle(players, last)
    away: dict[str, dict[str, Any]] = {"B": {"online": False}}
    yield "the first turn", _at(played(players)), ()
    yield "your turn, aimed", _at(mine), ("B",)
    yield "two of three", _at(turned(mine, 2, wanted=True)), ()
    yield "a set, yours to go on", _at(turned(before, 3, wanted=True)), ()
    yield "a miss, another goes on", _at(turned(mine, 2, wanted=False)), ()
    yield "another's turn, away", _at(turned(theirs, 1, wanted=True), seats=away), ()
    yield "watching", _at(turned(theirs, 2, wanted=True), None), ()
    yield "open memory", _at(turned(mine, 1, wanted=False), memory="open"), ()
    yield "you win", _proven(_at(finished(players))), ()
    scores = {"A": {"won": 2, "ready": True}, "B": {"won": 1}}
    yield "another wins", _proven(_changed(_at(finished(players, last), seats=scores), game=4)), ()
    yield "over, watching", _proven(_at(finished(players), None)), ()


def _more_states(players: int) -> Iterator[tuple[str, Model, tuple[str, ...]]]:
    """Return the states that differ by what is said, more than by what lies where."""
    mine, theirs, before = (middle(players, at) for at in (0, 1, players - 1))
    held = turned(before, 2, wanted=False)
    gone: dict[str, dict[str, Any]] = {"B": {"left": True, "online": False, "kind": "bot"}}
    yield "your turn, refused", _at(mine, error=refused("Slot 1 is open already.")), ()
    yield "one of three", _at(turned(mine, 1, wanted=True)), ()
    yield "a miss, yours to go on", _at(held), ()
    yield "a miss, held", _at(held, held=True, not_before=1_000_800), ()
    yield "a stand-in plays for you", _at(mine, seats={"A": {"stand_in": True}}), ()
    yield "a stand-in plays, another's turn", _at(theirs, seats={"A": {"stand_in": True}}), ()
    yield "another has left", _at(theirs, seats=gone), ()
    yield "paused", _at(mine, paused=True), ()
    yield "reconnecting", _offline(_at(mine)), ()
    yield "closed", _closed(_at(mine)), ()
    yield "dealing", _dealing(_at(played(players))), ()
    yield "talking", _at(theirs), ("t",)


def _changed(model: Model, **changes: Any) -> Model:
    """Change the snapshot that a model shows."""
    assert model.snapshot is not None
    return replace(model, snapshot=replace(model.snapshot, **changes))


def _dealing(model: Model) -> Model:
    return _changed(model, phase="opening", on_turn=None, legal=(), attempt=None, turn=0)


def _offline(model: Model) -> Model:
    return replace(model, connection="waiting", trouble="The server went away.", retry_in=4.0)


def _closed(model: Model) -> Model:
    bye = Bye(code="replaced", text="Your seat was taken from another terminal.", retry="never")
    return replace(model, connection="closed", bye=bye)


def _proven(model: Model) -> Model:
    return replace(model, proof="verified", proof_text="Deal verified: nobody chose it.")


def _others() -> Iterator[tuple[str, Scene]]:
    kept = Opening(bots=2, level="memory", kept="KQ7MX")
    trouble = Opening(trouble="Nothing answers at 192.168.1.5:8765: is the server running?")
    yield "opening", Scene(lambda: OpeningScreen("Ann", Opening()))
    yield "opening, a seat is kept", Scene(lambda: OpeningScreen("Evelyn-Marie", kept))
    yield "opening, after trouble", Scene(lambda: OpeningScreen("Ann", trouble))
    yield "join", Scene(lambda: JoinScreen("Ann", "ws://192.168.1.5:8765/"))
    yield "join, a link that is none", Scene(lambda: JoinScreen("Ann"), ("x", "enter"))
    yield "watch", Scene(lambda: JoinScreen("Wanda", watch=True))
    yield from _browsing()
    yield from _games_played()
    yield "waiting", Scene(lambda: WaitingScreen("Going to the table …"))
    for name, model, more in _more_states(4):
        yield f"table, {name}", _table(model, *more)
    yield "table, a card is turning", _table(_at(middle(4)), "B", "B")
    over = _proven(_at(finished(4)))
    yield (
        "table, just over",
        Scene(lambda: TableScreen(Recorder(over), now=lambda: 0, breath=Breath())),
    )
    first = _at(played(4))
    assert first.snapshot is not None
    yield "table, coached", _table(first, coach=coached(Coach(), first.snapshot))
    yield from _lobbies()
    yield from _over_the_table()
    for seat, eyes in ((None, "all hands"), (1, "one seat")):
        for name, keys in (("deal", ()), ("middle", ("pagedown",) * 4), ("end", ("end",))):
            yield f"replay, {eyes}, {name}", _replay(seat, *keys)
    yield "replay, notes", _replay(None, "end", "left", "n")


def _browsing() -> Iterator[tuple[str, Scene]]:
    """Return the open tables of a server: some, none, and a server that does not answer."""
    listed = (
        OpenRoom("KQ7MX", "lobby", 4, 2, 1),
        OpenRoom("BBBBB", "over", 5, 4, 3, "open"),
        OpenRoom("AAAAA", "playing", 3, 3, 12),
    )

    def rooms(found: tuple[OpenRoom, ...], why: str = "") -> Scene:
        async def ask(_server: Target) -> tuple[OpenRoom, ...]:
            if why:
                raise NoRooms(why)
            return found

        return Scene(lambda: RoomsScreen(target_of("nana.example.org", 8765), ask))

    yield "rooms", rooms(listed)
    yield "rooms, none", rooms(())
    yield "rooms, no answer", rooms((), "Nothing answers at nana.example.org:8765.")


class _Games:
    """Games that lie nowhere, so that their paths are the same everywhere."""

    def __init__(self, *games: Played) -> None:
        self._games = games

    def games(self) -> tuple[Played, ...]:
        return self._games

    def delete(self, game: Played) -> str:
        return f"{game.path.name} could not be deleted: Permission denied."


def _games_played() -> Iterator[tuple[str, Scene]]:
    """Return the games that were played: none, one of each kind, more than fit."""
    now = datetime(2026, 11, 30, 21, 30).astimezone().timestamp()
    folder = Path("/home/ann/records")
    servers = ("", "wss://nana.example.org/", "ws://127.0.0.1:8765/")

    def game(at: int, seat: str | None = "A") -> Played:
        record = replace(good_record(2 + at % 4), game=at + 1)
        about = About(server=servers[at % 3], seat=seat, saved=at == 1)
        file = folder / f"nana-KQ7MX-{at + 1}.json"
        return Played(file, now - 1500 * (at + 1), about if seat else None, record)

    why = "This record is damaged: Input data was truncated."
    broken = Played(folder / "nana-KQ7MX-9.json", now - 90, None, None, why)
    few = (broken, game(0), game(1), game(2, "C"), game(3, None))

    def shown(*games: Played, kept: bool = True, keys: tuple[str, ...] = ()) -> Scene:
        shelf = _Games(*games)
        return Scene(lambda: GamesScreen(shelf, kept=kept, clock=lambda: now), keys)

    yield "games played", shown(*few, keys=("down", "down"))
    yield "games played, a damaged file", shown(*few)
    yield "games played, none", shown()
    yield "games played, none by itself", shown(kept=False)
    yield "games played, many", shown(*map(game, range(40)), keys=("pagedown", "pagedown"))
    yield "games played, a question", shown(*few, keys=("down", "x"))
    yield "games played, not deleted", shown(*few, keys=("x", "y"))


def _replay(seat: int | None, *keys: str) -> Scene:
    return Scene(lambda: ReplayScreen(Tape(good_record(4)), seat, margin=margin), keys)


def _lobbies() -> Iterator[tuple[str, Scene]]:
    def lobby_of(model: Model, links: tuple[str, ...] = LINKS) -> Scene:
        return Scene(lambda: LobbyScreen(Recorder(model), links))

    yield "lobby, host", lobby_of(model_of(lobby()))
    yield "lobby, guest", lobby_of(model_of(lobby(1, people=3)), LINKS[:1])
    yield "lobby, watcher", lobby_of(model_of(lobby(None)), LINKS[:1])
    yield "lobby, alone", lobby_of(model_of(lobby(people=1, bots=0, watching=())))
    yield "lobby, between two games", lobby_of(model_of(lobby(phase="over")))
    own = model_of(lobby(people=1, phase="over", watching=()))
    yield "lobby, private", Scene(lambda: LobbyScreen(Recorder(own), LINKS, private=True))


def _over_the_table() -> Iterator[tuple[str, Scene]]:
    """Return what lies over other screens: help, menus, the question before leaving."""
    model = _at(middle(3))

    def over(make: Callable[[], Screen[Any]], *keys: str) -> Scene:
        return Scene(make, keys, lambda: TableScreen(Recorder(model), now=lambda: 0))

    def menu(page: str = "") -> Scene:
        return over(lambda: MenuScreen(Recorder(model), model, page))

    yield "help", over(HelpScreen)
    yield "help, rules first", over(lambda: HelpScreen(rules_first=True))
    yield "menu", menu()
    yield "menu, mute", menu("mute")
    yield "menu, remove", menu("remove")
    yield "menu, make host", menu("host")
    yield "menu, end the game", menu("sure end")
    files = ("~/.config/nana/settings.toml", "~/.config/nana/keys.toml")
    settings = Settings(name="Ann", theme="night")
    rows = tunings(sorted(LOOKS))
    yield "settings", over(lambda: SettingsScreen(settings, rows, files))
    yield "settings, the last", over(lambda: SettingsScreen(settings, rows, files), "up")
    yield "settings, name", over(lambda: NameScreen("Ann"))
    yield "leave", over(lambda: LeaveScreen("hosting a game"))
    yield "leave, against bots", over(lambda: LeaveScreen("alone"))


def _at(game: Game, you: int | None = 0, **changes: Any) -> Model:
    """Show a position; the model's clock begins where the snapshot's does."""
    error, held = changes.pop("error", None), changes.pop("held", False)
    shot = snapshot_of(game, you, **changes)
    return replace(model_of(shot), clock_offset=shot.now, error=error, held=held)


def middle(players: int, on_turn: int = 0) -> Game:
    """Play until every second seat has a set and this seat is to reveal."""
    game = played(players)
    while game.table.turn <= players * 2 or game.table.on_turn != on_turn:
        seat = game.table.on_turn
        wanted = not game.table.sets[seat] and seat % 2 == 1
        for source in _reveals(game, wanted):
            game = apply(game, seat, Reveal(source))
        game = apply(game, game.table.on_turn, Continue())
    return game


def _reveals(game: Game, wanted: bool) -> list[Source]:
    """Return the reveals that make a set of anything but 7s, or that miss."""
    found = _set_for(game, wanted)
    numbers = {_number(game, source) for source in found[:1]}
    return found if not wanted or numbers != {SEVEN} else _set_for(game, False)


def turned(game: Game, count: int, *, wanted: bool) -> Game:
    """Turn so many cards: of a set that is there, or of an attempt that misses."""
    for source in _set_for(game, wanted)[:count]:
        game = apply(game, game.table.on_turn, Reveal(source))
    return game


async def drawn(scenes: dict[str, Scene], size: Size) -> dict[str, str]:
    """Push each scene's screen on one stage; return what stands on it, without spaces at ends."""
    texts: dict[str, str] = {}
    stage = Stage(Screen())
    async with stage.run_test(size=size) as pilot:
        for name, scene in scenes.items():
            await scene.show(stage)
            await pilot.pause()
            if scene.keys:
                await pilot.press(*scene.keys)
                await pilot.pause()
            texts[name] = "\n".join(line.rstrip() for line in screen_text(pilot).splitlines())
            while stage.screen is not stage.first:
                await stage.pop_screen()
    return texts
