"""Messages from a client to the server. Unknown fields and bad shapes are refused."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

PROTOCOL: Final = 1
ID_LENGTH: Final = 36
PACE_MOST: Final = 5000
PASSWORD_LENGTH: Final = 128
TEXT_LENGTH: Final = 800  # code points; the bound by display width is `text`'s

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=ID_LENGTH)]
# The length is said twice: `$` alone would let a line break follow.
Hex128: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
Hex256: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
Password: TypeAlias = Annotated[str, Meta(max_length=PASSWORD_LENGTH)]
Step: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
GameNumber: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Letter: TypeAlias = Literal["A", "B", "C", "D", "E"]
Kind: TypeAlias = Literal["person", "bot"]
Level: TypeAlias = Literal["random", "novice", "memory", "expert"]
Memory: TypeAlias = Literal["none", "open"]
TurnTime: TypeAlias = Literal[0, 30, 60, 90, 180]
SourceName: TypeAlias = Literal[
    "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10",
    "a<", "a>", "b<", "b>", "c<", "c>", "d<", "d>", "e<", "e>",
]  # fmt: skip


class OptionChanges(Struct, frozen=True, forbid_unknown_fields=True):
    """Options to change; what is left out stays as it is."""

    seats: Annotated[int, Meta(ge=2, le=5)] | UnsetType = UNSET
    memory: Memory | UnsetType = UNSET
    turn_time: TurnTime | UnsetType = UNSET
    pace: Annotated[int, Meta(ge=0, le=PACE_MOST)] | UnsetType = UNSET
    public: bool | UnsetType = UNSET
    bots: bool | UnsetType = UNSET


class Message(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every inbound message may carry: an id that its answer repeats."""

    id: Id | None = None


class Entrance(Message, frozen=True, kw_only=True):
    """What all four ways into a room carry. Its repr shows no secret."""

    protocol: Annotated[int, Meta(ge=0, le=1_000_000)]
    token: Hex128
    password: Password | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r}, …)"


class Create(Entrance, frozen=True, tag="create", kw_only=True):
    name: Name
    kind: Kind = "person"
    nonce_hash: Hex256 | None = None
    options: OptionChanges = OptionChanges()


class Join(Entrance, frozen=True, tag="join", kw_only=True):
    name: Name
    kind: Kind = "person"
    nonce_hash: Hex256 | None = None


class Watch(Entrance, frozen=True, tag="watch", kw_only=True):
    name: Name
    kind: Kind = "person"


class Resume(Entrance, frozen=True, tag="resume", kw_only=True):
    seq: Step = 0


class SetOptions(Message, frozen=True, tag="set_options", kw_only=True):
    options: OptionChanges


class AddBot(Message, frozen=True, tag="add_bot", kw_only=True):
    level: Level = "memory"
    seat: Letter | None = None


class Remove(Message, frozen=True, tag="remove", kw_only=True):
    seat: Letter


class GiveHost(Message, frozen=True, tag="give_host", kw_only=True):
    seat: Letter


class Start(Message, frozen=True, tag="start", kw_only=True):
    pass


class Open(Message, frozen=True, tag="open", kw_only=True):
    nonce: Hex256

    def __repr__(self) -> str:
        return f"Open(id={self.id!r}, …)"


class Reveal(Message, frozen=True, tag="reveal", kw_only=True):
    step: Step
    source: SourceName


class Continue(Message, frozen=True, tag="continue", kw_only=True):
    step: Step


class Chat(Message, frozen=True, tag="chat", kw_only=True):
    text: Annotated[str, Meta(min_length=1, max_length=TEXT_LENGTH)]

    def __repr__(self) -> str:
        return f"Chat(id={self.id!r}, …)"


class Rematch(Message, frozen=True, tag="rematch", kw_only=True):
    ready: bool = True
    nonce_hash: Hex256 | None = None


class Sit(Message, frozen=True, tag="sit", kw_only=True):
    seat: Letter | None = None
    nonce_hash: Hex256 | None = None


class Export(Message, frozen=True, tag="export", kw_only=True):
    game: GameNumber | None = None


class Pause(Message, frozen=True, tag="pause", kw_only=True):
    on: bool = True


class End(Message, frozen=True, tag="end", kw_only=True):
    pass


class Close(Message, frozen=True, tag="close", kw_only=True):
    pass


class Leave(Message, frozen=True, tag="leave", kw_only=True):
    pass


Inside: TypeAlias = (
    SetOptions | AddBot | Remove | GiveHost | Start | Open | Reveal | Continue | Chat
    | Rematch | Sit | Export | Pause | End | Close | Leave
)  # fmt: skip
Entering: TypeAlias = Create | Join | Watch | Resume
Inbound: TypeAlias = Entering | Inside
