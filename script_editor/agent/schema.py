"""Tool arguments as a model is told of them: a strict JSON schema, and a signature in one line."""

from functools import cache
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]  # JSON schema, open by nature

# What strict mode of chat services knows. The rest (lengths, ranges, patterns) is checked here.
_KEPT = frozenset(
    {"type", "description", "enum", "const", "items", "properties", "required", "anyOf", "$ref", "$defs"}
)
_TYPE_NAMES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "object",
    "null": "null",
}


@cache
def json_schema(args: type[BaseModel]) -> Schema:
    """Return the JSON schema of `args`; it is shared, not to be changed."""
    return args.model_json_schema()


def argument_names(args: type[BaseModel]) -> tuple[str, ...]:
    """Return the names of the arguments of a tool, in the order they were declared."""
    return tuple(args.model_fields)


def strict_schema(args: type[BaseModel]) -> Schema:
    """Return the JSON schema of `args` as strict mode wants it.

    Every property is required, what was optional may be null, no object takes other keys, and there
    are no titles, defaults or limits. The docstring of `args` is for its readers and stays out.
    """
    return {key: value for key, value in _strict(json_schema(args)).items() if key != "description"}


def _strict(node: Schema) -> Schema:
    if "$ref" in node:
        return {"$ref": node["$ref"]}  # nothing may stand beside a reference
    strict = {key: _strict_value(key, value) for key, value in node.items() if key in _KEPT}
    if node.get("type") == "object":
        properties = strict.setdefault("properties", {})
        optional = properties.keys() - set(node.get("required", ()))
        strict["properties"] = {
            name: _nullable(schema) if name in optional else schema for name, schema in properties.items()
        }
        strict["required"] = list(properties)
        strict["additionalProperties"] = False
    return strict


def _strict_value(key: str, value: Any) -> Any:  # any part of a JSON schema
    if key in ("properties", "$defs"):
        return {name: _strict(schema) for name, schema in value.items()}
    if key == "anyOf":
        return [_strict(schema) for schema in value]
    return _strict(value) if key == "items" else value


def _nullable(schema: Schema) -> Schema:
    choices = schema.get("anyOf")
    if choices is None:
        described = {"description": schema.pop("description")} if "description" in schema else {}
        return {"anyOf": [schema, {"type": "null"}], **described}
    has_null = any(choice.get("type") == "null" for choice in choices)
    return schema if has_null else {**schema, "anyOf": [*choices, {"type": "null"}]}


def signature(name: str, args: type[BaseModel]) -> str:
    """Return the call of a tool in one line: `revert(script_id: str, version: int)`; `?` marks what may be left out."""
    schema = json_schema(args)
    required = set(schema.get("required", ()))
    parameters = [
        f"{key}{'' if key in required else '?'}: {_type_name(value)}"
        for key, value in schema.get("properties", {}).items()
    ]
    return f"{name}({', '.join(parameters)})"


def _type_name(schema: Schema) -> str:
    if "enum" in schema:
        return " | ".join(repr(value) for value in schema["enum"])
    if "const" in schema:
        return repr(schema["const"])
    if "anyOf" in schema:
        return " | ".join(_type_name(choice) for choice in schema["anyOf"] if choice.get("type") != "null")
    if schema.get("type") == "array":
        return f"list[{_type_name(schema.get('items', {}))}]"
    return _TYPE_NAMES.get(schema.get("type", ""), "object")
