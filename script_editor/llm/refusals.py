"""Which part of a request a complaint is about, read from words that every service chooses for itself.

What counts is what was sent: a service that refuses `json_object` may name `json_schema` as what it
would take. Complaints about anything else, such as the messages, the model or the length, are none of
these, and neither is a failure of the service.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from script_editor.llm import history
from script_editor.llm.capabilities import Feature
from script_editor.llm.failures import Complaint, is_too_long, is_unknown_model
from script_editor.llm.refusal_words import (
    ELSEWHERE,
    FIELDS,
    MISSES,
    NAMES,
    OF_A_VALUE,
    REFUSALS,
    SAYS_NO,
    SAYS_NO_FOR_GOOD,
    THIS_TIME,
    VAGUE,
)

Json = dict[str, Any]  # the body of a request, open by nature

_STATUSES = frozenset({200, 400, 404, 405, 422, 500, 501})
_FAULT_OF_THE_REQUEST = frozenset({400, 404, 405, 422})
_NAMING_IS_ENOUGH = frozenset({400, 422})
_MAX_READ_CHARS = 2_000
"""Complaints may repeat the request, which names every feature; what is wrong stands in front."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A feature that a service would not carry out; `is_lasting` if it will not tomorrow either."""

    feature: Feature
    is_lasting: bool = True


def read_refusal(body: Json, complaint: Complaint) -> Refusal | None:
    """Return what of `body` a complaint refuses, or None when it is about something else."""
    if complaint.status not in _STATUSES or is_too_long(complaint):
        return None
    said = _said(complaint, model=str(body.get("model", "")))
    if is_unknown_model(Complaint(400, said, complaint.code)):
        return None
    sent = tuple(_sent(body))
    named = next((feature for feature in sent if _names(said, feature, complaint, body)), None)
    if named is not None:
        return Refusal(named, is_lasting=THIS_TIME.search(said) is None)
    demanded = [feature for feature in sent if feature in ("tool_choice", "json_schema", "json_object")]
    is_vague = complaint.status in _NAMING_IS_ENOUGH and VAGUE.search(said) and not ELSEWHERE.search(said)
    return Refusal(demanded[0], is_lasting=False) if demanded and is_vague else None


def _sent(body: Json) -> Iterator[Feature]:
    """Yield the features that a request makes use of; what the same words could mean stands first."""
    messages = body.get("messages", ())
    uses: dict[Feature, bool] = {
        "stream_options": "stream_options" in body,
        "max_tokens": "max_tokens" in body,
        "stream": "stream" in body,
        "whole": "stream" not in body,
        "stop": "stop" in body,
        "temperature": "temperature" in body,
        "message_fields": bool(history.extra_fields(messages)),
        "parallel_calls": history.has_parallel_calls(messages),
        "repeated_roles": history.has_repeated_roles(messages),
        "system": any(message["role"] == "system" for message in messages),
        "strict": _has_strict(body),
        "tool_choice": isinstance(body.get("tool_choice"), dict),
        "tools": "tools" in body,
        "functions": "functions" in body,
        "json_schema": _shape(body) == "json_schema",
        "json_object": _shape(body) == "json_object",
    }
    yield from (feature for feature, is_used in uses.items() if is_used)


def _shape(body: Json) -> object:
    return (body.get("response_format") or {}).get("type")


def _has_strict(body: Json) -> bool:
    schema = (body.get("response_format") or {}).get("json_schema", {})
    return "strict" in schema or any("strict" in tool["function"] for tool in body.get("tools", ()))


def _names(said: str, feature: Feature, complaint: Complaint, body: Json) -> bool:
    """Whether a complaint is about `feature`: it names the field, or names the thing and says no."""
    if complaint.param and _is_other_field(complaint.param, feature):
        return False
    match feature:
        case "stream_options" | "max_tokens":
            return NAMES[feature].search(said) is not None
        case "message_fields":
            return _refuses_fields(said, history.extra_fields(body["messages"]))
        case "system" if REFUSALS["repeated_roles"].search(said):
            return True  # whatever follows the system message, it is what breaks the turns
        case "stop" | "temperature":
            is_blamed = complaint.param == feature and SAYS_NO.search(said) is not None
            return (is_blamed or REFUSALS[feature].search(said) is not None) and not OF_A_VALUE.search(said)
        case "stream" | "whole" | "system" | "repeated_roles" | "parallel_calls":
            return REFUSALS[feature].search(said) is not None
    no = SAYS_NO if complaint.status in _FAULT_OF_THE_REQUEST else SAYS_NO_FOR_GOOD
    says_no = (no.search(said) or THIS_TIME.search(said)) is not None
    field = FIELDS.get(feature)
    if field is not None and field.search(said):
        return says_no or complaint.status in _NAMING_IS_ENOUGH
    return says_no and NAMES[feature].search(said) is not None and not ELSEWHERE.search(said)


def _refuses_fields(said: str, names: set[str]) -> bool:
    """Whether a complaint names one of the fields that a service had put into its own reply, and not as missing."""
    named = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) for name in names)
    says_no = SAYS_NO.search(said) is not None or "remove" in said.casefold()
    return named and says_no and MISSES.search(said) is None


def _is_other_field(param: str, feature: Feature) -> bool:
    """Whether the field that the service blames is none that `feature` stands in."""
    field = re.split(r"[.\[]", param, maxsplit=1)[0]
    homes: dict[Feature, set[str]] = {
        "json_schema": {"response_format", "json_schema"},
        "json_object": {"response_format"},
        "tools": {"tools", "tool_choice", "functions"},
        "functions": {"functions", "function_call", "tools"},
        "tool_choice": {"tool_choice"},
        "strict": {"tools", "response_format", "strict"},
        "stop": {"stop"},
        "temperature": {"temperature"},
        "stream": {"stream"},
        "whole": {"stream"},
        "system": {"messages"},
        "repeated_roles": {"messages"},
        "parallel_calls": {"messages"},
        "message_fields": {"messages"},
    }
    return feature in homes and field not in homes[feature]


def _said(complaint: Complaint, *, model: str) -> str:
    """Return the words of a complaint without what it repeats: the model's name, the request's values."""
    said = _without_inputs(complaint.message)[:_MAX_READ_CHARS]
    if model:
        said = re.sub(rf"(?<!\w){re.escape(model)}(?!\w)", "", said)
    return f"{complaint.param} {said} {complaint.code}"


def _without_inputs(message: str) -> str:
    """Return a list of validation errors as places and messages; anything else as it is."""
    if message.startswith("[{'"):  # the same list, printed by a server in Python's own way
        return message.partition("'input':")[0]
    if not message.startswith("["):
        return message.partition(", value: '")[0]  # "field: 'messages[8].reasoning', value: '…'"
    try:
        errors = json.loads(message)
    except (ValueError, RecursionError):
        return message
    return "\n".join(
        f"{'.'.join(map(str, error.get('loc') or ()))}: {error.get('type', '')} {error.get('msg', '')}"
        for error in errors
        if isinstance(error, dict)
    )
