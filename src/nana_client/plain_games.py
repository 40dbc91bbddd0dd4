"""The games that were played, in plain mode: listed by number, and told turn by turn."""

from collections.abc import Iterator
from typing import Final

from nana_client.keyboard import Keyboard
from nana_client.played import Played, Shelf
from nana_client.played_says import empty, lines
from nana_client.replay import lines as retold

LISTED: Final = 20  # the newest; more would only scroll away
_HOW: Final = "Type games for the list, then replay and a number of it."


class PlainGames:
    """What `games` and `replay N` say."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def listed(self, keyboard: Keyboard, *, kept: bool) -> Iterator[str]:
        """List the newest games, with the number by which each is told again."""
        try:
            games = self._shelf.games()
        except OSError as error:
            yield f"Your games cannot be read: {error.strerror}."
            return
        if not games:
            yield empty(keyboard, kept=kept)
            return
        for number, line in enumerate(lines(games[:LISTED]), start=1):
            yield f"{number:>3}  {line}"
        if len(games) > LISTED:
            yield f"And {len(games) - LISTED} more: nana replay lists them all."
        yield "replay 1 tells the first of these turn by turn, all hands open."

    def told(self, number: str) -> Iterator[str]:
        """Tell the game of a number."""
        game = self._find(number)
        if game is None:
            yield _HOW
        elif game.record is None:
            yield f"That one cannot be told. {game.why}"
        else:
            yield from retold(game.record)

    def _find(self, number: str) -> Played | None:
        try:
            games = self._shelf.games()
        except OSError:
            return None
        at = int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 0
        return games[at - 1] if 0 < at <= len(games) else None
