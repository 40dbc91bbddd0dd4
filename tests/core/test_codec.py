"""The wire: strict about what comes in, lenient about what goes out, and never surprised."""

import json
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec import Raw

from nana_core.actions import Refusal
from nana_core.notation import SOURCES
from nana_core.protocol import inbound, outbound
from nana_core.protocol.codec import (
    Malformed,
    decode_inbound,
    decode_outbound,
    encode,
    schema,
)
from nana_core.protocol.wire import action_of
from nana_core.text import flaw_in

TOKEN: Final = "0123456789abcdef" * 2
HASH: Final = "0123456789abcdef" * 4
SENTENCE: Final = 260  # cells

INBOUND: Final[tuple[inbound.Inbound, ...]] = (
    inbound.Create(id="1", protocol=1, token=TOKEN, name="Ann", nonce_hash=HASH, password="pw"),
    inbound.Create(
        protocol=1,
        token=TOKEN,
        name="Ann",
        kind="bot",
        options=inbound.OptionChanges(
            seats=5, memory="open", turn_time=60, pace=0, public=True, bots=False
        ),
    ),
    inbound.Join(id="2", protocol=1, token=TOKEN, name="Bo", nonce_hash=HASH),
    inbound.Watch(id="3", protocol=1, token=TOKEN, name="奈奈"),
    inbound.Resume(id="4", protocol=1, token=TOKEN, seq=12),
    inbound.SetOptions(id="5", options=inbound.OptionChanges(seats=3)),
    inbound.AddBot(id="6", level="novice", seat="C"),
    inbound.Remove(id="7", seat="C"),
    inbound.GiveHost(id="8", seat="B"),
    inbound.Start(id="9"),
    inbound.Open(id="10", nonce=HASH),
    inbound.Reveal(id="11", step=5, source="c10"),
    inbound.Continue(id="12", step=6),
    inbound.Chat(id="13", text="nana! [b]x[/b]"),
    inbound.Rematch(id="14", ready=False, nonce_hash=HASH),
    inbound.Sit(id="15", seat="A", nonce_hash=HASH),
    inbound.Pause(id="16", on=False),
    inbound.End(id="17"),
    inbound.Close(id="18"),
    inbound.Leave(id="19"),
    inbound.Export(id="20", game=3),
)

ATTEMPT: Final = outbound.AttemptView(
    turn=7, seat="B", cards=(outbound.CardView("c3", 8), outbound.CardView("b>", 9)), outcome="miss"
)
SEAT: Final = outbound.SeatView(
    seat="A", kind="person", name="Ann", level=None, online=True, left=False, stand_in=False,
    ready=True, cards=8, sets=(2,), won=1,
)  # fmt: skip
SNAPSHOT: Final = outbound.Snapshot(
    epoch=1, version=9, step=4, room="KQ7MX", game=1, phase="playing", now=1000, deadline=None,
    not_before=2200, frozen=False, paused=False, host="A",
    options=outbound.OptionsView(
        seats=2, memory="open", turn_time=60, pace=1200, public=False, bots=True
    ),
    seats=(SEAT, SEAT), watching=("Cy",), turn=7, on_turn="A", legal=("continue",),
    center=("down", "gone", 8), attempt=ATTEMPT,
    ledger=outbound.LedgerView(center=(None, 4, None), hands=((1,), ())),
    result=outbound.ResultView(
        kind="won", seat="A", wins=(outbound.WinView("sum", (2, 5)),), why=None
    ),
    hands=((1, 2), ()),
    deal=outbound.DealView(seed_hash=HASH, nonce_hashes=(HASH, None), to_open=("A",)),
    opened=outbound.OpenedDeal(
        seed=HASH, nonces=(HASH, None), rotated=False, hands=((1,), (2,)), center=(3,), first="A"
    ),
    next_seed_hash=None, missed=(ATTEMPT,),
    you=outbound.You(seat="A", name="Ann", host=True, hand=(1, 2)),
)  # fmt: skip
OUTBOUND: Final[tuple[outbound.Outbound, ...]] = (
    outbound.Hello(
        protocols=(1,), server="0.1.0", epoch=1, bot_levels=("memory",), password_required=False,
        limits=outbound.LimitsView(
            message_bytes=4096, name_cells=20, chat_cells=200, costed_per_second=10, costed_burst=30
        ),
    ),
    outbound.Welcome(room="KQ7MX", seat=None, name="Ann", resumed=False),
    SNAPSHOT,
    outbound.Ack("1", 9),
    outbound.Error(id=None, code="stale", text="That came too late."),
    outbound.ChatLine(seq=3, name="Bo", seat="B", text="hm"),
    outbound.Notice(code="left", seat="B", name="Bo", text="Bo left."),
    outbound.Bye(code="restart", text="Back soon.", retry="after_ms", after_ms=500, url=None),
    outbound.Recorded(id="x", game=2, record=Raw(b'{"record":"nana","newer":[1]}')),
)  # fmt: skip


def _types(union: Any) -> set[type]:
    return set(get_args(union))


def test_the_examples_are_all_there_is() -> None:
    """Every message of both directions stands in the tables above."""
    assert {type(message) for message in INBOUND} == _types(inbound.Inbound)
    assert {type(message) for message in OUTBOUND} == _types(outbound.Outbound)


@pytest.mark.parametrize("message", INBOUND, ids=lambda m: type(m).__name__)
def test_inbound_round_trip(message: inbound.Inbound) -> None:
    """What a client encodes is what the server reads."""
    assert decode_inbound(encode(message)) == message


@pytest.mark.parametrize("message", OUTBOUND, ids=lambda m: type(m).__name__)
def test_outbound_round_trip(message: outbound.Outbound) -> None:
    """What the server encodes is what a client reads, from bytes or from text."""
    assert decode_outbound(encode(message)) == message
    assert decode_outbound(encode(message).decode()) == message


@pytest.mark.parametrize(
    "message", [m for m in INBOUND if hasattr(m, "token")], ids=lambda m: type(m).__name__
)
def test_no_repr_shows_a_secret(message: inbound.Inbound) -> None:
    """A message that ends in a traceback or a log does not carry its token there."""
    assert TOKEN not in repr(message)
    assert "pw" not in repr(message)
    assert HASH not in repr(inbound.Open(nonce=HASH))


RIGHT: Final = '{"type":"reveal","id":"x7","step":3,"source":"c1"}'
JOIN: Final = '{"type":"join","id":"x7","protocol":1,"token":"%s","name":"Bo"}'.replace("%s", TOKEN)
NOT_RIGHT: Final = "That message is not right: "
NOT_JSON: Final = "That is not a JSON object."


@pytest.mark.parametrize(
    ("frame", "text", "echoed"),
    [
        pytest.param(
            RIGHT.replace("}", ',"card":9}'),
            NOT_RIGHT + "Object contains unknown field `card`.",
            "x7",
            id="an unknown field",
        ),
        pytest.param(
            RIGHT.replace("3", '"3"'),
            NOT_RIGHT + "Expected `int`, got `str` - at `$.step`.",
            "x7",
            id="a number as text",
        ),
        pytest.param(RIGHT.replace("3", "null"), NOT_RIGHT, "x7", id="null for a number"),
        pytest.param(RIGHT.replace("3", "true"), NOT_RIGHT, "x7", id="true for a number"),
        pytest.param(RIGHT.replace("3", "3.0"), NOT_RIGHT, "x7", id="a number with a point"),
        pytest.param(RIGHT.replace("3", "3e0"), NOT_RIGHT, "x7", id="a number with an exponent"),
        pytest.param(RIGHT.replace("3", "-1"), NOT_RIGHT, "x7", id="below zero"),
        pytest.param(
            RIGHT.replace("3", str(2**53)), NOT_RIGHT, "x7", id="not exact in every language"
        ),
        pytest.param(RIGHT.replace("3", "9" * 3900), NOT_RIGHT, "x7", id="a number without end"),
        pytest.param(RIGHT.replace("3", "NaN"), NOT_JSON, None, id="not a number"),
        pytest.param(RIGHT.replace('"step":3,', ""), NOT_RIGHT, "x7", id="a field left out"),
        pytest.param(RIGHT.replace("c1", "c11"), NOT_RIGHT, "x7", id="no such source"),
        pytest.param(RIGHT.replace("c1", "C1"), NOT_RIGHT, "x7", id="in capitals"),
        pytest.param(RIGHT.replace('"c1"', "[]"), NOT_RIGHT, "x7", id="a list for text"),
        pytest.param(
            RIGHT.replace("reveal", "peek"),
            NOT_RIGHT + "Invalid value 'peek' - at `$.type`.",
            "x7",
            id="an unknown type",
        ),
        pytest.param(RIGHT.replace('"reveal"', "7"), NOT_RIGHT, "x7", id="a type that is a number"),
        pytest.param(RIGHT.replace('"reveal"', "null"), NOT_RIGHT, "x7", id="a type that is null"),
        pytest.param(RIGHT.replace('"type":"reveal",', ""), NOT_RIGHT, "x7", id="no type"),
        pytest.param(
            RIGHT.replace("reveal", "snapshot"), NOT_RIGHT, "x7", id="the server's own type"
        ),
        pytest.param(
            RIGHT.replace('"step"', '"type":"end","step"'), NOT_RIGHT, "x7", id="two types"
        ),
        pytest.param(RIGHT.replace("x7", "x" * 37), NOT_RIGHT, None, id="an id too long to echo"),
        pytest.param(RIGHT.replace("x7", ""), NOT_RIGHT, None, id="an empty id"),
        pytest.param(RIGHT.replace('"x7"', "7"), NOT_RIGHT, None, id="an id that is a number"),
        pytest.param(
            RIGHT.replace('"x7"', '{"a":1}'), NOT_RIGHT, None, id="an id that is an object"
        ),
        pytest.param(
            RIGHT.replace("reveal", "\\u001b[2J"),
            NOT_RIGHT + "Invalid value '[2J' - at `$.type`.",
            "x7",
            id="ESC in a type",
        ),
        pytest.param(RIGHT.replace("source", "\\u009b2J"), NOT_RIGHT, "x7", id="C1 in a field"),
        pytest.param(RIGHT.replace("reveal", "\u202elaever"), NOT_RIGHT, "x7", id="bidi in a type"),
        pytest.param(
            RIGHT.replace("reveal", "r" * 3000), NOT_RIGHT, "x7", id="a type of 3,000 letters"
        ),
        pytest.param(
            RIGHT.replace("}", ',"' + "f" * 3000 + '":1}'), NOT_RIGHT, "x7", id="a field of them"
        ),
        pytest.param(RIGHT.replace("3", "[" * 3000 + "]" * 3000), NOT_RIGHT, None, id="deep lists"),
        pytest.param(
            '{"a":' * 3000 + "1" + "}" * 3000, "That is nested too deeply.", None, id="deep objects"
        ),
        pytest.param("null", NOT_RIGHT + "Expected `object`, got `null`.", None, id="null"),
        pytest.param("7", NOT_RIGHT, None, id="a number"),
        pytest.param('"start"', NOT_RIGHT, None, id="a text"),
        pytest.param(f"[{RIGHT}]", NOT_RIGHT, None, id="a list"),
        pytest.param("{}", NOT_RIGHT, None, id="an empty object"),
        pytest.param("", NOT_JSON, None, id="nothing"),
        pytest.param(RIGHT[:-1], NOT_JSON, None, id="cut off"),
        pytest.param(RIGHT + RIGHT, NOT_JSON, None, id="two at once"),
        pytest.param("\ufeff" + RIGHT, NOT_JSON, None, id="a byte order mark"),
        pytest.param("{'type':'start'}", NOT_JSON, None, id="single quotes"),
        pytest.param(RIGHT.replace("c1", "\x1b"), NOT_JSON, None, id="a raw ESC"),
        pytest.param(RIGHT.replace("c1", "\\ud800"), NOT_JSON, None, id="half a character"),
        pytest.param(
            JOIN.replace(TOKEN, TOKEN + "\\n"), NOT_RIGHT, "x7", id="a token and a line break"
        ),
        pytest.param(JOIN.replace(TOKEN, TOKEN.upper()), NOT_RIGHT, "x7", id="a token in capitals"),
        pytest.param(JOIN.replace(TOKEN, TOKEN[1:]), NOT_RIGHT, "x7", id="a short token"),
        pytest.param(JOIN.replace("Bo", "B" * 81), NOT_RIGHT, "x7", id="a long name"),
        pytest.param(JOIN.replace('"Bo"', "null"), NOT_RIGHT, "x7", id="no name"),
        pytest.param(
            JOIN.replace("}", ',"options":{}}'), NOT_RIGHT, "x7", id="another message's field"
        ),
        pytest.param(
            '{"type":"set_options","id":"x7","options":{"seats":6}}',
            NOT_RIGHT,
            "x7",
            id="six seats",
        ),
        pytest.param(
            '{"type":"set_options","id":"x7","options":{"seats":null}}',
            NOT_RIGHT,
            "x7",
            id="null seats",
        ),
        pytest.param(
            '{"type":"set_options","id":"x7","options":{"pace":-1}}', NOT_RIGHT, "x7", id="no time"
        ),
        pytest.param(
            '{"type":"set_options","id":"x7","options":{"turn_time":31}}',
            NOT_RIGHT,
            "x7",
            id="no such time",
        ),
        pytest.param(
            '{"type":"set_options","id":"x7","options":{"x":1}}',
            NOT_RIGHT,
            "x7",
            id="no such option",
        ),
        pytest.param('{"type":"chat","id":"x7","text":""}', NOT_RIGHT, "x7", id="nothing said"),
        pytest.param(
            '{"type":"chat","id":"x7","text":"' + "a" * 801 + '"}',
            NOT_RIGHT,
            "x7",
            id="too much said",
        ),
        pytest.param(
            '{"type":"open","id":"x7","nonce":"' + HASH + '\\n"}',
            NOT_RIGHT,
            "x7",
            id="a nonce and a line break",
        ),
    ],
)
def test_strict_inward(frame: str, text: str, echoed: str | None) -> None:
    """What is no message is refused in a sentence fit to show, with its id if it has one."""
    with pytest.raises(Malformed) as malformed:
        decode_inbound(frame.encode())
    said = str(malformed.value)
    assert said.startswith(text)
    assert malformed.value.id == echoed
    assert flaw_in(said, SENTENCE) is None


@pytest.mark.parametrize(
    "frame", [b"\xff", b'{"type":"chat","text":"\xc3"}', b'{"type":"\xf0\x9f"}', b"\x00"]
)
def test_bad_utf8_is_refused(frame: bytes) -> None:
    """Bytes that are no text are no message."""
    with pytest.raises(Malformed, match="not a JSON object"):
        decode_inbound(frame)


def test_no_refusal_repeats_a_secret() -> None:
    """A token, password or nonce of a wrong shape is not quoted back into logs."""
    secret = "S3CRET" * 3
    for frame in (
        JOIN.replace(TOKEN, secret),
        JOIN.replace("}", f',"password":["{secret}"]}}'),
        JOIN.replace("}", f',"nonce_hash":"{secret}"}}'),
        '{"type":"open","nonce":"' + secret + '"}',
    ):
        with pytest.raises(Malformed) as malformed:
            decode_inbound(frame.encode())
        assert secret not in str(malformed.value)


def test_of_two_equal_keys_the_last_counts() -> None:
    """JSON leaves it open; this is what happens, and the id that is echoed agrees with it."""
    assert decode_inbound(b'{"type":"start","id":"a","id":"b"}') == inbound.Start(id="b")
    with pytest.raises(Malformed) as malformed:
        decode_inbound(b'{"type":"start","id":"a","x":1,"id":"b"}')
    assert malformed.value.id == "b"


@pytest.mark.parametrize(
    "frame", ['{"type":"applause","level":3}', '{"level":[{}],"type":"snapshot2"}', '{"type":""}']
)
def test_unknown_types_are_skipped(frame: str) -> None:
    """A client of today passes over what a server of tomorrow says."""
    assert decode_outbound(frame) is None


@pytest.mark.parametrize(
    "message",
    [m for m in OUTBOUND if not isinstance(m, outbound.Recorded)],  # which is kept as it came
    ids=lambda m: type(m).__name__,
)
def test_unknown_fields_are_skipped(message: outbound.Outbound) -> None:
    """A field more, at any depth, changes nothing."""

    def fuller(value: Any) -> Any:
        if isinstance(value, dict):
            return {"tomorrow": [1, {}], **{key: fuller(inner) for key, inner in value.items()}}
        return [fuller(inner) for inner in value] if isinstance(value, list) else value

    assert decode_outbound(json.dumps(fuller(json.loads(encode(message))))) == message


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (SNAPSHOT, "phase"),
        (SNAPSHOT, "on_turn"),
        (OUTBOUND[4], "code"),
        (OUTBOUND[6], "code"),
        (OUTBOUND[7], "code"),
        (OUTBOUND[7], "retry"),
    ],
)
def test_new_codes_can_be_read(message: outbound.Outbound, field: str) -> None:
    """Codes, phases, kinds and reasons are plain text to a client."""
    changed = json.loads(encode(message)) | {field: "tomorrow"}
    assert getattr(decode_outbound(json.dumps(changed)), field) == "tomorrow"


@pytest.mark.parametrize(
    "frame",
    [
        "null",
        "[]",
        "",
        "{}",
        '{"type":7}',
        '{"type":"ack","id":"a"}',
        '{"type":"ack","id":"a","version":"9"}',
        '{"type":"ack","id":"\ud800","version":9}',
        '{"type":"bye","code":"\x1b"}',
        f'{{"type":"ack","id":"a","version":{2**53}}}',
        f'{{"type":"ack","id":"a","version":-{"9" * 4300}}}',
        '{"type":"bye","code":"a","text":"","retry":"","after_ms":1' + "0" * 400 + "}",
        '{"x":' * 5000,
        "[" * 5000,
    ],
)
def test_no_messages_outward(frame: str) -> None:
    """What a client cannot read is malformed, in a sentence fit to show."""
    with pytest.raises(Malformed) as malformed:
        decode_outbound(frame)
    assert flaw_in(str(malformed.value), SENTENCE) is None


def test_every_refusal_has_an_error_code() -> None:
    """The rules' refusals go over the wire by their own names."""
    assert {refusal.value for refusal in Refusal} <= {code.value for code in outbound.ErrorCode}


def test_every_source_can_be_asked_for() -> None:
    """The sources of the wire are those of the rules."""
    assert set(get_args(inbound.SourceName)) == set(SOURCES)
    for name, source in SOURCES.items():
        frame = b'{"type":"reveal","step":0,"source":"%s"}' % name.encode()
        message = decode_inbound(frame)
        assert isinstance(message, inbound.Reveal)
        assert msgspec.structs.astuple(action_of(message)) == (source,)
    assert action_of(inbound.Continue(step=0)) is not None


def test_the_schema_lists_every_message() -> None:
    """A program in another language finds each message, and its name, in the schema."""
    made = schema()
    for direction, union in (("inbound", inbound.Inbound), ("outbound", outbound.Outbound)):
        listed = {ref["$ref"] for ref in made["properties"][direction]["anyOf"]}
        assert listed == {f"#/$defs/{each.__name__}" for each in _types(union)}
    tags = {made["$defs"][each.__name__]["properties"]["type"]["enum"][0]: each
            for each in _types(inbound.Inbound) | _types(outbound.Outbound)}  # fmt: skip
    assert len(tags) == len(_types(inbound.Inbound)) + len(_types(outbound.Outbound)) - 1  # chat
    json.dumps(made)


def test_the_schema_is_as_strict_as_the_decoder() -> None:
    """Inbound objects allow no further properties, outbound ones do."""
    definitions = schema()["$defs"]
    for each in _types(inbound.Inbound):
        assert definitions[each.__name__]["additionalProperties"] is False
    for each in _types(outbound.Outbound):
        assert definitions[each.__name__].get("additionalProperties", True) is not False


PIECES: Final = (
    b"null", b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\x00", b"\x1b", b"\xff", b"\\ud800",
    b"9" * 400, b"-", b"1e999", b"true", b'"type":"start",', b'"id":null,', b"\xe2\x80\xae", b"",
)  # fmt: skip


def _mutated(frame: bytes, rng: Random) -> bytes:
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(frame) + 1)
        match rng.randrange(4):
            case 0:
                frame = frame[:at] + rng.choice(PIECES) + frame[at:]
            case 1:
                frame = frame[:at] + frame[at + rng.randrange(1, 9) :]
            case 2:
                frame = frame[:at] + rng.randbytes(rng.randrange(1, 4)) + frame[at + 1 :]
            case _:
                other = rng.randrange(len(frame) + 1)
                frame = frame[:at] + frame[min(at, other) : max(at, other)] + frame[at:]
    return frame


def test_mutated_frames_are_read_or_malformed() -> None:
    """Of 20,000 damaged frames each is a message or Malformed, in both directions."""
    rng = Random(23)
    frames = [encode(message) for message in (*INBOUND, *OUTBOUND)]
    refused = 0
    for _ in range(20_000):
        frame = _mutated(rng.choice(frames), rng)
        for decode in (decode_inbound, decode_outbound):
            try:
                decode(frame)
            except Malformed as malformed:
                refused += 1
                if flaw_in(str(malformed), SENTENCE) is not None:
                    pytest.fail(f"{malformed!r} is not fit to show")
    assert refused > 20_000


def test_long_digits_are_no_large_numbers() -> None:
    """What somebody says, and hashes, may have as many digits as they like; numbers up to 2^53."""
    said = outbound.ChatLine(seq=2**53 - 1, name="9" * 20, seat=None, text=f": {2**80}, [{2**80}]")
    assert decode_outbound(encode(said)) == said
