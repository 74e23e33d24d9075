"""Operations as JSON: `{"ops": [{"op": "replace", "id": "S5:9c", "text": "…"}, …]}`.

A list of operations, or one alone, is read too. The envelope may name the script and the version it was
made for; `was` in an operation is the start of the line it means.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from script_editor.domain.matching import fold
from script_editor.domain.operations import (
    Delete,
    InsertAfter,
    InsertBefore,
    Move,
    Operation,
    Replace,
    Substitute,
)
from script_editor.domain.replies.json_reading import UnreadableJson, decode
from script_editor.domain.replies.prefixes import unnumbered_text
from script_editor.domain.replies.surroundings import Surroundings
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

_START = Pattern(r"^[ \t]*+[{｛\[［]", re.MULTILINE)
_INLINE_START = Pattern(
    r"[\[［]?[{｛]\s{0,8}[\"“”](?:ops|operations|op|script_id|video_id|base_version)[\"“”]"
)
_NEXT_OBJECT = Pattern(r"\s*+,?\s*+(?=[{｛])")
_VERSION = Pattern(r"[vV]?0*([0-9]{1,9})")
_ADVICE = "Answer with one JSON object that holds the list 'ops', and nothing else."

_FIELDS: Mapping[str, tuple[frozenset[str], Callable[..., Operation]]] = {
    "replace": (frozenset({"id", "text"}), Replace),
    "insert_before": (frozenset({"id", "text"}), InsertBefore),
    "insert_after": (frozenset({"id", "text"}), InsertAfter),
    "delete": (frozenset({"id"}), Delete),
    "move": (frozenset({"id", "before", "after"}), Move),
    "substitute": (frozenset({"id", "find", "replace", "all"}), Substitute),
}


def json_start(body: str) -> int | None:
    """Return where a JSON object or list begins: at the start of a line, else where its first key tells; or None."""
    found = _START.search(body)
    if found is not None:
        return found.end() - 1
    inline = _INLINE_START.search(body)
    return None if inline is None else inline.start()


def read_json_form(
    body: str, start: int, script: NumberedScript, surroundings: Surroundings
) -> list[Operation]:
    """Return the operations of the JSON at `start` of a reply.

    Raises:
        EditRefused: malformed, truncated when it ends inside a value, wrong_target and stale by the
            envelope, no_match when `was` is not how the line begins.
    """
    surroundings.check_before(body[:start].split("\n"))
    value, end = _decoded(body, start)
    values = [value]
    while _is_operation(values[-1]) and (following := _NEXT_OBJECT.match(body, end)):
        value, end = _decoded(body, following.end())
        values.append(value)
    surroundings.check_behind(body[end:].lstrip(" \t").split("\n"))
    return [_operation(op, script) for op in _listed(values, script)]


def _decoded(body: str, start: int) -> tuple[object, int]:
    try:
        return decode(body, start)
    except UnreadableJson as error:
        if error.is_cut:
            raise EditRefused(
                "truncated",
                "The reply ends inside its JSON, so it may be cut off; nothing of it was used.",
                advice=_ADVICE,
            ) from error
        raise _malformed(f"The reply is not valid JSON ({error}).") from error


def _is_operation(value: object) -> bool:
    return isinstance(value, dict) and "op" in value


def _listed(values: Sequence[object], script: NumberedScript) -> Sequence[object]:
    """Return the operations of one envelope, one list, or one object after another."""
    if all(_is_operation(value) for value in values):
        return values
    if len(values) > 1:
        raise _malformed("The reply holds more than one JSON object.")
    envelope = values[0]
    if isinstance(envelope, list):
        return envelope
    assert isinstance(envelope, dict), "a JSON start is an object or a list"
    _check_envelope(envelope, script)
    ops = envelope.get("ops", envelope.get("operations"))
    if not isinstance(ops, list):
        raise _malformed("The reply has no list 'ops'.")
    return ops


_KNOWN = frozenset(
    {
        "ops",
        "operations",
        "script",
        "script_id",
        "video_id",
        "base_version",
        "version",
        "scope",
        "targets",
        "need",
    }
)
_REMARK = Pattern(
    r"notes?|comments?|explanations?|reason(?:ing|s)?|summary|thoughts?|analysis|lang(?:uage)?|title|changes?_?(?:made|summary)?"
    r"|message|说明|备注|理由|总结",
    re.IGNORECASE,
)
"""Keys under which a model talks about its edits. Any other unknown key may say that something is missing."""


def _check_envelope(envelope: Mapping[str, object], script: NumberedScript) -> None:
    strange = [key for key in envelope if key not in _KNOWN and not _REMARK.fullmatch(key)]
    if strange:
        raise _malformed(f"The reply has the unknown key {strange[0]!r}; there is only 'ops'.")
    for key in ("script", "script_id", "video_id"):
        named = envelope.get(key)
        if named is not None and (
            not isinstance(named, str) or named.strip().lower() != script.script_id.lower()
        ):
            raise EditRefused(
                "wrong_target", f"The reply is for {named!r}, but {script.script_id!r} is being edited."
            )
    base = envelope.get("base_version", envelope.get("version"))
    if base is None:
        return
    number = _VERSION.fullmatch(str(base).strip())
    if isinstance(base, bool) or number is None:
        raise _malformed(f"{base!r} is not a version number.")
    if int(number[1]) != script.version:
        raise EditRefused(
            "stale", f"The reply is for version {base}; the script is at version {script.version}."
        )


def _operation(op: object, script: NumberedScript) -> Operation:
    if not isinstance(op, dict) or not isinstance(op.get("op"), str) or op["op"] not in _FIELDS:
        known = ", ".join(_FIELDS)
        raise _malformed(f"{json.dumps(op, ensure_ascii=False)[:80]} is not an operation; there are {known}.")
    allowed, build = _FIELDS[op["op"]]
    fields = {key: value for key, value in op.items() if key != "op" and value is not None}
    was = fields.pop("was", "")
    unknown = sorted(set(fields) - allowed)
    wrong = sorted(
        key for key, value in fields.items() if not isinstance(value, bool if key == "all" else str)
    )
    if unknown or wrong or not isinstance(was, str):
        raise _malformed(f"{op['op']}: cannot use {', '.join(unknown + wrong) or 'was'}.")
    if was:
        _check_was(was, fields.get("id"), script)
    try:
        return build(**fields)
    except TypeError as error:
        raise _malformed(
            f"{op['op']}: a field is missing ({', '.join(sorted(allowed - set(fields)))})."
        ) from error


def _check_was(was: str, reference: str | None, script: NumberedScript) -> None:
    """Accept how a line is said to begin. A quotation cut short with dots is compared without them."""
    if reference is None:
        return
    segment = script.resolve_reference(reference)
    begin = fold(unnumbered_text(was, script).strip())[0]
    line = fold(segment.content)[0]
    if not line.startswith(begin) and not (begin.endswith("...") and line.startswith(begin.rstrip(". "))):
        raise EditRefused(
            "no_match",
            f"Line {segment.number} does not begin with {was[:60]!r}.",
            segments=(segment.number,),
            nearest=segment.content,
            advice="Look up the line's id again.",
        )


def _malformed(message: str) -> EditRefused:
    return EditRefused("malformed", message, advice=_ADVICE)
