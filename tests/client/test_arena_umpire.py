"""The umpire of the arena: when a game is started, what is timed, and who is stood in for."""

from msgspec.structs import replace

from client.scenes import finished, lobby, played, snapshot_of
from nana_bots.arena import Round
from nana_client.arena.umpire import Umpire
from nana_core.game import Won
from nana_core.protocol.outbound import Snapshot


class Umpiring:
    """An umpire of two games for two, whose clock the test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.rounds: list[Round] = []
        self.umpire = Umpire(2, 2, self.rounds.append, lambda: self.now)

    def see(self, view: Snapshot, at: float = 0.0) -> str | None:
        self.now = at
        return self.umpire.see(view)


def at(actions: str, step: int, **changes: object) -> Snapshot:
    return replace(snapshot_of(played(2, actions), None), step=step, **changes)


def over(game: int, step: int = 9) -> Snapshot:
    shot = snapshot_of(finished(2), None)
    seats = tuple(replace(seat, ready=False) for seat in shot.seats)
    return replace(shot, game=game, step=step, seats=seats)


def ready(shot: Snapshot) -> Snapshot:
    seats = tuple(replace(seat, ready=True, online=True) for seat in shot.seats)
    return replace(shot, seats=seats)


def test_a_game_starts_when_all_are_there() -> None:
    """Once, and again only when the start was refused."""
    one = Umpiring()
    full = ready(snapshot_of(played(2), None, phase="lobby"))
    assert one.see(lobby(None, people=1, bots=0)) is None
    away = tuple(replace(seat, online=seat.seat == "A") for seat in full.seats)
    assert one.see(replace(full, seats=away)) is None
    assert one.see(full) == "start"
    assert one.see(full) is None
    one.umpire.refused()
    assert one.see(full) == "start"


def test_the_contest_closes_with_its_last_game() -> None:
    """A round is handed on when each seat has had each side of its deal."""
    one = Umpiring()
    assert one.see(at("", 1)) is None
    assert one.see(over(1)) is None
    assert one.see(ready(over(1))) == "start"
    assert one.rounds == []
    one.see(replace(at("", 1), game=2))
    assert one.see(over(2)) is None  # whoever wants to leave by themselves can
    assert one.see(ready(over(2))) == "close"
    (played_round,) = one.rounds
    assert [game.winner for game in played_round.games] == [0, 0]
    assert all(isinstance(game.played.result, Won) for game in played_round.games)


def test_a_choice_takes_until_its_card_lies_open() -> None:
    """Clearing the table is no choice; snapshots in between, of other things, change nothing."""
    one = Umpiring()
    one.see(at("", 1), 10.0)
    one.see(at("", 1), 10.5)
    one.see(at("c1", 2), 11.0)
    one.see(at("c1 c2", 3), 14.0)
    one.see(at("c1 c2 .", 4), 20.0)
    one.see(at("c1 c2 . c3", 5), 20.25)
    one.see(over(1), 21.0)
    one.see(over(2), 22.0)
    assert one.rounds[0].games[0].played.seconds == ((1.0, 3.0), (0.25, 0.75))


def test_turns_of_a_stand_in_are_noted() -> None:
    """Once for each turn that it had a hand in."""
    one = Umpiring()
    shot = at("", 1)
    seats = (replace(shot.seats[0], stand_in=True), shot.seats[1])
    one.see(shot)
    one.see(replace(shot, seats=seats))
    one.see(replace(at("c1", 2), seats=seats))
    one.see(at("c1 c2 .", 3))
    one.see(over(1))
    one.see(over(2))
    assert one.rounds[0].games[0].played.faults == (1, 0)
