"""Fixed deals: every room gets the same cards, everybody is told, and nothing is to be opened."""

from msgspec.structs import replace

from nana_core.fair import fixed_deal, fixed_seed
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from nana_core.record import Record, load, verify
from nana_server.room.room import Room
from server.house_fixture import Friend, Home, company, finish

WORD = "tanuki"


def home(seed: int = 1, word: str | None = WORD) -> Home:
    made = Home(seed)
    made.house = replace(made.house, fixed_seed=None if word is None else fixed_seed(word))
    made.lobby._house = made.house
    return made


def start(friends: list[Friend]) -> None:
    friends[0].say(i.Start())
    assert {friend.shot.phase for friend in friends} == {"playing"}


def record_of(friend: Friend) -> Record:
    (answer,) = friend.say(i.Export())
    assert isinstance(answer, o.Recorded)
    return load(bytes(answer.record))


def hands_of(friends: list[Friend]) -> list[tuple[int, ...]]:
    return [friend.shot.you.hand for friend in friends]


def test_every_room_is_dealt_the_same() -> None:
    """Another room, another server: the same word, the same hands."""
    one, other = company(home(1), 3), company(home(2), 3)
    start(one)
    start(other)
    deal = fixed_deal(1, fixed_seed(WORD), 3)
    assert hands_of(one) == hands_of(other) == list(deal.hands)
    assert one[0].shot.on_turn == "ABC"[deal.first]


def test_every_snapshot_says_so() -> None:
    """From the lobby to the end, to players and to watchers; elsewhere none does."""
    friends = company(home(), 2)
    watcher = Friend(friends[0].home, "Dora")
    watcher.watch(friends[0].code)
    start(friends)
    finish(friends)
    for friend in (*friends, watcher):
        assert friend.shot.phase == "over"
        assert all(shot.deal.fixed for shot in friend.line.all_of(o.Snapshot))
    fair = company(home(word=None), 2)
    assert not any(shot.deal.fixed for shot in fair[0].line.all_of(o.Snapshot))


def test_nobody_has_anything_to_open() -> None:
    """Commitments are accepted, and lead to nothing: the game begins at once."""
    friends = company(home(), 2, nonce=True)
    start(friends)
    assert friends[0].shot.deal.nonce_hashes == (None, None)
    assert friends[0].refused(i.Open(nonce="0" * 64)) == "wrong_phase"


def test_a_rematch_gets_the_same_deal_turned() -> None:
    """The second game of two is the first with the seats exchanged; the third is another."""
    friends = company(home(), 2)
    hands = []
    for game in (1, 2, 3):
        if game > 1:
            for friend in friends:
                friend.say(i.Rematch())
        start(friends)
        hands.append(hands_of(friends))
        finish(friends)
        record = record_of(friends[0])
        assert (record.game, record.deal.fixed, record.deal.rotated) == (game, True, False)
        assert all(finding.ok for finding in verify(record))
    assert hands[1] == hands[0][::-1]
    assert hands[2] not in hands[:2]


def test_a_room_stays_what_it_is() -> None:
    """Brought back by a server without the word, or with another, it deals on as before."""
    friends = company(home(), 2)
    start(friends)
    finish(friends)
    room, journal = friends[0].room, friends[0].home.journal
    back = Room.restored(journal.entries(room.code), home(word=None).house)
    assert back.state.fixed
    assert back.state.next_seed == back.state.seed == fixed_seed(WORD)
