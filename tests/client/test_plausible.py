"""Tables that cannot be: found in one place, so that no screen and no bot has to ask."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.scenes import finished, lobby, played, snapshot_of
from client.tables import HELLO, LOBBY, WELCOME, Peer, attempt, house
from nana_client.entrance import Joining
from nana_client.plausible import flaw_in_table
from nana_client.session import Session
from nana_core.protocol.codec import decode_outbound, encode
from nana_core.protocol.outbound import LedgerView, ResultView, Snapshot, WinView

GAME = snapshot_of(played(3, "c1"))
SEVEN_SEATS = tuple(replace(GAME.seats[0], seat=letter) for letter in "ABCDEFG")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("actions", ["", "c1", "a< b>", "a< b> .", "a< b> . c1"])
def test_what_is_played_can_be(players: int, actions: str) -> None:
    """Tables from the rules' own hand are good, in the middle of an attempt and after it."""
    assert flaw_in_table(snapshot_of(played(players, actions))) is None


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_has_ended_can_be(players: int) -> None:
    """So are finished games, and rooms before one."""
    assert flaw_in_table(snapshot_of(finished(players))) is None
    assert flaw_in_table(LOBBY) is None
    assert flaw_in_table(lobby()) is None


def _seat(**changes: Any) -> dict[str, Any]:
    return {"seats": (replace(GAME.seats[0], **changes), *GAME.seats[1:])}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"seats": ()}, id="no seats"),
        pytest.param({"seats": SEVEN_SEATS}, id="too many seats"),
        pytest.param(_seat(seat="a<"), id="a seat that is no letter"),
        pytest.param({"seats": GAME.seats[::-1]}, id="seats in another order"),
        pytest.param(_seat(cards=-1), id="fewer cards than none"),
        pytest.param(_seat(cards=10**9), id="more cards than there are"),
        pytest.param(_seat(sets=(13,)), id="a set of 13s"),
        pytest.param(_seat(sets=(1, 2, 3, 4)), id="four sets"),
        pytest.param(_seat(sets=(GAME.you.hand[0],)), id="a set that is in one's hand, too"),
        pytest.param({"on_turn": "E"}, id="nobody on turn"),
        pytest.param({"host": ""}, id="a host without a letter"),
        pytest.param({"you": replace(GAME.you, seat="Z")}, id="oneself nowhere"),
        pytest.param({"you": replace(GAME.you, hand=(1,))}, id="another hand than all see"),
        pytest.param({"you": replace(GAME.you, hand=(-1,) * 8)}, id="cards below 1"),
        pytest.param({"legal": ("c4000",)}, id="a slot that is not there"),
        pytest.param({"legal": ("c1",)}, id="a slot that is open"),
        pytest.param({"legal": ("e<",)}, id="a hand that nobody has"),
        pytest.param({"legal": ("c²",)}, id="a digit that is no number"),
        pytest.param({"center": ()}, id="no center"),
        pytest.param({"center": ("down",) * 500}, id="a center without end"),
        pytest.param({"center": (99, *GAME.center[1:])}, id="a 99"),
        pytest.param({"center": ("gone", *GAME.center[1:])}, id="a card too few"),
        pytest.param({"attempt": None}, id="no attempt"),
        pytest.param({"attempt": attempt(1, "Q", "c1=4")}, id="an attempt of nobody"),
        pytest.param({"attempt": attempt(1, "A", "c1=0")}, id="an attempt at a 0"),
        pytest.param({"attempt": attempt(1, "A", "zz=4")}, id="an attempt from nowhere"),
        pytest.param({"attempt": attempt(1, "A", *["c1=4"] * 4)}, id="four cards"),
        pytest.param({"attempt": attempt(1, "A", outcome="set")}, id="a set of nothing"),
        pytest.param({"missed": (attempt(1, "A", "c9999=4"),)}, id="one missed from nowhere"),
        pytest.param({"missed": (attempt(1, "A", "c2=12"),)}, id="one missed of another game"),
        pytest.param({"hands": ((1,) * 400,)}, id="a hand without end"),
        pytest.param({"ledger": LedgerView(center=(77,), hands=())}, id="a 77 seen"),
        pytest.param({"ledger": LedgerView(center=(), hands=((),) * 9)}, id="nine hands seen"),
        pytest.param(
            {"result": ResultView(kind="won", seat="J", wins=(), why=None)}, id="a winner nowhere"
        ),
        pytest.param(
            {"result": ResultView(kind="won", seat="A", wins=(WinView("x", (44,)),), why=None)},
            id="won by a 44",
        ),
        pytest.param({"deal": replace(GAME.deal, nonce_hashes=(None,) * 6)}, id="six commitments"),
        pytest.param({"deal": replace(GAME.deal, to_open=("Y",))}, id="nobody is to open"),
    ],
)
def test_what_cannot_be_is_named(changes: dict[str, Any]) -> None:
    """One thing wrong with a good table is enough, whatever it is."""
    assert flaw_in_table(GAME) is None
    assert flaw_in_table(replace(GAME, **changes)) is not None


def test_what_is_newer_can_be() -> None:
    """Words that a later server may use are no reason to refuse a table."""
    newer = replace(
        GAME,
        phase="intermission",
        seats=(replace(GAME.seats[0], kind="ghost", level="genius"), *GAME.seats[1:]),
        result=ResultView(kind="drawn", seat=None, wins=(WinView("{0}", (1,)),), why="tea"),
    )
    read = decode_outbound(encode(newer))
    assert isinstance(read, Snapshot)
    assert flaw_in_table(read) is None


async def test_a_session_ends_at_such_a_table() -> None:
    """It ends for good with a sentence, and nobody was shown the table."""

    async def script(peer: Peer) -> None:
        await peer.say(HELLO, WELCOME, LOBBY, replace(LOBBY, version=2, host="<"))
        await peer.gone()

    shown: list[Snapshot] = []
    async with house(script) as target:
        session = Session(
            target,
            Joining(name="Ann"),
            store=None,
            on_change=lambda _, message: (
                shown.append(message) if isinstance(message, Snapshot) else None
            ),
        )
        ending = await session.run()
    assert ending.text.startswith("The server sent a table that cannot be: it names a seat")
    assert shown == [LOBBY]
