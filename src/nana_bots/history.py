"""What happened in the current game, as far as its snapshots told it.

Owns the list of ended attempts, in order. It draws no conclusions: `knowledge`
does, and only for players that do not forget.
"""

from collections.abc import Iterable

from nana_core.protocol.outbound import AttemptView, Snapshot


class History:
    """The ended attempts of one game.

    A stand-in that takes over in the middle of a game starts from the public
    attempts so far. `game` None means: the game of the first snapshot seen.
    """

    def __init__(self, attempts: Iterable[AttemptView] = (), game: int | None = None) -> None:
        self.game = game
        self.attempts: list[AttemptView] = []
        for attempt in attempts:
            self._add(attempt)

    def see(self, snapshot: Snapshot) -> None:
        """Take in a snapshot; seeing one again, or an older one of the game, changes nothing."""
        if snapshot.game != self.game:
            if self.game is not None:
                self.attempts = []
            self.game = snapshot.game
        for attempt in snapshot.missed:
            self._add(attempt)
        if snapshot.attempt is not None:
            self._add(snapshot.attempt)

    def _add(self, attempt: AttemptView) -> None:
        is_news = not self.attempts or attempt.turn > self.attempts[-1].turn
        if attempt.outcome is not None and is_news:
            self.attempts.append(attempt)


def goes_on(before: Snapshot | None, view: Snapshot) -> bool:
    """Say whether a view is of the game of the one before: many tables have a game 1."""
    if before is None or view.turn < before.turn:
        return False
    return (view.game, view.deal.seed_hash) == (before.game, before.deal.seed_hash)
