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

from script_editor.llm.capabilities import Feature
from script_editor.llm.failures import Complaint, is_too_long, is_unknown_model

Json = dict[str, Any]  # the body of a request, open by nature

_STATUSES = frozenset({200, 400, 404, 405, 422, 500, 501})
_FAULT_OF_THE_REQUEST = frozenset({400, 404, 405, 422})
_NAMING_IS_ENOUGH = frozenset({400, 422})
_MAX_READ_CHARS = 2_000
"""Complaints may repeat the request, which names every feature; what is wrong stands in front."""

_IGNORE = re.IGNORECASE
_FIELDS: dict[Feature, re.Pattern[str]] = {
    "tool_choice": re.compile(r"tool_?choice", _IGNORE),
    "json_schema": re.compile(r"response_?format|json_schema", _IGNORE),
    "json_object": re.compile(r"response_?format|json_object", _IGNORE),
}
"""The names of fields; no word of ordinary speech is among them."""
_SHAPED_OUTPUT = (
    r"response[_ -]?(format|schema|mime)|structured[_ -]?(output|decoding)|json[_ -]?(mode|output|format|validat)"
    r"|guided[_ ](json|decoding)|\bgrammar|结构化|結構化|JSON\s*(模式|格式|输出|輸出)|(响应|返回|输出|回應|輸出)格式"
)
_NAMES: dict[Feature, re.Pattern[str]] = {
    "stream_options": re.compile(r"stream_options|include_usage", _IGNORE),
    "max_tokens": re.compile(r"max_completion_tokens", _IGNORE),
    "strict": re.compile(r"\bstrict\b", _IGNORE),
    "tool_choice": re.compile(r"tool[ -]choice|指定(的)?(工具|函数)|强制(调用|使用)", _IGNORE),
    "tools": re.compile(
        r"\btools\b|\btool[ _-](use|usage|calls?|calling|choice)\b|\bfunction[ -]call(s|ing)?\b"
        r"|\bfunctions\b|(工具|函数|函數|方法|\btool ?)的?(调用|使用|呼叫|功能)|不支[持援][^。，\n]{0,8}(工具|函数|函數)",
        _IGNORE,
    ),
    "json_schema": re.compile(rf"{_SHAPED_OUTPUT}|json[_ -]?schema|\bschema\b", _IGNORE),
    "json_object": re.compile(rf"{_SHAPED_OUTPUT}|json[_ -]?object", _IGNORE),
}
_REFUSES = (
    r"\bnot\b[^.\n]{0,24}?\b(support|allow|permit|accept|implement|enable|recogni[sz]e)|n't support|unsupport"
    r"|unavailable now|extra (input|field|_)|extra_forbidden|incompatible|disabled|\brequires?\b|should be"
    r"|only supports?|no endpoints? found|failed to (parse|initialize|compile|convert)"
    r"|不(被)?支[持援]|不允[许許]|未(开启|启用|開啟|啟用)|没有(开启|启用)|(只|仅|僅)支[持援]|暂不|暫不"
)
_COMPLAINS = (
    r"not (available|valid|expected)|unknown|unrecogni[sz]ed|unexpected|forbidden|invalid|unavailable|must be"
    r"|expected|cannot|can't|unable to|不可用|不能|[无無][法效]|未知|非法|不合法|有误|有誤|错误|錯誤"
)
_SAYS_NO = re.compile(f"{_REFUSES}|{_COMPLAINS}", _IGNORE)
_SAYS_NO_FOR_GOOD = re.compile(_REFUSES, _IGNORE)
"""Words in which a service that is out of order does not speak of itself."""
_ELSEWHERE = re.compile(
    r"\bmessages?\b['\"]?\s*[\[.,]|\brole\b|\bcontent\b['\"]? (must|of|is)"
    r"|\btool[ _](call[ _]ids?|results?|messages?)\b|\bfunction (call|response) (turn|part)"
    r"|\b(temperature|top_p|stop|seed|images?|audio|video)\b",
    _IGNORE,
)
"""Words of a complaint about the conversation or another setting."""
_THIS_TIME = re.compile(
    r"failed_generation|json_validate_failed|tool_use_failed|output_parse_failed"
    r"|failed to (generate|validate|call)|did not call|生成失败",
    _IGNORE,
)
"""The service tried, and what its model wrote did not have the shape."""
_VAGUE = re.compile(
    r"\b(this|the|some|certain|requested|one or more)\b[^.\n]{0,16}"
    r"\b(features?|parameters?|options?|modes?|functionality|capabilit(y|ies)|fields?|arguments?)\b"
    r"[^.\n]{0,24}?\b(not|un|in)[ -]?(support|available|allow|valid|implement)"
    r"|(not|n't) support (this|that|the|some|certain|all)( \w+)? (feature|parameter|option|mode|field)"
    r"|\b(unsupported|unknown|invalid|unrecogni[sz]ed) (request )?(parameter|feature|option|field|argument)s?\s*[.!]?\s*$"
    r"|(参数|參數|功能|特性|选项|字段)[^。，\n]{0,6}(不支[持援]|有误|有誤|错误|錯誤|非法|无效|無效)"
    r"|不支[持援](该|此|这个|的|該|這個)?(参数|參數|功能|特性|选项|请求)",
    _IGNORE,
)


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
    named = next((feature for feature in sent if _names(said, feature, complaint)), None)
    if named is not None:
        return Refusal(named, is_lasting=_THIS_TIME.search(said) is None)
    demanded = [feature for feature in sent if feature in ("tool_choice", "json_schema", "json_object")]
    is_vague = complaint.status in _NAMING_IS_ENOUGH and _VAGUE.search(said) and not _ELSEWHERE.search(said)
    return Refusal(demanded[0], is_lasting=False) if demanded and is_vague else None


def _sent(body: Json) -> Iterator[Feature]:
    """Yield the features that a request makes use of; what the same words could mean stands first."""
    if "stream_options" in body:
        yield "stream_options"
    if "max_tokens" in body:
        yield "max_tokens"
    shape = body.get("response_format") or {}
    if _has_strict(body):
        yield "strict"
    if isinstance(body.get("tool_choice"), dict):
        yield "tool_choice"
    if "tools" in body:
        yield "tools"
    if shape.get("type") == "json_schema":
        yield "json_schema"
    if shape.get("type") == "json_object":
        yield "json_object"


def _has_strict(body: Json) -> bool:
    schema = (body.get("response_format") or {}).get("json_schema", {})
    return "strict" in schema or any("strict" in tool["function"] for tool in body.get("tools", ()))


def _names(said: str, feature: Feature, complaint: Complaint) -> bool:
    """Whether a complaint is about `feature`: it names the field, or names the thing and says no."""
    if complaint.param and _is_other_field(complaint.param, feature):
        return False
    if feature in ("stream_options", "max_tokens"):
        return _NAMES[feature].search(said) is not None
    no = _SAYS_NO if complaint.status in _FAULT_OF_THE_REQUEST else _SAYS_NO_FOR_GOOD
    says_no = (no.search(said) or _THIS_TIME.search(said)) is not None
    field = _FIELDS.get(feature)
    if field is not None and field.search(said):
        return says_no or complaint.status in _NAMING_IS_ENOUGH
    return says_no and _NAMES[feature].search(said) is not None and not _ELSEWHERE.search(said)


def _is_other_field(param: str, feature: Feature) -> bool:
    """Whether the field that the service blames is none that `feature` stands in."""
    field = re.split(r"[.\[]", param, maxsplit=1)[0]
    homes = {
        "json_schema": {"response_format", "json_schema"},
        "json_object": {"response_format"},
        "tools": {"tools", "tool_choice", "functions"},
        "tool_choice": {"tool_choice"},
        "strict": {"tools", "response_format", "strict"},
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
        return message
    try:
        errors = json.loads(message)
    except (ValueError, RecursionError):
        return message
    return "\n".join(
        f"{'.'.join(map(str, error.get('loc') or ()))}: {error.get('type', '')} {error.get('msg', '')}"
        for error in errors
        if isinstance(error, dict)
    )
