"""From what a model wrote as arguments to what a tool takes: read, coerce without loss, check, or say what is wrong."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from script_editor.agent.calls import RequestedCall, is_nothing
from script_editor.agent.feedback import BadArgument, Problem, Unreadable, bad_arguments, unreadable
from script_editor.agent.json_repair import BrokenJson, decode
from script_editor.agent.noise import DifferentValue, prose_behind, unfenced
from script_editor.agent.schema import Schema, json_schema
from script_editor.agent.text_arguments import arguments_at

_VERSION = re.compile(r"\s*[vV]?([0-9]{1,9})\s*")
_BLANK = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]*+")  # what takes no room on a page is no text either


def _version(value: object) -> int:
    number = 0
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    elif isinstance(value, str) and (digits := _VERSION.fullmatch(value)):
        number = int(digits[1])
    if number < 1:
        raise PydanticCustomError("version", "must be a version number such as 2")
    return number


VersionNumber = Annotated[int, BeforeValidator(_version)]
"""A version as an argument: 2, 2.0, "2" and "v2" are 2; true, 2.5, words, 0 and less are refused."""


def read_arguments(tool: str, args: type[BaseModel], call: RequestedCall) -> tuple[BaseModel, str]:
    """Return the checked arguments of `call`, and the prose around them ("" if none).

    Empty and null arguments mean none. An object may come encoded once more as a string; a bare value
    goes to the one argument the tool requires, if it requires exactly one.

    Raises:
        Unreadable: with one problem that names the tool and the arguments concerned.
    """
    schema = json_schema(args)
    try:
        values, prose = _object(call.arguments, schema)
    except BrokenJson as broken:
        raise Unreadable(broken_json(broken, tool, call.where)) from broken
    except DifferentValue:
        raise unreadable("two_arguments", tool=tool, where=call.where) from None
    if values is None:
        raise unreadable("not_an_object", tool=tool, where=call.where)
    checked, bad = _checked(args, schema, values)
    if checked is None:
        raise Unreadable(bad_arguments(tool, call.where, bad))
    return checked, f"{call.prose} {prose}".strip()


# --- from what was written to an object ---


def _object(arguments: object, schema: Schema) -> tuple[dict[str, object] | None, str]:
    """Return the arguments as an object, or None if they are none, and the prose around them."""
    if arguments is None:
        return {}, ""
    if isinstance(arguments, Mapping):
        return {str(key): value for key, value in arguments.items()}, ""
    if isinstance(arguments, str):
        return _object_in(arguments, schema, encoded=False)
    if isinstance(arguments, int | float) and not isinstance(arguments, bool):
        return _bare(str(arguments), schema), ""
    return None, ""


def _object_in(text: str, schema: Schema, *, encoded: bool) -> tuple[dict[str, object] | None, str]:
    text = unfenced(text).strip()
    if is_nothing(text):
        return {}, ""
    found = arguments_at(text, 0, len(text))
    if found.bare:
        return _bare(text, schema), ""
    prose = f"{found.prose} {prose_behind(text[found.end :], found.value)}".strip()
    if isinstance(found.value, str) and not encoded:
        values, inner_prose = _object_in(found.value, schema, encoded=True)
        return values, f"{prose} {inner_prose}".strip()
    return (found.value, prose) if isinstance(found.value, dict) else (None, prose)


def _bare(text: str, schema: Schema) -> dict[str, object] | None:
    """Return a bare value as the only required argument; None when there is not exactly one to take it."""
    required = schema.get("required", ())
    if len(required) != 1:
        return None
    value = text.strip("`*").strip()
    looks_assigned = re.match(rf"{re.escape(required[0])}\s*[:=：]", value)
    return None if looks_assigned else {required[0]: value}


def broken_json(broken: BrokenJson, tool: str, where: str) -> Problem:
    """Return the problem of arguments that are no JSON, or could be read in two ways."""
    return Problem("bad_json", {"tool": tool, "where": where, **why_broken(broken)})


def why_broken(broken: BrokenJson) -> dict[str, str]:
    """Return the facts `why_en` and `why_zh`: what is wrong with a text that should be JSON."""
    why = {
        "cut": ("it ends before the object is complete.", "对象还没有写完就结束了。"),
        "duplicate": (
            f"the key {broken.key!r} is given twice with different values.",
            f"键 {broken.key!r} 出现两次，值却不同。",
        ),
        "deep": ("it is nested too deeply.", "嵌套太深。"),
        "bad": (f"it breaks near {broken.near!r}.", f"在 {broken.near!r} 附近出错。"),
    }
    why_en, why_zh = why[broken.kind]
    return {"why_en": why_en, "why_zh": why_zh}


# --- from an object to checked arguments ---


def _checked(
    args: type[BaseModel], schema: Schema, values: Mapping[str, object]
) -> tuple[BaseModel | None, list[BadArgument]]:
    """Return the arguments, or None and what is wrong with them. A null means the default, if there is one."""
    properties, required = schema.get("properties", {}), schema.get("required", ())
    given = {
        key: _unwrapped(value, properties.get(key, {}))
        for key, value in values.items()
        if value is not None or key in required or key not in properties
    }
    bad = [found for key, value in given.items() if (found := _refused(key, value, properties.get(key, {})))]
    if bad:
        return None, bad
    try:
        return args.model_validate(given), []
    except ValidationError as error:
        return None, [_bad_argument(detail) for detail in error.errors()]


def _refused(key: str, value: object, schema: Schema) -> BadArgument | None:
    """Return what pydantic would let pass and a tool must not get: a blank text, and true for a number."""
    must_hold_text = any(choice.get("minLength", 0) > 0 for choice in _choices(schema))
    if isinstance(value, str) and must_hold_text and _BLANK.fullmatch(value):
        return BadArgument(key, "blank")
    if isinstance(value, bool) and _types(schema) & {"integer", "number"} and "boolean" not in _types(schema):
        return BadArgument(key, "whole_number")
    return None


def _unwrapped(value: object, schema: Schema) -> object:
    """Return a list or object that was written as a string, decoded, where the schema takes no string."""
    types = _types(schema)
    if isinstance(value, str) and types & {"array", "object"} and "string" not in types:
        try:
            decoded = decode(value)
        except BrokenJson:
            return value
        if not value[decoded.end :].strip():
            return decoded.value
    return value


def _choices(schema: Schema) -> list[Schema]:
    choices: list[Schema] = schema.get("anyOf", [schema])
    return choices


def _types(schema: Schema) -> set[str]:
    return {choice.get("type", "object") for choice in _choices(schema)}


_KINDS = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "version": "version",
    "int_parsing": "whole_number",
    "int_type": "whole_number",
    "int_from_float": "whole_number",
}


def _bad_argument(detail: ErrorDetails) -> BadArgument:
    key = ".".join(str(part) for part in detail["loc"]) or "arguments"
    return BadArgument(key, _KINDS.get(detail["type"], "other"), detail["msg"])
