"""The shape of an answer made of operations, for services that can be held to one.

It is what `domain.replies` reads. The rules of strict schemas are kept: every object is closed, every
property is required, what may be missing may be null. Each operation has its own object, so that an
answer spends nothing on fields of the others.
"""

from typing import Any

from script_editor.llm.chat import ToolSpec

Schema = dict[str, Any]  # JSON schema, open by nature

_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}


def _closed(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _named(*names: str) -> Schema:
    return {"type": "string", "enum": list(names)}


OPERATIONS: Schema = _closed(
    ops={
        "type": "array",
        "items": {
            "anyOf": [
                _closed(op=_named("replace", "insert_before", "insert_after"), id=_TEXT, text=_TEXT),
                _closed(op=_named("delete"), id=_TEXT),
                _closed(op=_named("move"), id=_TEXT, before=_TEXT_OR_NULL, after=_TEXT_OR_NULL),
                _closed(
                    op=_named("substitute"),
                    id=_TEXT_OR_NULL,
                    find=_TEXT,
                    replace=_TEXT,
                    all={"type": "boolean"},
                ),
            ]
        },
    },
    need={"type": ["string", "null"], "enum": ["more", None]},
)
"""`need` is "more" when the line to change is not among those shown."""

JSON_SCHEMA: Schema = {
    "type": "json_schema",
    "json_schema": {"name": "edit", "strict": True, "schema": OPERATIONS},
}
JSON_OBJECT: Schema = {"type": "json_object"}
EDIT_TOOL = ToolSpec("edit", "Give the operations of the edit.", OPERATIONS, is_forced=True)
