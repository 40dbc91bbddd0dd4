"""From game to game: who plays on, who begins, whose score it is, and the deal that is proven."""

from random import Random
from typing import Final

import pytest

from nana_core.deck import LETTERS
from nana_core.fair import fair_deal, nonce_hash, seed_hash
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from server.house_fixture import Friend, Home, act, begin, collect, company, finish

EVENING: Final = 5


def table(people: int, **options: object) -> tuple[Home, list[Friend]]:
    home = Home(people)
    friends = company(home, people, nonce=True, **options)
    begin(friends)
    return home, friends


def ask_again(friends: list[Friend]) -> None:
    for friend in friends:
        friend.say(i.Rematch(nonce_hash=friend.commitment()))


def test_who_is_not_ready_watches_and_gaps_close() -> None:
    """The next game is for those who asked; seats move up, and the letters hold from then on."""
    _, friends = table(4)
    finish(friends)
    assert [seat.ready for seat in friends[0].shot.seats] == [False] * 4
    players = [friends[0], friends[2], friends[3]]
    ask_again(players)
    assert [seat.ready for seat in friends[0].shot.seats] == [True, False, True, True]
    begin(players)
    assert [friend.shot.you.seat for friend in friends] == ["A", None, "B", "C"]
    assert friends[1].shot.watching == ("Ben",)
    assert len(friends[0].shot.seats) == 3
    assert friends[0].shot.game == 2
    finish(players)
    friends[1].say(i.Sit(nonce_hash=friends[1].commitment()))
    assert friends[1].shot.you.seat == "D"
    ask_again(players)
    begin([*players, friends[1]])
    assert len(friends[0].shot.seats) == 4


def test_ready_can_be_taken_back() -> None:
    """Whoever changes their mind before the start is not dealt in."""
    _, friends = table(3)
    finish(friends)
    ask_again(friends)
    friends[1].say(i.Rematch(ready=False))
    friends[0].say(i.Start())
    assert friends[1].shot.you.seat is None


def test_alone_there_is_no_rematch() -> None:
    """One who is ready waits, or takes a bot."""
    home, friends = table(2)
    finish(friends)
    friends[0].say(i.Rematch())
    assert friends[0].refused(i.Start()) == "too_few_players"
    friends[0].say(i.AddBot(level="random"))
    friends[0].say(i.Start())
    assert friends[0].shot.phase == "playing"
    assert [seat.kind for seat in friends[0].shot.seats] == ["person", "bot"]
    assert home.alarms


def test_the_first_seat_moves_one_clockwise() -> None:
    """Whoever sat after the last first player begins, also when somebody in between is gone."""
    _, friends = table(4)
    first = friends[0].shot.on_turn or ""
    for _ in range(3):
        finish(friends)
        ask_again(friends)
        begin(friends)
        first = LETTERS[(LETTERS.index(first) + 1) % 4]
        assert friends[0].shot.on_turn == first
    finish(friends)
    heir = friends[(LETTERS.index(first) + 2) % 4]
    ask_again([it for it in friends if it is not friends[(LETTERS.index(first) + 1) % 4]])
    host = next(it for it in friends if it.shot.you.host)
    host.say(i.Start())
    for friend in friends:
        if friend.seat is not None:
            friend.open()
    assert host.state.game is not None
    assert heir.seat == host.state.game.table.on_turn


def test_won_games_belong_to_members_and_bots() -> None:
    """A score follows its member to another seat, through a break, and not to who sits there."""
    _, friends = table(3)
    finish(friends)
    result = friends[0].shot.result
    assert result is not None
    winner = next(it for it in friends if it.shot.you.seat == result.seat)
    assert friends[0].shot.seats[winner.seat or 0].won == 1
    assert sum(seat.won for seat in friends[0].shot.seats) == 1
    others = [it for it in friends if it is not winner]
    for it in others:
        it.say(i.Rematch())
    host = next(it for it in friends if it.shot.you.host)
    host.say(i.Start())
    assert winner.seat is None
    finish(others)
    assert winner.state.members[winner.key].won == 1
    winner.say(i.Sit())
    assert winner.shot.seats[LETTERS.index(winner.shot.you.seat or "")].won == 1


def test_the_next_commitment_is_kept() -> None:
    """While a game is over the hash of the next seed stands there, and it is the one used."""
    _, friends = table(2)
    for _ in range(3):
        assert friends[0].shot.next_seed_hash is None
        finish(friends)
        promised = friends[0].shot.next_seed_hash
        assert promised is not None
        ask_again(friends)
        assert friends[0].shot.next_seed_hash == promised
        begin(friends)
        assert friends[0].shot.deal.seed_hash == promised


def test_a_nonce_is_for_one_game() -> None:
    """A rematch without a commitment has none; the last one does not stay in force."""
    _, friends = table(2)
    assert friends[0].shot.deal.nonce_hashes == tuple(
        nonce_hash(friend.nonce) for friend in friends if friend.nonce
    )
    finish(friends)
    ask_again([friends[0]])
    friends[1].say(i.Rematch())
    friends[0].say(i.Start())
    assert friends[0].nonce is not None
    assert friends[0].shot.deal.nonce_hashes == (nonce_hash(friends[0].nonce), None)
    assert friends[0].shot.deal.to_open == ("A",)
    friends[0].open()
    assert friends[0].shot.phase == "playing"


@pytest.mark.parametrize("people", [2, 3, 4, 5])
def test_the_openings_give_the_deal_that_was_dealt(people: int) -> None:
    """Seed and nonces, opened at the end, lead to hands, center and first seat; for each game."""
    _, friends = table(people, seats=5)
    for game in (1, 2):
        before = {friend: friend.shot.you.hand for friend in friends}
        finish(friends)
        shot = friends[0].shot
        opened = shot.opened
        assert opened is not None
        assert seed_hash(shot.room, game, bytes.fromhex(opened.seed)) == shot.deal.seed_hash
        nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in opened.nonces]
        assert nonces == [friend.nonce for friend in friends]
        first = LETTERS.index(opened.first) if opened.rotated else None
        assert opened.rotated == (game > 1)
        deal = fair_deal(shot.room, game, bytes.fromhex(opened.seed), nonces, first)
        assert (deal.hands, deal.center) == (opened.hands, opened.center)
        assert LETTERS[deal.first] == opened.first
        assert [before[friend] for friend in friends] == list(deal.hands)
        ask_again(friends)
        begin(friends)


def test_only_ones_own_nonce_opens_once() -> None:
    """A wrong, foreign or second opening is refused; nothing else opens the deal early."""
    home = Home()
    friends = company(home, 3, nonce=True)
    friends[0].say(i.Start())
    assert list(friends[0].shot.deal.to_open) == ["A", "B", "C"]
    assert friends[0].shot.opened is None
    foreign = friends[1].nonce or b""
    assert friends[0].refused(i.Open(nonce=foreign.hex())) == "bad_nonce"
    friends[0].open()
    assert list(friends[0].shot.deal.to_open) == ["B", "C"]
    assert friends[0].refused(i.Open(nonce=(friends[0].nonce or b"").hex())) == "bad_nonce"
    fan = Friend(home, "Fan")
    fan.watch(friends[0].code)
    assert fan.refused(i.Open(nonce=foreign.hex())) == "not_seated"
    friends[1].open()
    friends[2].open()
    assert friends[0].shot.phase == "playing"
    assert list(friends[0].shot.deal.to_open) == []


def test_a_deal_without_an_opening_says_so() -> None:
    """Who did not open is None in the record, and the deal follows from the others."""
    home, friends = Home(), []
    friends = company(home, 2, nonce=True)
    friends[0].say(i.Start())
    friends[0].open()
    friends[1].say(i.Leave())
    home.advance(5000)
    friends[0].say(i.End())
    opened = friends[0].shot.opened
    assert opened is not None
    assert friends[0].nonce is not None
    assert opened.nonces == (friends[0].nonce.hex(), None)
    deal = fair_deal(friends[0].code, 1, bytes.fromhex(opened.seed), [friends[0].nonce, None], None)
    assert deal.hands == opened.hands


def test_a_whole_evening() -> None:
    """Five games with friends, two bots, drops and a latecomer: every game ends, scores add up."""
    home, friends = table(2, seats=5, pace=200)
    late = Friend(home, "Late")
    wins = 0
    for game in range(1, EVENING + 1):
        chance = Random(game)
        for _ in range(3000):
            if friends[0].state.phase == "over":
                break
            playing = friends[0].state.game
            assert playing is not None
            here = [it for it in friends if it.seat == playing.table.on_turn]
            if here and here[0].line.open:
                act(here, chance) if chance.random() < 0.7 else collect(here)
            else:
                home.advance(300)
            if game == 2 and friends[1].line.open and chance.random() < 0.05:
                friends[1].drop()
                home.advance(21_000)
                friends[1].resume()
        result = friends[0].shot.result
        assert result is not None
        wins += result.kind == "won"
        assert sum(seat.won for seat in friends[0].shot.seats) == wins
        if game == 1:
            friends[0].say(i.AddBot(level="novice"))
            friends[0].say(i.AddBot(level="random"))
        if game == 3:
            late.join(friends[0].code, nonce=True)
            friends.append(late)
        ask_again([it for it in friends if it.seat is not None])
        begin(friends)
    assert wins == EVENING
    assert friends[0].shot.game == EVENING + 1
    assert [seat.name for seat in friends[0].shot.seats] == ["Ada", "Ben", "Mochi", "Kumo", "Late"]


def test_options_are_chosen_between_games() -> None:
    """Seats in use cannot be taken away, nor those of the finished table; more can be added."""
    _, friends = table(3, seats=3)
    finish(friends)
    host = friends[0]
    assert host.refused(i.SetOptions(options=i.OptionChanges(seats=2))) == "bad_option"
    friends[2].say(i.Leave())
    assert host.refused(i.SetOptions(options=i.OptionChanges(seats=2))) == "bad_option"
    host.say(i.SetOptions(options=i.OptionChanges(seats=5, turn_time=30)))
    assert len(host.shot.seats) == 5
    ask_again(friends[:2])
    begin(friends[:2])
    finish(friends[:2])
    host.say(i.SetOptions(options=i.OptionChanges(seats=2)))
    assert len(host.shot.seats) == 2


def test_a_finished_table_keeps_its_seats() -> None:
    """Removing a bot frees its seat, and its cards and sets stay readable beside the result."""
    home = Home()
    host = Friend(home, "Ada").create(seats=3)
    host.say(i.AddBot(level="random"))
    host.say(i.AddBot(level="random"))
    host.say(i.Start())
    host.say(i.End())
    host.say(i.Remove(seat="C"))
    assert host.refused(i.SetOptions(options=i.OptionChanges(seats=2))) == "bad_option"
    shot = host.shot
    assert shot.hands is not None
    assert len(shot.seats) == len(shot.hands) == 3
    host.say(i.Remove(seat="B"))
    host.say(i.SetOptions(options=i.OptionChanges(seats=5)))
    assert [seat.kind for seat in host.shot.seats] == ["person"] + ["free"] * 4


def test_lobby_seats_close_up_when_there_are_fewer() -> None:
    """Whoever sat beyond the new end moves up; the letter in the snapshot says where."""
    home = Home()
    friends = company(home, 3, seats=5)
    friends[1].say(i.Leave())
    friends[0].say(i.SetOptions(options=i.OptionChanges(seats=2)))
    assert friends[2].shot.you.seat == "B"
    assert [seat.name for seat in friends[0].shot.seats] == ["Ada", "Cleo"]
    assert isinstance(friends[2].resume()[0], o.Welcome)


def test_a_host_who_watches_rules_an_empty_table() -> None:
    """With every bot removed there are seats to choose, and no player to start with."""
    home = Home()
    host = Friend(home, "Ada").create(seats=3)
    for _ in range(2):
        host.say(i.AddBot(level="random"))
    host.say(i.Start())
    host.say(i.End())
    host.say(i.Start())
    host.say(i.End())
    for letter in ("A", "B"):
        host.say(i.Remove(seat=letter))
    host.say(i.SetOptions(options=i.OptionChanges(seats=4)))
    assert [seat.kind for seat in host.shot.seats] == ["free"] * 4
    assert host.refused(i.Start()) == "too_few_players"
    host.say(i.Sit())
    assert host.shot.you.seat == "A"
