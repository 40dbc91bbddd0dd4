"""Every block of JSON in protocol.md is real: decoded, held to the schema, replayed, recomputed."""

import struct
from hashlib import sha256
from typing import Any, Final

import msgspec
import pytest

from core.vectors.make import Words
from nana_core import fair
from nana_core.deck import LETTERS, SIZES, full_deck
from nana_core.protocol.codec import decode_inbound, decode_outbound, encode, schema
from nana_server.gateway import Request, Response
from nana_server.lobby import Listed
from nana_server.pages import Pages
from server.document import INBOUND, OUTBOUND, Block, blocks, document, maker, section
from server.json_schema import flaws

TEXT: Final = document()
BLOCKS: Final = blocks(TEXT)
SCHEMA: Final = schema()
MARKS: Final = {"in", "out", "changes", "bo", "vector", "healthz", "rooms"}


def _line(block: Block) -> str:
    return f"line {block.line}"


def _marked(mark: str) -> list[Block]:
    return [block for block in BLOCKS if block.mark == mark]


def test_every_block_has_a_mark_that_a_test_looks_at() -> None:
    """No JSON in the document goes unchecked."""
    assert TEXT.count("```json") == len(BLOCKS)
    assert {block.mark for block in BLOCKS} == MARKS


@pytest.mark.parametrize("block", _marked("in"), ids=_line)
def test_what_clients_send_is_taken(block: Block) -> None:
    """An example of a message to the server passes the strict decoder and the schema."""
    message = decode_inbound(block.text.encode())
    assert message.__struct_config__.tag == block.value["type"]
    assert flaws(block.value, SCHEMA["properties"]["inbound"], SCHEMA) == []


@pytest.mark.parametrize("block", _marked("out"), ids=_line)
def test_what_the_server_sends_is_whole(block: Block) -> None:
    """An example from the server has every field, and none that the types do not know."""
    _assert_sent(block.value)


def test_every_message_has_an_example_where_it_is_explained() -> None:
    """Chapters 6 and 7 show each type of message."""
    inward = blocks(section(TEXT, "Messages to the server"))
    outward = blocks(section(TEXT, "Messages from the server"))
    assert {block.value["type"] for block in inward} == INBOUND.keys()
    assert {block.value["type"] for block in outward} == OUTBOUND.keys()


def test_the_examples_of_the_transcript_are_complete() -> None:
    """It shows a whole game, with refusals, a stale message, a miss, a set and a win."""
    told = section(TEXT, "Transcript of a game")
    played = blocks(told)
    sent = [block.value["type"] for block in played if block.mark == "in"]
    assert {"create", "join", "start", "open", "reveal", "continue", "leave"} <= set(sent)
    codes = {it.value.get("code") for it in played}
    assert {"not_host", "continue_first", "too_early", "stale", "left"} <= codes
    for word in ('"outcome": "miss"', '"outcome": "set"', '"kind": "won"'):
        assert word in " ".join(block.text.replace("\n", "") for block in played)


def test_the_transcript_is_what_the_server_says() -> None:
    """The document has the transcript and the deal that the script makes now."""
    assert maker().rewritten(TEXT) == TEXT, "run: python docs/make_transcript.py"


def test_the_transcript_can_be_followed() -> None:
    """Put together, the changes that it shows are the snapshots which were sent."""
    sent = [got for _, got in maker().evening().got if got["type"] == "snapshot"]
    table: dict[str, Any] = {}
    for block in blocks(section(TEXT, "Transcript of a game")):
        match block.mark:
            case "out" if block.value["type"] == "snapshot":
                table = block.value
            case "changes":
                table = table | block.value
            case "bo":
                _assert_sent(table | block.value)
                assert table | block.value in sent
                continue
            case _:
                continue
        _assert_sent(table)
        assert table in sent


def test_the_worked_deal_is_right() -> None:
    """The vector of chapter 13 follows from its seed and nonces, twice computed."""
    (block,) = _marked("vector")
    it = block.value
    seed = bytes.fromhex(it["seed"])
    nonces = [bytes.fromhex(nonce) for nonce in it["nonces"]]
    assert fair.seed_hash(it["room"], it["game"], seed) == it["seed_hash"]
    assert [fair.nonce_hash(nonce) for nonce in nonces] == it["nonce_hashes"]
    deal = fair.fair_deal(it["room"], it["game"], seed, nonces, None)
    assert [list(hand) for hand in deal.hands] == it["hands"]
    assert (list(deal.center), LETTERS[deal.first]) == (it["center"], it["first"])
    assert _worked_again(it, seed, nonces) == {
        name: it[name] for name in ("key", "words", "deck", "first")
    }


def test_the_worked_deal_is_the_transcript_s() -> None:
    """What the players of the transcript can check at its end is that very deal."""
    (block,) = _marked("vector")
    over = [b.value for b in _marked("out") if b.value.get("phase") == "over"]
    (opened,) = [value["opened"] for value in over]
    assert opened == {name: block.value[name] for name in opened}


def test_the_schema_is_served() -> None:
    """/schema is the schema that the examples were held to, and it holds wrong ones off."""
    answer = _page("/schema")
    assert msgspec.json.decode(answer.body) == SCHEMA
    inward = SCHEMA["properties"]["inbound"]
    assert flaws({"type": "reveal", "step": 1, "source": "c11"}, inward, SCHEMA)
    assert flaws({"type": "reveal", "step": 1, "source": "c1", "extra": 1}, inward, SCHEMA)
    assert flaws({"type": "reveal", "source": "c1"}, inward, SCHEMA)


def test_the_pages_are_as_shown() -> None:
    """The examples of /healthz and /rooms have the shape of what is served."""
    (health,), (rooms,) = _marked("healthz"), _marked("rooms")
    assert msgspec.json.decode(_page("/healthz").body) == health.value
    listed = msgspec.convert(rooms.value, list[Listed])
    assert msgspec.to_builtins(listed) == rooms.value


def _assert_sent(message: dict[str, Any]) -> None:
    read = decode_outbound(msgspec.json.encode(message))
    assert read is not None
    assert msgspec.json.decode(encode(read)) == message
    assert flaws(message, SCHEMA["properties"]["outbound"], SCHEMA) == []


def _worked_again(it: dict[str, Any], seed: bytes, nonces: list[bytes]) -> dict[str, Any]:
    """Follow § 13.2 once more, without a line of `fair`."""
    bound = f"nana deal v1\n{it['room']}\n{it['game']}\n{len(nonces)}\n".encode()
    key = sha256(bound + seed + b"".join(b"\x01" + nonce for nonce in nonces)).digest()
    first = struct.unpack(">8I", sha256(key + bytes(8)).digest())
    deck, words = full_deck(len(nonces)), Words(key)
    for i in reversed(range(1, len(deck))):
        j = words.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    assert it["center"] == deck[len(nonces) * SIZES[len(nonces)].hand :]
    begins = "ABCDE"[words.below(len(nonces))]
    return {"key": key.hex(), "words": list(first), "deck": deck, "first": begins}


def _page(path: str) -> Response:
    request = Request("GET", path, "", "nana.example", "", "198.51.100.7")
    answer = Pages(tuple, None).answer(request)
    assert answer is not None
    return answer
