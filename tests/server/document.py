"""Reads protocol.md: its sections, tables and marked blocks, and says types in its words."""

import re
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec import inspect as kinds

from nana_core.protocol import inbound, outbound

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "protocol.md"
_HEADING: Final = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
_BLOCK: Final = re.compile(r"^```json(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHORT: Final = (  # long lists of literals have a name of their own in § 3
    (kinds.type_info(inbound.SourceName), "source"),
    (kinds.type_info(inbound.Letter), "letter"),
)


class Block(Struct, frozen=True):
    """One fenced block of JSON: `in`, `out`, `changes`, or some other mark."""

    mark: str
    text: str
    line: int

    @property
    def value(self) -> Any:
        return msgspec.json.decode(self.text)


class Section(Struct, frozen=True):
    """A heading and everything up to the next one that is not below it."""

    title: str
    text: str


def document() -> str:
    return FILE.read_text(encoding="utf-8")


def maker() -> ModuleType:
    """Return the script that makes the transcript and the worked deal."""
    spec = spec_from_file_location("make_transcript", ROOT / "docs" / "make_transcript.py")
    if spec is None or spec.loader is None:
        raise AssertionError("the script is there")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def blocks(text: str) -> list[Block]:
    return [
        Block(found[1] or "", found[2], text.count("\n", 0, found.start()) + 1)
        for found in _BLOCK.finditer(text)
    ]


def prose(text: str) -> str:
    """Return the text without its fenced blocks, whose lines may look like headings."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def sections(text: str, level: int) -> list[Section]:
    """Return the sections of one level of headings, in order."""
    found = list(_HEADING.finditer(text))
    return [
        Section(heading[2], text[heading.end() : _end(found, at, level, len(text))])
        for at, heading in enumerate(found)
        if len(heading[1]) == level
    ]


def _end(found: list[re.Match[str]], at: int, level: int, most: int) -> int:
    after = (h.start() for h in found[at + 1 :] if len(h[1]) <= level)
    return next(after, most)


def section(text: str, title: str, level: int = 2) -> str:
    """Return the text of the section with this title, its number aside."""
    matching = [
        it.text for it in sections(text, level) if re.sub(r"^[\d.]+ ", "", it.title) == title
    ]
    if len(matching) != 1:
        raise AssertionError(f"{len(matching)} sections are called {title!r}")
    return matching[0]


def tables(text: str) -> list[list[list[str]]]:
    """Return the tables in the text as rows of cells, without their heads."""
    found = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
    return [[_cells(line) for line in table.splitlines()[2:]] for table in found]


def rows(text: str) -> list[list[str]]:
    """Return the first table in the text, empty when there is none."""
    return next(iter(tables(text)), [])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def code(cell: str) -> str:
    """Return what a cell says in `code`."""
    found = re.fullmatch(r"`([^`]+)`", cell)
    if found is None:
        raise AssertionError(f"{cell!r} is not `code`")
    return found[1]


def fields(struct: type[Struct]) -> Iterator[tuple[str, str, str]]:
    """Name, type and default of each field that the wire has, in the document's words."""
    info = kinds.type_info(struct)
    if not isinstance(info, kinds.StructType):
        raise TypeError(f"{struct} is no struct")
    for field in info.fields:
        yield field.encode_name, told(field.type), _default(field)


def _default(field: kinds.Field) -> str:
    if field.default_factory is not NODEFAULT:
        return "`{}`"
    if field.default is NODEFAULT:
        return "required" if field.required else "unchanged"
    if isinstance(field.default, Struct):
        return "`{}`"
    return f"`{msgspec.json.encode(field.default).decode()}`"


def told(kind: kinds.Type) -> str:
    """Say a type as the document's tables do."""
    match kind:
        case kinds.LiteralType() if short := [name for it, name in _SHORT if it == kind]:
            return short[0]
        case kinds.Metadata(type=inner):
            return told(inner)
        case kinds.UnionType(types=types):
            null_last = sorted(types, key=lambda it: isinstance(it, kinds.NoneType))
            return " or ".join(map(told, null_last))
        case kinds.NoneType():
            return "null"
        case kinds.BoolType():
            return "boolean"
        case kinds.IntType(ge=None, le=None):
            return "integer"
        case kinds.IntType(ge=low, le=high):
            return f"integer {low}-{high}"
        case kinds.StrType(pattern=str(), max_length=digits):
            return f"{digits} hex digits"
        case kinds.StrType(max_length=None):
            return "string"
        case kinds.StrType(min_length=low, max_length=high):
            return f"string {low or 0}-{high}"
        case kinds.LiteralType(values=values):
            return " or ".join(f"`{msgspec.json.encode(it).decode()}`" for it in values)
        case kinds.VarTupleType(item_type=inner):
            each = told(inner)
            return f"list of ({each})" if " or " in each else f"list of {each}"
        case kinds.RawType():
            return "object"
        case kinds.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case _:
            raise TypeError(f"no words for {kind}")


def messages(union: Any) -> dict[str, type[Struct]]:
    """Return the structs of a direction by their `type`."""
    return {cls.__struct_config__.tag: cls for cls in union.__args__}


def parts(module: Any) -> dict[str, type[Struct]]:
    """Return the structs of a direction that are no messages but lie inside them."""
    return {
        name: it
        for name, it in vars(module).items()
        if isinstance(it, type)
        and issubclass(it, Struct)
        and it.__module__ == module.__name__
        and it.__struct_config__.tag is None
        and name not in {"Message", "Entrance"}
    }


INBOUND: Final = messages(inbound.Inbound)
OUTBOUND: Final = messages(outbound.Outbound)
PARTS: Final = parts(inbound) | parts(outbound)
