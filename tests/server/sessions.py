"""Sessions at random: everything that can be said and happen in a room, in any order."""

import os
from collections.abc import Callable
from random import Random
from typing import Any, Final

from nana_core.fair import SECRET_BYTES, nonce_hash
from nana_core.protocol import inbound as i
from nana_core.protocol import outbound as o
from server.house_fixture import Friend, Home, company, step_of

SESSIONS: Final = int(os.environ.get("NANA_SESSIONS", "60"))


def session(
    seed: int, actions: int = 120, look: Callable[[Home], None] = lambda home: None
) -> tuple[Home, list[Friend]]:
    """Play at random with everything that can be said and happen."""
    chance = Random(f"session/{seed}")
    home = Home(f"session/{seed}")
    friends = company(
        home,
        chance.randrange(2, 5),
        nonce=chance.random() < 0.7,
        memory=chance.choice(["none", "open"]),
        turn_time=chance.choice([0, 30, 90]),
        pace=chance.choice([0, 1200]),
        seats=5,
    )
    friends.append(Friend(home, "Fan"))
    friends[-1].watch(friends[0].code)
    for _ in range(actions):
        if friends[0].code not in {room.code for room in home.lobby}:
            break
        home.journal.works = chance.random() < 0.95
        home.journal.delay = chance.choice([0, 0, 30])
        something(home, friends, chance)
        look(home)
    home.journal.works, home.journal.delay = True, 0
    home.advance(31)
    return home, friends


def something(home: Home, friends: list[Friend], chance: Random) -> None:
    friend = chance.choice(friends)
    if not friend.line.open:
        friend.resume() if chance.random() < 0.7 else friend.join(friend.code, nonce=True)
        return
    if chance.random() < 0.05:
        friend.drop()
    elif chance.random() < 0.15:
        home.advance(chance.choice([1, 500, 1200, 21_000, 31_000]))
    elif chance.random() < 0.5 and friend.state.phase == "playing":
        for it in friends:
            if it.line.open and it.seat is not None and it.line.all_of(o.Snapshot):
                shot = it.shot
                if shot.legal and shot.on_turn == shot.you.seat:
                    it.say(step_of(it, chance))
    else:
        friend.say(anything(friend, chance))


def anything(friend: Friend, chance: Random) -> i.Inside:
    nonce = chance.randbytes(SECRET_BYTES)
    seat: Any = chance.choice("ABCDE")
    if friend.state.phase == "opening" and friend.nonce is not None and chance.random() < 0.7:
        return i.Open(nonce=friend.nonce.hex())
    if friend.state.phase in {"lobby", "over"} and chance.random() < 0.4:
        return i.Start()
    friend.nonce = nonce if chance.random() < 0.5 else friend.nonce
    given = nonce_hash(friend.nonce) if friend.nonce else None
    kinds: list[i.Inside] = [
        i.SetOptions(options=i.OptionChanges(seats=chance.randrange(2, 6))),
        i.SetOptions(options=i.OptionChanges(memory=chance.choice(["none", "open"]))),
        i.AddBot(level=chance.choice(["random", "novice"])),
        i.AddBot(seat=seat),
        i.Remove(seat=seat),
        i.GiveHost(seat=seat),
        i.Open(nonce=nonce.hex()),
        i.Chat(text=f"{chance.random()}", id=f"{chance.randrange(9)}"),
        i.Rematch(ready=chance.random() < 0.8, nonce_hash=given),
        i.Sit(seat=chance.choice([None, seat]), nonce_hash=given),
        i.Pause(on=chance.random() < 0.3),
        i.Continue(step=friend.state.step),
    ]
    rare: list[i.Inside] = [i.End(), i.Leave(), i.Close()]
    return chance.choice(rare if chance.random() < 0.02 else kinds)
