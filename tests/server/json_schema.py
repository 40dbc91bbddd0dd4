"""Holds a value to a JSON Schema, as far as the schema of the protocol goes.

A keyword that is not known here is an error: nothing is passed by not looking.
"""

import re
from typing import Any, Final

_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
_SAYS_NOTHING: Final = {"title", "description", "default", "discriminator", "required"}


def flaws(value: Any, schema: dict[str, Any], whole: dict[str, Any], at: str = "$") -> list[str]:
    """Return a line for each way in which the value breaks the schema; `whole` has its $defs."""
    found: list[str] = []
    for keyword, said in schema.items():
        match keyword:
            case "$ref":
                found += flaws(value, whole["$defs"][said.removeprefix("#/$defs/")], whole, at)
            case "anyOf":
                if all(flaws(value, option, whole, at) for option in said):
                    found.append(f"{at}: fits none of {len(said)}")
            case "type":
                if not isinstance(value, _TYPES[said]) or (
                    said == "integer" and isinstance(value, bool)
                ):
                    found.append(f"{at}: is not of type {said}")
            case "enum":
                if value not in said:
                    found.append(f"{at}: is none of {said}")
            case "minimum" | "maximum" | "minLength" | "maxLength" | "pattern":
                if not _within(keyword, value, said):
                    found.append(f"{at}: breaks {keyword} {said}")
            case "items":
                for number, item in enumerate(value if isinstance(value, list) else ()):
                    found += flaws(item, said, whole, f"{at}[{number}]")
            case "properties":
                found += _in_object(value, said, schema, whole, at)
            case "additionalProperties":
                if said is False and set(value) - set(schema["properties"]):
                    found.append(f"{at}: has more fields than {list(schema['properties'])}")
            case _ if keyword not in _SAYS_NOTHING:
                raise AssertionError(f"nobody looks at the keyword {keyword}")
            case _:
                pass
    return found


def _in_object(
    value: Any, fields: dict[str, Any], schema: dict[str, Any], whole: dict[str, Any], at: str
) -> list[str]:
    if not isinstance(value, dict):
        return []
    found = [f"{at}: lacks {name}" for name in schema.get("required", ()) if name not in value]
    for name, field in fields.items():
        if name in value:
            found += flaws(value[name], field, whole, f"{at}.{name}")
    return found


def _within(keyword: str, value: object, said: Any) -> bool:
    match keyword, value:
        case "minimum", int():
            return value >= int(said)
        case "maximum", int():
            return value <= int(said)
        case "minLength", str():
            return len(value) >= int(said)
        case "maxLength", str():
            return len(value) <= int(said)
        case "pattern", str():
            return re.search(said, value) is not None
        case _:
            return True
