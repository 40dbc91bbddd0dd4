"""The ways into a room, as the client means them, and the message that says each."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from nana_client.store import SavedSeat, Secret
from nana_core.protocol.inbound import (
    PROTOCOL,
    Create,
    Entrance,
    Join,
    Kind,
    Level,
    OptionChanges,
    Resume,
    Watch,
)


class Creating(Struct, frozen=True, kw_only=True):
    """A new room; `bots` are added and the game started as soon as it exists."""

    name: str
    kind: Kind = "person"
    options: OptionChanges = OptionChanges()
    password: Secret | None = None
    bots: int = 0
    level: Level = "memory"
    start: bool = False


class Joining(Struct, frozen=True, kw_only=True):
    """A seat in a room; a seat that was saved for it is taken up again instead."""

    name: str
    kind: Kind = "person"
    password: Secret | None = None


class Watching(Struct, frozen=True, kw_only=True):
    name: str
    kind: Kind = "person"
    password: Secret | None = None


class Resuming(Struct, frozen=True, kw_only=True):
    """A seat that was saved earlier."""

    saved: SavedSeat
    password: Secret | None = None


Way: TypeAlias = Creating | Joining | Watching | Resuming


def with_password(way: Way, environ: Mapping[str, str]) -> Way:
    """Take the password from NANA_PASSWORD, where nobody reads it over a shoulder or in `ps`."""
    said = environ.get("NANA_PASSWORD")
    return replace(way, password=Secret(said)) if said and way.password is None else way


def message_for(way: Way, token: Secret, nonce_hash: str, id: str) -> Entrance:  # noqa: A002 - the wire's name
    """Say the way in on the wire."""
    match way:
        case Creating():
            return Create(
                id=id,
                protocol=PROTOCOL,
                token=token.value,
                password=_plain(way.password),
                name=way.name,
                kind=way.kind,
                nonce_hash=nonce_hash,
                options=way.options,
            )
        case Joining():
            return Join(
                id=id,
                protocol=PROTOCOL,
                token=token.value,
                password=_plain(way.password),
                name=way.name,
                kind=way.kind,
                nonce_hash=nonce_hash,
            )
        case Watching():
            return Watch(
                id=id,
                protocol=PROTOCOL,
                token=token.value,
                password=_plain(way.password),
                name=way.name,
                kind=way.kind,
            )
        case Resuming():
            return resume(token, 0, id, way.password)
        case _:
            assert_never(way)


def resume(token: Secret, seq: int, id: str, password: Secret | None = None) -> Resume:  # noqa: A002
    return Resume(id=id, protocol=PROTOCOL, token=token.value, seq=seq, password=_plain(password))


def _plain(password: Secret | None) -> str | None:
    return None if password is None else password.value
